"""The replies of a model, kept by the request, so that a run can be repeated without the model.

A server on loopback stands between the cases and the model. Recording, it passes each request on
and keeps the reply; replaying, it answers from the file. A reply belongs to the case, the repeat
and the request, so that the order of the cases does not matter; the nth equal request of a case
gets the nth reply.

Requests contain times, which depend on the speed of the machine, and random ids. They are blanked
for the comparison of requests (`blanked`). `comparable` does the same with results, so that two
replays give equal bytes.
"""

import asyncio
import base64
import hashlib
import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import aiohttp
from aiohttp import web

from ..loopback import Loopback, ServerThread
from .result import TaskResult
from .runner import Task

_MOST_BYTES: Final = 64 * 1024 * 1024
_RANDOM: Final = re.compile(
    r"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # UUID
    r"|[0-9a-f]{32}"
    r"|[0-9A-HJKMNP-TV-Z]{26})\b"  # ULID
    r"|\b127\.0\.0\.1:\d+",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b"
)
_UNEQUAL: Final = frozenset({"id", "conversation_id", "seconds", "model_seconds"})
"""Keys of a trace whose values differ between two equal runs."""


def blanked(text: str) -> str:
    """Return a text without random ids and clock times."""
    return _TIME.sub("<time>", _RANDOM.sub("<id>", text))


def comparable(result: TaskResult) -> TaskResult:
    """Return a result without what differs between two equal runs.

    That are `seconds`, `started` and `date`; in traces also ids, hashes and clock times.
    """
    return replace(
        result,
        seconds=0.0,
        started="",
        date="",
        problems=tuple(map(blanked, result.problems)),
        trace=tuple(_comparable(each) for each in result.trace),
    )


def _comparable(value: Any) -> Any:
    match value:
        case str():
            return blanked(value)
        case Mapping():
            return {key: _comparable(each) for key, each in value.items() if key not in _UNEQUAL}
        case list() | tuple():
            return [_comparable(each) for each in value]
        case _:
            return value


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedReply:
    """The reply to a request."""

    key: str
    status: int
    content_type: str
    body: str
    """In Base64."""


class Recording:
    """The file: a reply per line. May be used by several threads."""

    def __init__(self, path: Path) -> None:
        """Read the replies; a line that was cut off is ignored."""
        self._path = path
        self._lock = threading.Lock()
        self._replies: dict[str, list[RecordedReply]] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for line in lines:
            try:
                self._keep(RecordedReply(**json.loads(line)))
            except ValueError, TypeError:
                continue

    def _keep(self, reply: RecordedReply) -> None:
        self._replies.setdefault(reply.key, []).append(reply)

    def add(self, reply: RecordedReply) -> None:
        """Append a reply."""
        with self._lock:
            self._keep(reply)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(reply), sort_keys=True) + "\n")

    def get(self, key: str, number: int) -> RecordedReply | None:
        """Return the reply to the request with this number (from 0), or the last one."""
        replies = self._replies.get(key)
        return replies[min(number, len(replies) - 1)] if replies else None


class Recorder:
    """The server between cases and model; with an upstream it records, otherwise it replays."""

    def __init__(self, recording: Recording, *, upstream: str = "") -> None:
        """Use the recording; `upstream` is the base URL of the model."""
        self._recording = recording
        self._upstream = upstream
        self._upstreams: dict[str, str] = {}
        self._asked: dict[str, int] = {}
        self._loopback = Loopback()
        self._thread: ServerThread | None = None
        self._session: aiohttp.ClientSession | None = None

    def url_of(self, case: str, repeat: int, *, upstream: str = "") -> str:
        """Return the base URL for the requests of a case."""
        if self._upstream and upstream:
            self._upstreams[case] = upstream
        return f"{self._loopback.url}/{case}/{repeat}/v1"

    def __enter__(self) -> Self:
        self._thread = ServerThread(self)
        self._thread.begin()
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.end()
            self._thread = None

    async def async_start(self) -> None:
        """Start to serve in the running loop."""
        app = web.Application(client_max_size=_MOST_BYTES)
        app.router.add_route("*", "/{case}/{repeat}/v1/{path:.*}", self._async_answer)
        # A local model may take long for a reply.
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None))
        await self._loopback.async_start(app)

    async def async_stop(self) -> None:
        """Stop to serve."""
        await self._loopback.async_stop()
        if self._session is not None:
            await self._session.close()

    async def _async_answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        case, repeat, path = (request.match_info[each] for each in ("case", "repeat", "path"))
        said = blanked(body.decode(errors="replace"))
        digest = hashlib.sha256(f"{request.method} {path}\n{said}".encode()).hexdigest()
        key = f"{case}/{repeat}/{digest}"
        number = self._asked.get(key, 0)
        self._asked[key] = number + 1
        if self._upstream:
            # A client that hangs up does not end the recording.
            reply = await asyncio.shield(self._async_pass_on(request, key, body))
        elif (found := self._recording.get(key, number)) is not None:
            reply = found
        else:
            return _error(404, f"The recording has no reply to this request of {case}.")
        return web.Response(
            status=reply.status,
            body=base64.b64decode(reply.body),
            headers={"Content-Type": reply.content_type},
        )

    async def _async_pass_on(self, request: web.Request, key: str, body: bytes) -> RecordedReply:
        assert self._session is not None
        upstream = self._upstreams.get(request.match_info["case"], self._upstream).rstrip("/")
        names = ("Authorization", "Content-Type")
        headers = {name: request.headers[name] for name in names if name in request.headers}
        url = f"{upstream}/{request.match_info['path']}"
        try:
            async with self._session.request(
                request.method, url, data=body or None, headers=headers
            ) as response:
                read = await response.read()
                reply = RecordedReply(
                    key=key,
                    status=response.status,
                    content_type=response.headers.get("Content-Type", "application/json"),
                    body=base64.b64encode(read).decode(),
                )
        except aiohttp.ClientError as err:
            raise web.HTTPBadGateway(text=str(err)) from err
        self._recording.add(reply)
        return reply


def _error(status: int, text: str) -> web.Response:
    return web.json_response({"error": {"message": text, "code": "not_recorded"}}, status=status)


def through(tasks: Sequence[Task], recorder: Recorder) -> list[Task]:
    """Return the tasks with the recorder in place of the model server."""
    return [
        replace(
            each,
            settings=replace(each.settings, base_url=recorder.url_of(each.case, each.repeat)),
        )
        for each in tasks
    ]
