"""The TVs on which the person wants to watch what the TV guide finds."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

_STARTS: Final = frozenset({"turn_on", "on"})
"""Commands without arguments that switch a TV on: of Home Assistant and of SmartThings."""

_CHANNEL: Final = "channel"
"""The media type of a channel; the only other text in a command that changes the channel."""


class TvChoice:
    """The TVs and channels that the person chose in one run.

    The model gives the TVs before it reads the guide, so only the person's words have led to them.
    """

    def __init__(self) -> None:
        """Start without a TV."""
        self._devices: set[str] = set()
        self._channels: set[str] = set()

    def allow(self, devices: Iterable[str], channels: Iterable[str]) -> None:
        """Allow that these TVs, by their ids, show one of these channels, by number or name."""
        self._devices |= set(devices)
        self._channels |= set(channels) - {""}

    def covers(self, given: Mapping[str, Any]) -> bool:
        """Return whether arguments of `execute_command` only put one of the channels on."""
        devices = set(given["devices"])
        if not devices or not devices <= self._devices:
            return False
        texts = list(_values(given.get("arguments") or {}))
        if not texts:
            return given["command"].rpartition(".")[2] in _STARTS
        rest = [each for each in texts if each != _CHANNEL]
        return bool(rest) and all(each in self._channels for each in rest)


def _values(value: Any) -> Iterator[Any]:
    """Yield the values in nested arguments."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _values(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _values(each)
    else:
        yield value
