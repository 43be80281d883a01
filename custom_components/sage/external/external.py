"""Clients for mail, contacts, calendars, weather and TV guides.

The texts that they return, such as mail, are untrusted: tools must mark them in the prompt. Methods
for tools raise `ExternalError`.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from homeassistant.core import HomeAssistant

from ..people import Person
from .address_book import AddressBooks
from .calendars import Agenda, Calendar, async_agenda
from .guide_file import GuideQuery, Shown
from .mailbox import Mailbox
from .place_weather import PlaceWeather
from .tv_guide import TvGuide, async_search_guides


async def _async_no_calendars(_: Person) -> tuple[Calendar, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """The external sources of all people: mail, calendars, contacts, weather and TV guides.

    An unknown speaker (`HOUSEHOLD`) may use only the sources of the whole household.
    """

    mail: Mapping[str, Mailbox] = field(default_factory=dict)
    """User id -> mailbox of that person."""

    place_weather: PlaceWeather | None = None
    """The weather service for places other than the home."""

    guides: tuple[TvGuide, ...] = ()
    """The TV guides of the household."""

    books: AddressBooks | None = None
    """SAGE's address books; None only outside a running home, for example in tests."""

    any_calendar: Callable[[], bool] = bool
    """Returns whether anybody may see a calendar."""

    async_calendars: Callable[[Person], Awaitable[tuple[Calendar, ...]]] = _async_no_calendars
    """Returns the calendars that a person may read now, own calendars first, then by name."""

    def mail_of(self, person: Person) -> Mailbox | None:
        """Return the mailbox of a person; None without a mail account."""
        return self.mail.get(person.user_id or "")

    def has_mail_or_contacts(self, person: Person) -> bool:
        """Return whether a person has mail or contacts."""
        books = () if self.books is None else self.books.books
        return person.user_id in self.mail or person.user_id in books

    async def async_agenda(
        self, hass: HomeAssistant, person: Person, first: date | datetime, last: date | datetime
    ) -> Agenda:
        """Return the events that a person may read from `first` to `last` (`calendars.py`)."""
        return await async_agenda(hass, await self.async_calendars(person), first, last)

    async def async_search_guides(self, query: GuideQuery) -> Shown | None:
        """Search the TV guides; None if none of them has the channel. Raises ExternalError."""
        return await async_search_guides(self.guides, query)

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
