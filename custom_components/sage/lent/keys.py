"""What is watched, as texts: an entity by its id, an attribute of SmartThings by its place."""

from typing import Final

from ..home.smartthings.single_values import AttributePlace

_RAW: Final = "smartthings:"


def key_of(place: AttributePlace) -> str:
    """Return the key of an attribute of SmartThings; that of an entity is its id."""
    return f"{_RAW}{'/'.join(place)}"


def place_of(key: str) -> AttributePlace | None:
    """Return the attribute that a key stands for; None for an entity."""
    return AttributePlace(*key.removeprefix(_RAW).split("/")) if key.startswith(_RAW) else None
