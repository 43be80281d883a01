"""The contacts of a person from all sources, and the search by name or relation ("mother")."""

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
"""Minimum `difflib` ratio, 0 to 1, at which a misspelt name matches."""

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
"""Relation -> the more general relation of RFC 6350 (section 6.6.6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundContacts:
    """The contacts that a search found, with messages about failed accounts."""

    contacts: Sequence[Contact]
    failed: Sequence[str] = ()
    """Sentences for the model about accounts that could not be read."""


class PersonContacts:
    """The contacts of one person: CardDAV accounts and SAGE's own address book."""

    def __init__(
        self, books: AddressBooks, owner: str, accounts: Sequence[CardDavAccount] = ()
    ) -> None:
        """Store the sources of the contacts; `owner` is a user id."""
        self._books = books
        self._owner = owner
        self._accounts = accounts

    @property
    def is_used(self) -> bool:
        """Whether the person has a CardDAV account or a contact."""
        return bool(self._accounts) or self._books.has_contacts(self._owner)

    async def async_find(self, name: str, relation: str) -> FoundContacts:
        """Return the contacts that match `name` and `relation` (such as "mother").

        - If `name` or `relation` is empty, it matches all contacts.
        - If no contact has this name, similar names match.
        - If no contact has this relation, every contact with a recorded relation matches, because
          the recorded word may be in another language, e.g. "Mama".

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
        """Return the contacts of all sources, sorted by name. Raises AddressBookError."""
        found = list(await self.async_own_contacts())
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

    async def async_own_contacts(self) -> tuple[Contact, ...]:
        """Return the contacts in SAGE's own address book. Raises AddressBookError."""
        return await self._books.async_run(AddressBookFile.contacts, self._owner)

    async def async_keep(self, contacts: Sequence[Contact]) -> None:
        """Store contacts in SAGE's own address book; replace contacts with the same uid.

        Raises AddressBookError.
        """
        await self._books.async_put(self._owner, contacts)

    async def async_remove(self, uids: Sequence[str]) -> None:
        """Delete contacts from SAGE's own address book. Raises AddressBookError."""
        await self._books.async_remove(self._owner, uids)


class Contacts:
    """The contacts of all people."""

    def __init__(
        self, books: AddressBooks, accounts: Mapping[str, Sequence[CardDavAccount]]
    ) -> None:
        """Store the sources; `accounts` maps a user id to the person's CardDAV accounts."""
        self.books = books
        self._accounts = accounts

    @property
    def are_used(self) -> bool:
        """Whether at least one person has a CardDAV account or a contact."""
        return any(self._accounts.values()) or self.books.are_used

    def of(self, person: Person) -> PersonContacts | None:
        """Return the contacts of a person; None for an unknown speaker (`HOUSEHOLD`)."""
        if person.user_id is None:
            return None
        return PersonContacts(self.books, person.user_id, self._accounts.get(person.user_id, ()))


def new_uid() -> str:
    """Return a unique id for a new contact."""
    return f"sage-{ulid_now()}"


def _with_name(contacts: Sequence[Contact], name: str) -> list[Contact]:
    """Return the contacts whose names contain the most words of `name`.

    If no contact contains any of the words, return up to three contacts with similar names.
    """
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
    """Return the contacts that match a relation, such as "mother".

    These contacts match "mother": a contact that is the mother of the address book's owner; a
    contact whose card lists a mother; and a contact whom another card lists as mother.

    If no contact matches, return every contact with a recorded relation, so that the model can
    choose: a label such as "Mama" is in the language of the owner and does not equal "mother".
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
        # The owner's card may name relatives who have no card.
        bearers = [
            each
            for each in contacts
            if any(fold(other.relation) in accepted for other in each.related)
        ]
        if exact or bearers:
            return list({id(each): each for each in (*exact, *bearers)}.values())
    return [each for each in contacts if each.relation or each.related]
