"""Clients for mail, contacts, calendars, weather and TV guides.

The texts that they return, such as mail, are untrusted: tools must mark them in the prompt. Methods
for tools raise `ExternalError`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final

from homeassistant.core import HomeAssistant

from ..people import Person
from ..text import key
from .address_book import AddressBooks
from .bounded import ExternalError
from .calendars import Calendar, async_agenda
from .guide_file import GuideQuery, Showing
from .mailbox import Mailbox
from .place_weather import PlaceWeather
from .times import day_or_moment, end_of, start_of
from .tv_guide import TvGuide

_MOST_DAYS: Final = 400


async def _async_no_calendars(_: Person) -> tuple[Calendar, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """All people's external sources; an unknown speaker may use only those of the household."""

    mail: Mapping[str, Mailbox] = field(default_factory=dict)  # user id -> mailbox of that person
    place_weather: PlaceWeather | None = None  # the weather service for places other than the home
    guides: tuple[TvGuide, ...] = ()  # the TV guides of the household
    books: AddressBooks | None = None
    """SAGE's address books; None only outside a running home, for example in tests."""

    any_calendar: Callable[[], bool] = bool  # returns whether anybody may see a calendar
    async_calendars: Callable[[Person], Awaitable[tuple[Calendar, ...]]] = _async_no_calendars
    """Returns the calendars that a person may read now, own calendars first, then by name."""

    def mail_of(self, person: Person) -> Mailbox | None:
        """Return the mailbox of a person; None without a mail account."""
        return self.mail.get(person.user_id or "")

    def own_books(self, person: Person) -> tuple[AddressBooks, str]:
        """Return the address books and the owner's id; the person must be known."""
        assert self.books is not None
        assert person.user_id is not None
        return self.books, person.user_id

    def has_mail_or_contacts(self, person: Person) -> bool:
        """Return whether a person has mail or contacts."""
        books = () if self.books is None else self.books.books
        return person.user_id in self.mail or person.user_id in books

    async def async_events(
        self, hass: HomeAssistant, person: Person, first: str, last: str, words: str
    ) -> tuple[str, str]:
        """Return the events that a person may read, and a note on them (`Agenda.about`).

        `first` and `last` are ISO dates or times; an empty `last` means the day of `first`. Raises
        ExternalError.
        """
        begin = day_or_moment("first", first)
        end: date = begin.date() if isinstance(begin, datetime) else begin
        if last:
            end = day_or_moment("last", last)
        span = end_of(end) - start_of(begin)
        if span <= timedelta(0) or span > timedelta(days=_MOST_DAYS):
            raise ExternalError(f"`last` must be after `first`, by at most {_MOST_DAYS} days.")
        agenda = await async_agenda(hass, await self.async_calendars(person), begin, end)
        return await asyncio.to_thread(agenda.about, words)

    async def async_search_guides(self, query: GuideQuery) -> tuple[list[Showing], int] | None:
        """Return the best matches in the TV guides, and the number of further ones.

        If the words are exactly the name of a channel, searches what is on this channel. Returns
        None if no guide has the channel. Raises ExternalError.
        """
        if query.words and not query.channel and not query.title_only:
            for channel in [
                channel
                for guide in self.guides
                for channel in await guide.async_channels(query.words)
            ]:
                if key(query.words) in map(key, channel.names):
                    query = replace(query, words="", channel=channel.names[0])
                    break
        chosen: list[tuple[str, ...] | None] = [None] * len(self.guides)
        if named := query.channel.strip():
            lists = [await guide.async_channels(named) for guide in self.guides]
            # A channel of exactly this name in one guide counts more than similar ones in others.
            is_exact = any(channel.is_named(named) for channels in lists for channel in channels)
            chosen = [
                tuple(channel.id for channel in channels if channel.is_named(named) or not is_exact)
                for channels in lists
            ]
            if not any(chosen):
                return None
        showings: list[Showing] = []
        more = 0
        for guide, ids in zip(self.guides, chosen, strict=True):
            best, left = await guide.async_search(replace(query, channels=ids))
            showings += best
            more += left
        if not query.words:
            showings.sort(key=lambda showing: max(showing.start, query.start))
        return showings[: query.most], more + max(0, len(showings) - query.most)

    async def async_forget(self, user_id: str) -> None:
        """Delete the contacts of a removed user. Raises ExternalError."""
        if self.books is not None:
            await self.books.async_forget(user_id)

    async def async_close(self) -> None:
        """Close connections and files, and end running refreshes of TV guides."""
        for mailbox in self.mail.values():
            await mailbox.async_close()
        for guide in self.guides:
            await guide.async_close()
