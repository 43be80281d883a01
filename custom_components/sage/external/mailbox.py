"""The mailbox of one person: all mail accounts, short message ids such as `m1`, and sending."""

import asyncio
import imaplib
import re
import ssl
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, Final

from .bounded import ExternalError
from .imap import checked, close, fetch, open_connection, search, special_folders
from .mail_account import MailAccount, SignInRefusedError, server_away
from .message import MailBody, MailHead, body_of, head_of
from .outgoing_mail import Letter, async_send_letter, async_test_sign_in

IDLE_SECONDS: Final = 60.0
"""Seconds after which an unused connection is closed."""

_MOST_IDS: Final = 2_000
"""Maximum number of messages that have a short id; the oldest ids become invalid."""

_MOST_BYTES: Final = 256 * 1024
"""Maximum number of bytes fetched from one message."""

_LONGEST_HEAD: Final = 16 * 1024
"""Maximum number of bytes fetched from one header in a list of messages."""

_MOST_LINKED: Final = 20
_MOST_IN_THREAD: Final = 30
_HEADERS: Final = "FROM TO CC REPLY-TO SUBJECT DATE MESSAGE-ID REFERENCES IN-REPLY-TO"
_HEAD: Final = f"BODY.PEEK[HEADER.FIELDS ({_HEADERS})]<0.{_LONGEST_HEAD}>"
_PLAIN: Final = re.compile(r"[\x20-\x7e]*")
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
class MailQuery:
    """The criteria of a search; a message must match all fields that are set."""

    words: tuple[str, ...] = ()
    sender: str = ""
    since: date | None = None
    before: date | None = None
    unread: bool = False
    folder: Folder = Folder.INBOX


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A received message without its text."""

    place: tuple[str, Folder, int]
    """The address of the account, the folder, and the uid of the message in it."""

    head: MailHead
    is_unread: bool
    size: int
    id: str = ""
    """A short id such as `m1`, which a `Mailbox` gives."""


class Mailbox:
    """The mail accounts of one person. All methods may raise ExternalError.

    No method marks a message as read.
    """

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
        self._accounts = {each.address: _Account(each, context) for each in accounts}
        self._context = context
        self._report = report
        self._places: dict[str, tuple[str, Folder, int]] = {}
        self._ids: dict[tuple[str, Folder, int], str] = {}
        self._number = 0

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the accounts; the first one sends by default."""
        return tuple(self._accounts)

    async def async_test_imap(self) -> None:
        """Test each account by signing in to its server for incoming mail."""
        for address in self._accounts:
            await self._async_do(address, lambda _: None)

    async def async_test_smtp(self) -> None:
        """Test each account by signing in to its server for outgoing mail."""
        for account in self._accounts.values():
            await async_test_sign_in(account.settings, self._context())

    async def async_search(
        self, query: MailQuery, most: int
    ) -> tuple[tuple[Mail, ...], int, tuple[str, ...]]:
        """Return the newest matching messages of all accounts, and the number of all that match.

        The newest message comes first. The third result are sentences for the model about accounts
        that could not be searched.
        """

        def find(account: _Account) -> tuple[tuple[Mail, ...], int]:
            imap = account.opened(query.folder)
            uids = _uids(imap, query)
            return account.mails(query.folder, uids[:most]), len(uids)

        searches = (self._async_do(address, find) for address in self._accounts)
        results = await asyncio.gather(*searches, return_exceptions=True)
        failed = [each for each in results if isinstance(each, BaseException)]
        for error in failed:
            if not isinstance(error, ExternalError) or len(failed) == len(results):
                raise error
        lists = [each for each in results if not isinstance(each, BaseException)]
        mails = [mail for listed, _ in lists for mail in listed]
        if len(lists) > 1:
            mails.sort(key=lambda mail: mail.head.at or _UNDATED, reverse=True)
        return (
            tuple(map(self._listed, mails[:most])),
            sum(total for _, total in lists),
            tuple(map(str, failed)),
        )

    async def async_count_unread(self) -> int:
        """Return the number of unread messages in all inboxes."""

        def count(account: _Account) -> int:
            return len(search(account.opened(Folder.INBOX), "UNSEEN"))

        return sum(await asyncio.gather(*(self._async_do(each, count) for each in self._accounts)))

    async def async_read(self, mail_id: str) -> tuple[Mail, MailBody]:
        """Return a message with its text; `mail_id` is a short id such as `m1`.

        Fetches only the first 256 kB of a larger message.
        """
        address, folder, uid = self._place(mail_id)

        def read(account: _Account) -> tuple[Mail, MailBody]:
            mail = account.mail(folder, uid)
            fetched = fetch(account.imap, [uid], f"BODY.PEEK[]<0.{_MOST_BYTES}>")
            data = next((content for *_, content in fetched), b"")
            return mail, body_of(data, is_cut=mail.size > len(data))

        mail, body = await self._async_do(address, read)
        return self._listed(mail), body

    async def async_thread(self, mail_id: str) -> tuple[Mail, ...]:
        """Return the thread of the message `mail_id`, the oldest message first.

        Searches inbox and sent folder; returns at most the newest 30 messages.
        """
        address, folder, uid = self._place(mail_id)

        def read(account: _Account) -> tuple[Mail, ...]:
            first = account.mail(folder, uid)
            # A reply names the first message of its thread and usually all others before it.
            ids = {first.head.message_id, *first.head.references} - {""}
            linked = [
                mail
                for folder in ((Folder.INBOX, Folder.SENT) if ids else ())
                for mail in account.linked(folder, ids)
            ]
            dated = sorted((first, *linked), key=lambda mail: mail.head.at or _UNDATED)
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

        def has(account: _Account) -> bool:
            imap = account.opened(Folder.SENT)
            return bool(search(imap, *_header("Message-ID", letter.message_id)))

        try:
            if not await self._async_do(letter.sender, has):
                await self._async_store(Folder.SENT, letter)
        except ExternalError:
            # The message is sent. Some accounts have no sent folder.
            return

    async def _async_store(self, folder: Folder, letter: Letter) -> None:
        flags = r"(\Draft \Seen)" if folder is Folder.DRAFTS else r"(\Seen)"
        name = await self._async_do(letter.sender, lambda account: account.name_of(folder))

        def append(account: _Account) -> None:
            added = account.imap.append(name, flags, None, letter.as_bytes())  # type: ignore[arg-type]
            checked(added)

        # Only once: after a broken connection, the server may have stored it.
        await self._async_do(letter.sender, append, attempts=1)

    async def _async_do[T](
        self, address: str, work: Callable[[_Account], T], *, attempts: int = 2
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


class _Account:
    """The folders of one mail account; connects on demand and disconnects when idle.

    The methods without `async` block, and are for the work of `async_do`.
    """

    def __init__(self, settings: MailAccount, context: Callable[[], ssl.SSLContext | None]) -> None:
        self.settings = settings
        self._context = context
        self._turn = asyncio.Lock()
        self._imap: imaplib.IMAP4 | None = None
        self._special: dict[bytes, bytes] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def async_do[T](self, work: Callable[[_Account], T], attempts: int) -> T:
        """Run `work` in a thread, again if the server closes the connection."""
        server = self.settings.imap.host
        async with self._turn:
            while True:
                attempts -= 1
                self._stop_timer()
                running = asyncio.get_running_loop().run_in_executor(None, self._work, work)
                try:
                    await asyncio.wait([running])
                except asyncio.CancelledError:
                    self._disconnect()  # ends the work
                    await asyncio.wait([running])
                    running.exception()
                    raise
                try:
                    return running.result()
                except (imaplib.IMAP4.abort, ConnectionError) as err:
                    if attempts <= 0:
                        raise server_away(server) from err
                except OSError as err:
                    raise server_away(server) from err
                except (imaplib.IMAP4.error, ValueError) as err:
                    raise ExternalError(
                        f"The mail server {server} refused this. Nothing was done."
                    ) from err
                finally:
                    self._keep_or_disconnect(is_good=running.exception() is None)

    async def async_close(self) -> None:
        """Close the connection."""
        async with self._turn:
            self._disconnect()

    def _work[T](self, work: Callable[[_Account], T]) -> T:
        if self._imap is None:
            self._imap = open_connection(self.settings, self._context())
        return work(self)

    def _keep_or_disconnect(self, *, is_good: bool) -> None:
        if is_good:
            self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._disconnect)
        else:
            self._disconnect()

    def _disconnect(self) -> None:
        self._stop_timer()
        if self._imap is not None:
            close(self._imap)
        self._imap = self._special = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def imap(self) -> imaplib.IMAP4:
        """The open connection."""
        assert self._imap is not None
        return self._imap

    def name_of(self, folder: Folder) -> bytes:
        """Return the name of a folder on the server."""
        if folder is Folder.INBOX:
            return b"INBOX"
        if self._special is None:
            self._special = special_folders(self.imap)
        if (name := self._special.get(f"\\{folder.value}".encode())) is None:
            raise ExternalError(
                f"The mail server of {self.settings.address} marks no folder as the one for "
                f"{folder.value}. Finish with `could_not` and say so."
            )
        return name

    def opened(self, folder: Folder) -> imaplib.IMAP4:
        """Open a folder for reading; return the connection."""
        name: Any = self.name_of(folder)  # `select` also accepts bytes.
        checked(self.imap.select(name, readonly=True))
        return self.imap

    def mail(self, folder: Folder, uid: int) -> Mail:
        """Return one message, whose folder is open afterwards."""
        self.opened(folder)
        if not (mails := self.mails(folder, [uid])):
            raise ExternalError("This message is not there any more. Search again.")
        return mails[0]

    def mails(self, folder: Folder, uids: Sequence[int]) -> tuple[Mail, ...]:
        """Return messages of the open folder in the order of `uids`; missing ones are skipped."""
        address = self.settings.address
        mails = {
            uid: Mail(
                place=(address, folder, uid), head=head_of(head), is_unread=is_unread, size=size
            )
            for uid, is_unread, size, head in (fetch(self.imap, uids, _HEAD) if uids else ())
        }
        return tuple(mails[uid] for uid in uids if uid in mails)

    def linked(self, folder: Folder, ids: Iterable[str]) -> tuple[Mail, ...]:
        """Return the messages of a folder that have or reference one of these message ids."""
        try:
            imap = self.opened(folder)
        except ExternalError:
            return ()  # The account has no such folder.
        keys = [
            _header(name, message_id)
            for message_id in sorted(ids)[:_MOST_LINKED]
            for name in ("Message-ID", "References", "In-Reply-To")
        ]
        criteria = ["OR"] * (len(keys) - 1) + [word for key in keys for word in key]
        return self.mails(folder, search(imap, *criteria)[:_MOST_IN_THREAD])


def _uids(imap: imaplib.IMAP4, query: MailQuery) -> list[int]:
    """Return the uids of the messages that match, the newest first."""
    criteria = ["UNDELETED"]
    if query.since is not None:
        criteria += ["SINCE", _day(query.since)]
    if query.before is not None:
        criteria += ["BEFORE", _day(query.before)]
    if query.unread:
        criteria.append("UNSEEN")
    texts = [("TEXT", word) for word in query.words]
    texts += [("FROM", query.sender)] if query.sender else []
    for name, text in texts:
        criteria += [name, _quoted(text)] if _PLAIN.fullmatch(text) else []
    # A command of `imaplib` has at most one literal, which another script needs.
    others = [(name, text) for name, text in texts if not _PLAIN.fullmatch(text)]
    results = [search(imap, *criteria, name, text=text) for name, text in others]
    first, *more = results or [search(imap, *criteria)]
    same = set(first).intersection(*more)
    return [uid for uid in first if uid in same]


def _header(name: str, message_id: str) -> tuple[str, str, str]:
    return "HEADER", name, _quoted(message_id)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _day(day: date) -> str:
    # Not with `strftime`, which uses the locale of the system.
    return f"{day.day}-{_MONTHS[day.month - 1]}-{day.year}"
