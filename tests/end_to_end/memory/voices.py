"""A satellite at which several people speak, and the server that tells their voices apart."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable
from pathlib import Path
from typing import Any, override

import pytest
from homeassistant.auth.models import User
from homeassistant.components.stt import SpeechMetadata, SpeechResult
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from benchmark.fake_embedding_server import FakeEmbeddingServer
from custom_components.sage.run import speakers
from custom_components.sage.run.speakers import ENCODER, wav_of
from tests.end_to_end.conftest import MakeSage, Sage
from tests.end_to_end.doors.pipeline import make_pipeline, set_up_assist
from tests.end_to_end.doors.voice import Ears, VoiceBox

LONG = 60_000
"""Bytes of a recording with enough speech."""

STT = "stt.ears_with_speaker_recognition"


def sound(speaker: str, words: str, length: int = LONG) -> str:
    """Return a sentence as the box hears it, of this many bytes."""
    return f"{speaker}>{words}".ljust(length, "\0")


def recording(speaker: str, words: str = "hello", length: int = LONG) -> str:
    """Return a sentence as a browser records it: a WAV file in base64."""
    return wav_of(sound(speaker, words, length).encode())


class EarsForAll(Ears):
    """Understands the words of everybody."""

    def __init__(self) -> None:
        self.has_heard = asyncio.Event()

    @override
    async def async_process_audio_stream(
        self, metadata: SpeechMetadata, stream: AsyncIterable[bytes]
    ) -> SpeechResult:
        result = await super().async_process_audio_stream(metadata, stream)
        self.has_heard.set()
        return SpeechResult((result.text or "").partition(">")[2], result.result)


class SharedBox(VoiceBox):
    """A voice box in the kitchen, with SAGE behind it."""

    ears: EarsForAll

    def __init__(self, hass: HomeAssistant, encoder: FakeEmbeddingServer) -> None:
        super().__init__(hass)
        self.ears, self.encoder = EarsForAll(), encoder
        self.sage: Sage

    async def hear(self, speaker: str, words: str, length: int = LONG) -> str:
        """Hear a sentence of somebody; return the spoken answer."""
        output = (await self.satellite.hear(sound(speaker, words, length)))["intent-end"]
        return str(output["intent_output"]["response"]["speech"]["plain"]["speech"])

    async def send(self, user: User, command: str, **data: Any) -> Any:
        """Send a command of the page as a user; return the answer."""
        hass = self.hass
        login = await hass.auth.async_create_refresh_token(user, client_id="http://localhost/")
        client = await self.connect(hass, hass.auth.async_create_access_token(login))
        await client.send_json_auto_id({"type": f"sage/{command}", "data": data})
        answer = await client.receive_json()
        await client.close()
        return answer

    async def enrol(self, user: User, speaker: str) -> None:
        """Let a user say three sentences into the microphone of the browser."""
        for words in ("one", "two", "three"):
            answer = await self.send(user, "voice/enroll", audio=recording(speaker, words))
            assert answer["success"], answer

    connect: Any


@pytest.fixture
async def encoder(socket_enabled: None) -> AsyncGenerator[FakeEmbeddingServer]:
    """The models server."""
    async with FakeEmbeddingServer(models=[ENCODER]) as server:
        yield server


@pytest.fixture
def grace(monkeypatch: pytest.MonkeyPatch) -> float:
    """Wait longer for a voice, because a busy machine is slow; return the true maximum."""
    seconds = speakers.GRACE_SECONDS
    monkeypatch.setattr(speakers, "GRACE_SECONDS", 100.0)
    return seconds


@pytest.fixture
def options() -> dict[str, Any]:
    """Further options of SAGE."""
    return {}


@pytest.fixture
async def box(
    hass: HomeAssistant,
    encoder: FakeEmbeddingServer,
    make_sage: MakeSage,
    hass_ws_client: Any,
    options: dict[str, Any],
    grace: float,
    monkeypatch: pytest.MonkeyPatch,
) -> SharedBox:
    """The box, in a household that compares voices."""
    # The encoder reads who speaks from the recording, which noise would make unreadable.
    monkeypatch.setattr(speakers, "in_noise", lambda wav, _: wav)
    await set_up_assist(hass, Path(hass.config.path()))
    box = SharedBox(hass, encoder)
    kitchen = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert kitchen is not None
    await box.async_setup(kitchen.id)
    box.connect = hass_ws_client
    server = {"base_url": encoder.url, "model": ENCODER}
    box.sage = await make_sage(options={"speakers": server, **options})
    await hass.async_block_till_done(wait_background_tasks=True)
    encoder.requests.clear()
    await make_pipeline(await hass_ws_client(hass), stt=STT, tts=box.mouth.entity_id)
    return box
