"""The embedding model that comes with SAGE: no server, no key, no cost."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from homeassistant.core import HomeAssistant

from .embedder import Vectors
from .minilm import DIMENSIONS, MODEL_ID, MiniLM

MODEL_FILE: Final = Path(__file__).with_name("all-MiniLM-L6-v2-int8.safetensors")

_SLICE: Final = 32
"""Texts that one job of the executor takes: a long list leaves room for others between."""


class BuiltinEmbedder:
    """The built-in model, loaded when it is first needed. Make one and share it."""

    def __init__(self, hass: HomeAssistant, *, file: Path = MODEL_FILE) -> None:
        """Compute in the executor of `hass`, with the weights in `file`."""
        self._hass = hass
        self._file = file
        self._model: MiniLM | None = None
        self._loading = asyncio.Lock()

    @property
    def model_id(self) -> str:
        """Name and version of the model."""
        return MODEL_ID

    async def async_embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text, in order, shape (texts, 384).

        Raises EmbeddingError when the model's file is missing or damaged.
        """
        model = await self._async_load()
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        for begin in range(0, len(texts), _SLICE):
            part = texts[begin : begin + _SLICE]
            vectors[begin : begin + len(part)] = await self._async_job(model.encode, part)
        return vectors

    async def async_check(self) -> int:
        """Return how many numbers a vector has; raises EmbeddingError when there is none."""
        await self._async_load()
        return DIMENSIONS

    async def _async_load(self) -> MiniLM:
        async with self._loading:
            if self._model is None:
                self._model = await self._async_job(MiniLM.load, self._file)
            return self._model

    async def _async_job[*Ts, T](self, job: Callable[[*Ts], T], *args: *Ts) -> T:
        """Return the result of a job in the executor, which also ends before a cancellation.

        Otherwise its thread would go on, with the weights, after SAGE was unloaded.
        """
        working = self._hass.async_add_executor_job(job, *args)
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            await asyncio.wait([working])
            raise
