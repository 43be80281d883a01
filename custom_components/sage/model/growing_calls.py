"""Assemble the tool calls of a streamed reply from their pieces.

Servers differ in the form of these pieces. Some give every call the index 0, or no index, or no id;
some repeat the id and the name, or send the whole arguments so far in every piece.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

_INVALID: Final = object()
_NO_ARGUMENTS: Final[tuple[object, ...]] = (_INVALID, {}, None, "")


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
    def is_complete(self) -> bool:
        """Whether the arguments are a whole JSON value; also if there are none."""
        return not self.arguments.strip() or _parsed(self.arguments) is not _INVALID

    @property
    def _is_whole(self) -> bool:
        """Whether the call has whole arguments; an empty object may be a placeholder for them."""
        return _parsed(self.arguments) not in _NO_ARGUMENTS


class GrowingCalls:
    """The tool calls of one reply, in the order in which they began."""

    def __init__(self) -> None:
        self._calls: list[GrowingCall] = []
        self._at_index: dict[int, GrowingCall] = {}
        self._latest: GrowingCall | None = None

    def __iter__(self) -> Iterator[GrowingCall]:
        """Iterate over the calls; pieces without a name and arguments are no call."""
        return (call for call in self._calls if call.name or call.arguments)

    def __len__(self) -> int:
        return len(self._calls)

    @property
    def are_complete(self) -> bool:
        """Whether no call has incomplete arguments."""
        return all(call.is_complete for call in self._calls)

    def add_whole(self, wire: Mapping[str, Any]) -> None:
        """Add a call of a reply that is not streamed."""
        self._calls.append(GrowingCall(*_parts(wire)))

    def add_piece(self, wire: Mapping[str, Any], position: int | None) -> tuple[GrowingCall, str]:
        """Add a piece of a call; return the call and the new characters of its arguments.

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
        if index is not None:
            self._at_index[index] = call
        self._latest = call
        return call, call.add(id_, name, piece)

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


def _parts(wire: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the id, the name and the arguments of a call or of a piece; empty if missing."""
    function = wire.get("function")
    if not isinstance(function, Mapping):
        function = {}
    id_, name = wire.get("id") or "", function.get("name") or ""
    return str(id_), str(name), _arguments(function.get("arguments"))


def _arguments(value: object) -> str:
    """Return the tool arguments as JSON text; some servers send an object."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else ""


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
