"""Static analysis of condition code for unclear errors; only the sandbox protects."""

import ast
from typing import Final

from .contract import MODULES, CheckError, Fault

LONGEST_SOURCE: Final = 20_000  # maximum length of a condition code in bytes


def validate(source: str, function: str) -> CheckError | None:
    """Return the first error of static analysis, or None; `function`: the entry function."""
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
