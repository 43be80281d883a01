"""What a lent function is on this side of the sandbox, and how it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from ..people.person import Person
from ..routines.answers import Answered, Asker
from ..routines.sandbox.model import LentFunction, Question, Scalar

_LONGEST_TEXT: Final = 200
_LARGEST_NUMBER: Final = 1_000_000


class LentError(Exception):
    """A question that cannot be answered; the text names the mend and is raised in the code."""


class WithheldError(Exception):
    """What a name is bound to is there no more, or this person may not see it any more."""


class NotNowError(Exception):
    """What would tell cannot be reached at this moment: the answer is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call of a lent function: by whom, and with which arguments."""

    asker: Asker
    arguments: Mapping[str, Scalar]
    """By the names of the parameters; nothing in them is trusted."""

    @property
    def person(self) -> Person:
        """Whose exposure and permissions count."""
        return self.asker.person

    def text(self, name: str) -> str:
        """Return an argument on one line; empty for None. Raises LentError if it is no text."""
        value = self.arguments.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise LentError(f"{name} has to be a text, not {type(value).__name__}.")
        if len(value) > _LONGEST_TEXT:
            raise LentError(f"{name} has more than {_LONGEST_TEXT} characters.")
        return " ".join(value.split())

    def number(self, name: str, lowest: float, highest: float) -> float:
        """Return an argument, brought into the range.

        Raises LentError if it is no number, or too large to be meant.
        """
        value = self.arguments.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise LentError(f"{name} has to be a number, not {type(value).__name__}.")
        if not -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER:
            raise LentError(f"{name} has to be a number from {lowest:g} to {highest:g}.")
        return min(max(value, lowest), highest)


class Lender(Protocol):
    """Answers the calls of one function."""

    @property
    def function(self) -> LentFunction:
        """How condition code calls it."""

    async def async_answer(self, asked: Asked) -> Answered:
        """Return the answer as of now, through the gate.

        Raises LentError, WithheldError, or the HomeError of the home.
        """


def arguments_of(function: LentFunction, question: Question) -> dict[str, Scalar]:
    """Return the arguments of a call by name. Raises LentError if there are too many or few."""
    parameters = function.parameters
    if len(question.arguments) > len(parameters):
        names = ", ".join(each.name for each in parameters) or "none"
        raise LentError(f"{function.name} takes no more arguments than: {names}.")
    given = dict(zip((each.name for each in parameters), question.arguments, strict=False))
    for each in parameters[len(given) :]:
        if each.required:
            raise LentError(f"{function.name} needs the argument {each.name}.")
        given[each.name] = each.default
    return given
