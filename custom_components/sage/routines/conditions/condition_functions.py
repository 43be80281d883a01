"""The functions that condition code may call, and the reports of changes of what they read.

The functions about devices are here, the others in `outside.py`. A watched value has a key: an
entity id, or a key of an extension (`MoreAttribute.key`).
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final, cast

from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ...external import External
from ...home import STATE, Home, HomeError, is_known
from ...people import Person
from ..evaluation import NotRecordedError, Report, Snapshot, WithheldError
from ..sandbox.contract import EVERY_CHECK, ConditionFunction, FunctionCall, FunctionResult, Value
from .calls import ConditionCall, HomeFunction, NotNowError, Sources, condition_function, number
from .last_day import RecordedSnapshot, ReplayProblem
from .outside import (
    count_unread_mail,
    get_calendar,
    get_forecast,
    get_weather,
    is_dark,
    is_on_tv,
    now,
)

type Stop = Callable[[], None]

_LOGGER: Final = logging.getLogger(__name__)

_AFTER_FAULT: Final = timedelta(seconds=30)
_LONGEST_TEXT: Final = 200

_LOOK_AGAIN: Final = timedelta(seconds=30)
"""Time after which a value of an extension is read again even if no change was reported.

No changes are reported while the connection of the extension is interrupted.
"""

_RUNNING: Final = timedelta(seconds=5)
"""Time after which a value that runs on without a report is outdated, such as a timer's."""

_LIST_LIFETIME: Final = timedelta(minutes=1)
_MOST_LISTED: Final = 500


@condition_function(
    returns="str | float | datetime",
    description=(
        "The main value of a device or entity, as its documentation shows it after `state` "
        "(not what stands in brackets behind it: a door is 'on' when it is open). A number "
        "for what is measured, a datetime for a point in time."
    ),
    is_recorded=True,
)
async def get_state(call: ConditionCall, device: str) -> FunctionResult:
    """Return the state of the device's main entity."""
    entity_id = await call.async_main(device)
    return _result(call, await call.async_state(entity_id), STATE)


@condition_function(
    returns="object",
    description=(
        "A value of a device by its name in the documentation, such as machineState. component "
        "(an entity id, or such as 'freezer') only where several have it. None while there is "
        "none, such as the brightness of a light that is off: write (get_attribute(...) or 0) > 50."
    ),
    is_recorded=True,
)
async def get_attribute(
    call: ConditionCall, device: str, attribute: str, component: str = ""
) -> FunctionResult:
    """Return the value of an attribute."""
    place = await call.async_attribute(device, attribute, component)
    if isinstance(place, str):
        return await _async_of_extension(call, place)
    entity_id, attribute = place
    state = await call.async_state(entity_id)
    now = call.hass.states.get(entity_id)
    if now is not None and isinstance(call.snapshot, RecordedSnapshot):
        await call.snapshot.async_check_attribute(now, attribute)
    return _result(call, state, attribute)


async def _async_of_extension(call: ConditionCall, key: str) -> FunctionResult:
    if call.snapshot.is_past:
        raise NotRecordedError(ReplayProblem.READS_MORE)
    extension = call.sources.home.extension_of(key)
    attribute = await extension.async_attribute(call.person, key) if extension else None
    if attribute is None:
        raise WithheldError
    call.keys.add(key)
    if not attribute.is_certain:
        raise NotNowError
    value = call.snapshot.value(key, attribute.value)
    return FunctionResult(
        value=cast("Value", value),
        fresh_until=dt_util.utcnow() + _LOOK_AGAIN,
        is_free_text=attribute.is_free_text(value),
    )


def _result(call: ConditionCall, state: State | None, attribute: str) -> FunctionResult:
    shown = call.sources.values.value(state, attribute) if state is not None else None
    if shown is None:
        raise NotNowError
    return FunctionResult(
        value=shown.value,
        fresh_until=dt_util.utcnow() + _RUNNING if shown.runs_on else None,
        is_free_text=shown.is_free_text,
    )


@condition_function(
    returns="bool",
    description=(
        "Whether the device can be reached. Needed only to tell that it cannot: a check that "
        "reads a device which is away is left out by itself."
    ),
    is_recorded=True,
)
async def is_available(call: ConditionCall, device: str) -> FunctionResult:
    """Return whether any entity of the device is neither unavailable nor unknown."""
    states: list[State | None] = []
    for entity_id in await call.async_entities(device):
        with suppress(WithheldError):
            states.append(await call.async_state(entity_id))
    if not states:
        raise WithheldError
    return FunctionResult(value=any(map(is_known, states)))


@condition_function(
    returns="list[dict]",
    description=(
        "The devices there are: a list of {'id': str, 'name': str, 'area': str, "
        "'capabilities': list[str]}. With capability, such as 'light' or 'binary_sensor.door': "
        "one entry for each part that has it. The id is for get_state and the others."
    ),
    is_recorded=True,
)
async def list_devices(call: ConditionCall, area: str = "", capability: str = "") -> FunctionResult:
    """Return the devices that the person may see, optionally of one area or capability."""
    listing = await call.async_listing()
    devices = call.sources.values.devices(listing, area, capability)
    return FunctionResult(
        value=devices[:_MOST_LISTED], fresh_until=dt_util.utcnow() + _LIST_LIFETIME
    )


MOST_POINTS: Final = 500
MOST_MINUTES: Final = 7 * 24 * 60
_MOST_MINUTES_OF_ATTRIBUTES: Final = 24 * 60

_SHORTEST: Final = timedelta(seconds=10)
_LONGEST: Final = timedelta(minutes=5)
"""Maximum validity of a `get_history` result: its oldest values become too old over time."""

_FURTHEST: Final = timedelta(days=7)


@condition_function(
    returns="list[dict]",
    description=(
        "What a device was in the last minutes: a list of {'at': datetime, 'value': ...}, "
        "oldest first, beginning with the value that it had then; one entry a change, the "
        f"newest {MOST_POINTS}. Up to seven days, attributes up to one. Of entities only."
    ),
)
async def get_history(
    call: ConditionCall, device: str, minutes: float, attribute: str = ""
) -> FunctionResult:
    """Return the device's values in the last `minutes`, with times."""
    attribute = attribute or STATE
    most = MOST_MINUTES if attribute == STATE else _MOST_MINUTES_OF_ATTRIBUTES
    minutes = number("minutes", minutes, 1, most)
    place = await call.async_attribute(device, attribute)
    if isinstance(place, str):
        raise HomeError(
            f"Of {attribute} no history is kept, as no entity has it. Read it with get_attribute, "
            "and keep what is needed in the dict `state`."
        )
    entity_id, attribute = place
    state = await call.async_known_state(entity_id)
    span = timedelta(minutes=minutes)
    start = call.snapshot.at - span
    try:
        history = await call.sources.values.async_history(state, attribute, start, MOST_POINTS)
    except HomeError as err:
        raise HomeError(f"{err} Keep what is needed in the dict `state` instead.") from err
    return FunctionResult(
        value=history.value,
        fresh_until=call.snapshot.at + min(max(span / 100, _SHORTEST), _LONGEST),
        is_free_text=history.is_free_text,
    )


@condition_function(
    returns="float",
    description=(
        "For how many minutes the main value has been what it is now, such as: "
        "get_state(d) == 'on' and held_minutes(d) >= 10. Up to seven days."
    ),
    is_recorded=True,
)
async def held_minutes(call: ConditionCall, device: str) -> FunctionResult:
    """Return how many minutes the main entity has had its state, through restarts."""
    state = await call.async_known_state(await call.async_main(device))
    if isinstance(call.snapshot, RecordedSnapshot):
        since = await call.snapshot.async_held_since(state)
    else:
        key = (held_minutes.name, state.entity_id, state.last_changed)
        oldest = dt_util.utcnow() - _FURTHEST
        read = partial(call.sources.values.recorded.async_held_since, state, oldest)
        since, _ = await call.sources.async_kept(key, _FURTHEST, read)
    minutes = max(0.0, (call.snapshot.at - since).total_seconds() / 60)
    return FunctionResult(value=round(minutes, 2), fresh_until=EVERY_CHECK)


class ConditionFunctions:
    """All functions, such as `get_state`, that condition code may call."""

    def __init__(self, hass: HomeAssistant, home: Home, external: External | None = None) -> None:
        """Create the functions; no values are read yet.

        `external`: access to mail and TV guides. Functions that need one of these are left out if
        it is not configured.
        """
        self._sources = Sources(hass, home, external or External())
        self._functions = {each.name: each for each in _functions(self._sources.external)}
        self.functions: Final[tuple[ConditionFunction, ...]] = tuple(self._functions.values())
        """Name, parameters and description of each function that condition code may call."""

    async def async_answer(
        self, person: Person, bindings: Mapping[str, str], call: FunctionCall, snapshot: Snapshot
    ) -> FunctionResult:
        """Return the result of a call of condition code in a snapshot.

        `person`: whose permissions apply. `bindings`: the device references of the code's routine
        (`Routine.bindings`). An invalid call has a result with an `error` text. Raises
        WithheldError, and NotRecordedError for a past snapshot.
        """
        await self._sources.home.gate.async_load_rights(person)
        function = self._functions[call.function]
        if snapshot.is_past and not function.is_recorded:
            raise NotRecordedError(ReplayProblem.READS_MORE)
        made = ConditionCall(
            hass=self._sources.hass,
            sources=self._sources,
            person=person,
            bound=bindings,
            snapshot=snapshot,
        )
        try:
            arguments = (
                _text(parameter.name, value) if parameter.annotation is str else value
                for parameter, value in zip(function.parameters, call.arguments, strict=True)
            )
            result = await function.async_answer(made, *arguments)
        except WithheldError:
            raise WithheldError(str(call), _withheld(call)) from None
        except NotRecordedError:
            raise
        except HomeError as err:
            return FunctionResult(error=str(err))
        except NotNowError:
            result = FunctionResult(is_unknown=True)
        except Exception as err:
            _LOGGER.warning(
                "The function %s of condition code failed: %s", call.function, type(err).__name__
            )
            _LOGGER.debug("The fault of %s", call.function, exc_info=err)
            result = FunctionResult(is_unknown=True)
        if result.is_unknown and not made.keys:
            result = replace(result, fresh_until=dt_util.utcnow() + _AFTER_FAULT)
        return replace(result, keys=frozenset(made.keys), bindings=made.bindings)

    def watch(self, keys: Collection[str], listener: Callable[[Report], None]) -> Stop:
        """Call `listener` when a watched value changes; return the unsubscribe function.

        `keys`: entity ids, and keys of extensions. An entity also changes when it is added,
        removed, disabled or renamed; then its key is the old id.

        The watched keys stay the same. After a change, the caller has to read the values again,
        and to call `watch` with the keys of the new results (`FunctionResult.keys`).
        """
        home = self._sources.home

        @callback
        def state_changed(event: Event[EventStateChangedData]) -> None:
            data = event.data
            before, after = data["old_state"], data["new_state"]
            report = Report(key=data["entity_id"], at=event.time_fired, before=before, after=after)
            listener(report)

        @callback
        def extension_changed(key: str, before: object, after: object) -> None:
            listener(Report(key=key, at=dt_util.utcnow(), before=before, after=after))

        own = [key for key in keys if home.extension_of(key) is not None]
        entity_ids = [key for key in keys if key not in own]
        stops = [async_track_state_change_event(home.hass, entity_ids, state_changed)]
        if own and home.extension is not None:
            stops.append(home.extension.watch(own, extension_changed))

        def stop() -> None:
            while stops:
                stops.pop()()

        return stop


def _functions(external: External) -> Iterator[HomeFunction]:
    yield from (get_state, get_attribute, is_available, held_minutes, list_devices)
    yield from (now, is_dark, get_history, get_weather, get_forecast, get_calendar)
    if external.mail:
        yield count_unread_mail
    if external.guides:
        yield is_on_tv


def _text(name: str, value: object) -> str:
    """Return a text argument on one line, "" for None. Raises HomeError, also if too long."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise HomeError(f"{name} has to be a text, not {type(value).__name__}.")
    if len(value) > _LONGEST_TEXT:
        raise HomeError(f"{name} has more than {_LONGEST_TEXT} characters.")
    return " ".join(value.split())


def _withheld(call: FunctionCall) -> str:
    named = next((f'"{each}"' for each in call.arguments if isinstance(each, str)), "It")
    return (
        f"{named} is there no more, or this person may not see it any more. "
        "Choose another device, or have it exposed again."
    )
