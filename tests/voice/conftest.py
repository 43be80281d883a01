"""Speech through Home Assistant's integration Wyoming, with real servers on loopback."""

import asyncio
import re
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER, ConfigEntryState
from homeassistant.core import HomeAssistant
from pytest_socket import enable_socket

from benchmark.model_script import Answer
from benchmark.voice import word_errors
from benchmark.voice_servers import HOST, RATE, VOICE, VoiceServers, ffmpeg_path
from tests.decisions import NATIVE, step
from tests.demo_home import demo_home
from tests.end_to_end.conftest import Sage, decision_format, make_sage, sage
from tests.end_to_end.doors.pipeline import Socket, Turn, make_pipeline, set_up_assist

__all__ = ["decision_format", "demo_home", "make_sage", "sage"]

QUIET = bytes(2 * RATE)
"""A second without speech."""

DOOR = "lock.front_door"

_FRAME = RATE // 50 * 2
"""Bytes of 20 ms."""


@pytest.fixture(scope="session")
def servers() -> Generator[VoiceServers]:
    """Whisper and Piper, for all tests."""
    enable_socket()
    with VoiceServers(is_repeatable=True) as running:
        yield running


def unlock_the_door() -> tuple[Answer, ...]:
    """Return the decisions of a command that SAGE asks to confirm."""
    return (
        *NATIVE.planned("unlock the door", step("command", "front_door")),
        NATIVE.execute("front_door", command="unlock"),
    )


def words(text: str) -> str:
    """Return the words of a text, without case and punctuation."""
    return " ".join(re.findall(r"[\w']+", text.lower()))


async def add_wyoming(hass: HomeAssistant, port: int) -> str:
    """Add the server on a port as a person does; return the id of the config entry."""
    step = await hass.config_entries.flow.async_init(
        "wyoming", context={"source": SOURCE_USER}, data={"host": HOST, "port": port}
    )
    entry = step["result"]
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    return str(entry.entry_id)


class Voice:
    """A microphone and a loudspeaker at a browser."""

    def __init__(self, servers: VoiceServers, socket: Socket, http: Any) -> None:
        self.servers = servers
        self._socket = socket
        self._http = http

    async def begin(self, sound: bytes, **values: Any) -> int:
        """Send a sound to a new run of the pipeline, and silence, which ends the sentence.

        Return the id of the run.
        """
        command = {"start_stage": "stt", "end_stage": "tts", "input": {"sample_rate": RATE}}
        await self._socket.send_json_auto_id({"type": "assist_pipeline/run"} | command | values)
        number = await self._done()
        begun = await self.follow(number, until="run-start")
        handler = bytes([begun.data("run-start")["runner_data"]["stt_binary_handler_id"]])
        heard = QUIET[:RATE] + sound + 2 * QUIET
        for at in range(0, len(heard), _FRAME):
            await self._socket.send_bytes(handler + heard[at : at + _FRAME])
        return number

    async def follow(self, number: int, *, until: str = "run-end") -> Turn:
        """Return the events of a run up to the one of this kind."""
        turn = Turn()
        while not turn.events or turn.events[-1]["type"] != until:
            message = await self._socket.receive_json()
            if message["id"] == number and message["type"] == "event":
                assert message["event"]["type"] != "error", message
                turn.events.append(message["event"])
        return turn

    async def play(self, sound: bytes, **values: Any) -> Turn:
        """Send a sound; return the result."""
        return await self.follow(await self.begin(sound, **values))

    async def say(self, text: str, **values: Any) -> Turn:
        """Say a text; return the result."""
        return await self.play(await self.servers.async_speak(text), **values)

    async def interrupt(self, number: int) -> None:
        """Leave a run, as a person does who closes Assist."""
        await self._socket.send_json_auto_id({"type": "unsubscribe_events", "subscription": number})
        await self._done()

    async def _done(self) -> int:
        """Wait until the command that was sent is done; return its id."""
        while (message := await self._socket.receive_json())["type"] != "result":
            pass
        assert message["success"], message
        return int(message["id"])

    async def hears(self, turn: Turn, said: str) -> bool:
        """Fetch the spoken answer as a browser does; return whether Whisper hears this in it.

        One word may differ: the sound was compressed.
        """
        response = await self._http.get(turn.data("tts-end")["tts_output"]["url"])
        assert (response.status, response.content_type) == (200, "audio/mpeg")
        ffmpeg = await asyncio.create_subprocess_exec(
            *("ffmpeg", "-loglevel", "error", "-i", "pipe:", "-f", "s16le"),
            *("-ar", str(RATE), "-ac", "1", "pipe:"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        sound, _ = await ffmpeg.communicate(await response.read())
        assert ffmpeg.returncode == 0
        heard = words(await self.servers.async_understand(QUIET + sound + QUIET))
        return word_errors(heard.split(), words(said).split()) <= 1


@pytest.fixture
async def assist(
    hass: HomeAssistant,
    sage: Sage,
    servers: VoiceServers,
    hass_ws_client: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    socket_enabled: None,
) -> AsyncGenerator[Socket]:
    """A person signed in, in a home with both servers and an assistant that uses them."""
    monkeypatch.setenv("PATH", ffmpeg_path())
    await set_up_assist(hass, tmp_path)
    entries = [await add_wyoming(hass, port) for port in (servers.whisper_port, servers.piper_port)]
    socket = await hass_ws_client(hass)
    await make_pipeline(socket, stt="stt.faster_whisper", tts="tts.piper", voice=VOICE)
    yield socket
    for entry in entries:
        await hass.config_entries.async_unload(entry)


@pytest.fixture
async def voice(assist: Socket, servers: VoiceServers, hass_client: Any) -> Voice:
    """The microphone of a person who is signed in."""
    return Voice(servers, assist, await hass_client())
