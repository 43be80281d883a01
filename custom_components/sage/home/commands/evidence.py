"""The record of a run: the results of its commands, the values read, and its other steps."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from homeassistant.const import STATE_UNAVAILABLE

from ..home_types import Documentation, Fact, Outcome, OutcomeKind, Reading
from ..values import STATE, item_attributes, plain
from .outcome_text import as_percent, is_text_of_others

_SUCCESS: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY, OutcomeKind.UNDER_WAY})

_UNCHANGED: Final = frozenset({OutcomeKind.ALREADY, OutcomeKind.REFUSED, OutcomeKind.FAILED})


class RunEventKind(StrEnum):
    """The kind of a step that neither read a device nor sent a command to one.

    The value is the key of the sentence in the chat about it (`details_...`), unless the step has
    another one.
    """

    RECALLED = "recalled"
    MEMORY_CHANGED = "kept"
    MEMORY_SWITCHED = "switched"
    FORGOTTEN = "forgotten"
    ROUTINES_LISTED = "routines"
    ROUTINE_CHANGED = "routine"
    CONDITION_WRITTEN = "condition"
    FOREIGN_CALLED = "foreign"
    FOREIGN_READ = "foreign_read"
    EXTERNAL_TEXT = "external"
    DONE = "done"  # outside the home: a message sent, a draft saved, an event created
    NOT_DONE = "not_done"
    UNKNOWN = "unknown"  # perhaps done outside the home; the response of the server was lost


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """A step of a run that neither read a device nor sent a command to one."""

    kind: RunEventKind
    text: str = ""  # the text that was read, the name of the tool, or a sentence about the result
    key: str = ""
    """Key of the sentence that the chat shows, e.g. `details_mail`; empty for that of the kind."""

    ids: frozenset[str] = frozenset()  # ids in `text` that mean nothing to the person, e.g. `m1`


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

        self.shown: list[Documentation] = []
        """The documentation in the first prompt: what the request may mean."""

        self.reads = 0  # the number of values and external texts that tools have read
        self.read = False
        """Whether a tool call read values, memories, routines or data of another integration.

        Mail and other texts from outside the home (`external_texts`) do not count.
        """

        self.foreign: list[str] = []
        """Names of the tools of other integrations that may have changed something."""

        self.recalled = False  # whether something was looked up in the person's stored memories
        self.memory_changed = False
        """Whether a memory was stored or deleted at the person's request."""

        self.has_kept = False  # whether a fact was stored at the person's request
        self.has_forgotten = False  # whether memories were deleted at the person's request
        self.routines_listed = False  # whether the person's routines were listed
        self.routines: list[str] = []  # sentences about changed routines, in the person's language
        self.unwatched = False
        """Whether the model wrote condition code (Python) that no routine uses yet."""

        self.external_actions: list[RunEvent] = []
        """The actions outside the home, such as a mail that was sent."""

        self.external_texts: list[str] = []
        """The untrusted texts from outside the home that tools have read, such as mails."""

        self.external_ids: set[str] = set()
        """Ids in `external_texts` that mean nothing to the person, e.g. `m1`."""

        self.wrote = False
        """Whether SAGE tried to change the home or something outside, not a memory or routine."""

        self.changed_others = False  # whether something else than devices of the home was changed
        self.overtaken: set[str] = set()
        """Ids of the components whose state has changed since their last command."""

        self._latest: dict[tuple[str, str, str], Reading] = {}
        self._states: dict[str, object] = {}  # component id -> state after its last command
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
                    self.overtaken.discard(entry.component_id)
                    if not entry.is_read and STATE in entry.after:
                        self._states[entry.component_id] = plain(entry.after[STATE])
                    if entry.kind is OutcomeKind.VERIFIED or not entry.is_read:
                        self._see(entry)
                    has_read = entry.is_read and entry.kind is OutcomeKind.VERIFIED
                    self.read = self.read or has_read or bool(entry.response)
                    self.wrote = self.wrote or not entry.is_read
                case Reading():
                    self.reads += 1
                    self.read = True
                    self._see(entry)
                case Unasked(source=reading):
                    self._see(reading)
                    if isinstance(reading, Documentation):
                        self.shown.append(reading)
                    component, now = reading.component_id, reading.values.get(STATE)
                    if now is not None and self._states.get(component, plain(now)) != plain(now):
                        self.overtaken.add(component)
                case RunEvent():
                    self._take_event(entry)
        self.seen = self._latest.values()

    def _take_event(self, event: RunEvent) -> None:
        match event.kind:
            case RunEventKind.RECALLED:
                self.recalled = self.read = True
            case (
                RunEventKind.MEMORY_CHANGED | RunEventKind.MEMORY_SWITCHED | RunEventKind.FORGOTTEN
            ):
                self.memory_changed = self.changed_others = True
                self.has_kept |= event.kind is RunEventKind.MEMORY_CHANGED
                self.has_forgotten |= event.kind is RunEventKind.FORGOTTEN
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
            case RunEventKind.DONE | RunEventKind.NOT_DONE | RunEventKind.UNKNOWN:
                self.external_actions.append(event)
                self.wrote = self.changed_others = True
            case RunEventKind.FOREIGN_READ:
                self.read = True
            case RunEventKind.EXTERNAL_TEXT:
                self.reads += 1
                self.external_texts.append(event.text)
                self.external_ids |= event.ids

    def _see(self, source: Reading | Outcome) -> None:
        key = (source.device_id, source.component_id, source.capability)
        before = self._latest.get(key)
        latest = {fact.name: fact for fact in before.attributes} if before is not None else {}
        for fact in _facts(source):
            old = latest.get(fact.name, fact)
            latest[fact.name] = replace(
                fact, unit=fact.unit or old.unit, is_free_text=fact.is_free_text or old.is_free_text
            )
        self._latest[key] = source.reading(latest.values())

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
            # Compare only outcomes of the same component: a run may have hundreds.
            writes: dict[tuple[str, ...], list[Outcome]] = {}
            for outcome in self.outcomes:
                own = writes.setdefault(outcome.component_key, [])
                is_write = not outcome.is_read or outcome.has_looked
                if is_write and not any(_explains(other, outcome) for other in own):
                    own.append(outcome)
            final = {
                id(outcome)
                for own in writes.values()
                for place, outcome in enumerate(own, 1)
                if not any(_supersedes(later, outcome) for later in own[place:])
            }
            self._final = tuple(outcome for outcome in self.outcomes if id(outcome) in final)
        return self._final

    @property
    def has_changed(self) -> bool:
        """Whether something was, or may have been, changed: in the home, outside, later, memory."""
        final = self.final_outcomes
        is_done = any(each.kind not in _UNCHANGED and not each.is_read for each in final)
        sent = [each for each in self.external_actions if each.kind is not RunEventKind.NOT_DONE]
        return is_done or self.memory_changed or bool(sent or self.foreign or self.routines)

    @property
    def is_empty(self) -> bool:
        """Whether no tool call has read or changed anything."""
        known = self.read or self.wrote or self.external_texts
        return not (known or self.memory_changed or self.routines)


def _facts(source: Reading | Outcome) -> Iterator[Fact]:
    """Yield the values of a reading, or those after a command, which replace earlier ones."""
    if isinstance(source, Outcome):
        for name, value in ({**source.after, **as_percent(source.after)}).items():
            is_free = is_text_of_others(source, name, value)
            yield Fact(name=name, value=plain(value), is_free_text=is_free)
        return
    if not source.available:
        yield Fact(name=STATE, value=STATE_UNAVAILABLE)
        return
    hides_text = isinstance(source, Documentation)
    for fact in source.attributes:
        if not (hides_text and fact.is_free_text):
            yield Fact(
                name=fact.name,
                value=plain(fact.value),
                meaning=fact.meaning,
                unit=fact.unit,
                is_free_text=fact.is_free_text,
            )


def _explains(earlier: Outcome, again: Outcome) -> bool:
    explained = {
        OutcomeKind.NOT_CONFIRMED: (OutcomeKind.REACHED,),
        OutcomeKind.ALREADY: (OutcomeKind.VERIFIED, OutcomeKind.UNDER_WAY),
    }
    return _is_same(earlier, again) and earlier.kind in explained.get(again.kind, ())


def _is_same(one: Outcome, other: Outcome) -> bool:
    return one.command == other.command and dict(one.arguments) == dict(other.arguments)


def _supersedes(later: Outcome, earlier: Outcome) -> bool:
    """Return whether a later outcome replaces an earlier one of the same component.

    - Repetition of a command with the same arguments: always.
    - Repetition with other arguments: if it succeeds and sets at least the same arguments.
    - Different command: only if both succeeded and led to different states. So a failed or refused
      command is still reported, even if a different command succeeds later.
    - To-do lists and calendars: only repetition with the same arguments, because their entries are
      independent.
    """
    if _is_same(later, earlier):
        return True
    if later.kind not in _SUCCESS or item_attributes(later.capability):
        return False
    if later.command == earlier.command:
        return later.arguments.keys() >= earlier.arguments.keys()
    if earlier.kind not in _SUCCESS:
        return False
    if later.is_entity:
        return later.after.get(STATE) != earlier.after.get(STATE)
    # Values of extensions have no main state: `off` replaces `on` because both set `switch`.
    shared = later.after.keys() & earlier.after.keys()
    return any(later.after[name] != earlier.after[name] for name in shared)
