"""The words that identifiers of the cloud are made of."""

import re
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


@lru_cache(maxsize=4096)
def words_of(identifier: str) -> tuple[str, ...]:
    """Return the words of an identifier in small letters, without its namespace.

    `samsungce.dishwasherWashingCourse` gives `dishwasher`, `washing`, `course`.
    """
    return tuple(word.lower() for word in _WORD.findall(identifier.rpartition(".")[2]))


def plain(identifier: str) -> str:
    """Return what is equal for `setTvChannel`, `set_tv_channel` and `Set TV channel`."""
    return re.sub(r"[^a-z0-9.]", "", identifier.casefold())
