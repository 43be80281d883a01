"""The record of a run, and its steps as a tree."""

from custom_components.sage.agent.record import ROOT, Record, steps_of, total_usage
from custom_components.sage.model.language_model import Usage


def a_record() -> Record:
    """Return a run that called the model, a tool, and the model in the tool."""
    record = Record("sage", {"command": "go"})
    with record.steps("model", ("m", {})) as (step,):
        record.end(step, "", usage=Usage(prompt_tokens=10, completion_tokens=1))
    with record.steps("tool", ("device_interaction", {"command": "go"})) as (tool,):
        with record.steps("model", ("m", {})) as (step,):
            usage = Usage(prompt_tokens=20, cached_tokens=5, completion_tokens=2)
            record.end(step, "", usage=usage)
        with record.steps("model", ("m", {})) as (step,):
            record.end(step, "broken", is_error=True)
        record.end(tool, "done")
    record.end(ROOT, "done")
    return record


def test_sums() -> None:
    entries = a_record().entries
    assert sum(step["kind"] == "model" for step in steps_of(entries)) == 3
    usage = total_usage(entries)
    assert usage == Usage(prompt_tokens=30, cached_tokens=5, completion_tokens=3)


def test_tree_as_json() -> None:
    shown = steps_of(a_record().entries)[0]
    assert shown["arguments"] == {"command": "go"}
    model, tool = shown["children"]
    assert model["usage"]["prompt_tokens"] == 10
    assert tool["children"][1]["error"]
    assert tool["children"][1]["usage"] is None
    assert tool["seconds"] >= 0


def test_long_result_is_shortened() -> None:
    record = Record("sage")
    record.end(ROOT, "x" * 5000)
    shown = steps_of(record.entries)[0]["result"]
    assert len(shown) < 2100
    assert shown.endswith("(5000 characters)")
