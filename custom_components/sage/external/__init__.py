"""Clients for mail, contacts, calendars, weather and TV guides.

The texts that they return, such as mail, are untrusted: tools must mark them in the prompt. Methods
for tools raise `external_error.ExternalError`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..people.person import Person
from .address_book import AddressBooks, PersonContacts
from .calendars import Calendars, PersonCalendars
from .carddav import CardDavAccount
from .mail.mailbox import Mailbox
from .mail.outbox import Outbox, OutboxFile
from .place_weather import PlaceWeather
from .tv_guide.tv_guide import TvGuide


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonExternal:
    """The external sources that one person may use; None for each source that is not set up."""

    mail: Mailbox | None = None
    calendars: PersonCalendars | None = None
    contacts: PersonContacts | None = None
    """The person's contacts; None for an unknown speaker (`HOUSEHOLD`)."""
    place_weather: PlaceWeather | None = None
    """The weather service for places other than the home."""

    guides: tuple[TvGuide, ...] = ()
    """The TV guides of the household."""

    home_has_mail: bool = False
    """Whether any person in the home has a mail account."""

    # All people get the same tools, so that their prompts share the prompt cache.
    home_has_mail_or_calendar: bool = False
    """Whether any person in the home has mail, calendars or contacts.

    If so, all people get the tool `email_and_calendar`.
    """

    @property
    def has_mail_or_calendar(self) -> bool:
        """Whether the person has mail, calendars or contacts."""
        has_contacts = self.contacts is not None and self.contacts.is_used
        return self.mail is not None or self.calendars is not None or has_contacts


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """The external sources of all people: mail, calendars, contacts, weather and TV guides."""

    mail: Mapping[str, Mailbox] = field(default_factory=dict)
    """User id -> mailbox of that person."""

    outbox: Outbox | None = None
    """The journal of sent mail; None only outside a running home, for example in tests."""
    place_weather: PlaceWeather | None = None
    guides: tuple[TvGuide, ...] = ()

    calendars: Calendars | None = None
    """The calendars of all people; None only outside a running home, for example in tests."""

    books: AddressBooks | None = None
    """SAGE's address books; None only outside a running home, for example in tests."""

    contact_accounts: Mapping[str, Sequence[CardDavAccount]] = field(default_factory=dict)
    """User id -> CardDAV accounts of that person."""

    def of(self, person: Person) -> PersonExternal:
        """Return the sources that a person may use.

        An unknown speaker (`HOUSEHOLD`) may use only the sources of the whole household.
        """
        own = person.user_id or ""
        return PersonExternal(
            mail=self.mail.get(own),
            calendars=None if self.calendars is None else self.calendars.of(person),
            contacts=self._contacts(person),
            place_weather=self.place_weather,
            guides=self.guides,
            home_has_mail=bool(self.mail),
            home_has_mail_or_calendar=self.has_mail_or_calendar,
        )

    def _contacts(self, person: Person) -> PersonContacts | None:
        if self.books is None or person.user_id is None:
            return None
        accounts = self.contact_accounts.get(person.user_id, ())
        return PersonContacts(self.books, person.user_id, accounts)

    @property
    def has_mail_or_calendar(self) -> bool:
        """Whether at least one person has mail, calendars or contacts."""
        has_calendars = self.calendars is not None and self.calendars.are_used
        has_contacts = self.books is not None and self.books.are_used
        return bool(self.mail or self.contact_accounts) or has_calendars or has_contacts

    async def async_forget(self, user_id: str) -> None:
        """Delete the contacts and the records of sent mail of a removed user.

        Raises ExternalError.
        """
        if self.outbox is not None:
            await self.outbox.async_run(OutboxFile.forget, user_id)
        if self.books is not None:
            await self.books.async_forget(user_id)

    async def async_close(self) -> None:
        """Close connections and files, and end running refreshes of TV guides."""
        for mailbox in self.mail.values():
            await mailbox.async_close()
        if self.books is not None:
            await self.books.async_close()
        if self.outbox is not None:
            await self.outbox.async_close()
        for guide in self.guides:
            await guide.async_close()
