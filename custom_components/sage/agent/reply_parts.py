"""Putting a reply together from the JSON of a server, whole or in pieces."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .decision import MOST_CALLS
from .language_model import DeltaSink, ModelErrorKind, ModelReply, ToolCall, Usage
from .reply_text import ReplyText
from .retry import FailedAttemptError


@dataclass(slots=True)
class _GrowingCall:
    """A tool call that is still being written."""

    id: str = ""
    name: str = ""
    arguments: str = ""


class ReplyParts:
    """Collects one reply, and passes its pieces to `on_delta` as they arrive."""

    def __init__(self, stop: tuple[str, ...], on_delta: DeltaSink | None) -> None:
        """Begin an empty reply."""
        self._text = ReplyText(stop)
        self._on_delta = on_delta
        self._calls: dict[int, _GrowingCall] = {}
        self._usage = Usage()
        self._finish_reason: str | None = None
        self.passed_on = False
        """A piece was passed to `on_delta`."""

    @property
    def finished(self) -> bool:
        """Whether the server said that the reply is whole."""
        return self._finish_reason is not None

    @property
    def stopped(self) -> bool:
        """Whether the text reached a stop sequence that the server ignored."""
        return self._text.stopped

    def add_whole(self, completion: object) -> None:
        """Add a completion that is not streamed."""
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
        """Add one chunk of a stream."""
        data = _sound(chunk)
        self._add_usage(data.get("usage"))
        choice = _first(data.get("choices"))
        self._add(_mapping(choice.get("delta")))
        if reason := choice.get("finish_reason"):
            self._finish_reason = str(reason)

    def reply(self) -> ModelReply:
        """Return the whole reply; raises when it is empty."""
        self._pass_on(self._text.end())
        reply = ModelReply(
            text=self._text.text,
            tool_calls=tuple(
                ToolCall(id=call.id or f"call_{index}", name=call.name, arguments=call.arguments)
                for index, call in islice(self._calls.items(), MOST_CALLS + 1)
            ),
            usage=self._usage,
            truncated=self._finish_reason == "length",
        )
        if not (reply.text or reply.tool_calls or reply.truncated or self._text.stopped):
            raise FailedAttemptError(ModelErrorKind.BROKEN_REPLY, "the reply is empty", again=True)
        return reply

    def _add(self, message: Mapping[str, Any]) -> None:
        """Add text and calls; reasoning in separate fields is ignored."""
        if content := _content(message.get("content")):
            self._pass_on(self._text.add(content))
        calls = message.get("tool_calls")
        for position, wire in enumerate(calls if isinstance(calls, list) else ()):
            self._add_call(_mapping(wire), position)

    def _add_call(self, wire: Mapping[str, Any], position: int) -> None:
        index = wire.get("index")
        if not isinstance(index, int):
            index = position
        call = self._calls.setdefault(index, _GrowingCall())
        function = _mapping(wire.get("function"))
        call.id = call.id or str(wire.get("id") or "")
        call.name = call.name or str(function.get("name") or "")
        if piece := _arguments(function.get("arguments")):
            call.arguments += piece
            if call is next(iter(self._calls.values())):
                self._pass_on(piece)

    def _pass_on(self, piece: str) -> None:
        if piece and self._on_delta is not None:
            self.passed_on = True
            self._on_delta(piece)

    def _add_usage(self, usage: object) -> None:
        """Store the token counts; the last ones of a stream count."""
        if not (data := _mapping(usage)):
            return
        details = _mapping(data.get("prompt_tokens_details"))
        self._usage = Usage(
            prompt_tokens=_count(data.get("prompt_tokens")),
            cached_tokens=_count(details.get("cached_tokens")),
            completion_tokens=_count(data.get("completion_tokens")),
        )


def _sound(value: object) -> Mapping[str, Any]:
    """Return the object; raises if it is an error with a success status."""
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
    """Return the text of a message; some servers send it as a list of parts."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else ()
    return "".join(str(_mapping(part).get("text") or "") for part in parts)


def _arguments(value: object) -> str:
    """Return the arguments as text; some servers send an object."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else ""
