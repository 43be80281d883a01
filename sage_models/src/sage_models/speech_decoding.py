"""From the data URI of a recording to its samples. Nothing here may run in the event loop."""

import struct
from typing import Final

import numpy as np
import numpy.typing as npt

from .data_uris import InputError, read_data_uri
from .server_settings import Limits

SAMPLE_RATE: Final = 16_000
"""Samples in a second; Home Assistant's voice pipelines have this rate."""

_MEDIA_TYPES: Final = ("audio/wav", "audio/x-wav", "audio/wave")
_HEADER_BYTES: Final = 1 << 16
_PCM: Final = 1
_EXTENSIBLE: Final = 0xFFFE
"""The format whose first two bytes of the sub-format are the real format."""

_UNKNOWN_SIZES: Final = (0, 0xFFFFFFFF)
"""Of the data in a stream: they go to the end of the file."""


def decode_speech(uri: str, limits: Limits) -> npt.NDArray[np.float32]:
    """Return the samples of a WAV file, from -1 to 1. Raises InputError."""
    most_bytes = int(limits.speech_seconds * SAMPLE_RATE) * 2
    _, data = read_data_uri(uri, _MEDIA_TYPES, most_bytes + _HEADER_BYTES)
    content = _samples(data)
    if len(content) > most_bytes:
        raise InputError(
            f"is longer than {limits.speech_seconds:g} s; cut off the rest, it adds nothing"
        )
    return np.frombuffer(content, "<i2").astype(np.float32) / np.float32(1 << 15)


def _samples(data: bytes) -> bytes:
    """Return the content of the chunk `data`: 16-bit samples of one channel."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise InputError("is not a WAV file")
    position, is_readable = 12, False
    while position + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, position)
        position += 8
        if name == b"fmt ":
            _check_format(data[position : position + size])
            is_readable = True
        elif name == b"data" and is_readable:
            end = len(data) if size in _UNKNOWN_SIZES else position + size
            if end > len(data):
                raise InputError("is truncated; its end is missing")
            return data[position : end - (end - position) % 2]
        # Chunks have an even length.
        position += size + size % 2
    raise InputError("is a WAV file without samples")


def _check_format(content: bytes) -> None:
    if len(content) < 16:
        raise InputError("is a damaged WAV file")
    kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", content)
    if kind == _EXTENSIBLE and len(content) >= 26:
        (kind,) = struct.unpack_from("<H", content, 24)
    if (kind, channels, rate, bits) != (_PCM, 1, SAMPLE_RATE, 16):
        raise InputError(
            f"has {channels} channels of {bits} bits at {rate} Hz (format {kind}); convert it to "
            f"PCM with 1 channel of 16 bits at {SAMPLE_RATE} Hz"
        )
