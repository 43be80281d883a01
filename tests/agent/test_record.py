"""The record of a run, and its steps as a tree."""

from custom_components.sage.agent.record import Record
from custom_components.sage.model.language_model import Usage


def a_record() -> Record:
    """Return a run that called the model, a tool, and the model in the tool."""
    record = Record("sage", {"command": "go"})
    with record.steps("model", ("m", {})) as (step,):
        record.end("", usage=Usage(prompt_tokens=10, completion_tokens=1), step=step)
    with record.steps("tool", ("device_interaction", {"command": "go"})) as (tool,):
        with record.steps("model", ("m", {})) as (step,):
            usage = Usage(prompt_tokens=20, cached_tokens=5, completion_tokens=2)
            record.end("", usage=usage, step=step)
        with record.steps("model", ("m", {})) as (step,):
            record.end("broken", is_error=True, step=step)
        record.end("done", step=tool)
    record.end("done")
    return record


def test_sums() -> None:
    record = a_record()
    assert sum(step["kind"] == "model" for step in record.tree()) == 3
    usage = record.usage
    assert usage == Usage(prompt_tokens=30, cached_tokens=5, completion_tokens=3)


def test_tree_as_json() -> None:
    shown = a_record().tree()[0]
    assert shown["arguments"] == {"command": "go"}
    model, tool = shown["children"]
    assert model["usage"]["prompt_tokens"] == 10
    assert tool["children"][1]["error"]
    assert tool["children"][1]["usage"] is None
    assert tool["seconds"] >= 0


def test_long_result_is_shortened() -> None:
    record = Record("sage")
    record.end("x" * 5000)
    shown = record.tree()[0]["result"]
    assert len(shown) < 2100
    assert shown.endswith("(5000 characters)")
