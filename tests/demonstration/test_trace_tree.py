"""The trace as a tree."""

from typing import Any

from scripts.demonstration.trace_tree import render

TRACE: dict[str, Any] = {
    "kind": "acted",
    "seconds": 12.34,
    "model_seconds": 12.0,
    "model_calls": 2,
    "usage": {"prompt_tokens": 900, "cached_tokens": 700, "completion_tokens": 41},
    "outcomes": [
        {"kind": "verified", "device": "Kitchen Light", "command": "turn_on", "arguments": {}}
    ],
    "root": {
        "kind": "agent",
        "name": "sage",
        "children": [
            {
                "kind": "model",
                "name": "tiny",
                "usage": {"prompt_tokens": 450, "completion_tokens": 20},
                "seconds": 4,
            },
            {
                "kind": "tool",
                "name": "execute",
                "arguments": {"device": "light.kitchen_light"},
                "result": "no such\ncommand",
                "error": True,
                "seconds": 0.04,
                "children": [
                    {
                        "kind": "agent",
                        "name": "planner",
                        "children": [
                            {
                                "kind": "model",
                                "name": "tiny",
                                "usage": {"prompt_tokens": 450, "cached_tokens": 400},
                            }
                        ],
                    }
                ],
            },
        ],
    },
}


def test_a_trace_is_a_tree_with_tokens_and_seconds() -> None:
    assert render(TRACE) == [
        "acted: 2 model calls, 900 (700 cached) → 41 tokens, 12.3 s (model 12.0 s)",
        "├─ model tiny  [450 → 20 tokens, 4.0 s]",
        '└─ execute {"device": "light.kitchen_light"}  [450 (400 cached) → 0 tokens, 0.0 s]',
        "   └─ agent planner  [450 (400 cached) → 0 tokens, 0.0 s]",
        "      └─ model tiny  [450 (400 cached) → 0 tokens, 0.0 s]",
        "   ✗ no such command",
        "outcome verified: Kitchen Light turn_on",
    ]


def test_long_texts_are_cut_to_the_width_of_a_terminal() -> None:
    node = {"kind": "tool", "name": "plan", "arguments": "x" * 500, "result": "y" * 500}
    lines = render({"root": {"children": [node]}})
    assert len(lines) == 3
    assert all(len(line) <= 112 for line in lines)
    assert "…" in lines[1]


def test_an_empty_trace_is_one_line() -> None:
    assert render({}) == ["run: 0 model calls, 0 → 0 tokens, 0.0 s (model 0.0 s)"]
