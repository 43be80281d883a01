"""A photo of a device, and the check of an uploaded picture."""

import hashlib
import io
import logging
import zipfile
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

_LOGGER: Final = logging.getLogger(__name__)

LARGEST_FILE: Final = 20 * 1024 * 1024
"""Most bytes of an uploaded picture."""

MOST_PHOTOS: Final = 8
"""Most photos of one device."""

LONGEST_CAPTION: Final = 200
"""Most characters of a caption."""

_LONGEST_SIDE: Final = 1024
"""Most pixels of a side of a stored photo."""

_MOST_PIXELS: Final = 40_000_000
_FORMATS: Final = ("JPEG", "PNG", "WEBP")
_QUALITY: Final = 85
_BOX: Final = b"ftyp"
_HEIC_BRANDS: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"})
"""Brands at the beginning of HEIF files (ISO/IEC 23008-12)."""

_PDF: Final = b"%PDF-"
_PDF_WITHIN: Final = 1024
"""Programs accept a PDF whose header begins within this number of bytes."""


class PhotoError(Exception):
    """A photo cannot be stored or read; the text says why."""


class Refusal(StrEnum):
    """Why a picture is not accepted; also the key of its translated sentence."""

    HEIC = "photo_heic"
    OTHER_FORMAT = "photo_other_format"
    LARGE_FILE = "photo_large_file"
    MANY_PIXELS = "photo_many_pixels"
    ANIMATED = "photo_animated"
    DAMAGED = "photo_damaged"
    SECOND_FORMAT = "photo_second_format"
    TOO_MANY = "photo_too_many"
    NO_FILE = "photo_no_file"
    NO_SNAPSHOT = "photo_no_snapshot"


_SENTENCES: Final = {
    Refusal.HEIC: "HEIC pictures are not supported. Save or share it as JPEG and try again.",
    Refusal.OTHER_FORMAT: "The file is no JPEG, PNG or WebP picture.",
    Refusal.LARGE_FILE: "The file is larger than 20 MB. Save it smaller and try again.",
    Refusal.MANY_PIXELS: "The picture has more than 40 megapixels. Save it smaller and try again.",
    Refusal.ANIMATED: "The picture is animated. Use a still picture.",
    Refusal.DAMAGED: "The picture is damaged or incomplete.",
    Refusal.SECOND_FORMAT: "The file is a picture and a document or archive in one.",
    Refusal.TOO_MANY: f"A device has at most {MOST_PHOTOS} photos. Delete one first.",
    Refusal.NO_FILE: "The file cannot be read, or Home Assistant is not allowed to read it.",
    Refusal.NO_SNAPSHOT: "The camera returns no picture, or is not exposed to Assist.",
}


class RefusedPictureError(PhotoError):
    """A picture is not accepted; the text and `refusal` say why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(_SENTENCES[refusal])
        self.refusal = refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Photo:
    """A stored photo, without its bytes."""

    subject: str
    """Registry id of the device that it shows, or of the entity if it has no device."""

    content: str
    """Hash of the stored JPEG; unique among the photos of the subject."""

    caption: str
    """A description, typed or written by a model; empty if there is none."""

    added: datetime
    """When the photo was added; aware, UTC."""

    @property
    def image_id(self) -> str:
        """The unique id of the photo's image entity: unique among the photos of all devices."""
        return f"{self.subject}_{self.content}"


def content_hash(content: bytes) -> str:
    """Return the hash of a photo or a caption, under which its vectors are stored."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def clean_caption(text: str) -> str:
    """Return a caption on one line, cut to its longest length."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(printable.split())[:LONGEST_CAPTION].strip()


def re_encode(content: bytes) -> bytes:
    """Return a picture as JPEG of at most 1024 pixels a side, without metadata.

    Takes up to some seconds of processor time: call it in a thread. Raises RefusedPictureError.
    """
    if len(content) > LARGEST_FILE:
        raise RefusedPictureError(Refusal.LARGE_FILE)
    if content[4:8] == _BOX and content[8:12] in _HEIC_BRANDS:
        raise RefusedPictureError(Refusal.HEIC)
    if zipfile.is_zipfile(io.BytesIO(content)) or _PDF in content[:_PDF_WITHIN]:
        raise RefusedPictureError(Refusal.SECOND_FORMAT)
    try:
        # Opening reads only the header; the pixels are decoded below.
        with Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
            return _as_jpeg(picture)
    except (UnidentifiedImageError, Image.DecompressionBombError) as error:
        bomb = isinstance(error, Image.DecompressionBombError)
        raise RefusedPictureError(Refusal.MANY_PIXELS if bomb else Refusal.OTHER_FORMAT) from None
    except RefusedPictureError:
        raise
    except Exception:
        # Decoders raise errors of many types for damaged data.
        _LOGGER.debug("A picture could not be decoded", exc_info=True)
        raise RefusedPictureError(Refusal.DAMAGED) from None


def _as_jpeg(picture: Image.Image) -> bytes:
    if picture.width * picture.height > _MOST_PIXELS:
        raise RefusedPictureError(Refusal.MANY_PIXELS)
    if getattr(picture, "is_animated", False) and picture.format != "MPO":
        # Phones store a second view in a JPEG as MPO; its first picture is the photo.
        raise RefusedPictureError(Refusal.ANIMATED)
    # A JPEG decoder can scale while it decodes, which saves most of the time and memory.
    picture.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
    picture.load()
    upright = ImageOps.exif_transpose(picture)
    upright.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), Image.Resampling.LANCZOS)
    opaque = Image.new("RGB", upright.size, "white")
    if upright.mode in ("RGBA", "LA", "PA", "P"):
        coloured = upright.convert("RGBA")
        opaque.paste(coloured, mask=coloured.getchannel("A"))
    else:
        opaque.paste(upright.convert("RGB"))
    output = io.BytesIO()
    opaque.save(output, "JPEG", quality=_QUALITY, optimize=True)
    return output.getvalue()
