"""Photos of devices: their check and conversion, the SQLite file, and the metadata in RAM."""

import hashlib
import io
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from homeassistant.core import HomeAssistant
from PIL import Image, ImageOps, UnidentifiedImageError

from ..embeddings import Vectors, from_blobs, to_blob
from ..storage import AsyncFile, Database, FileKind, StoreError

_LOGGER: Final = logging.getLogger(__name__)

_LARGEST_FILE: Final = 20 * 1024 * 1024  # maximum size of an uploaded picture in bytes
MOST_PHOTOS: Final = 8  # maximum number of photos per device
LONGEST_CAPTION: Final = 200  # maximum length of a caption in characters
_LONGEST_SIDE: Final = 1024  # maximum width and height of a stored photo in pixels
_MOST_PIXELS: Final = {"JPEG": 40_000_000, "MPO": 40_000_000, "PNG": 12_500_000, "WEBP": 6_500_000}
"""Format -> maximum number of pixels, so that the decoder needs at most about 100 MB."""

_MOST_PIXELS_AT_ONCE: Final = 12_500_000  # of a JPEG that is not reduced while it is read
_FORMATS: Final = ("JPEG", "PNG", "WEBP")
_QUALITY: Final = 85
_BOX: Final = b"ftyp"
_HEIC_BRANDS: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"})
"""Brands at the beginning of HEIF files (ISO/IEC 23008-12)."""


class PhotoError(StoreError):
    """Raised when a photo cannot be stored or read; the message contains the reason."""


class RefusedPictureError(PhotoError):
    """Raised when a picture is rejected; `key` is the key of the translated reason."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The picture was rejected: {key}.")
        self.key = key


@dataclass(frozen=True, slots=True, kw_only=True)
class Photo:
    """The metadata of a stored photo, without the picture."""

    subject: str
    """Registry id of the device in the photo, or of the entity if it belongs to no device.

    For an entity without a registry id, this is the entity id.
    """

    content: str  # hash of the stored JPEG; unique among the photos of a device
    caption: str
    """Description of the device, written by a person or a model; empty if there is none."""

    added: datetime  # time at which the photo was added, in UTC

    @property
    def image_id(self) -> str:
        """Unique id of the image entity that shows the photo."""
        return f"{self.subject}_{self.content}"


def content_hash(content: bytes) -> str:
    """Return the hash of a photo or caption, as 32 hexadecimal digits."""
    # The photo file stores embedding vectors under this hash.
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def clean_caption(text: str, longest: int = LONGEST_CAPTION) -> str:
    """Return a text on one line, without unprintable characters, cut to `longest` characters."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(printable.split())[:longest].strip()


def read_picture(path: Path) -> bytes:
    """Return a file's content up to one byte more than allowed, to notice it. Blocking."""
    with path.open("rb") as file:
        return file.read(_LARGEST_FILE + 1)


def re_encode(content: bytes) -> bytes:
    """Convert a picture to JPEG, 1024 x 1024 at most. Blocking. Raises RefusedPictureError."""
    if len(content) > _LARGEST_FILE:
        raise RefusedPictureError("photo_large_file")
    if content[4:8] == _BOX and content[8:12] in _HEIC_BRANDS:
        raise RefusedPictureError("photo_heic")
    try:
        # `open` reads only the header; `_as_jpeg` decodes the pixels.
        with Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
            return _as_jpeg(picture)
    except (UnidentifiedImageError, Image.DecompressionBombError) as error:
        bomb = isinstance(error, Image.DecompressionBombError)
        raise RefusedPictureError("photo_many_pixels" if bomb else "photo_other_format") from None
    except RefusedPictureError:
        raise
    except Exception:
        # Decoders raise errors of many types for damaged data.
        _LOGGER.debug("A picture could not be decoded", exc_info=True)
        raise RefusedPictureError("photo_damaged") from None


def _as_jpeg(picture: Image.Image) -> bytes:
    most = _MOST_PIXELS.get(picture.format or "", 0)
    if "progressive" in picture.info or picture.mode == "CMYK":
        most = min(most, _MOST_PIXELS_AT_ONCE)
    if picture.width * picture.height > most:
        raise RefusedPictureError("photo_many_pixels")
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


FILE: Final = FileKind(
    subject="store of the photos",
    error=PhotoError,
    schema=Path(__file__).with_suffix(".sql"),
    counted="photos",
    damage_issue="photos_damaged",
)


class PhotoStore(Database):
    """The open SQLite file with the photos."""

    kind = FILE

    def photos(self) -> tuple[Photo, ...]:
        """Return the metadata of all photos, the oldest first."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT subject, content, caption, added FROM photos ORDER BY added, content"
            )
            return tuple(
                Photo(
                    subject=subject,
                    content=content,
                    caption=caption,
                    added=datetime.fromtimestamp(added, UTC),
                )
                for subject, content, caption, added in rows
            )

    def image(self, photo: Photo) -> bytes | None:
        """Return the JPEG of a photo, or None if the photo was deleted."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT image FROM photos WHERE subject = ? AND content = ?",
                (photo.subject, photo.content),
            ).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, photo: Photo, image: bytes) -> None:
        """Add a photo; replace an identical picture of the same device."""
        with self.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO photos VALUES (?, ?, ?, ?, ?)",
                (photo.subject, photo.content, photo.caption, photo.added.timestamp(), image),
            )

    def set_caption(self, photo: Photo, caption: str) -> None:
        """Store a caption; do nothing if the photo was deleted."""
        with self.writing() as connection:
            connection.execute(
                "UPDATE photos SET caption = ? WHERE subject = ? AND content = ?",
                (caption, photo.subject, photo.content),
            )
            self._forget_unused_vectors()
            self.owe_scrub()
        self.scrub()

    def remove(self, photos: Iterable[Photo]) -> None:
        """Delete photos, and vectors that no other photo uses; erase their bytes from the file."""
        with self.writing() as connection:
            connection.executemany(
                "DELETE FROM photos WHERE subject = ? AND content = ?",
                [(each.subject, each.content) for each in photos],
            )
            self._forget_unused_vectors()
            self.owe_scrub()
        self.scrub()

    def vectors(self, contents: Sequence[str], model: str) -> dict[str, Vectors]:
        """Return stored embedding vectors: content hash -> vector of the shape (dimensions,).

        `contents`: hashes of photos and captions; those without a vector are left out. `model`: id
        of the embedding model.
        """
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT content, vector FROM vectors WHERE model = ? AND content IN "
                "(SELECT value FROM json_each(?))",
                (model, json.dumps(list(contents))),
            )
            return {content: from_blobs([vector])[0] for content, vector in rows}

    def put_vectors(self, vectors: Mapping[str, Vectors], model: str) -> None:
        """Store embedding vectors: content hash -> vector. `model`: id of the embedding model.

        Also deletes the vectors of photos and captions that no longer exist.
        """
        with self.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                [(content, model, to_blob(vector)) for content, vector in vectors.items()],
            )
            self._forget_unused_vectors()

    def _forget_unused_vectors(self) -> None:
        """Delete the vectors of deleted photos and captions; call this in a transaction."""
        connection = self.connection
        used: set[str] = set()
        for content, caption in connection.execute("SELECT content, caption FROM photos"):
            used |= {content, content_hash(caption.encode())}
        found = connection.execute("SELECT DISTINCT content FROM vectors").fetchall()
        unused = [(content,) for (content,) in found if content not in used]
        connection.executemany("DELETE FROM vectors WHERE content = ?", unused)


_NOT_READ: Final = "The photos have not been read yet."


class PhotoAlbum(AsyncFile[PhotoStore]):
    """All photos: metadata in memory, pictures in SQLite. `async_` methods raise PhotoError."""

    def __init__(self, hass: HomeAssistant, path: Path) -> None:
        super().__init__(hass, path, PhotoStore)
        self._photos: dict[str, tuple[Photo, ...]] = {}
        self._listeners: list[Callable[[], None]] = []
        self.trouble: str | None = _NOT_READ
        """Sentence with the reason why the photos cannot be read; None after they were loaded."""

        self.has_photos = False  # whether at least one device has a photo
        self.version = 0  # a counter that grows with each change of the photos

    def __iter__(self) -> Iterator[Photo]:
        return (photo for photos in tuple(self._photos.values()) for photo in photos)

    def of(self, subjects: Iterable[str]) -> tuple[Photo, ...]:
        """Return a device's photos; `subjects`: registry ids of the device and its entities."""
        return tuple(photo for each in subjects for photo in self._photos.get(each, ()))

    def caption(self, subjects: Iterable[str]) -> str:
        """Return a device's captions on one line; `subjects`: registry ids, as for `of`."""
        return "; ".join(dict.fromkeys(each.caption for each in self.of(subjects) if each.caption))

    def listen(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` after each change of the photos; return a function that unsubscribes."""
        self._listeners.append(changed)
        return lambda: self._listeners.remove(changed)

    async def async_load(self) -> None:
        """Load the metadata of all photos. Raises PhotoError, with the reason in `trouble`."""
        try:
            await self._async_refresh()
        except PhotoError as error:
            self.trouble = str(error)
            raise

    async def async_image(self, photo: Photo) -> bytes | None:
        """Return the JPEG of a photo, or None if the photo was deleted."""
        return await self.async_run(PhotoStore.image, photo)

    async def async_add(self, subject: str, picture: bytes, caption: str = "") -> Photo:
        """Convert a picture, store it as a photo of a device, and return the photo.

        `subject`: id of the device (`Photo.subject`). Raises RefusedPictureError if the picture is
        rejected.
        """
        if len(self.of((subject,))) >= MOST_PHOTOS:
            raise RefusedPictureError("photo_too_many")
        image = await self._hass.async_add_executor_job(re_encode, picture)
        photo = Photo(
            subject=subject,
            content=content_hash(image),
            caption=clean_caption(caption),
            added=datetime.now(UTC),
        )
        await self.async_run(PhotoStore.put, photo, image)
        await self._async_refresh()
        return photo

    async def async_set_caption(self, photo: Photo, caption: str) -> None:
        """Store the caption of a photo."""
        await self.async_run(PhotoStore.set_caption, photo, clean_caption(caption))
        await self._async_refresh()

    async def async_remove(self, photos: Iterable[Photo]) -> None:
        """Delete photos, and erase their bytes from the file."""
        if removed := tuple(photos):
            await self.async_run(PhotoStore.remove, removed)
            await self._async_refresh()

    async def _async_refresh(self) -> None:
        found: dict[str, tuple[Photo, ...]] = {}
        for photo in await self.async_run(PhotoStore.photos):
            found[photo.subject] = (*found.get(photo.subject, ()), photo)
        self._photos = found
        self.has_photos = bool(found)
        self.trouble = None
        self.version += 1
        for changed in tuple(self._listeners):
            changed()
