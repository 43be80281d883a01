"""Reading a streamed reply: server-sent events with one JSON object each."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Final

import httpx

from .language_model import ModelErrorKind
from .reply_parts import ReplyParts
from .retry import FailedAttemptError

_DATA: Final = b"data:"
_END: Final = b"[DONE]"
_GRACE: Final = 1.0
"""Seconds to wait for the end of the body after the last event; then the connection is closed."""


async def async_read_events(response: httpx.Response, parts: ReplyParts) -> None:
    """Read a stream into `parts`; raises when it ends before the reply does.

    The client's own reader leaves unfinished generators behind; this one reads to the end of
    the body. It splits bytes at line feeds only, because text may contain other characters
    that end lines in Unicode.
    """
    clock = asyncio.get_running_loop().time
    buffer = b""
    ended = False
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(None) as scope:
            async for data in response.aiter_bytes():
                *lines, buffer = (buffer + data).split(b"\n")
                for event in _events(lines):
                    parts.add_chunk(event)
                ended = ended or any(map(_is_end, lines))
                if parts.stopped or ended:
                    # A deadline that has passed cancels the read, which closes the stream at once.
                    scope.reschedule(clock() + (0.0 if parts.stopped else _GRACE))
                # Buffered data must not block the event loop for long.
                await asyncio.sleep(0)
    for event in _events([buffer]):
        parts.add_chunk(event)
    if not (parts.finished or parts.stopped):
        raise FailedAttemptError(
            ModelErrorKind.BROKEN_REPLY, "the stream ended before the reply did", again=True
        )


def _is_end(line: bytes) -> bool:
    return line.removeprefix(_DATA).strip() == _END


def _events(lines: list[bytes]) -> Iterator[object]:
    for line in lines:
        if line.startswith(_DATA):
            data = line.removeprefix(_DATA).strip()
            if data and not _is_end(line):
                yield json.loads(data)
