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
from ...helpers.slices import Breaks
from ...home.home import Home
from ...home.home_types import HomeError
from ...home.recorded import Recorded
from ..interfaces import (
    CallArguments,
    ChangeListener,
    ConditionOwner,
    Foresight,
    FunctionCallError,
    FunctionHandler,
    NotNowError,
    WatchedResult,
    WithheldError,
    arguments_of,
)
from ..sandbox.sandbox_types import ConditionFunction, FunctionCall, FunctionResult
from .calendar import GetCalendar
from .clock import IsDark, Now
from .devices import ListDevices
from .foresight import AnalyzedRead, Doubts
from .history import GetHistory, HeldMinutes
from .name_resolution import Names
from .replay import Replay, Replayable, ReplayError, ReplayProblem
from .states import GetAttribute, GetState, IsAvailable, StateReader, watch
from .tv_programmes import IsOnTv
from .unread_mail import CountUnreadMail
from .weather import GetForecast, GetWeather, GetWeatherAt

_LOGGER: Final = logging.getLogger(__name__)

_AFTER_FAULT: Final = timedelta(seconds=30)


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
        self._doubts = Doubts(home, names)
        self._held = HeldMinutes(hass, names, reader, recorded)
        self._history = GetHistory(hass, names, reader, recorded)
        handlers: tuple[FunctionHandler, ...] = (
            GetState(names, reader),
            GetAttribute(names, reader),
            IsAvailable(names, reader),
            self._held,
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
        self._held.close()
        self._history.close()

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """Name, parameters and description of each function that condition code may call."""
        return tuple(each.function for each in self._handlers.values())

    async def async_answer(
        self, owner: ConditionOwner, questions: Collection[FunctionCall]
    ) -> Mapping[FunctionCall, WatchedResult]:
        """Execute function calls of condition code; return a dict: call -> its result.

        `owner`: the person whose permissions apply. An invalid call has a result with an `error`
        text.
        """
        await self._home.gate.async_load_rights(owner.person)
        answered: dict[FunctionCall, WatchedResult] = {}
        breaks = Breaks()
        for question in questions:
            answered[question] = await self._async_one(owner, question)
            await breaks.async_take()
        return answered

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        """Call `listener` when one of the watched values changes; return the unsubscribe function.

        `keys`: the watched values, from `WatchedResult.keys`, e.g. entity ids.
        """
        return watch(self._hass, self._home.smartthings.reader, keys, listener)

    async def async_foresee(self, owner: ConditionOwner, source: str) -> Foresight:
        """Analyze all branches of condition code without running it.

        The result contains the current results of function calls such as `get_state("lamp")`,
        errors for invalid calls, and warnings for comparisons with impossible values.
        """
        reading = AnalyzedRead(source, self.functions)
        lines = reading.questions()
        answered = await self.async_answer(owner, lines)
        faults = [
            f"line {lines[question]}: {each.answer.error}"
            for question, each in answered.items()
            if each.answer.error
        ]
        doubts = await self._doubts.async_of(owner, reading.comparisons())
        return Foresight(answered=answered, faults=tuple(faults), doubts=tuple(doubts))

    async def async_replay(self, owner: ConditionOwner, question: FunctionCall) -> Replay:
        """Return a `Replay`, which computes the results of the call `question` at past times.

        Raises ReplayError if these results cannot be computed from recorded states.
        """
        await self._home.gate.async_load_rights(owner.person)
        try:
            handler = self._handler(question.function)
            call = CallArguments(owner=owner, arguments=arguments_of(handler.function, question))
            if not isinstance(handler, Replayable):
                raise ReplayError(ReplayProblem.READS_MORE)
            return await handler.async_replay(call)
        except WithheldError:
            raise ReplayError(ReplayProblem.WITHHELD) from None
        except NotNowError:
            raise ReplayError(ReplayProblem.READS_MORE) from None
        except (FunctionCallError, HomeError) as err:
            # The call is invalid: it would have failed with the same error at any past time.
            fault = FunctionResult(error=str(err))
            return Replay(answer=lambda _: fault)

    def _handler(self, name: str) -> FunctionHandler:
        if (handler := self._handlers.get(name)) is None:
            names = ", ".join(self._handlers)
            raise FunctionCallError(f"There is no function {name}. There are: {names}.")
        return handler

    async def _async_one(self, owner: ConditionOwner, question: FunctionCall) -> WatchedResult:
        try:
            handler = self._handler(question.function)
            arguments = arguments_of(handler.function, question)
            return await handler.async_answer(CallArguments(owner=owner, arguments=arguments))
        except WithheldError:
            return WatchedResult(answer=FunctionResult(error=_withheld(question)), is_withheld=True)
        except (FunctionCallError, HomeError) as err:
            return WatchedResult(answer=FunctionResult(error=str(err)))
        except NotNowError:
            return _unknown()
        except Exception as err:
            _LOGGER.warning(
                "The function %s of condition code failed: %s",
                question.function,
                type(err).__name__,
            )
            _LOGGER.debug("The fault of %s", question.function, exc_info=err)
            return _unknown()


def _external_functions(hass: HomeAssistant, external: External) -> Iterator[FunctionHandler]:
    if external.mail:
        yield CountUnreadMail(external)
    if external.place_weather is not None:
        yield GetWeatherAt(external.place_weather, hass.config.language)
    if external.guides:
        yield IsOnTv(external.guides)


def _unknown() -> WatchedResult:
    return WatchedResult(
        answer=FunctionResult(is_unknown=True), fresh_until=dt_util.utcnow() + _AFTER_FAULT
    )


def _withheld(question: FunctionCall) -> str:
    named = next((f'"{each}"' for each in question.arguments if isinstance(each, str)), "It")
    return (
        f"{named} is there no more, or this person may not see it any more. "
        "Choose another device, or have it exposed again."
    )
