"""The people of the soak say nothing new after the warm-up, so that what SAGE stores is level."""

import re
from collections.abc import AsyncGenerator
from typing import Any, cast

import pytest

from benchmark.soak_model import SoakModel
from benchmark.soak_talk import Talker, Tally
from scripts.demonstration.client import Client

WARM_UP = 600  # requests of one person in ten minutes; the soak test makes about 70 a minute
SOAK = 3_000


class EnoughError(Exception):
    """As many requests were made as the test wants."""


class Listener:
    """Stands in for a connection to Home Assistant; every fact is acknowledged."""

    def __init__(self, most: int) -> None:
        self.said: list[str] = []
        self._most = most

    async def assist(self, text: str, **_: Any) -> AsyncGenerator[dict[str, Any]]:
        if len(self.said) == self._most:
            raise EnoughError
        self.said.append(text)
        found = re.fullmatch(r"remember that my (.+) is .+", text)
        heard = f"I will remember your {found[1]}." if found else "Well."
        speech = {"plain": {"speech": heard}}
        output = {"conversation_id": "one", "response": {"speech": speech}}
        yield {"type": "intent-end", "data": {"intent_output": output}}
        yield {"type": "run-end"}

    async def call(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {"response": {"routines": [{"fired": True}]}}


async def talk(name: str, requests: int) -> tuple[Listener, Talker]:
    """Let a person of the soak make requests; return what was heard of them."""
    listener = Listener(requests)
    talker = Talker(name, cast("Client", listener), "pipeline", SoakModel(), Tally())
    with pytest.raises(EnoughError):
        await talker.async_talk(86_400, 0)
    return listener, talker


@pytest.mark.parametrize("name", ["owner", "alex"])
async def test_nothing_new_is_said_after_the_warm_up(name: str) -> None:
    listener, _ = await talk(name, SOAK)
    assert set(listener.said[WARM_UP:]) <= set(listener.said[:WARM_UP])


@pytest.mark.parametrize("name", ["owner", "alex"])
async def test_the_facts_are_all_told_by_the_end_of_the_warm_up(name: str) -> None:
    _, early = await talk(name, WARM_UP)
    _, late = await talk(name, SOAK)
    assert early.facts == late.facts
    assert len(late.facts) >= 10
