"""The TV schedule search tool (SAGE paper, Table I)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import probatio
from homeassistant.util import dt as dt_util

from ...agent.decision import Call
from ...external.external_error import ExternalError
from ...external.tv_guide.guide_file import GuideQuery, Showing, Shown
from ...external.tv_guide.tv_guide import TvGuide, merged
from ...external.tv_guide.xmltv import Channel
from ...home.groups import find_all
from ...home.home_types import HomeError
from ...text.words import key, words
from ..sage_tool import Situation
from .external_tool import END, START, ExternalText, ExternalTool, time_span

_NAME: Final = "search_tv_schedule"
_MOST: Final = 20
_LONGEST: Final = 160
"""Maximum length of a description in the result, in characters."""

_DAYS: Final = timedelta(days=14)
"""Length of the period that a search by words covers if no end is given."""

_SOURCES: Final = "source_list"


def tv_schedule(situation: Situation) -> tuple[TvSchedule, ...]:
    """Return the tool if the household has a TV guide; otherwise empty."""
    return (TvSchedule(situation),) if situation.external.guides else ()


class TvSchedule(ExternalTool):
    """Searches the TV guides of the household."""

    name = f"sage__{_NAME}"
    title = "TV guide"
    description = (
        "Search the TV guide: what is on now, tonight or at a time, when something is on, what "
        "fits a taste. Gives title, time, channel and its number. To watch it, give "
        "`watch_on`, then put channel, number and TV into the command of `device_interaction`. "
        "Other commands of the request stand before it in the same reply."
    )
    details = "details_tv_guide"
    parameters = probatio.Schema(
        {
            probatio.Optional(
                "words",
                description=(
                    "title, team, genre or topic, not the name of a channel; leave out for all "
                    "that is on"
                ),
            ): str,
            probatio.Optional(
                "start", description=f"{START}; leave out for now, with words: from now on"
            ): str,
            probatio.Optional("end", description=END): str,
            probatio.Optional("channel", description="name or number of one channel"): str,
            probatio.Optional(
                "device", description="id of the TV: then its own number and name of the channel"
            ): str,
            probatio.Optional(
                "watch_on",
                description=(
                    "if the person wants it put on: ids of the TVs that may be meant, or a group"
                ),
            ): [str],
        }
    )

    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        """Return one line for each matching programme.

        The argument `watch_on` names TVs. Later commands may switch them to the found channels
        without a confirmation, unless untrusted text may have caused the search.
        """
        given = await self._async_with_channel(given)
        sources = await self._async_sources(_tv_of(given))
        start, end = _span(given)
        found: list[tuple[TvGuide, Shown]] = []
        wanted = GuideQuery(start=start, end=end, words=given.get("words", ""), most=_MOST)
        named = given.get("channel", "").strip()
        guides = self.situation.external.guides
        is_exact = any([await guide.async_channels_named(named) for guide in guides])
        for guide in guides:
            chosen: tuple[str, ...] | None = None
            if named:
                look = guide.async_channels_named if is_exact else guide.async_channels
                chosen = tuple(each.id for each in await look(named))
            shown = await guide.async_search(
                GuideQuery(start=start, end=end, words=wanted.words, channels=chosen, most=_MOST)
            )
            found.append((guide, shown))
        result = merged([shown for _, shown in found], wanted)
        if not result.showings:
            return ExternalText(note=_NOTHING)
        numbers = {each.id: guide.number_of(each) for guide, each in _channels(found)}
        lines = [_line(each, numbers[each.channel.id], sources) for each in result.showings]
        await self._async_allow(given, [each.channel for each in result.showings], numbers)
        is_found = not wanted.words or any(each.has_words for each in result.showings)
        more = _MORE.format(number=result.more) if result.more else ""
        notes = ("" if is_found else _ONLY_ALIKE, more)
        return ExternalText(text="\n".join(lines), note=" ".join(filter(None, notes)))

    async def _async_with_channel(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of the search.

        If the argument `words` is exactly the name of a channel, the name is moved to the argument
        `channel`.
        """
        wanted = key(given.get("words", ""))
        if not wanted or given.get("channel", "").strip():
            return given
        for guide in self.situation.external.guides:
            for each in await guide.async_channels_named(wanted):
                if wanted in map(key, each.names):
                    return {**given, "words": "", "channel": each.names[0]}
        return given

    async def _async_allow(
        self, given: Mapping[str, Any], channels: Sequence[Channel], numbers: Mapping[str, str]
    ) -> None:
        """Allow TVs to switch to these channels without a confirmation.

        This applies to the TVs that the argument `watch_on` of a search names, if no untrusted text
        can have caused the search. `numbers`: channel id -> number.
        """
        situation = self.situation
        listing = await situation.home.async_listing()
        for name in given.get("watch_on") or ():
            # If untrusted text was read before, the model decides again without that text.
            if not await situation.run.async_asked_for(partial(_is_to_watch_on, name)):
                continue
            with suppress(HomeError):
                for found in find_all(listing, (name,)):
                    names = await self._async_names(channels, numbers, found.device.id)
                    situation.tv_channels.setdefault(found.device.id, set()).update(names - {""})

    async def _async_names(
        self, channels: Sequence[Channel], numbers: Mapping[str, str], tv: str
    ) -> set[str]:
        """Return the numbers and names of channels on a TV; empty if the TV cannot be read."""
        try:
            sources = await self._async_sources(tv) or ()
        except ExternalError:
            return set()
        found = {numbers[each.id] for each in channels}
        for each in channels:
            source = source_of(each, sources)
            found |= {source, number_in(source, each)}
        return found

    async def _async_sources(self, device: str) -> Sequence[str] | None:
        """Return the attribute `source_list` of a TV; None if it has none.

        Also None if `device` is empty or a group of several devices. Raises ExternalError if the TV
        cannot be read.
        """
        if not device:
            return None
        try:
            readings = await self.situation.home.async_read([device], ["state", _SOURCES])
        except HomeError as err:
            raise ExternalError(str(err)) from err
        if len({each.device_id for each in readings}) > 1:
            return None
        lists = (each.values.get(_SOURCES) for each in readings)
        listed = next((each for each in lists if isinstance(each, list)), None)
        return None if listed is None else [str(each) for each in listed]


def _is_to_watch_on(name: str, call: Call) -> bool:
    """Return whether `call` searches for programmes to watch on the TV or group `name`."""
    names = call.arguments.get("watch_on")
    return call.tool == _NAME and isinstance(names, list) and name in map(str, names)


def _tv_of(given: Mapping[str, Any]) -> str:
    """Return the id of the TV in the tool's arguments; empty if there is none or more than one."""
    tvs: list[str] = given.get("watch_on") or []
    return str(given.get("device") or (tvs[0] if len(tvs) == 1 else ""))


_NOTHING: Final = (
    "The TV guide has nothing of that. Try other words or a longer time, or leave out the channel."
)
_ONLY_ALIKE: Final = "None of these contains the words; they are only alike in meaning."
_MORE: Final = "There are at least {number} more; narrow it down by words, time or channel."


def _span(given: Mapping[str, Any]) -> tuple[datetime, datetime]:
    now = dt_util.now()
    span = time_span(given.get("start", ""), given.get("end", ""))
    if span is not None:
        return span
    return now, now + _DAYS if given.get("words") else now


def _channels(found: Sequence[tuple[TvGuide, Shown]]) -> Iterator[tuple[TvGuide, Channel]]:
    for guide, shown in found:
        for each in shown.showings:
            yield guide, each.channel


def _line(showing: Showing, number: str, sources: Sequence[str] | None) -> str:
    start, stop = dt_util.as_local(showing.start), dt_util.as_local(showing.stop)
    channel = showing.channel.names[0]
    source = source_of(showing.channel, sources or ())
    number = number_in(source, showing.channel) or number
    place = f"{channel}, channel {number}" if number else channel
    if source:
        place += f', source "{source}"'
    title = " – ".join(filter(None, (showing.title, showing.subtitle)))
    kind = f" ({showing.category})" if showing.category else ""
    text = showing.description
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    when = f"{start:%a %Y-%m-%d %H:%M}-{stop:%H:%M}"
    return f"- {when}, {place}: {title}{kind}{f'. {short}' if short else ''}"


def source_of(channel: Channel, sources: Sequence[str]) -> str:
    """Return the entry of a TV's source list that names this channel, or an empty string.

    Numbers in an entry are ignored: "5 BBC One" matches BBC One.
    """
    names = [_letters(each) for each in channel.names]
    exact = (each for each in sources if words(each) in [words(name) for name in channel.names])
    return next(exact, "") or next(
        (each for each in sources if _letters(each) and _letters(each) in names), ""
    )


def number_in(source: str, channel: Channel) -> str:
    """Return the channel number in an entry of a TV's source list, such as "5" in "5 BBC One".

    Empty if there is none. A number in the channel's own name, such as "BBC 1", does not count.
    """
    for name in channel.names:
        more = list(words(source))
        for each in words(name):
            if each in more:
                more.remove(each)
        if len(more) == 1 and more[0].isdecimal():
            return more[0]
    return ""


def _letters(name: str) -> tuple[str, ...]:
    return tuple(each for each in words(name) if not each.isdigit())
