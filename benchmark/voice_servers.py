"""Speech recognition (Whisper) and speech output (Piper), real servers of the Wyoming protocol.

They run on loopback, in the environment that `scripts/environment/voice` makes.
"""

import json
import os
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import IO, Final, Self

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioChunkConverter, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.event import Event
from wyoming.tts import Synthesize

from .loopback import ATTEMPTS, free_port, tied

ROOT: Final = Path(__file__).parent.parent
HOST: Final = "127.0.0.1"
VOICE: Final = "en_US-joe-medium"
RATE: Final = 16_000
"""Samples of a second, 16 bits each, one channel: the audio of Assist."""

_PATIENCE: Final = 300.0
"""Seconds in which a server has loaded its model."""


class VoiceError(Exception):
    """A server cannot run or did not answer; the message says why."""


@cache
def voice_environment() -> Path:
    """Return the folder of the voice environment, made if it is missing. Raises VoiceError."""
    command = [ROOT / "scripts" / "environment" / "voice"]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise VoiceError("The voice environment could not be made; the lines above say why.")
    return Path(done.stdout.strip())


def ffmpeg_path() -> str:
    """Return PATH with an ffmpeg, which Home Assistant needs to convert audio."""
    return f"{voice_environment() / 'bin'}{os.pathsep}{os.environ['PATH']}"


class VoiceServers:
    """Both servers, while the context lasts."""

    def __init__(self, *, is_tied: bool = False, is_repeatable: bool = False) -> None:
        """Start nothing yet.

        `is_tied`: whether they end with the thread that starts them. `is_repeatable`: whether the
        voice says a text the same way each time, which sounds flatter.
        """
        self._is_tied = is_tied
        self._is_repeatable = is_repeatable
        self._running = ExitStack()
        self.whisper_port = 0
        self.piper_port = 0

    def __enter__(self) -> Self:
        """Start both, and return when their models are loaded. Raises VoiceError."""
        whisper = [
            *("wyoming_faster_whisper", "--model", "whisper-base", "--stt-library"),
            *("faster-whisper", "--compute-type", "int8", "--local-files-only"),
            # Threads wait for each other; a core that something else uses would delay all.
            *("--cpu-threads", str(max(1, len(os.sched_getaffinity(0)) // 2))),
        ]
        piper = ["wyoming_piper", "--voice", VOICE, "--local-files-only"]
        if self._is_repeatable:
            piper += ["--noise-scale", "0", "--noise-w-scale", "0"]
        with ExitStack() as starting:
            self.piper_port = self._start(starting, "tts", piper)
            self.whisper_port = self._start(starting, "asr", whisper)
            self._running = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop both."""
        self._running.close()

    def _start(self, running: ExitStack, kind: str, program: list[str]) -> int:
        """Return the port of a server that answers."""
        folder = voice_environment()
        log = running.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        for _ in range(ATTEMPTS):
            port = free_port()
            command = [str(folder / "bin" / "python"), "-m", *program]
            command += ["--data-dir", ".", "--uri", f"tcp://{HOST}:{port}"]
            process = subprocess.Popen(
                tied(command) if self._is_tied else command,
                cwd=folder / "models",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
            running.callback(_stop, process)
            end = time.monotonic() + _PATIENCE
            while process.poll() is None and time.monotonic() < end:
                if _answers(port, kind):
                    return port
                time.sleep(0.05)
        raise VoiceError(f"{program[0]} does not start:\n{_end_of(log)}")

    async def async_speak(self, text: str) -> bytes:
        """Return the sound of a text (RATE). Raises VoiceError."""
        converter, sound = AudioChunkConverter(rate=RATE, width=2, channels=1), bytearray()
        async with AsyncTcpClient(HOST, self.piper_port) as client:
            await client.write_event(Synthesize(text=text).event())
            while not AudioStop.is_type((event := await _next(client)).type):
                if AudioChunk.is_type(event.type):
                    sound += converter.convert(AudioChunk.from_event(event)).audio
        return bytes(sound)

    async def async_understand(self, sound: bytes, language: str = "en") -> str:
        """Return the words in a sound (RATE). Raises VoiceError."""
        form = {"rate": RATE, "width": 2, "channels": 1}
        async with AsyncTcpClient(HOST, self.whisper_port) as client:
            await client.write_event(Transcribe(language=language).event())
            await client.write_event(AudioStart(**form).event())
            await client.write_event(AudioChunk(audio=sound, **form).event())
            await client.write_event(AudioStop().event())
            while not Transcript.is_type((event := await _next(client)).type):
                pass
            return Transcript.from_event(event).text.strip()


async def _next(client: AsyncTcpClient) -> Event:
    if (event := await client.read_event()) is None:
        raise VoiceError("The server closed the connection.")
    return event


def _answers(port: int, kind: str) -> bool:
    """Return whether a server of this kind (`asr` or `tts`) describes itself."""
    with (
        suppress(OSError, ValueError),
        socket.create_connection((HOST, port), timeout=5) as connection,
        connection.makefile("rwb") as stream,
    ):
        stream.write(b'{"type": "describe"}\n')
        stream.flush()
        header = json.loads(stream.readline())
        return bool(json.loads(stream.read(header["data_length"]))[kind])
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def _end_of(log: IO[bytes]) -> str:
    log.seek(0)
    return "\n".join(log.read().decode(errors="replace").splitlines()[-20:])
