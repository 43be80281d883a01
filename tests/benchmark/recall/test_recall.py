"""The recall benchmark runs, prints its figures, and is strict about its bounds."""

import json
import sys
from typing import Any

import pytest

from benchmark.recall.__main__ import BEHIND_BOUND, COSINE_BOUND, main, missed_bounds
from benchmark.recall.corpus import KINDS, PEOPLE
from tests.benchmark.running import run_benchmark


@pytest.fixture(scope="module")
def printed() -> list[str]:
    run = run_benchmark("recall", "--memories", "2000")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "embedded" in run.stderr
    return run.stdout.strip().splitlines()


@pytest.mark.slow
def test_built_in_model_recalls_as_the_original_does(printed: list[str]) -> None:
    figures = json.loads(printed[-1])
    differences = figures["differences"]
    assert figures["questions"] >= 300
    assert figures["recall"]["minilm"]["all"] > 60
    assert differences["builtin - minilm"]["all"]["mean"] >= -BEHIND_BOUND
    assert figures["cosine"]["mean"] >= COSINE_BOUND
    assert differences["builtin - bm25"]["all"]["low"] > 0
    assert figures["missed"] == []


@pytest.mark.slow
def test_all_is_told_of_each_person_and_each_kind(printed: list[str]) -> None:
    figures = json.loads(printed[-1])
    for row in figures["recall"].values():
        assert set(row) == {"all", *PEOPLE, *KINDS}
        assert all(0 <= value <= 100 for value in row.values())
    for row in figures["differences"].values():
        assert set(row) == {"all", *PEOPLE}
        assert all(each["low"] <= each["mean"] <= each["high"] for each in row.values())
    assert figures["builtin"]["ms_per_utterance"]["median"] > 0
    assert figures["builtin"]["file_mb"] <= 24
    assert figures["builtin"]["loaded_mb"] > 20
    assert figures["index"]["memories"] == 2000


@pytest.mark.slow
def test_the_table_has_a_line_for_each_method_and_difference(printed: list[str]) -> None:
    figures = json.loads(printed[-1])
    table = [line for line in printed[:-1] if line]
    for name in (*figures["recall"], *figures["differences"], *figures["forms"]):
        assert any(line.startswith(name) for line in table), name
    assert any("MB of memory" in line for line in table)


def figures_with(
    *, builtin: float = 0, cosine: float = 0.999, above: float = 30, hybrid: float = 1
) -> dict[str, Any]:
    return {
        "differences": {
            "builtin - minilm": {"all": {"mean": builtin}},
            "builtin - bm25": {"all": {"low": above}},
            "hybrid, held out - builtin": {"all": {"mean": hybrid}},
        },
        "cosine": {"mean": cosine},
    }


@pytest.mark.parametrize(
    ("figures", "word"),
    [
        (figures_with(builtin=-2.1), "points behind minilm"),
        (figures_with(cosine=0.989), "cosine"),
        (figures_with(above=-0.1), "above bm25"),
        (figures_with(hybrid=-0.1), "hybrid"),
    ],
)
def test_each_bound_is_missed_on_its_own(figures: dict[str, Any], word: str) -> None:
    missed = missed_bounds(figures)
    assert len(missed) == 1
    assert word in missed[0]


def test_bounds_hold_at_their_edge() -> None:
    assert missed_bounds(figures_with(builtin=-2.0, cosine=0.99, above=0.1, hybrid=0)) == []


def test_vectors_of_other_texts_end_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["recall"])
    monkeypatch.setattr("benchmark.recall.__main__.texts", lambda _: ["something else"])

    assert main() == 2
    assert "made for other texts" in capsys.readouterr().err


@pytest.mark.slow
def test_what_was_said_is_told_from_what_was_not() -> None:
    run = run_benchmark("recall", "--said")
    assert run.returncode == 0, run.stdout + run.stderr
    figures = json.loads(run.stdout.strip().splitlines()[-1])
    assert figures["missed"] == []
    for limit, row in figures["accepted"]["vectors and words"].items():
        assert any(line.startswith(limit) for line in run.stdout.splitlines()), limit
        assert row["nonsense"] < row["said"]
