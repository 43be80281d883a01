"""The SQLite file with the photos of all devices and their embedding vectors."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import numpy as np

from ..embeddings.embedder import Vectors
from ..storage.database import SETTINGS_TABLE, FileErrors, FileKind, StoreFile
from .photo import Photo, PhotoError, content_hash

_FIRST: Final = """
CREATE TABLE photos (
    subject TEXT NOT NULL,
    content TEXT NOT NULL,
    caption TEXT NOT NULL,
    added REAL NOT NULL,
    image BLOB NOT NULL,
    PRIMARY KEY (subject, content)
) STRICT;
CREATE TABLE vectors (
    content TEXT NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (content, model)
) STRICT;
"""

_NUMBERS: Final = np.dtype("<f4")
"""Data type of stored vectors: little-endian float32."""


class PhotoStoreError(PhotoError):
    """Raised when the photo file cannot be read or written."""


FILE: Final = FileKind(
    subject="store of the photos",
    errors=FileErrors.below(PhotoStoreError),
    steps=(_FIRST + SETTINGS_TABLE,),
    counted="photos",
)


class PhotoStore(StoreFile):
    """The open SQLite file with the photos."""

    kind = FILE

    # ------------------------------------------------------------------- photos

    def photos(self) -> tuple[Photo, ...]:
        """Return the metadata of all photos, the oldest first."""
        with self._database.reading() as connection:
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
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT image FROM photos WHERE subject = ? AND content = ?",
                (photo.subject, photo.content),
            ).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, photo: Photo, image: bytes) -> None:
        """Add a photo; replace an identical picture of the same device."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO photos VALUES (?, ?, ?, ?, ?)",
                (photo.subject, photo.content, photo.caption, photo.added.timestamp(), image),
            )

    def set_caption(self, photo: Photo, caption: str) -> None:
        """Store a caption; do nothing if the photo was deleted."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE photos SET caption = ? WHERE subject = ? AND content = ?",
                (caption, photo.subject, photo.content),
            )
            self._forget_unused_vectors()
            self._database.owe_scrub()
        self._database.scrub()

    def remove(self, photos: Iterable[Photo]) -> None:
        """Delete photos, and vectors that no other photo uses; erase their bytes from the file."""
        with self._database.writing() as connection:
            connection.executemany(
                "DELETE FROM photos WHERE subject = ? AND content = ?",
                [(each.subject, each.content) for each in photos],
            )
            self._forget_unused_vectors()
            self._database.owe_scrub()
        self._database.scrub()

    # ------------------------------------------------------------------ vectors

    def vectors(self, contents: Sequence[str], model: str) -> dict[str, Vectors]:
        """Return stored embedding vectors: content hash -> vector of the shape (dimensions,).

        `contents`: hashes of photos and captions; those without a vector are left out. `model`: id
        of the embedding model.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT content, vector FROM vectors WHERE model = ? AND content IN "
                "(SELECT value FROM json_each(?))",
                (model, _json_list(contents)),
            )
            return {content: np.frombuffer(vector, _NUMBERS) for content, vector in rows}

    def put_vectors(self, vectors: Mapping[str, Vectors], model: str) -> None:
        """Store embedding vectors: content hash -> vector. `model`: id of the embedding model.

        Also deletes the vectors of photos and captions that no longer exist.
        """
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                [
                    (content, model, vector.astype(_NUMBERS).tobytes())
                    for content, vector in vectors.items()
                ],
            )
            self._forget_unused_vectors()

    def _forget_unused_vectors(self) -> None:
        """Delete the vectors of deleted photos and captions; call this in a transaction."""
        connection = self._database.connection
        used: set[str] = set()
        for content, caption in connection.execute("SELECT content, caption FROM photos"):
            used |= {content, content_hash(caption.encode())}
        found = connection.execute("SELECT DISTINCT content FROM vectors").fetchall()
        unused = [(content,) for (content,) in found if content not in used]
        connection.executemany("DELETE FROM vectors WHERE content = ?", unused)


def _json_list(texts: Sequence[str]) -> str:
    return "[" + ",".join(f'"{each}"' for each in texts) + "]"
