"""TVs that SAGE may switch on, and switch to certain channels, without a confirmation."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from ..agent.decision import Call
from ..home.groups import find_all
from ..home.home import HomeView
from ..home.home_types import HomeError

SEARCH: Final = "search_tv_schedule"
"""Name of the tool that searches the TV guides."""

type ChannelNames = Callable[[str], Awaitable[set[str]]]
"""Function: device id of a TV -> names and numbers with which a command selects a channel there.

The channels are those that one search of the TV guides found.
"""

_STARTS: Final = frozenset({"turn_on", "on"})
"""Commands that switch a TV on without arguments, in Home Assistant and SmartThings."""

_CHANNEL: Final = "channel"
"""The media type `channel`, which a command may contain in addition to a channel's name."""


class TvChoice:
    """The TVs that may be switched on without a confirmation, and the channels they may show.

    One object serves one command of a person. Only the person's own words can have chosen these
    TVs, not untrusted text such as a TV guide.
    """

    def __init__(self) -> None:
        """Start without TVs and channels."""
        self._devices: set[str] = set()
        self._channels: set[str] = set()
        self._searches: list[ChannelNames] = []

    def add_search(self, names: ChannelNames) -> None:
        """Add the channels that a search of the TV guides found.

        `names`: device id of a TV -> names and numbers of these channels on it, such as "BBC One"
        and "5".
        """
        self._searches.append(names)

    async def async_allow(self, home: HomeView, calls: Iterable[Call]) -> None:
        """Allow TVs to show the channels that searches of the TV guides have found.

        `calls`: tool calls; the argument `watch_on` of a search (`SEARCH`) names the TVs. Pass only
        calls that untrusted text cannot have caused, because SAGE then switches these TVs without a
        confirmation.
        """
        if not self._searches:
            return
        listing = await home.async_listing()
        for name in dict.fromkeys(name for call in calls for name in _watched(call)):
            with suppress(HomeError):
                for found in find_all(listing, (name,)):
                    await self._async_allow(found.device.id)

    async def _async_allow(self, device: str) -> None:
        for names in self._searches:
            if channels := await names(device) - {""}:
                self._devices.add(device)
                self._channels |= channels

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


def _watched(call: Call) -> Iterator[str]:
    """Yield the ids and groups in the argument `watch_on`, if the call is a search."""
    names = call.arguments.get("watch_on")
    if call.tool == SEARCH and isinstance(names, list):
        yield from map(str, names)


def is_to_watch_on(name: str, call: Call) -> bool:
    """Return whether `call` searches for programmes to watch on the TV or group `name`."""
    return name in _watched(call)


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
