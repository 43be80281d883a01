"""What the stories about memory share: what a model says, and what is kept of people."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from benchmark.model_script import Completion
from custom_components.sage.memory.memories import Memory, Origin, Profile
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.decisions import Decides, step
from tests.end_to_end.conftest import Sage

WHO = "You answer one question about a person"  # how the prompt of the personalization tool begins


def person_of(user_id: str | None) -> Person:
    return HOUSEHOLD if user_id is None else Person(user_id=user_id, name="")


def knows(answer: str, *rests_on: int) -> Completion:
    """Return what the model of the personalization tool says when it finds something."""
    return Completion(text=json.dumps({"known": True, "answer": answer, "rests_on": rests_on}))


NOTHING = Completion(text=json.dumps({"known": False, "answer": "", "rests_on": []}))


def tune_in(decides: Decides, wish: str, channel: str) -> tuple[Completion, ...]:
    """Return what the model decides to have a channel on the television."""
    return (
        *decides.planned(wish, step("command", "living_room_tv")),
        decides.execute(
            "living_room_tv",
            command="play_media",
            arguments={"media": {"media_content_type": "channel", "media_content_id": channel}},
        ),
        decides.finish("acted", "The game is on."),
    )


def channel_of(hass: HomeAssistant) -> str | None:
    state = hass.states.get("media_player.living_room_tv")
    assert state is not None
    return state.attributes.get("media_channel")


def observed(sage: Sage, call: int = -1) -> str:
    return str(sage.server.completions[call].messages[-1]["content"])


def asked_of_memory(sage: Sage) -> list[str]:
    """Return what the personalization tool gave to the model, each time."""
    return [
        str(request.messages[1]["content"])
        for request in sage.server.completions
        if str(request.messages[0]["content"]).startswith(WHO)
    ]


async def give_profile(sage: Sage, user_id: str | None, text: str) -> None:
    """Let a profile have been made of a person."""
    profile = Profile(text=text, made_at=dt_util.utcnow(), model="test-model", dates=())
    memory = sage.entry.runtime_data.memory
    assert await memory.async_do(
        person_of(user_id), lambda kept: kept.summaries.set_profile(profile, kept.summaries.notes())
    )


async def kept(sage: Sage, user_id: str | None = None) -> list[Memory]:
    await sage.hass.async_block_till_done()
    memory = sage.entry.runtime_data.memory
    return [*reversed(await memory.async_do(person_of(user_id), PersonMemory.list))]


async def words(sage: Sage, user_id: str | None = None) -> list[str]:
    """Return the texts that are remembered of a person, oldest first."""
    return [each.text for each in await kept(sage, user_id)]


async def plant(
    sage: Sage,
    user_id: str | None,
    text: str,
    *,
    at: datetime | None = None,
    question: str | None = None,
    origin: Origin = Origin.SAID,
    tainted: bool = False,
) -> None:
    new = Memory(
        text=text, at=at or dt_util.utcnow(), question=question, origin=origin, tainted=tainted
    )
    assert await sage.entry.runtime_data.memory.of(user_id).async_remember(new)


def bytes_of(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file())


def memory_files(hass: HomeAssistant, user_id: str | None) -> bytes:
    """Return all bytes of the files that keep a person's memory."""
    folder = Path(hass.config.path(".storage/sage/memory"))
    stem = "household" if user_id is None else user_id
    return b"".join(each.read_bytes() for each in sorted(folder.glob(f"{stem}.db*")))


def steps(trace: dict[str, Any]) -> list[str]:
    def walk(node: dict[str, Any]) -> list[str]:
        return [node["name"], *(name for child in node["children"] for name in walk(child))]

    return walk(trace["root"])
