"""SAGE's own address books, one for each person, in one SQLite file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ...storage.async_file import AsyncFile, Executor, OnReplaced
from ...storage.database import SETTINGS_TABLE, FileKind, StoreFile
from ...storage.store_error import StoreError
from ..external_error import ExternalError
from .contact import Contact

MOST_CONTACTS: Final = 5_000
"""Maximum number of contacts of one person."""

_FIRST: Final = """
CREATE TABLE contacts (
    owner TEXT NOT NULL,
    uid TEXT NOT NULL,
    contact TEXT NOT NULL,
    PRIMARY KEY (owner, uid)
) STRICT;
"""


class AddressBookError(StoreError, ExternalError):
    """The file of the address books cannot be read or written."""


class FullAddressBookError(AddressBookError):
    """Contacts were not stored, because the person would have more than `MOST_CONTACTS`."""


_FILE: Final = FileKind(
    subject="file of the address books",
    error=AddressBookError,
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
        """Store contacts; replace contacts with the same uid. Raises FullAddressBookError."""
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO contacts VALUES (?, ?, ?)",
                [(owner, each.uid, json.dumps(each.as_dict())) for each in contacts],
            )
            (count,) = connection.execute(
                "SELECT count(*) FROM contacts WHERE owner = ?", (owner,)
            ).fetchone()
            if count > MOST_CONTACTS:
                raise FullAddressBookError(
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

    def __init__(
        self,
        executor: Executor,
        path: Path,
        *,
        held: bool = False,
        on_replaced: OnReplaced,
    ) -> None:
        """Store the path; the file is opened by the first call.

        `executor`: the Home Assistant object. `held`: True if a backup is copying the file,
        which must not change meanwhile. `on_replaced`: called after a damaged file was renamed.
        """
        super().__init__(executor, path, AddressBookFile, held=held, on_replaced=on_replaced)
        self._owners: frozenset[str] = frozenset()

    def has_contacts(self, owner: str) -> bool:
        """Return whether a person has contacts in the file; False before `async_load`."""
        return owner in self._owners

    @property
    def are_used(self) -> bool:
        """Whether at least one person has contacts in the file; False before `async_load`."""
        return bool(self._owners)

    async def async_load(self) -> None:
        """Read the ids of the people who have contacts. Raises AddressBookError."""
        self._owners = await self.async_run(AddressBookFile.owners)

    async def async_put(self, owner: str, contacts: Sequence[Contact]) -> None:
        """Store contacts; replace contacts with the same uid.

        Raises AddressBookError; its subclass FullAddressBookError means that nothing was stored.
        """
        await self.async_run(AddressBookFile.put, owner, contacts)
        await self.async_load()

    async def async_remove(self, owner: str, uids: Sequence[str]) -> None:
        """Delete contacts permanently. Raises AddressBookError."""
        await self.async_run(AddressBookFile.remove, owner, uids)
        await self.async_load()

    async def async_forget(self, owner: str) -> None:
        """Delete all contacts of a person permanently. Raises AddressBookError."""
        if self.has_contacts(owner):
            await self.async_run(AddressBookFile.forget, owner)
            await self.async_load()
