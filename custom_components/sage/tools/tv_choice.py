"""The TVs and channels that SAGE may switch to without a confirmation."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

_STARTS: Final = frozenset({"turn_on", "on"})
"""Commands that switch a TV on without arguments, in Home Assistant and SmartThings."""

_CHANNEL: Final = "channel"
"""The media type `channel`; a command may contain it in addition to the name of the channel."""


class TvChoice:
    """The TVs and channels that one run may switch to.

    Text of a TV guide is untrusted, so a command after the model has read it normally needs
    confirmation. The model names the TVs before it reads the guide. Therefore only the person's
    words can have caused the choice of the TVs.
    """

    def __init__(self) -> None:
        """Start without TVs and channels."""
        self._devices: set[str] = set()
        self._channels: set[str] = set()

    def allow(self, devices: Iterable[str], channels: Iterable[str]) -> None:
        """Allow the TVs with these ids to show the channels with these numbers or names."""
        self._devices |= set(devices)
        self._channels |= set(channels) - {""}

    def covers(self, given: Mapping[str, Any]) -> bool:
        """Return whether a command only turns on allowed TVs or selects allowed channels.

        `given`: the arguments of the `execute_command` call.
        """
        devices = set(given["devices"])
        if not devices or not devices <= self._devices:
            return False
        texts = list(_values(given.get("arguments") or {}))
        if not texts:
            return given["command"].rpartition(".")[2] in _STARTS
        rest = [each for each in texts if each != _CHANNEL]
        return bool(rest) and all(each in self._channels for each in rest)


def _values(value: Any) -> Iterator[Any]:
    """Yield all values in nested mappings and lists."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _values(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _values(each)
    else:
        yield value
