"""The record of a run: the results of its commands, and the values that it read.

A run processes one request of a person, from the utterance to the answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Protocol

from homeassistant.const import STATE_UNAVAILABLE

from ..home_types import Documentation, Outcome, OutcomeKind, Reading, Source
from ..safety.free_text import is_free_text, options_of
from ..values import item_attributes, plain
from .goals import STATE

_SUCCESS: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY, OutcomeKind.UNDER_WAY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The latest values of one entity or SmartThings capability that a run has read or set."""

    device_id: str
    device_name: str
    component_id: str
    area: str | None = None
    values: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    """Attribute name -> (value,) or (value, translated value), e.g. `("on", "Open")` for a door."""

    units: Mapping[str, str] = field(default_factory=dict)
    """Attribute name -> unit; values that only a command has set may lack it."""

    texts: tuple[str, ...] = ()
    """Responses of actions, e.g. a forecast."""

    free_text: frozenset[str] = frozenset()
    """Names of values that may be text from an untrusted source, such as a media title."""


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


class EvidenceDisplay(Protocol):
    """Interface that shows the person what SAGE is doing for the request."""

    def show_outcomes(self, outcomes: Sequence[Outcome]) -> None:
        """Show the results of commands."""

    def show_readings(self, readings: Sequence[Reading]) -> None:
        """Show values that were read."""

    def show_sentence(self, key: str, **placeholders: str) -> None:
        """Show the sentence with a key such as `details_recalled`, in the person's language."""

    def show_text(self, text: str) -> None:
        """Show a text that is already in the person's language."""


class Evidence:
    """The record of one run (one request of a person): commands, values read, changed routines."""

    def __init__(self, display: EvidenceDisplay | None = None) -> None:
        """Start with an empty record; `display` shows each new item to the person."""
        self._display = display
        self._outcomes: list[Outcome] = []
        self._final: tuple[Outcome, ...] | None = None
        """Cache of `final_outcomes`; None after each new outcome."""

        self.reads: list[dict[str, object]] = []
        """All values that tools read, as JSON objects with `device`, `component` and `values`."""

        self._seen: dict[tuple[str, str, str], Seen] = {}
        self.overtaken: frozenset[str] = frozenset()
        """Ids of the components whose state has changed since their last command."""

        self.foreign: tuple[str, ...] = ()
        """Names of the tools of other integrations that may have changed something."""

        self.read = False
        """Whether a tool call read values, memories, routines or data of another integration.

        Mail and other texts from outside the home (`external_texts`) do not count.
        """

        self.recalled = False
        """Whether something was found in the person's stored memories."""

        self.memory_changed = False
        """Whether a memory was stored or deleted at the person's request."""

        self.routines_listed = False
        """Whether the person's routines were listed."""

        self.routines: tuple[str, ...] = ()
        """Sentences about changed routines, in the person's language."""

        self.unwatched = False
        """Whether the model wrote condition code (Python) that no routine uses yet."""

        self.external_actions: tuple[ExternalAction, ...] = ()
        """The actions outside the home, such as a mail that was sent."""

        self.external_texts: tuple[str, ...] = ()
        """The untrusted texts from outside the home that tools have read, such as mails."""

        self.external_ids: frozenset[str] = frozenset()
        """Ids in `external_texts` that mean nothing to the person, e.g. `m1`."""

    def record_outcomes(self, outcomes: Sequence[Outcome]) -> None:
        """Add the results of device commands."""
        self._outcomes += outcomes
        self.overtaken -= {each.component_id for each in outcomes}
        self._final = None
        if self._display is not None:
            self._display.show_outcomes(outcomes)
        for each in outcomes:
            if each.kind is OutcomeKind.VERIFIED or not each.is_read:
                self._see_outcome(each)
            is_read = each.is_read and each.kind is OutcomeKind.VERIFIED
            self.read = self.read or is_read or bool(each.response)

    def record_reads(self, readings: Iterable[Reading], *, is_again: bool = False) -> None:
        """Add values that were read from devices.

        `is_again`: the values replace earlier ones, and no tool has read them.
        """
        readings = tuple(readings)
        if self._display is not None and not is_again:
            self._display.show_readings(readings)
        for each in readings:
            if is_again:
                self._compare(each)
            self._note(
                each,
                each.capability or "",
                each.values if each.available else {STATE: STATE_UNAVAILABLE},
                each.meanings,
                each.units,
                each.free_text,
                is_unasked=is_again,
            )

    def record_documents(
        self, documents: Iterable[Documentation], *, is_unasked: bool = False
    ) -> None:
        """Add the current values that the documentation of devices contains.

        `is_unasked`: the documentation was in the first prompt, without a tool call. The properties
        `read` and `reads` then stay unchanged.
        """
        for each in documents:
            values = {
                attribute.name: attribute.value
                for attribute in each.attributes
                # The documentation does not show untrusted text.
                if not attribute.is_free_text
            }
            meanings = {item.name: item.meaning for item in each.attributes if item.meaning}
            raw = each.capability if each.source is not Source.HOME_ASSISTANT else ""
            values = values if each.available else {STATE: STATE_UNAVAILABLE}
            units = {item.name: item.unit for item in each.attributes if item.unit}
            self._note(each, raw, values, meanings, units, is_unasked=is_unasked)

    def record_foreign(self, tool: str) -> None:
        """Record that a tool of another integration may have changed something."""
        self.foreign += (tool,)
        self._show("details_foreign", tool=tool)

    def record_recall(self) -> None:
        """Record that something was found in the person's stored memories."""
        self.read = self.recalled = True
        self._show("details_recalled")

    def record_memory_change(self) -> None:
        """Record that a memory was stored or deleted at the person's request."""
        self.memory_changed = True
        self._show("details_kept")

    def record_routines_listed(self) -> None:
        """Record that the person's routines were listed."""
        self.read = self.routines_listed = True
        self._show("details_routines")

    def record_condition(self) -> None:
        """Record that the model wrote condition code (Python code for a routine)."""
        self.unwatched = True
        self._show("details_condition")

    def record_routine(self, sentence: str) -> None:
        """Record that a routine was created, paused or ended.

        `sentence` states the result in the person's language.
        """
        self.unwatched = False
        self.routines += (sentence,)
        if self._display is not None:
            self._display.show_text(sentence)

    def record_foreign_read(self, tool: str) -> None:
        """Record that a read-only tool of another integration was called."""
        self.read = True
        self._show("details_foreign", tool=tool)

    def record_external_read(self, what: str, text: str, ids: Iterable[str] = ()) -> None:
        """Record a text from outside the home that a tool has read, such as a mail.

        - `what`: key of the sentence that SAGE shows to the person about it, e.g. `details_mail`
        - `ids`: ids in `text` that mean nothing to the person, e.g. `m1`
        """
        self.external_texts += (text,)
        self.external_ids |= frozenset(ids)
        self._show(what)

    def record_external_action(self, action: ExternalAction) -> None:
        """Record an action outside the home."""
        self.external_actions += (action,)
        if self._display is not None:
            self._display.show_text(action.text)

    def _show(self, what: str, **placeholders: str) -> None:
        if self._display is not None:
            self._display.show_sentence(what, **placeholders)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The results of all commands of the request, oldest first."""
        return tuple(self._outcomes)

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
            self._final = self._still_holding()
        return self._final

    def _still_holding(self) -> tuple[Outcome, ...]:
        # Compare only outcomes of the same component: a run may have hundreds.
        writes: list[Outcome] = []
        earlier: dict[tuple[str, ...], list[Outcome]] = {}
        for each in self._outcomes:
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

    @property
    def seen(self) -> tuple[Seen, ...]:
        """The latest values read or set, one item per entity or SmartThings capability."""
        return tuple(self._seen.values())

    def _compare(self, reading: Reading) -> None:
        """Note whether a state that is read again is no longer that of the outcome."""
        now = reading.values.get(STATE)
        states = [
            each.after[STATE]
            for each in self.final_outcomes
            if each.component_id == reading.component_id and STATE in each.after
        ]
        if states and now is not None and plain(now) != plain(states[-1]):
            self.overtaken |= {reading.component_id}

    @property
    def places(self) -> tuple[tuple[str, str, str], ...]:
        """Device id, component id and SmartThings capability of each item of `seen`.

        The capability is empty for an entity.
        """
        return tuple(self._seen)

    @property
    def wrote(self) -> bool:
        """Whether SAGE tried to change something during the request, in the home or outside.

        Changes of memories and routines do not count.
        """
        was_sent = any(not each.is_read for each in self._outcomes)
        return was_sent or bool(self.foreign) or bool(self.external_actions)

    @property
    def is_empty(self) -> bool:
        """Whether no tool call has read or changed anything."""
        known = self.read or self.wrote or self.external_texts
        return not (known or self.memory_changed or self.routines)

    def _note(
        self,
        read: Reading | Documentation,
        capability: str,
        values: Mapping[str, object],
        meanings: Mapping[str, str],
        units: Mapping[str, str],
        free_text: frozenset[str] = frozenset(),
        *,
        is_unasked: bool = False,
    ) -> None:
        shown = {name: plain(value) for name, value in values.items()}
        if not is_unasked:
            self.read = True
            self.reads.append(
                {"device": read.device_id, "component": read.component_id, "values": shown}
            )
        self._see(
            Seen(
                device_id=read.device_id,
                device_name=read.device_name,
                component_id=read.component_id,
                area=read.area,
                values={
                    name: (value, meanings[name]) if name in meanings else (value,)
                    for name, value in shown.items()
                },
                units=units,
                free_text=free_text,
            ),
            capability,
        )

    def _see_outcome(self, outcome: Outcome) -> None:
        """Record the values after a command, which replace the values of earlier reads."""
        values = {name: (plain(value),) for name, value in outcome.after.items()}
        if "brightness" in outcome.after:
            brightness = outcome.after["brightness"]
            lit = brightness if isinstance(brightness, int | float) else None
            values["brightness_pct"] = (None if lit is None else round(lit * 100 / 255),)
        self._see(
            Seen(
                device_id=outcome.device_id,
                device_name=outcome.device_name,
                component_id=outcome.component_id,
                area=outcome.area,
                values=values,
                texts=(outcome.response,) if outcome.response else (),
                free_text=_free_text_of(outcome, values),
            ),
            outcome.capability if outcome.source is not Source.HOME_ASSISTANT else "",
        )

    def _see(self, seen: Seen, capability: str) -> None:
        place = (seen.device_id, seen.component_id, capability)
        if (before := self._seen.get(place)) is not None:
            seen = replace(
                seen,
                values={**before.values, **seen.values},
                units={**before.units, **seen.units},
                texts=(*before.texts, *seen.texts),
                free_text=before.free_text | seen.free_text,
            )
        self._seen[place] = seen


def _free_text_of(outcome: Outcome, values: Mapping[str, tuple[object, ...]]) -> frozenset[str]:
    """Return the names of the values that may be text from an untrusted source."""
    is_entity = outcome.source is Source.HOME_ASSISTANT
    domain = outcome.component_id.partition(".")[0] if is_entity else outcome.capability
    free = [name for name, (value,) in values.items() if is_free_text(domain, name, value)]
    if not free:
        return frozenset()
    options = options_of(domain, outcome.restore)
    return frozenset(name for name in free if is_free_text(domain, name, values[name][0], options))


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
    if later.raw_device_id is not None:
        # SmartThings values have no main state: `off` replaces `on` because both set `switch`.
        shared = later.after.keys() & earlier.after.keys()
        return both_done and any(later.after[name] != earlier.after[name] for name in shared)
    return both_done and later.after.get(STATE) != earlier.after.get(STATE)
