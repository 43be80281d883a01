"""The vectors of one person's voice, in the person's memory file; no audio is stored."""

from datetime import datetime
from typing import Final

from homeassistant.util.json import JsonValueType

from ..embeddings import Vectors, from_blobs, to_blob
from ..storage import Database
from .memories import from_instant, to_instant

MOST: Final = 12
"""Maximum number of sentences of a person; a further one replaces the oldest."""

_DROP_OLDEST: Final = """
DELETE FROM voices WHERE at NOT IN (SELECT DISTINCT at FROM voices ORDER BY at DESC LIMIT ?)
"""


class VoiceVectors:
    """The speaker vectors (norm 1) of at most `MOST` sentences that the person has spoken.

    The vectors of one sentence, such as that of the same sentence in noise, have the same time.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, at: datetime, model: str, vectors: Vectors) -> None:
        """Store the vectors of one sentence, one row each; `model`: their speaker encoder."""
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT INTO voices (at, model, vector) VALUES (?, ?, ?)",
                [(to_instant(at), model, to_blob(vector)) for vector in vectors],
            )
            if connection.execute(_DROP_OLDEST, (MOST,)).rowcount > 0:
                self._database.owe_scrub()
        self._database.scrub()

    def of_model(self, model: str) -> Vectors | None:
        """Return the vectors of this encoder, one row each; None without any."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT vector FROM voices WHERE model = ?", (model,))
            blobs = [blob for (blob,) in rows]
        return from_blobs(blobs) if blobs else None

    def as_json(self, *, with_vectors: bool = False) -> list[JsonValueType]:
        """Return id and time (UTC) of each sentence, oldest first; for an export, its vectors."""
        sentences: dict[int, dict[str, JsonValueType]] = {}
        vectors: dict[int, list[JsonValueType]] = {}
        with self._database.reading() as connection:
            for number, at, model, blob in connection.execute(
                "SELECT id, at, model, vector FROM voices ORDER BY id"
            ):
                time = from_instant(at).isoformat()
                sentences.setdefault(at, {"id": number, "at": time, "model": model})
                vectors.setdefault(at, []).append(from_blobs([blob])[0].tolist())
        if with_vectors:
            for at, sentence in sentences.items():
                sentence["vectors"] = vectors[at]
        return list(sentences.values())

    def delete(self, number: int | None = None) -> None:
        """Delete the sentence with this id, or all, and erase their bytes from the file."""
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM voices WHERE ?1 IS NULL OR at = (SELECT at FROM voices WHERE id = ?1)",
                (number,),
            )
            self._database.owe_scrub()
        self._database.scrub()
