"""The paper's baselines against a scripted model: what they see, and what their replies do."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark.__main__ import main
from benchmark.fake_model_server import Completion, FakeModelServer, Fault, FaultKind
from benchmark.paper.method_table import METHODS, VIEWS, seen_settings, view_table
from benchmark.paper.methods import MethodSettings
from benchmark.paper.result import FailureReason, TaskResult
from benchmark.paper.runner import Task, run_task
from benchmark.simulator.home import load_home

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).parents[2]
IDS = {each.key: each.id for each in load_home("paper").devices.values()}

type Replies = dict[str, Any]
"""First words of a prompt's example -> the reply: an object, or a text that is none."""


def script_of(replies: Replies) -> Callable[[dict[str, Any]], Completion]:
    """Return a model that knows a prompt by the first key of the object it asks for.

    The reply to a key of several prompts is a list, in turn.
    """

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
    """Return the change of attributes of one capability."""
    return {IDS[device]: {"main": {capability: values}}}


def goes_on(kind: str, *devices: str) -> Replies:
    """Return the replies of Sasha's first stages."""
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
def test_changes_of_several_devices_are_merged_and_the_reduced_form_is_shorter() -> None:
    changes = {
        IDS["tv_frame"]: {
            "name": "The Frame",
            "main": {"tvChannel": {"tvChannel": 7}, "switch": {"switch": "on"}},
        },
        IDS["tv_credenza"]: {
            "main": {"switch": {"switch": "off"}, "tvChannel": {"tvChannel": "7"}}
        },
        "sauna": {"main": {"switch": {"switch": "on"}}},
    }
    replies = {"changes": {"changes": changes, "answer": "Done."}}
    result, server = run_case("one-prompt", "switch-to-other-tv", replies, state_form="paper")

    assert result.success, result.problems
    assert result.state_form == "paper"
    tools = [each for each in result.trace[0]["root"]["children"] if each["kind"] == "tool"]
    assert [each["result"] for each in tools if each["error"]] == [
        "sauna has no main/switch.switch"
    ]
    sent = [each["arguments"]["command"] for each in tools if not each["error"]]
    # The channel that the first TV already has is no change.
    assert sent == ["on", "setTvChannel", "off"]
    (request,) = server.completions
    assert "custom.dishwasherOperatingPercentage" not in request.prompt
    assert all(each in request.prompt for each in IDS.values())


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
def test_a_model_that_is_away_is_no_malformed_reply() -> None:
    with FakeModelServer([Fault(kind=FaultKind.KEY_REFUSED)]) as server:
        settings = MethodSettings(name="sasha", base_url=server.url, model="test-model")
        result = run_task(Task(case="bedside-light", settings=settings, repeat=1))

    assert result.reason is FailureReason.CRITERION
    assert result.is_void
    assert result.trace[0]["kind"] == "no_reply"


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
def test_sasha_answers_a_question_from_the_states() -> None:
    replies = goes_on("sensor", "dishwasher") | {"answer": {"answer": "It is at prewash."}}
    result, server = run_case("sasha", "dishwasher-phase", replies)

    assert result.success, result.problems
    assert result.answer == "It is at prewash."
    assert "prewash" in server.completions[-1].prompt


@pytest.mark.slow
def test_what_the_home_cannot_do_ends_the_pipeline_with_the_explanation() -> None:
    replies = {"feasible": {"feasible": False, "explanation": "There is no mail."}}
    result, server = run_case("sasha", "what-did-i-miss", replies)

    assert (result.answer, result.reason) == ("There is no mail.", FailureReason.CRITERION)
    assert len(server.completions) == 1


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


@pytest.mark.slow
def test_a_fired_reminder_reaches_the_phone() -> None:
    trigger = {
        "device": IDS["fridge"],
        "component": "cooler",
        "capability": "contactSensor",
        "attribute": "contact",
        "value": "open",
        "action": "Remind me to throw out the milk",
    }
    replies = goes_on("", "fridge") | {
        "kind": [{"kind": "persistent"}, {"kind": "sensor"}],
        "device": trigger,
        "answer": {"answer": "Throw out the milk."},
    }
    result, _ = run_case("sasha", "milk-reminder", replies)
    assert result.success, result.problems


def test_every_method_says_what_it_sees(capsys: pytest.CaptureFixture[str]) -> None:
    assert VIEWS.keys() == METHODS.keys()
    assert main(["methods"]) == 0
    assert capsys.readouterr().out.strip() == view_table()
    assert view_table() in (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    sage = MethodSettings(name="sage", state_form="paper")
    assert seen_settings(sage) == replace(sage, state_form="full")
