"""Parse JSON that is incomplete or surrounded by other text."""

import json
import re
from typing import Any

_FINISH = re.compile(r'\{\s*"kind"\s*:')
_ANSWER = re.compile(r',\s*"answer"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_CUT_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}$")
_CUT_SURROGATE = re.compile(r"(?:\\u[dD][89abAB][0-9a-fA-F]{2})$")


def finish_so_far(text: str) -> dict[str, Any] | None:
    """Return the arguments of a partly received call of the tool `finish`.

    `{"kind": "answered", "answer": "It is wa` gives `{"kind": "answered", "answer": "It is wa"}`.
    None before the text of `answer` begins, which must be the last argument.
    """
    if '"answer"' not in text:
        # Called for thousands of pieces per reply: avoid the slow patterns if they cannot match.
        return None
    begun = _FINISH.search(text)
    found = _ANSWER.search(text, begun.end()) if begun is not None else None
    if begun is None or found is None:
        return None
    raw = found.group(1)
    if not _closed(text, found.end()):
        raw = _CUT_SURROGATE.sub("", _CUT_ESCAPE.sub("", raw))
    try:
        arguments = json.loads(f"{text[begun.start() : found.start()]}}}")
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
