"""The record of a run: the results of its commands, the values that it read, and its other steps.

A run processes one request of a person, from the utterance to the answer.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from homeassistant.const import STATE_UNAVAILABLE

from ..home_types import ENTITIES, Documentation, Fact, Outcome, OutcomeKind, Reading
from ..safety.free_text import is_free_text, options_of
from ..values import STATE, item_attributes, plain
from .outcome_observation import as_percent

_SUCCESS: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY, OutcomeKind.UNDER_WAY})


class ExternalActionKind(StrEnum):
    """The result of an action outside the home, such as sending a mail."""

    DONE = "done"
    NOT_DONE = "not_done"
    UNKNOWN = "unknown"
    """The action may have been done; the response of the server was lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalAction:
    """An action outside the home: a message sent, a draft saved, an event created."""

    kind: ExternalActionKind
    text: str
    """Sentence about the result in the person's language."""


class RunEventKind(StrEnum):
    """The kind of a step that neither read a device nor sent a command to one.

    The value is the key of the sentence in the chat about it (`details_...`), unless the step has
    another one.
    """

    RECALLED = "recalled"
    MEMORY_CHANGED = "kept"
    ROUTINES_LISTED = "routines"
    ROUTINE_CHANGED = "routine"
    CONDITION_WRITTEN = "condition"
    FOREIGN_CALLED = "foreign"
    FOREIGN_READ = "foreign_read"
    EXTERNAL_TEXT = "external"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """A step of a run that neither read a device nor sent a command to one."""

    kind: RunEventKind
    text: str = ""
    """The text that was read, the name of the tool, or a sentence about the routine."""

    key: str = ""
    """Key of the sentence that the chat shows, e.g. `details_mail`; empty for that of the kind."""

    ids: frozenset[str] = frozenset()
    """Ids in `text` that mean nothing to the person, e.g. `m1`."""


@dataclass(frozen=True, slots=True)
class Unasked:
    """Values that no tool has asked for: in the first prompt, or read again after a question."""

    source: Reading


class Evidence:
    """What the entries of a record prove: a sum of them, kept up to date entry by entry."""

    def __init__(self, *entries: object) -> None:
        """`entries`: the contents of the record so far; `take` adds those that follow."""
        self.outcomes: list[Outcome] = []
        """The results of all commands of the request, oldest first."""

        self.seen: Collection[Reading] = ()
        """The latest values read or set, one item per entity or capability."""

        self.reads = 0
        """The number of values and external texts that tools have read."""

        self.read = False
        """Whether a tool call read values, memories, routines or data of another integration.

        Mail and other texts from outside the home (`external_texts`) do not count.
        """

        self.foreign: list[str] = []
        """Names of the tools of other integrations that may have changed something."""

        self.recalled = False
        """Whether something was looked up in the person's stored memories."""

        self.memory_changed = False
        """Whether a memory was stored or deleted at the person's request."""

        self.routines_listed = False
        """Whether the person's routines were listed."""

        self.routines: list[str] = []
        """Sentences about changed routines, in the person's language."""

        self.unwatched = False
        """Whether the model wrote condition code (Python) that no routine uses yet."""

        self.external_actions: list[ExternalAction] = []
        """The actions outside the home, such as a mail that was sent."""

        self.external_texts: list[str] = []
        """The untrusted texts from outside the home that tools have read, such as mails."""

        self.external_ids: set[str] = set()
        """Ids in `external_texts` that mean nothing to the person, e.g. `m1`."""

        self.wrote = False
        """Whether SAGE tried to change something during the request, in the home or outside.

        Changes of memories and routines do not count.
        """

        self.changed_others = False
        """Whether something else than devices of the home was changed."""

        self._latest: dict[tuple[str, str, str], Reading] = {}
        self._home: list[Outcome | Unasked] = []
        self._final: tuple[Outcome, ...] | None = None
        """Cache of `final_outcomes`; None after each new outcome."""

        self.take(entries)

    def take(self, entries: Iterable[object]) -> None:
        """Add the contents of further entries."""
        for entry in entries:
            match entry:
                case Outcome():
                    self.outcomes.append(entry)
                    self._final = None
                    self._home.append(entry)
                    if entry.kind is OutcomeKind.VERIFIED or not entry.is_read:
                        self._see(_values_after(entry))
                    has_read = entry.is_read and entry.kind is OutcomeKind.VERIFIED
                    self.read = self.read or has_read or bool(entry.response)
                    self.wrote = self.wrote or not entry.is_read
                case Reading():
                    self.reads += 1
                    self.read = True
                    self._see(_values_of(entry))
                case Unasked():
                    self._home.append(entry)
                    self._see(_values_of(entry.source))
                case ExternalAction():
                    self.external_actions.append(entry)
                    self.wrote = self.changed_others = True
                case RunEvent():
                    self._take_event(entry)
        self.seen = self._latest.values()

    def _take_event(self, event: RunEvent) -> None:
        match event.kind:
            case RunEventKind.RECALLED:
                self.recalled = self.read = True
            case RunEventKind.MEMORY_CHANGED:
                self.memory_changed = self.changed_others = True
            case RunEventKind.ROUTINES_LISTED:
                self.routines_listed = self.read = True
            case RunEventKind.ROUTINE_CHANGED:
                self.routines.append(event.text)
                self.changed_others, self.unwatched = True, False
            case RunEventKind.CONDITION_WRITTEN:
                self.unwatched = True
            case RunEventKind.FOREIGN_CALLED:
                self.foreign.append(event.text)
                self.wrote = self.changed_others = True
            case RunEventKind.FOREIGN_READ:
                self.read = True
            case RunEventKind.EXTERNAL_TEXT:
                self.reads += 1
                self.external_texts.append(event.text)
                self.external_ids |= event.ids

    def _see(self, seen: Reading) -> None:
        key = (seen.device_id, seen.component_id, seen.capability)
        if (before := self._latest.get(key)) is not None:
            facts = {fact.name: fact for fact in before.attributes}
            for fact in seen.attributes:
                old = facts.get(fact.name, fact)
                facts[fact.name] = replace(
                    fact,
                    unit=fact.unit or old.unit,
                    is_free_text=fact.is_free_text or old.is_free_text,
                )
            seen = replace(seen, attributes=tuple(facts.values()))
        self._latest[key] = seen

    @property
    def final_outcomes(self) -> tuple[Outcome, ...]:
        """The results of the commands that still count at the end of the run.

        These results are left out:
        - commands that only read
        - results that a later command replaced, e.g. `turn_on` before `turn_off`
        - `ALREADY` (no change was needed) after a success of the same command
        - `NOT_CONFIRMED` after the same command reached another value
        """
        if self._final is None:
            self._final = _still_holding(self.outcomes)
        return self._final

    @property
    def overtaken(self) -> frozenset[str]:
        """Ids of the components whose state has changed since their last command."""
        states: dict[str, object] = {}
        overtaken: set[str] = set()
        for entry in self._home:
            if isinstance(entry, Outcome):
                overtaken.discard(entry.component_id)
                if not entry.is_read and STATE in entry.after:
                    states[entry.component_id] = plain(entry.after[STATE])
            elif isinstance(entry, Unasked) and isinstance(entry.source, Reading):
                component = entry.source.component_id
                now = entry.source.values.get(STATE)
                if now is not None and states.get(component, plain(now)) != plain(now):
                    overtaken.add(component)
        return frozenset(overtaken)

    @property
    def is_empty(self) -> bool:
        """Whether no tool call has read or changed anything."""
        known = self.read or self.wrote or self.external_texts
        return not (known or self.memory_changed or self.routines)


def _values_of(read: Reading) -> Reading:
    """Return the values that a reading shows; documentation shows no untrusted text."""
    facts: Iterable[Fact] = read.attributes
    if isinstance(read, Documentation):
        facts = (fact for fact in facts if not fact.is_free_text)
    if not read.available:
        facts = (Fact(name=STATE, value=STATE_UNAVAILABLE),)
    return Reading(
        device_id=read.device_id,
        device_name=read.device_name,
        component_id=read.component_id,
        capability=read.capability,
        area=read.area,
        source=read.source,
        attributes=tuple(replace(fact, value=plain(fact.value)) for fact in facts),
    )


def _values_after(outcome: Outcome) -> Reading:
    """Return the values after a command, which replace the values of earlier reads."""
    after = {**outcome.after, **as_percent(outcome.after)}
    values = {name: plain(value) for name, value in after.items()}
    free_text = _free_text_of(outcome, values)
    return Reading(
        device_id=outcome.device_id,
        device_name=outcome.device_name,
        component_id=outcome.component_id,
        capability=outcome.capability,
        area=outcome.area,
        source=outcome.source,
        attributes=tuple(
            Fact(name=name, value=value, is_free_text=name in free_text)
            for name, value in values.items()
        ),
    )


def _still_holding(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    # Compare only outcomes of the same component: a run may have hundreds.
    writes: list[Outcome] = []
    earlier: dict[tuple[str, ...], list[Outcome]] = {}
    for each in outcomes:
        before = earlier.setdefault(each.component_key, [])
        again = any(_is_same(each, other) for other in before if _is_told(other, each.kind))
        if not each.is_read and not again:
            before.append(each)
            writes.append(each)
    held: list[Outcome] = []
    later: dict[tuple[str, ...], list[Outcome]] = {}
    for each in reversed(writes):
        after = later.setdefault(each.component_key, [])
        if not any(_supersedes(other, each) for other in after):
            held.append(each)
        after.append(each)
    return tuple(reversed(held))


def _free_text_of(outcome: Outcome, values: Mapping[str, object]) -> frozenset[str]:
    """Return the names of the values that may be text from an untrusted source."""
    is_entity = outcome.source == ENTITIES
    domain = outcome.component_id.partition(".")[0] if is_entity else outcome.capability
    free = [name for name, value in values.items() if is_free_text(domain, name, value)]
    if not free:
        return frozenset()
    options = options_of(domain, outcome.restore)
    return frozenset(name for name in free if is_free_text(domain, name, values[name], options))


def _is_told(earlier: Outcome, kind: OutcomeKind) -> bool:
    """Return whether the outcome `earlier` explains why the same command changed nothing again."""
    if kind is OutcomeKind.NOT_CONFIRMED:
        return earlier.kind is OutcomeKind.REACHED
    is_done = earlier.kind in (OutcomeKind.VERIFIED, OutcomeKind.UNDER_WAY)
    return is_done and kind is OutcomeKind.ALREADY


def _is_same(one: Outcome, other: Outcome) -> bool:
    """Return whether both outcomes have the same command, arguments and component."""
    return (
        one.component_key == other.component_key
        and one.command == other.command
        and dict(one.arguments) == dict(other.arguments)
    )


def _supersedes(later: Outcome, earlier: Outcome) -> bool:
    """Return whether a later outcome replaces an earlier one of the same component.

    - Repetition of a command with the same arguments: always.
    - Repetition with other arguments: if it succeeds and sets at least the same arguments.
    - Different command: only if both succeeded and led to different states. So a failed or refused
      command is still reported, even if a different command succeeds later.
    - To-do lists and calendars: only repetition with the same arguments, because their entries are
      independent.
    """
    if later.component_key != earlier.component_key:
        return False
    if item_attributes(later.component_id.partition(".")[0]):
        # Entries are independent: adding bread to a list does not correct a failure to add milk.
        return _is_same(later, earlier)
    if later.command == earlier.command:
        same = dict(later.arguments) == dict(earlier.arguments)
        return same or (
            later.kind in _SUCCESS and later.arguments.keys() >= earlier.arguments.keys()
        )
    both_done = later.kind in _SUCCESS and earlier.kind in _SUCCESS
    if later.source_id is not None:
        # Values of extensions have no main state: `off` replaces `on` because both set `switch`.
        shared = later.after.keys() & earlier.after.keys()
        return both_done and any(later.after[name] != earlier.after[name] for name in shared)
    return both_done and later.after.get(STATE) != earlier.after.get(STATE)
