"""Assemble a model's reply from a server's JSON response or stream.

A stream consists of server-sent events with one JSON object each.
"""

import asyncio
import contextlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import httpx

from ..helpers.server_requests import FailedAttemptError
from .language_model import MOST_CALLS, DeltaSink, ModelErrorKind, ModelReply, ToolCall, Usage

_REASONING_BEGINS: Final = "<think>"
_REASONING_ENDS: Final = "</think>"
_DECISION_BEGINS: Final = re.compile(r"\A\s*(?:```\w*\s*)?\{|^\s*Action Input:", re.MULTILINE)
_QUOTE: Final = re.compile(r'(?<!\\)"')
"""Begins or ends a JSON string; `</think>` inside a string is no end of the reasoning."""

_DATA: Final = b"data:"
_LAST_EVENT: Final = b"[DONE]"
_REPEATS: Final = 4
"""Number of equal parts at the end of a reply that repeats itself."""

_LONGEST_REPEATED: Final = 600
"""Maximum length of one such part in characters."""

_LEAST_REPEATED: Final = 800
"""Minimum length of all equal parts together in characters; long lists have equal items, too."""

_CHECKED_EVERY: Final = 100
"""Number of new characters after which the reply is checked for repetition."""

_GRACE_SECONDS: Final = 1.0
"""Time to wait for the end of the response body after the last event, in seconds."""


@dataclass(slots=True)
class _GrowingCall:
    """A partly received tool call."""

    id: str = ""
    name: str = ""
    arguments: str = ""


class ReplyParts:
    """Assembles one reply, and passes pieces of it to `on_delta` as they arrive."""

    def __init__(self, stop: tuple[str, ...], on_delta: DeltaSink | None) -> None:
        self._text = ReplyText(stop)
        self._on_delta = on_delta
        self._calls: dict[int, _GrowingCall] = {}
        self._usage = Usage()
        self._finish_reason: str | None = None
        self._tail = ""
        self._unchecked = 0
        self._repeats_itself = False
        self.passed_on = False
        """Whether `on_delta` has received anything."""

    @property
    def finished(self) -> bool:
        """Whether the server has sent the `finish_reason` of the reply."""
        return self._finish_reason is not None

    @property
    def stopped(self) -> bool:
        """Whether no more of the stream is needed.

        Either the text contained a stop sequence, or the reply repeats itself, which small models
        do until the maximum length.
        """
        return self._text.stopped or self._repeats_itself

    def add_whole(self, completion: object) -> None:
        """Add a response that was not streamed; raises FailedAttemptError if it is invalid."""
        data = _sound(completion)
        choice = _first(data.get("choices"))
        message = _mapping(choice.get("message"))
        if not message:
            raise FailedAttemptError(
                ModelErrorKind.BROKEN_REPLY, "the reply is no chat completion", again=True
            )
        self._add_usage(data.get("usage"))
        self._add(message)
        self._finish_reason = str(choice.get("finish_reason") or "stop")

    def add_chunk(self, chunk: object) -> None:
        """Add one chunk of a stream; raises FailedAttemptError if the chunk contains an error."""
        data = _sound(chunk)
        self._add_usage(data.get("usage"))
        choice = _first(data.get("choices"))
        self._add(_mapping(choice.get("delta")))
        if self._unchecked >= _CHECKED_EVERY:
            self._unchecked = 0
            self._repeats_itself = self._repeats_itself or repeats_itself(self._tail)
        if reason := choice.get("finish_reason"):
            self._finish_reason = str(reason)

    def reply(self) -> ModelReply:
        """Return the complete reply, after all parts were added.

        Raises FailedAttemptError if the reply is empty.
        """
        self._pass_on(self._text.end())
        reply = ModelReply(
            text=self._text.text,
            tool_calls=tuple(
                ToolCall(id=call.id or f"call_{index}", name=call.name, arguments=call.arguments)
                for index, call in islice(self._calls.items(), MOST_CALLS + 1)
            ),
            usage=self._usage,
            truncated=self._finish_reason == "length" or self._repeats_itself,
        )
        if not (reply.text or reply.tool_calls or reply.truncated or self._text.stopped):
            raise FailedAttemptError(ModelErrorKind.BROKEN_REPLY, "the reply is empty", again=True)
        return reply

    def _add(self, message: Mapping[str, Any]) -> None:
        """Add text and tool calls; ignore reasoning in separate fields."""
        if content := _content(message.get("content")):
            self._watch(content)
            self._pass_on(self._text.add(content))
        calls = message.get("tool_calls")
        for position, wire in enumerate(calls if isinstance(calls, list) else ()):
            self._add_call(_mapping(wire), position)

    def _add_call(self, wire: Mapping[str, Any], position: int) -> None:
        index = wire.get("index")
        if not isinstance(index, int):
            index = position
        if index not in self._calls:
            self._calls[index] = _GrowingCall()
            # Several calls may have the same arguments.
            self._tail = ""
        call = self._calls[index]
        function = _mapping(wire.get("function"))
        call.id = call.id or str(wire.get("id") or "")
        call.name = call.name or str(function.get("name") or "")
        if piece := _arguments(function.get("arguments")):
            call.arguments += piece
            self._watch(piece)
            if call is next(iter(self._calls.values())):
                self._pass_on(piece)

    def _watch(self, piece: str) -> None:
        self._tail = (self._tail + piece)[-_REPEATS * _LONGEST_REPEATED :]
        self._unchecked += len(piece)

    def _pass_on(self, piece: str) -> None:
        if piece and self._on_delta is not None:
            self.passed_on = True
            self._on_delta(piece)

    def _add_usage(self, usage: object) -> None:
        """Store the token counts, replacing earlier ones of the same stream."""
        if not (data := _mapping(usage)):
            return
        details = _mapping(data.get("prompt_tokens_details"))
        self._usage = Usage(
            prompt_tokens=_count(data.get("prompt_tokens")),
            cached_tokens=_count(details.get("cached_tokens")),
            completion_tokens=_count(data.get("completion_tokens")),
        )


def repeats_itself(text: str) -> bool:
    """Return whether a text ends with four or more equal parts, of 800 characters together.

    A part has at most 600 characters.
    """
    longest = min(len(text) // _REPEATS, _LONGEST_REPEATED)
    return any(
        text.endswith(text[-length:] * max(_REPEATS, math.ceil(_LEAST_REPEATED / length)))
        for length in range(1, longest + 1)
    )


def _sound(value: object) -> Mapping[str, Any]:
    """Return the response as a mapping; raises FailedAttemptError if it contains an error.

    Some servers send an error with HTTP status 200.
    """
    data = _mapping(value)
    if error := data.get("error"):
        detail = str(_mapping(error).get("message") or error)
        raise FailedAttemptError(ModelErrorKind.SERVER_ERROR, detail, again=True)
    return data


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(value: object) -> Mapping[str, Any]:
    return _mapping(value[0]) if isinstance(value, list) and value else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _content(value: object) -> str:
    """Return the text of a message; some servers send a list of parts."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else ()
    return "".join(str(_mapping(part).get("text") or "") for part in parts)


def _arguments(value: object) -> str:
    """Return the tool arguments as JSON text; some servers send an object."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else ""


class ReplyText:
    """Assembles the text of a reply from its pieces, without a leading `<think>...</think>` block.

    The text is cut before the first stop sequence.
    """

    def __init__(self, stop: tuple[str, ...] = ()) -> None:
        """Set the stop sequences; the text ends before the first one."""
        self._stop = stop
        self._held = max((len(word) for word in stop), default=1) - 1
        self._raw = ""
        self._thinking: bool | None = None
        self._text = ""
        self._passed = 0
        self.stopped = False
        """Whether the text contains a stop sequence; later pieces are ignored."""

    def add(self, piece: str) -> str:
        """Add a piece; return the new text that certainly belongs to the reply.

        Text that may be reasoning or the start of a stop sequence waits for a later call.
        """
        if self.stopped:
            return ""
        if self._thinking is False:
            self._text += piece
        else:
            self._raw += piece
            self._text += self._after_reasoning()
        return self._pass_on()

    def end(self) -> str:
        """Complete the text; return the part that `add` has not returned."""
        if self._thinking is None:
            # An incomplete `<think>` tag is plain text.
            self._text += self._raw.lstrip()
            self._thinking = False
        self._find_stop()
        rest = self._text[self._passed :]
        self._passed = len(self._text)
        return rest

    @property
    def text(self) -> str:
        """The complete text; valid only after `end`."""
        # Some chat templates put `<think>` into the prompt, so the reply has only `</think>`.
        reasoning, _, rest = self._text.rpartition(_REASONING_ENDS)
        is_quoted = _DECISION_BEGINS.search(reasoning) and _QUOTE.subn("", reasoning)[1] % 2
        return (self._text if is_quoted else rest).strip()

    def _after_reasoning(self) -> str:
        """Return the text after the reasoning block; empty until the block has ended."""
        begun = self._raw.lstrip()
        if self._thinking is None:
            if len(begun) < len(_REASONING_BEGINS) and _REASONING_BEGINS.startswith(begun):
                return ""
            self._thinking = begun.startswith(_REASONING_BEGINS)
        if not self._thinking:
            return begun
        _, closed, rest = begun.partition(_REASONING_ENDS)
        if not closed or not rest.lstrip():
            return ""
        self._thinking = False
        return rest.lstrip()

    def _pass_on(self) -> str:
        self._find_stop()
        certain = len(self._text) if self.stopped else len(self._text) - self._held
        if certain <= self._passed:
            return ""
        piece = self._text[self._passed : certain]
        self._passed = certain
        return piece

    def _find_stop(self) -> None:
        ends = [at for at in map(self._text.find, self._stop) if at >= 0]
        if ends:
            self._text = self._text[: min(ends)]
            self.stopped = True


async def async_read_events(response: httpx.Response, parts: ReplyParts) -> None:
    """Read an event stream into `parts`; raises FailedAttemptError if the reply is incomplete."""
    clock = asyncio.get_running_loop().time
    buffer = b""
    ended = False
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(None) as scope:
            async for data in response.aiter_bytes():
                # Split only at line feeds: text may contain other Unicode line separators.
                *lines, buffer = (buffer + data).split(b"\n")
                for event in _events(lines):
                    parts.add_chunk(event)
                ended = ended or any(map(_is_end, lines))
                if parts.stopped or ended:
                    # A deadline in the past cancels the read at once and closes the stream.
                    scope.reschedule(clock() + (0.0 if parts.stopped else _GRACE_SECONDS))
                # Yield to the event loop between pieces of a burst.
                await asyncio.sleep(0)
    # After a stop, the last line may be incomplete.
    for event in _events([] if parts.stopped else [buffer]):
        parts.add_chunk(event)
    if not (parts.finished or parts.stopped):
        raise FailedAttemptError(
            ModelErrorKind.BROKEN_REPLY, "the stream ended before the reply did", again=True
        )


def _is_end(line: bytes) -> bool:
    return line.removeprefix(_DATA).strip() == _LAST_EVENT


def _events(lines: list[bytes]) -> Iterator[object]:
    for line in lines:
        if line.startswith(_DATA):
            data = line.removeprefix(_DATA).strip()
            if data and not _is_end(line):
                yield json.loads(data)
