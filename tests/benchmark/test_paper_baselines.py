"""The paper's baselines against a scripted model: what they see, and what their replies do."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from benchmark.fake_model_server import Completion, FakeModelServer
from benchmark.paper.method_table import seen_settings
from benchmark.paper.methods import MethodSettings
from benchmark.paper.result import FailureReason, TaskResult
from benchmark.paper.runner import Task, run_task
from benchmark.simulator.home import load_home

pytestmark = pytest.mark.usefixtures("processes")

IDS = {each.key: each.id for each in load_home("paper").devices.values()}

type Replies = dict[str, Any]
"""First words of a prompt's example -> the reply: an object, or a text that is none."""


def script_of(replies: Replies) -> Callable[[dict[str, Any]], Completion]:
    """Return a model that knows a prompt by its object's first key; a list replies in turn."""

    def say(body: dict[str, Any]) -> Completion:
        example = body["messages"][0]["content"].splitlines()[-1]
        reply = replies[next(iter(json.loads(example)))]
        if isinstance(reply, list):
            reply = reply.pop(0)
        text = reply if isinstance(reply, str) else f"Here it is: {json.dumps(reply)}"
        return Completion(text=text)

    return say


def run_case(
    method: str, case: str, replies: Replies, **more: Any
) -> tuple[TaskResult, FakeModelServer]:
    with FakeModelServer(script_of(replies)) as server:
        settings = MethodSettings(name=method, base_url=server.url, model="test-model", **more)
        return run_task(Task(case=case, settings=seen_settings(settings), repeat=1)), server


def one(device: str, capability: str, **values: Any) -> dict[str, Any]:
    return {IDS[device]: {"main": {capability: values}}}


def goes_on(kind: str, *devices: str) -> Replies:
    return {
        "feasible": {"feasible": True, "explanation": ""},
        "devices": {"devices": [IDS[each] for each in devices]},
        "kind": {"kind": kind},
    }


@pytest.mark.slow
def test_one_prompt_sees_states_and_guide_and_its_changes_are_commands() -> None:
    light = one("light_bed", "switch", switch="on")
    replies = {"changes": {"changes": light, "answer": "The light is on."}}
    result, server = run_case("one-prompt", "bedside-light", replies)

    assert result.success, result.problems
    assert (result.answer, result.calls) == ("The light is on.", 1)
    assert (result.vision, result.state_form) == ("none", "full")
    (request,) = server.completions
    assert request.body["temperature"] == 0
    assert "Turn on the light by the bed" in request.prompt
    assert "10 | Yes TV | Jeopardy!" in request.prompt
    assert "Nadia" not in request.prompt
    assert "custom.dishwasherOperatingPercentage" in request.prompt
    (node,) = [each for each in result.trace[0]["root"]["children"] if each["kind"] == "tool"]
    assert node["arguments"]["command"] == "on"


@pytest.mark.slow
@pytest.mark.parametrize("method", ["one-prompt", "sasha"])
def test_a_reply_in_another_form_is_a_failure_and_is_not_asked_for_again(method: str) -> None:
    text = "I turned it on."
    replies = {"changes": text, "feasible": text}
    result, server = run_case(method, "bedside-light", replies)

    assert result.reason is FailureReason.MALFORMED_REPLY
    assert len(server.completions) == 1
    assert result.trace[0]["root"]["children"][0]["result"] == text


@pytest.mark.slow
def test_sasha_filters_plans_and_executes() -> None:
    light = one("light_bed", "switch", switch="on")
    replies = goes_on("control", "light_bed") | {"changes": {"changes": light, "answer": "On."}}
    result, server = run_case("sasha", "bedside-light", replies)

    assert result.success, result.problems
    gate, choice, kind, control = (each.prompt for each in server.completions)
    assert all('"switchLevel"' in each and '"hue"' not in each for each in (gate, choice))
    assert IDS["light_bed"] not in kind
    assert IDS["light_bed"] in control
    assert IDS["light_tv"] not in control
    assert all("10 | Yes TV | Jeopardy!" in each for each in (gate, control))


@pytest.mark.slow
def test_a_persistent_command_runs_when_its_attribute_gets_the_value() -> None:
    trigger = {
        "device": IDS["tv_credenza"],
        "component": "main",
        "capability": "switch",
        "attribute": "switch",
        "value": "off",
        "action": "Turn on the light by the bed",
    }
    light = one("light_bed", "switch", switch="on")
    replies = goes_on("", "tv_credenza", "light_bed") | {
        "kind": [{"kind": "persistent"}, {"kind": "control"}],
        "device": trigger,
        "changes": {"changes": light, "answer": "On."},
    }
    result, _ = run_case("sasha", "light-when-tv-off", replies)

    # Nothing before the event, once after it, across a restart.
    assert result.success, result.problems
    assert [each["command"] for each in result.trace][1:] == [trigger["action"]]
    assert result.calls == 8
