"""Read JSON kindly: in other text, or not quite as its schema says; never change its meaning."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final


def first_object(text: str) -> dict[str, Any] | None:
    """Return the first complete JSON object in `text`, or None; ignores other text."""
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
_DEEPEST: Final = 40  # maximum number of nested objects and lists in lenient JSON
_TOKEN: Final = re.compile(
    r"""(?:\s|//[^\n]*|\#[^\n]*|/\*.*?\*/)*
    (?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<mark>[{}()\[\],:=])|(?P<word>[\w.+\-]+)|)""",
    re.DOTALL | re.VERBOSE,
)
_CLOSING: Final = {"{": "}", "(": ")"}  # of objects, and of Python's arguments `(a=1)`
_AFTER_JSON: Final = re.compile(r"```|</|<\||\Z")
"""What may follow JSON whose closing brackets are missing: the end, a fence or a tag."""

_WORDS: Final[dict[str, Any]] = {"true": True, "false": False, "null": None, "none": None}


class _LenientReader:
    """Reads one JSON value that a model wrote carelessly; all methods raise ValueError."""

    def __init__(self, text: str, start: int, *, may_close: bool) -> None:
        self._text = text
        self._may_close = may_close
        self._piece = ""  # the last piece of JSON: a text, a word or a bracket
        self._kind = ""
        self.at = start

    def value(self, depth: int = 0) -> Any:
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


_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def fitted(schema: Mapping[str, Any], value: object) -> Any:
    """Return `value` in the form that the JSON schema describes.

    Changes the form only, never the meaning:
    - JSON, numbers and booleans that came as text are parsed
    - a single value becomes a list, or a list with one item a single value
    - optional fields that are null, or empty and not allowed, are removed
    - names of fields may differ in case and separators, or lack the plural's "s"
    - allowed texts (`enum`) may differ in case and separators

    A value that does not fit the schema stays unchanged.
    """
    if choices := schema.get("anyOf"):
        return _chosen(choices, value)
    single = value[0] if isinstance(value, list) and len(value) == 1 else value
    if "enum" in schema:
        is_text = isinstance(single, str) and single not in schema["enum"]
        return _allowed(schema["enum"], str(single)) if is_text else single
    kinds = _kinds(schema)
    if not kinds or "string" in kinds:
        # Text may look like JSON.
        return single if "string" in kinds and "array" not in kinds else value
    if "array" not in kinds:
        value = _parsed(kinds, single) if isinstance(single, str) else single
        if isinstance(value, dict):
            return _fields(schema, value)
        is_whole = "integer" in kinds and "number" not in kinds
        return _whole_number(value) if is_whole and not isinstance(value, int) else value
    if isinstance(value, str):
        value = _parsed(kinds, value)
    if value in (None, "", {}):
        return value
    items = value if isinstance(value, list) else [value]
    return [fitted(schema.get("items", {}), item) for item in items]


def _kinds(schema: Mapping[str, Any]) -> tuple[str, ...]:
    kind = schema.get("type", "object" if "properties" in schema else ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _parsed(kinds: Sequence[str], value: object) -> object:
    """Return the value of a JSON text, if it has one of these types; else `value`."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    try:
        parsed, end = read_json(text)
    except ValueError:
        return value
    if end == len(text) and (parsed is None or _is_any(kinds, parsed)):
        return parsed
    return value


def _is_any(kinds: Sequence[str], value: object) -> bool:
    if isinstance(value, bool):
        return "boolean" in kinds
    return any(isinstance(value, _TYPES[kind]) for kind in kinds if kind in _TYPES)


def _whole_number(value: object) -> object:
    """Return 3 for 3.0 and "3.0"; other values unchanged."""
    number = _parsed(("number",), value)
    return int(number) if isinstance(number, float) and number.is_integer() else value


def _allowed(allowed: Sequence[Any], value: str) -> object:
    """Return the one allowed text that differs from `value` in case and separators at most."""
    texts = [text for text in allowed if isinstance(text, str)]
    same = [text for text in texts if _squashed(text) == _squashed(value)]
    return same[0] if len(same) == 1 else value


def _squashed(text: str) -> str:
    """Return `text` in lower case and without spaces, `_`, `-` and punctuation."""
    return re.sub(r"[\W_]", "", text.casefold())


def _fields(schema: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    properties, required = schema.get("properties", {}), schema.get("required", ())
    is_closed = schema.get("additionalProperties") is False
    fields: dict[str, Any] = {}
    for written, raw in value.items():
        name = written if written in properties else _meant(written, properties, value)
        field = properties.get(name, {})
        content = fitted(field, raw)
        # Null, or an empty value that is not allowed, means that a field is left out.
        is_empty = content in (None, "", [], {})
        is_nothing = is_empty and (content is None or not _accepts(field, content))
        if not is_nothing or name in required or not (name in properties or is_closed):
            fields[name] = content
    return fields


def _meant(name: str, properties: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """Return the one missing property that `name` may mean, such as `devices` for `Device`."""
    similar = (_squashed(name), f"{_squashed(name)}s")
    meant = [other for other in properties if _squashed(other) in similar and other not in value]
    return meant[0] if len(meant) == 1 else name


def _chosen(choices: Sequence[Mapping[str, Any]], value: object) -> Any:
    """Return `value` in the form of the first alternative that it fits."""
    if isinstance(value, str) and not any(_accepts(each, value) for each in choices):
        kinds = [kind for each in choices for kind in _kinds(each)]
        value = _parsed(kinds, value)
    if isinstance(value, dict):
        chosen = next((each for each in choices if _fits(each, value)), None)
        return value if chosen is None else fitted(chosen, value)
    if any(_accepts(each, value) for each in choices):
        return value
    forms = [form for each in choices if _accepts(each, form := fitted(each, value))]
    return forms[0] if forms and all(form == forms[0] for form in forms) else value


def _accepts(schema: Mapping[str, Any], value: object) -> bool:
    if "enum" in schema:
        return value in schema["enum"]
    return not (kinds := _kinds(schema)) or _is_any(kinds, value)


def _fits(schema: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Return whether the schema is of an object, and the enum fields of `value` match it."""
    if "object" not in _kinds(schema):
        return False
    return all(
        value.get(name) in each["enum"]
        for name, each in schema.get("properties", {}).items()
        if "enum" in each and (name in value or name in schema.get("required", ()))
    )
