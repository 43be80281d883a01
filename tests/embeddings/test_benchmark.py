"""The benchmark of the built-in model runs, and reports a missed bound."""

import json
import sys
from typing import Any

import pytest

from benchmark import embeddings
from benchmark.embeddings import BYTES_BOUND, COSINE_BOUND, main, measure, show
from custom_components.sage.embeddings.minilm import MODEL_FILE

type Json = dict[str, Any]


@pytest.fixture(scope="module")
def figures() -> Json:
    """Return what one round finds; how fast this machine is does not matter here."""
    return measure(1)


@pytest.mark.slow
def test_all_figures_are_there(figures: Json):
    assert figures["utterances"] >= 200
    assert figures["file_bytes"] == MODEL_FILE.stat().st_size
    assert figures["cosine"]["min"] <= figures["cosine"]["p5"] <= figures["cosine"]["mean"] <= 1
    assert len(figures["rows"]) == 3
    for row in figures["rows"].values():
        assert 0 < row["wall_ms"]["median"] <= row["wall_ms"]["p95"]
        assert row["cpu_ms"] > 0
    memory = figures["memory_mb"]
    # What is resident shrinks, too, when the system takes pages back.
    # What a process has freed before, it takes again unseen.
    assert -20 < memory["loaded"] < 100
    assert -20 < memory["after_all"] < 100


@pytest.mark.slow
def test_the_table_has_a_line_for_each_row_and_each_missed_bound(
    figures: Json, capsys: pytest.CaptureFixture[str]
):
    show(figures | {"missed": ["as near as it gets"]})

    printed = capsys.readouterr().out
    for name in (*figures["rows"], "MISSED  as near as it gets"):
        assert any(line.startswith(name) for line in printed.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bound", "value", "said"),
    [("COSINE_BOUND", 1.01, "cosine"), ("BYTES_BOUND", 20_000_000, "file"), ("", 0, "")],
)
def test_the_exit_code_follows_the_bounds(
    figures: Json,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    bound: str,
    value: float,
    said: str,
):
    # Measured once; the bounds are judged again.
    judge = embeddings.missed_bounds
    monkeypatch.setattr(embeddings, "LOAD_BOUND", 60.0)
    if bound:
        monkeypatch.setattr(embeddings, bound, value)
    monkeypatch.setattr(embeddings, "measure", lambda _: figures | {"missed": judge(figures)})
    monkeypatch.setattr(sys, "argv", ["benchmark.embeddings"])

    code = main()

    missed = json.loads(capsys.readouterr().out.splitlines()[-1])["missed"]
    assert code == len(missed) == (1 if bound else 0)
    assert all(line.startswith(said) for line in missed)


def test_the_bounds_are_those_of_the_issue():
    assert COSINE_BOUND >= 0.99
    assert BYTES_BOUND <= 24_000_000
