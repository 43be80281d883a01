# ruff: noqa: N802, N815  (the names of methods are those of the nodes)
"""Which Python the fallback compiles, and how it is rewritten so that guards see what it does.

RestrictedPython refuses every node that it does not know. Beside its own rules: no
classes, nothing that holds a frame, no annotations, no attribute is ever written.
It runs in the worker process only.
"""

import ast
from types import CodeType
from typing import Any, Final, NoReturn

from RestrictedPython.compile import compile_restricted_exec
from RestrictedPython.transformer import RestrictingNodeTransformer

from .contract import MODULES

CHECK_FILE: Final = "<check>"

PRELUDE_NAMES: Final = frozenset(
    {
        "_clock_now",
        "_clock_today",
        "_clock_utcnow",
        "_from_timestamp",
        "_mean",
        "_median",
        "_mode",
        "_parse_time",
        "_pstdev",
        "_pvariance",
        "_span",
        "_stdev",
        "_variance",
    }
)
"""What `wrapping.py` writes into a source; may be called, never bound."""


class RefusedError(Exception):
    """The source is not what the fallback runs; `line` is from 1, or None."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Keep what was refused."""
        super().__init__(message)
        self.line = line


def compile_check(text: str) -> CodeType:
    """Return the code of a source. Raises RefusedError."""
    try:
        # From a tree, not from the text: the line of a refusal is then known.
        tree = ast.parse(text)
        done = compile_restricted_exec(tree, filename=CHECK_FILE, policy=Policy)
    except SyntaxError as error:
        raise RefusedError(error.msg, error.lineno) from error
    except (RecursionError, MemoryError, ValueError) as error:
        raise RefusedError("it is nested too deeply") from error
    if done.errors or done.code is None:
        raise RefusedError(done.errors[0] if done.errors else "it cannot be compiled")
    return done.code


class Policy(RestrictingNodeTransformer):
    """Rewrites attribute access and item access to calls of guards; refuses the rest."""

    def error(self, node: ast.AST, info: str) -> NoReturn:
        """Refuse at once."""
        raise RefusedError(info, getattr(node, "lineno", None))

    def check_name(
        self,
        node: ast.AST,
        name: str | None,
        allow_magic_methods: bool = False,
    ) -> None:
        """Refuse every name that begins with an underscore, and those of the guards."""
        if name is not None and name.startswith("_") and name != "_":
            self.error(node, f'"{name}" begins with an underscore')

    # What the base class guards by iterators, `print` and `*args` needs no guard here:
    # there are no objects whose iteration or call would lead out.

    def guard_iter(self, node: ast.For | ast.comprehension) -> Any:
        """Let loops be."""
        return self.node_contents_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Let assignments be; their targets are visited."""
        return self.node_contents_visit(node)

    def check_import_names(self, node: ast.Import | ast.ImportFrom) -> ast.AST:
        """Check which module it is, and the names that are bound.

        It is decided here: C code of the standard library imports through the same
        `__import__` as the check, and needs others.
        """
        modules = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        if not set(modules) <= set(MODULES) or (isinstance(node, ast.ImportFrom) and node.level):
            self.error(node, f"{', '.join(modules)} cannot be imported")
        return super().check_import_names(node)

    def visit_Call(self, node: ast.Call) -> Any:
        """Let calls be; what is called is visited."""
        return self.node_contents_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        """Check the name."""
        if not (isinstance(node.ctx, ast.Load) and node.id in PRELUDE_NAMES):
            self.check_name(node, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """Read attributes through the guard; nothing is written."""
        if not isinstance(node.ctx, ast.Load):
            self.error(node, "attributes cannot be set")
        return super().visit_Attribute(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Let `name += x` be; `box[key] += x` goes to a function that looks up once."""
        node = self.node_contents_visit_target(node)
        if isinstance(node.target, ast.Name):
            return node
        if not isinstance(node.target, ast.Subscript):
            self.error(node, "attributes cannot be set")
        call = ast.Call(
            func=ast.Name("_change_item_", ast.Load()),
            args=[
                node.target.value,
                node.target.slice,
                ast.Constant(type(node.op).__name__),
                node.value,
            ],
            keywords=[],
        )
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), node))

    def node_contents_visit_target(self, node: ast.AugAssign) -> ast.AugAssign:
        """Visit all parts of an augmented assignment, but not its target as a whole."""
        self.visit(node.op)
        node.value = self.visit(node.value)
        if isinstance(node.target, ast.Subscript):
            node.target.value = self.visit(node.target.value)
            node.target.slice = self.visit(node.target.slice)
        elif isinstance(node.target, ast.Name):
            self.check_name(node, node.target.id)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Drop the annotation."""
        if node.value is None:
            self.visit(node.target)
            return ast.copy_location(ast.Pass(), node)
        plain = ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)
        return self.visit(plain)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Drop annotations and check all names."""
        self.check_name(node, node.name)
        if node.type_params:
            self.error(node, "type parameters are not there")
        node.returns = None
        return self.node_contents_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """Check all names; each argument is visited."""
        return self.node_contents_visit(node)

    def visit_arg(self, node: ast.arg) -> Any:
        """Check the name of an argument of any kind."""
        self.check_name(node, node.arg)
        node.annotation = None
        return node

    def visit_keyword(self, node: ast.keyword) -> Any:
        """Check the name that an argument is passed by."""
        self.check_name(node, node.arg)
        return self.node_contents_visit(node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> Any:
        """Check the names."""
        for name in node.names:
            self.check_name(node, name)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """Catch no more than an Exception: the end of a run is none."""
        if node.type is None:
            node.type = ast.copy_location(ast.Name("Exception", ast.Load()), node)
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    def refuse(self, node: ast.AST) -> NoReturn:
        """Refuse a node."""
        self.error(node, f"{type(node).__name__} is not there")

    visit_ClassDef = refuse
    visit_With = refuse
    visit_Yield = refuse
    visit_YieldFrom = refuse
    visit_Global = refuse
    visit_Delete = refuse
    visit_TemplateStr = refuse
    visit_Interpolation = refuse
    visit_MatchClass = refuse

    def visit_plain(self, node: ast.AST) -> Any:
        """Let a part of `match` be."""
        return self.node_contents_visit(node)

    visit_Match = visit_plain
    visit_match_case = visit_plain
    visit_MatchValue = visit_plain
    visit_MatchSingleton = visit_plain
    visit_MatchSequence = visit_plain
    visit_MatchOr = visit_plain

    def visit_MatchAs(self, node: ast.MatchAs) -> Any:
        """Check the name that is bound."""
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> Any:
        """Check the name that is bound."""
        self.check_name(node, node.name)
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> Any:
        """Check the name that is bound."""
        self.check_name(node, node.rest)
        return self.node_contents_visit(node)
