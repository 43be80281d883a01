"""The address books that SAGE keeps: contacts that a person imported or mentioned."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from ..storage.small_store import SmallStore
from ..storage.store_error import StoreError
from ..text.words import fold, nearest, with_most_words
from .contact import Contact
from .external_error import ExternalError

STORAGE_KEY: Final = "sage.contacts"
_STORAGE_VERSION: Final = 1

MOST_CONTACTS: Final = 5_000
"""Maximum number of contacts of one person."""

_LIKENESS: Final = 0.75
"""Minimum `difflib` ratio, 0 to 1, at which a misspelt name matches."""


_BOOKS: Final[HassKey[AddressBooks]] = HassKey(STORAGE_KEY)


@callback
def books_of(hass: HomeAssistant) -> AddressBooks:
    """Return the address books of the household, which outlive a reload of SAGE."""
    return hass.data.setdefault(_BOOKS, AddressBooks(hass))


class AddressBooks:
    """The contacts of all people; the argument `owner` is always a user id."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty; `async_load` reads the stored contacts."""
        self._hass = hass
        self._store = SmallStore(
            hass,
            _STORAGE_VERSION,
            STORAGE_KEY,
            private=True,
            atomic_writes=True,
            serialize_in_event_loop=False,
        )
        self._books: dict[str, dict[str, Mapping[str, Any]]] = {}
        """Owner -> uid -> contact as a JSON object."""

    @property
    def are_used(self) -> bool:
        """Whether at least one person has contacts."""
        return bool(self._books)

    def has_contacts(self, owner: str) -> bool:
        """Return whether a person has contacts."""
        return owner in self._books

    async def async_load(self) -> None:
        """Add the stored contacts, without unreadable ones. Never raises."""
        for owner, stored in (await self._store.async_load()).items():
            book: dict[str, Mapping[str, Any]] = {}
            for data in stored if isinstance(stored, list) else ():
                with suppress(AttributeError, KeyError, TypeError, ValueError):
                    contact = Contact.from_dict(data)
                    if isinstance(contact.uid, str) and isinstance(contact.name, str):
                        book[contact.uid] = contact.as_dict()
            if book:
                self._books.setdefault(owner, book)

    async def async_contacts(self, owner: str) -> tuple[Contact, ...]:
        """Return the contacts of a person, sorted by name."""
        stored = tuple(self._books.get(owner, {}).values())
        return await self._hass.async_add_executor_job(_sorted, stored)

    async def async_find(self, owner: str, name: str, relation: str) -> list[Contact]:
        """Return the contacts of a person that match.

        `relation`: such as "mother". If `name` or `relation` is empty, it matches all contacts. If
        no contact has this name, similar names match. If no contact has this relation, every
        contact with a recorded relation matches: the recorded word may be in another language,
        e.g. "Mama", which the model understands.
        """
        contacts = list(await self.async_contacts(owner))
        if relation:
            contacts = _with_relation(contacts, relation)
        return _with_name(contacts, name) if name else contacts

    async def async_put(self, owner: str, contacts: Sequence[Contact]) -> None:
        """Store contacts, or none if they are too many; replace contacts with the same uid.

        Raises ExternalError.
        """
        book = self._books.get(owner, {}) | {each.uid: each.as_dict() for each in contacts}
        if len(book) > MOST_CONTACTS:
            raise ExternalError(
                f"An address book holds at most {MOST_CONTACTS} contacts. Delete some first."
            )
        await self._async_save(owner, book)

    async def async_remove(self, owner: str, uids: Sequence[str]) -> None:
        """Delete the person's contacts with these uids. Raises ExternalError."""
        book = self._books.get(owner, {})
        await self._async_save(owner, {uid: book[uid] for uid in book if uid not in uids})

    async def async_forget(self, owner: str) -> None:
        """Delete all contacts of a person. Raises ExternalError."""
        if self.has_contacts(owner):
            await self._async_save(owner, {})

    async def _async_save(self, owner: str, book: dict[str, Mapping[str, Any]]) -> None:
        books = {name: each for name, each in self._books.items() if name != owner}
        if book:
            books[owner] = book
        try:
            await self._store.async_save_now(
                {name: [*each.values()] for name, each in books.items()}
            )
        except StoreError as err:
            raise ExternalError(str(err)) from err
        self._books = books


def _sorted(stored: Sequence[Mapping[str, Any]]) -> tuple[Contact, ...]:
    contacts = map(Contact.from_dict, stored)
    return tuple(sorted(contacts, key=lambda contact: (contact.name.casefold(), contact.uid)))


def _with_name(contacts: Sequence[Contact], name: str) -> list[Contact]:
    """Return the contacts with the most words of `name`, or up to three with similar names."""
    if found := with_most_words(name, contacts, lambda contact: " ".join(_names(contact))):
        return found
    by_name = {
        text: contact
        for contact in contacts
        for whole in _names(contact)
        for text in (whole, *whole.split())
    }
    near = nearest(name, by_name, 3, _LIKENESS)
    return list({id(by_name[each]): by_name[each] for each in near}.values())


def _names(contact: Contact) -> tuple[str, ...]:
    return (contact.name, *contact.nicknames, contact.organization)


def _with_relation(contacts: Sequence[Contact], relation: str) -> list[Contact]:
    """Return the contacts with a relation to the owner, or all that have any relation."""
    wanted = fold(relation)
    return [each for each in contacts if fold(each.relation) == wanted] or [
        each for each in contacts if each.relation
    ]
