"""The memory of one person: everything in one file, one thread at a time (DESIGN 7)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from ..embeddings.embedder import Vectors
from ..storage.database import Database
from ..storage.recovery import remove_set_aside
from .errors import MemoryOffError
from .exchange import Imported, add_export, export
from .instants import EVER, to_instant
from .memory_settings import MemorySettings
from .memory_table import MemoryTable
from .model import Memory, NewMemory, Origin, Recalled
from .recall import Recall
from .schema import FILE
from .summaries import Correction, Day, DaySummary, Known, Profile
from .summary_table import SummaryTable
from .vector_table import VectorTable
from .vectors import Bonus, Scores


class PersonMemory:
    """What one person said, what was made of it, and how to find it.

    Whatever writes has brought it to the disk when it returns. Whatever deletes or replaces
    words also takes them out of the bytes of the files, and out of the summaries and the
    profile that rest on them. All methods raise MemoryStoreError or one of its kinds when the
    file cannot be used.
    """

    def __init__(self, database: Database) -> None:
        """Use an open file."""
        self._database: Final = database
        connection = database.connection
        self._memories = MemoryTable(connection)
        self._vectors = VectorTable(connection)
        self._summaries = SummaryTable(connection)
        self._recall = Recall(self._memories, self._vectors)

    @classmethod
    def open(cls, path: Path, held: bool = False) -> Self:
        """Open or make the file of a person; `held` while it is being copied.

        Raises NewerFileError, CorruptFileError or MemoryStoreError.
        """
        return cls(Database.open(path, FILE, held=held))

    def close(self) -> None:
        """Close the file and let go of everything; closing twice does no harm."""
        self._recall.unload()
        self._database.close()

    # What was said

    def add(self, new: NewMemory, *, instead_of: int | None = None) -> Memory:
        """Remember something; what has the same words counts once more.

        `instead_of` is the memory of the utterance that told it at the same time: it is stored
        once. Raises MemoryOffError when the person does not want it, ValueError without words.
        """
        gone: tuple[int, ...] = ()
        with self._database.writing() as connection:
            if not MemorySettings.read(connection).enabled:
                raise MemoryOffError("Memory is switched off.")
            if instead_of is not None:
                gone = self._memories.unsay(instead_of, to_instant(new.at))
            memory = self._memories.add(new)
        self._recall.remove(gone)
        return memory

    def mark_request(self, memory_id: int, at: datetime) -> None:
        """Take note that what was said at a time was a request about that moment.

        A memory of requests only is neither recalled nor a fact.
        """
        with self._database.writing():
            self._memories.mark_request(memory_id, to_instant(at))

    def known(self) -> Known:
        """Return everything that is known of the person, the latest first."""
        with self._database.reading():
            profile = self._summaries.profile()
            return Known(
                told=self._memories.of_origins({Origin.TOLD, Origin.CORRECTED}),
                said=self._memories.of_origins({Origin.SAID}, profile.made_at if profile else None),
                profile=profile.text if profile else "",
            )

    def get(self, memory_id: int) -> Memory:
        """Return a memory; raises UnknownMemoryError."""
        with self._database.reading():
            return self._memories.one(memory_id)

    def list(
        self, *, limit: int | None = None, before: Memory | None = None, words: str | None = None
    ) -> tuple[Memory, ...]:
        """Return memories, the one said last first.

        `before` is the last memory of the page before. `words` have to stand in text or
        question, or parts of words, whatever the case and the accents.
        """
        with self._database.reading():
            return self._memories.page(limit, before, words)

    def count(self) -> int:
        """Return how many memories there are."""
        with self._database.reading():
            return self._memories.count()

    def sayings(self, memory_id: int) -> tuple[NewMemory, ...]:
        """Return every time that a memory was said; empty if there is no such memory."""
        with self._database.reading():
            return self._memories.sayings(memory_id)

    def correct(self, memory_id: int, text: str, *, tainted: bool = False) -> Memory:
        """Give a memory other words; a memory that had them already is taken up into it.

        It keeps its times and loses its vectors. Raises UnknownMemoryError, ValueError.
        """
        with self._database.writing():
            self._drop_made_from(self._memories.instants((memory_id,)))
            twins = self._memories.rewrite(memory_id, text, tainted=tainted)
            corrected = self._memories.one(memory_id)
        self._finish((memory_id, *twins))
        return corrected

    # Forgetting

    def forget(self, ids: Iterable[int]) -> int:
        """Forget memories; return how many of them there were."""
        ids = tuple(ids)
        with self._database.writing():
            self._drop_made_from(self._memories.instants(ids))
            gone = self._memories.delete(ids)
        self._finish(gone)
        return len(gone)

    def forget_period(self, start: datetime, end: datetime) -> int:
        """Forget what was said from `start` until before `end`; return how many memories.

        What was also said at other times stays, as if said only then.
        """
        return self._cut(to_instant(start), to_instant(end))

    def expire(self, before: datetime) -> int:
        """Forget what was said before a time; return how many memories."""
        return self._cut(EVER[0], to_instant(before))

    def expire_requests(self, before: datetime) -> int:
        """Forget requests from before a time; return how many memories were nothing else.

        What was made from them stays until it is made anew, without them.
        """
        with self._database.writing():
            gone = self._memories.cut_requests(to_instant(before))
            if gone:
                self._database.owe_scrub()
        self._finish(gone)
        return len(gone)

    def take_back(self, memory_id: int) -> Memory | None:
        """Undo the last `add` of a memory; return what remains of it.

        Raises UnknownMemoryError.
        """
        with self._database.writing():
            self._memories.one(memory_id)
            self._drop_made_from(self._memories.instants((memory_id,)))
            gone = self._memories.take_back(memory_id)
            remaining = None if gone else self._memories.one(memory_id)
        self._finish(gone)
        return remaining

    def forget_all(self) -> int:
        """Forget everything but the settings; return how many memories there were.

        Damaged files that were kept are deleted, too.
        """
        with self._database.writing():
            count = self._memories.count()
            self._memories.clear()
            self._summaries.clear()
            self._database.owe_scrub()
        self._recall.unload()
        self._database.scrub()
        remove_set_aside(self._database.path)
        return count

    # Taking it along

    def export(self) -> dict[str, Any]:
        """Return everything that is known of the person, for JSON."""
        with self._database.reading():
            return export(self._memories, self._summaries)

    def import_(self, data: Any) -> Imported:
        """Add what an export has and this memory has not; all of it or nothing.

        Raises ImportFormatError, MemoryOffError.
        """
        with self._database.writing() as connection:
            if not MemorySettings.read(connection).enabled:
                raise MemoryOffError("Memory is switched off.")
            return add_export(data, self._memories, self._summaries)

    # Vectors

    def missing_vectors(
        self, model_id: str, limit: int, *, below: int | None = None
    ) -> tuple[Memory, ...]:
        """Return memories without a vector of the model, the newest first.

        `below` is the lowest id that was seen already.
        """
        with self._database.reading():
            ids = self._vectors.missing(model_id, limit, below)
            found = self._memories.get(ids)
            return tuple(found[memory_id] for memory_id in ids)

    def set_vectors(self, model_id: str, memories: Sequence[Memory], vectors: Vectors) -> int:
        """Store the vectors of memories, one row each; return how many were stored.

        Memories that were forgotten or corrected since are passed over. Raises ValueError for
        vectors that are not numbers, or of another length than those that the model has.
        """
        rows = np.asarray(vectors, np.float32)
        if rows.shape[:1] != (len(memories),) or rows.ndim != 2 or not np.isfinite(rows).all():
            raise ValueError("Each memory needs one row of numbers.")
        with self._database.writing():
            stored = self._vectors.set(model_id, memories, rows)
        self._recall.add(model_id, [memories[place].id for place in stored], rows[stored])
        return len(stored)

    def vector_counts(self) -> dict[str, int]:
        """Return how many vectors there are of each model."""
        with self._database.reading():
            return self._vectors.counts()

    def keep_vectors(self, model_ids: Collection[str]) -> None:
        """Delete the vectors of all other models."""
        with self._database.writing():
            self._vectors.keep(model_ids)
        self._recall.keep(model_ids)

    def recall(
        self,
        vector: Scores,
        model_id: str,
        k: int = 5,
        *,
        bonus: Bonus | None = None,
        without: Collection[int] = (),
        requests: bool = False,
    ) -> tuple[Recalled, ...]:
        """Return the `k` memories that fit best, best first.

        `vector`, that of the question, has shape (dimensions,) and length 1; the score is its
        cosine, plus the bonus. Exact over all memories that have a vector of the model or a
        bonus; those with the same words, whatever case, accents and punctuation, count once.
        The memories `without` are left out, and requests about a moment unless `requests`. The
        first recall loads the vectors. Raises ValueError for a vector of another length.
        """
        with self._database.reading():
            return self._recall.best(
                vector, model_id, k, bonus=bonus, without=without, requests=requests
            )

    def load_vectors(self, model_id: str) -> int:
        """Load the vectors of a model ahead of a recall; return how many there are."""
        with self._database.reading():
            index = self._recall.load(model_id)
            return 0 if index is None else len(index)

    def unload_vectors(self) -> None:
        """Let go of the vectors in memory until the next recall."""
        self._recall.unload()

    @property
    def vector_bytes(self) -> int:
        """Memory that the loaded vectors take."""
        return self._recall.vector_bytes

    # Summaries and profile

    def changed_days(self, zone: tzinfo) -> tuple[Day, ...]:
        """Return the days that need a summary, the earliest first; `zone` is the home's.

        Summaries of days on which nothing is left are deleted; the profile is then behind.
        """
        with self._database.writing():
            made_from = self._summaries.hashes()
            changed = [
                day
                for day in self._summaries.days(zone)
                if made_from.pop(day.date, None) != day.content_hash
            ]
            if made_from:
                self._summaries.drop_summaries(made_from)
            return tuple(changed)

    def day_summaries(self) -> tuple[DaySummary, ...]:
        """Return the summaries of all days, the earliest first."""
        with self._database.reading():
            return self._summaries.summaries()

    def set_day_summary(self, day: Day, text: str, *, made_at: datetime, model: str) -> bool:
        """Store what was made from `day`; False if the day is not that any more."""
        with self._database.writing():
            return self._summaries.set_summary(day, text, made_at, model)

    def profile(self) -> Profile | None:
        """Return the profile, if there is one."""
        with self._database.reading():
            return self._summaries.profile()

    def set_profile(self, profile: Profile, made_from: Sequence[DaySummary]) -> bool:
        """Store a profile; False if a summary that it was made from has gone or changed."""
        with self._database.writing():
            return self._summaries.set_profile(profile, made_from)

    def corrections(self) -> tuple[Correction, ...]:
        """Return what the person said to set the profile right, the earliest first."""
        with self._database.reading():
            return self._summaries.corrections()

    def add_correction(self, text: str, at: datetime) -> Correction:
        """Store what the person said to set the profile right."""
        with self._database.writing():
            return self._summaries.add_correction(text, at)

    def drop_correction(self, correction_id: int) -> bool:
        """Delete a correction, and the profile with it; False if there is none of that id."""
        with self._database.writing():
            dropped = self._summaries.drop_correction(correction_id)
            if dropped:
                self._database.owe_scrub()
        self._database.scrub()
        return dropped

    # The person's settings, and the file

    def settings(self) -> MemorySettings:
        """Return what the person decided."""
        with self._database.reading() as connection:
            return MemorySettings.read(connection)

    def set_settings(self, settings: MemorySettings) -> None:
        """Store what the person decided."""
        with self._database.writing() as connection:
            settings.write(connection)

    def checkpoint(self) -> None:
        """Bring everything into the one file."""
        self._database.checkpoint()

    def hold(self) -> None:
        """Leave the one file as it is until `release`, so that it can be copied."""
        self._database.hold()

    def release(self) -> None:
        """End `hold`; what was deleted meanwhile now leaves the bytes of the file."""
        self._database.release()

    def _cut(self, start: int, end: int) -> int:
        with self._database.writing():
            said = self._memories.said_within(start, end)
            self._drop_made_from([at for _, at in said])
            gone = self._memories.cut(start, end)
        self._finish(gone)
        return len({memory_id for memory_id, _ in said})

    def _drop_made_from(self, instants: Collection[int]) -> None:
        """Delete what was made from things said then, and note what has to follow."""
        if instants:
            self._summaries.drop_resting_on(instants)
            self._database.owe_scrub()

    def _finish(self, gone: Iterable[int]) -> None:
        """Do what follows a deletion once it is on the disk."""
        self._recall.remove(gone)
        self._database.scrub()
