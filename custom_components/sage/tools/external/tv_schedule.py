"""The TV schedule search tool (SAGE paper, Table I)."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import probatio
from homeassistant.util import dt as dt_util

from ...agent import Call
from ...external import ExternalError, GuideQuery, time_span
from ...home import HomeError
from ..sage_tool import Arguments
from .external_tool import END, START, ExternalText, ExternalTool

_NAME: Final = "search_tv_schedule"
_MOST: Final = 20
_DAYS: Final = timedelta(days=14)  # period of a search by words without an end
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

    async def async_look(self, given: Arguments) -> ExternalText:
        """Return one line for each matching programme.

        The argument `watch_on` names TVs. Later commands may switch them to the found channels
        without a confirmation, unless untrusted text may have caused the search.
        """
        tvs: list[str] = given.get("watch_on") or []
        tv = given.get("device") or (tvs[0] if len(tvs) == 1 else "")
        sources = await self._async_sources(str(tv))
        now = dt_util.now()
        span = time_span(given.get("start", ""), given.get("end", ""))
        start, end = span or (now, now + _DAYS if given.get("words") else now)
        query = GuideQuery(
            start=start,
            end=end,
            words=given.get("words", ""),
            channel=given.get("channel", ""),
            most=_MOST,
        )
        async_search = self.situation.external.async_search_guides
        showings, more = await async_search(query) or ([], 0)
        has_words = bool(showings)
        if not showings and query.words:
            # The model can choose by their titles and descriptions.
            showings, more = await async_search(replace(query, words="")) or ([], 0)
        if not showings:
            return ExternalText(note=_NOTHING)
        await self._async_allow(given, [showing.channel.ways_to for showing in showings])
        notes = ("" if has_words else _OTHERS, _MORE.format(number=more) if more else "")
        lines = [showing.line(sources) for showing in showings]
        return ExternalText(text="\n".join(lines), note=" ".join(filter(None, notes)))

    async def _async_allow(
        self, given: Arguments, ways_to: Iterable[Callable[[Sequence[str]], set[str]]]
    ) -> None:
        """Allow TVs to switch to these channels without a confirmation.

        This applies to the TVs that the argument `watch_on` of a search names, if no untrusted text
        can have caused the search. `ways_to`: see `Channel.ways_to`.
        """
        situation = self.situation
        listing = await situation.home.async_listing()
        for name in given.get("watch_on") or ():
            # If untrusted text was read before, the model decides again without that text.
            if not await situation.run.async_asked_for(partial(_is_to_watch_on, name)):
                continue
            with suppress(HomeError):
                for tv in listing.find_all((name,)):
                    allowed = situation.tv_channels.setdefault(tv.device.id, set())
                    with suppress(ExternalError):
                        sources = await self._async_sources(tv.device.id)
                        allowed.update(*(ways(sources) for ways in ways_to))

    async def _async_sources(self, device: str) -> Sequence[str]:
        """Return the attribute `source_list` of a TV; empty if it has none.

        Also empty if `device` is empty or a group of several devices. Raises ExternalError if the
        TV cannot be read.
        """
        if not device:
            return ()
        try:
            readings = await self.situation.home.async_read([device], ["state", _SOURCES])
        except HomeError as err:
            raise ExternalError(str(err)) from err
        if len({reading.device_id for reading in readings}) > 1:
            return ()
        lists = (reading.values.get(_SOURCES) for reading in readings)
        return next(([*map(str, listed)] for listed in lists if isinstance(listed, list)), ())


def _is_to_watch_on(name: str, call: Call) -> bool:
    """Return whether `call` searches for programmes to watch on the TV or group `name`."""
    names = call.arguments.get("watch_on")
    return call.tool == _NAME and isinstance(names, list) and name in map(str, names)


_NOTHING: Final = (
    "The TV guide has nothing of that. Try other words or a longer time, or leave out the channel."
)
_OTHERS: Final = "None of these contains the words; these are all programmes, the earliest first."
_MORE: Final = "There are at least {number} more; narrow it down by words, time or channel."
