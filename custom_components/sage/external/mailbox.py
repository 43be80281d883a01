"""The mailbox of one person: all mail accounts, short message ids such as `m1`, and sending."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Final

from homeassistant.util import dt as dt_util

from ..const import CONF_IMAP, CONF_SMTP
from .bounded import ExternalError
from .imap import ImapAccount, quoted
from .mail_account import MailAccount, SignInRefusedError
from .message import MailBody, MailHead, body_of, head_of
from .outgoing_mail import Letter, async_send_letter, async_test_sign_in

_MOST_IDS: Final = 2_000  # maximum number of messages with a short id; the oldest become invalid
_MOST_BYTES: Final = 256 * 1024  # maximum number of bytes fetched from one message
_LONGEST_HEAD: Final = 16 * 1024  # maximum bytes fetched from one header in a list of messages
_MOST_LINKED: Final = 20
_MOST_IN_THREAD: Final = 30
_MOST_NAMED: Final = 5  # maximum number of recipients in the text of a message
_HEADERS: Final = "FROM TO CC REPLY-TO SUBJECT DATE MESSAGE-ID REFERENCES IN-REPLY-TO"
_HEAD: Final = f"BODY.PEEK[HEADER.FIELDS ({_HEADERS})]<0.{_LONGEST_HEAD}>"
_WHOLE: Final = f"BODY.PEEK[]<0.{_MOST_BYTES}>"
_UNDATED: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


class Folder(StrEnum):
    """A mail folder; SENT and DRAFTS are found by their flag (RFC 6154), not by name."""

    INBOX = "inbox"
    SENT = "sent"
    DRAFTS = "drafts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A received message; its text is in a `MailBody`."""

    place: tuple[str, Folder, int]
    """The address of the account, the folder, and the uid of the message in it."""

    head: MailHead
    is_unread: bool
    id: str = ""  # a short id such as `m1`, which a `Mailbox` gives

    @property
    def line(self) -> str:
        """The id, the time, the sender and the subject for the model; untrusted."""
        state = "unread" if self.is_unread else "read"
        return f"{self.id} | {self._time} | {state} | from {self.head.sender} | {self.head.subject}"

    def text(self, body: MailBody) -> str:
        """Return the header and the text for the model; untrusted."""
        return "\n".join(self._lines(body))

    def _lines(self, body: MailBody) -> Iterator[str]:
        yield f"Id: {self.id}"
        yield f"Date: {self._time}"
        yield f"From: {self.head.sender}"
        for name, addresses in (("To", self.head.to), ("Cc", self.head.cc)):
            if addresses:
                yield f"{name}: {', '.join(map(str, addresses[:_MOST_NAMED]))}"
        yield f"Subject: {self.head.subject}"
        if body.attachments:
            yield f"Attachments: {', '.join(body.attachments)}"
        yield ""
        yield body.text or "(no text)"

    @property
    def _time(self) -> str:
        at = self.head.at
        return f"{dt_util.as_local(at):%a %Y-%m-%d %H:%M}" if at else "no date"


class Mailbox:
    """One person's mail accounts. Methods raise ExternalError; none marks a mail as read."""

    def __init__(
        self,
        accounts: Sequence[MailAccount],
        context: Callable[[], ssl.SSLContext | None],
        report: Callable[[MailAccount, bool], None] = lambda *_: None,
    ) -> None:
        """Store the accounts (at least one); no connection is opened.

        `context` returns the TLS context. `report` is called with an account, and with True if its
        server rejected the password.
        """
        self._accounts = {account.address: ImapAccount(account, context) for account in accounts}
        self.addresses: Final = tuple(self._accounts)
        """The addresses of the accounts; the first one sends by default."""

        self._context = context
        self._report = report
        self._places: dict[str, tuple[str, Folder, int]] = {}
        self._ids: dict[tuple[str, Folder, int], str] = {}
        self._number = 0

    async def async_sign_in_error(self) -> str:
        """Sign in to all servers and keep the connections; return the error's key or ""."""
        try:
            for address in self._accounts:
                Letter.written(sender=address, to=[address], subject="", text="")
        except ExternalError:
            return "mail_address"
        try:
            for address, account in self._accounts.items():
                server = CONF_IMAP
                await self._async_do(address, lambda _: None)
                server = CONF_SMTP
                await async_test_sign_in(account.settings, self._context())
        except SignInRefusedError:
            return f"mail_refused_{server}"
        except ExternalError:
            return f"mail_unreachable_{server}"
        return ""

    async def async_search(
        self,
        most: int,
        *,
        words: Iterable[str] = (),
        sender: str = "",
        since: date | None = None,
        before: date | None = None,
        unread: bool = False,
        folder: Folder = Folder.INBOX,
    ) -> tuple[tuple[Mail, ...], int, tuple[str, ...]]:
        """Return the newest matching messages of all accounts, and the number of all that match.

        A message must match all criteria that are given. The newest message comes first. The third
        result are sentences for the model about accounts that could not be searched.
        """
        criteria = ["UNDELETED", *(("UNSEEN",) if unread else ())]
        for name, day in (("SINCE", since), ("BEFORE", before)):
            if day is not None:
                # Not with `strftime`, which uses the locale of the system.
                criteria += [name, f"{day.day}-{_MONTHS[day.month - 1]}-{day.year}"]
        texts = [("TEXT", word) for word in words]
        texts += [("FROM", sender)] if sender else []

        def find(account: ImapAccount) -> tuple[list[Mail], int]:
            account.open(folder)
            uids = account.search(criteria, texts)
            return _mails(account, folder, uids[:most]), len(uids)

        searches = (self._async_do(address, find) for address in self._accounts)
        results = await asyncio.gather(*searches, return_exceptions=True)
        failed = [result for result in results if isinstance(result, BaseException)]
        for error in failed:
            if not isinstance(error, ExternalError) or len(failed) == len(results):
                raise error
        lists = [result for result in results if not isinstance(result, BaseException)]
        mails = [mail for listed, _ in lists for mail in listed]
        if len(lists) > 1:
            mails.sort(key=_dated, reverse=True)
        return (
            tuple(map(self._listed, mails[:most])),
            sum(total for _, total in lists),
            tuple(map(str, failed)),
        )

    async def async_read(self, mail_id: str) -> tuple[Mail, MailBody]:
        """Return a message with its text, of its first 256 kB; `mail_id`: such as `m1`."""
        address, folder, uid = self._place(mail_id)

        def read(account: ImapAccount) -> tuple[Mail, MailBody]:
            mail = _mail(account, folder, uid)
            data, is_cut = b"", False
            for _, _, size, data in account.fetch([uid], _WHOLE):
                is_cut = size > len(data)
            return mail, body_of(data, is_cut=is_cut)

        mail, body = await self._async_do(address, read)
        return self._listed(mail), body

    async def async_thread(self, mail_id: str) -> tuple[Mail, ...]:
        """Return the thread of the message `mail_id`, the oldest message first.

        Searches inbox and sent folder; returns at most the newest 30 messages.
        """
        address, folder, uid = self._place(mail_id)

        def read(account: ImapAccount) -> tuple[Mail, ...]:
            first = _mail(account, folder, uid)
            # A reply names the first message of its thread and usually all others before it.
            ids = {first.head.message_id, *first.head.references} - {""}
            linked = [
                mail
                for folder in ((Folder.INBOX, Folder.SENT) if ids else ())
                for mail in _linked(account, folder, ids)
            ]
            dated = sorted((first, *linked), key=_dated)
            once = {mail.head.message_id or str(mail.place): mail for mail in dated}
            return tuple(once.values())[-_MOST_IN_THREAD:]

        return tuple(map(self._listed, await self._async_do(address, read)))

    async def async_save_draft(self, letter: Letter) -> None:
        """Store a message in the drafts folder of its sender's account."""
        await self._async_store(Folder.DRAFTS, letter)

    async def async_send(self, letter: Letter) -> bool:
        """Send a message once; return False if the server's answer was lost.

        Raises ExternalError if the message was certainly not sent.
        """
        account = self._accounts[letter.sender].settings
        async with self._watched(letter.sender):
            is_sent = await async_send_letter(account, self._context(), letter)
        if is_sent and not account.keeps_sent:
            await self._async_keep(letter)
        return is_sent

    async def async_close(self) -> None:
        """Close all connections."""
        for account in self._accounts.values():
            await account.async_close()

    async def _async_keep(self, letter: Letter) -> None:
        """Store a sent message in the sent folder, unless the folder contains it."""

        def has(account: ImapAccount) -> bool:
            account.open(Folder.SENT)
            return bool(account.search(["HEADER", "Message-ID", quoted(letter.message_id)]))

        try:
            if not await self._async_do(letter.sender, has):
                await self._async_store(Folder.SENT, letter)
        except ExternalError:
            # The message is sent. Some accounts have no sent folder.
            return

    async def _async_store(self, folder: Folder, letter: Letter) -> None:
        flags = r"(\Draft \Seen)" if folder is Folder.DRAFTS else r"(\Seen)"
        name = await self._async_do(letter.sender, lambda account: account.name_of(folder))

        def append(account: ImapAccount) -> None:
            account.append(name, flags, letter.as_bytes())

        # Only once: after a broken connection, the server may have stored it.
        await self._async_do(letter.sender, append, attempts=1)

    async def _async_do[T](
        self, address: str, work: Callable[[ImapAccount], T], *, attempts: int = 2
    ) -> T:
        async with self._watched(address):
            return await self._accounts[address].async_do(work, attempts)

    @asynccontextmanager
    async def _watched(self, address: str) -> AsyncGenerator[None]:
        """Report, after the `async with` block, whether the server rejected the password."""
        try:
            yield
        except SignInRefusedError:
            self._report(self._accounts[address].settings, True)
            raise
        self._report(self._accounts[address].settings, False)

    def _listed(self, mail: Mail) -> Mail:
        if (mail_id := self._ids.get(mail.place)) is None:
            self._number += 1
            mail_id = f"m{self._number}"
            self._ids[mail.place], self._places[mail_id] = mail_id, mail.place
            if len(self._places) > _MOST_IDS:
                oldest = next(iter(self._places))
                del self._ids[self._places.pop(oldest)]
        return replace(mail, id=mail_id)

    def _place(self, mail_id: str) -> tuple[str, Folder, int]:
        if (place := self._places.get(mail_id.strip())) is None:
            raise ExternalError(
                f"There is no message “{mail_id}”. Search first: ids are such as m1."
            )
        return place


def _dated(mail: Mail) -> datetime:
    return mail.head.at or _UNDATED


def _mails(account: ImapAccount, folder: Folder, uids: Sequence[int]) -> list[Mail]:
    address = account.settings.address
    mails = {
        uid: Mail(place=(address, folder, uid), head=head_of(head), is_unread=is_unread)
        for uid, is_unread, _, head in (account.fetch(uids, _HEAD) if uids else ())
    }
    return [mails[uid] for uid in uids if uid in mails]


def _mail(account: ImapAccount, folder: Folder, uid: int) -> Mail:
    account.open(folder)
    if not (mails := _mails(account, folder, [uid])):
        raise ExternalError("This message is not there any more. Search again.")
    return mails[0]


def _linked(account: ImapAccount, folder: Folder, ids: Iterable[str]) -> list[Mail]:
    """Return the messages of a folder that have or reference one of these message ids."""
    try:
        account.open(folder)
    except ExternalError:
        return []  # The account has no such folder.
    keys = [
        ("HEADER", name, quoted(message_id))
        for message_id in sorted(ids)[:_MOST_LINKED]
        for name in ("Message-ID", "References", "In-Reply-To")
    ]
    criteria = ["OR"] * (len(keys) - 1) + [word for key in keys for word in key]
    return _mails(account, folder, account.search(criteria)[:_MOST_IN_THREAD])
