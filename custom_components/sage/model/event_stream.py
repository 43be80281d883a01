"""Read a reply of a model server: a stream of server-sent events, or one JSON body.

The lines of a stream follow the WHATWG HTML standard, section "Server-sent events".
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

import httpx

from ..helpers.server_requests import FailedAttemptError
from .language_model import ModelErrorKind
from .reply_parts import ReplyParts

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_END_MARK: Final = b"[DONE]"
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_FIELDS: Final = (b"data:", b"event:", b"error:", b"id:", b"retry:", b":")

_GRACE_SECONDS: Final = 1.0
"""Time to wait for the end of the response body after the last event, in seconds."""


LARGEST_REPLY: Final = 8_000_000
"""Maximum size of a response body in bytes."""


class EventStream:
    """Splits the bytes of a stream into its events, which are JSON values."""

    def __init__(self) -> None:
        self._rest = b""
        self._data = b""
        self._is_error = False
        self._is_after_cr = False
        self._is_begun = False
        self.has_ended = False
        """Whether the stream contained the mark `[DONE]`."""

    def feed(self, piece: bytes) -> Iterator[object]:
        """Yield the events that end in `piece`; raises ValueError if an event is not JSON."""
        if self._is_after_cr:
            # The line feed of a line end that was split.
            piece = piece.removeprefix(b"\n")
        # No event has to wait for the byte after a carriage return.
        self._is_after_cr = piece.endswith(b"\r")
        *lines, self._rest = _LINE_END.split(self._rest + piece)
        for line in lines:
            yield from self._line(line)

    def end(self) -> Iterator[object]:
        """Yield the last event, if its line has no end."""
        yield from self._line(self._rest)
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[object]:
        if not self._is_begun:
            self._is_begun = True
            line = line.removeprefix(_BYTE_ORDER_MARK)
        field, _, value = line.partition(b":")
        value = value.strip()
        if line.lstrip().startswith(b"{"):
            # Some servers leave out the field name.
            field, value = b"data", line
        if not line.strip():
            data, self._data, self._is_error = self._data, b"", False
            if data:
                json.loads(data)
        elif _END_MARK in (line.strip(), value.strip(b'"')):
            self.has_ended = True
        elif field == b"event":
            self._is_error = value == b"error"
        elif field == b"error":
            # llama.cpp reports an error in the middle of a stream in this way.
            yield {"error": json.loads(value)}
        elif field == b"data" and value:
            yield from self._add_data(value)

    def _add_data(self, value: bytes) -> Iterator[object]:
        """Yield the event as soon as it is whole: some servers send no blank line after it."""
        self._data = b"\n".join(filter(None, (self._data, value)))
        try:
            event = json.loads(self._data)
        except ValueError:
            # The event may consist of several lines.
            return
        self._data = b""
        if self._is_error and not (isinstance(event, Mapping) and "error" in event):
            event = {"error": event}
        yield event


async def async_read_reply(
    response: httpx.Response, parts: ReplyParts, *, is_streamed: bool
) -> None:
    """Read a response into `parts`; `is_streamed`: whether the request asked for a stream.

    Raises FailedAttemptError if the reply is incomplete or comes from no model server, and
    httpx.DecodingError if it has more than `LARGEST_REPLY` bytes.
    """
    content_type = response.headers.get("content-type", "")
    is_whole = "json" in content_type or "html" in content_type or not is_streamed
    if is_whole and "event-stream" not in content_type:
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            _check_size(len(body))
        _read_body(bytes(body), parts)
    else:
        await _async_read_events(response, parts)


def _check_size(size: int) -> None:
    if size > LARGEST_REPLY:
        raise httpx.DecodingError(f"the reply has more than {LARGEST_REPLY // 1_000_000} MB")


def _read_body(body: bytes, parts: ReplyParts) -> None:
    """Read a whole body; some servers send events although the request asked for none."""
    body = body.removeprefix(_BYTE_ORDER_MARK).strip()
    if body.startswith(b"{"):
        parts.add_whole(json.loads(body))
    elif body.startswith(_FIELDS):
        events = EventStream()
        for event in (*events.feed(body), *events.end()):
            parts.add_chunk(event)
        parts.check_end(has_end_mark=events.has_ended)
    else:
        detail = "a web page" if body.startswith(b"<") else "no JSON" if body else "an empty reply"
        raise FailedAttemptError(
            ModelErrorKind.WRONG_ADDRESS, f"{detail} instead of a chat completion", again=True
        )


async def _async_read_events(response: httpx.Response, parts: ReplyParts) -> None:
    clock = asyncio.get_running_loop().time
    events, size = EventStream(), 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(None) as scope:
            async for piece in response.aiter_bytes():
                size += len(piece)
                _check_size(size)
                for event in events.feed(piece):
                    parts.add_chunk(event)
                if parts.stopped or events.has_ended:
                    # A deadline in the past cancels the read at once and closes the stream.
                    scope.reschedule(clock() + (0.0 if parts.stopped else _GRACE_SECONDS))
                # Yield to the event loop between pieces of a burst.
                await asyncio.sleep(0)
    # After a stop, the last line may be incomplete.
    if not parts.stopped:
        for event in events.end():
            parts.add_chunk(event)
    parts.check_end(has_end_mark=events.has_ended)
