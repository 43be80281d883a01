"""An image that cannot be used is refused with its reason, and the server lives on."""

import io
import random
import zipfile
import zlib

import pytest
from PIL import Image

from sage_models.data_uris import InputError
from sage_models.image_decoding import decode_image
from sage_models.server_settings import Limits

from .conftest import Served
from .pictures import animated, data_uri, encoded, jpeg_with_scans, picture, png
from .tiny_clip import NAME as TINY

PNG, JPEG, WEBP = "image/png", "image/jpeg", "image/webp"
GOOD = encoded(picture(1))
GOOD_JPEG = encoded(picture(1), "JPEG")
GOOD_WEBP = encoded(picture(1), "WEBP")


def archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as found:
        found.writestr("payload.txt", "anything")
    return file.getvalue()


def described() -> Image.Exif:
    exif = Image.Exif()
    exif[0x010E] = "a lamp"
    return exif


def damaged() -> bytes:
    """A PNG with the right structure, whose pixels are no compressed data."""
    return png(8, 8, b"no zlib stream at all")


def bomb() -> bytes:
    """A PNG of 20 kB that says it has 400 megapixels."""
    return png(20_000, 20_000, zlib.compress(bytes(20_000_000), 9))


def text_bomb() -> bytes:
    """A small PNG with a comment of 200 MB."""
    comment = b"Comment\0\0" + zlib.compress(bytes(200_000_000), 9)
    return png(8, 8, zlib.compress(bytes(72)), (b"zTXt", comment))


BAD = {
    "an address": ("https://example.com/lamp.jpg", "fetches no addresses"),
    "a file of the server": ("file:///etc/hostname", "not a data URI"),
    "nothing": ("", "not a data URI"),
    "no comma": ("data:image/png;base64", "not a data URI"),
    "HEIC": (data_uri(b"\0\0\0\x18ftypheic", "image/heic"), "none of image/jpeg, image/png"),
    "GIF": (data_uri(encoded(picture(1, mode="P"), "GIF"), "image/gif"), "convert it to one"),
    "SVG": (data_uri(b"<svg/>", "image/svg+xml"), "none of image/jpeg"),
    "no base64": ("data:image/png,abc", "is not in base64"),
    "broken base64": ("data:image/png;base64,%%%%", "not valid base64"),
    "no bytes": (data_uri(b""), "none of JPEG, PNG and WebP"),
    "a PNG as JPEG": (data_uri(GOOD, JPEG), "is declared as JPEG, but it is a PNG"),
    "a JPEG as WebP": (data_uri(GOOD_JPEG, WEBP), "is declared as WEBP, but it is a JPEG"),
    "a page as PNG": (data_uri(b"<html></html>"), "none of JPEG, PNG and WebP"),
    "a truncated PNG": (data_uri(GOOD[: len(GOOD) // 2]), "truncated"),
    "a PNG without its end": (data_uri(GOOD[:-12]), "truncated"),
    "a truncated JPEG": (data_uri(GOOD_JPEG[: len(GOOD_JPEG) // 2], JPEG), "truncated"),
    "a JPEG without its end": (data_uri(GOOD_JPEG[:-2], JPEG), "truncated"),
    "a truncated WebP": (data_uri(GOOD_WEBP[:-9], WEBP), "truncated"),
    "a PNG with half its pixels": (
        data_uri(png(64, 64, zlib.compress(bytes(range(256)) * 17)[:150])),
        "cannot be decoded as PNG",
    ),
    "a damaged PNG": (data_uri(damaged()), "cannot be decoded as PNG"),
    "a PNG and an archive": (data_uri(GOOD + archive()), "bytes after its end"),
    "a JPEG and an archive": (data_uri(GOOD_JPEG + archive(), JPEG), "bytes after its end"),
    "a WebP and an archive": (data_uri(GOOD_WEBP + archive(), WEBP), "bytes after its end"),
    "an animated PNG": (data_uri(animated("PNG")), "animated"),
    "an animated WebP": (data_uri(animated("WEBP"), WEBP), "animated"),
    "50 megapixels": (
        data_uri(encoded(picture(1, 8165, 6124, "L"), "JPEG"), JPEG),
        "more than 25 megapixels",
    ),
    "a bomb of pixels": (data_uri(bomb()), "more than 25 megapixels"),
    "a bomb of text": (data_uri(text_bomb()), "cannot be decoded as PNG"),
    "a strip": (data_uri(encoded(picture(1, 8000, 3))), "its long side"),
    "many scans": (data_uri(jpeg_with_scans(100), JPEG), "more than 32 scans"),
    "a JPEG with a segment beyond its end": (
        data_uri(GOOD_JPEG[:2] + b"\xff\xe1\xff\xff" + GOOD_JPEG[2:], JPEG),
        "truncated",
    ),
}


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_image_is_refused_with_its_reason(server: Served, name: str):
    uri, reason = BAD[name]

    reply = await server.embed(TINY, [data_uri(GOOD), uri], modality="image")

    assert reply.status == 400
    assert reply.error.startswith("input[1] ")
    assert reason in reply.error
    assert reply.body["error"]["param"] == "input"
    # It lives on.
    assert (await server.embed(TINY, data_uri(GOOD), modality="image")).status == 200


async def test_a_large_file_is_refused(make_server):
    server = await make_server(limits={"image_bytes": 1 << 20})
    noise = encoded(picture(1, 800, 800).effect_spread(90))
    assert len(noise) > 1 << 20

    reply = await server.embed(TINY, data_uri(noise), modality="image")

    assert reply.status == 400
    assert "larger than 1 MB" in reply.error


async def test_good_images_of_all_kinds_pass(server: Served):
    uris = [
        data_uri(GOOD),
        data_uri(encoded(picture(1), "JPEG", progressive=True), JPEG),
        data_uri(encoded(picture(1), "JPEG", quality=95, comment="a comment"), JPEG),
        data_uri(encoded(picture(1), "WEBP", lossless=True), WEBP),
        data_uri(encoded(picture(1), "WEBP", exif=described()), WEBP),
        data_uri(encoded(picture(1, 4000, 3000), "JPEG"), "image/jpeg;name=lamp.jpg"),
        data_uri(encoded(picture(1, 1, 1))),
    ]

    reply = await server.embed(TINY, uris, modality="image")

    assert reply.status == 200, reply.body
    assert len(reply.vectors) == len(uris)


@pytest.mark.parametrize(
    ("good", "media_type"),
    [(GOOD, PNG), (GOOD_JPEG, JPEG), (GOOD_WEBP, WEBP)],
    ids=("PNG", "JPEG", "WebP"),
)
def test_any_bytes_are_an_image_or_a_reason(good: bytes, media_type: str):
    chance = random.Random(11)
    outcomes = set()
    for _ in range(400):
        data = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            outcomes.add(decode_image(data_uri(bytes(data), media_type), Limits()).mode)
        except InputError as err:
            outcomes.add(type(err).__name__)

    assert outcomes == {"RGB", "InputError"}
