"""Assemble a model's reply from a server's JSON response or the chunks of a stream."""

import math
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from ..helpers.server_requests import FailedAttemptError
from .growing_calls import GrowingCalls
from .language_model import MOST_CALLS, DeltaSink, ModelErrorKind, ModelReply, ToolCall, Usage
from .model_errors import failure_in_body

_REASONING_BEGINS: Final = "<think>"
_REASONING_ENDS: Final = "</think>"
_DECISION_BEGINS: Final = re.compile(r"\A\s*(?:```\w*\s*)?\{|^\s*Action Input:", re.MULTILINE)
_QUOTE: Final = re.compile(r'(?<!\\)"')
"""Begins or ends a JSON string; `</think>` inside a string is no end of the reasoning."""

_CUT_OFF: Final = ("length", "model_length", "max_tokens", "MAX_TOKENS")
"""Values of `finish_reason` for a reply that reached the maximum length."""

_REPEATS: Final = 4
"""Number of equal parts at the end of a reply that repeats itself."""

_LONGEST_REPEATED: Final = 600
"""Maximum length of one such part in characters."""

_LEAST_REPEATED: Final = 800
"""Minimum length of all equal parts together in characters; long lists have equal items, too."""

_CHECKED_EVERY: Final = 100
"""Number of new characters after which the reply is checked for repetition."""


class ReplyParts:
    """Assembles one reply, and passes pieces of it to `on_delta` as they arrive."""

    def __init__(self, stop: tuple[str, ...], on_delta: DeltaSink | None) -> None:
        self._text = ReplyText(stop)
        self._on_delta = on_delta
        self._has_content = False
        self._calls = GrowingCalls()
        self._usage = Usage()
        self._finish_reason: str | None = None
        self._tail = ""
        self._unchecked = 0
        self._repeats_itself = False
        self.passed_on = False
        """Whether `on_delta` has received anything."""

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
        choice = _sound(_first(data.get("choices")))
        message = _mapping(choice.get("message"))
        if not message:
            # Another kind of server may answer with JSON, too.
            is_model = "choices" in data
            kind = ModelErrorKind.BROKEN_REPLY if is_model else ModelErrorKind.WRONG_ADDRESS
            raise FailedAttemptError(kind, "the reply is no chat completion", again=True)
        self._add_usage(data.get("usage"))
        self._add_message(message)
        self._finish_reason = str(choice.get("finish_reason") or "stop")

    def add_chunk(self, chunk: object) -> None:
        """Add one chunk of a stream; raises FailedAttemptError if the chunk contains an error."""
        data = _sound(chunk)
        self._add_usage(data.get("usage"))
        choice = _sound(_first(data.get("choices")))
        if delta := _mapping(choice.get("delta")):
            self._add(delta)
        elif not (self._has_content or len(self._calls)):
            # Some servers send a whole message as one event, others repeat it after the pieces.
            self._add_message(_mapping(choice.get("message")))
        if self._unchecked >= _CHECKED_EVERY:
            self._unchecked = 0
            self._repeats_itself = self._repeats_itself or repeats_itself(self._tail)
        if reason := choice.get("finish_reason"):
            self._finish_reason = str(reason)

    def check_end(self, *, has_end_mark: bool) -> None:
        """Raise FailedAttemptError if the stream ended before the reply did.

        `has_end_mark`: whether the stream ended with `[DONE]`. Without this mark and without a
        `finish_reason`, also whole calls are no complete reply: more calls may be missing.
        """
        is_complete = has_end_mark and self._calls.are_complete
        if not (is_complete or self._finish_reason or self.stopped):
            raise FailedAttemptError(
                ModelErrorKind.BROKEN_REPLY, "the stream ended before the reply did", again=True
            )

    def reply(self) -> ModelReply:
        """Return the complete reply, after all parts were added.

        Raises FailedAttemptError if the reply is empty.
        """
        self._pass_on(self._text.end())
        reply = ModelReply(
            text=self._text.text,
            tool_calls=self._tool_calls(),
            usage=self._usage,
            truncated=self._finish_reason in _CUT_OFF or self._repeats_itself,
        )
        if not (reply.text or reply.tool_calls or reply.truncated or self._text.stopped):
            raise FailedAttemptError(ModelErrorKind.BROKEN_REPLY, "the reply is empty", again=True)
        return reply

    def _add(self, message: Mapping[str, Any]) -> None:
        """Add a delta; ignore reasoning in separate fields."""
        self._add_content(message)
        wires = _wire_calls(message)
        for position, wire in enumerate(wires):
            began = len(self._calls)
            call, new = self._calls.add_piece(wire, position if len(wires) > 1 else None)
            if len(self._calls) > began:
                # Several calls may have the same arguments.
                self._tail = ""
            self._watch(new)
            if call is next(iter(self._calls), None):
                self._pass_on(new)

    def _add_message(self, message: Mapping[str, Any]) -> None:
        """Add a whole message."""
        self._add_content(message)
        for wire in _wire_calls(message):
            self._calls.add_whole(wire)
        for call in islice(self._calls, 1):
            self._pass_on(call.arguments)

    def _add_content(self, message: Mapping[str, Any]) -> None:
        if content := _content(message.get("content")):
            self._has_content = True
            self._watch(content)
            self._pass_on(self._text.add(content))

    def _tool_calls(self) -> tuple[ToolCall, ...]:
        """Return the calls with different ids; some servers give all calls the same id."""
        calls: dict[str, ToolCall] = {}
        for number, call in enumerate(islice(self._calls, MOST_CALLS + 1)):
            id_ = call.id or f"call_{number}"
            if id_ in calls:
                id_ = f"{id_}_{number}"
            calls[id_] = ToolCall(id=id_, name=call.name, arguments=call.arguments)
        return tuple(calls.values())

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
    """Return the response as a mapping; raises FailedAttemptError if it is an error without reply.

    Some servers send an error with HTTP status 200.
    """
    data = _mapping(value)
    if error := data.get("error"):
        if reply := refused_reply(_mapping(error)):
            return reply
        raise failure_in_body(error)
    if data.get("finish_reason") == "error":
        raise failure_in_body("the server reports no details")
    return data


def refused_reply(error: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the completion that a server could not read itself; {} if the error has none.

    Groq returns an error with the model's text, if it does not recognize a tool call in it.
    """
    text = error.get("failed_generation")
    if not isinstance(text, str) or not text.strip():
        return {}
    return {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}


def _wire_calls(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the tool calls of a message or delta; old servers send one `function_call`."""
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        return [_mapping(call) for call in calls]
    function = _mapping(message.get("function_call"))
    return [{"function": function}] if function else []


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
