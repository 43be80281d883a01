"""The benchmark of the sandbox prints its figures and reports a missed bound."""

import json
import subprocess
import sys
from itertools import count

import pytest

from benchmark import sandbox
from custom_components.sage.routines.sandbox.contract import FunctionResult


@pytest.fixture
def sandbox_patience() -> float:
    """Checks that do not end are ended, and a busy machine has time for the others."""
    return 3


def test_it_measures(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sandbox, "BOUND", 1e9)
    monkeypatch.setattr(sandbox, "ENDLESS_BOUND", 1e9)
    assert sandbox.main(["--checks", "6", "--batches", "2"]) == 0

    *table, line = capsys.readouterr().out.splitlines()
    figures = json.loads(line)
    assert figures["passed"] is True
    assert len(table) == 2
    assert figures["clock_per_check_us"] > 0
    assert figures["per_check_us"] > 0
    assert figures["endless_ms"] > 0
    assert 2 < figures["worker_mb"] < 100


@pytest.mark.parametrize("bound", ["BOUND", "ENDLESS_BOUND"])
def test_a_missed_bound_is_an_exit_code(monkeypatch: pytest.MonkeyPatch, bound: str):
    monkeypatch.setattr(sandbox, "BOUND", 1e9)
    monkeypatch.setattr(sandbox, "ENDLESS_BOUND", 1e9)
    monkeypatch.setattr(sandbox, bound, 0.0)

    assert sandbox.main(["--checks", "3", "--batches", "1"]) == 1


def test_the_time_of_other_programs_misses_no_bound(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """On the clock all takes hours."""
    clock = count(step=3600.0)
    monkeypatch.setattr("benchmark.sandbox.time.perf_counter", lambda: next(clock))

    sandbox.main(["--checks", "6", "--batches", "1"])

    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["endless_clock_ms"] >= 3600e3
    assert 50 < figures["endless_ms"] < 3600e3


def test_the_time_of_a_worker_counts_even_when_it_has_ended():
    before = sandbox.processor(sandbox.children())
    computing = "import time\nwhile time.process_time() < 0.5: pass"

    subprocess.run([sys.executable, "-c", computing], check=True)

    assert sandbox.processor(sandbox.children()) - before >= 0.5


def test_a_check_that_ends_is_not_taken_for_endless(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sandbox, "ENDLESS", ("return True",))

    assert sandbox.main(["--checks", "3", "--batches", "1"]) == 2
    assert "return True" in capsys.readouterr().err


def test_a_wrong_value_is_no_figure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    answers = dict.fromkeys(sandbox.ANSWERS, FunctionResult(error="not now"))
    monkeypatch.setattr(sandbox, "ANSWERS", answers)

    assert sandbox.main(["--checks", "3", "--batches", "1"]) == 2
    assert "not now" in capsys.readouterr().err
