"""Static analysis of condition code, the Python code of a routine's condition.

The analysis covers all branches of the code, without running it. It finds

- calls of functions such as `get_state`, to check their arguments;
- comparisons with impossible values, such as `get_state("door") == "open"` for a door with the
  states "on" and "off".
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from ...helpers.slices import Breaks
from ...home.home import Home
from ...home.home_types import Attribute, Documentation, HomeError, Source
from ...home.values import NOT_KNOWN, STATE
from ...people.person import Person
from ..interfaces import (
    CallArguments,
    ConditionOwner,
    FunctionCallError,
    NotNowError,
    WithheldError,
)
from ..sandbox.sandbox_types import ConditionFunction, FunctionCall, Scalar
from .name_resolution import Names
from .stored_references import EntityTarget, RawTarget

_LONGEST: Final = 20_000
"""Maximum length of the analyzed code in characters; longer code counts as empty."""

_MOST_QUESTIONS: Final = 60
_MOST_VALUES: Final = 20
"""Maximum number of literal values of a variable, and of argument combinations of a call."""

_STATE_OF: Final = "get_state"
_ATTRIBUTE_OF: Final = "get_attribute"
_NUMBERS: Final = frozenset({"number", "integer"})
_MOST_COMPARISONS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteralComparison:
    """A comparison of a function call with literal values, such as `get_state("lamp") == "on"`."""

    questions: tuple[FunctionCall, ...]
    """The compared function call, such as `get_state("lamp")`.

    For `get_state(name)`, one call for each literal value that the code gives to the variable
    `name`, for example in a loop over a list.
    """
    constants: tuple[Scalar, ...]
    """The literal values that the call is compared with, such as "on"."""
    line: int


class AnalyzedRead:
    """Finds function calls and comparisons in condition code, without running it."""

    def __init__(self, source: str, functions: Iterable[ConditionFunction]) -> None:
        """Parse the source; invalid Python counts as an empty source.

        `functions`: the functions that condition code may call; calls of other functions are
        ignored.
        """
        self._functions = {each.name: each for each in functions}
        try:
            self._tree: ast.AST = ast.parse(source if len(source) <= _LONGEST else "")
        except SyntaxError, ValueError, RecursionError, MemoryError:
            self._tree = ast.Module(body=[], type_ignores=[])
        self._texts = _texts_of_names(self._tree)
        self._calls = _calls_of_names(self._tree, self._functions)

    def questions(self) -> dict[FunctionCall, int]:
        """Return the calls such as `get_state("lamp")` in the code: call -> line number.

        Leaves out calls with arguments that are unknown before the code runs, and calls beyond a
        maximum number.
        """
        found: dict[FunctionCall, int] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                for question in self._asked(node):
                    found.setdefault(question, node.lineno)
        return dict(islice(found.items(), _MOST_QUESTIONS))

    def comparisons(self) -> list[LiteralComparison]:
        """Return the comparisons in the code such as `get_state("lamp") == "on"`.

        Finds only the operators `==`, `!=`, `in` and `not in`.
        """
        found: list[LiteralComparison] = []
        for node in ast.walk(self._tree):
            if not isinstance(node, ast.Compare) or len(node.ops) != 1:
                continue
            sides = (node.left, node.comparators[0])
            for side, other in (sides, sides[::-1]):
                questions = tuple(self._asked_by(side))
                constants = tuple(self._constants(other))
                if questions and constants and isinstance(node.ops[0], _OPERATORS):
                    found.append(
                        LiteralComparison(
                            questions=questions, constants=constants, line=node.lineno
                        )
                    )
        return found

    def _asked_by(self, node: ast.AST) -> Iterator[FunctionCall]:
        if isinstance(node, ast.Name):
            node = self._calls.get(node.id, node)
        if isinstance(node, ast.Call):
            yield from self._asked(node)

    def _asked(self, node: ast.Call) -> Iterator[FunctionCall]:
        """Yield the possible calls of a condition function at `node`, with literal arguments.

        There are several if an argument is a variable with several literal values, and none if an
        argument is unknown before the code runs.
        """
        if not isinstance(node.func, ast.Name):
            return
        function = self._functions.get(node.func.id)
        if function is None or len(node.args) > len(function.parameters):
            return
        given: dict[str | None, ast.expr] = {each.arg: each.value for each in node.keywords}
        given |= {
            parameter.name: argument
            for parameter, argument in zip(function.parameters, node.args, strict=False)
        }
        if not given.keys() <= {each.name for each in function.parameters}:
            return
        choices: list[tuple[Scalar, ...]] = []
        for parameter in function.parameters:
            if (argument := given.get(parameter.name)) is not None:
                choices.append(tuple(self._constants(argument)))
            elif parameter.required:
                return
            else:
                choices.append((parameter.default,))
        for arguments in islice(product(*choices), _MOST_VALUES):
            yield FunctionCall(function.name, arguments)

    def _constants(self, node: ast.AST) -> Iterator[Scalar]:
        """Yield the possible literal values of an expression, up to the first unknown one."""
        if isinstance(node, ast.Name):
            yield from self._texts.get(node.id, ())
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, bool | int | float | str):
                yield node.value
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            each: Sequence[Scalar]
            for element in node.elts:
                if not (each := tuple(self._constants(element))):
                    return
                yield from each


_OPERATORS: Final = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def _bound_names(tree: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    """Yield each name that the code assigns, with the assigned expression.

    For a loop over a literal list, the expression is the list. It is None if the value is unknown.
    """
    known: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.For | ast.comprehension):
            target, value = node.target, node.iter
        elif isinstance(node, ast.NamedExpr):
            target, value = node.target, node.value
        else:
            continue
        if isinstance(target, ast.Name):
            known.add(id(target))
            is_loop = isinstance(node, ast.For | ast.comprehension)
            is_list = isinstance(value, ast.Tuple | ast.List | ast.Set)
            # A loop over a literal list; other iterables are unknown.
            yield target.id, value if is_list == is_loop else None
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg, None
        elif (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store | ast.Del)
            and id(node) not in known
        ):
            yield node.id, None


def _texts_of_names(tree: ast.AST) -> dict[str, tuple[Scalar, ...]]:
    """Return variable -> its possible values, for variables that get only literal values."""
    found: dict[str, tuple[Scalar, ...]] = {}
    unknown: set[str] = set()
    for name, value in _bound_names(tree):
        elements = value.elts if isinstance(value, ast.Tuple | ast.List | ast.Set) else [value]
        values = [
            each.value
            for each in elements
            if isinstance(each, ast.Constant) and isinstance(each.value, bool | int | float | str)
        ]
        if value is None or len(values) != len(elements) or len(values) > _MOST_VALUES:
            unknown.add(name)
        else:
            found[name] = (*found.get(name, ()), *values)
    return {name: values for name, values in found.items() if name not in unknown}


def _calls_of_names(
    tree: ast.AST, functions: Mapping[str, ConditionFunction]
) -> dict[str, ast.Call]:
    """Return variable -> condition function call, for variables that only hold its result."""
    found: dict[str, ast.Call] = {}
    unknown: set[str] = set()
    for name, value in _bound_names(tree):
        is_asked = (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id in functions
        )
        if not is_asked or name in found:
            unknown.add(name)
        elif isinstance(value, ast.Call):
            found[name] = value
    return {name: call for name, call in found.items() if name not in unknown}


class Doubts:
    """Finds comparisons in condition code with a value that the device never has.

    Example: `get_state("door") == "open"`, if the door has the states "on" and "off".
    """

    def __init__(self, home: Home, names: Names) -> None:
        """`home` documents the devices; `names` resolves device names in condition code."""
        self._home = home
        self._names = names

    async def async_of(
        self, owner: ConditionOwner, comparisons: Iterable[LiteralComparison]
    ) -> list[str]:
        """Return a warning for each comparison with a value that the device never has.

        A warning has the line number and a fix. Skips devices that `owner` may not see, and
        comparisons beyond a maximum number.
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
        """Return the documentation of the attribute that the call `question` reads, if any."""
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
    """Return an error text if the attribute can never have the value `constant`, else "".

    The text also says how to fix the comparison. `question`: the call that reads the attribute.
    """
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
        expected = _meaning(attribute, constant)
        hint = f" Write {expected!r}." if expected else ""
        return f"{call} is never {constant!r}. It is one of: {attribute.shown_values}.{hint}"
    return f"{call} is a text, never {constant!r}. It is one of: {attribute.shown_values}."


def _meaning(attribute: Attribute, constant: str) -> str:
    """Return the value of the attribute that people call `constant`; "" if there is none.

    Example: "on" for "open", if the attribute belongs to a door sensor. Also finds a value that
    differs from `constant` only in case.
    """
    wanted = constant.casefold()
    for value, label in attribute.meanings.items():
        if label.casefold() == wanted:
            return value
    return next((each for each in attribute.values if each.casefold() == wanted), "")
