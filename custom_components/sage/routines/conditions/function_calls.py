"""The host side of condition functions: their interface, and the arguments of a call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from ...people.person import Person
from ..interfaces import ConditionOwner, WatchedResult
from ..sandbox.sandbox_types import ConditionFunction, FunctionCall, Scalar

_LONGEST_TEXT: Final = 200
_LARGEST_NUMBER: Final = 1_000_000


class FunctionCallError(Exception):
    """A call cannot be answered; condition code fails with this text, which says how to fix it."""


class WithheldError(Exception):
    """A device that condition code reads no longer exists, or its person may not see it."""


class NotNowError(Exception):
    """The answer is unknown, because its source cannot be reached at the moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallArguments:
    """One call of a condition function: the caller and the arguments."""

    owner: ConditionOwner
    arguments: Mapping[str, Scalar]
    """Parameter name -> untrusted value."""

    @property
    def person(self) -> Person:
        """The person whose exposure and permissions count."""
        return self.owner.person

    def text(self, name: str) -> str:
        """Return a text argument on one line; empty for None.

        Raises FunctionCallError for other types.
        """
        value = self.arguments.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise FunctionCallError(f"{name} has to be a text, not {type(value).__name__}.")
        if len(value) > _LONGEST_TEXT:
            raise FunctionCallError(f"{name} has more than {_LONGEST_TEXT} characters.")
        return " ".join(value.split())

    def number(self, name: str, lowest: float, highest: float) -> float:
        """Return a number argument, clamped to the range.

        Raises FunctionCallError for other types and for absurdly large numbers.
        """
        value = self.arguments.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise FunctionCallError(f"{name} has to be a number, not {type(value).__name__}.")
        if not -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER:
            raise FunctionCallError(f"{name} has to be a number from {lowest:g} to {highest:g}.")
        return min(max(value, lowest), highest)


class FunctionHandler(Protocol):
    """A condition function: answers its calls."""

    @property
    def function(self) -> ConditionFunction:
        """The name, parameters and description of the function, for condition code."""

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Return the current answer; checks the permissions of the person.

        Raises FunctionCallError, WithheldError, or the HomeError of the home.
        """


def arguments_of(function: ConditionFunction, question: FunctionCall) -> dict[str, Scalar]:
    """Return the arguments of a call by name.

    Raises FunctionCallError if there are too many or too few.
    """
    parameters = function.parameters
    if len(question.arguments) > len(parameters):
        names = ", ".join(each.name for each in parameters) or "none"
        raise FunctionCallError(f"{function.name} takes no more arguments than: {names}.")
    given = dict(zip((each.name for each in parameters), question.arguments, strict=False))
    for each in parameters[len(given) :]:
        if each.required:
            raise FunctionCallError(f"{function.name} needs the argument {each.name}.")
        given[each.name] = each.default
    return given
