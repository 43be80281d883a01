"""Show the trace of a run as a tree: steps, tokens, seconds.

The shape is that of the websocket command `sage/traces`; keys may be missing.
"""

import json
from collections.abc import Mapping
from typing import Any

type Trace = Mapping[str, Any]

WIDTH = 110
USAGE = ("prompt_tokens", "cached_tokens", "completion_tokens")


def render(trace: Trace) -> list[str]:
    """Return the lines of the whole trace: a summary, the tree, and the outcomes."""
    usage = trace.get("usage") or {}
    summary = (
        f"{trace.get('kind', 'run')}: {_count(trace.get('model_calls', 0), 'model call')}, "
        f"{_tokens(usage)}, {_seconds(trace)} s "
        f"(model {float(trace.get('model_seconds') or 0):.1f} s)"
    )
    outcomes = [_outcome(outcome) for outcome in trace.get("outcomes") or ()]
    return [summary, *_branches(trace.get("root") or {}), *outcomes]


def _branches(node: Mapping[str, Any], indent: str = "") -> list[str]:
    lines = []
    children = list(node.get("children") or ())
    for child in children:
        last = child is children[-1]
        lines.append(indent + ("└─ " if last else "├─ ") + _node(child, WIDTH - len(indent) - 3))
        below = indent + ("   " if last else "│  ")
        lines += _branches(child, below)
        if result := _short(child.get("result"), WIDTH - len(below) - 2):
            mark = "✗" if child.get("error") else "="
            lines.append(f"{below}{mark} {result}")
    return lines


def _node(node: Mapping[str, Any], room: int) -> str:
    kind, name = node.get("kind", "?"), node.get("name", "?")
    facts = [f"{_seconds(node)} s"]
    if any(usage := _total(node)):
        facts.insert(0, _tokens(dict(zip(USAGE, usage, strict=True))))
    head = f"{name}" if kind == "tool" else f"{kind} {name}"
    tail = f"  [{', '.join(facts)}]"
    arguments = _short(node.get("arguments"), room - len(head) - len(tail) - 1)
    return f"{head} {arguments}".rstrip() + tail


def _total(node: Mapping[str, Any]) -> list[int]:
    """Return the tokens of a step and all below it, in the order of `USAGE`."""
    own = node.get("usage") or {}
    below = [_total(child) for child in node.get("children") or ()]
    return [
        int(own.get(key) or 0) + sum(one[place] for one in below) for place, key in enumerate(USAGE)
    ]


def _tokens(usage: Mapping[str, Any]) -> str:
    prompt, written = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
    cached = usage.get("cached_tokens") or 0
    note = f" ({cached} cached)" if cached else ""
    return f"{prompt}{note} → {written} tokens"


def _outcome(outcome: Mapping[str, Any]) -> str:
    what = " ".join(
        str(outcome[key]) for key in ("device", "component", "command") if outcome.get(key)
    )
    detail = f" ({outcome['detail']})" if outcome.get("detail") else ""
    arguments = _short(outcome.get("arguments"), 60)
    return f"outcome {outcome.get('kind', '?')}: {what} {arguments}".rstrip() + detail


def _short(value: Any, room: int) -> str:
    if value in (None, "", {}, [], ()):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    room = max(room, 20)
    return text if len(text) <= room else text[: room - 1] + "…"


def _seconds(node: Mapping[str, Any]) -> str:
    return f"{float(node.get('seconds') or 0):.1f}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")
