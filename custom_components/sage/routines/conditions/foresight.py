"""Static analysis of the calls in all branches of condition code.

A trial run by day does not reach the branch for the night. The static analysis finds wrong names
at once, binds each name before anybody renames the device, and finds comparisons that can never
be true: `get_state("front_door") == "open"` for a door whose open state is "on".
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from ..sandbox.sandbox_types import ConditionFunction, FunctionCall, Scalar

_LONGEST: Final = 20_000
"""Longest code in characters, as in the sandbox."""

_MOST_QUESTIONS: Final = 60
_MOST_VALUES: Final = 20
"""Most values of a variable that are followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteralComparison:
    """A comparison of an answer with literal texts or numbers."""

    questions: tuple[FunctionCall, ...]
    constants: tuple[Scalar, ...]
    line: int


class AnalyzedRead:
    """The analysis of one source."""

    def __init__(self, source: str, functions: Iterable[ConditionFunction]) -> None:
        """Parse the source; invalid Python has no questions."""
        self._functions = {each.name: each for each in functions}
        try:
            self._tree: ast.AST = ast.parse(source if len(source) <= _LONGEST else "")
        except SyntaxError, ValueError, RecursionError, MemoryError:
            self._tree = ast.Module(body=[], type_ignores=[])
        self._texts = _texts_of_names(self._tree)
        self._calls = _calls_of_names(self._tree, self._functions)

    def questions(self) -> dict[FunctionCall, int]:
        """Return its calls with literal arguments -> the first line."""
        found: dict[FunctionCall, int] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                for question in self._asked(node):
                    found.setdefault(question, node.lineno)
        return dict(islice(found.items(), _MOST_QUESTIONS))

    def comparisons(self) -> list[LiteralComparison]:
        """Return comparisons of answers with literals."""
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
        """Yield the questions of a call; none if an argument is not a literal."""
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
        """Yield the possible literal values of an expression; none if they are unknown."""
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
    """Yield each assigned name with its value; None for an unknown value."""
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
    """Return the literal values of each name that has only literal values."""
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
    """Return the call for each name whose only value is that call."""
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
