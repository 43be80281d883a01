"""The contacts of a person: CardDAV accounts and an address book that SAGE keeps."""

import json
from collections.abc import Callable, Sequence
from typing import Final

from ..storage.async_file import AsyncFile
from ..storage.database import SETTINGS_TABLE, FileKind, StoreFile
from ..text.words import fold, nearest, with_most_words
from .carddav import CardDavAccount, CardDavError
from .contact import Contact
from .external_error import ExternalError, FileFailedError

MOST_CONTACTS: Final = 5_000
"""Maximum number of contacts of one person in the address book."""

_LIKENESS: Final = 0.75
"""Minimum `difflib` ratio, 0 to 1, at which a misspelt name matches."""

_FIRST: Final = """
CREATE TABLE contacts (
    owner TEXT NOT NULL,
    uid TEXT NOT NULL,
    contact TEXT NOT NULL,
    PRIMARY KEY (owner, uid)
) STRICT;
"""

_FILE: Final = FileKind(
    subject="file of the address books",
    error=FileFailedError,
    steps=(_FIRST + SETTINGS_TABLE,),
    counted="contacts",
)


class AddressBookFile(StoreFile):
    """The open file of all address books; not thread-safe.

    The argument `owner` is always a user id.
    """

    kind = _FILE

    def owners(self) -> frozenset[str]:
        """Return the user ids of the people who have contacts."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT DISTINCT owner FROM contacts")
            return frozenset(str(row[0]) for row in rows)

    def contacts(self, owner: str) -> tuple[Contact, ...]:
        """Return the contacts of a person, sorted by name."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT contact FROM contacts WHERE owner = ?", (owner,))
            found = [Contact.from_dict(json.loads(row[0])) for row in rows]
        return tuple(sorted(found, key=lambda each: (each.name.casefold(), each.uid)))

    def put(self, owner: str, contacts: Sequence[Contact]) -> None:
        """Store contacts; replace contacts with the same uid. Raises ExternalError."""
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO contacts VALUES (?, ?, ?)",
                [(owner, each.uid, json.dumps(each.as_dict())) for each in contacts],
            )
            (count,) = connection.execute(
                "SELECT count(*) FROM contacts WHERE owner = ?", (owner,)
            ).fetchone()
            if count > MOST_CONTACTS:
                raise ExternalError(
                    f"An address book holds at most {MOST_CONTACTS} contacts. Delete some first."
                )

    def remove(self, owner: str, uids: Sequence[str]) -> None:
        """Delete the person's contacts with these uids, and erase their bytes from the file."""
        with self._database.writing() as connection:
            connection.executemany(
                "DELETE FROM contacts WHERE owner = ? AND uid = ?", [(owner, uid) for uid in uids]
            )
            self._database.owe_scrub()
        self._database.scrub()

    def forget(self, owner: str) -> None:
        """Delete all contacts of a person, and erase their bytes from the file."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM contacts WHERE owner = ?", (owner,))
            self._database.owe_scrub()
        self._database.scrub()


class AddressBooks(AsyncFile[AddressBookFile]):
    """Asynchronous access to the file of all address books.

    A damaged file is renamed, and all readable rows are copied to a new file.
    """

    _owners: frozenset[str] = frozenset()

    def has_contacts(self, owner: str) -> bool:
        """Return whether a person has contacts in the file; False before `async_load`."""
        return owner in self._owners

    @property
    def are_used(self) -> bool:
        """Whether at least one person has contacts in the file; False before `async_load`."""
        return bool(self._owners)

    async def async_load(self) -> None:
        """Read the ids of the people who have contacts. Raises ExternalError."""
        self._owners = await self.async_run(AddressBookFile.owners)

    async def async_put(self, owner: str, contacts: Sequence[Contact]) -> None:
        """Store contacts, or none if they are too many; replace contacts with the same uid.

        Raises ExternalError.
        """
        await self.async_run(AddressBookFile.put, owner, contacts)
        await self.async_load()

    async def async_remove(self, owner: str, uids: Sequence[str]) -> None:
        """Delete contacts permanently. Raises ExternalError."""
        await self.async_run(AddressBookFile.remove, owner, uids)
        await self.async_load()

    async def async_forget(self, owner: str) -> None:
        """Delete all contacts of a person permanently. Raises ExternalError."""
        if self.has_contacts(owner):
            await self.async_run(AddressBookFile.forget, owner)
            await self.async_load()


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

    async def async_find(self, name: str, relation: str) -> tuple[list[Contact], list[str]]:
        """Return the contacts that match, and sentences about accounts that could not be read.

        `relation`: such as "mother". If `name` or `relation` is empty, it matches all contacts. If
        no contact has this name, similar names match. If no contact has this relation, every
        contact with a recorded relation matches: the recorded word may be in another language,
        e.g. "Mama", which the model understands. Raises ExternalError.
        """
        found, failed = await self.async_all()
        if relation:
            found = _with_relation(found, relation)
        if name:
            found = _with_name(found, name)
        return found, failed

    async def async_all(self) -> tuple[list[Contact], list[str]]:
        """Return the contacts of all sources, sorted by name, and sentences about failures.

        Raises ExternalError.
        """
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
        return sorted(found, key=lambda contact: contact.name.casefold()), failed

    async def async_own_contacts(self) -> tuple[Contact, ...]:
        """Return the contacts in SAGE's own address book. Raises ExternalError."""
        return await self._books.async_run(AddressBookFile.contacts, self._owner)

    async def async_keep(self, contacts: Sequence[Contact]) -> None:
        """Store contacts in SAGE's own address book; replace contacts with the same uid.

        Raises ExternalError.
        """
        await self._books.async_put(self._owner, contacts)

    async def async_remove(self, uids: Sequence[str]) -> None:
        """Delete contacts from SAGE's own address book. Raises ExternalError."""
        await self._books.async_remove(self._owner, uids)


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
    """Return the contacts with a relation to the owner, or all that have any relation.

    A contact also matches if a card names it with the relation, or if its own card names somebody:
    the owner's card may name relatives who have no card.
    """

    def matching(accepts: Callable[[str], bool]) -> list[Contact]:
        named = {
            fold(each.name)
            for contact in contacts
            for each in contact.related
            if accepts(each.relation)
        }
        return [
            contact
            for contact in contacts
            if accepts(contact.relation)
            or fold(contact.name) in named
            or any(accepts(each.relation) for each in contact.related)
        ]

    return matching(lambda word: fold(word) == fold(relation)) or matching(bool)
