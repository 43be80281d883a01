"""The HTTP server: who may ask, how much at once, and the way of a request to its reply."""

import asyncio
import hashlib
import hmac
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from aiohttp import web

from .batching import Embeddings, joined
from .data_uris import InputError
from .embedding_models import WeightsError
from .embeddings_api import (
    IMAGE,
    SPEECH,
    TEXT,
    EmbeddingRequest,
    RequestError,
    parse_request,
    reply_body,
)
from .image_decoding import decode_image
from .model_store import LoadedModel, LoadingError, ModelStore, UnknownModelError
from .server_settings import Limits, ServerSettings
from .speech_decoding import decode_speech

_LOGGER = logging.getLogger(__name__)

_BUSY_SECONDS: Final = 1
_LOADING_SECONDS: Final = 5
_NO_WEIGHTS_SECONDS: Final = 60
_TENSORS_AT_ONCE: Final = 8
"""Images or recordings of one request that are in memory as tensors."""

_DECODERS: Final[Mapping[str, Callable[[str, Limits], Any]]] = {
    IMAGE: decode_image,
    SPEECH: decode_speech,
}
_CAPABILITIES: Final = {TEXT: "embed", IMAGE: "image_embed", SPEECH: "speaker_embed"}
_PATHS: Final = {"/v1/embeddings": (TEXT, IMAGE), "/v1/speakers": (SPEECH,)}
"""Modalities of the inputs; the first is the default."""

_OPEN_PATHS: Final = frozenset({"/health"})
"""Without a key: a watchdog and a load balancer have none."""

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_Result = TypeVar("_Result")


def make_application(settings: ServerSettings) -> web.Application:
    """Return the application; it loads no model before it is asked."""
    server = _Server(settings)
    application = web.Application(
        client_max_size=settings.limits.body_bytes, middlewares=[_errors, _key_check(settings.key)]
    )
    application.router.add_get("/health", server.async_health)
    application.router.add_get("/v1/models", server.async_models)
    for path in _PATHS:
        application.router.add_post(path, server.async_embeddings)
    application.cleanup_ctx.append(server.async_run)
    return application


class _Server:
    """The state of one application; nothing of it outlives the process."""

    def __init__(self, settings: ServerSettings) -> None:
        self._limits = settings.limits
        self._store = ModelStore(settings)
        self._admission = _Admission(settings.limits)
        # Decoding needs memory for the pixels of an image; two at a time bound it.
        self._preparing = ThreadPoolExecutor(2, "prepare")

    async def async_run(self, application: web.Application) -> AsyncIterator[None]:
        """Stop the threads with the application."""
        yield
        self._store.close()
        self._preparing.shutdown(wait=False, cancel_futures=True)

    async def async_health(self, request: web.Request) -> web.Response:
        """Report that the server runs, its requests in progress and the state of its models."""
        sources = await self._store.async_sources()
        return web.json_response(
            {
                "status": "ok",
                "requests": self._admission.requests,
                "models": {name: self._store.state(name) for name in sources},
            }
        )

    async def async_models(self, request: web.Request) -> web.Response:
        """List the models; `capabilities` are named as Infinity names them, except of speech."""
        sources = await self._store.async_sources()
        data = [
            {
                "id": source.name,
                "object": "model",
                "created": 0,
                "owned_by": "sage_models",
                "capabilities": [_CAPABILITIES[modality] for modality in source.modalities],
            }
            for source in sources.values()
        ]
        return web.json_response({"object": "list", "data": data})

    async def async_embeddings(self, request: web.Request) -> web.Response:
        """Return the vectors of texts, images or voices."""
        with self._admission.admit(request):
            body = await self._async_body(request)
            modalities = _PATHS[request.path]
            asked = await self._async_prepare(parse_request, body, self._limits, modalities)
            model = await self._async_model(asked)
            embeddings = await self._async_embed(asked, model)
            reply = await self._async_prepare(reply_body, asked, embeddings)
        return web.Response(body=reply, content_type="application/json")

    async def _async_body(self, request: web.Request) -> bytes:
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                return await request.read()
        except TimeoutError:
            raise RequestError(408, "The request did not arrive in time.") from None
        except web.HTTPRequestEntityTooLarge:
            raise _too_large(self._limits) from None

    async def _async_model(self, asked: EmbeddingRequest) -> LoadedModel:
        source = await self._store.async_source(asked.model)
        if asked.modality not in source.modalities:
            path = next(path for path, kinds in _PATHS.items() if source.modalities[0] in kinds)
            raise RequestError(
                400,
                f"The model {source.name} takes {' and '.join(source.modalities)} at {path}, not "
                f"{asked.modality}.",
                param="model" if asked.modality == SPEECH else "modality",
            )
        model = await self._store.async_model(source)
        if asked.dimensions not in (None, model.dimensions):
            raise RequestError(
                400,
                f"The vectors of {source.name} have {model.dimensions} dimensions, no others.",
                param="dimensions",
            )
        return model

    async def _async_embed(self, asked: EmbeddingRequest, model: LoadedModel) -> Embeddings:
        side = model.sides[asked.modality]
        if side.prepare is None:
            return await side.batcher.async_embed(asked.inputs)
        parts = []
        for start in range(0, len(asked.inputs), _TENSORS_AT_ONCE):
            tensors = [
                await self._async_prepare(self._tensor, side.prepare, asked, place)
                for place in range(start, min(start + _TENSORS_AT_ONCE, len(asked.inputs)))
            ]
            parts.append(await side.batcher.async_embed(tensors))
        return joined(parts)

    def _tensor(self, prepare: Callable[[Any], Any], asked: EmbeddingRequest, place: int) -> Any:
        try:
            return prepare(_DECODERS[asked.modality](asked.inputs[place], self._limits))
        except InputError as err:
            raise RequestError(400, f"input[{place}] {err}.", param="input", code=err.code) from err

    async def _async_prepare(self, function: Callable[..., _Result], *arguments: Any) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(
            self._preparing, function, *arguments
        )


class _Admission:
    """Bounds the requests in progress and the bytes of their bodies."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.requests = 0
        """In progress."""

        self._bytes = 0

    @contextmanager
    def admit(self, request: web.Request) -> Iterator[None]:
        """Count the request until it is answered. Raises RequestError if there are too many."""
        size = self._size(request)
        if size > self._limits.body_bytes:
            raise _too_large(self._limits)
        if (
            self.requests >= self._limits.requests
            or self._bytes + size > self._limits.waiting_bytes
        ):
            raise RequestError(
                429,
                "The server is busy with other requests; try again in a moment.",
                code="busy",
                retry_after=_BUSY_SECONDS,
            )
        self.requests += 1
        self._bytes += size
        try:
            yield
        finally:
            self.requests -= 1
            self._bytes -= size

    def _size(self, request: web.Request) -> int:
        """Return the bytes of the body; the most there may be if its header does not say it."""
        length = request.content_length
        if length is None or "Content-Encoding" in request.headers:
            return self._limits.body_bytes
        return length


def _too_large(limits: Limits) -> RequestError:
    return RequestError(
        413,
        f"The body is larger than {limits.body_bytes >> 20} MB; send fewer or smaller inputs in "
        "one request.",
    )


def _key_check(key: str | None) -> Any:
    """Return the middleware that lets only requests with the key pass."""
    wanted = _digest(f"Bearer {key}".encode()) if key else None

    @web.middleware
    async def check(request: web.Request, handler: _Handler) -> web.StreamResponse:
        if wanted is not None and request.path not in _OPEN_PATHS:
            given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
            # Digests have one length, so that the time does not depend on the key.
            if not hmac.compare_digest(_digest(given), wanted):
                raise RequestError(
                    401, "The key is missing or wrong (Authorization: Bearer ...).", code="bad_key"
                )
        return await handler(request)

    return check


def _digest(value: bytes) -> bytes:
    return hashlib.sha256(value).digest()


@web.middleware
async def _errors(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Turn every failure into the error object of OpenAI's API."""
    try:
        return await handler(request)
    except RequestError as err:
        return _error_response(err)
    except UnknownModelError as err:
        return _error_response(RequestError(404, str(err), param="model", code="model_not_found"))
    except LoadingError as err:
        return _error_response(
            RequestError(503, str(err), code="model_loading", retry_after=_LOADING_SECONDS)
        )
    except WeightsError as err:
        return _error_response(
            RequestError(503, str(err), code="no_weights", retry_after=_NO_WEIGHTS_SECONDS)
        )
    except web.HTTPException as err:
        return _error_response(RequestError(err.status, f"{request.method} {request.path}: {err}"))
    except Exception:
        _LOGGER.exception("A request failed")
        return _error_response(
            RequestError(500, "The server failed; its log says why.", code="server_failure")
        )


def _error_response(err: RequestError) -> web.Response:
    headers = {}
    if err.retry_after is not None:
        headers["Retry-After"] = str(err.retry_after)
    if err.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return web.Response(
        status=err.status,
        text=json.dumps(err.body()),
        content_type="application/json",
        headers=headers,
    )
