"""Read one mail account over IMAP: search, messages and threads; save drafts."""

import asyncio
import imaplib
import re
import ssl
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, Final

from ..external_error import ExternalError, server_away
from . import imap as protocol
from .mail_account import MailAccount
from .message import MailBody, MailHead, body_of, head_of

IDLE_SECONDS: Final = 60.0
"""Seconds after which an unused connection is closed."""

_MOST_BYTES: Final = 256 * 1024
"""Maximum number of bytes fetched from one message."""

_LONGEST_HEAD: Final = 16 * 1024
"""Maximum number of bytes fetched from one header in a list of messages."""

_MOST_IDS: Final = 20
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
class MailPlace:
    """The location of a message."""

    address: str
    """The address of the account."""

    folder: Folder
    uid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A received message without its text."""

    place: MailPlace
    head: MailHead
    is_unread: bool
    size: int
    id: str = ""
    """A short id such as `m1`, which a `Mailbox` gives."""


class MailFolders:
    """The folders of one mail account; connects on demand and disconnects when idle.

    No method marks a message as read. All methods may raise ExternalError.
    """

    def __init__(self, account: MailAccount, context: Callable[[], ssl.SSLContext | None]) -> None:
        """Store the account; no connection is opened. `context` returns the TLS context."""
        self._account = account
        self._context = context
        self._turn = asyncio.Lock()
        self._imap: imaplib.IMAP4 | None = None
        self._special: dict[bytes, bytes] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def async_search(self, query: MailQuery, most: int) -> tuple[tuple[Mail, ...], int]:
        """Return the newest `most` messages that match, the newest first, and their number."""

        def search(imap: imaplib.IMAP4) -> tuple[tuple[Mail, ...], int]:
            self._open(imap, query.folder)
            uids = _search(imap, query)
            return self._heads(imap, query.folder, uids[:most]), len(uids)

        return await self._async_do(search)

    async def async_count_unread(self) -> int:
        """Return the number of unread messages in the inbox."""

        def count(imap: imaplib.IMAP4) -> int:
            self._open(imap, Folder.INBOX)
            return len(protocol.search(imap, "UNSEEN"))

        return await self._async_do(count)

    async def async_read(self, place: MailPlace) -> tuple[Mail, MailBody]:
        """Return a message with its text.

        Fetches only the first 256 kB of a larger message.
        """

        def read(imap: imaplib.IMAP4) -> tuple[Mail, MailBody]:
            mail = self._one(imap, place)
            fetched = protocol.fetch(imap, [place.uid], f"BODY.PEEK[]<0.{_MOST_BYTES}>")
            data = next((content for *_, content in fetched), b"")
            return mail, body_of(data, is_cut=mail.size > len(data))

        return await self._async_do(read)

    async def async_thread(self, place: MailPlace) -> tuple[Mail, ...]:
        """Return the thread of the message at `place`, the oldest message first.

        Searches inbox and sent folder; returns at most the newest 30 messages.
        """

        def read(imap: imaplib.IMAP4) -> tuple[Mail, ...]:
            first = self._one(imap, place)
            found = {first.place: first}
            # A reply names the first message of its thread and usually all others before it.
            ids = {first.head.message_id, *first.head.references} - {""}
            folders = (Folder.INBOX, Folder.SENT) if ids else ()
            for folder in folders:
                for mail in self._linked(imap, folder, ids):
                    found.setdefault(mail.place, mail)
            dated = sorted(found.values(), key=lambda mail: mail.head.at or _UNDATED)
            once = {mail.head.message_id or str(mail.place): mail for mail in dated}
            return tuple(once.values())[-_MOST_IN_THREAD:]

        return await self._async_do(read)

    async def async_has_sent(self, message_id: str) -> bool:
        """Return whether the sent folder contains the message."""

        def has(imap: imaplib.IMAP4) -> bool:
            self._open(imap, Folder.SENT)
            return bool(protocol.search(imap, *_header("Message-ID", message_id)))

        return await self._async_do(has)

    async def async_append(self, folder: Folder, message: bytes) -> None:
        """Store a message (in Internet Message Format) in a folder, marked as read."""
        flags = r"(\Draft \Seen)" if folder is Folder.DRAFTS else r"(\Seen)"
        name = await self._async_do(lambda imap: self._name(imap, folder))

        def append(imap: imaplib.IMAP4) -> None:
            protocol.checked(imap.append(name, flags, None, message))  # type: ignore[arg-type]

        # Only once: after a broken connection, the server may have stored it.
        await self._async_do(append, attempts=1)

    async def async_sign_in(self) -> None:
        """Connect and sign in, to test the account."""
        await self._async_do(lambda _: None)

    async def async_close(self) -> None:
        """Close the connection."""
        async with self._turn:
            self._disconnect()

    # ------------------------------------------------------------------- connection

    async def _async_do[T](self, work: Callable[[imaplib.IMAP4], T], *, attempts: int = 2) -> T:
        """Run `work` with the connection in a thread, again if the server closes the connection."""
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
                        raise server_away(self._account.imap.host) from err
                except OSError as err:
                    raise server_away(self._account.imap.host) from err
                except (imaplib.IMAP4.error, ValueError) as err:
                    raise ExternalError(
                        f"The mail server {self._account.imap.host} refused this. Nothing was done."
                    ) from err
                finally:
                    self._keep_or_disconnect(is_good=running.exception() is None)

    def _work[T](self, work: Callable[[imaplib.IMAP4], T]) -> T:
        if self._imap is None:
            self._imap = protocol.open_connection(self._account, self._context())
        return work(self._imap)

    def _keep_or_disconnect(self, *, is_good: bool) -> None:
        if is_good:
            self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._disconnect)
        else:
            self._disconnect()

    def _disconnect(self) -> None:
        self._stop_timer()
        if self._imap is not None:
            protocol.close(self._imap)
        self._imap = self._special = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # ------------------------------------------------------------------- folders and messages

    def _name(self, imap: imaplib.IMAP4, folder: Folder) -> bytes:
        if folder is Folder.INBOX:
            return b"INBOX"
        if self._special is None:
            self._special = protocol.special_folders(imap)
        if (name := self._special.get(f"\\{folder.value}".encode())) is None:
            raise ExternalError(
                f"The mail server of {self._account.address} marks no folder as the one for "
                f"{folder.value}. Finish with `could_not` and say so."
            )
        return name

    def _open(self, imap: imaplib.IMAP4, folder: Folder) -> None:
        name: Any = self._name(imap, folder)  # `select` also accepts bytes.
        protocol.checked(imap.select(name, readonly=True))

    def _one(self, imap: imaplib.IMAP4, place: MailPlace) -> Mail:
        """Return the message at `place`, whose folder is open afterwards."""
        self._open(imap, place.folder)
        mails = self._heads(imap, place.folder, [place.uid])
        if not mails:
            raise ExternalError("This message is not there any more. Search again.")
        return mails[0]

    def _heads(self, imap: imaplib.IMAP4, folder: Folder, uids: Sequence[int]) -> tuple[Mail, ...]:
        """Return the messages with these uids in the same order; missing ones are skipped."""
        place = MailPlace(address=self._account.address, folder=folder, uid=0)
        found = {
            uid: Mail(
                place=replace(place, uid=uid), head=head_of(head), is_unread=is_unread, size=size
            )
            for uid, is_unread, size, head in (protocol.fetch(imap, uids, _HEAD) if uids else ())
        }
        return tuple(found[uid] for uid in uids if uid in found)

    def _linked(self, imap: imaplib.IMAP4, folder: Folder, ids: Iterable[str]) -> tuple[Mail, ...]:
        """Return the messages of a folder that have or reference one of these message ids."""
        try:
            self._open(imap, folder)
        except ExternalError:
            return ()  # The account has no such folder.
        keys = [
            _header(name, each)
            for each in sorted(ids)[:_MOST_IDS]
            for name in ("Message-ID", "References", "In-Reply-To")
        ]
        criteria = ["OR"] * (len(keys) - 1) + [word for key in keys for word in key]
        uids = protocol.search(imap, *criteria)[:_MOST_IN_THREAD]
        return self._heads(imap, folder, uids)


def _search(imap: imaplib.IMAP4, query: MailQuery) -> list[int]:
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
    found = [protocol.search(imap, *criteria, name, text=text) for name, text in others]
    first, *more = found or [protocol.search(imap, *criteria)]
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
