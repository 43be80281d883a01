"""Names for a model: on one line, without quotes of their own, no longer than needed."""

import unicodedata
from functools import lru_cache
from typing import Final

from .identifiers import slug

LONGEST_NAME: Final = 80
"""Characters of the name of a device, a part, an area or a floor, and of an alias."""

_JOINERS: Final = frozenset("\u200c\u200d")
"""Signs of no width that some scripts and emoji need."""


@lru_cache(maxsize=8192)
def flat_name(name: str) -> str:
    """Return a name of the home on one line, without signs that cannot be seen, cut to length."""
    if not (name.isascii() and name.isprintable()):
        name = "".join(map(_seen, name))
    return " ".join(name.split())[:LONGEST_NAME].rstrip()


def _seen(sign: str) -> str:
    if sign.isspace() or unicodedata.category(sign) == "Cc":
        return " "
    return sign if sign.isprintable() or sign in _JOINERS else ""


def quiet(name: str) -> str:
    """Return a name that cannot break out of its line or its quotes."""
    return " ".join(name.replace('"', "'").split())


def label(device_id: str, name: str, area: str | None) -> str:
    """Return the id, and the name and the area if they say more."""
    named = titled(device_id, name, area)
    if not area or set(slug(area).split("_")) <= set(device_id.split("_")):
        return named
    return f"{named} ({quiet(area)})"


def titled(device_id: str, name: str, area: str | None) -> str:
    """Return the id, and the name if it says more than id and area."""
    return device_id if says_the_same(device_id, name, area) else f'{device_id} "{quiet(name)}"'


def says_the_same(device_id: str, name: str, area: str | None) -> bool:
    """Tell whether an id holds all words of a name, and no others but those of the area."""
    said = set(device_id.split("_"))
    own = set(slug(name).split("_"))
    return own <= said <= own | set(slug(area or "").split("_"))
