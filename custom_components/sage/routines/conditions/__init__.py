"""All functions that condition code may call, and the execution of the calls.

Condition code is the Python code of a routine's condition.
"""

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ...external import External
from ...home.home import Home
from ...home.home_types import HomeError
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
from .watching import watch

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

    def watch(
        self, keys: Collection[str], listener: Callable[[Report], None]
    ) -> Callable[[], None]:
        """Call `listener` when one of the watched values changes; return the unsubscribe function.

        `keys`: the watched values, from `FunctionResult.keys`, e.g. entity ids.
        """
        return watch(self._sources.home, keys, listener)


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
