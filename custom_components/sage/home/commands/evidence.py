"""The record of a run: the results of its commands, the values that it read, and its other steps.

A run processes one request of a person, from the utterance to the answer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, cast

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
    """The questions to the record of a run: each answer is a function of the entries."""

    def __init__(self, record: Sequence[object]) -> None:
        """`record`: the contents of its entries, oldest first; it may grow."""
        self._record = record
        self._answers: dict[Callable[[Sequence[object]], object], tuple[int, object]] = {}
        """Question -> number of entries, and the answer to them."""

    def _ask[T](self, question: Callable[[Sequence[object]], T]) -> T:
        """Return the answer to a question, which is computed once for each state of the record."""
        number, answer = self._answers.get(question, (-1, None))
        if number != len(self._record):
            answer = question(self._record)
            self._answers[question] = (len(self._record), answer)
        return cast("T", answer)

    # ------------------------------------------------------------ the home

    @property
    def seen(self) -> tuple[Reading, ...]:
        """The latest values read or set, one item per entity or capability."""
        return self._ask(_latest_values)

    @property
    def reads(self) -> int:
        """The number of values and external texts that tools have read."""
        return len(self._all(Reading)) + len(self.external_texts)

    @property
    def read(self) -> bool:
        """Whether a tool call read values, memories, routines or data of another integration.

        Mail and other texts from outside the home (`external_texts`) do not count.
        """
        return any(map(_is_read, self._record))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The results of all commands of the request, oldest first."""
        return self._all(Outcome)

    @property
    def final_outcomes(self) -> tuple[Outcome, ...]:
        """The results of the commands that still count at the end of the run.

        These results are left out:
        - commands that only read
        - results that a later command replaced, e.g. `turn_on` before `turn_off`
        - `ALREADY` (no change was needed) after a success of the same command
        - `NOT_CONFIRMED` after the same command reached another value
        """
        return self._ask(_still_holding)

    @property
    def overtaken(self) -> frozenset[str]:
        """Ids of the components whose state has changed since their last command."""
        states: dict[str, object] = {}
        overtaken: set[str] = set()
        for entry in self._record:
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

    # ------------------------------------------------------------ everything else

    @property
    def foreign(self) -> tuple[str, ...]:
        """Names of the tools of other integrations that may have changed something."""
        return self._texts(RunEventKind.FOREIGN_CALLED)

    @property
    def recalled(self) -> bool:
        """Whether something was looked up in the person's stored memories."""
        return any(self._steps(RunEventKind.RECALLED))

    @property
    def memory_changed(self) -> bool:
        """Whether a memory was stored or deleted at the person's request."""
        return any(self._steps(RunEventKind.MEMORY_CHANGED))

    @property
    def routines_listed(self) -> bool:
        """Whether the person's routines were listed."""
        return any(self._steps(RunEventKind.ROUTINES_LISTED))

    @property
    def routines(self) -> tuple[str, ...]:
        """Sentences about changed routines, in the person's language."""
        return self._texts(RunEventKind.ROUTINE_CHANGED)

    @property
    def unwatched(self) -> bool:
        """Whether the model wrote condition code (Python) that no routine uses yet."""
        steps = self._steps(RunEventKind.CONDITION_WRITTEN, RunEventKind.ROUTINE_CHANGED)
        return bool(steps) and steps[-1].kind is RunEventKind.CONDITION_WRITTEN

    @property
    def external_actions(self) -> tuple[ExternalAction, ...]:
        """The actions outside the home, such as a mail that was sent."""
        return self._all(ExternalAction)

    @property
    def external_texts(self) -> tuple[str, ...]:
        """The untrusted texts from outside the home that tools have read, such as mails."""
        return self._texts(RunEventKind.EXTERNAL_TEXT)

    @property
    def external_ids(self) -> frozenset[str]:
        """Ids in `external_texts` that mean nothing to the person, e.g. `m1`."""
        texts = self._steps(RunEventKind.EXTERNAL_TEXT)
        return frozenset[str]().union(*(each.ids for each in texts))

    @property
    def wrote(self) -> bool:
        """Whether SAGE tried to change something during the request, in the home or outside.

        Changes of memories and routines do not count.
        """
        was_sent = any(not each.is_read for each in self.outcomes)
        return was_sent or bool(self.foreign) or bool(self.external_actions)

    @property
    def changed_others(self) -> bool:
        """Whether something else than devices of the home was changed."""
        changed = (self.foreign, self.routines, self.memory_changed, self.external_actions)
        return any(changed)

    @property
    def is_empty(self) -> bool:
        """Whether no tool call has read or changed anything."""
        known = self.read or self.wrote or self.external_texts
        return not (known or self.memory_changed or self.routines)

    def _all[T](self, kind: type[T]) -> tuple[T, ...]:
        return tuple(each for each in self._record if isinstance(each, kind))

    def _steps(self, *kinds: RunEventKind) -> list[RunEvent]:
        return [each for each in self._all(RunEvent) if each.kind in kinds]

    def _texts(self, kind: RunEventKind) -> tuple[str, ...]:
        return tuple(each.text for each in self._steps(kind))


def _latest_values(record: Sequence[object]) -> tuple[Reading, ...]:
    latest: dict[tuple[str, str, str], Reading] = {}
    for entry in record:
        if (seen := _seen_of(entry)) is None:
            continue
        key = (seen.device_id, seen.component_id, seen.capability)
        if (before := latest.get(key)) is not None:
            facts = {fact.name: fact for fact in before.attributes}
            for fact in seen.attributes:
                old = facts.get(fact.name, fact)
                facts[fact.name] = replace(
                    fact,
                    unit=fact.unit or old.unit,
                    is_free_text=fact.is_free_text or old.is_free_text,
                )
            seen = replace(seen, attributes=tuple(facts.values()))
        latest[key] = seen
    return tuple(latest.values())


def _is_read(entry: object) -> bool:
    """Return whether a tool call has read something; external texts do not count."""
    match entry:
        case Reading():
            return True
        case Outcome():
            is_read = entry.is_read and entry.kind is OutcomeKind.VERIFIED
            return is_read or bool(entry.response)
        case RunEvent():
            return entry.kind in (
                RunEventKind.RECALLED,
                RunEventKind.ROUTINES_LISTED,
                RunEventKind.FOREIGN_READ,
            )
    return False


def _seen_of(entry: object) -> Reading | None:
    """Return the values that an entry shows; None if it shows none."""
    match entry:
        case Unasked():
            return _seen_of(entry.source)
        case Outcome():
            is_shown = entry.kind is OutcomeKind.VERIFIED or not entry.is_read
            return _values_after(entry) if is_shown else None
        case Reading():
            # Documentation does not show untrusted text.
            facts: Iterable[Fact] = (
                each
                for each in entry.attributes
                if not (each.is_free_text and isinstance(entry, Documentation))
            )
            if not entry.available:
                facts = (Fact(name=STATE, value=STATE_UNAVAILABLE),)
            return Reading(
                device_id=entry.device_id,
                device_name=entry.device_name,
                component_id=entry.component_id,
                capability=entry.capability,
                area=entry.area,
                source=entry.source,
                attributes=tuple(replace(each, value=plain(each.value)) for each in facts),
            )
    return None


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


def _still_holding(record: Sequence[object]) -> tuple[Outcome, ...]:
    outcomes = (entry for entry in record if isinstance(entry, Outcome))
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
