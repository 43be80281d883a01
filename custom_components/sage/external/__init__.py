"""Clients for mail, contacts, calendars, weather and TV guides.

The texts that they return, such as mail, are untrusted: tools must mark them in the prompt. Methods
for tools raise `external_error.ExternalError`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..people.person import Person
from .address_book import AddressBooks
from .calendars import Calendars
from .mail.mailbox import Mailbox
from .place_weather import PlaceWeather
from .tv_guide.tv_guide import TvGuide


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

    calendars: Calendars | None = None
    """The calendars of all people; None only outside a running home, for example in tests."""

    books: AddressBooks | None = None
    """SAGE's address books; None only outside a running home, for example in tests."""

    def mail_of(self, person: Person) -> Mailbox | None:
        """Return the mailbox of a person; None without a mail account."""
        return self.mail.get(person.user_id or "")

    def calendars_of(self, person: Person) -> Calendars | None:
        """Return the calendars; None if the person may see none of them."""
        return self.calendars if self.calendars and self.calendars.are_used_by(person) else None

    def has_mail_or_calendar(self, person: Person) -> bool:
        """Return whether the person has mail, calendars or contacts."""
        has_contacts = self.books is not None and self.books.has_contacts(person.user_id or "")
        has_source = self.mail_of(person) or self.calendars_of(person)
        return has_source is not None or has_contacts

    @property
    def home_has_mail_or_calendar(self) -> bool:
        """Whether at least one person has mail, calendars or contacts.

        If so, all people get the tool `email_and_calendar`: with the same tools, their prompts
        share the prompt cache.
        """
        has_calendars = self.calendars is not None and self.calendars.are_used
        has_contacts = self.books is not None and self.books.are_used
        return bool(self.mail) or has_calendars or has_contacts

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
