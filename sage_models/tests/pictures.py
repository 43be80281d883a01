"""Images for the server, good and bad ones."""

import base64
import io
import struct
import zlib
from typing import Any

import numpy as np
from PIL import Image


def picture(seed: int, width: int = 64, height: int = 48, mode: str = "RGB") -> Image.Image:
    """Return an image with coloured areas that depend on the seed."""
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), np.uint8)
    return Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC).convert(mode)


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    """Return the bytes of a file."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def data_uri(data: bytes, media_type: str = "image/png") -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def animated(kind: str) -> bytes:
    return encoded(picture(1), kind, save_all=True, append_images=[picture(2)], duration=100)


def png(width: int, height: int, rows: bytes, *extra: tuple[bytes, bytes]) -> bytes:
    """Return a PNG file in grey with these compressed rows."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), *extra, (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def jpeg_with_scans(scans: int) -> bytes:
    """Return a progressive JPEG that repeats its last scan."""
    data = encoded(picture(3), "JPEG", progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * scans + data[-2:]
