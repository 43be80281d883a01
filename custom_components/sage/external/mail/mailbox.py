"""The mailbox of one person: all mail accounts, short message ids such as `m1`, and sending."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from ..external_error import ExternalError, SignInRefusedError
from .mail_account import MailAccount
from .mail_folders import Folder, Mail, MailFolders, MailPlace, MailQuery
from .message import Letter, MailBody
from .smtp import async_send_letter

_MOST_IDS: Final = 2_000
"""Maximum number of messages that have a short id; the oldest ids become invalid."""


class Mailbox:
    """The mail accounts of one person. All methods may raise ExternalError."""

    def __init__(
        self,
        accounts: Sequence[MailAccount],
        context: Callable[[], ssl.SSLContext | None],
        report: Callable[[MailAccount, bool], None],
    ) -> None:
        """Store the accounts (at least one); no connection is opened.

        `context` returns the TLS context. `report` is called with an account, and with True if its
        server rejected the password.
        """
        self._accounts = {each.address: each for each in accounts}
        self._folders = {each.address: MailFolders(each, context) for each in accounts}
        self._context = context
        self._report = report
        self._places: dict[str, MailPlace] = {}
        self._ids: dict[MailPlace, str] = {}
        self._number = 0

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the accounts; the first one sends by default."""
        return tuple(self._accounts)

    async def async_search(
        self, query: MailQuery, most: int
    ) -> tuple[tuple[Mail, ...], int, tuple[str, ...]]:
        """Return the newest matching messages of all accounts, and the number of all that match.

        The third result are sentences for the model about accounts that could not be searched.
        """

        async def search(address: str) -> tuple[tuple[Mail, ...], int]:
            async with self._watched(address):
                return await self._folders[address].async_search(query, most)

        results = await asyncio.gather(*map(search, self._accounts), return_exceptions=True)
        failed = [each for each in results if isinstance(each, BaseException)]
        for each in failed:
            if not isinstance(each, ExternalError) or len(failed) == len(results):
                raise each
        found = [each for each in results if not isinstance(each, BaseException)]
        mails = [mail for each, _ in found for mail in each]
        if len(found) > 1:
            mails.sort(key=lambda each: each.head.at.timestamp() if each.head.at else 0.0)
            mails.reverse()
        total = sum(total for _, total in found)
        return tuple(map(self._listed, mails[:most])), total, tuple(map(str, failed))

    async def async_count_unread(self) -> int:
        """Return the number of unread messages in all inboxes."""

        async def count(address: str) -> int:
            async with self._watched(address):
                return await self._folders[address].async_count_unread()

        return sum(await asyncio.gather(*map(count, self._accounts)))

    async def async_read(self, mail_id: str) -> tuple[Mail, MailBody]:
        """Return a message with its text; `mail_id` is a short id such as `m1`."""
        place = self._place(mail_id)
        async with self._watched(place.address):
            mail, body = await self._folders[place.address].async_read(place)
        return self._listed(mail), body

    async def async_thread(self, mail_id: str) -> tuple[Mail, ...]:
        """Return the thread of the message `mail_id`, the oldest message first.

        Searches inbox and sent folder; returns at most the newest 30 messages.
        """
        place = self._place(mail_id)
        async with self._watched(place.address):
            found = await self._folders[place.address].async_thread(place)
        return tuple(map(self._listed, found))

    async def async_save_draft(self, letter: Letter) -> None:
        """Store a message in the drafts folder of its sender's account."""
        async with self._watched(letter.sender):
            await self._folders[letter.sender].async_append(Folder.DRAFTS, letter.as_bytes())

    async def async_send(self, letter: Letter) -> bool:
        """Send a message once; return False if the server's answer was lost.

        Raises ExternalError if the message was certainly not sent.
        """
        account = self._accounts[letter.sender]
        async with self._watched(letter.sender):
            is_sent = await async_send_letter(account, self._context(), letter)
        if is_sent and not account.keeps_sent:
            await self._async_keep(letter)
        return is_sent

    async def async_close(self) -> None:
        """Close all connections."""
        for each in self._folders.values():
            await each.async_close()

    async def _async_keep(self, letter: Letter) -> None:
        """Store a sent message in the sent folder, unless the folder contains it."""
        folders = self._folders[letter.sender]
        try:
            if not await folders.async_has_sent(letter.message_id):
                await folders.async_append(Folder.SENT, letter.as_bytes())
        except ExternalError:
            # The message is sent. Some accounts have no sent folder.
            return

    @asynccontextmanager
    async def _watched(self, address: str) -> AsyncGenerator[None]:
        """Report, after the `async with` block, whether the server rejected the password."""
        try:
            yield
        except SignInRefusedError:
            self._report(self._accounts[address], True)
            raise
        self._report(self._accounts[address], False)

    def _listed(self, mail: Mail) -> Mail:
        if (found := self._ids.get(mail.place)) is None:
            self._number += 1
            found = f"m{self._number}"
            self._ids[mail.place], self._places[found] = found, mail.place
            if len(self._places) > _MOST_IDS:
                oldest = next(iter(self._places))
                del self._ids[self._places.pop(oldest)]
        return replace(mail, id=found)

    def _place(self, mail_id: str) -> MailPlace:
        if (place := self._places.get(mail_id.strip())) is None:
            raise ExternalError(
                f"There is no message “{mail_id}”. Search first: ids are such as m1."
            )
        return place
