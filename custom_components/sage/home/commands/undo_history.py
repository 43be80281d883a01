"""Undo of the latest changes of a person in a conversation.

The history is lost at a restart. For undo after a restart, a routine stores an `undo_record` of
each execution.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_bytes
from homeassistant.util.json import json_loads

from ...people.person import Person
from ..home_types import PUT_BACK, HomeError, Outcome, OutcomeKind, Source
from ..safety.authority import AskedFor, Authority, async_asked_for
from .changed_since import FAILED_NO_UNDO, left_as_it_is
from .pipeline import Backend, Pipeline
from .steps import Step

LIFETIME_SECONDS: Final = 3600.0
"""Time in seconds during which a change can be undone."""

MOST_CHANGES: Final = 10
"""Maximum number of changes kept for one conversation."""

MOST_CONVERSATIONS: Final = 20
"""Maximum number of conversations kept for one person; the oldest is dropped first."""

_MAY_HAVE_CHANGED: Final = frozenset(
    {OutcomeKind.VERIFIED, OutcomeKind.UNDER_WAY, OutcomeKind.REACHED}
    | {OutcomeKind.NOT_CONFIRMED, OutcomeKind.SENT}
)

_IS_BACK: Final = frozenset(
    {OutcomeKind.VERIFIED, OutcomeKind.ALREADY, OutcomeKind.UNDER_WAY, OutcomeKind.SENT}
)

_MOST_UNDONE: Final = 500
"""Maximum number of undone runs kept for one person."""

type _Key = tuple[str | None, str]
type Choice = Callable[[Outcome], bool]
"""Function: outcome of a command -> whether this command is chosen."""


def changes_in(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Return the outcomes of the commands that changed, or may have changed, something."""
    return tuple(each for each in outcomes if each.kind in _MAY_HAVE_CHANGED and not each.is_read)


@dataclass(frozen=True, slots=True)
class _Change:
    at: float
    outcomes: tuple[Outcome, ...]
    run: str = ""
    """Id of the run (the processing of one command of the person); empty for an undo."""


class PutBack:
    """Restores earlier states through the command pipeline."""

    def __init__(self, pipeline: Pipeline, backends: Mapping[Source, Backend[Any]]) -> None:
        """Store one backend for each source; components are restored in the order of `backends`."""
        self._pipeline = pipeline
        self._backends = backends

    async def async_put_back(
        self,
        authority: Authority,
        changed: Sequence[Outcome],
        asked_for: AskedFor = async_asked_for,
    ) -> tuple[Outcome, ...]:
        """Undo the commands with the outcomes `changed`; return the outcomes of the undo."""
        steps: list[Step | Outcome] = []
        for source, backend in self._backends.items():
            steps += await backend.async_steps_back(_of(source, changed))
        return await self._pipeline.async_execute(authority, steps, asked_for)

    async def async_put_back_unless_changed(
        self, authority: Authority, changed: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Undo the commands with the outcomes `changed`, unless somebody changed the values later.

        Return the outcomes of the undo, and an outcome `REFUSED` for each component that stays as
        it is.
        """
        await self._pipeline.async_load_rights(authority.person)
        stays: list[Outcome] = []
        for source, backend in self._backends.items():
            own = _of(source, changed)
            stays += await backend.async_changed_since(authority.person, own)
        rest = [each for each in changed if each not in stays]
        left = {each.component_key: left_as_it_is(each) for each in stays}
        return (*(await self.async_put_back(authority, rest)), *left.values())


class UndoHistory:
    """The latest changes of each person and conversation."""

    def __init__(self, put_back: PutBack, *, now: Callable[[], float] = monotonic) -> None:
        """Start with an empty history; `now` is a monotonic clock in seconds, for tests."""
        self._put_back = put_back
        self._now = now
        self._changes: dict[_Key, list[_Change]] = {}
        self._undone: dict[str | None, list[str]] = {}

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
        recorded = changes_in(outcomes)
        self._drop_old()
        if recorded:
            key = (person.user_id, conversation_id)
            # Move the conversation to the end: the dict is ordered by the latest change.
            changes_of = self._changes[key] = self._changes.pop(key, [])
            changes_of.append(_Change(self._now(), recorded, run))
            del changes_of[:-MOST_CHANGES]
            own = [each for each in self._changes if each[0] == person.user_id]
            for oldest in own[:-MOST_CONVERSATIONS]:
                del self._changes[oldest]

    def forget(self, person: Person) -> None:
        """Delete the history of a person, so that nothing in it can be undone."""
        for key in [key for key in self._changes if key[0] == person.user_id]:
            del self._changes[key]
        self._undone.pop(person.user_id, None)

    def changed(self, person: Person, conversation_id: str) -> tuple[Outcome, ...]:
        """Return the outcomes of a conversation that can be undone, oldest first."""
        self._drop_old()
        changes_of = self._changes.get((person.user_id, conversation_id), ())
        return tuple(each for change in changes_of for each in change.outcomes)

    def last_runs(self, person: Person) -> dict[str, str]:
        """Return a dict with one item for each conversation: id of its last run -> conversation id.

        A run processes one request of the person. Runs without changes are ignored.
        """
        self._drop_old()
        return {
            changes_of[-1].run: conversation_id
            for (user_id, conversation_id), changes_of in self._changes.items()
            if user_id == person.user_id and changes_of and changes_of[-1].run
        }

    def undone_runs(self, person: Person) -> frozenset[str]:
        """Return the ids of the person's runs whose changes have been undone."""
        return frozenset(self._undone.get(person.user_id, ()))

    async def async_undo(
        self,
        authority: Authority,
        conversation_id: str,
        asked_for: AskedFor = async_asked_for,
        *,
        only: Choice | None = None,
        leave: Choice | None = None,
    ) -> tuple[Outcome, ...]:
        """Undo the latest changes in a conversation; return the outcomes of the undo.

        Without `only`, this undoes the commands of the latest tool call that changed something.

        - `only`: a function that gets the outcome of a command, and returns whether to choose the
          command. It can also choose commands of earlier tool calls. If it chooses commands of
          several tool calls for the same entity or SmartThings capability, only those of the latest
          call are undone.
        - `leave`: a function that gets the outcome of a command, and returns True if the command
          must not be undone.

        Raises HomeError if there is nothing to undo.
        """
        self._drop_old()
        key = (authority.person.user_id, conversation_id)
        changes_of = self._changes.get(key, [])
        chosen = _chosen(changes_of, only, leave)
        if not chosen:
            raise HomeError(_nothing(self.changed(authority.person, conversation_id)))
        run = changes_of[-1].run if only is None else ""
        touched = [each for each in changes_of if any(one in chosen for one in each.outcomes)]
        changes_of[:] = [
            replace(change, outcomes=rest)
            for change in changes_of
            if (rest := tuple(each for each in change.outcomes if each not in chosen))
        ]
        outcomes = await self._put_back.async_put_back(authority, chosen, asked_for)
        failed = {each.component_key for each in outcomes if _may_be_tried_again(each)}
        if again := tuple(each for each in chosen if each.component_key in failed):
            self._changes.setdefault(key, []).append(_Change(self._now(), again, run))
        if all(each.kind in _IS_BACK for each in outcomes):
            self._note_undone(key, touched)
        self.record(authority.person, conversation_id, outcomes)
        return outcomes

    def _note_undone(self, key: _Key, touched: Sequence[_Change]) -> None:
        """Note which runs are undone: those of `touched` without further changes in the history.

        Without a run, a change is itself an undo. Then it is no longer known which runs are undone.
        """
        left = {each.run for each in self._changes.get(key, ())}
        undone = [each.run for each in touched if each.run and each.run not in left]
        known = self._undone.get(key[0], []) if all(each.run for each in touched) else []
        self._undone[key[0]] = [*known, *undone][-_MOST_UNDONE:]

    def _drop_old(self) -> None:
        oldest = self._now() - LIFETIME_SECONDS
        for key, changes_of in list(self._changes.items()):
            changes_of[:] = [change for change in changes_of if change.at >= oldest]
            if not changes_of:
                del self._changes[key]


def _chosen(
    changes: Sequence[_Change], only: Choice | None, leave: Choice | None
) -> tuple[Outcome, ...]:
    """Return the outcomes to undo, the latest for each component.

    They come from the last change. If `only` is given, they come from all changes and must satisfy
    `only`. Outcomes that satisfy `leave` are left out.
    """
    chosen: list[Outcome] = []
    places: set[tuple[str, ...]] = set()
    for change in reversed(changes):
        found = [
            each
            for each in change.outcomes
            if (only is None or only(each))
            and not (leave is not None and leave(each))
            and each.component_key not in places
        ]
        chosen += found
        places |= {each.component_key for each in found}
        if only is None:
            break
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


def _may_be_tried_again(outcome: Outcome) -> bool:
    is_left = outcome.kind in {OutcomeKind.REFUSED, OutcomeKind.FAILED}
    return is_left and outcome.reason != FAILED_NO_UNDO


def _of(source: Source, outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [each for each in outcomes if each.source is source]


_CHANGES: Final = "changes"
_REGISTRY_ID: Final = "registry_id"
_TEXTS: Final = ("device_id", "device_name", "component_id", "capability", "command")
_VALUES: Final = ("before", "after", "restore", "wanted")
_RAW_DEVICE: Final = "raw_device_id"
_AREA: Final = "area"


def undo_record(hass: HomeAssistant, outcomes: Iterable[Outcome]) -> dict[str, Any] | None:
    """Return the JSON data for undoing these outcomes later; None if nothing changed.

    Outcomes of commands that were themselves an undo are left out.
    """
    changes = [_written(hass, each) for each in changes_in(outcomes) if each.command != PUT_BACK]
    return {_CHANGES: changes} if changes else None


def outcomes_of(hass: HomeAssistant, record: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """Return the outcomes in an `undo_record`; renamed entities get their current ids."""
    return tuple(_read(hass, each) for each in record[_CHANGES])


def _written(hass: HomeAssistant, outcome: Outcome) -> dict[str, Any]:
    written: dict[str, Any] = {"kind": outcome.kind.value, "source": outcome.source.value}
    written |= {name: getattr(outcome, name) for name in _TEXTS}
    written |= {name: _plain(getattr(outcome, name)) for name in _VALUES}
    if outcome.area is not None:
        written[_AREA] = outcome.area
    if outcome.raw_device_id is not None:
        written[_RAW_DEVICE] = outcome.raw_device_id
    if outcome.source is Source.HOME_ASSISTANT:
        row = er.async_get(hass).async_get(outcome.component_id)
        written |= {} if row is None else {_REGISTRY_ID: row.id}
    return written


def _read(hass: HomeAssistant, written: Mapping[str, Any]) -> Outcome:
    texts = {name: written[name] for name in _TEXTS}
    if registry_id := written.get(_REGISTRY_ID):
        row = er.async_get(hass).entities.get_entry(registry_id)
        # The entity id of a deleted entity may belong to a different entity now.
        nobody = f"{texts['component_id'].partition('.')[0]}.{registry_id}"
        texts["component_id"] = nobody if row is None else row.entity_id
    return Outcome(
        kind=OutcomeKind(written["kind"]),
        source=Source(written["source"]),
        raw_device_id=written.get(_RAW_DEVICE),
        area=written.get(_AREA),
        **texts,
        **{name: written.get(name, {}) for name in _VALUES},
    )


def _plain(values: Mapping[str, object]) -> dict[str, Any]:
    """Return the values as JSON; values that JSON cannot represent are left out."""
    plain: dict[str, Any] = {}
    for name, value in values.items():
        try:
            plain[name] = json_loads(json_bytes(value))
        except TypeError, ValueError:
            continue
    return plain
