"""The demo is ready when the model has read the beginnings of SAGE's prompts."""

import time
from typing import Any

import pytest

from scripts.demonstration import prefixes
from scripts.demonstration.model_front import Reading
from scripts.demonstration.prefixes import prefixes_read


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefixes, "ASK_AGAIN", 0.0)
    monkeypatch.setattr(prefixes, "QUIET", 0.01)


class Front:
    """A front that has read more each time, and notes that the reading is over."""

    def __init__(self, *tokens: int) -> None:
        self.tokens = list(tokens)
        self.read = 0
        self.is_over = False

    @property
    def is_reading(self) -> bool:
        if self.tokens:
            self.read = self.tokens.pop(0)
            return True
        return False

    def reading(self) -> Reading:
        return Reading(
            tokens=self.read, total=2000, seconds_left=self.read / 100 if self.read else None
        )

    def end_reading(self) -> None:
        self.is_over = True


async def test_a_model_on_this_machine_counts_the_tokens(capsys) -> None:
    front: Any = Front(0, 300, 350, 1256)
    await prefixes_read(front, time.monotonic())
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("] ")[2] for line in lines] == [
        "The model reads SAGE's prompts: 0 of about 2,000 tokens",
        "The model reads SAGE's prompts: 300 of about 2,000 tokens, about 3 s left",
        "The model reads SAGE's prompts: 1,256 of about 2,000 tokens, about 13 s left",
    ]
    assert front.is_over


async def test_what_does_not_begin_is_not_waited_for(capsys, monkeypatch) -> None:
    monkeypatch.setattr(prefixes, "PATIENCE", 0.01)
    front: Any = Front()
    await prefixes_read(front, time.monotonic())
    assert capsys.readouterr().out == ""
