"""From the data URI of an image to its pixels, for bytes that nobody vouches for.

The file is checked before anything is decoded: its declared type, its size, its end. Nothing here
may run in the event loop.
"""

import io
import logging
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageOps

from .data_uris import InputError, read_data_uri
from .server_settings import Limits

_LOGGER = logging.getLogger(__name__)

_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_JPEG_END: Final = 0xD9
_JPEG_SCAN: Final = 0xDA
_JPEG_ALONE: Final = frozenset((0x01, *range(0xD0, 0xD9)))
"""Markers without a length: TEM, RST0 to RST7, SOI."""


def decode_image(uri: str, limits: Limits) -> Image.Image:
    """Return the image of a data URI in RGB, upright. Raises InputError."""
    media_type, data = read_data_uri(uri, _KINDS, limits.image_bytes)
    kind = _KINDS[media_type]
    if not kind.starts(data):
        found = next((other.name for other in _KINDS.values() if other.starts(data)), None)
        actual = f"but it is a {found}" if found else "but it is none of JPEG, PNG and WebP"
        raise InputError(f"is declared as {kind.name}, {actual}")
    # A file that goes on after its image may be another file too.
    kind.check_end(data, limits)
    try:
        return _pixels(data, kind, limits)
    except InputError:
        raise
    except Image.DecompressionBombError:
        raise InputError(_too_many_pixels(limits)) from None
    except Exception as err:
        # The decoders raise anything for broken bytes.
        _LOGGER.debug("A %s was refused", kind.name, exc_info=True)
        raise InputError(f"cannot be decoded as {kind.name}; the file is damaged") from err


def _pixels(data: bytes, kind: "_Kind", limits: Limits) -> Image.Image:
    with Image.open(io.BytesIO(data), formats=[kind.name]) as image:
        width, height = image.size
        if width * height > limits.pixels:
            raise InputError(_too_many_pixels(limits))
        if max(width, height) > limits.side_ratio * min(width, height):
            raise InputError(
                f"has {width} x {height} pixels; its long side may have at most "
                f"{limits.side_ratio} times the pixels of its short side"
            )
        if getattr(image, "n_frames", 1) > 1:
            raise InputError("is animated or holds several images; send a single one")
        image.load()
        return ImageOps.exif_transpose(image).convert("RGB")


def _too_many_pixels(limits: Limits) -> str:
    return f"has more than {limits.pixels // 1_000_000} megapixels; make it smaller"


def _check_jpeg(data: bytes, limits: Limits) -> None:
    """Walk over the segments to the end marker."""
    position, scans = 2, 0
    while True:
        position = data.find(b"\xff", position)
        if position < 0 or position + 1 >= len(data):
            raise InputError("is truncated; its end is missing")
        marker = data[position + 1]
        if marker == _JPEG_END:
            break
        if marker in (0x00, 0xFF) or marker in _JPEG_ALONE:
            # Escaped data of a scan, a fill byte, or a marker without content.
            position += 1 if marker == 0xFF else 2
            continue
        scans += marker == _JPEG_SCAN
        if scans > limits.jpeg_scans:
            raise InputError(f"has more than {limits.jpeg_scans} scans; save it again")
        position += 2 + int.from_bytes(data[position + 2 : position + 4])
    _check_nothing_follows(data, position + 2)


def _check_png(data: bytes, limits: Limits) -> None:
    """Walk over the chunks to the last one."""
    position = len(_PNG_SIGNATURE)
    while True:
        if position + 12 > len(data):
            raise InputError("is truncated; its end is missing")
        length, name = struct.unpack_from(">I4s", data, position)
        position += 12 + length
        if name == b"IEND":
            break
    _check_nothing_follows(data, position)


def _check_webp(data: bytes, limits: Limits) -> None:
    """Compare the length of the file with the one in its header."""
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data):
        raise InputError("is truncated; its end is missing")
    _check_nothing_follows(data, end)


def _check_nothing_follows(data: bytes, end: int) -> None:
    if end < len(data):
        raise InputError(f"has {len(data) - end} bytes after its end; save it again without them")
    if end > len(data):
        raise InputError("is truncated; its end is missing")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A file format."""

    name: str
    starts: Callable[[bytes], bool]
    check_end: Callable[[bytes, Limits], None]
    """Raises InputError if the file is truncated, or goes on after its image."""


_KINDS: Final[Mapping[str, _Kind]] = {
    "image/jpeg": _Kind("JPEG", lambda data: data.startswith(b"\xff\xd8\xff"), _check_jpeg),
    "image/png": _Kind("PNG", lambda data: data.startswith(_PNG_SIGNATURE), _check_png),
    "image/webp": _Kind(
        "WEBP", lambda data: data[:4] == b"RIFF" and data[8:12] == b"WEBP", _check_webp
    ),
}
"""By media type."""
