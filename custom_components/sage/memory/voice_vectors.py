"""The vectors of one person's voice, in the person's memory file; no audio is stored."""

from datetime import datetime
from typing import Final

from homeassistant.util.json import JsonValueType

from ..embeddings import Vectors, from_blobs, to_blob
from ..storage import Database
from .memories import from_instant, to_instant

MOST: Final = 12
"""Maximum number of vectors of a person; a further one replaces the oldest."""

_DROP_OLDEST: Final = """
DELETE FROM voices WHERE id NOT IN (SELECT id FROM voices ORDER BY id DESC LIMIT ?)
"""


class VoiceVectors:
    """At most `MOST` speaker vectors (norm 1) of sentences that the person has spoken."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, at: datetime, model: str, vector: Vectors) -> None:
        """Store the vector of one sentence, shape (dimensions,); `model`: its speaker encoder."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO voices (at, model, vector) VALUES (?, ?, ?)",
                (to_instant(at), model, to_blob(vector)),
            )
            if connection.execute(_DROP_OLDEST, (MOST,)).rowcount > 0:
                self._database.owe_scrub()
        self._database.scrub()

    def of_model(self, model: str) -> Vectors | None:
        """Return the vectors of this encoder, shape (sentences, dimensions); None without any."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT vector FROM voices WHERE model = ?", (model,))
            blobs = [blob for (blob,) in rows]
        return from_blobs(blobs) if blobs else None

    def as_json(self, *, with_vectors: bool = False) -> list[JsonValueType]:
        """Return id and time (UTC) of each vector, oldest first; for an export with its numbers."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT id, at, model, vector FROM voices ORDER BY id")
            return [
                {"id": number, "at": from_instant(at).isoformat(), "model": model}
                | ({"vector": from_blobs([blob])[0].tolist()} if with_vectors else {})
                for number, at, model, blob in rows
            ]

    def delete(self, number: int | None = None) -> None:
        """Delete the vector with this id, or all, and erase their bytes from the file."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM voices WHERE ?1 IS NULL OR id = ?1", (number,))
            self._database.owe_scrub()
        self._database.scrub()
