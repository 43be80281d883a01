"""Computing the inputs of concurrent requests together."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

Input = TypeVar("Input")


@dataclass(frozen=True, slots=True, kw_only=True)
class Embeddings:
    """What a model returns for some inputs, in their order."""

    vectors: npt.NDArray[np.float32]
    """One row for each input, of length 1."""

    tokens: Sequence[int]
    """How many the model has read of each input; 0 for an image."""


def joined(parts: Sequence[Embeddings]) -> Embeddings:
    """Return the embeddings of all parts, in their order."""
    return Embeddings(
        vectors=np.concatenate([part.vectors for part in parts]),
        tokens=[count for part in parts for count in part.tokens],
    )


@dataclass(frozen=True, slots=True)
class _Item(Generic[Input]):
    value: Input
    done: "asyncio.Future[tuple[npt.NDArray[np.float32], int]]"


class Batcher(Generic[Input]):
    """Collects inputs while the model is busy, and computes them in batches.

    An idle model computes at once: nothing waits for a batch to fill. The number of waiting
    inputs is bounded by the application, which admits requests.
    """

    def __init__(
        self, embed: Callable[[Sequence[Input]], Embeddings], executor: Executor, size: int
    ) -> None:
        """Call `embed` in `executor` with at most `size` inputs."""
        self._embed = embed
        self._executor = executor
        self._size = size
        self._waiting: deque[_Item[Input]] = deque()
        self._worker: asyncio.Task[None] | None = None

    async def async_embed(self, inputs: Sequence[Input]) -> Embeddings:
        """Return the embeddings of the inputs, in their order; cancelling it skips the inputs."""
        loop = asyncio.get_running_loop()
        items = [_Item(value, loop.create_future()) for value in inputs]
        self._waiting.extend(items)
        if self._worker is None:
            self._worker = loop.create_task(self._async_work())
        rows = await asyncio.gather(*(item.done for item in items))
        return Embeddings(
            vectors=np.stack([vector for vector, _ in rows]), tokens=[count for _, count in rows]
        )

    async def _async_work(self) -> None:
        try:
            while batch := self._next_batch():
                await self._async_batch(batch)
        finally:
            self._worker = None

    def _next_batch(self) -> Sequence[_Item[Input]]:
        batch: list[_Item[Input]] = []
        while self._waiting and len(batch) < self._size:
            item = self._waiting.popleft()
            if not item.done.done():
                batch.append(item)
        return batch

    async def _async_batch(self, batch: Sequence[_Item[Input]]) -> None:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(
                self._executor, self._embed, [item.value for item in batch]
            )
        except Exception as err:  # noqa: BLE001 - each request reports it
            for item in batch:
                if not item.done.done():
                    item.done.set_exception(err)
            return
        for item, vector, tokens in zip(batch, found.vectors, found.tokens, strict=True):
            if not item.done.done():
                item.done.set_result((vector, tokens))
