"""Uploaded pictures: stored small and without metadata, or refused with a reason."""

import io
import zlib

import pytest
from PIL import Image

from custom_components.sage.photos.photo_album import RefusedPictureError, re_encode


def picture(size=(300, 200), file_format="JPEG", mode="RGB", colour="teal", **options) -> bytes:
    output = io.BytesIO()
    Image.new(mode, size, colour).save(output, file_format, **options)
    return output.getvalue()


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def refusal(content: bytes) -> str:
    with pytest.raises(RefusedPictureError) as raised:
        re_encode(content)
    assert str(raised.value).endswith(".")
    return raised.value.key


@pytest.mark.parametrize(
    ("file_format", "size"), [("JPEG", (6400, 4800)), ("PNG", (4000, 3000)), ("WEBP", (2400, 1800))]
)
def test_every_accepted_format_becomes_a_small_jpeg(file_format, size):
    small = opened(re_encode(picture(size, file_format)))
    assert (small.format, small.size, small.mode) == ("JPEG", (1024, 768), "RGB")


def test_small_pictures_are_not_enlarged():
    assert opened(re_encode(picture((300, 200)))).size == (300, 200)


def test_no_metadata_is_kept_and_the_picture_stands_upright():
    exif = Image.Exif()
    exif[0x0112] = 6  # rotated by 90 degrees
    exif[0x010F] = "A maker"
    exif.get_ifd(0x8825)[1] = "N"  # a place on earth
    kept = re_encode(picture((300, 200), exif=exif, comment=b"a secret comment"))
    assert opened(kept).size == (200, 300)
    assert not opened(kept).getexif()
    assert b"maker" not in kept
    assert b"secret" not in kept


def test_transparent_parts_are_white():
    kept = opened(re_encode(picture(mode="RGBA", file_format="PNG", colour=(255, 0, 0, 0))))
    assert sum(kept.convert("L").histogram()[:250]) == 0


def test_grey_and_cmyk_pictures_are_accepted():
    for mode in ("L", "CMYK"):
        assert opened(re_encode(picture(mode=mode, colour=0))).mode == "RGB"


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"\x00\x00\x00\x18ftypheic" + bytes(64), "photo_heic"),
        (b"", "photo_other_format"),
        (b"GIF89a" + bytes(40), "photo_other_format"),
        (picture(file_format="GIF"), "photo_other_format"),
        (b"<svg/>", "photo_other_format"),
        (b"%PDX" * 500, "photo_other_format"),
        (bytes(20 * 1024 * 1024 + 1), "photo_large_file"),
    ],
    ids=["heic", "empty", "broken gif", "gif", "svg", "pdx", "too large"],
)
def test_other_files_are_refused_by_their_fault(content: bytes, key: str):
    assert refusal(content) == key


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP"])
def test_truncated_pictures_are_refused(file_format):
    content = picture((640, 480), file_format, colour="red")
    noisy = Image.effect_noise((640, 480), 60).convert("RGB")
    output = io.BytesIO()
    noisy.save(output, file_format)
    content = output.getvalue()
    assert refusal(content[: len(content) // 2]) == "photo_damaged"


def test_pictures_of_too_many_pixels_are_refused():
    assert refusal(picture((8200, 6100), "PNG", mode="1", colour=0)) == "photo_many_pixels"
    assert refusal(picture((4000, 3000), "WEBP")) == "photo_many_pixels"
    assert refusal(picture((4800, 3200), "JPEG", progressive=True)) == "photo_many_pixels"


def test_decompression_bomb_is_refused_before_it_is_decoded():
    header = b"IHDR" + (60_000).to_bytes(4) * 2 + b"\x08\x02\x00\x00\x00"
    data = b"IDAT" + zlib.compress(bytes(1_000_000), 9)
    parts = [header, data, b"IEND"]
    chunks = [(len(each) - 4).to_bytes(4) + each + zlib.crc32(each).to_bytes(4) for each in parts]
    assert refusal(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)) == "photo_many_pixels"
