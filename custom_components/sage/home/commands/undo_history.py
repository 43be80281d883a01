"""Undo of a person's latest changes until a restart; routines store an `undo_record`."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

import orjson
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_encoder_default

from ...people import Person
from ...text import content_words, with_most_words
from ..home_types import PUT_BACK, REFUSED_CHANGED_SINCE, HomeError, Outcome, OutcomeKind
from ..listing import Found, Listing
from ..safety.authority import AskedFor, Authority
from ..values import grouped, names_in
from .expectation import Values, as_number, is_same, unwrapped
from .pipeline import Pipeline, ValidatedCommand

LIFETIME_SECONDS: Final = 3600.0  # time in seconds during which a change can be undone
_KEPT_SECONDS: Final = 86_400.0  # seconds that a change is known, to tell that it is too old
MOST_CHANGES: Final = 10  # maximum number of changes kept for one conversation
_MAY_HAVE_CHANGED: Final = frozenset(OutcomeKind) - {
    OutcomeKind.ALREADY,
    OutcomeKind.REFUSED,
    OutcomeKind.FAILED,
}

FAILED_NO_UNDO: Final = "outcome_failed_no_undo"
"""`Outcome.reason` if no command can restore the earlier state."""

_NOT_CHANGED: Final = "undo_not_changed"  # `NoUndoError.reason` if others were changed
_NOT_THESE: Final = (
    "None of these was changed. What was changed: {names}. For all of it, no `devices`."
)
_NOTHING: Final = (
    "There is nothing to put back: no change for this person is known from the last hour. Set what "
    "is wanted with a command instead."
)
_TOO_OLD: Final = (
    "Only changes of the last hour can be put back. Set what is wanted with a command instead."
)
SET_BY_PEOPLE: Final = names_in(
    "state brightness color_temp_kelvin rgb_color effect temperature target_temp_high "
    "target_temp_low humidity percentage preset_mode fan_mode swing_mode mode operation_mode "
    "away_mode oscillating direction current_position current_tilt_position volume_level "
    "is_volume_muted source sound_mode fan_speed"
)
"""Entity attributes that change only by commands or by people, not by themselves."""

type Choice = Callable[[Sequence[Outcome]], Sequence[Outcome] | None]
"""Function: outcomes of commands -> those that are meant; None if no device is named."""


class NoUndoError(HomeError):
    """Raised if nothing can be undone; the text for the model says why."""

    def __init__(self, reason: str, text: str, outcomes: Sequence[Outcome] = ()) -> None:
        """Set the text; `reason` is the translation key of a sentence that names `devices`."""
        super().__init__(text)
        self.reason = reason
        self.is_final = reason != _NOT_CHANGED  # whether no other call can undo anything
        self.devices = ", ".join(dict.fromkeys(outcome.device_name for outcome in outcomes))


def may_have_changed(outcome: Outcome) -> bool:
    """Return whether a command may have changed something."""
    return outcome.kind in _MAY_HAVE_CHANGED and not outcome.is_read


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Change:
    """What one request changed."""

    user_id: str | None
    conversation_id: str
    room: str | None
    at: float
    outcomes: tuple[Outcome, ...]
    run: str  # id of the run; empty for an undo


class UndoHistory:
    """The latest changes of each person and conversation; restores earlier states."""

    def __init__(self, pipeline: Pipeline, *, now: Callable[[], float] = monotonic) -> None:
        """Start with an empty history; `now` is a monotonic clock in seconds, for tests."""
        self._pipeline = pipeline
        self._now = now
        self._changes: list[_Change] = []  # all changes, oldest first
        self._undone: dict[str | None, set[str]] = {}  # user id -> ids of the runs that were undone

    def record(
        self,
        person: Person,
        conversation_id: str,
        outcomes: Iterable[Outcome],
        run: str = "",
        room: str | None = None,
    ) -> None:
        """Store one request's changes: `run` is the id of its run, `room` the speaker's area."""
        recorded = tuple(outcome for outcome in outcomes if may_have_changed(outcome))
        if not recorded:
            return
        change = _Change(
            user_id=person.user_id,
            conversation_id=conversation_id,
            room=room,
            at=self._now(),
            outcomes=recorded,
            run="" if all(outcome.is_put_back for outcome in recorded) else run,
        )
        oldest = change.at - _KEPT_SECONDS
        self._changes = [*(old for old in self._changes if old.at >= oldest), change]
        for old in self._of(person, conversation_id)[:-MOST_CHANGES]:
            self._changes.remove(old)

    def forget(self, person: Person) -> None:
        """Delete the history of a person, so that nothing in it can be undone."""
        self._changes = [each for each in self._changes if each.user_id != person.user_id]
        self._undone.pop(person.user_id, None)

    def changed(self, person: Person, conversation_id: str) -> tuple[Outcome, ...]:
        """Return the outcomes of a conversation that can be undone, oldest first."""
        return _outcomes(self._fresh(self._of(person, conversation_id)))

    def last_runs(self, person: Person) -> dict[str, str]:
        """Return for each conversation the id of its last run with changes -> conversation id."""
        last = {change.conversation_id: change.run for change in self._fresh(self._of(person))}
        return {run: conversation_id for conversation_id, run in last.items() if run}

    def undone_runs(self, person: Person) -> frozenset[str]:
        """Return the ids of the person's runs whose changes have been undone."""
        return frozenset(self._undone.get(person.user_id, ()))

    async def async_undo(
        self,
        authority: Authority,
        asked_for: AskedFor | None = None,
        *,
        only: Choice | None = None,
        leave: Choice | None = None,
        done: Sequence[Outcome] = (),
    ) -> tuple[Outcome, ...]:
        """Undo the changes of the request before this one; return the outcomes of the undo.

        It is the last request with changes in the conversation. If there is none, it is the last
        one of the person, or of an unknown person in the same room; then components that somebody
        has changed since are left. The caller records the outcomes, with all others of its request.

        - `only`: chooses the commands to undo, also of earlier requests. If it chooses commands of
          several requests for one component, only those of the latest are undone.
        - `leave`: chooses commands that are not undone. Ignored if nothing else is left.
        - `done`: the outcomes of this request so far. What they put back stays as it is.

        Raises NoUndoError if there is nothing to undo.
        """
        person = authority.person
        changes, chosen = self._chosen(authority, only, leave, done)
        ids = {id(outcome) for outcome in chosen}
        touched = [each for each in changes if not ids.isdisjoint(map(id, each.outcomes))]
        for change in touched:
            left = tuple(outcome for outcome in change.outcomes if id(outcome) not in ids)
            place = self._changes.index(change)
            self._changes[place : place + 1] = [replace(change, outcomes=left)] if left else []
        is_here = touched[-1].conversation_id == authority.conversation_id
        put_back = self.async_put_back if is_here else self.async_put_back_unless_changed
        outcomes = await put_back(authority, chosen, asked_for)
        failed = {
            each.component_key
            for each in outcomes
            if each.kind in {OutcomeKind.REFUSED, OutcomeKind.FAILED}
            and each.reason not in {FAILED_NO_UNDO, REFUSED_CHANGED_SINCE}
        }
        if again := tuple(each for each in chosen if each.component_key in failed):
            run = changes[-1].run if touched == changes[-1:] else ""
            self._changes.append(replace(touched[-1], at=self._now(), outcomes=again, run=run))
        if all(each.is_done for each in outcomes):
            undone = self._undone.setdefault(person.user_id, set())
            undone |= {each.run for each in touched} - {each.run for each in self._of(person)}
            if any(outcome.is_put_back for outcome in _outcomes(touched)):
                # An undo was undone, so it is no longer known which runs are undone.
                undone.clear()
        return outcomes

    def _chosen(
        self,
        authority: Authority,
        only: Choice | None,
        leave: Choice | None,
        done: Iterable[Outcome],
    ) -> tuple[list[_Change], tuple[Outcome, ...]]:
        person = authority.person
        own, room = self._of(person), authority.room
        here = [each for each in own if each.conversation_id == authority.conversation_id]
        if not person.is_known:
            own = [each for each in own if each in here or (room and each.room == room)]
        for changes in (self._fresh(here), self._fresh(own)):
            if changes and (chosen := _chosen(changes, only, leave, done)):
                return changes, chosen
        if fresh := _outcomes(self._fresh(own)):
            names = dict.fromkeys(f"{each.device_id} ({each.device_name})" for each in fresh)
            text = _NOT_THESE.format(names=", ".join(names))
            raise NoUndoError(_NOT_CHANGED, text, fresh)
        if old := _outcomes(own[-1:]):
            raise NoUndoError("undo_too_old", _TOO_OLD, old)
        raise NoUndoError("undo_nothing", _NOTHING)

    async def async_put_back(
        self, authority: Authority, changed: Sequence[Outcome], asked_for: AskedFor | None = None
    ) -> tuple[Outcome, ...]:
        """Undo the commands with the outcomes `changed`; return the outcomes of the undo.

        Entities are restored last, in the order of the changes. Components of extensions are
        restored in the reverse order.
        """
        groups = [*grouped((each.component_key, each) for each in changed).values()]
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
        self, authority: Authority, changed: Sequence[Outcome], asked_for: AskedFor | None = None
    ) -> tuple[Outcome, ...]:
        """Undo the commands with the outcomes `changed`, unless somebody changed the values later.

        Return the outcomes of the undo, and an outcome `REFUSED` for each component that stays as
        it is.
        """
        await self._pipeline.async_load_rights(authority.person)
        rest: list[Outcome] = []
        left: list[Outcome] = []
        for outcomes in grouped((each.component_key, each) for each in changed).values():
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
        return (*(await self.async_put_back(authority, rest, asked_for)), *left)

    def _of(self, person: Person, conversation_id: str | None = None) -> list[_Change]:
        return [
            change
            for change in self._changes
            if change.user_id == person.user_id
            and conversation_id in (None, change.conversation_id)
        ]

    def _fresh(self, changes: Iterable[_Change]) -> list[_Change]:
        oldest = self._now() - LIFETIME_SECONDS
        return [change for change in changes if change.at >= oldest]


def named(
    listing: Listing, names: Iterable[str], said: str, outcomes: Sequence[Outcome]
) -> Sequence[Outcome] | None:
    """Return the outcomes of the named devices, or None if `names` names no device.

    A name is an id, a name or a group in the home, or has words of a device in `outcomes`. Other
    names are no devices ("it"), unless the person said them (`said`).
    """
    places: list[Found] = []
    unknown: list[str] = []
    for name in names:
        try:
            places += listing.find_all((name,))
        except HomeError:
            unknown.append(name)
    similar = [
        outcome
        for name in unknown
        for outcome in with_most_words(
            name, outcomes, lambda one: f"{one.device_id} {one.device_name} {one.area or ''}"
        )
    ]
    said_words = frozenset(content_words(said))
    if not (places or similar or any(said_words.intersection(content_words(n)) for n in unknown)):
        return None
    return [
        outcome
        for outcome in outcomes
        if outcome in similar
        or any(
            place.device.id == outcome.device_id
            and (place.component is None or place.component.id == outcome.component_id)
            for place in places
        )
    ]


def _chosen(
    changes: Sequence[_Change], only: Choice | None, leave: Choice | None, done: Iterable[Outcome]
) -> tuple[Outcome, ...]:
    meant = None if only is None else only(_outcomes(changes))
    put_back = {outcome.component_key for outcome in done if outcome.is_put_back}
    chosen: list[Outcome] = []
    # A second undo in one request puts back no request before that one.
    last = [] if put_back else changes[-1:]
    for change in reversed(last if meant is None else changes):
        earlier = put_back | {outcome.component_key for outcome in chosen}
        chosen += [
            outcome
            for outcome in change.outcomes
            if outcome.component_key not in earlier
            and (meant is None or any(outcome is one for one in meant))
        ]
    kept = (leave(chosen) if leave is not None else None) or ()
    rest = tuple(outcome for outcome in chosen if outcome not in kept)
    return rest or (() if put_back else tuple(chosen))


def _outcomes(changes: Iterable[_Change]) -> tuple[Outcome, ...]:
    return tuple(outcome for change in changes for outcome in change.outcomes)


def cannot_go_back(changed: Outcome, detail: str) -> Outcome:
    """Return the outcome `FAILED` of an impossible undo of `changed`; `detail`: for the model."""
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
            before, *_ = changes.pop(name, (each.before.get(name),))
            changes[name] = before, each.after.get(name), each.wanted.get(name, ())
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


# ------------------------------------------------------------ the undo record of a routine

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
        if outcome.is_put_back or not may_have_changed(outcome):
            continue
        values = {name: getattr(outcome, name) for name in _STORED}
        if outcome.is_entity:
            row = er.async_get(hass).async_get(outcome.component_id)
            values |= {} if row is None else {_REGISTRY_ID: row.id}
        options = orjson.OPT_NON_STR_KEYS
        changes.append(orjson.loads(orjson.dumps(values, default=_encoded, option=options)))
    return {_CHANGES: changes} if changes else None


def _encoded(value: object) -> object:
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
