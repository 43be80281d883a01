"""The contract of condition code: its Python subset, and the values that may pass the sandbox.

`validate` finds errors that the sandbox does not report, or not clearly. Only the sandbox protects
against harmful code.
"""

import ast
import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from .sandbox_types import CheckError, ConditionFunction, Fault, FunctionCall, Scalar, Value

LONGEST_SOURCE: Final = 20_000
"""Maximum length of a condition's Python code in bytes."""

MODULES: Final = ("collections", "datetime", "functools", "itertools", "json", "math", "re")
"""Modules that the Python code of a condition may import."""


@lru_cache(maxsize=2000)
def validate(source: str, function: str) -> CheckError | None:
    """Return the first error that static analysis finds in the Python code of a condition, or None.

    `function`: name of the entry function that the source must define.
    """
    if len(source) > LONGEST_SOURCE:
        return _error(f"It is longer than {LONGEST_SOURCE // 1000} kB.", hint="Write less.")
    source = source.replace("\r\n", "\n")
    try:
        # Unlike `ast.parse`, also finds `return` and `break` in the wrong place.
        compile(source, "<check>", "exec", dont_inherit=True)
        tree = ast.parse(source)
    except SyntaxError as err:
        return _error(f"This is not Python: {err.msg}.", err.lineno)
    except RecursionError, MemoryError, ValueError, OverflowError:
        return _error("This is nested too deeply, or holds signs that are no text.")
    for node in ast.walk(tree):
        if (error := _error_at(node)) is not None:
            return error
    return _error_of_entry(tree, function)


def _error(message: str, line: int | None = None, hint: str = "") -> CheckError:
    detail = f"{message} {hint}".rstrip()
    return CheckError(fault=Fault.SYNTAX, message=message, line=line, hint=hint, detail=detail)


def _error_at(node: ast.AST) -> CheckError | None:
    """Return the error of one node of the syntax tree, or None."""
    line = getattr(node, "lineno", None)
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        for module in modules:
            if module not in MODULES:
                return _error(
                    f"Checks cannot import {module or 'that'}.",
                    line,
                    f"These are there: {', '.join(MODULES)}.",
                )
    if isinstance(node, ast.AsyncFunctionDef | ast.Await):
        hint = "Write a plain function; condition functions return at once."
        return _error("Checks have no async.", line, hint)
    if _binds_state(node):
        return _error(
            "state must not be assigned: the new value would not be kept.",
            line,
            'Change it in place: state["since"] = now(), state.clear().',
        )
    return None


def _binds_state(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="state", ctx=ctx):
            return not isinstance(ctx, ast.Load)
        case ast.alias(name=name, asname=other):
            return (other or name) == "state"
    return "state" in (getattr(node, "arg", None), getattr(node, "name", None)) and not isinstance(
        node, ast.keyword
    )


def _error_of_entry(tree: ast.Module, function: str) -> CheckError | None:
    entries = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    if not entries:
        return _error(
            f"There is no function {function}.",
            hint=f"Write: def {function}(): ... return True or False.",
        )
    line, arguments = entries[-1].lineno, entries[-1].args
    needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    if needed + sum(default is None for default in arguments.kw_defaults):
        return _error(f"{function} needs arguments.", line, "It is called without arguments.")
    if entries[-1].decorator_list:
        return _error(f"{function} is decorated.", line, "Leave the decorator out.")
    return None


_MOST_CALLS: Final = 60


def constant_calls(
    source: str, functions: Mapping[str, ConditionFunction]
) -> Mapping[FunctionCall, int]:
    """Return the calls of `functions` with literal arguments in any branch: call -> line."""
    calls: dict[FunctionCall, int] = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if (function := functions.get(node.func.id)) is None:
            continue
        try:
            values = tuple(map(ast.literal_eval, node.args))
            named = {each.arg or "": ast.literal_eval(each.value) for each in node.keywords}
            calls.setdefault(to_call(function, values, named), node.lineno)
        except ValueError, PlainError:
            # The arguments are unknown before the code runs, or the call is wrong.
            continue
        if len(calls) == _MOST_CALLS:
            break
    return calls


MISSING_FEATURES: Final = (
    """\
It is a small Python. These are not there: generators (`yield`), `del`, `with`, \
`async` and `await`, `global`, `isocalendar()`, `eval`, `exec`, `getattr`, `datetime.today()`, \
`fromtimestamp`, fractions in `timedelta`, `strptime` without a date; \
only these modules can be imported: """
    + ", ".join(MODULES)
    + """. \
A method is no value: write `key=lambda k: d[k]`, not `key=d.get`, and `[x.strip() for x in xs]`, \
not `map(str.strip, xs)`.
"""
)
"""Prompt text: the Python features that condition code lacks. A test verifies the list."""


def condition_task_info(prompt: str, functions: Iterable[ConditionFunction]) -> str:
    """Return the prompt with the list of functions that condition code may call."""
    # Equal arguments must give the same bytes: the model server caches prompts.
    listed = "\n".join(f"- {function}" for function in functions)
    return prompt.replace("{functions}", listed).replace("{missing}", MISSING_FEATURES.strip())


# ------------------------------------------------------------ values

STATE_BYTES: Final = 16_000
"""Maximum size of the dict `state`: texts in UTF-8, and 8 bytes for each other value."""

RESULT_BYTES: Final = 512_000
"""Maximum size of a result of a condition function."""

LONGEST_ARGUMENT: Final = 256
_DEEPEST: Final = 12
_LARGEST_INTEGER: Final = 2**63 - 1
_KEPT: Final = "Texts, numbers, bools, None, aware datetimes, lists and dicts can be kept."
_INSTEAD: Final = {
    "set": "Keep sorted(...) of it, a list.",
    "date": "Keep its isoformat(), a text.",
    "time": "Keep its isoformat(), a text.",
    "timedelta": "Keep its total_seconds(), a number.",
}


class PlainError(Exception):
    """A value has a type or size that the sandbox does not allow."""


class _Gate:
    """Copies one value that enters or leaves the sandbox, up to a maximum size."""

    def __init__(self, most: int) -> None:
        self._most = self._left = most

    def copy(self, value: object, where: str, depth: int = 0) -> Value:
        """Return a copy of `value`; `where`: its name, with the keys that lead to it."""
        if isinstance(value, str):
            return self._text(value, where)
        self._pay(8, where)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            if abs(value) > _LARGEST_INTEGER:
                raise PlainError(f"{where} is a number of more than 63 bits.")
            return int(value)
        if isinstance(value, float):
            if not math.isfinite(value):
                raise PlainError(f"{where} is no finite number.")
            return float(value)
        if isinstance(value, datetime):
            if value.utcoffset() is None:
                raise PlainError(f"{where} is a time without a time zone. Keep now() instead.")
            return value if type(value) is datetime else datetime.fromisoformat(value.isoformat())
        return self._container(value, where, depth)

    def _container(self, value: object, where: str, depth: int) -> Value:
        if depth >= _DEEPEST:
            raise PlainError(f"{where} is nested deeper than {_DEEPEST} levels.")
        if isinstance(value, (list, tuple)):
            return [self.copy(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
        if isinstance(value, Mapping):
            return {
                self._key(key, where): self.copy(item, f"{where}[{key!r:.40}]", depth + 1)
                for key, item in value.items()
            }
        kind = type(value).__name__
        raise PlainError(f"{where} is a {kind}. {_INSTEAD.get(kind, _KEPT)}")

    def _key(self, value: object, where: str) -> str:
        if not isinstance(value, str):
            kind = type(value).__name__
            raise PlainError(f"A key of {where} is a {kind}; write str({value!r:.40}).")
        return self._text(value, where)

    def _text(self, value: str, where: str) -> str:
        try:
            self._pay(len(value.encode()), where)
        except UnicodeEncodeError:
            raise PlainError(f"{where} holds half a character, which no file can keep.") from None
        return str.__str__(value)

    def _pay(self, size: int, where: str) -> None:
        self._left -= size
        if self._left < 0:
            raise PlainError(f"There is more in it than {self._most // 1000} kB, at {where:.80}.")


def to_plain(value: object, most: int, where: str) -> Value:
    """Return a deep copy of `value` that has only built-in types; tuples become lists.

    Raises PlainError for unsupported types, and for values of more than `most` bytes. `where` is
    the name of the value in the error text.
    """
    return _Gate(most).copy(value, where)


def to_state(value: object) -> dict[str, Value]:
    """Return a copy of `value`, the dict `state` that condition code keeps between evaluations.

    Raises PlainError if `value` is not a dict, is too large, or contains an unsupported type.
    """
    state = to_plain(value, STATE_BYTES, "state")
    if not isinstance(state, dict):
        raise PlainError("state has to stay a dict.")
    return state


def to_call(
    function: ConditionFunction, arguments: tuple[Any, ...], named: Mapping[str, Any]
) -> FunctionCall:
    """Return a call of a condition function with all its arguments.

    Raises PlainError for a wrong number of arguments, and for an argument that is no bool, number,
    text or None, or is too large.
    """
    parameters = function.parameters
    names = [each.name for each in parameters]
    if len(arguments) > len(names) or not named.keys() <= set(names[len(arguments) :]):
        raise PlainError(f"{function.name} takes these arguments: {', '.join(names) or 'none'}.")
    values = dict(zip(names, arguments, strict=False)) | dict(named)
    for each in parameters:
        if each.required and each.name not in values:
            raise PlainError(f"{function.name} needs the argument {each.name}.")
    complete = (_scalar(values.get(each.name, each.default), each.name) for each in parameters)
    return FunctionCall(function.name, tuple(complete))


def _scalar(value: object, name: str) -> Scalar:
    if type(value) is str and len(value) > LONGEST_ARGUMENT:
        raise PlainError(f"{name} is longer than {LONGEST_ARGUMENT} characters.")
    if value is None or type(value) in (bool, str):
        return value  # type: ignore[return-value]
    if type(value) in (int, float):
        return to_plain(value, RESULT_BYTES, name)  # type: ignore[return-value]
    raise PlainError(f"{name} has to be a text, a number or a bool, not {type(value).__name__}.")
