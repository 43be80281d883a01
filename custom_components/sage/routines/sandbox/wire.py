"""Values as JSON text, to the process of the fallback and back.

A dict is `{"=": [[key, value], ...]}` and a datetime `{"@": "..."}`, so nothing that code
writes into a value can pass for something else.
"""

from datetime import datetime
from typing import Any


def encode(value: Any) -> Any:
    """Return what `json` can write."""
    if isinstance(value, datetime):
        return {"@": value.isoformat()}
    if isinstance(value, dict):
        return {"=": [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return value


def decode(value: Any) -> Any:
    """Return the value; tuples have become lists. Raises ValueError, KeyError, TypeError."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if isinstance(value, dict):
        if "@" in value:
            return datetime.fromisoformat(value["@"])
        return {key: decode(item) for key, item in value["="]}
    return value
