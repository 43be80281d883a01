"""Static analysis of condition code: finds calls of condition functions in all branches."""

import ast
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Final

from ..sandbox.sandbox_types import ConditionFunction, FunctionCall, Scalar

_MOST_CALLS: Final = 60
_MOST_VALUES: Final = 20
"""Maximum number of literal values of a variable, and of argument combinations of a call."""


def constant_calls(
    source: str, functions: Mapping[str, ConditionFunction]
) -> dict[FunctionCall, int]:
    """Return the calls such as `get_state("lamp")` in valid Python code: call -> line number.

    Leaves out calls with arguments that are unknown before the code runs. An argument may be a
    variable with literal values, for example in a loop over a literal list.
    """
    tree = ast.parse(source)
    texts = _texts_of_names(tree)
    found: dict[FunctionCall, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = functions.get(node.func.id)
            for call in _calls(node, function, texts) if function is not None else ():
                found.setdefault(call, node.lineno)
    return dict(islice(found.items(), _MOST_CALLS))


def _calls(
    node: ast.Call, function: ConditionFunction, texts: Mapping[str, tuple[Scalar, ...]]
) -> Iterator[FunctionCall]:
    """Yield the possible calls at `node`; none if an argument is unknown before the code runs."""
    names = [each.name for each in function.parameters]
    arguments = dict(zip(names, node.args, strict=False))
    arguments |= {each.arg: each.value for each in node.keywords if each.arg is not None}
    if len(node.args) > len(names) or not arguments.keys() <= set(names):
        return
    choices: list[tuple[Scalar, ...]] = []
    for parameter in function.parameters:
        match arguments.get(parameter.name):
            case None:
                choices.append(() if parameter.required else (parameter.default,))
            case ast.Name(id=name):
                choices.append(texts.get(name, ()))
            case ast.Constant(value=bool() | int() | float() | str() as value):
                choices.append((value,))
            case _:
                return
    for values in islice(product(*choices), _MOST_VALUES):
        yield FunctionCall(function.name, values)


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
