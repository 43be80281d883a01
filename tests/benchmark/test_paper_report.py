"""The report of the paper's benchmark, and the verdicts of judges."""

import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmark.__main__ import main
from benchmark.fake_model_server import Completion, FakeModelServer
from benchmark.model_script import Json
from benchmark.paper.annotation import agreement
from benchmark.paper.case import Component
from benchmark.paper.cases import BY_ID
from benchmark.paper.judge import ModelJudge, judged
from benchmark.paper.methods import MethodSettings
from benchmark.paper.report import charts
from benchmark.paper.report.failures import (
    AGENT_TOOLS,
    TOOL_COMPONENTS,
    UNDECIDED,
    FailureType,
    mistake,
)
from benchmark.paper.report.figures import component_failures, rate, reported
from benchmark.paper.result import FailureReason, TaskResult
from benchmark.paper.runner import ResultFile
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


def test_results_of_another_image_model_are_not_reported() -> None:
    real, toy = result_of(vision="ViT-B-32"), result_of(vision="drawn/toy")
    assert reported([real, toy]) == [real]


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
        (
            failed(MILK, trace=trace(node("model", "m"))),
            FailureType.PLANNING,
            Component.PLANNER,
        ),
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


def test_where_no_rule_applies_the_mistake_is_open() -> None:
    found = mistake(failed(trace=trace(node("tool", "execute_command"))))
    assert (found.type, found.by) == (FailureType.OTHER, UNDECIDED)


def test_a_component_fails_in_the_cases_that_use_it() -> None:
    results = [failed(LIGHT), result_of(LIGHT, 2, success=True), failed(NEWS)]
    found = component_failures(results, {failed(LIGHT).key: Component.COMMANDS})
    commands = found[Component.COMMANDS]
    assert (commands.uses, commands.failed, commands.share) == (2, 1, 0.5)
    assert found[Component.MAIL].failed == 0


@pytest.fixture
def results_file(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    file = ResultFile(path)
    for repeat in (1, 2):
        file.add(result_of(LIGHT, repeat, success=repeat == 1, calls=2, price=0.5))
        file.add(failed(NEWS, repeat=repeat, answer="Nothing <b>new</b>", price=0.25))
        file.add(replace(result_of(LIGHT, repeat, success=True), method="idle", model=""))
    file.add(result_of(MILK, vision="drawn/toy"))
    return path


def test_the_report_is_one_page_and_markdown_with_charts(
    results_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    assert main(["report", str(results_file), "--out", str(out)]) == 0
    text, page = (out / "report.md").read_text(), (out / "report.html").read_text()
    assert "| sage, modest-1b | 25.0% | 0.0% | 50.0% | 2 | 2 |" in text
    assert "1.50 USD" in text
    assert "1 results with another image model are not part of this report." in text
    assert MILK not in text
    assert f"### {NEWS} (sage, modest-1b): Other" in text
    shown = re.findall(r"!\[.*\]\((.+)\)", text)
    assert set(shown) == {"success.png", "categories.png"}
    assert all((out / name).read_bytes().startswith(b"\x89PNG") for name in shown)
    assert page.count("data:image/png;base64,") == len(shown)
    assert "src=" not in page.replace('src="data:', "")
    assert "<b>new</b>" not in page


def test_without_matplotlib_the_report_says_how_to_go_on(
    results_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    arguments = ["report", str(results_file), "--out", str(tmp_path / "out")]
    assert main(arguments) == 2
    assert "--no-charts" in capsys.readouterr().err
    assert main([*arguments, "--no-charts"]) == 0
    with pytest.raises(charts.ChartError):
        charts.success_bars("none", {})


def test_there_is_no_report_without_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path / "none.jsonl"), "--out", str(tmp_path)]) == 1
    assert "no results" in capsys.readouterr().err


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


def test_a_judge_classifies_what_the_rules_leave_open_once(
    results_file: Path, tmp_path: Path
) -> None:
    verdict = {"type": "Planning", "component": "email", "why": "No mail was read."}
    out = tmp_path / "report"
    with FakeModelServer(judge_says({**verdict, "claims_more": True})) as server:
        arguments = ["report", str(results_file), "--out", str(out), "--no-charts"]
        arguments += ["--judge-base-url", server.url, "--judge-model", "test-model"]
        assert main(arguments) == 0
        asked = len(server.completions)
        assert main(arguments) == 0
        # The second report asks only whether the judge answers.
        assert len(server.completions) == asked + 1
    text = (out / "report.md").read_text()
    assert f"### {NEWS} (sage, modest-1b): Planning" in text
    assert "first mistake (by test-model): No mail was read." in text


def test_people_judge_the_same_summaries_and_agreement_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results.jsonl"
    file = ResultFile(path)
    with FakeModelServer(judge_says({"passes": True, "reason": "All is there."})) as server:
        judge = ModelJudge(server.url, "test-model")
        for repeat in (1, 2):
            summary = result_of(NEWS, repeat, success=True, answer=f"Summary {repeat}.")
            file.add(judged(summary, judge))
    file.add(result_of(LIGHT, success=True, answer="Done."))

    monkeypatch.setattr("sys.stdin", io.StringIO("maybe\ny\n"))
    assert main(["annotate", str(path), "--name", "Ada"]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert main(["annotate", str(path), "--name", "Ada"]) == 0

    shown = capsys.readouterr().out
    assert shown.count("Summary 1.") == 1
    assert "Done." not in shown
    assert "model test-model, Ada  2  50%  0.00" in shown


def test_agreement_is_corrected_for_chance() -> None:
    one = {"a": True, "b": True, "c": False, "d": False}
    found = agreement(one, {"a": True, "b": False, "c": False, "d": False, "e": True})
    assert found is not None
    assert (found.count, found.share) == (4, 0.75)
    assert found.kappa == pytest.approx(0.5)
    same = agreement({"a": True}, {"a": True})
    assert same is not None
    assert same.kappa is None
    assert agreement(one, {"z": True}) is None
