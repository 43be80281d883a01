"""Reading JSON that is unfinished or stands among other text."""

import json
import re
from typing import Any

_ANSWERED = re.compile(
    r'"kind"\s*:\s*"answered"\s*,\s*"answer"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL
)
_CUT_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}$")
_CUT_SURROGATE = re.compile(r"(?:\\u[dD][89abAB][0-9a-fA-F]{2})$")


def answered_so_far(text: str) -> str | None:
    """Return what is there of the answer in an unfinished `finish` of kind `answered`.

    `kind` must come before `answer`; otherwise nothing streams. An escape
    sequence that is cut off is left for the next piece.
    """
    found = _ANSWERED.search(text)
    if found is None:
        return None
    raw = found.group(1)
    if not _closed(text, found.end()):
        raw = _CUT_SURROGATE.sub("", _CUT_ESCAPE.sub("", raw))
    try:
        answer: str = json.loads(f'"{raw}"', strict=False)
    except json.JSONDecodeError:
        return None
    return answer


def _closed(text: str, end: int) -> bool:
    return text[end : end + 1] == '"'


def first_object(text: str) -> dict[str, Any] | None:
    """Return the first JSON object in `text`, or None when there is none."""
    decoder = json.JSONDecoder(strict=False)
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = decoder.raw_decode(text, start)
        except json.JSONDecodeError:
            start = text.find("{", start + 1)
            continue
        return value if isinstance(value, dict) else None
    return None
