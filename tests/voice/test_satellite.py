"""A satellite of the Wyoming protocol: a box in the kitchen, on which nobody is signed in."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
from homeassistant.core import HomeAssistant
from wyoming.asr import Transcript
from wyoming.audio import AudioChunk, AudioChunkConverter, AudioStop
from wyoming.event import Event, async_read_event, async_write_event
from wyoming.info import Attribution, Describe, Info
from wyoming.info import Satellite as SatelliteInfo
from wyoming.ping import Ping, Pong
from wyoming.pipeline import PipelineStage, RunPipeline
from wyoming.satellite import RunSatellite
from wyoming.snd import Played
from wyoming.tts import Synthesize

from benchmark.loopback import listening
from benchmark.voice_servers import RATE, VoiceServers
from custom_components.sage.const import CONF_PIN_HASH
from custom_components.sage.people.pin import hash_pin
from tests.end_to_end.conftest import MakeSage, Sage
from tests.end_to_end.doors.decided import KITCHEN_LIGHT, turn_on_the_kitchen_light
from tests.end_to_end.doors.pipeline import Socket

from .conftest import DOOR, QUIET, add_wyoming, unlock_the_door, words

pytestmark = pytest.mark.slow

_INFO = Info(
    satellite=SatelliteInfo(
        name="Kitchen box",
        attribution=Attribution(name="SAGE", url=""),
        installed=True,
        description=None,
        version=None,
        area="Kitchen",
    )
)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What a satellite got for one sentence."""

    transcript: str
    answer: str
    sound: bytes
    """The spoken answer (RATE)."""


class Satellite:
    """Sends what its microphone records, and plays what comes."""

    def __init__(self, servers: VoiceServers) -> None:
        self._servers = servers
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._writer: asyncio.StreamWriter | None = None
        self.is_ready = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a connection of Home Assistant; one of them is for the conversation."""
        while (event := await async_read_event(reader)) is not None:
            if Describe.is_type(event.type):
                await async_write_event(_INFO.event(), writer)
            elif Ping.is_type(event.type):
                await async_write_event(Pong(text=Ping.from_event(event).text).event(), writer)
            elif RunSatellite.is_type(event.type):
                self._writer = writer
                self.is_ready.set()
            else:
                self._events.put_nowait(event)
        writer.close()

    async def record(self, text: str) -> None:
        """Send a spoken text, after the wake word, and silence, which ends the sentence."""
        run = RunPipeline(start_stage=PipelineStage.ASR, end_stage=PipelineStage.TTS)
        await self._send(run.event())
        sound = QUIET[:RATE] + await self._servers.async_speak(text) + 2 * QUIET
        for at in range(0, len(sound), 2048):
            chunk = AudioChunk(rate=RATE, width=2, channels=1, audio=sound[at : at + 2048])
            await self._send(chunk.event())

    async def hear(self, text: str) -> Heard:
        """Say a text; return the answer, once it is played.

        The sound of a long answer comes before all its words are known.
        """
        await self.record(text)
        converter, sound = AudioChunkConverter(rate=RATE, width=2, channels=1), bytearray()
        transcript, answer, is_spoken = "", "", False
        while not (answer and is_spoken):
            event = await self._events.get()
            if Transcript.is_type(event.type):
                transcript = Transcript.from_event(event).text or ""
            elif Synthesize.is_type(event.type):
                answer = Synthesize.from_event(event).text
            elif AudioChunk.is_type(event.type):
                sound += converter.convert(AudioChunk.from_event(event)).audio
            is_spoken = is_spoken or AudioStop.is_type(event.type)
        await self._send(Played().event())
        return Heard(transcript=transcript, answer=answer, sound=bytes(sound))

    async def _send(self, event: Event) -> None:
        assert self._writer is not None
        await async_write_event(event, self._writer)


@pytest.fixture
async def satellite(
    hass: HomeAssistant, assist: Socket, servers: VoiceServers
) -> AsyncGenerator[Satellite]:
    """A satellite that Home Assistant has connected."""
    box = Satellite(servers)
    listener = listening()
    async with await asyncio.start_server(box.serve, sock=listener):
        entry = await add_wyoming(hass, listener.getsockname()[1])
        await box.is_ready.wait()
        yield box
        await hass.config_entries.async_unload(entry)


async def test_a_satellite_has_a_room_and_nobody_signed_in(
    hass, satellite: Satellite, servers: VoiceServers, sage: Sage
) -> None:
    sage.model_says(*turn_on_the_kitchen_light())
    heard = await satellite.hear("turn on the light")
    assert words(heard.transcript) == "turn on the light"
    prompt = sage.server.completions[0].prompt
    assert "The person is in: Kitchen" in prompt
    assert "Person: not known." in prompt
    assert hass.states.get(KITCHEN_LIGHT).state == "on"
    assert heard.answer == "The kitchen light is on."
    assert (
        words(await servers.async_understand(QUIET + heard.sound + QUIET))
        == "the kitchen light is on"
    )


class TestWithPin:
    """A household with a PIN."""

    @pytest.fixture
    async def sage(self, make_sage: MakeSage) -> Sage:
        made: Sage = await make_sage(options={CONF_PIN_HASH: hash_pin("4711")})
        return made

    async def test_a_voice_alone_unlocks_nothing(
        self, hass, satellite: Satellite, sage: Sage
    ) -> None:
        sage.model_says(*unlock_the_door())
        asked = await satellite.hear("Please unlock the front door.")
        assert "PIN" in asked.answer
        await satellite.hear("Yes, please.")
        assert hass.states.get(DOOR).state == "locked"

    async def test_a_spoken_pin_unlocks(self, hass, satellite: Satellite, sage: Sage) -> None:
        sage.model_says(*unlock_the_door())
        await satellite.hear("Please unlock the front door.")
        await satellite.hear("Four seven one one.")
        assert hass.states.get(DOOR).state == "unlocked"
