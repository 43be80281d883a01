"""An Assist pipeline over the websocket, as the app and the browser use it."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

type Socket = Any
"""The client of Home Assistant's websocket in tests."""


@dataclass(slots=True)
class Turn:
    """The events of one run of a pipeline."""

    events: list[dict[str, Any]] = field(default_factory=list)

    def data(self, kind: str) -> dict[str, Any]:
        (found,) = [event["data"] for event in self.events if event["type"] == kind]
        return dict(found)

    @property
    def kinds(self) -> list[str]:
        """The kinds of the events, repetitions left out."""
        return list(dict.fromkeys(event["type"] for event in self.events))

    @property
    def deltas(self) -> list[tuple[datetime, dict[str, Any]]]:
        return [
            (datetime.fromisoformat(event["timestamp"]), event["data"]["chat_log_delta"])
            for event in self.events
            if event["type"] == "intent-progress" and "chat_log_delta" in event["data"]
        ]

    @property
    def pieces(self) -> list[tuple[datetime, str]]:
        """The pieces of the answer, and when each came."""
        return [(at, str(delta["content"])) for at, delta in self.deltas if delta.get("content")]

    @property
    def answer(self) -> str:
        return "".join(piece for _, piece in self.pieces)

    @property
    def thoughts(self) -> str:
        return "".join(delta.get("thinking_content") or "" for _, delta in self.deltas)

    @property
    def result(self) -> dict[str, Any]:
        return dict(self.data("intent-end")["intent_output"])

    @property
    def spoken(self) -> str:
        return str(self.result["response"]["speech"]["plain"]["speech"])

    @property
    def conversation_id(self) -> str:
        return str(self.result["conversation_id"])


async def call(socket: Socket, kind: str, **values: Any) -> Any:
    await socket.send_json_auto_id({"type": kind} | values)
    message = await socket.receive_json()
    assert message["success"], message
    return message["result"]


async def set_up_assist(hass: HomeAssistant, folder: Path) -> None:
    """Set Assist up, before anybody connects; spoken words are kept in `folder`."""
    hass.config.config_dir = str(folder)
    assert await async_setup_component(hass, "assist_pipeline", {})
    await hass.async_block_till_done()


async def make_pipeline(
    socket: Socket,
    language: str = "en",
    *,
    stt: str | None = None,
    tts: str | None = None,
    voice: str | None = None,
    prefers_local: bool = False,
) -> str:
    """Make the preferred pipeline one of SAGE; return its id. `prefers_local`: without agent."""
    created = await call(
        socket,
        "assist_pipeline/pipeline/create",
        name="SAGE",
        language=language,
        conversation_engine="conversation.sage",
        conversation_language=language,
        prefer_local_intents=prefers_local,
        stt_engine=stt,
        stt_language="en" if stt else None,
        tts_engine=tts,
        tts_language=("en_US" if voice else "en") if tts else None,
        tts_voice=voice,
        wake_word_entity=None,
        wake_word_id=None,
    )
    await call(socket, "assist_pipeline/pipeline/set_preferred", pipeline_id=created["id"])
    return str(created["id"])


async def start(socket: Socket, start_stage: str, end_stage: str, **values: Any) -> None:
    await call(
        socket, "assist_pipeline/run", start_stage=start_stage, end_stage=end_stage, **values
    )


async def follow(socket: Socket, *, until: str = "run-end") -> Turn:
    turn = Turn()
    while not turn.events or turn.events[-1]["type"] != until:
        event = (await socket.receive_json())["event"]
        assert event["type"] != "error", event
        turn.events.append(event)
    return turn


async def type_in(socket: Socket, text: str, **values: Any) -> Turn:
    """Type something into the chat and return what happened."""
    await start(socket, "intent", "intent", input={"text": text}, **values)
    return await follow(socket)


@pytest.fixture
async def chat(hass: HomeAssistant, sage: object, hass_ws_client: Any, tmp_path: Path) -> Socket:
    """A chat with SAGE as the preferred pipeline."""
    await set_up_assist(hass, tmp_path)
    socket: Socket = await hass_ws_client(hass)
    await make_pipeline(socket)
    return socket
