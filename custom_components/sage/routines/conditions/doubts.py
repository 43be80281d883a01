"""Finds comparisons that can never be true, according to the documented values."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from ...helpers.slices import Breaks
from ...home.home import Home
from ...home.home_types import Attribute, Documentation, HomeError, Source
from ...home.values import STATE
from ...people.person import Person
from ..condition_interface import ConditionOwner
from ..sandbox.sandbox_types import FunctionCall, Scalar
from .entity_values import NOT_KNOWN
from .foresight import LiteralComparison
from .function_calls import CallArguments, FunctionCallError, NotNowError, WithheldError
from .name_resolution import Names
from .stored_references import EntityTarget, RawTarget

_STATE_OF: Final = "get_state"
_ATTRIBUTE_OF: Final = "get_attribute"
_NUMBERS: Final = frozenset({"number", "integer"})
_MOST_QUESTIONS: Final = 60
_MOST_COMPARISONS: Final = 200


class Doubts:
    """Compares the constants in code with the documentation."""

    def __init__(self, home: Home, names: Names) -> None:
        """Resolve names like the functions."""
        self._home = home
        self._names = names

    async def async_of(
        self, owner: ConditionOwner, comparisons: Iterable[LiteralComparison]
    ) -> list[str]:
        """Return impossible comparisons, with the line and how to fix them.

        Stops after a maximum number of comparisons.
        """
        found: dict[str, None] = {}
        known: dict[FunctionCall, Attribute | None] = {}
        breaks = Breaks()
        for comparison in islice(comparisons, _MOST_COMPARISONS):
            for question in comparison.questions:
                if question not in known:
                    if len(known) >= _MOST_QUESTIONS:
                        return list(found)
                    known[question] = await self._async_attribute(owner, question)
                    await breaks.async_take()
                if (attribute := known[question]) is None:
                    continue
                for constant in comparison.constants:
                    if text := _doubt(question, attribute, constant):
                        found[f"line {comparison.line}: {text}"] = None
        return list(found)

    async def _async_attribute(
        self, owner: ConditionOwner, question: FunctionCall
    ) -> Attribute | None:
        """Return the documentation of the attribute that a question reads."""
        arguments = [str(each) for each in question.arguments]
        if question.function == _STATE_OF:
            arguments = [arguments[0], STATE, ""]
        elif question.function != _ATTRIBUTE_OF:
            return None
        name, wanted, component = (" ".join(each.split()) for each in arguments)
        try:
            bound = await self._names.async_attribute(
                CallArguments(owner=owner, arguments={}), name, wanted, component
            )
            documents = await self._async_documents(owner.person, bound.place, name)
        except HomeError, FunctionCallError, NotNowError, WithheldError:
            return None
        return next(
            (
                each
                for document in documents
                for each in document.attributes
                if each.name == bound.attribute
            ),
            None,
        )

    async def _async_documents(
        self, person: Person, place: EntityTarget | RawTarget, name: str
    ) -> list[Documentation]:
        home = self._home.of(person)
        if isinstance(place, EntityTarget):
            return list(await home.async_document([place.entity_id]))
        documents = await home.async_document([name], [place.capability])
        return [
            each
            for each in documents
            if each.source is Source.SMARTTHINGS and each.component_id == place.component
        ]


def _doubt(question: FunctionCall, attribute: Attribute, constant: Scalar) -> str:
    """Return why an attribute never has this value, and the fix; empty if it can have it."""
    call = f"{question.function}({', '.join(map(repr, filter(None, question.arguments)))})"
    if isinstance(constant, str) and constant in NOT_KNOWN and constant not in attribute.values:
        return (
            f"{call} is never {constant!r}: while a device is away, a check that reads it is left "
            "out. Use is_available(device)."
        )
    if isinstance(constant, str) and attribute.type in _NUMBERS:
        return f"{call} is a number, never the text {constant!r}. Compare it with a number."
    if not attribute.values or constant in (*attribute.values, attribute.value):
        return ""
    if isinstance(constant, str):
        meant = _meaning(attribute, constant)
        hint = f" Write {meant!r}." if meant else ""
        return f"{call} is never {constant!r}. It is one of: {attribute.shown_values}.{hint}"
    return f"{call} is a text, never {constant!r}. It is one of: {attribute.shown_values}."


def _meaning(attribute: Attribute, constant: str) -> str:
    """Return the value that a text means: `on` for `open`, or another spelling."""
    wanted = constant.casefold()
    for value, label in attribute.meanings.items():
        if label.casefold() == wanted:
            return value
    return next((each for each in attribute.values if each.casefold() == wanted), "")
