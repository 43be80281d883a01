"""The benchmark of memory measures what it says, and fails when a bound is missed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmark import memory_store
from custom_components.sage.memory.recall import RecallIndex


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return memory_store.measure(tmp_path_factory.mktemp("memory") / "one.db", 1200, 40, 1)


def test_all_figures_are_measured(figures: dict[str, Any], capsys: pytest.CaptureFixture[str]):
    assert figures["memories"] == 1200
    assert 1 < figures["file_mb"] < 6
    assert 1.8 < figures["vectors_mb"] < 3
    assert 15 < figures["adding"]["written_kb"] < memory_store.WRITTEN_BOUND
    assert figures["forgetting_one"]["written_mb"] > figures["file_mb"]
    for row in ("recall", "adding", "adding_empty"):
        assert 0 < figures[row]["median_ms"] <= figures[row]["p99_ms"]

    memory_store.show(figures)
    assert "1200 memories" in capsys.readouterr().out


def test_a_missed_bound_is_told(figures: dict[str, Any], capsys: pytest.CaptureFixture[str]):
    slow = json.loads(json.dumps(figures))
    slow["recall"]["processor_p99_ms"] = 10.01
    slow["loading"]["processor_median_s"] = 1.2
    slow["adding"]["written_kb"] = 4 * figures["adding_empty"]["written_kb"]

    missed = memory_store.missed_bounds(slow)
    memory_store.show({**slow, "missed": missed})

    assert [line.split(":")[0] for line in missed] == [
        "recall p99 in ms, at most 10.0",
        "loading in s, at most 1.0",
        "written per memory in kB, at most 100.0",
        "written, of that in an empty memory, at most 1.5",
    ]
    assert capsys.readouterr().out.count("MISSED") == 4


@pytest.mark.parametrize(
    ("memories", "took", "missed"),
    [(20_000, 10.0, False), (20_001, 10.1, False), (100_000, 60.1, True), (100_001, 900.0, False)],
)
def test_more_memories_may_take_longer(
    figures: dict[str, Any], memories: int, took: float, missed: bool
):
    recall = figures["recall"] | {"processor_p99_ms": took}

    found = memory_store.missed_bounds(figures | {"memories": memories, "recall": recall})

    assert any(line.startswith("recall") for line in found) is missed


def test_a_wrong_recall_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    best = RecallIndex.best

    def without_the_best(recall: RecallIndex, vector: np.ndarray, model_id: str, k: int = 5):
        return best(recall, vector, model_id, k + 1)[1:]

    monkeypatch.setattr(RecallIndex, "best", without_the_best)

    with pytest.raises(memory_store.WrongRecallError):
        memory_store.measure(tmp_path / "one.db", 400, 5, 1)


@pytest.mark.parametrize(
    ("missed", "code"), [([], 0), (["recall"], 1), (memory_store.WrongRecallError("no"), 2)]
)
def test_the_exit_code(
    figures: dict[str, Any],
    missed: Any,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def measured(*arguments: Any) -> dict[str, Any]:
        if isinstance(missed, Exception):
            raise missed
        return {**figures, "missed": missed}

    monkeypatch.setattr(memory_store, "measure", measured)
    monkeypatch.setattr("sys.argv", ["memory_store"])

    assert memory_store.main() == code

    if code < 2:
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["missed"] == missed
