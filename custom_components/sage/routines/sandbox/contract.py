"""The Python subset for the code of conditions, and its description for the model.

`validate` finds errors before the code runs. Only the sandbox protects against harmful code.
"""

import ast
import unicodedata
from functools import lru_cache
from typing import Final

from .sandbox_types import CheckError, Fault

LONGEST_SOURCE: Final = 20_000
"""Maximum length of a condition's Python code in bytes."""

DEEPEST_SOURCE: Final = 60
"""Maximum depth of the syntax tree of a condition's Python code."""

MODULES: Final = (
    "collections",
    "datetime",
    "functools",
    "itertools",
    "json",
    "math",
    "re",
    "statistics",
)
"""Modules that the Python code of a condition may import."""

_LACKING: Final = frozenset(
    {"compile", "dir", "eval", "exec", "getattr", "globals", "hasattr", "input", "locals", "open"}
    | {"setattr", "super", "vars"}
)
"""Built-in names that `validate` rejects in the Python code of a condition."""

_MISSING_SYNTAX: Final[dict[type[ast.AST], tuple[str, str]]] = {
    ast.Global: ("global", "Keep values between runs in state, within one run in a dict."),
    ast.AsyncFunctionDef: ("async", "Write a plain function; condition functions return at once."),
    ast.Await: ("await", "Condition functions return at once."),
    ast.AsyncFor: ("async", "Write a plain loop."),
    ast.AsyncWith: ("async", "Leave it out."),
    ast.With: ("with", "There is nothing to open or to close."),
    ast.Yield: ("yield", "Return a list."),
    ast.YieldFrom: ("yield", "Return a list."),
    ast.Delete: ("del", "Write state.pop(key, None), or make a new list."),
    ast.TryStar: ("except*", "Write except."),
    ast.TemplateStr: ("a template string", "Write an f-string."),
    ast.MatchClass: ("a class in a pattern", "Compare values, or write isinstance()."),
    ast.ClassDef: ("class", "Use dicts, tuples and functions."),
}

_METHODS: Final = frozenset(
    name
    for kind in (str, dict, list, set)
    for name in vars(kind)
    if not name.startswith("_") and callable(getattr(kind, name))
) | {"isoformat", "strftime", "timestamp", "total_seconds", "weekday"}

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@lru_cache(maxsize=2000)
def validate(source: str, function: str) -> CheckError | None:
    """Return the first error that static analysis finds in the Python code of a condition, or None.

    `function`: name of the entry function that the source must define.
    """
    try:
        tree = parse(source)
        _check_tree(tree)
        _check_entry(tree, function)
    except _Refusal as refusal:
        return refusal.error
    return None


class _Refusal(Exception):  # noqa: N818
    """The source is not valid condition code; `error` describes the reason."""

    def __init__(self, message: str, line: int | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.error = CheckError(
            fault=Fault.SYNTAX,
            message=message,
            line=line,
            hint=hint,
            detail=f"{message} {hint}".rstrip(),
        )


@lru_cache(maxsize=4)
def parse(source: str) -> ast.Module:
    """Return the syntax tree of the Python code of a condition.

    The tree is cached: do not change it. Raises _Refusal if the source is not valid Python, too
    long or too deeply nested.
    """
    source = source.replace("\r\n", "\n")
    _check_text(source)
    try:
        tree = ast.parse(source)
        _check_depth(tree)
        # Finds errors that parsing does not: `return` and `break` in the wrong place.
        compile(source, "<check>", "exec", dont_inherit=True)
    except SyntaxError as error:
        raise _Refusal(f"This is not Python: {error.msg}.", error.lineno) from None
    except RecursionError, MemoryError, ValueError, OverflowError:
        raise _Refusal("This is nested too deeply.", hint="Write shorter expressions.") from None
    return tree


def _check_text(source: str) -> None:
    if not source.isascii():
        try:
            source.encode()
        except UnicodeEncodeError:
            raise _Refusal("The text holds half a character.", hint="Write plain text.") from None
    if len(source.encode()) > LONGEST_SOURCE:
        raise _Refusal(f"It is longer than {LONGEST_SOURCE // 1000} kB.", hint="Write less.")
    for number, line in enumerate(source.split("\n"), start=1):
        if any(unicodedata.category(sign) == "Cc" and sign != "\t" for sign in line):
            raise _Refusal(
                "There is a control character in it.", number, 'Write "\\n" and the like instead.'
            )


def _check_depth(tree: ast.AST) -> None:
    level: list[ast.AST] = [tree]
    depth = 0
    while level:
        depth += 1
        if depth > DEEPEST_SOURCE:
            line = getattr(level[0], "lineno", None)
            raise _Refusal("This is nested too deeply.", line, "Write it in several steps.")
        level = [child for node in level for child in ast.iter_child_nodes(node)]


def _check_tree(tree: ast.Module) -> None:
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in called:
            _check_value(node)
        line = getattr(node, "lineno", None)
        missing = _MISSING_SYNTAX.get(type(node))
        if missing:
            raise _Refusal(f"Checks have no {missing[0]}.", line, missing[1])
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            _check_import(node)
        if isinstance(node, ast.Name) and node.id in _LACKING:
            raise _Refusal(f"{node.id} is not there in checks.", line, "Do it without.")
        if _binds_state(node):
            raise _Refusal(
                "state must not be assigned: the new value would not be kept.",
                line,
                'Change it in place: state["since"] = now(), state.clear().',
            )


def _check_value(node: ast.Attribute) -> None:
    """Raise _Refusal for a method that is not called, such as `x.strip` without parentheses.

    Monty, the interpreter of the sandbox, does not support methods as values.
    """
    is_member = isinstance(node.value, ast.Name) and node.value.id in MODULES
    if node.attr in _METHODS and not is_member:
        raise _Refusal(
            f"{node.attr} is not called.",
            node.lineno,
            f"A method is no value here: write {node.attr}(...), or lambda x: x.{node.attr}().",
        )


def _check_import(node: ast.Import | ast.ImportFrom) -> None:
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    for module in modules:
        if module not in MODULES:
            raise _Refusal(
                f"Checks cannot import {module or 'that'}.",
                node.lineno,
                f"These are there: {', '.join(MODULES)}.",
            )
    if any(alias.name == "*" for alias in node.names):
        raise _Refusal("Checks cannot import that.", node.lineno, "Name what is to be imported.")


def _binds_state(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id == "state" and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.arg):
        return node.arg == "state"
    if isinstance(node, _Function):
        return node.name == "state"
    if isinstance(node, ast.alias):
        return (node.asname or node.name) == "state"
    return getattr(node, "name", None) == "state"


def _check_entry(tree: ast.Module, function: str) -> None:
    found = [node for node in tree.body if isinstance(node, _Function) and node.name == function]
    if not found:
        raise _Refusal(
            f"There is no function {function}.",
            hint=f"Write: def {function}(): ... return True or False.",
        )
    entry = found[-1]
    arguments = entry.args
    needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    needed += sum(default is None for default in arguments.kw_defaults)
    if needed:
        raise _Refusal(
            f"{function} needs arguments.", entry.lineno, "It is called without arguments."
        )
    if entry.decorator_list:
        raise _Refusal(f"{function} is decorated.", entry.lineno, "Leave the decorator out.")


MISSING_FEATURES: Final = (
    """\
It is a small Python. These are not there: classes, generators (`yield`), `del`, `with`, \
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
