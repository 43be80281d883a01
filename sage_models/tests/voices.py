"""Made-up voices for the server, and the WAV files of recordings, good and bad ones."""

import io
import struct
import wave
from typing import Any

import numpy as np
import numpy.typing as npt

from .pictures import data_uri

RATE = 16_000
_FORMANTS = ((730, 90), (1090, 110), (2440, 170), (3400, 250))
"""Hz, and width in Hz, of an open vowel."""


def voice(pitch: float, seconds: float, tract: float = 1.0) -> npt.NDArray[np.float32]:
    """Return a vowel in syllables, from -1 to 1: harmonics of a pitch under four formants.

    `tract` scales the formants; a short vocal tract has high ones. It is the same on all machines.
    """
    time = np.arange(int(seconds * RATE)) / RATE
    tune = pitch * (1 + 0.15 * np.sin(2 * np.pi * 0.7 * time))
    phase = 2 * np.pi * np.cumsum(tune) / RATE
    sound = np.zeros_like(time)
    for number in range(1, int(7000 / pitch / 1.15)):
        frequency = number * pitch
        gain = sum(
            1 / (1 + ((frequency - tract * centre) / width) ** 2) for centre, width in _FORMANTS
        )
        sound += gain / number**0.5 * np.sin(number * phase)
    syllables = np.clip(0.55 + 0.6 * np.sin(2 * np.pi * 4 * time), 0.02, 1)
    sound *= syllables
    return np.asarray(0.3 * sound / np.abs(sound).max(), np.float32)


def silence(seconds: float) -> npt.NDArray[np.float32]:
    return np.zeros(int(seconds * RATE), np.float32)


def hiss(seconds: float, level: float = 0.05) -> npt.NDArray[np.float32]:
    """Return noise that does not change."""
    return np.asarray(
        level * np.random.default_rng(5).standard_normal(int(seconds * RATE)), np.float32
    )


def wav(samples: npt.NDArray[np.float32], rate: int = RATE, channels: int = 1) -> bytes:
    """Return the file of a recording with 16 bits; channels repeat the samples."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        whole = np.round(np.clip(samples, -1, 1) * 32767).astype("<i2")
        writer.writeframes(np.repeat(whole, channels).tobytes())
    return file.getvalue()


def recording(samples: npt.NDArray[np.float32], **options: Any) -> str:
    """Return the data URI of a recording."""
    return data_uri(wav(samples, **options), "audio/wav")


def wav_of_chunks(*chunks: tuple[bytes, bytes], sizes: tuple[int, int] | None = None) -> bytes:
    """Return a file of these chunks; `sizes` replaces the size of the file and of the last one."""
    parts = [
        name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2) for name, body in chunks
    ]
    total = 4 + sum(map(len, parts))
    if sizes:
        name, body = chunks[-1]
        total, parts[-1] = sizes[0], name + struct.pack("<I", sizes[1]) + body
    return b"RIFF" + struct.pack("<I", total) + b"WAVE" + b"".join(parts)


def wav_format(kind: int = 1, channels: int = 1, rate: int = RATE, bits: int = 16) -> bytes:
    """Return the content of a format chunk."""
    frame = channels * bits // 8
    return struct.pack("<HHIIHH", kind, channels, rate, rate * frame, frame, bits)
