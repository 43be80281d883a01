"""The contacts of one person, from all their sources, and finding one by name or relation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.util.ulid import ulid_now

from ...people.person import Person
from ...text.words import content_words, fold, nearest, related, words
from .address_book import AddressBookFile, AddressBooks
from .carddav import CardDavAccount, CardDavError
from .contact import Contact

_LIKENESS: Final = 0.75
"""Minimum ratio of `difflib` for a name that may be misspelt."""

_WIDER: Final[Mapping[str, str]] = {
    "mother": "parent",
    "father": "parent",
    "daughter": "child",
    "son": "child",
    "sister": "sibling",
    "brother": "sibling",
    "wife": "spouse",
    "husband": "spouse",
    "partner": "spouse",
}
"""Relation -> the relation of RFC 6350 (section 6.6.6) that contains it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundContacts:
    """The result of a search."""

    contacts: Sequence[Contact]
    failed: Sequence[str] = ()
    """Sentences about accounts that cannot be read now."""


class PersonContacts:
    """The contacts of one person; nobody else has this object."""

    def __init__(
        self, books: AddressBooks, owner: str, accounts: Sequence[CardDavAccount] = ()
    ) -> None:
        """`owner`: user id."""
        self._books = books
        self._owner = owner
        self._accounts = accounts

    @property
    def is_used(self) -> bool:
        """Whether there is an account or a contact."""
        return bool(self._accounts) or self._books.has_contacts(self._owner)

    async def async_find(self, name: str, relation: str) -> FoundContacts:
        """Return the contacts with this name, or this relation; all without both.

        Raises AddressBookError.
        """
        known = await self.async_all()
        found = list(known.contacts)
        if relation:
            found = _with_relation(found, relation)
        if name:
            found = _with_name(found, name)
        return FoundContacts(contacts=found, failed=known.failed)

    async def async_all(self) -> FoundContacts:
        """Return the contacts of all sources, by name. Raises AddressBookError."""
        found = list(await self.async_kept())
        failed: list[str] = []
        for number, account in enumerate(self._accounts, 1):
            try:
                found += await account.async_contacts()
            except CardDavError as err:
                found += account.known
                failed.append(
                    f"CardDAV account {number} cannot be read now ({err.failure}); its contacts "
                    + ("are from an earlier time." if account.known else "are missing; say so.")
                )
        ordered = sorted(found, key=lambda each: each.name.casefold())
        return FoundContacts(contacts=ordered, failed=failed)

    async def async_kept(self) -> tuple[Contact, ...]:
        """Return the contacts that SAGE keeps. Raises AddressBookError."""
        return await self._books.async_run(AddressBookFile.contacts, self._owner)

    async def async_keep(self, contacts: Sequence[Contact]) -> None:
        """Store contacts; those with a known uid are replaced. Raises AddressBookError."""
        await self._books.async_put(self._owner, contacts)

    async def async_remove(self, uids: Sequence[str]) -> None:
        """Delete contacts that SAGE keeps. Raises AddressBookError."""
        await self._books.async_remove(self._owner, uids)


class Contacts:
    """The contacts of all people."""

    def __init__(
        self, books: AddressBooks, accounts: Mapping[str, Sequence[CardDavAccount]]
    ) -> None:
        """`accounts`: those of each person, by user id."""
        self.books = books
        self._accounts = accounts

    @property
    def are_used(self) -> bool:
        """Whether anyone has an account or a contact."""
        return any(self._accounts.values()) or self.books.are_used

    def of(self, person: Person) -> PersonContacts | None:
        """Return the contacts of a person; None for the household."""
        if person.user_id is None:
            return None
        return PersonContacts(self.books, person.user_id, self._accounts.get(person.user_id, ()))


def new_uid() -> str:
    """Return the uid of a new contact."""
    return f"sage-{ulid_now()}"


def _with_name(contacts: Sequence[Contact], name: str) -> list[Contact]:
    """Return those with all words of the name; otherwise with most; otherwise similar ones."""
    sought = [related(each) for each in content_words(name) or words(name)]
    counts: list[tuple[int, Contact]] = []
    for contact in contacts:
        said = {word for text in _names(contact) for word in words(text)}
        counts.append((sum(not each.isdisjoint(said) for each in sought), contact))
    most = max((count for count, _ in counts), default=0)
    if most:
        return [contact for count, contact in counts if count == most]
    by_name = {text: contact for contact in contacts for text in _spellings(contact)}
    near = nearest(name, by_name, 3, _LIKENESS)
    return list({id(by_name[each]): by_name[each] for each in near}.values())


def _names(contact: Contact) -> Iterable[str]:
    return (contact.name, *contact.nicknames, contact.organization)


def _spellings(contact: Contact) -> Iterable[str]:
    for text in _names(contact):
        yield text
        yield from text.split()


def _with_relation(contacts: Sequence[Contact], relation: str) -> list[Contact]:
    """Return those with the relation; otherwise all whose relation is known.

    Labels such as "Mama" are in the language of the owner: the model chooses among them.
    """
    wanted = fold(relation)
    for accepted in ({wanted}, {wanted, _WIDER.get(wanted, wanted)}):
        named = {
            fold(each.name)
            for contact in contacts
            for each in contact.related
            if fold(each.relation) in accepted
        }
        exact = [
            each for each in contacts if fold(each.relation) in accepted or fold(each.name) in named
        ]
        # The card of the owner names relatives who may have no card of their own.
        bearers = [
            each
            for each in contacts
            if any(fold(other.relation) in accepted for other in each.related)
        ]
        if exact or bearers:
            return list({id(each): each for each in (*exact, *bearers)}.values())
    return [each for each in contacts if each.relation or each.related]
