"""Names for a model: on one line, without quotes of their own, no longer than needed."""

from .identifiers import slug


def quiet(name: str) -> str:
    """Return a name that cannot break out of its line or its quotes."""
    return " ".join(name.replace('"', "'").split())


def label(device_id: str, name: str, area: str | None) -> str:
    """Return the id, the name if it says more, the area."""
    named = titled(device_id, name, area)
    return f"{named} ({quiet(area)})" if area else named


def titled(device_id: str, name: str, area: str | None) -> str:
    """Return the id, and the name if it says more than id and area."""
    return device_id if says_the_same(device_id, name, area) else f'{device_id} "{quiet(name)}"'


def says_the_same(device_id: str, name: str, area: str | None) -> bool:
    """Tell whether an id holds all words of a name, and no others but those of the area."""
    said = set(device_id.split("_"))
    own = set(slug(name).split("_"))
    return own <= said <= own | set(slug(area or "").split("_"))
