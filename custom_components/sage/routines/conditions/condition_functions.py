"""The functions that condition code may call, and the reports of changes of what they read.

Condition code is the Python code of a routine's condition. A watched value has a key: an entity id,
or a key of an extension (`MoreAttribute.key`).
"""

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from homeassistant.auth import EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ...external import External
from ...home import Home, HomeError
from ..evaluation import ConditionOwner, NotRecordedError, Report, Snapshot, WithheldError
from ..sandbox.sandbox_types import ConditionFunction, FunctionCall, FunctionResult
from .calls import ConditionCall, HomeFunction, NotNowError, Sources, text
from .devices import (
    get_attribute,
    get_history,
    get_state,
    held_minutes,
    is_available,
    list_devices,
)
from .last_day import ReplayProblem
from .outside import (
    count_unread_mail,
    get_calendar,
    get_forecast,
    get_weather,
    get_weather_at,
    is_dark,
    is_on_tv,
    now,
)

type Stop = Callable[[], None]

_TELLING: Final = frozenset({"entity_id", "disabled_by", "device_id", "area_id"})
"""Entity registry fields; a change of one can alter permissions or the meaning of device names."""

_LOGGER: Final = logging.getLogger(__name__)

_AFTER_FAULT: Final = timedelta(seconds=30)


class ConditionFunctions:
    """All functions, such as `get_state`, that the Python code of a condition may call."""

    def __init__(self, hass: HomeAssistant, home: Home, external: External | None = None) -> None:
        """Create the functions; no values are read yet.

        `external`: access to mail, TV guides and a weather service. Functions that need one of
        these are left out if it is not configured.
        """
        self._sources = Sources(hass, home, external or External())
        self._functions = {each.name: each for each in _functions(self._sources.external)}

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """Name, parameters and description of each function that condition code may call."""
        return tuple(self._functions.values())

    async def async_answer(
        self, owner: ConditionOwner, call: FunctionCall, snapshot: Snapshot
    ) -> FunctionResult:
        """Return the result of a call of condition code in a snapshot.

        `owner`: the person whose permissions apply. An invalid call has a result with an `error`
        text. Raises WithheldError, and NotRecordedError for a past snapshot.
        """
        await self._sources.home.gate.async_load_rights(owner.person)
        function = self._functions[call.function]
        if snapshot.is_past and not function.is_recorded:
            raise NotRecordedError(ReplayProblem.READS_MORE)
        made = ConditionCall(sources=self._sources, owner=owner, snapshot=snapshot)
        try:
            arguments = (
                text(parameter.name, value) if parameter.type == "str" else value
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
        """Call `listener` when a watched value may have changed; return the unsubscribe function.

        `keys`: entity ids, and keys of extensions. `listener` gets the key

        - when the value changes;
        - when the entity is added, removed, disabled, moved or renamed (the key is the old id);
        - when exposed entities or user permissions change (a call for each key).

        The watched keys stay the same. After a change, the caller has to read the values again,
        and to call `watch` with the keys of the new results (`FunctionResult.keys`).
        """

        @callback
        def changed(key: str, before: object, after: object) -> None:
            listener(Report(key=key, at=dt_util.utcnow(), before=before, after=after))

        home = self._sources.home
        entity_ids = [key for key in dict.fromkeys(keys) if home.extension_of(key) is None]
        stops = [
            _watch_entities(home.hass, entity_ids, listener),
            *home.watch_extensions(dict.fromkeys(keys), changed),
            _watch_permissions(home, tuple(keys), listener),
        ]
        return _joined(stops)


def _functions(external: External) -> Iterator[HomeFunction]:
    yield from (get_state, get_attribute, is_available, held_minutes, list_devices)
    yield from (now, is_dark, get_history, get_weather, get_forecast, get_calendar)
    if external.mail:
        yield count_unread_mail
    if external.place_weather is not None:
        yield get_weather_at
    if external.guides:
        yield is_on_tv


def _withheld(call: FunctionCall) -> str:
    named = next((f'"{each}"' for each in call.arguments if isinstance(each, str)), "It")
    return (
        f"{named} is there no more, or this person may not see it any more. "
        "Choose another device, or have it exposed again."
    )


def _watch_entities(
    hass: HomeAssistant, entity_ids: Collection[str], listener: Callable[[Report], None]
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


def _watch_permissions(
    home: Home, keys: Collection[str], listener: Callable[[Report], None]
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

    hass = home.hass
    stops = [
        home.gate.listen_to_exposure(tell_all),
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
