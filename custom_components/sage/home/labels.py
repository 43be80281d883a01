"""Names in prompts: on one line, without quotation marks, of limited length."""

import unicodedata
from functools import lru_cache
from typing import Final

from .identifiers import slug

LONGEST_NAME: Final = 80
"""Maximum length of a name or alias of a device, component, area or floor."""

_JOINERS: Final = frozenset("\u200c\u200d")
"""Zero-width characters that some scripts and emoji need."""


@lru_cache(maxsize=8192)
def flat_name(name: str) -> str:
    """Return a name on one line, without invisible characters, cut to LONGEST_NAME characters."""
    if not (name.isascii() and name.isprintable()):
        name = "".join(map(_seen, name))
    return " ".join(name.split())[:LONGEST_NAME].rstrip()


def _seen(sign: str) -> str:
    if sign.isspace() or unicodedata.category(sign) == "Cc":
        return " "
    return sign if sign.isprintable() or sign in _JOINERS else ""


def quiet(name: str) -> str:
    """Return a name without line breaks and double quotes, which could imitate a prompt."""
    return " ".join(name.replace('"', "'").split())


def label(device_id: str, name: str, area: str | None) -> str:
    """Return the id, plus name and area unless the id contains them."""
    named = titled(device_id, name, area)
    if not area or set(slug(area).split("_")) <= set(device_id.split("_")):
        return named
    return f"{named} ({quiet(area)})"


def titled(device_id: str, name: str, area: str | None) -> str:
    """Return the id, plus the name unless id and area contain it."""
    return device_id if says_the_same(device_id, name, area) else f'{device_id} "{quiet(name)}"'


def says_the_same(device_id: str, name: str, area: str | None) -> bool:
    """Return whether an id has all words of a name, and no others except the area's."""
    said = set(device_id.split("_"))
    own = set(slug(name).split("_"))
    return own <= said <= own | set(slug(area or "").split("_"))
