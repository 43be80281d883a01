"""`scripts/demo --voice`: a home that listens and speaks, and the figures about its ears."""

import json
import os
import wave
from io import BytesIO
from pathlib import Path

import aiohttp
import pytest

from benchmark.fake_model_server import FakeModelServer
from benchmark.voice import word_errors
from benchmark.voice_servers import RATE, VoiceServers
from scripts.demonstration.options import parse
from scripts.demonstration.session import staged

from .conftest import QUIET, words


@pytest.mark.slow
async def test_the_demo_listens_and_speaks(
    model_server: FakeModelServer,
    servers: VoiceServers,
    unused_tcp_port: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    socket_enabled: None,
) -> None:
    # The demo adds to it.
    monkeypatch.setenv("PATH", os.environ["PATH"])
    monkeypatch.setenv("SAGE_BASE_URL", model_server.url)
    monkeypatch.setenv("SAGE_MODEL", "test-model")
    kept = ["--voice", "--keep", str(tmp_path / "home"), "--port", str(unused_tcp_port)]
    # A kept home finds the servers again, which listen on other ports.
    for _ in range(2):
        async with staged(parse(kept)) as stage:
            assistants = await stage.owner.call("assist_pipeline/pipeline/list")
            (assistant,) = [
                each for each in assistants["pipelines"] if each["id"] == stage.pipeline
            ]
            assert assistants["preferred_pipeline"] == stage.pipeline
            headers = {"Authorization": f"Bearer {stage.home.owner.token}"}
            async with aiohttp.ClientSession(stage.home.url, headers=headers) as http:
                sound = await servers.async_speak("turn on the kitchen light")
                heard = await understand(http, assistant["stt_engine"], sound)
                assert words(heard) == "turn on the kitchen light"
                spoken = {
                    "engine_id": assistant["tts_engine"],
                    "message": "The kitchen light is on.",
                    "language": assistant["tts_language"],
                    "options": {"voice": assistant["tts_voice"]},
                }
                async with http.post("/api/tts_get_url", json=spoken) as response:
                    path = (await response.json())["path"]
                async with http.get(path) as response:
                    assert (response.status, response.content_type) == (200, "audio/mpeg")
                    assert len(await response.read()) > 1000


async def understand(http: aiohttp.ClientSession, engine: str, sound: bytes) -> str:
    """Return the words that a speech recognition of Home Assistant hears in a sound."""
    form = "format=wav; codec=pcm; sample_rate=16000; bit_rate=16; channel=1; language=en"
    file = BytesIO()
    with wave.open(file, "wb") as written:
        written.setparams((1, 2, RATE, 0, "NONE", ""))
        written.writeframes(QUIET + sound + QUIET)
    async with http.post(
        f"/api/stt/{engine}", data=file.getvalue(), headers={"X-Speech-Content": form}
    ) as response:
        return str(json.loads(await response.text())["text"])


@pytest.mark.parametrize(
    ("said", "heard", "errors"),
    [
        ("turn on the light", "turn on the light", 0),
        ("turn on the light", "turn off the light please", 2),
        ("mute the living room TV", "", 5),
        ("", "thanks for watching", 3),
    ],
)
def test_words_that_are_wrong_missing_or_too_many_are_errors(
    said: str, heard: str, errors: int
) -> None:
    assert word_errors(said.split(), heard.split()) == errors
