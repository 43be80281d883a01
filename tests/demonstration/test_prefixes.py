"""The demo is ready when the model has read the beginnings of SAGE's prompts."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from scripts.demonstration import prefixes
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
