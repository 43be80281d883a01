"""Asks as condition code of one person does, with the bindings that are stored with it."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from homeassistant.core import HomeAssistant

from custom_components.sage.external import External
from custom_components.sage.home.home import Home
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.routines.conditions import ConditionFunctions
from custom_components.sage.routines.evaluation import Report, Snapshot, WithheldError
from custom_components.sage.routines.sandbox.contract import FunctionCall, FunctionResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(FunctionResult):
    is_withheld: bool = False  # whether the person may not read it


class Asking:
    """One routine that asks."""

    def __init__(
        self,
        hass: HomeAssistant,
        home: Home,
        person: Person = HOUSEHOLD,
        external: External | None = None,
    ) -> None:
        self.hass = hass
        self.home = home
        self.functions = ConditionFunctions(hass, home, external or External())
        self.person = person
        self.bindings: dict[str, str] = {}

    async def __call__(self, function: str, *arguments: Any) -> Answered:
        """Ask with what the routine has stored, and store what is new."""
        given = next(each for each in self.functions.functions if each.name == function)
        rest = tuple(each.default for each in given.parameters[len(arguments) :])
        call = FunctionCall(function, (*arguments, *rest))
        try:
            result = await self.functions.async_answer(
                self.person, dict(self.bindings), call, Snapshot()
            )
        except WithheldError as err:
            return Answered(error=str(err), is_withheld=True)
        self.bindings |= result.bindings
        return Answered(**{each.name: getattr(result, each.name) for each in fields(result)})

    async def value(self, function: str, *arguments: Any) -> Any:
        answered = await self(function, *arguments)
        assert not answered.error, answered.error
        assert not answered.is_unknown
        return answered.value

    async def error(self, function: str, *arguments: Any) -> str:
        """Call a function that has no answer; return its error."""
        answered = await self(function, *arguments)
        assert answered.error
        return answered.error


def noting(told: list[str]) -> Callable[[Report], None]:
    """Return a listener that adds the key of each report to `told`."""
    return lambda report: told.append(report.key)
