"""Assemble a model's reply from a server's JSON response or the chunks of a stream.

Servers differ in the form of the pieces of a tool call. Some give every call the index 0, or no
index, or no id; some repeat the id and the name, or send the whole arguments so far in every piece.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .language_model import (
    MOST_CALLS,
    DeltaSink,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ToolCall,
    Usage,
)
from .model_errors import failure_in_body
from .reply_text import Repetition, ReplyText

_CUT_OFF: Final = ("length", "model_length", "max_tokens", "MAX_TOKENS")
"""Values of `finish_reason` for a reply that reached the maximum length."""

_INVALID: Final = object()
_NO_ARGUMENTS: Final[tuple[object, ...]] = (_INVALID, {}, None, "")


class ReplyParts:
    """Assembles one reply, and passes pieces of it to `on_delta` as they arrive."""

    def __init__(self, stop: tuple[str, ...], on_delta: DeltaSink | None) -> None:
        self._text = ReplyText(stop)
        self._repetition = Repetition()
        self._on_delta = on_delta
        self._has_content = False
        self._calls: list[GrowingCall] = []
        self._at_index: dict[int, GrowingCall] = {}
        self._latest: GrowingCall | None = None
        self._usage = Usage()
        self._finish_reason: str | None = None
        self.passed_on = False
        """Whether `on_delta` has received anything."""

    @property
    def stopped(self) -> bool:
        """Whether no more of the stream is needed: after a stop sequence, or in a repetition."""
        return self._text.stopped or self._repetition.is_certain

    def add_whole(self, completion: object) -> None:
        """Add a response that was not streamed; raises ModelError if it is invalid."""
        data = _sound(completion)
        choice = _sound(_first(data.get("choices")))
        message = _mapping(choice.get("message"))
        if not message:
            # Another kind of server may answer with JSON, too.
            is_model = "choices" in data
            kind = ModelErrorKind.BROKEN_REPLY if is_model else ModelErrorKind.WRONG_ADDRESS
            raise ModelError(kind, "the reply is no chat completion", again=True)
        self._add_usage(data.get("usage"))
        self._add_message(message)
        self._finish_reason = str(choice.get("finish_reason") or "stop")

    def add_chunk(self, chunk: object) -> None:
        """Add one chunk of a stream; raises ModelError if the chunk contains an error."""
        data = _sound(chunk)
        self._add_usage(data.get("usage"))
        choice = _sound(_first(data.get("choices")))
        if delta := _mapping(choice.get("delta")):
            # Reasoning in separate fields is ignored.
            if content := delta.get("content"):
                self._repetition.add(self._add_content(content))
            wires = _wire_calls(delta)
            for position, wire in enumerate(wires):
                self._add_piece(wire, position if len(wires) > 1 else None)
        elif not (self._has_content or self._calls):
            # Some servers send a whole message as one event, others repeat it after the pieces.
            self._add_message(_mapping(choice.get("message")))
        if reason := choice.get("finish_reason"):
            self._finish_reason = str(reason)

    def check_end(self, *, has_end_mark: bool) -> None:
        """Raise ModelError if the stream ended before the reply did.

        `has_end_mark`: whether the stream ended with `[DONE]`. Without this mark and without a
        `finish_reason`, also whole calls are no complete reply: more calls may be missing.
        """
        is_complete = has_end_mark and not any(
            call.arguments.strip() and _parsed(call.arguments) is _INVALID for call in self._calls
        )
        if not (is_complete or self._finish_reason or self.stopped):
            raise ModelError(
                ModelErrorKind.BROKEN_REPLY, "the stream ended before the reply did", again=True
            )

    def reply(self) -> ModelReply:
        """Return the complete reply, after all parts were added.

        Raises ModelError if the reply is empty.
        """
        if self._has_content:
            self._pass_on(self._text.end())
        calls: dict[str, ToolCall] = {}
        for number, call in enumerate(self._real_calls()[: MOST_CALLS + 1]):
            id_ = call.id or f"call_{number}"
            if id_ in calls:
                # Some servers give all calls the same id.
                id_ = f"{id_}_{number}"
            calls[id_] = ToolCall(id=id_, name=call.name, arguments=call.arguments)
        reply = ModelReply(
            text=self._text.text if self._has_content else "",
            tool_calls=tuple(calls.values()),
            usage=self._usage,
            truncated=self._finish_reason in _CUT_OFF or self._repetition.is_certain,
        )
        if not (reply.text or reply.tool_calls or reply.truncated or self._text.stopped):
            raise ModelError(ModelErrorKind.BROKEN_REPLY, "the reply is empty", again=True)
        return reply

    def _real_calls(self) -> list[GrowingCall]:
        """Return the calls in the order in which they began, without pieces that are no call."""
        return [call for call in self._calls if call.name or call.arguments]

    def _add_message(self, message: Mapping[str, Any]) -> None:
        """Add a whole message."""
        self._add_content(message.get("content"))
        self._calls += [GrowingCall(*_parts(wire)) for wire in _wire_calls(message)]
        for call in self._real_calls()[:1]:
            self._pass_on(call.arguments)

    def _add_content(self, content: object) -> str:
        """Add the content of a message or delta; return it as text."""
        if isinstance(content, list):
            # Some servers send a list of parts.
            content = "".join(str(_mapping(part).get("text") or "") for part in content)
        if not isinstance(content, str) or not content:
            return ""
        self._has_content = True
        self._pass_on(self._text.add(content))
        return content

    def _add_piece(self, wire: Mapping[str, Any], position: int | None) -> None:
        """Add a piece of a call.

        `position` takes the place of a missing index; None if the chunk has no other piece.
        """
        index = wire.get("index")
        if not isinstance(index, int):
            index = position
        id_, name, piece = _parts(wire)
        call = self._continued(index, id_, name)
        if call is None or call.ends_before(id_, name, piece):
            named = call.name if call and call.is_named_again and not name else ""
            call = GrowingCall(name=named)
            self._calls.append(call)
            # Several calls may have the same arguments.
            self._repetition.begin()
        if index is not None:
            self._at_index[index] = call
        self._latest = call
        new = call.add(id_, name, piece)
        self._repetition.add(new)
        if call is next(iter(self._real_calls()), None):
            self._pass_on(new)

    def _continued(self, index: int | None, id_: str, name: str) -> GrowingCall | None:
        """Return the call that a piece most likely continues; None if it begins a new call."""
        at_index = None if index is None else self._at_index.get(index)
        if at_index is not None and id_ in ("", at_index.id):
            return at_index
        is_new_index = index is not None and at_index is None
        if id_ and not (is_new_index and name):
            same_id = [call for call in self._calls if call.id == id_]
            if same_id:
                return same_id[-1]
        if is_new_index and (id_ or name):
            return None
        return at_index or self._latest

    def _pass_on(self, piece: str) -> None:
        if piece and self._on_delta is not None:
            self.passed_on = True
            self._on_delta(piece)

    def _add_usage(self, usage: object) -> None:
        """Store the token counts, replacing earlier ones of the same stream."""
        if data := _mapping(usage):
            cached = _mapping(data.get("prompt_tokens_details")).get("cached_tokens")
            counts = (data.get("prompt_tokens"), cached, data.get("completion_tokens"))
            prompt, cached, completion = (
                count if isinstance(count, int) else 0 for count in counts
            )
            self._usage = Usage(
                prompt_tokens=prompt, cached_tokens=cached, completion_tokens=completion
            )


@dataclass(slots=True)
class GrowingCall:
    """A partly received tool call."""

    id: str = ""
    name: str = ""
    arguments: str = ""
    is_named_again: bool = False
    """Whether the last piece repeated the name after the whole arguments: a call may follow."""

    def ends_before(self, id_: str, name: str, piece: str) -> bool:
        """Return whether a piece belongs to the next call at the same index.

        `id_`, `name` and `piece` (of the arguments) are empty if the piece lacks them.
        """
        begins_object = piece.lstrip().startswith("{")
        if id_ and self.id and id_ != self.id:
            if not name:
                # Some servers invent a new id for each piece of one call.
                return self._is_whole
            return begins_object or not piece or self._is_whole or not self.arguments
        if name and self.name and name != self.name:
            # Before the arguments, a name may arrive in pieces.
            is_whole_call = begins_object and _parsed(piece) is not _INVALID
            return bool(self.arguments) or (is_whole_call and not name.startswith(self.name))
        is_second = bool(name or self.is_named_again) and begins_object and self._is_whole
        return is_second and not _extends(_parsed(self.arguments), _parsed(piece))

    def add(self, id_: str, name: str, piece: str) -> str:
        """Add a piece of the call; return the new characters of its arguments."""
        self.id = self.id or id_
        if self.arguments:
            self.is_named_again = bool(name) and not piece and self._is_whole
            self.name = self.name or name
        else:
            self.name = name if name.startswith(self.name) else self.name + name
        if not piece.lstrip().startswith("{"):
            new = piece
        elif piece.startswith(self.arguments):
            new = piece.removeprefix(self.arguments)
        elif _parsed(self.arguments) == {}:
            # A placeholder before the real arguments.
            self.arguments, new = "", piece
        elif self._is_whole and _extends(_parsed(self.arguments), _parsed(piece)):
            self.arguments, new = piece, ""
        else:
            new = piece
        self.arguments += new
        return new

    @property
    def _is_whole(self) -> bool:
        # An empty object may be a placeholder for the arguments.
        return _parsed(self.arguments) not in _NO_ARGUMENTS


def _sound(value: object) -> Mapping[str, Any]:
    """Return the response as a mapping; raises ModelError if it is an error without reply.

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


def _parts(wire: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the id, the name and the arguments of a call or of a piece; empty if missing."""
    function = _mapping(wire.get("function"))
    arguments = function.get("arguments")
    if isinstance(arguments, Mapping):
        arguments = json.dumps(arguments, ensure_ascii=False)
    elif not isinstance(arguments, str):
        arguments = ""
    return str(wire.get("id") or ""), str(function.get("name") or ""), arguments


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(value: object) -> Mapping[str, Any]:
    return _mapping(value[0]) if isinstance(value, list) and value else {}


def _parsed(text: str) -> object:
    # Called for each piece: do not parse what is certainly incomplete.
    if not text.rstrip().endswith(("}", '"', "l")):
        return _INVALID
    try:
        return json.loads(text)
    except ValueError:
        return _INVALID


def _extends(earlier: object, later: object) -> bool:
    """Return whether `later` is the same object as `earlier`, or a later snapshot of it.

    Some servers close the brackets of each snapshot, so `{"a": "on"}` may become `{"a": "one"}`.
    """
    if not isinstance(earlier, dict) or not isinstance(later, dict):
        return False
    return earlier == later or json.dumps(later).startswith(json.dumps(earlier).rstrip('"]}'))
