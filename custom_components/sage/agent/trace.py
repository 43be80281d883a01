"""The trace of a run (the processing of one command): a tree of agents, model and tool calls."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ..model.language_model import Usage

_RESULT_CHARACTERS = 2_000
"""Maximum length of a result in the JSON trace, in characters; the model gets the full text."""


@dataclass(slots=True, kw_only=True)
class TraceNode:
    """One step of a run: an agent, model call or tool call, with its result and duration."""

    kind: Literal["agent", "model", "tool"]
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result: str = ""
    error: bool = False
    """Whether the step failed; a model call also fails if its reply cannot be parsed."""

    usage: Usage | None = None
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    repairs: tuple[str, ...] = ()
    """What was read differently from what the model wrote, in its reply."""

    children: list[TraceNode] = field(default_factory=list)

    def end(self, result: str, *, error: bool = False, usage: Usage | None = None) -> None:
        """Record the end of the step with its result, duration and token usage."""
        self.result = result
        self.error = error
        self.usage = usage
        self.seconds = time.monotonic() - self.started

    def child(
        self, kind: Literal["agent", "model", "tool"], name: str, arguments: Mapping[str, Any]
    ) -> TraceNode:
        """Add a child step and return it."""
        node = TraceNode(kind=kind, name=name, arguments=arguments)
        self.children.append(node)
        return node

    def walk(self) -> list[TraceNode]:
        """Return this step and all its descendants, parents first."""
        return [self, *(node for child in self.children for node in child.walk())]

    def as_dict(self) -> dict[str, Any]:
        """Return the step and its descendants as a JSON-compatible dict with shortened results."""
        shown = self.result
        if len(shown) > _RESULT_CHARACTERS:
            shown = f"{shown[:_RESULT_CHARACTERS]} ... ({len(shown)} characters)"
        repairs = [f"Repaired: {repair}." for repair in self.repairs]
        return {
            "kind": self.kind,
            "name": self.name,
            "arguments": dict(self.arguments),
            "result": "\n".join([shown, *repairs]),
            "error": self.error,
            "usage": usage_dict(self.usage) if self.usage else None,
            "seconds": round(self.seconds, 3),
            "children": [child.as_dict() for child in self.children],
        }


_CURRENT: Final = ContextVar[TraceNode | None]("sage_step", default=None)


def current_step(root: TraceNode) -> TraceNode:
    """Return the step that is being executed; `root` outside of any."""
    return _CURRENT.get() or root


@contextmanager
def steps(
    root: TraceNode, kind: Literal["model", "tool"], *named: tuple[str, Mapping[str, Any]]
) -> Iterator[list[TraceNode]]:
    """Record steps, by name and arguments, below the current one; an exception ends them."""
    parent = current_step(root)
    nodes = [parent.child(kind, name, arguments) for name, arguments in named]
    token = _CURRENT.set(nodes[0])
    try:
        yield nodes
    except BaseException as err:
        for node in nodes:
            node.end(str(err) or type(err).__name__, error=True)
        raise
    finally:
        _CURRENT.reset(token)


def usage_dict(usage: Usage) -> dict[str, int | bool]:
    """Return token counts as a JSON-compatible dict.

    The key `is_estimated` exists only if SAGE estimated the counts.
    """
    return {
        "prompt_tokens": usage.prompt_tokens,
        "cached_tokens": usage.cached_tokens,
        "completion_tokens": usage.completion_tokens,
        **({"is_estimated": True} if usage.is_estimated else {}),
    }


def total_usage(root: TraceNode) -> Usage:
    """Return the total token usage of `root` and its descendants."""
    return sum((node.usage for node in root.walk() if node.usage), Usage())


def model_calls(root: TraceNode) -> list[TraceNode]:
    """Return the model calls among `root` and its descendants, in the order of `walk`."""
    return [node for node in root.walk() if node.kind == "model"]
