"""The trace of a run as a tree."""

from custom_components.sage.agent.trace import TraceNode, model_calls, total_usage
from custom_components.sage.model.language_model import Usage


def a_trace() -> TraceNode:
    """Return a run that called the model, a tool, and the model in the tool."""
    root = TraceNode(kind="agent", name="sage", arguments={"command": "go"})
    root.child("model", "m", {}).end("", usage=Usage(prompt_tokens=10, completion_tokens=1))
    tool = root.child("tool", "device_interaction", {"command": "go"})
    tool.child("model", "m", {}).end(
        "", usage=Usage(prompt_tokens=20, cached_tokens=5, completion_tokens=2)
    )
    tool.child("model", "m", {}).end("broken", error=True)
    tool.end("done")
    root.end("done")
    return root


def test_sums() -> None:
    root = a_trace()
    assert len(model_calls(root)) == 3
    usage = total_usage(root)
    assert usage == Usage(prompt_tokens=30, cached_tokens=5, completion_tokens=3)


def test_tree_as_json() -> None:
    shown = a_trace().as_dict()
    assert shown["arguments"] == {"command": "go"}
    model, tool = shown["children"]
    assert model["usage"]["prompt_tokens"] == 10
    assert tool["children"][1]["error"]
    assert tool["children"][1]["usage"] is None
    assert tool["seconds"] >= 0


def test_long_result_is_shortened() -> None:
    node = TraceNode(kind="tool", name="read")
    node.end("x" * 5000)
    shown = node.as_dict()["result"]
    assert len(shown) < 2100
    assert shown.endswith("(5000 characters)")
