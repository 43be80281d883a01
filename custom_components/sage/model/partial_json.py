"""Parse JSON that is incomplete or surrounded by other text."""

import json
import re
from typing import Any, Final

_FINISH = re.compile(r'\s*(?:```\w*\s*)?(?P<object>\{\s*"kind"\s*:)')
_ANSWER = re.compile(r',\s*"answer"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_CUT_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}$")
_CUT_SURROGATE = re.compile(r"(?:\\u[dD][89abAB][0-9a-fA-F]{2})$")


def finish_so_far(text: str) -> dict[str, Any] | None:
    """Return the arguments of a partly received call of the tool `finish`.

    `{"kind": "answered", "answer": "It is wa` gives `{"kind": "answered", "answer": "It is wa"}`.
    None before the text of `answer` begins, which must be the last argument, and if other text
    stands before the arguments.
    """
    if '"answer"' not in text:
        # Called for thousands of pieces per reply: avoid the slow patterns if they cannot match.
        return None
    begun = _FINISH.match(text)
    found = _ANSWER.search(text, begun.end()) if begun is not None else None
    if begun is None or found is None:
        return None
    raw = found.group(1)
    if not _closed(text, found.end()):
        raw = _CUT_SURROGATE.sub("", _CUT_ESCAPE.sub("", raw))
    try:
        arguments = json.loads(f"{text[begun.start('object') : found.start()]}}}")
        answer = json.loads(f'"{raw}"', strict=False)
    except json.JSONDecodeError:
        return None
    return {**arguments, "answer": answer}


def _closed(text: str, end: int) -> bool:
    return text[end : end + 1] == '"'


def first_object(text: str) -> dict[str, Any] | None:
    """Return the first complete JSON object in `text`; None if there is none.

    Other text before and after it is ignored.
    """
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = read_json(text, start, may_close=False)
        except ValueError:
            start = text.find("{", start + 1)
            continue
        return value if isinstance(value, dict) else None
    return None


def read_json(text: str, start: int = 0, *, may_close: bool = True) -> tuple[Any, int]:
    """Return the JSON value that begins at `start`, and its end. Raises ValueError.

    Also reads what models write instead of JSON: single quotes, Python's `True` and `None`, keys
    without quotes, trailing commas, comments, line breaks in texts, and the arguments of a Python
    call such as `(a=1, b="x")`. If `may_close`, closing brackets may be missing at the end, but
    only after a value that cannot have been cut off. A key with two different values is an error.
    """
    try:
        return _STRICT.raw_decode(text, start)
    except json.JSONDecodeError:
        reader = _LenientReader(text, start, may_close=may_close)
        return reader.value(), reader.at
    except RecursionError:
        raise ValueError("too deeply nested") from None


def _unequivocal(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values and values[key] != value:
            raise ValueError(f"`{key}` has two values")
        values[key] = value
    return values


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no value")


_STRICT: Final = json.JSONDecoder(
    strict=False, object_pairs_hook=_unequivocal, parse_constant=_refused
)
_DEEPEST: Final = 40
"""Maximum number of nested objects and lists in lenient JSON."""

_TOKEN: Final = re.compile(
    r"""(?:\s|//[^\n]*|\#[^\n]*|/\*.*?\*/)*
    (?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<mark>[{}()\[\],:=])|(?P<word>[\w.+\-]+)|)""",
    re.DOTALL | re.VERBOSE,
)
_CLOSING: Final = {"{": "}", "(": ")"}
"""Beginning -> end of an object; Python's arguments `(a=1)` are read as an object."""

_AFTER_JSON: Final = re.compile(r"```|</|<\||\Z")
"""What may follow JSON whose closing brackets are missing: the end, a fence or a tag."""

_WORDS: Final[dict[str, Any]] = {"true": True, "false": False, "null": None, "none": None}


class _LenientReader:
    """Reads one JSON value that a model wrote carelessly; all methods raise ValueError."""

    def __init__(self, text: str, start: int, *, may_close: bool) -> None:
        self._text = text
        self._may_close = may_close
        self._piece = ""
        """The last piece of JSON: a text, a word or a bracket."""

        self._kind = ""
        self.at = start

    def value(self, depth: int = 0) -> Any:
        """Return the value at `at`, and move `at` to its end."""
        self._next()
        return self._value(depth)

    def _value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("too deeply nested")
        if self._kind == "text":
            return _unquoted(self._piece)
        if self._kind == "word":
            word = self._piece.lower()
            return _WORDS[word] if word in _WORDS else _number(word)
        if self._piece in _CLOSING:
            return self._object(depth + 1, _CLOSING[self._piece])
        if self._piece == "[":
            return self._list(depth + 1)
        raise ValueError(f"a value is missing at character {self.at}")

    def _object(self, depth: int, closing: str) -> dict[str, Any]:
        pairs: list[tuple[str, Any]] = []
        self._next()
        while self._piece != closing:
            if self._kind not in ("text", "word"):
                raise ValueError(f"a name is missing at character {self.at}")
            key = _unquoted(self._piece) if self._kind == "text" else self._piece
            self._next()
            if self._piece not in (":", "="):
                raise ValueError(f"`:` is missing at character {self.at}")
            pairs.append((key, self.value(depth)))
            if not self._goes_on(closing):
                break
        return _unequivocal(pairs)

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        self._next()
        while self._piece != "]":
            items.append(self._value(depth))
            if not self._goes_on("]"):
                break
        return items

    def _goes_on(self, closing: str) -> bool:
        """Move on after a member; return False at the end of an object or list."""
        last, kind = self._piece, self._kind
        self._next()
        if self._piece == ",":
            self._next()
            return True
        if self._piece == closing:
            return False
        # A number may have been cut off, and so may a list of texts.
        is_value = kind == "text" or last == "]" or last.lower() in _WORDS
        is_whole = last == "}" or (closing != "]" and is_value)
        if self._kind or not (
            self._may_close and is_whole and _AFTER_JSON.match(self._text, self.at)
        ):
            raise ValueError(f"`,` or `{closing}` is missing at character {self.at}")
        self._piece, self._kind = closing, "mark"
        return False

    def _next(self) -> None:
        token = _TOKEN.match(self._text, self.at)
        assert token is not None
        self.at = token.end()
        self._kind = token.lastgroup or ""
        self._piece = token.group(self._kind) if self._kind else ""


def _unquoted(text: str) -> str:
    if text[0] == "'":
        inner = _ESCAPED.sub(lambda part: _ESCAPES.get(part.group(), part.group()), text[1:-1])
        text = f'"{inner}"'
    return str(json.loads(text, strict=False))


_ESCAPED: Final = re.compile(r'\\.|"', re.DOTALL)
_ESCAPES: Final = {"\\'": "'", '"': '\\"'}
"""Characters in a text with single quotes -> the same in a text with double quotes."""


def _number(word: str) -> int | float:
    value: int | float = json.loads(word, parse_constant=_refused)
    return value
