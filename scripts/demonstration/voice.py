"""Ears and a voice for the demo: Whisper and Piper, connected as a user does, by forms."""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from benchmark.voice_servers import HOST, VOICE, VoiceServers, ffmpeg_path

from .client import Client
from .configure import FLOW, NO_VOICE
from .outside_setup import fill_in


@asynccontextmanager
async def voice_servers() -> AsyncGenerator[VoiceServers]:
    """Run both servers, and let Home Assistant find ffmpeg. Raises VoiceError."""
    os.environ["PATH"] = await asyncio.to_thread(ffmpeg_path)
    servers = VoiceServers(is_tied=True)
    start = asyncio.create_task(asyncio.to_thread(servers.__enter__))
    try:
        yield await asyncio.shield(start)
    finally:
        # A start that was interrupted has to end before it can be undone.
        await asyncio.wait([start])
        await asyncio.to_thread(servers.__exit__)


async def connect_voice(
    owner: Client, servers: VoiceServers, language: str
) -> Mapping[str, str | None]:
    """Add both servers to Home Assistant; return the fields of an assistant that uses them.

    It understands many languages, but has an English voice only.
    """
    for entry in await owner.call("config_entries/get", domain="wyoming"):
        # Of an earlier start of a kept home, with other ports.
        await owner.delete(f"/api/config/config_entries/entry/{entry['entry_id']}")
    for port in (servers.whisper_port, servers.piper_port):
        await fill_in(owner, FLOW, "wyoming", {"host": HOST, "port": port})
    engines = {
        str(row["entity_id"]).partition(".")[0]: str(row["entity_id"])
        for row in await owner.call("config/entity_registry/list")
        if row["platform"] == "wyoming"
    }
    fields = {**NO_VOICE, "stt_engine": engines["stt"], "stt_language": language}
    if language == "en":
        fields |= {"tts_engine": engines["tts"], "tts_language": VOICE[:5], "tts_voice": VOICE}
    return fields
