"""The runner of the paper's cases: each in a process, none stops the others."""

import asyncio
import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmark.paper.case import Category, Suite
from benchmark.paper.cases import BY_ID, CASES
from benchmark.paper.methods import MethodSettings
from benchmark.paper.result import FailureReason, TaskResult
from benchmark.paper.runner import ResultFile, Task, left_of, run_all, run_task, successes
from benchmark.paper.sage_method import SageMethod
from benchmark.paper.trial import blank_result
from custom_components.sage.agent.port import Port, RunEnded

pytestmark = pytest.mark.usefixtures("processes")

LIGHT = "bedside-light"
IDEAL = MethodSettings(name="ideal")


class Deadly(MethodSettings):
    """Settings that end the process that receives them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def result_of(case: str, **more: Any) -> TaskResult:
    blank = blank_result(BY_ID[case], IDEAL, 1, datetime.now(UTC))
    return replace(blank, **more)


def test_the_cases_are_those_of_the_paper() -> None:
    """The counts of the categories; a case may have several."""
    main_cases = [each for each in CASES if each.suite is Suite.MAIN]
    assert len(main_cases) == 50
    counts = Counter(category for case in main_cases for category in case.categories)
    assert counts == {
        Category.DEVICE: 35,
        Category.INTENT: 24,
        Category.PERSONALIZATION: 18,
        Category.CHAINING: 13,
        Category.PERSISTENCE: 4,
        Category.DIRECT: 7,
    }
    assert len(BY_ID) == len(CASES)


@pytest.mark.slow
def test_a_scripted_person_answers_and_confirms_and_both_are_counted() -> None:
    result = run_task(Task(case="time-for-adam", settings=IDEAL, repeat=1))
    assert result.problems == ()
    assert result.success
    assert result.questions == ("At what time?",)
    assert result.superfluous_questions == 0
    assert result.confirmations == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["idle", "parrot"])
def test_doing_nothing_and_repeating_everything_is_no_success(name: str) -> None:
    result = run_task(Task(case=LIGHT, settings=MethodSettings(name=name), repeat=1))
    assert not result.success
    assert result.reason is FailureReason.CRITERION, result.problems


async def test_a_routine_that_asks_gets_no_reply_and_holds_up_no_case() -> None:
    port = Port(60)
    asked: list[str] = []

    async def act() -> None:
        try:
            await port.async_ask("Shall I forget that?")
        except RunEnded:
            asked.append("no reply")

    async def settle() -> None:
        pass

    runs = SimpleNamespace(active={"run": SimpleNamespace(port=port)}, traces=lambda _: ())
    action = asyncio.create_task(act())

    class Acting:
        @property
        def is_busy(self) -> bool:
            return not action.done()

    runtime = SimpleNamespace(runs=runs, routines=Acting())
    home = SimpleNamespace(
        sage=SimpleNamespace(runtime_data=runtime), user_ids={"nadia": "1"}, async_settle=settle
    )

    async with asyncio.timeout(120):
        await SageMethod(MethodSettings(name="sage")).async_settle(home)  # type: ignore[arg-type]

    assert asked == ["no reply"]


def test_what_dies_hangs_or_raises_is_one_failure_with_a_reason(tmp_path: Path) -> None:
    hangs = Task(case=LIGHT, settings=IDEAL, repeat=1, patience=0.1)
    dies = Task(case=LIGHT, settings=Deadly(name="ideal"), repeat=2)
    raises = Task(case=LIGHT, settings=MethodSettings(name="nobody"), repeat=3)
    told: list[TaskResult] = []
    file = ResultFile(tmp_path / "results.jsonl")

    results = run_all([hangs, dies, raises], file, pool=ThreadPoolExecutor(2), told=told.append)

    assert [each.reason for each in results] == [
        FailureReason.TIMEOUT,
        FailureReason.EXCEPTION,
        FailureReason.EXCEPTION,
    ]
    assert results[1].problems == ("the process died: 3",)
    assert "KeyError" in results[2].problems[0]
    assert sorted(each.repeat for each in told) == [1, 2, 3]
    assert {each.key for each in file.read()} == {each.key for each in results}


def test_what_is_in_the_file_is_not_run_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    file = ResultFile(path)
    file.add(result_of(LIGHT, success=True, answer="Done."))
    with path.open("a", encoding="utf-8") as cut:
        cut.write('{"case": "bedside')
    # A task that would hang: it is known, so nothing is started.
    known = Task(case=LIGHT, settings=IDEAL, repeat=1, patience=0.0)

    (result,) = run_all([known], file)

    assert result.answer == "Done."
    assert successes([result]) == 1
    file.add(result_of("dishwasher-phase"))
    assert [each.case for each in file.read()] == [LIGHT, "dishwasher-phase"]


def test_a_case_whose_model_never_replied_is_run_again(tmp_path: Path) -> None:
    file = ResultFile(tmp_path / "results.jsonl")
    file.add(result_of(LIGHT, calls=2, model_failures=("unreachable", "unreachable")))
    again = Task(case=LIGHT, settings=IDEAL, repeat=1, patience=0.0)
    assert left_of([again], file) == [again]
    file.add(result_of(LIGHT, calls=3, model_failures=("unreachable",)))
    assert left_of([again], file) == []


def test_a_result_survives_as_a_line() -> None:
    result = result_of(LIGHT, success=False, reason=FailureReason.CRITERION, problems=("dark",))
    assert TaskResult.from_line(result.as_line()) == result
    with pytest.raises(ValueError, match="not a result"):
        TaskResult.from_line(json.dumps({"case": LIGHT}))
