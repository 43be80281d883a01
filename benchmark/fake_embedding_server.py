"""An OpenAI-compatible embedding server on loopback, with the faults of real ones.

It speaks real HTTP, so that the real client, its connections and its failures are part of what is
tested. Its vectors count the words of a text, one dimension per word as far as possible: texts that
share words are near each other. An image counts as the name of its colour. The speaker of a
recording is what the recording says before its first `>`.
"""

import asyncio
import base64
import hashlib
import io
import itertools
import math
import re
import wave
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

import numpy as np
from aiohttp import web
from PIL import Image

from .loopback import Loopback

type Json = dict[str, Any]


class Fault(StrEnum):
    """What goes wrong with a request."""

    HANG = "hang"
    DROPPED = "dropped"
    """The connection ends without a reply."""

    CUT = "cut"
    """The connection ends in the middle of a reply."""

    NOT_JSON = "not_json"
    NO_DATA = "no_data"
    ONE_TOO_FEW = "one_too_few"
    ONE_TOO_MANY = "one_too_many"
    WRONG_NUMBERS = "wrong_numbers"
    """Two vectors are said to be of the same text."""

    SEVERAL_SIZES = "several_sizes"
    OTHER_SIZE = "other_size"
    NOT_A_NUMBER = "not_a_number"
    NULL = "null"
    TOO_LARGE = "too_large"
    """A number that a float of four bytes does not reach."""

    ZEROS = "zeros"
    EMPTY = "empty"
    PIECES = "pieces"
    """A vector for each piece of a text."""

    HALF_A_FLOAT = "half_a_float"
    WORDS = "words"
    """Words instead of numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A reply with an error of the API."""

    status: int
    message: str = "refused"
    code: str | None = None
    param: str | None = None
    retry_after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRequest:
    """A request as it came in."""

    body: Json
    headers: Mapping[str, str]

    @property
    def texts(self) -> list[str]:
        """What was to be embedded."""
        return list(self.body["input"])


class FakeEmbeddingServer:
    """The server; `url` is its base URL while it runs."""

    def __init__(
        self,
        *,
        models: Iterable[str] = ("test-embeddings",),
        dimensions: int = 64,
        api_key: str | None = None,
        base64_replies: bool = True,
    ) -> None:
        """Prepare a server. Without `base64_replies` it answers in decimal numbers, always."""
        self.requests: list[RecordedRequest] = []
        self.models = frozenset(models)
        self.dimensions = dimensions
        self.api_key = api_key
        self.base64_replies = base64_replies
        self.reads_images = True
        """If not, an image is embedded as if its data URI were a text."""

        self.refuses: Callable[[Json], Refusal | None] = lambda _: None
        """Called with each request; returns the reason why the server refuses it, if it does."""
        self.async_listens: Callable[[bytes], Awaitable[None]] | None = None
        """Awaited with the audio of each recording before the reply."""

        self.url = ""
        self._faults: list[Fault | Refusal] = []
        self._always: Fault | Refusal | None = None
        self._loopback = Loopback()
        self._stopping = asyncio.Event()

    def fail(self, *faults: Fault | Refusal) -> None:
        """Let the next requests fail so, one after the other."""
        self._faults.extend(faults)

    def fail_always(self, fault: Fault | Refusal | None) -> None:
        """Let all requests fail so; None ends it."""
        self._always = fault

    @property
    def texts(self) -> list[str]:
        """All embedded texts, in order."""
        return list(itertools.chain.from_iterable(request.texts for request in self.requests))

    async def async_start(self) -> None:
        """Start to serve in the running loop."""
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/embeddings", self._async_embeddings)
        app.router.add_post("/v1/speakers", self._async_speakers)
        self._stopping = asyncio.Event()
        await self._loopback.async_start(app)
        self.url = f"{self._loopback.url}/v1"

    async def async_stop(self) -> None:
        """Stop, ending what hangs. The port is kept, so that it can start again."""
        self._stopping.set()
        await self._loopback.async_stop()

    async def __aenter__(self) -> Self:
        await self.async_start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.async_stop()

    async def _async_embeddings(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(RecordedRequest(body=body, headers=dict(request.headers)))
        if refusal := self._refusal(request, body):
            return _refused(refusal)
        fault = self._always or (self._faults.pop(0) if self._faults else None)
        if isinstance(fault, Refusal):
            return _refused(fault)
        reply = self._reply(body, fault)
        match fault:
            case Fault.HANG:
                await self._stopping.wait()
                return _hang_up(request)
            case Fault.DROPPED:
                return _hang_up(request)
            case Fault.CUT:
                return await _async_cut(request, web.json_response(reply).body)
            case Fault.NOT_JSON:
                return web.Response(text="<html>It works!</html>", content_type="text/html")
            case Fault.NO_DATA:
                return web.json_response({"object": "list"})
        return web.json_response(reply)

    async def _async_speakers(self, request: web.Request) -> web.StreamResponse:
        """Reply with the vectors of voices, as the models server does."""
        body = await request.json()
        self.requests.append(RecordedRequest(body=body, headers=dict(request.headers)))
        if refusal := self._refusal(request, body):
            return _refused(refusal)
        try:
            recordings = [_audio_of(each) for each in body["input"]]
        except (ValueError, wave.Error, EOFError) as err:
            return _refused(Refusal(status=400, message=str(err), param="input"))
        entries = []
        for index, audio in enumerate(recordings):
            if self.async_listens is not None:
                await self.async_listens(audio)
            if len(audio) < _LEAST_SPEECH:
                return _refused(Refusal(status=400, code="too_little_speech"))
            vector = voice_vector(audio)
            entries.append({"object": "embedding", "index": index, "embedding": vector})
        return web.json_response({"object": "list", "model": body["model"], "data": entries})

    def _refusal(self, request: web.Request, body: Json) -> Refusal | None:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.api_key not in (None, given):
            # As careless as some servers are.
            return Refusal(status=401, message=f"Incorrect API key provided: {given}")
        if body["model"] not in self.models:
            text = f"The model `{body['model']}` does not exist or you do not have access to it."
            return Refusal(status=404, message=text, code="model_not_found")
        return self.refuses(body)

    def _reply(self, body: Json, fault: Fault | None) -> Json:
        texts, size = list(body["input"]), body.get("dimensions", self.dimensions)
        if fault is Fault.OTHER_SIZE:
            size += 1
        if self.reads_images and body.get("modality") == "image":
            texts = [name_colour(each) for each in texts]
        vectors: list[Any] = [count_words(text, size) for text in texts]
        entries = [{"object": "embedding", "index": i} for i in range(len(vectors))]
        _spoil(vectors, entries, fault)
        for entry, vector in zip(entries, vectors, strict=False):
            entry["embedding"] = self._wire(vector, body)
        # The order is not promised.
        return {"object": "list", "model": body["model"], "data": entries[::-1]}

    def _wire(self, vector: Any, body: Json) -> Any:
        numbers = isinstance(vector, list) and all(isinstance(x, float) for x in vector)
        if numbers and self.base64_replies and body.get("encoding_format") == "base64":
            return base64.b64encode(np.array(vector, "<f4").tobytes()).decode()
        return vector


_LEAST_SPEECH: Final = 51_200
"""Bytes of 1.6 s of 16 kHz, 16 bits, mono."""


def _audio_of(data_uri: str) -> bytes:
    """Return the PCM of a recording; raises ValueError if it has not the only accepted form."""
    head, _, content = data_uri.partition("base64,")
    with wave.open(io.BytesIO(base64.b64decode(content, validate=True))) as file:
        form = (file.getnchannels(), file.getsampwidth(), file.getframerate())
        if head != "data:audio/wav;" or form != (1, 2, 16_000) or file.getnframes() > 480_000:
            raise ValueError("not a WAV file of at most 30 s with 16 kHz, 16 bits, mono")
        return bytes(file.readframes(file.getnframes()))


def voice_vector(audio: bytes) -> list[float]:
    """Return the vector of the speaker of a recording, norm 1, 256 numbers.

    Its PCM begins with the speaker, `anna>`; `anna+ben>` is a voice in the middle between two. Two
    recordings of a speaker differ a little; one that names nobody is by a speaker of its own.
    """
    named = re.match(rb"([a-z+]+)>", audio)
    total = _noise(audio) * 0.2
    for name in named[1].split(b"+") if named else [audio]:
        total = total + _noise(name)
    return [float(each) for each in total / np.linalg.norm(total)]


def _noise(seed: bytes) -> Any:
    number = int.from_bytes(hashlib.sha256(seed).digest()[:8])
    return np.random.default_rng(number).normal(size=256)


def count_words(text: str, dimensions: int) -> list[float]:
    """Return how often each word occurs, each word at the place of its hash."""
    counts = [0.0] * dimensions
    for word in text.casefold().split():
        counts[int(hashlib.sha256(word.encode()).hexdigest(), 16) % dimensions] += 1
    return counts


_COLOURS: Final = {
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "white": (255, 255, 255),
    "black": (0, 0, 0),
}


def name_colour(data_uri: str) -> str:
    """Return the name of the mean colour of an image."""
    content = base64.b64decode(data_uri.partition("base64,")[2], validate=True)
    with Image.open(io.BytesIO(content)) as image:
        mean = np.array(image.convert("RGB").resize((1, 1)).getpixel((0, 0)))
    return min(_COLOURS, key=lambda name: float(np.abs(mean - _COLOURS[name]).sum()))


_LAST_VECTORS: Final[Mapping[Fault, Any]] = {
    Fault.EMPTY: [],
    Fault.HALF_A_FLOAT: "AAA=",
    Fault.WORDS: "no vector",
    Fault.PIECES: [[0.5, 0.5], [0.5, -0.5]],
}


def _spoil(vectors: list[Any], entries: list[Json], fault: Fault | None) -> None:
    """Put `fault` into the last of the vectors."""
    match fault:
        case Fault.ONE_TOO_FEW:
            entries.pop()
        case Fault.ONE_TOO_MANY:
            vectors.append(vectors[-1])
            entries.append({"object": "embedding", "index": len(entries)})
        case Fault.WRONG_NUMBERS:
            entries[-1]["index"] = 0 if len(entries) > 1 else 7
        case Fault.SEVERAL_SIZES:
            vectors[-1] = [*vectors[-1], 1.0]
        case Fault.NOT_A_NUMBER:
            vectors[-1] = [math.nan, *vectors[-1][1:]]
        case Fault.NULL:
            vectors[-1] = [None, *vectors[-1][1:]]
        case Fault.TOO_LARGE:
            vectors[-1] = [math.inf, *vectors[-1][1:]]
        case Fault.ZEROS:
            vectors[-1] = [0.0] * len(vectors[-1])
        case Fault() if fault in _LAST_VECTORS:
            vectors[-1] = _LAST_VECTORS[fault]


def _refused(refusal: Refusal) -> web.Response:
    error = {"message": refusal.message, "code": refusal.code, "param": refusal.param}
    headers = {"Retry-After": refusal.retry_after} if refusal.retry_after else {}
    return web.json_response({"error": error}, status=refusal.status, headers=headers)


async def _async_cut(request: web.Request, whole: Any) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(whole)
    await response.prepare(request)
    await response.write(whole[: len(whole) // 2])
    _hang_up(request)
    return response


def _hang_up(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


def refuse_longer_than(characters: int, refusal: Refusal) -> Callable[[Json], Refusal | None]:
    """Return a rule that refuses longer texts."""

    def rule(body: Json) -> Refusal | None:
        longest: Sequence[str] = max(body["input"], key=len)
        return refusal if len(longest) > characters else None

    return rule


def refuse_parameter(name: str) -> Callable[[Json], Refusal | None]:
    """Return a rule that refuses a parameter of the request."""
    text = f"Unsupported parameter: '{name}' is not supported with this model."

    def rule(body: Json) -> Refusal | None:
        return Refusal(status=400, message=text, param=name) if name in body else None

    return rule


def refuse_broken_images(body: Json) -> Refusal | None:
    """Refuse images that are no JPEG, as a server does that reads `modality`."""
    if body.get("modality") != "image":
        return None
    images = [base64.b64decode(each.partition(",")[2]) for each in body["input"]]
    is_broken = not all(each.startswith(b"\xff\xd8\xff") for each in images)
    return Refusal(status=400, message="not an image") if is_broken else None
