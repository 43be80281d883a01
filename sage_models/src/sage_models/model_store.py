"""The models of the server: each is loaded at its first use, one at a time."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from .batching import Batcher
from .embedding_models import ClipModel, Model, ModelSource, WeightsError, find_sources, load
from .embeddings_api import IMAGE, SPEECH, TEXT
from .server_settings import ServerSettings
from .speaker_model import SpeakerModel

_LOGGER = logging.getLogger(__name__)

_TEXTS: Final = 32
_IMAGES: Final = 8
_RECORDINGS: Final = 4
"""Inputs of one batch: larger ones are hardly faster, and others wait longer."""

_KNOWN_FAILURE: Final = 30.0
"""Seconds for which a model that could not be loaded is not tried again."""


@dataclass(frozen=True, slots=True)
class _Failure:
    reason: str
    known_until: float
    """Time of the event loop."""


class LoadingError(Exception):
    """A model is being loaded and not ready yet."""


class UnknownModelError(Exception):
    """There is no model of this name; the text lists those that there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """How a model takes inputs of one modality."""

    batcher: Batcher[Any]
    """Takes texts, or tensors of other inputs."""

    prepare: Callable[[Any], Any] | None = None
    """Returns the tensor of a decoded image or recording; not for the event loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """A model in use."""

    dimensions: int
    sides: Mapping[str, Side]
    """By modality."""


class ModelStore:
    """All models; one thread computes, since a computation uses all processors."""

    def __init__(self, settings: ServerSettings) -> None:
        """Load nothing yet."""
        self._settings = settings
        self._computing = ThreadPoolExecutor(1, "compute")
        self._loading = ThreadPoolExecutor(1, "load")
        self._loads: dict[str, asyncio.Task[LoadedModel]] = {}
        self._failures: dict[str, _Failure] = {}

    def close(self) -> None:
        """Stop; what waits is not computed any more."""
        for executor in (self._computing, self._loading):
            executor.shutdown(wait=False, cancel_futures=True)

    async def async_sources(self) -> Mapping[str, ModelSource]:
        """Return all models by name, also those whose folder is new."""
        return await asyncio.to_thread(find_sources, self._settings.weights)

    async def async_source(self, name: str) -> ModelSource:
        """Return a model by its name. Raises UnknownModelError."""
        sources = await self.async_sources()
        if (source := sources.get(name)) is None:
            raise UnknownModelError(
                f"The model {name[:100]} does not exist here; there are {', '.join(sources)}."
            )
        return source

    def state(self, name: str) -> str:
        """Return `loaded`, `loading`, `failed` or `not_loaded`."""
        if (task := self._loads.get(name)) is not None:
            return "loaded" if task.done() else "loading"
        return "failed" if name in self._failures else "not_loaded"

    async def async_model(self, source: ModelSource) -> LoadedModel:
        """Return the model, loaded at its first use.

        Raises WeightsError if it cannot be loaded, and LoadingError if that takes long; loading
        then goes on.
        """
        loop = asyncio.get_running_loop()
        if source.name not in self._loads:
            failure = self._failures.get(source.name)
            if failure and loop.time() < failure.known_until:
                raise WeightsError(failure.reason)
            self._loads[source.name] = loop.create_task(self._async_load(source))
        try:
            async with asyncio.timeout(self._settings.limits.load_seconds):
                return await asyncio.shield(self._loads[source.name])
        except TimeoutError:
            raise LoadingError(
                f"The model {source.name} is being loaded; try again in a moment."
            ) from None

    async def _async_load(self, source: ModelSource) -> LoadedModel:
        loop = asyncio.get_running_loop()
        try:
            model = await loop.run_in_executor(
                self._loading, partial(load, source, offline=self._settings.offline)
            )
        except BaseException as err:
            # The next request tries again.
            if isinstance(err, WeightsError):
                _LOGGER.warning("The model %s could not be loaded: %s", source.name, err)
            del self._loads[source.name]
            self._failures[source.name] = _Failure(str(err), loop.time() + _KNOWN_FAILURE)
            raise
        self._failures.pop(source.name, None)
        return self._loaded(model)

    def _loaded(self, model: Model) -> LoadedModel:
        sides = {}
        if isinstance(model, SpeakerModel):
            recordings = Batcher(model.embed_speech, self._computing, _RECORDINGS)
            sides[SPEECH] = Side(batcher=recordings, prepare=model.prepare)
        else:
            sides[TEXT] = Side(batcher=Batcher(model.embed_texts, self._computing, _TEXTS))
        if isinstance(model, ClipModel):
            images = Batcher(model.embed_images, self._computing, _IMAGES)
            sides[IMAGE] = Side(batcher=images, prepare=model.prepare)
        return LoadedModel(dimensions=model.dimensions, sides=sides)
