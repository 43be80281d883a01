"""The type of a device photo, and the check and conversion of uploaded pictures."""

import hashlib
import io
import logging
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from ..storage.store_error import StoreError

_LOGGER: Final = logging.getLogger(__name__)

LARGEST_FILE: Final = 20 * 1024 * 1024
"""Maximum size of an uploaded picture in bytes."""

MOST_PHOTOS: Final = 8
"""Maximum number of photos per device."""

LONGEST_CAPTION: Final = 200
"""Maximum length of a caption in characters."""

_LONGEST_SIDE: Final = 1024
"""Maximum width and height of a stored photo in pixels."""

_MOST_PIXELS: Final = {"JPEG": 40_000_000, "MPO": 40_000_000, "PNG": 12_500_000, "WEBP": 6_500_000}
"""Format -> maximum number of pixels, so that the decoder needs at most about 100 MB."""

_MOST_PIXELS_AT_ONCE: Final = 12_500_000
"""Maximum number of pixels of a JPEG that the decoder cannot reduce while it reads."""

_FORMATS: Final = ("JPEG", "PNG", "WEBP")
_QUALITY: Final = 85
_BOX: Final = b"ftyp"
_HEIC_BRANDS: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"})
"""Brands at the beginning of HEIF files (ISO/IEC 23008-12)."""


class PhotoError(StoreError):
    """Raised when a photo cannot be stored or read; the message contains the reason."""


class Refusal(StrEnum):
    """Reason for rejecting a picture; the value is the key of the translated text."""

    HEIC = "photo_heic"
    OTHER_FORMAT = "photo_other_format"
    LARGE_FILE = "photo_large_file"
    MANY_PIXELS = "photo_many_pixels"
    DAMAGED = "photo_damaged"
    TOO_MANY = "photo_too_many"
    NO_FILE = "photo_no_file"


class RefusedPictureError(PhotoError):
    """Raised when a picture is rejected; `refusal` contains the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"The picture was rejected: {refusal.value}.")
        self.refusal = refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Photo:
    """The metadata of a stored photo, without the picture."""

    subject: str
    """Registry id of the device in the photo, or of the entity if it belongs to no device.

    For an entity without a registry id, this is the entity id.
    """

    content: str
    """Hash of the stored JPEG; unique among the photos of a device."""

    caption: str
    """Description of the device, written by a person or a model; empty if there is none."""

    added: datetime
    """Time at which the photo was added, in UTC."""

    @property
    def image_id(self) -> str:
        """Unique id of the image entity that shows the photo."""
        return f"{self.subject}_{self.content}"


def content_hash(content: bytes) -> str:
    """Return the hash of a photo or caption, as 32 hexadecimal digits."""
    # The photo file stores embedding vectors under this hash.
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def clean_caption(text: str) -> str:
    """Return a caption on one line, without unprintable characters, cut to `LONGEST_CAPTION`."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(printable.split())[:LONGEST_CAPTION].strip()


def re_encode(content: bytes) -> bytes:
    """Convert a picture to JPEG of at most 1024 x 1024 pixels, without metadata.

    Blocking: the conversion can take seconds. Raises RefusedPictureError.
    """
    if len(content) > LARGEST_FILE:
        raise RefusedPictureError(Refusal.LARGE_FILE)
    if content[4:8] == _BOX and content[8:12] in _HEIC_BRANDS:
        raise RefusedPictureError(Refusal.HEIC)
    try:
        # `open` reads only the header; `_as_jpeg` decodes the pixels.
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
    most = _MOST_PIXELS.get(picture.format or "", 0)
    if "progressive" in picture.info or picture.mode == "CMYK":
        most = min(most, _MOST_PIXELS_AT_ONCE)
    if picture.width * picture.height > most:
        raise RefusedPictureError(Refusal.MANY_PIXELS)
    # Let the JPEG decoder reduce the size, which saves most of the time and memory.
    picture.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
    picture.load()
    # First smaller, then upright: each copy of a large picture needs as much memory again.
    picture.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), Image.Resampling.LANCZOS)
    upright = ImageOps.exif_transpose(picture)
    opaque = Image.new("RGB", upright.size, "white")
    if upright.mode in ("RGBA", "LA", "PA", "P"):
        coloured = upright.convert("RGBA")
        opaque.paste(coloured, mask=coloured.getchannel("A"))
    else:
        opaque.paste(upright.convert("RGB"))
    output = io.BytesIO()
    opaque.save(output, "JPEG", quality=_QUALITY, optimize=True)
    return output.getvalue()
