"""Sentences that SAGE speaks itself."""

from typing import Any, Final

from .model import Sentence


def said(key: str, **values: Any) -> Sentence:
    """Return the sentence with this key and values."""
    return Sentence(key=key, values=values)


def state(name: str) -> Sentence:
    """Return the word for a state."""
    return said(f"state_{name}")


def now(value: str, *devices: str) -> Sentence:
    """Return that devices now have a state."""
    many = "many" if len(devices) > 1 else "one"
    return said(f"outcome_verified_{many}", devices=devices, state=state(value), values="")


def unseen(device: str, value: str) -> Sentence:
    """Return that a command had no effect on a device."""
    return said("outcome_not_confirmed_one", devices=device, state=state(value))


NOTHING: Final = (said("nothing_changed"),)
UNKNOWN: Final = (said("nothing_looked_up"),)
