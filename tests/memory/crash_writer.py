"""Writes to a memory at random, and acknowledges each call, until it is killed.

Before a call, a line on the pipe says what is begun; after its return, another one that it is
done. The pipe holds what was written to it even if the writer is dead.
"""

import itertools
import json
import os
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from custom_components.sage.memory.memories import Memory
from custom_components.sage.memory.person_memory import PersonMemory

from .toy_embedder import MODEL, embed

LONGEST: Final = 400  # calls of one process; long before that it is dead
_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_WORDS: Final = ("tea", "hockey", "Quebec", "Monday", "the blue mug")


class Writer:
    """Calls one method after the other."""

    def __init__(self, path: Path, pipe: int, seed: int, returned: Callable[[], None]) -> None:
        self._pipe = pipe
        self._name = f"{seed:08x}"
        self._random = random.Random(seed)
        self._numbers = itertools.count()
        self._returned = returned
        self._tell(begin="open")
        self._memory = PersonMemory.open(path)
        self._tell(done="open")

    def run(self) -> None:
        calls = [self.add, self.add, self.add_again, self.correct]
        calls += [self.set_vectors, self.set_vectors, self.forget, self.forget_period]
        for _ in range(LONGEST):
            self._random.choice(calls)()

    def add(self) -> None:
        text = self._text()
        self._tell(begin="add", text=text)
        memory = self._memory.add(Memory(text=text, at=self._now()))
        self._acknowledge(id=memory.id)

    def add_again(self) -> None:
        if old := self._some(1):
            self._tell(begin="add", text=old[0].text)
            memory = self._memory.add(Memory(text=old[0].text.upper(), at=self._now()))
            self._acknowledge(id=memory.id)

    def correct(self) -> None:
        if old := self._some(1):
            text = self._text()
            self._tell(begin="correct", id=old[0].id, text=text)
            self._memory.correct(old[0].id, text)
            self._acknowledge()

    def set_vectors(self) -> None:
        if some := self._memory.recall.missing_vectors(MODEL, self._random.choice((1, 4, 40))):
            self._tell(begin="set_vectors", ids=[memory.id for memory in some])
            self._memory.recall.set_vectors(MODEL, some, embed(*(memory.text for memory in some)))
            self._acknowledge()

    def forget(self) -> None:
        if some := self._some(self._random.choice((1, 2, 9))):
            ids = [memory.id for memory in some]
            self._tell(begin="forget", ids=ids)
            self._memory.forget(ids)
            self._acknowledge()

    def forget_period(self) -> None:
        """Forget what was said once, and only in the last of the times that there are."""
        once = [memory for memory in self._memory.list() if memory.count == 1]
        if once:
            at = once[0].at
            ids = [memory.id for memory in once if memory.at == at]
            found = self._memory.said_within(at, at + timedelta(microseconds=1))
            if {memory.id for memory in found} == set(ids):
                self._tell(begin="forget", ids=ids)
                self._memory.forget_period(at, at + timedelta(microseconds=1))
                self._acknowledge()

    def _text(self) -> str:
        words = self._random.choices(_WORDS, k=self._random.choice((3, 30, 700)))
        return f"#{self._name}-{next(self._numbers):04d}# {' '.join(words)}"

    def _now(self) -> datetime:
        return _BEGIN + timedelta(seconds=self._random.randrange(10**8))

    def _some(self, count: int) -> list[Memory]:
        every = self._memory.list()
        return self._random.sample(every, min(count, len(every)))

    def _acknowledge(self, **result: Any) -> None:
        self._returned()
        self._tell(done=True, **result)

    def _tell(self, **line: Any) -> None:
        os.write(self._pipe, json.dumps(line).encode() + b"\n")
