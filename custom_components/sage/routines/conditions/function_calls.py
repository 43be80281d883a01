"""The interface of the functions that condition code may call, and the arguments of a call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from ...people.person import Person
from ..interfaces import ConditionOwner, WatchedResult
from ..sandbox.sandbox_types import ConditionFunction, FunctionCall, Scalar

_LONGEST_TEXT: Final = 200
_LARGEST_NUMBER: Final = 1_000_000


class FunctionCallError(Exception):
    """Condition code called a function with arguments that are not valid.

    The call raises an exception with the same text in the condition code. The text says how to fix
    the call.
    """


class WithheldError(Exception):
    """A device that condition code uses is gone, or the owner may no longer see it."""


class NotNowError(Exception):
    """The result of a condition function is unknown, since its source cannot be reached now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallArguments:
    """The arguments of one function call in condition code, and the owner of the condition."""

    owner: ConditionOwner
    arguments: Mapping[str, Scalar]
    """Parameter name -> value; not validated yet."""

    @property
    def person(self) -> Person:
        """The owner of the condition; the call has the permissions of this person."""
        return self.owner.person

    def text(self, name: str) -> str:
        """Return the argument `name`, a text, with single spaces and no line breaks.

        Empty if the argument is None or missing. Raises FunctionCallError for other types, and for
        texts that are too long.
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
        """Return the argument `name`, a number, clamped to the range from `lowest` to `highest`.

        Raises FunctionCallError for other types, and for numbers beyond a million.
        """
        value = self.arguments.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise FunctionCallError(f"{name} has to be a number, not {type(value).__name__}.")
        if not -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER:
            raise FunctionCallError(f"{name} has to be a number from {lowest:g} to {highest:g}.")
        return min(max(value, lowest), highest)


class FunctionHandler(Protocol):
    """A function that condition code may call; executed in Home Assistant, not in the sandbox."""

    @property
    def function(self) -> ConditionFunction:
        """The name, parameters and description that the model sees."""

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Execute a call with the permissions of the condition's owner; return the result.

        Raises FunctionCallError, WithheldError, NotNowError or HomeError.
        """


def arguments_of(function: ConditionFunction, question: FunctionCall) -> dict[str, Scalar]:
    """Return parameter name -> argument of the call `question`, including default values.

    Raises FunctionCallError if there are too many or too few arguments.
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
