"""The report of the paper's benchmark, and the verdicts of judges."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmark.fake_model_server import Completion, FakeModelServer
from benchmark.model_script import Json
from benchmark.paper.case import Component
from benchmark.paper.cases import BY_ID
from benchmark.paper.judge import ModelJudge, judged
from benchmark.paper.methods import MethodSettings
from benchmark.paper.report.failures import AGENT_TOOLS, TOOL_COMPONENTS, FailureType, mistake
from benchmark.paper.report.figures import rate
from benchmark.paper.result import FailureReason, TaskResult
from benchmark.paper.trial import blank_result
from custom_components.sage.tools.sage_tool import SageTool

pytestmark = pytest.mark.usefixtures("socket_enabled")

LIGHT = "bedside-light"
NEWS = "what-did-i-miss"
MILK = "milk-reminder"
USAGE = {"prompt_tokens": 9, "cached_tokens": 0, "completion_tokens": 1}


def result_of(case: str = LIGHT, repeat: int = 1, **more: Any) -> TaskResult:
    settings = MethodSettings(name="sage", model="modest-1b")
    return replace(blank_result(BY_ID[case], settings, repeat, datetime.now(UTC)), **more)


def failed(case: str = LIGHT, **more: Any) -> TaskResult:
    return result_of(
        case, **{"reason": FailureReason.CRITERION, "problems": ("it is dark",), **more}
    )


def node(kind: str, name: str, *children: Json, **more: Any) -> Json:
    blank = {"arguments": {}, "result": "", "error": False, "usage": None, "children": children}
    return {"kind": kind, "name": name, **blank, **more}


def trace(*children: Json) -> tuple[Json, ...]:
    return ({"root": node("agent", "sage", *children)},)


def test_the_rate_has_the_worst_and_the_best_repeat() -> None:
    results = [
        result_of(case, repeat, success=success)
        for repeat, successes in enumerate(((True, True), (True, False), (False, False)), start=1)
        for case, success in zip((LIGHT, NEWS), successes, strict=True)
    ]
    found = rate(results)
    assert found is not None
    assert (found.mean, found.low, found.high) == (0.5, 0.0, 1.0)
    assert (found.cases, found.repeats) == (2, 3)
    assert rate([]) is None


@pytest.mark.parametrize(
    ("result", "type_", "component"),
    [
        (failed(reason=FailureReason.EXCEPTION), FailureType.FAULTY_TOOL, None),
        (failed(reason=FailureReason.MALFORMED_REPLY), FailureType.FORMATTING, None),
        (failed(reason=FailureReason.TIMEOUT), FailureType.LIMITATION, None),
        (failed(reason=FailureReason.FALSE_CLAIM), FailureType.HALLUCINATION, None),
        (
            failed(trace=trace(node("model", "m", error=True, usage=USAGE, result="Sure!"))),
            FailureType.FORMATTING,
            None,
        ),
        (
            failed(trace=trace(node("model", "m", error=True, result="prompt_too_long"))),
            FailureType.LIMITATION,
            None,
        ),
        (failed(trace=trace(node("tool", "oven", error=True))), FailureType.TOOL_SELECTION, None),
        (
            failed(trace=trace(node("tool", "search_tv_schedule", error=True))),
            FailureType.TOOL_POPULATION,
            Component.TV_SCHEDULE,
        ),
        (
            failed(
                trace=trace(
                    node("tool", "device_interaction", node("tool", "execute_command", error=True))
                )
            ),
            FailureType.API_REQUEST,
            Component.COMMANDS,
        ),
        (
            failed(MILK, trace=trace(node("tool", "condition_code_writing", error=True))),
            FailureType.CODE_WRITING,
            Component.CODE_WRITING,
        ),
        (failed(MILK, trace=trace(node("model", "m"))), FailureType.PLANNING, Component.PLANNER),
        (
            failed(MILK, trace=trace(node("tool", "condition_polling"))),
            FailureType.CODE_WRITING,
            Component.CODE_WRITING,
        ),
        (failed(trace=trace(node("model", "m"))), FailureType.PLANNING, Component.PLANNER),
        (
            failed(questions=("Which?",), superfluous_questions=1),
            FailureType.UNDERSTANDING,
            Component.HUMAN_INTERACTION,
        ),
    ],
)
def test_rules_name_the_first_mistake(
    result: TaskResult, type_: FailureType, component: Component | None
) -> None:
    found = mistake(result)
    assert (found.type, found.component, found.by) == (type_, component, "rules")


def names_below(tool: type) -> set[str]:
    return {tool.__dict__.get("name", "")}.union(*map(names_below, tool.__subclasses__()))


def test_every_tool_of_sage_belongs_to_a_component() -> None:
    known = TOOL_COMPONENTS.keys() | AGENT_TOOLS
    names = {str(each).removeprefix("sage__") for each in names_below(SageTool)} - {""}
    assert {"execute_command", "weather"} < names
    assert names <= known


def test_the_first_mistake_comes_with_the_step_before_it() -> None:
    calls = (
        node("tool", "device_disambiguation", arguments={"words": "bed"}, result="light 2"),
        node("tool", "execute_command", arguments={"level": 300}, result="too high", error=True),
        node("tool", "read_attributes", error=True),
    )
    excerpt = mistake(failed(trace=trace(*calls))).excerpt
    assert excerpt.splitlines() == [
        'tool device_disambiguation {"words": "bed"} -> light 2',
        'tool execute_command ERROR {"level": 300} -> too high',
    ]


def judge_says(reply: Json) -> Callable[[Json], Completion]:
    def answer(body: Json) -> Completion:
        return Completion(text=f"Here it is: {json.dumps(reply)}")

    return answer


@pytest.mark.parametrize(("passes", "reason"), [(True, None), (False, FailureReason.JUDGE)])
def test_a_judge_decides_about_summaries_only(passes: bool, reason: FailureReason | None) -> None:
    verdict = {"passes": passes, "reason": "The dentist is missing."}
    with FakeModelServer(judge_says(verdict)) as server:
        judge = ModelJudge(server.url, "test-model")
        summary = judged(result_of(NEWS, success=True, answer="Water is off."), judge)
        other = judged(result_of(LIGHT, success=True, answer="Done."), judge)
        assert judged(summary, judge) == summary
        assert len(server.completions) == 1
        assert "Water is off." in server.completions[0].prompt
    assert (summary.success, summary.reason) == (passes, reason)
    assert summary.judgement is not None
    assert summary.judgement.judge == "test-model"
    assert other.judgement is None
    assert other.success


def test_a_judge_without_a_verdict_passes_nothing() -> None:
    with FakeModelServer(judge_says({"grade": 1})) as server:
        judge = ModelJudge(server.url, "test-model")
        summary = judged(result_of(NEWS, success=True, answer="Water is off."), judge)
    assert not summary.success
    assert "no verdict" in summary.problems[0]
