"""Assemble a model's reply from a server's JSON response or the chunks of a stream.

Servers differ in the form of the pieces of a tool call. Some give every call the index 0, or no
index, or no id; some repeat the id and the name, or send the whole arguments so far in every piece.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from .language_model import DeltaSink, ModelError, ModelErrorKind, ModelReply, ToolCall, Usage
from .model_errors import failure_in_body

_CUT_OFF: Final = ("length", "model_length", "max_tokens", "MAX_TOKENS")
"""Values of `finish_reason` for a reply that reached the maximum length."""

_INVALID: Final = object()
_NO_ARGUMENTS: Final[tuple[object, ...]] = (_INVALID, {}, None, "")

_REASONING_BEGINS: Final = "<think>"
_REASONING_ENDS: Final = "</think>"
_DECISION_BEGINS: Final = re.compile(r"\A\s*(?:```\w*\s*)?\{|^\s*Action Input:", re.MULTILINE)
_QUOTE: Final = re.compile(r'(?<!\\)"')
"""Begins or ends a JSON string; `</think>` inside a string is no end of the reasoning."""

_REPEATS: Final = 4  # number of equal parts at the end of a reply that repeats itself
_LONGEST_REPEATED: Final = 600  # maximum length of one such part in characters
_LEAST_REPEATED: Final = 800
"""Minimum length of all equal parts together in characters; long lists have equal items, too."""

_CHECKED_EVERY: Final = 100  # new characters after which a reply is checked for repetition


@dataclass(slots=True)
class ReplyParts:
    """Assembles one reply, and passes pieces of it to `on_delta` as they arrive."""

    _stop: tuple[str, ...]
    _on_delta: DeltaSink | None
    _text: ReplyText | None = None
    _calls: list[_GrowingCall] = field(default_factory=list)
    _at_index: dict[int, _GrowingCall] = field(default_factory=dict)
    _latest: _GrowingCall | None = None
    _usage: Usage = field(default_factory=Usage)
    _finish_reason: str | None = None
    _tail: str = ""  # the end of the text or of the arguments, to notice a repetition
    _unchecked: int = 0
    _repeats_itself: bool = False
    has_end_mark: bool = False  # whether a stream ended with the mark `[DONE]`
    stopped: bool = False
    """Whether no more of the stream is needed: after a stop sequence, or in a repetition."""

    passed_on: bool = False  # whether `on_delta` has received anything

    def add_whole(self, completion: object) -> None:
        """Add a response that was not streamed; raises ModelError if it is invalid."""
        choice = self._choice(completion)
        message = _mapping(choice.get("message"))
        if not message:
            # Another kind of server may answer with JSON, too.
            is_model = "choices" in _mapping(completion)
            kind = ModelErrorKind.BROKEN_REPLY if is_model else ModelErrorKind.WRONG_ADDRESS
            raise ModelError(kind, "the reply is no chat completion", again=True)
        self._add_message(message)
        self._finish_reason = str(choice.get("finish_reason") or "stop")

    def add_chunk(self, chunk: object) -> None:
        """Add one chunk of a stream; raises ModelError if the chunk contains an error."""
        choice = self._choice(chunk)
        if delta := _mapping(choice.get("delta")):
            # Reasoning in separate fields is ignored.
            if content := delta.get("content"):
                self._watch(self._add_content(content))
            for piece in _pieces(delta):
                self._add_piece(piece)
        elif self._text is None and not self._calls:
            # Some servers send a whole message as one event, others repeat it after the pieces.
            self._add_message(_mapping(choice.get("message")))
        if reason := choice.get("finish_reason"):
            self._finish_reason = str(reason)

    def reply(self) -> ModelReply:
        """Return the complete reply. Raises ModelError if it is incomplete or empty."""
        if not (self._finish_reason or self.stopped):
            # Without a mark of the end, more calls may be missing.
            is_cut = any(
                call.arguments.strip() and _parsed(call.arguments) is _INVALID
                for call in self._calls
            )
            if is_cut or not self.has_end_mark:
                raise ModelError(
                    ModelErrorKind.BROKEN_REPLY, "the stream ended before the reply did", again=True
                )
        if self._text is not None:
            self._pass_on(self._text.end())
        calls: dict[str, ToolCall] = {}
        for number, call in enumerate(self._real_calls()[: ModelReply.MOST_CALLS + 1]):
            id_ = call.id or f"call_{number}"
            if id_ in calls:
                # Some servers give all calls the same id.
                id_ = f"{id_}_{number}"
            calls[id_] = ToolCall(id=id_, name=call.name, arguments=call.arguments)
        reply = ModelReply(
            text=self._text.text if self._text is not None else "",
            tool_calls=tuple(calls.values()),
            usage=self._usage,
            truncated=self._finish_reason in _CUT_OFF or self._repeats_itself,
        )
        if not (reply.text or reply.tool_calls or reply.truncated or self.stopped):
            raise ModelError(ModelErrorKind.BROKEN_REPLY, "the reply is empty", again=True)
        return reply

    def _choice(self, response: object) -> Mapping[str, Any]:
        """Return the first choice of a response or chunk; note its tokens. Raises ModelError."""
        data = _sound(response)
        if usage := _mapping(data.get("usage")):
            cached = _mapping(usage.get("prompt_tokens_details")).get("cached_tokens")
            counts = (usage.get("prompt_tokens"), cached, usage.get("completion_tokens"))
            prompt, cached, written = (count if isinstance(count, int) else 0 for count in counts)
            # They replace earlier counts of the same stream.
            self._usage = Usage(
                prompt_tokens=prompt, cached_tokens=cached, completion_tokens=written
            )
        choices = data.get("choices")
        return _sound(choices[0]) if isinstance(choices, list) and choices else {}

    def _real_calls(self) -> list[_GrowingCall]:
        """Return the calls in the order in which they began, without pieces that are no call."""
        return [call for call in self._calls if call.name or call.arguments]

    def _add_message(self, message: Mapping[str, Any]) -> None:
        self._add_content(message.get("content"))
        self._calls += [
            _GrowingCall(piece.id, piece.name, piece.arguments) for piece in _pieces(message)
        ]
        for call in self._real_calls()[:1]:
            self._pass_on(call.arguments)

    def _add_content(self, content: object) -> str:
        if isinstance(content, list):
            # Some servers send a list of parts.
            content = "".join(str(_mapping(part).get("text") or "") for part in content)
        if not isinstance(content, str) or not content:
            return ""
        if self._text is None:
            self._text = ReplyText(self._stop)
        self._pass_on(self._text.add(content))
        self.stopped = self.stopped or self._text.stopped
        return content

    def _add_piece(self, piece: _Piece) -> None:
        call = self._continued(piece)
        if call is None or call.ends_before(piece):
            named = call.name if call and call.is_named_again and not piece.name else ""
            call = _GrowingCall(name=named)
            self._calls.append(call)
            # Several calls may have the same arguments.
            self._tail = ""
        if piece.slot is not None:
            self._at_index[piece.slot] = call
        self._latest = call
        new = call.add(piece)
        self._watch(new)
        if call in self._real_calls()[:1]:
            self._pass_on(new)

    def _continued(self, piece: _Piece) -> _GrowingCall | None:
        """Return the call that a piece most likely continues; None if it begins a new call."""
        at_index = None if piece.slot is None else self._at_index.get(piece.slot)
        if at_index is not None and piece.id in ("", at_index.id):
            return at_index
        is_new_index = piece.slot is not None and at_index is None
        if piece.id and not (is_new_index and piece.name):
            same_id = [call for call in self._calls if call.id == piece.id]
            if same_id:
                return same_id[-1]
        if is_new_index and (piece.id or piece.name):
            return None
        return at_index or self._latest

    def _watch(self, new: str) -> None:
        """Stop the stream if the reply repeats itself, which small models do without end."""
        self._tail = (self._tail + new)[-_REPEATS * _LONGEST_REPEATED :]
        self._unchecked += len(new)
        if self._unchecked >= _CHECKED_EVERY:
            self._unchecked = 0
            if repeats_itself(self._tail):
                self._repeats_itself = self.stopped = True

    def _pass_on(self, piece: str) -> None:
        if piece and self._on_delta is not None:
            self.passed_on = True
            self._on_delta(piece)


class _Piece(NamedTuple):
    """A tool call of a message, or a piece of one in a chunk; what it lacks is empty."""

    slot: int | None  # the index of the call; None if it is unknown
    id: str
    name: str
    arguments: str


def _pieces(message: Mapping[str, Any]) -> list[_Piece]:
    calls = message.get("tool_calls")
    if not isinstance(calls, list) or not calls:
        function = _mapping(message.get("function_call"))
        calls = [{"function": function}] if function else []
    pieces: list[_Piece] = []
    for position, call in enumerate(map(_mapping, calls)):
        function = _mapping(call.get("function"))
        arguments, index = function.get("arguments"), call.get("index")
        if isinstance(arguments, Mapping):
            arguments = json.dumps(arguments, ensure_ascii=False)
        elif not isinstance(arguments, str):
            arguments = ""
        if not isinstance(index, int):
            index = position if len(calls) > 1 else None
        id_, name = str(call.get("id") or ""), str(function.get("name") or "")
        pieces.append(_Piece(index, id_, name, arguments))
    return pieces


@dataclass(slots=True, eq=False)
class _GrowingCall:
    """A partly received tool call."""

    id: str = ""
    name: str = ""
    arguments: str = ""
    is_named_again: bool = False  # after the whole arguments: a call may follow

    def ends_before(self, piece: _Piece) -> bool:
        begins_object = piece.arguments.lstrip().startswith("{")
        if piece.id and self.id and piece.id != self.id:
            if not piece.name:
                # Some servers invent a new id for each piece of one call.
                return self._is_whole
            return begins_object or not piece.arguments or self._is_whole or not self.arguments
        if piece.name and self.name and piece.name != self.name:
            # Before the arguments, a name may arrive in pieces.
            is_whole_call = begins_object and _parsed(piece.arguments) is not _INVALID
            return bool(self.arguments) or (is_whole_call and not piece.name.startswith(self.name))
        is_second = bool(piece.name or self.is_named_again) and begins_object and self._is_whole
        return is_second and not self._grows_to(piece.arguments)

    def add(self, piece: _Piece) -> str:
        self.id = self.id or piece.id
        if self.arguments:
            self.is_named_again = bool(piece.name) and not piece.arguments and self._is_whole
            self.name = self.name or piece.name
        else:
            self.name = piece.name if piece.name.startswith(self.name) else self.name + piece.name
        new = piece.arguments
        if new.lstrip().startswith("{"):
            if new.startswith(self.arguments):
                new = new.removeprefix(self.arguments)
            elif _parsed(self.arguments) == {}:
                # A placeholder before the real arguments.
                self.arguments = ""
            elif self._is_whole and self._grows_to(new):
                self.arguments, new = new, ""
        self.arguments += new
        return new

    @property
    def _is_whole(self) -> bool:
        # An empty object may be a placeholder for the arguments.
        return _parsed(self.arguments) not in _NO_ARGUMENTS

    def _grows_to(self, arguments: str) -> bool:
        """Return whether `arguments` are a later snapshot: `{"a": "on"}` may become `"one"`."""
        earlier, later = _parsed(self.arguments), _parsed(arguments)
        if not isinstance(earlier, dict) or not isinstance(later, dict):
            return False
        return earlier == later or json.dumps(later).startswith(json.dumps(earlier).rstrip('"]}'))


class ReplyText:
    """Assembles a reply's text without leading `<think>` block, up to the first stop sequence."""

    def __init__(self, stop: tuple[str, ...] = ()) -> None:
        self._stop = stop
        self._held = max((len(word) for word in stop), default=1) - 1
        self._raw = ""
        self._thinking: bool | None = None
        self._text = ""
        self._passed = 0
        self.stopped = False  # whether the text contains a stop sequence; later pieces are ignored

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
        return self._certain(self._held)

    def end(self) -> str:
        """Complete the text; return the part that `add` has not returned."""
        if self._thinking is None:
            # An incomplete `<think>` tag is plain text.
            self._text += self._raw.lstrip()
            self._thinking = False
        return self._certain(0)

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

    def _certain(self, held: int) -> str:
        """Cut the text at a stop sequence; return its new part, without the last `held` letters."""
        ends = [at for at in map(self._text.find, self._stop) if at >= 0]
        if ends:
            self._text = self._text[: min(ends)]
            self.stopped = True
        begin, self._passed = self._passed, len(self._text) - (0 if self.stopped else held)
        self._passed = max(begin, self._passed)
        return self._text[begin : self._passed]


def repeats_itself(text: str) -> bool:
    """Return whether a text ends with 4 equal parts, each up to 600, together 800 characters."""
    longest = min(len(text) // _REPEATS, _LONGEST_REPEATED)
    return any(
        text.endswith(text[-length:] * max(_REPEATS, math.ceil(_LEAST_REPEATED / length)))
        for length in range(1, longest + 1)
    )


def _sound(value: object) -> Mapping[str, Any]:
    """Return the response as a mapping; some errors have HTTP status 200. Raises ModelError."""
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


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _parsed(text: str) -> object:
    # Called for each piece: do not parse what is certainly incomplete.
    if not text.rstrip().endswith(("}", '"', "l")):
        return _INVALID
    try:
        return json.loads(text)
    except ValueError:
        return _INVALID
