"""The TV schedule search tool (SAGE paper, Table I)."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import probatio
from homeassistant.util import dt as dt_util

from ...agent import Call
from ...external import ExternalError, GuideQuery, Showing
from ...home import HomeError
from ...text import words
from .external_tool import END, START, ExternalText, ExternalTool, time_span

_NAME: Final = "search_tv_schedule"
_MOST: Final = 20
_LONGEST: Final = 160
"""Maximum length of a description in the result, in characters."""

_DAYS: Final = timedelta(days=14)
"""Length of the period that a search by words covers if no end is given."""

_SOURCES: Final = "source_list"


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
        sources = await self._async_sources(_tv_of(given)) or ()
        start, end = _span(given)
        query = GuideQuery(
            start=start,
            end=end,
            words=given.get("words", ""),
            channel=given.get("channel", ""),
            most=_MOST,
        )
        shown = await self.situation.external.async_search_guides(query)
        if shown is None or not shown.showings:
            return ExternalText(note=_NOTHING)
        await self._async_allow(given, shown.showings)
        has_words = any(showing.has_words for showing in shown.showings)
        more = _MORE.format(number=shown.more) if shown.more else ""
        notes = ("" if has_words else _ONLY_ALIKE, more)
        lines = [_line(showing, sources) for showing in shown.showings]
        return ExternalText(text="\n".join(lines), note=" ".join(filter(None, notes)))

    async def _async_allow(self, given: Mapping[str, Any], showings: Sequence[Showing]) -> None:
        """Allow TVs to switch to these channels without a confirmation.

        This applies to the TVs that the argument `watch_on` of a search names, if no untrusted text
        can have caused the search.
        """
        situation = self.situation
        listing = await situation.home.async_listing()
        for name in given.get("watch_on") or ():
            # If untrusted text was read before, the model decides again without that text.
            if not await situation.run.async_asked_for(partial(_is_to_watch_on, name)):
                continue
            with suppress(HomeError):
                for found in listing.find_all((name,)):
                    allowed = situation.tv_channels.setdefault(found.device.id, set())
                    with suppress(ExternalError):
                        sources = await self._async_sources(found.device.id) or ()
                        for channel in (showing.channel for showing in showings):
                            source = source_of(channel.names, sources)
                            own_number = number_in(source, channel.names)
                            allowed |= {channel.number, source, own_number} - {""}

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


def _line(showing: Showing, sources: Sequence[str]) -> str:
    start, stop = dt_util.as_local(showing.start), dt_util.as_local(showing.stop)
    source = source_of(showing.channel.names, sources)
    number = number_in(source, showing.channel.names) or showing.channel.number
    channel = showing.channel.names[0] + (f", channel {number}" if number else "")
    if source:
        channel += f', source "{source}"'
    title = " – ".join(filter(None, (showing.title, showing.subtitle)))
    kind = f" ({showing.category})" if showing.category else ""
    text = showing.description
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    when = f"{start:%a %Y-%m-%d %H:%M}-{stop:%H:%M}"
    return f"- {when}, {channel}: {title}{kind}{f'. {short}' if short else ''}"


def source_of(names: Sequence[str], sources: Sequence[str]) -> str:
    """Return the entry of a TV's source list that has one of the names, or an empty string.

    Numbers in an entry are ignored: "5 BBC One" matches BBC One.
    """
    letters = [_letters(name) for name in names]
    exact = (each for each in sources if words(each) in [words(name) for name in names])
    return next(exact, "") or next(
        (each for each in sources if _letters(each) and _letters(each) in letters), ""
    )


def number_in(source: str, names: Sequence[str]) -> str:
    """Return the channel number in an entry of a TV's source list, such as "5" in "5 BBC One".

    Empty if there is none. A number in the channel's own name, such as "BBC 1", does not count.
    """
    for name in names:
        more = list(words(source))
        for each in words(name):
            if each in more:
                more.remove(each)
        if len(more) == 1 and more[0].isdecimal():
            return more[0]
    return ""


def _letters(name: str) -> tuple[str, ...]:
    return tuple(each for each in words(name) if not each.isdigit())
