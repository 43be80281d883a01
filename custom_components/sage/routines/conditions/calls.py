"""A call of a condition function: its arguments, what it may read, and what it has read."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from ...external import External
from ...home import CodeValues, Home, HomeError, is_known
from ...people import Person
from ..evaluation import ConditionOwner, Snapshot, WithheldError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter

_LONGEST_TEXT: Final = 200
_LARGEST_NUMBER: Final = 1_000_000
_MOST_KEPT: Final = 500


class NotNowError(Exception):
    """Raised when a value cannot be read now, for example of an unavailable device."""


class Sources:
    """What condition functions read: the home, the recorder, and sources outside the home."""

    def __init__(self, hass: HomeAssistant, home: Home, external: External) -> None:
        """`external`: mail, TV guides and a weather service, as far as they are configured."""
        self.hass = hass
        self.home = home
        self.external = external
        self.values = CodeValues(home)
        self._kept: dict[tuple[object, ...], tuple[datetime, Any]] = {}

    async def async_kept[T](
        self, key: tuple[object, ...], lifetime: timedelta, read: Callable[[], Awaitable[T]]
    ) -> tuple[T, datetime]:
        """Return the result of `read`, which is read again after `lifetime`, and its expiry."""
        now = dt_util.utcnow()
        until, value = self._kept.get(key, (now, None))
        if until <= now:
            until, value = now + lifetime, await read()
            while len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = (until, value)
        return value, until


@dataclass(slots=True, kw_only=True)
class ConditionCall:
    """One call in condition code, with the permissions of the condition's owner."""

    sources: Sources
    owner: ConditionOwner
    snapshot: Snapshot
    keys: set[str] = field(default_factory=set)
    """The values that were read, see `FunctionResult.keys`."""

    bindings: dict[str, str] = field(default_factory=dict)
    """The names that were resolved, see `FunctionResult.bindings`."""

    @property
    def person(self) -> Person:
        """The owner of the condition."""
        return self.owner.person

    @property
    def hass(self) -> HomeAssistant:
        """Home Assistant."""
        return self.sources.hass

    async def async_state(self, entity_id: str) -> State | None:
        """Return the state of an entity in the snapshot; None while it is loading.

        Raises WithheldError if the person may not read it.
        """
        is_there = self.hass.states.get(entity_id) is not None
        if is_there and not self.sources.home.gate.may_read(self.person, entity_id):
            raise WithheldError
        self.keys.add(entity_id)
        return await self.snapshot.async_state(self.hass, entity_id)

    async def async_known_state(self, entity_id: str) -> State:
        """Return the state of an entity. Raises WithheldError, and NotNowError if it is unknown."""
        state = await self.async_state(entity_id)
        if state is None or not is_known(state):
            raise NotNowError
        return state

    def readable(self, domain: str) -> list[str]:
        """Return the ids of the entities of a domain that the person may read."""
        gate = self.sources.home.gate
        return sorted(
            entity_id
            for entity_id in gate.visible(self.person)
            if entity_id.startswith(f"{domain}.") and gate.may_read(self.person, entity_id)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeFunction(ConditionFunction):
    """A condition function with its implementation."""

    async_answer: Callable[..., Awaitable[FunctionResult]]
    """Takes a `ConditionCall` and the arguments: texts from `text`, other values not validated.

    Raises HomeError with a sentence that says how to fix the call; WithheldError; NotNowError.
    """

    is_recorded: bool
    """Whether the result in a past snapshot is known."""


def text(name: str, value: object) -> str:
    """Return the value of a text argument, with single spaces and no line breaks.

    Empty if it is None. Raises HomeError for other types, and for a text that is too long.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise HomeError(f"{name} has to be a text, not {type(value).__name__}.")
    if len(value) > _LONGEST_TEXT:
        raise HomeError(f"{name} has more than {_LONGEST_TEXT} characters.")
    return " ".join(value.split())


def number(name: str, value: object, lowest: float, highest: float) -> float:
    """Return the value of a number argument, limited to the range from `lowest` to `highest`.

    Raises HomeError if it is no number, or is beyond plus or minus a million.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise HomeError(f"{name} has to be a number, not {type(value).__name__}.")
    if not -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER:
        raise HomeError(f"{name} has to be a number from {lowest:g} to {highest:g}.")
    return min(max(value, lowest), highest)


def condition_function(
    *, returns: str, description: str, is_recorded: bool = False
) -> Callable[[Callable[..., Awaitable[FunctionResult]]], HomeFunction]:
    """Make a coroutine a function that condition code may call by the same name.

    `description`: for the model. `is_recorded`: see `HomeFunction`.
    """

    def decorate(answer: Callable[..., Awaitable[FunctionResult]]) -> HomeFunction:
        _, *parameters = inspect.signature(answer).parameters.values()
        return HomeFunction(
            name=answer.__name__,
            parameters=tuple(map(_parameter, parameters)),
            returns=returns,
            description=description,
            async_answer=answer,
            is_recorded=is_recorded,
        )

    return decorate


def _parameter(parameter: inspect.Parameter) -> Parameter:
    required = parameter.default is parameter.empty
    return Parameter(
        name=parameter.name,
        type=parameter.annotation.__name__,
        required=required,
        default=None if required else parameter.default,
    )
