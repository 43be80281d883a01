"""Undo of the latest changes of a person in a conversation.

The history is lost at a restart. For undo after a restart, a routine stores an `undo_record` of
each execution.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

import orjson
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_encoder_default

from ...people import Person
from ..home_types import PUT_BACK, REFUSED_CHANGED_SINCE, HomeError, Outcome, OutcomeKind
from ..listing import Listing
from ..safety.authority import AskedFor, Authority
from ..values import STATE
from .expectation import Values, as_number, is_same, unwrapped
from .pipeline import Pipeline, ValidatedCommand

LIFETIME_SECONDS: Final = 3600.0
"""Time in seconds during which a change can be undone."""

MOST_CHANGES: Final = 10
"""Maximum number of changes kept for one conversation."""

_MAY_HAVE_CHANGED: Final = frozenset(OutcomeKind) - {
    OutcomeKind.ALREADY,
    OutcomeKind.REFUSED,
    OutcomeKind.FAILED,
}

FAILED_NO_UNDO: Final = "outcome_failed_no_undo"
"""`Outcome.reason` if no command can restore the earlier state."""

SET_BY_PEOPLE: Final = frozenset(
    {
        STATE,
        "brightness",
        "color_temp_kelvin",
        "rgb_color",
        "effect",
        "temperature",
        "target_temp_high",
        "target_temp_low",
        "humidity",
        "percentage",
        "preset_mode",
        "fan_mode",
        "swing_mode",
        "mode",
        "operation_mode",
        "away_mode",
        "oscillating",
        "direction",
        "current_position",
        "current_tilt_position",
        "volume_level",
        "is_volume_muted",
        "source",
        "sound_mode",
        "fan_speed",
    }
)
"""Entity attributes that change only by commands or by people, not by themselves."""

type _Key = tuple[str | None, str]
type Choice = Callable[[Outcome], bool]
"""Function: outcome of a command -> whether this command is chosen."""


def _may_have_changed(outcome: Outcome) -> bool:
    return outcome.kind in _MAY_HAVE_CHANGED and not outcome.is_read


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    key: _Key
    """User id and conversation id."""

    at: float
    outcomes: tuple[Outcome, ...]
    run: str = ""
    """Id of the run; empty for an undo."""


class UndoHistory:
    """The latest changes of each person and conversation; restores earlier states."""

    def __init__(self, pipeline: Pipeline, *, now: Callable[[], float] = monotonic) -> None:
        """Start with an empty history; `now` is a monotonic clock in seconds, for tests."""
        self._pipeline = pipeline
        self._now = now
        self._changes: list[_Change] = []
        """All changes, oldest first."""

        self._undone: dict[str | None, set[str]] = {}
        """User id -> ids of the runs whose changes have been undone."""

    def record(
        self,
        person: Person,
        conversation_id: str,
        outcomes: Iterable[Outcome],
        run: str = "",
    ) -> None:
        """Store the changes of one tool call in the history of a conversation.

        `run` is the id of the run (the request of the person) that made the call.
        """
        recorded = tuple(each for each in outcomes if _may_have_changed(each))
        if recorded:
            key = (person.user_id, conversation_id)
            self._changes.append(_Change(key, self._now(), recorded, run))
            for old in self._of(key)[:-MOST_CHANGES]:
                self._changes.remove(old)

    def forget(self, person: Person) -> None:
        """Delete the history of a person, so that nothing in it can be undone."""
        self._changes = [each for each in self._changes if each.key[0] != person.user_id]
        self._undone.pop(person.user_id, None)

    def changed(self, person: Person, conversation_id: str) -> tuple[Outcome, ...]:
        """Return the outcomes of a conversation that can be undone, oldest first."""
        changes = self._of((person.user_id, conversation_id))
        return tuple(each for change in changes for each in change.outcomes)

    def last_runs(self, person: Person) -> dict[str, str]:
        """Return a dict with one item for each conversation: id of its last run -> conversation id.

        A run processes one request of the person. Runs without changes are ignored.
        """
        oldest = self._now() - LIFETIME_SECONDS
        own = (c for c in self._changes if c.key[0] == person.user_id and c.at >= oldest)
        last = {change.key: change.run for change in own}
        return {run: conversation_id for (_, conversation_id), run in last.items() if run}

    def undone_runs(self, person: Person) -> frozenset[str]:
        """Return the ids of the person's runs whose changes have been undone."""
        return frozenset(self._undone.get(person.user_id, ()))

    async def async_undo(
        self,
        authority: Authority,
        conversation_id: str,
        asked_for: AskedFor | None = None,
        *,
        only: Choice | None = None,
        leave: Choice | None = None,
    ) -> tuple[Outcome, ...]:
        """Undo the latest changes in a conversation; return the outcomes of the undo.

        Without `only`, this undoes the commands of the latest tool call that changed something.

        - `only`: a function that gets the outcome of a command, and returns whether to choose the
          command. It can also choose commands of earlier tool calls. If it chooses commands of
          several tool calls for the same component, only those of the latest call are undone.
        - `leave`: a function that gets the outcome of a command, and returns True if the command
          must not be undone.

        Raises HomeError if there is nothing to undo.
        """
        key = (authority.person.user_id, conversation_id)
        changes = self._of(key)
        chosen = _chosen(changes, only, leave)
        if not chosen:
            raise HomeError(_nothing(self.changed(authority.person, conversation_id)))
        touched = [each for each in changes if any(one in chosen for one in each.outcomes)]
        for change in touched:
            left = tuple(each for each in change.outcomes if each not in chosen)
            place = self._changes.index(change)
            self._changes[place : place + 1] = [replace(change, outcomes=left)] if left else []
        outcomes = await self.async_put_back(authority, chosen, asked_for)
        failed = {
            each.component_key
            for each in outcomes
            if each.kind in {OutcomeKind.REFUSED, OutcomeKind.FAILED}
            and each.reason != FAILED_NO_UNDO
        }
        if again := tuple(each for each in chosen if each.component_key in failed):
            run = changes[-1].run if only is None else ""
            self._changes.append(_Change(key, self._now(), again, run))
        if all(each.is_done for each in outcomes):
            undone = self._undone.setdefault(key[0], set())
            undone |= {each.run for each in touched} - {each.run for each in self._of(key)}
            if "" in {each.run for each in touched}:
                # An undo was undone, so it is no longer known which runs are undone.
                undone.clear()
        self.record(authority.person, conversation_id, outcomes)
        return outcomes

    async def async_put_back(
        self,
        authority: Authority,
        changed: Sequence[Outcome],
        asked_for: AskedFor | None = None,
    ) -> tuple[Outcome, ...]:
        """Undo the commands with the outcomes `changed`; return the outcomes of the undo.

        Entities are restored last, in the order of the changes. Components of extensions are
        restored in the reverse order.
        """
        groups = _by_component(changed)
        entities = [each for each in groups if each[0].is_entity]
        others = [each for each in reversed(groups) if not each[0].is_entity]
        commands: list[ValidatedCommand | Outcome] = []
        for outcomes in (*others, *entities):
            backend = self._pipeline.backends[outcomes[0].source]
            commands += [
                each if isinstance(each, Outcome) else replace(each, asked_for=asked_for)
                for each in await backend.async_steps_back(outcomes)
            ]
        return await self._pipeline.async_execute(authority, commands)

    async def async_put_back_unless_changed(
        self, authority: Authority, changed: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Undo the commands with the outcomes `changed`, unless somebody changed the values later.

        Return the outcomes of the undo, and an outcome `REFUSED` for each component that stays as
        it is.
        """
        await self._pipeline.async_load_rights(authority.person)
        rest: list[Outcome] = []
        left: list[Outcome] = []
        for outcomes in _by_component(changed):
            backend = self._pipeline.backends[outcomes[0].source]
            if not await backend.async_is_changed_since(authority.person, outcomes):
                rest += outcomes
                continue
            left.append(
                outcomes[-1].outcome(
                    OutcomeKind.REFUSED,
                    "Somebody else has changed it since, so it was not changed.",
                    command=PUT_BACK,
                    reason=REFUSED_CHANGED_SINCE,
                )
            )
        return (*(await self.async_put_back(authority, rest)), *left)

    def _of(self, key: _Key) -> list[_Change]:
        """Return the changes of a conversation in the last hour; forget all older ones."""
        oldest = self._now() - LIFETIME_SECONDS
        self._changes = [each for each in self._changes if each.at >= oldest]
        return [each for each in self._changes if each.key == key]


def choice_of(listing: Listing, names: Iterable[str]) -> Choice | None:
    """Return a function that tests whether an outcome belongs to one of the named devices.

    Return None if `names` is empty.
    """
    places = listing.find_all(names)
    if not places:
        return None
    return lambda outcome: any(
        place.device.id == outcome.device_id
        and (place.component is None or place.component.id == outcome.component_id)
        for place in places
    )


def _chosen(
    changes: Sequence[_Change], only: Choice | None, leave: Choice | None
) -> tuple[Outcome, ...]:
    """Return the outcomes to undo, the latest for each component.

    They come from the last change. If `only` is given, they come from all changes and must satisfy
    `only`. Outcomes that satisfy `leave` are left out.
    """
    chosen: list[Outcome] = []
    for change in reversed(changes if only is not None else changes[-1:]):
        known = {each.component_key for each in chosen}
        chosen += [
            each
            for each in change.outcomes
            if each.component_key not in known
            and (only is None or only(each))
            and (leave is None or not leave(each))
        ]
    return tuple(chosen)


def _nothing(changed: Sequence[Outcome]) -> str:
    """Return the error text for an undo without effect, with the devices in `changed`, if any."""
    if not changed:
        return (
            "There is nothing to put back: nothing was changed for this person in this "
            "conversation in the last hour. Set what is wanted with a command instead."
        )
    names = ", ".join(dict.fromkeys(f"{each.device_id} ({each.device_name})" for each in changed))
    return f"None of these was changed. What was changed: {names}."


def _by_component(outcomes: Iterable[Outcome]) -> list[list[Outcome]]:
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.component_key, []).append(outcome)
    return list(groups.values())


def cannot_go_back(changed: Outcome, detail: str) -> Outcome:
    """Return the outcome `FAILED` of an impossible undo.

    `changed` is the outcome of the command to undo; `detail` is the explanation for the model.
    """
    return changed.outcome(OutcomeKind.FAILED, detail, command=PUT_BACK, reason=FAILED_NO_UNDO)


def is_changed_since(
    outcomes: Iterable[Outcome],
    restore: Values,
    now: Values,
    *,
    relevant: Container[str] | None = None,
) -> bool:
    """Return whether somebody changed a component after SAGE's commands on it.

    - `outcomes`: the outcomes of the commands, oldest first
    - `restore`: the values before the commands
    - `now`: the current values
    - `relevant`: names of the attributes to check, if the commands changed them; None means all
      that the commands changed

    The attributes that the commands were meant to set (`Outcome.wanted`) are always checked. False
    if `now` is empty, or if each value in `restore` is also the current value.
    """
    if not now or all(
        name in now and is_same(name, value, now[name]) for name, value in restore.items()
    ):
        return False
    changes: dict[str, tuple[object, object, Sequence[object]]] = {}
    for each in outcomes:
        for name in each.after.keys() | each.wanted.keys():
            wanted = each.wanted.get(name)
            before, *_ = changes.pop(name, (each.before.get(name),))
            # An empty sequence: the value is still changing, and its target is unknown.
            if wanted is None or wanted:
                changes[name] = before, each.after.get(name), wanted or ()
    return any(
        not _holds(name, after, wanted, now)
        for name, (before, after, wanted) in changes.items()
        if wanted or ((relevant is None or name in relevant) and not is_same(name, before, after))
    )


def _holds(name: str, after: object, wanted: Sequence[object], now: Values) -> bool:
    """Return whether a value is still the one after the command, or on the way to its target."""
    known = [each for each in (after, *wanted) if each is not None]
    if not known or name not in now or any(is_same(name, each, now[name]) for each in known):
        return True
    value, begun = as_number(unwrapped(now[name])), as_number(after)
    if value is None or begun is None:
        return False
    ends = [end for each in wanted if (end := as_number(each)) is not None]
    return any(min(begun, end) <= value <= max(begun, end) for end in ends)


_CHANGES: Final = "changes"
_REGISTRY_ID: Final = "registry_id"
_STORED: Final = (
    *("kind", "source", "device_id", "device_name", "component_id", "capability", "command"),
    *("before", "after", "restore", "wanted", "source_id", "area"),
)
"""Fields of `Outcome` in an undo record. The arguments are missing: they may contain codes."""


def undo_record(hass: HomeAssistant, outcomes: Iterable[Outcome]) -> dict[str, Any] | None:
    """Return the JSON data for undoing these outcomes later; None if nothing changed.

    Outcomes of commands that were themselves an undo are left out.
    """
    changes: list[dict[str, Any]] = []
    for outcome in outcomes:
        if outcome.is_put_back or not _may_have_changed(outcome):
            continue
        values = {name: getattr(outcome, name) for name in _STORED}
        if outcome.is_entity:
            row = er.async_get(hass).async_get(outcome.component_id)
            values |= {} if row is None else {_REGISTRY_ID: row.id}
        options = orjson.OPT_NON_STR_KEYS
        changes.append(orjson.loads(orjson.dumps(values, default=_encoded, option=options)))
    return {_CHANGES: changes} if changes else None


def _encoded(value: object) -> object:
    """Return a value as JSON; a text about it if JSON cannot represent it."""
    try:
        return json_encoder_default(value)
    except TypeError:
        return str(value)


def outcomes_of(hass: HomeAssistant, record: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """Return the outcomes in an `undo_record`; renamed entities get their current ids."""
    outcomes: list[Outcome] = []
    for stored in record[_CHANGES]:
        values = {name: stored[name] for name in _STORED if name in stored}
        # Earlier versions stored it under this name.
        values.setdefault("source_id", stored.get("raw_device_id"))
        values["kind"] = OutcomeKind(stored["kind"])
        if registry_id := stored.get(_REGISTRY_ID):
            row = er.async_get(hass).entities.get_entry(registry_id)
            # The entity id of a deleted entity may belong to a different entity now.
            nobody = f"{stored['component_id'].partition('.')[0]}.{registry_id}"
            values["component_id"] = nobody if row is None else row.entity_id
        outcomes.append(Outcome(**values))
    return tuple(outcomes)
