"""Creates all functions that condition code may call, and executes the calls.

Condition code is the Python code of a routine's condition.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import timedelta
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ...external import External
from ...home.home import Home
from ...home.home_types import HomeError
from ...home.recorded import Recorded
from ..interfaces import (
    CallArguments,
    ChangeListener,
    ConditionOwner,
    FunctionCallError,
    FunctionHandler,
    NotNowError,
    NotRecordedError,
    WithheldError,
)
from ..sandbox.sandbox_types import ConditionFunction, FunctionCall, FunctionResult
from ..snapshot import Snapshot
from .clock import IsDark, Now
from .devices import ListDevices
from .foresight import constant_calls
from .history import GetHistory, HeldMinutes
from .name_resolution import Names
from .outside import CountUnreadMail, GetCalendar, IsOnTv
from .recorded_day import ReplayProblem
from .states import GetAttribute, GetState, IsAvailable, StateReader, watch
from .weather import GetForecast, GetWeather, GetWeatherAt

_LOGGER: Final = logging.getLogger(__name__)

_AFTER_FAULT: Final = timedelta(seconds=30)

_RECORDED: Final = frozenset(
    {"get_attribute", "get_state", "held_minutes", "is_available", "is_dark", "list_devices", "now"}
)
"""Functions whose result in a past snapshot is known."""


class ConditionFunctions:
    """All functions, such as `get_state`, that the Python code of a condition may call.

    Implements the protocol `FunctionProvider`.
    """

    def __init__(self, hass: HomeAssistant, home: Home, external: External | None = None) -> None:
        """Create the functions; no values are read yet.

        `external`: access to mail, TV guides and a weather service. Functions that need one of
        these are left out if it is not configured.
        """
        external = external or External()
        self._hass = hass
        self._home = home
        names = Names(hass, home)
        reader = StateReader(hass, home.gate, home.smartthings)
        recorded = Recorded(hass)
        self._history = GetHistory(hass, names, reader, recorded)
        handlers: tuple[FunctionHandler, ...] = (
            GetState(names, reader),
            GetAttribute(names, reader),
            IsAvailable(names, reader),
            HeldMinutes(names, reader, recorded),
            ListDevices(hass, home),
            Now(),
            IsDark(hass),
            self._history,
            GetWeather(names, reader),
            GetForecast(hass, names, reader),
            GetCalendar(hass, names, reader),
            *_external_functions(hass, external),
        )
        self._handlers = {each.function.name: each for each in handlers}

    @callback
    def close(self) -> None:
        """Stop listening to state changes; called when SAGE is unloaded."""
        self._history.close()

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """Name, parameters and description of each function that condition code may call."""
        return tuple(each.function for each in self._handlers.values())

    async def async_answer(
        self, owner: ConditionOwner, call: FunctionCall, snapshot: Snapshot
    ) -> FunctionResult:
        """Return the result of a call of condition code in a snapshot.

        `owner`: the person whose permissions apply. An invalid call has a result with an `error`
        text. Raises WithheldError, and NotRecordedError for a past snapshot.
        """
        await self._home.gate.async_load_rights(owner.person)
        handler = self._handlers[call.function]
        if snapshot.is_past and call.function not in _RECORDED:
            raise NotRecordedError(ReplayProblem.READS_MORE)
        names = (each.name for each in handler.function.parameters)
        arguments = dict(zip(names, call.arguments, strict=True))
        try:
            return await handler.async_answer(
                CallArguments(owner=owner, arguments=arguments, snapshot=snapshot)
            )
        except WithheldError:
            raise WithheldError(str(call), _withheld(call)) from None
        except NotRecordedError:
            raise
        except (FunctionCallError, HomeError) as err:
            return FunctionResult(error=str(err))
        except NotNowError:
            return _unknown()
        except Exception as err:
            _LOGGER.warning(
                "The function %s of condition code failed: %s", call.function, type(err).__name__
            )
            _LOGGER.debug("The fault of %s", call.function, exc_info=err)
            return _unknown()

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        """Call `listener` when one of the watched values changes; return the unsubscribe function.

        `keys`: the watched values, from `FunctionResult.keys`, e.g. entity ids.
        """
        return watch(self._hass, self._home.smartthings.reader, keys, listener)

    def foresee(self, source: str) -> Mapping[FunctionCall, int]:
        """Return the calls with constant arguments in any branch of the code: call -> line."""
        return constant_calls(source, {each.name: each for each in self.functions})


def _external_functions(hass: HomeAssistant, external: External) -> Iterator[FunctionHandler]:
    if external.mail:
        yield CountUnreadMail(external)
    if external.place_weather is not None:
        yield GetWeatherAt(external.place_weather, hass.config.language)
    if external.guides:
        yield IsOnTv(external.guides)


def _unknown() -> FunctionResult:
    return FunctionResult(is_unknown=True, fresh_until=dt_util.utcnow() + _AFTER_FAULT)


def _withheld(call: FunctionCall) -> str:
    named = next((f'"{each}"' for each in call.arguments if isinstance(each, str)), "It")
    return (
        f"{named} is there no more, or this person may not see it any more. "
        "Choose another device, or have it exposed again."
    )
