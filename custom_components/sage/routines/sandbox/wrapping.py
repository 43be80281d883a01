"""Wraps condition code in a factory function for the sandbox.

For each evaluation, the sandbox calls the factory. The factory returns the entry function of the
code, which returns the value of the condition. So no variable of the code remains after an
evaluation.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .contract import parse, validate
from .sandbox_types import CheckError, ConditionFunction, Fault

FACTORY: Final = "_made"
"""Name of the factory function, which contains the condition code in the sandbox."""

# SAGE supplies the result of this function, and so knows which conditions depend on the time.
CLOCK: Final = "now"
"""Name of the condition function that replaces `datetime.now()` and similar calls."""

_STATISTICS: Final = frozenset(
    {"mean", "median", "mode", "pstdev", "pvariance", "stdev", "variance"}
)
"""Functions of `statistics` that prelude.py implements, since Monty lacks the module."""

# `_edits` inserts these names. They are defined in prelude.py or in the factory.
STANDING_IN: Final = frozenset(
    {
        *(f"_{name}" for name in _STATISTICS),
        "_clock_now",
        "_clock_today",
        "_clock_utcnow",
        "_from_timestamp",
        "_parse_time",
        "_span",
    }
)
"""Names of SAGE's replacements for functions in condition code, e.g. `_mean` for `mean`.

No other name in condition code may begin with an underscore.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapped:
    """Condition code inside a factory function, in the form that the sandbox executes."""

    factory: str
    """Python code of the factory, a function that contains the condition code.

    For each evaluation, SAGE calls the factory with the dict `state`, which keeps data between
    evaluations. The factory returns the entry function of the condition code; SAGE calls that
    function to get the value of the condition.
    """

    lines_above: int
    """Number of lines in `factory` above the first line of the condition code."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edit of condition code: replaces the code at `node` by `text`."""

    node: ast.expr | ast.stmt
    text: str


@lru_cache(maxsize=2000)
def wrap(
    source: str, function: str, functions: tuple[ConditionFunction, ...]
) -> Wrapped | CheckError:
    """Put condition code into a factory function; return the result, or the error of the code.

    `function`: name of the entry function. `functions`: the functions that the code may call.
    """
    error = validate(source, function)
    if error:
        return error
    try:
        return _wrap(source, function, functions)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as trouble:
        message = f"The sandbox cannot take it: {trouble}"
        return CheckError(fault=Fault.SYNTAX, message=message, detail=str(trouble))


def _wrap(source: str, function: str, functions: tuple[ConditionFunction, ...]) -> Wrapped:
    source = source.replace("\r\n", "\n")
    tree = parse(source)
    has_clock = any(each.name == CLOCK for each in functions)
    edits = list(_edits(tree, has_clock=has_clock))
    if edits:
        source = _edited(source, edits)
        tree = ast.parse(source)
    uses = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    hidden = {name for name in uses if name.startswith("_") and name != "_"}
    if strange := hidden - STANDING_IN:
        raise ValueError(f"names must not begin with an underscore: {', '.join(sorted(strange))}")
    head = [_function_line(n, each) for n, each in enumerate(functions) if each.name in uses]
    head += [line for name, line in _own_lines(functions).items() if name in uses]
    factory = _factory(source, tree, head, function)
    return Wrapped(factory=factory, lines_above=len(head) + 1)


def _factory(source: str, tree: ast.Module, head: Sequence[str], entry: str) -> str:
    """Return the Python code of the factory, a function that contains the source.

    `head`: definitions above the source, for condition functions, `print` and the clock. `entry`:
    name of the function that the factory returns. Raises ValueError if a part of the source would
    be outside the factory.
    """
    within = _lines_within_strings(tree)
    body = [
        line if number in within else f" {line}"
        for number, line in enumerate(source.split("\n"), start=1)
    ]
    above = [f"def {FACTORY}(state):", *(f" {line}" for line in head)]
    text = "\n".join([*above, *body, f" return {entry}"])
    statements = ast.parse(text).body
    inner = statements[0].body if isinstance(statements[0], ast.FunctionDef) else []
    # Each statement of the source has to be inside the factory, at the expected line.
    places = [_place(node, len(above)) for node in tree.body]
    found = [_place(node, 0) for node in inner[len(head) : -1]]
    if len(statements) != 1 or found != places:
        raise ValueError("it does not stay in its place")
    return text


def _place(node: ast.stmt, shift: int) -> tuple[type, int, int]:
    return type(node), node.lineno + shift, (node.end_lineno or node.lineno) + shift


def _function_line(number: int, function: ConditionFunction) -> str:
    parameters = ", ".join(
        parameter.name if parameter.required else f"{parameter.name}={parameter.default!r}"
        for parameter in function.parameters
    )
    arguments = "".join(f"{parameter.name}, " for parameter in function.parameters)
    return f"def {function.name}({parameters}): return _ask({number}, ({arguments}))"


def _own_lines(functions: Sequence[ConditionFunction]) -> Mapping[str, str]:
    lines = {"print": "def print(*values, sep=None, end=None): _print(values, sep, end)"}
    clock = next((i for i, each in enumerate(functions) if each.name == CLOCK), None)
    if clock is not None:
        moment = f"_ask({clock}, ())"
        lines["_clock_now"] = f"def _clock_now(tz=None): return _local({moment}, tz)"
        lines["_clock_utcnow"] = f"def _clock_utcnow(): return _naive_utc({moment})"
        lines["_clock_today"] = f"def _clock_today(): return _local_date({moment})"
    return lines


def _edits(tree: ast.Module, *, has_clock: bool) -> Iterator[_Edit]:
    """Yield edits that replace functions of `datetime` and `statistics` by SAGE's own functions.

    The edits do not overlap.
    """
    aliases = _aliases(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _clock_function(node.func, aliases, has_clock=has_clock)
            if name:
                yield _Edit(node.func, name)
        elif isinstance(node, ast.Attribute):
            if _dotted(node.value, aliases) == "statistics":
                yield _Edit(node, _of_statistics(node.attr))
        elif isinstance(node, ast.ImportFrom) and node.module == "statistics":
            bound = [
                f"{each.asname or each.name} = {_of_statistics(each.name)}" for each in node.names
            ]
            yield _Edit(node, "; ".join(bound))
        elif isinstance(node, ast.Import) and any(n.name == "statistics" for n in node.names):
            rest = [ast.unparse(each) for each in node.names if each.name != "statistics"]
            yield _Edit(node, f"import {', '.join(rest)}" if rest else "pass")


def _of_statistics(name: str) -> str:
    """Return the name of the function in prelude.py that replaces a function of `statistics`.

    Raises ValueError if there is none.
    """
    if name not in _STATISTICS:
        raise ValueError(f"statistics has {', '.join(sorted(_STATISTICS))}, and no {name}")
    return f"_{name}"


def _aliases(tree: ast.Module) -> dict[str, str]:
    """Return a mapping: imported name -> original name."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update({each.asname: each.name for each in node.names if each.asname})
        elif isinstance(node, ast.ImportFrom):
            found.update({each.asname or each.name: each.name for each in node.names})
    return found


def _dotted(node: ast.expr, aliases: Mapping[str, str]) -> str:
    """Return the original name for a name node, the attribute name for an attribute node.

    Empty for other nodes. `aliases`: imported name -> original name.
    """
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    return node.attr if isinstance(node, ast.Attribute) else ""


def _clock_function(node: ast.expr, aliases: Mapping[str, str], *, has_clock: bool) -> str:
    """Return the name of the function that replaces a `datetime` function; "" if none does.

    `has_clock`: whether condition code may call the condition function `now`.
    """
    if _dotted(node, aliases) == "timedelta":
        return "_span"
    if not isinstance(node, ast.Attribute):
        return ""
    owner = _dotted(node.value, aliases)
    if owner not in {"datetime", "date"}:
        return ""
    if has_clock and node.attr == "today":
        return "_clock_today" if owner == "date" else "_clock_now"
    if has_clock and node.attr in {"now", "utcnow"}:
        return f"_clock_{node.attr}"
    return {"fromtimestamp": "_from_timestamp", "strptime": "_parse_time"}.get(node.attr, "")


def _edited(source: str, edits: Sequence[_Edit]) -> str:
    """Return the source with the edits applied; the number of lines does not change."""
    lines = [line.encode() for line in source.split("\n")]
    for edit in sorted(edits, key=lambda each: (-each.node.lineno, -each.node.col_offset)):
        first = edit.node.lineno - 1
        last = (edit.node.end_lineno or edit.node.lineno) - 1
        before = lines[first][: edit.node.col_offset]
        after = lines[last][edit.node.end_col_offset :]
        pieces = (before + edit.text.encode() + b" \\\n" * (last - first) + after).split(b"\n")
        lines[first : last + 1] = pieces
    return b"\n".join(lines).decode()


def _lines_within_strings(tree: ast.Module) -> set[int]:
    """Return the numbers of lines that begin inside a string; these must not be indented."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, (ast.Constant, ast.JoinedStr))
        for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    }
