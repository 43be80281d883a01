"""The demo is ready when the model has read the beginnings of SAGE's prompts."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from scripts.demonstration import prefixes
from scripts.demonstration.model_front import Reading
from scripts.demonstration.prefixes import prefixes_read


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefixes, "ASK_AGAIN", 0.0)


class Told:
    """A home that says how far its agents are, one time after the other."""

    def __init__(self, *told: list[tuple[str, float]]) -> None:
        self.told: Iterator[list[tuple[str, float]]] = iter(told)

    async def call(self, kind: str) -> Any:
        assert kind == "sage/prefixes"
        return {"prefixes": [{"state": state, "done": done} for state, done in next(self.told)]}


async def read(capsys: pytest.CaptureFixture[str], *told: list[tuple[str, float]]) -> list[str]:
    """Wait for such a home; return the lines that were shown."""
    home: Any = Told(*told)
    await prefixes_read(home, time.monotonic())
    with pytest.raises(StopIteration):
        next(home.told)
    return capsys.readouterr().out.splitlines()


async def test_it_waits_and_shows_each_step(capsys) -> None:
    lines = await read(
        capsys,
        [("waiting", 0.0)],
        [("evaluating", 0.0)],
        [("evaluating", 0.5)],
        [("evaluating", 0.5)],
        [("ready", 1.0)],
    )
    assert [line.partition("] ")[2][:38] for line in lines] == [
        "The model reads SAGE's prompts:   0%",
        "The model reads SAGE's prompts:  50%, ",
    ]
    assert "s left" in lines[1]


class Front:
    """A front that has read more each time, and notes that the reading is over."""

    def __init__(self, *tokens: int) -> None:
        self.tokens = iter(tokens)
        self.is_over = False

    def reading(self) -> Reading:
        tokens = next(self.tokens)
        return Reading(tokens=tokens, total=2000, seconds_left=tokens / 100 if tokens else None)

    def end_reading(self) -> None:
        self.is_over = True


async def test_a_model_on_this_machine_counts_the_tokens(capsys) -> None:
    home: Any = Told(*[[("evaluating", 0.0)]] * 4, [("ready", 1.0)])
    front: Any = Front(0, 300, 350, 1256)
    await prefixes_read(home, time.monotonic(), front)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("] ")[2] for line in lines] == [
        "The model reads SAGE's prompts: 0 of about 2,000 tokens",
        "The model reads SAGE's prompts: 300 of about 2,000 tokens, about 3 s left",
        "The model reads SAGE's prompts: 1,256 of about 2,000 tokens, about 13 s left",
    ]
    assert front.is_over


async def test_what_was_not_read_to_the_end_is_not_remembered(capsys, monkeypatch) -> None:
    monkeypatch.setattr(prefixes, "PATIENCE", -1.0)
    home: Any = Told([("waiting", 0.0)])
    front: Any = Front()
    await prefixes_read(home, time.monotonic(), front)
    assert not front.is_over


async def test_it_waits_for_all_agents(capsys) -> None:
    assert await read(
        capsys, [("ready", 1.0), ("evaluating", 0.25)], [("ready", 1.0), ("ready", 1.0)]
    )


@pytest.mark.parametrize("told", [[], [("away", 0.0)], [("ready", 1.0)]])
async def test_there_is_nothing_to_wait_for(capsys, told) -> None:
    assert await read(capsys, told) == []


async def test_what_does_not_begin_is_not_waited_for(capsys, monkeypatch) -> None:
    monkeypatch.setattr(prefixes, "PATIENCE", -1.0)
    assert await read(capsys, [("waiting", 0.0)]) == []
