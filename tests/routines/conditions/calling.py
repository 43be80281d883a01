"""Asks as condition code of one person does, with the bindings that are stored with it."""

from typing import Any

from homeassistant.core import HomeAssistant

from custom_components.sage.external import External
from custom_components.sage.home.home import Home
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.routines.conditions.condition_functions import ConditionFunctions
from custom_components.sage.routines.interfaces import ConditionOwner, WatchedResult
from custom_components.sage.routines.sandbox.sandbox_types import FunctionCall


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

    def close(self) -> None:
        """Stop listening."""
        self.functions.close()

    async def __call__(self, function: str, *arguments: Any) -> WatchedResult:
        """Ask with what the routine has stored, and store what is new."""
        given = next(each for each in self.functions.functions if each.name == function)
        rest = tuple(each.default for each in given.parameters[len(arguments) :])
        question = FunctionCall(function, (*arguments, *rest))
        owner = ConditionOwner(person=self.person, bindings=dict(self.bindings))
        answered = (await self.functions.async_answer(owner, [question]))[question]
        self.bindings |= answered.bindings
        return answered

    async def value(self, function: str, *arguments: Any) -> Any:
        """Ask what has an answer."""
        answered = await self(function, *arguments)
        assert not answered.answer.error, answered.answer.error
        assert not answered.answer.is_unknown
        return answered.answer.value

    async def error(self, function: str, *arguments: Any) -> str:
        """Call a function that has no answer; return its error."""
        answered = await self(function, *arguments)
        assert answered.answer.error
        return answered.answer.error
