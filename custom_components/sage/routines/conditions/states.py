"""Reads values of devices for condition code, and watches them for changes.

Implements the functions `get_state`, `get_attribute` and `is_available`. A watched value has a key:
an entity id, or `smartthings:<device>/<component>/<capability>/<attribute>`.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final, cast

from homeassistant.auth import EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.const import STATE_UNKNOWN
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ...home.home_types import Outcome, Source
from ...home.safety.free_text import is_free_text, options_of
from ...home.safety.gate import ASSISTANT, Gate
from ...home.smartthings.documents import RawReader
from ...home.smartthings.provider import SmartThings
from ...home.smartthings.raw import AttributePlace, ReportListener
from ...home.values import STATE, current, is_known, value_of
from ..interfaces import CallArguments, ChangeListener, NotRecordedError, WithheldError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from ..snapshot import Report, Snapshot
from .name_resolution import Names
from .recorded_day import RecordedSnapshot, ReplayProblem
from .stored_references import EntityTarget, RawTarget, cloud_place_of

DEVICE: Final = Parameter(name="device", type="str")

_LOOK_AGAIN: Final = timedelta(seconds=30)
_RUNNING: Final = timedelta(seconds=5)
"""Time after which a value that runs on without a report is outdated, such as a timer's."""

"""Time after which a value is read again even if no change was reported.

No changes are reported while the event stream of SmartThings is interrupted.
"""

_GRACE: Final = timedelta(minutes=10)
"""How long an entity without a registry entry may be missing before it counts as deleted.

Such an entity is missing for a short time while YAML is reloaded.
"""


class StateReader:
    """Reads states and SmartThings attributes, after a check of the person's read permission."""

    def __init__(self, hass: HomeAssistant, gate: Gate, cloud: SmartThings) -> None:
        """`gate` checks the permissions of a person. `cloud`: the SmartThings devices."""
        self._hass = hass
        self._gate = gate
        self._cloud = cloud
        self._away_since: dict[str, datetime] = {}

    async def async_state(self, call: CallArguments, place: EntityTarget) -> State | None:
        """Return the state of an entity in the snapshot of the call; None while it is loading.

        Raises WithheldError if the entity no longer exists, or the person may not read it.
        """
        entity_id = place.entity_id
        if self._hass.states.get(entity_id) is not None:
            self._away_since.pop(entity_id, None)
            if not self._gate.may_read(call.person, entity_id):
                raise WithheldError
        elif not place.is_registered:
            now = dt_util.utcnow()
            if now - self._away_since.setdefault(entity_id, now) > _GRACE:
                raise WithheldError
        return await call.snapshot.async_state(self._hass, entity_id)

    async def async_check_recorded(
        self, snapshot: Snapshot, place: EntityTarget, attribute: str
    ) -> None:
        """Raise NotRecordedError if the recorder leaves out an attribute that the entity has."""
        now = self._hass.states.get(place.entity_id)
        if now is not None and isinstance(snapshot, RecordedSnapshot):
            await snapshot.async_check_attribute(now, attribute)

    async def async_raw(
        self, call: CallArguments, place: RawTarget, bindings: dict[str, str]
    ) -> FunctionResult:
        """Return the last reported value of a SmartThings attribute.

        The result is marked as unknown if the device is offline or the value may be outdated.
        Raises WithheldError if the device no longer exists, or the person may not read the value.
        """
        if call.snapshot.is_past:
            raise NotRecordedError(ReplayProblem.READS_MORE)
        there = cloud_place_of(self._hass, place)
        found = there and await self._cloud.reader.async_read(call.person, there)
        if there is None or found is None:
            raise WithheldError
        current, is_certain = found
        value = call.snapshot.value(key_of(there), current)
        return FunctionResult(
            value=cast("Value", value) if is_certain else None,
            is_unknown=not is_certain,
            keys=frozenset({key_of(there)}),
            fresh_until=dt_util.utcnow() + _LOOK_AGAIN,
            bindings=bindings,
            is_free_text=is_free_text(place.capability, place.attribute, value),
        )


class GetState:
    """Implements `get_state` for the Python code of conditions: the state of a device."""

    function = ConditionFunction(
        name="get_state",
        parameters=(DEVICE,),
        returns="str | float | datetime",
        description=(
            "The main value of a device or entity, as its documentation shows it after `state` "
            "(not what stands in brackets behind it: a door is 'on' when it is open). A number "
            "for what is measured, a datetime for a point in time."
        ),
    )

    def __init__(self, names: Names, reader: StateReader) -> None:
        """`names` resolves device names; `reader` reads values and checks permissions."""
        self._names = names
        self._reader = reader

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the state of the device's main entity.

        The result is marked as unknown while the device is unavailable.
        """
        bound = await self._names.async_main(call, call.text("device"))
        state = await self._reader.async_state(call, bound.place)
        return answer_of(bound.place, state, STATE, bound.bindings)


class GetAttribute:
    """Implements `get_attribute` for the Python code of conditions: an attribute of a device."""

    function = ConditionFunction(
        name="get_attribute",
        parameters=(
            DEVICE,
            Parameter(name="attribute", type="str"),
            Parameter(name="component", type="str", required=False, default=""),
        ),
        returns="object",
        description=(
            "A value of a device by its name in the documentation, also one of SmartThings such "
            "as machineState. component (an entity id, or such as 'freezer') only where several "
            "have it. None while there is none, such as the brightness of a light that is off: "
            "write (get_attribute(...) or 0) > 50."
        ),
    )

    def __init__(self, names: Names, reader: StateReader) -> None:
        """`names` resolves device names; `reader` reads values and checks permissions."""
        self._names = names
        self._reader = reader

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the value of the attribute that the call names.

        The result is marked as unknown while the device is unavailable.
        """
        bound = await self._names.async_attribute(
            call, call.text("device"), call.text("attribute"), call.text("component")
        )
        if isinstance(bound.place, RawTarget):
            return await self._reader.async_raw(call, bound.place, bound.bindings)
        state = await self._reader.async_state(call, bound.place)
        await self._reader.async_check_recorded(call.snapshot, bound.place, bound.attribute)
        return answer_of(bound.place, state, bound.attribute, bound.bindings)


class IsAvailable:
    """Implements `is_available` for the code of conditions: whether a device is available."""

    function = ConditionFunction(
        name="is_available",
        parameters=(DEVICE,),
        returns="bool",
        description=(
            "Whether the device can be reached. Needed only to tell that it cannot: a check that "
            "reads a device which is away is left out by itself."
        ),
    )

    def __init__(self, names: Names, reader: StateReader) -> None:
        """`names` resolves device names; `reader` reads values and checks permissions."""
        self._names = names
        self._reader = reader

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return whether any entity of the device is neither unavailable nor unknown."""
        bound = await self._names.async_entities(call, call.text("device"))
        seen: dict[str, State | None] = {}
        for each in bound.place:
            with suppress(WithheldError):
                seen[each.entity_id] = await self._reader.async_state(call, each)
        if not seen:
            raise WithheldError
        return FunctionResult(
            value=any(map(is_known, seen.values())),
            keys=frozenset(seen),
            bindings=bound.bindings,
        )


def answer_of(
    place: EntityTarget, state: State | None, attribute: str, bindings: dict[str, str]
) -> FunctionResult:
    """Return the value of an entity's attribute as the result of a condition function.

    The result is marked as unknown if the entity is unavailable, or still loading (`state` is
    None). `bindings` become `FunctionResult.bindings`: device name in the call -> reference, e.g.
    `{"lamp": "entity:<registry id>"}`.
    """
    keys = frozenset({place.entity_id})
    if state is None:
        # The entity is being loaded or renamed.
        again = dt_util.utcnow() + _LOOK_AGAIN
        return FunctionResult(is_unknown=True, keys=keys, fresh_until=again, bindings=bindings)
    # A button that was never pressed is "unknown", but has attributes.
    known = is_known(state) or (
        state.state == STATE_UNKNOWN and attribute != STATE and attribute in state.attributes
    )
    now = current(state)
    value = value_of(now, attribute)
    runs_on = now.attributes.get(attribute) != state.attributes.get(attribute)
    options = options_of(state.domain, state.attributes)
    return FunctionResult(
        value=value if known else None,
        is_unknown=not known,
        keys=keys,
        fresh_until=dt_util.utcnow() + _RUNNING if runs_on else None,
        bindings=bindings,
        is_free_text=known and is_free_text(state.domain, attribute, value, options),
    )


type Stop = Callable[[], None]

_TELLING: Final = frozenset({"entity_id", "disabled_by", "device_id", "area_id"})
"""Entity registry fields; a change of one can alter permissions or the meaning of device names."""

_RAW: Final = "smartthings:"


def watch(
    hass: HomeAssistant, cloud: RawReader, keys: Collection[str], listener: ChangeListener
) -> Stop:
    """Call `listener` when a watched value may have changed; return the unsubscribe function.

    `keys`: entity ids, and keys of SmartThings attributes (`key_of`). `listener` gets the key

    - when the value changes;
    - when the entity is added, removed, disabled, moved or renamed (the key is the old id);
    - when exposed entities or user permissions change (a call for each key).

    The watched keys stay the same. After a change, the caller has to read the values again, and to
    call `watch` with the keys of the new results (`FunctionResult.keys`).
    """
    places = {key: place_of(key) for key in keys}
    entity_ids = [key for key, place in places.items() if place is None]
    raw = [place for place in places.values() if place is not None]
    stops = [
        _watch_entities(hass, entity_ids, listener),
        *_watch_raw(cloud, raw, listener),
        _watch_permissions(hass, tuple(places), listener),
    ]
    return _joined(stops)


def _watch_entities(
    hass: HomeAssistant, entity_ids: Collection[str], listener: ChangeListener
) -> Stop:
    @callback
    def changed(event: Event[EventStateChangedData]) -> None:
        # If an automation made the change, the parent context is its cause.
        context, data = event.context, event.data
        listener(
            Report(
                key=data["entity_id"],
                at=event.time_fired,
                context_id=context.parent_id or context.id,
                before=data["old_state"],
                after=data["new_state"],
            )
        )

    return async_track_state_change_event(hass, entity_ids, changed)


def _watch_raw(
    cloud: RawReader, places: Collection[AttributePlace], listener: ChangeListener
) -> list[Stop]:
    by_device: dict[str, dict[AttributePlace, object]] = {}
    for place in places:
        by_device.setdefault(place.device_id, {})[place] = cloud.peek(place)

    def ear(last: dict[AttributePlace, object]) -> ReportListener:
        @callback
        def reported(place: AttributePlace, value: object) -> None:
            # Not every report is a change.
            if place in last and last[place] != value:
                before, last[place] = last[place], value
                now = dt_util.utcnow()
                listener(Report(key=key_of(place), at=now, before=before, after=value))

        return reported

    return [cloud.listen(device_id, ear(last)) for device_id, last in by_device.items()]


def _watch_permissions(
    hass: HomeAssistant, keys: Collection[str], listener: ChangeListener
) -> Stop:
    @callback
    def tell_all(_: Event[Any] | None = None) -> None:
        for key in keys:
            listener(Report(key=key, at=dt_util.utcnow(), is_value=False))

    @callback
    def updated(event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        data = event.data
        before = data.get("old_entity_id", data["entity_id"])
        changed = data["action"] != "update" or _TELLING & data["changes"].keys()
        if before in keys and changed:
            listener(Report(key=str(before), at=dt_util.utcnow(), is_value=False))

    stops = [
        async_listen_entity_updates(hass, ASSISTANT, tell_all),
        hass.bus.async_listen(EVENT_USER_UPDATED, tell_all),
        hass.bus.async_listen(EVENT_USER_REMOVED, tell_all),
        hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, updated),
    ]
    return _joined(stops)


def _joined(stops: list[Stop]) -> Stop:
    """Return one unsubscribe function for several; a second call does nothing."""

    @callback
    def stop() -> None:
        while stops:
            stops.pop()()

    return stop


def keys_of(outcome: Outcome) -> list[str]:
    """Return the keys (see `watch`) of the values that a command may have changed."""
    if outcome.source is Source.HOME_ASSISTANT or outcome.raw_device_id is None:
        return [outcome.component_id]
    names = {*outcome.before, *outcome.after, *outcome.restore}
    place = (outcome.raw_device_id, outcome.component_id, outcome.capability)
    return [key_of(AttributePlace(*place, name)) for name in names]


def key_of(place: AttributePlace) -> str:
    """Return the key of a SmartThings attribute, for `watch`."""
    return f"{_RAW}{'/'.join(place)}"


def place_of(key: str) -> AttributePlace | None:
    """Return the SmartThings attribute with this key; None if the key is an entity id."""
    return AttributePlace(*key.removeprefix(_RAW).split("/")) if key.startswith(_RAW) else None
