"""Read one mail account over IMAP: search, messages and threads; save drafts."""

import asyncio
import re
import ssl
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import islice
from typing import Final

from ..external_error import ExternalError
from .fetch_response import fetched_items, named_parts, number, pairs
from .imap_connection import ImapConnection, Literal, Value, text_argument
from .mail_account import MailAccount
from .mail_error import MailRefusedError, MailServerAwayError
from .message import MOST_ATTACHMENTS, Attachment, MailBody, MailHead, body_of, head_of

IDLE_SECONDS: Final = 60.0
"""Seconds after which an unused connection is closed."""

FRESH_SECONDS: Final = 10.0
"""Seconds after which an unused connection is tested before the next command."""

_MOST_BYTES: Final = 256 * 1024
"""Maximum number of bytes fetched from one message."""

_LONGEST_HEAD: Final = 16 * 1024
"""Maximum number of bytes fetched from one header in a list of messages."""

_MOST_IDS: Final = 20
_MOST_IN_THREAD: Final = 30
_HEADERS: Final = "FROM TO CC REPLY-TO SUBJECT DATE MESSAGE-ID REFERENCES IN-REPLY-TO"
_UNDATED: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UID_VALIDITY: Final = re.compile(rb"\[UIDVALIDITY (\d{1,20})\]")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


class Folder(StrEnum):
    """A mail folder; SENT and DRAFTS are found by their flag (RFC 6154), not by name."""

    INBOX = "inbox"
    SENT = "sent"
    DRAFTS = "drafts"


_SPECIAL_USE: Final = {Folder.SENT: b"\\sent", Folder.DRAFTS: b"\\drafts"}


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
    """The location of a message; stable until the server renumbers the folder."""

    address: str
    """The address of the account."""

    folder: Folder
    validity: int
    """The UIDVALIDITY of the folder, which changes if the server renumbers it."""

    uid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMail:
    """A message in a search result or a thread, without its text."""

    place: MailPlace
    head: MailHead
    is_unread: bool
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMails:
    """The newest messages that match a search, and the number of all matches."""

    mails: tuple[FoundMail, ...]
    total: int


class MailFolders:
    """The folders of one mail account; connects on demand and disconnects when idle.

    No method marks a message as read. All methods may raise ExternalError.
    """

    def __init__(self, account: MailAccount, context: Callable[[], ssl.SSLContext | None]) -> None:
        """Store the account; no connection is opened. `context` returns the TLS context."""
        self._account = account
        self._context = context
        self._turn = asyncio.Lock()
        self._connection: ImapConnection | None = None
        self._selected: tuple[Folder, int] | None = None
        self._names: dict[Folder, str | Literal] = {}
        self._used_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[None] | None = None

    async def async_search(self, query: MailQuery, most: int) -> FoundMails:
        """Return the newest `most` messages that match, the newest first."""
        async with self._using() as connection:
            validity = await self._async_select(connection, query.folder)
            uids = await self._async_uids(connection, _criteria(query))
            newest = uids[: -most - 1 : -1]
            mails = await self._async_heads(connection, query.folder, validity, newest)
        return FoundMails(mails=mails, total=len(uids))

    async def async_count_unread(self) -> int:
        """Return the number of unread messages in the inbox."""
        async with self._using() as connection:
            for values in await connection.async_command("STATUS", "INBOX", "(UNSEEN)"):
                if values[:1] == [b"STATUS"] and isinstance(values[-1], list):
                    return number(pairs(values[-1]).get("UNSEEN")) or 0
        raise MailServerAwayError(self._account.imap.host)

    async def async_read(self, place: MailPlace) -> tuple[FoundMail, MailBody]:
        """Return a message with its text.

        Fetches only the first 256 kB of a larger message.
        """
        async with self._using() as connection:
            await self._async_select(connection, place.folder, place.validity)
            found = await self._async_heads(connection, place.folder, place.validity, [place.uid])
            if not found:
                raise _gone()
            items = f"(BODY.PEEK[]<0.{_MOST_BYTES}>)"
            data = b""
            for values in await connection.async_command("UID FETCH", str(place.uid), items):
                if isinstance(value := _value(fetched_items(values), "BODY[]"), bytes):
                    data = value
            is_cut = found[0].size > len(data)
            names = await self._async_names(connection, place.uid) if is_cut else ()
        # Parse in a thread, because a large broken message takes long.
        body = await asyncio.to_thread(body_of, data, is_cut=is_cut)
        if is_cut:
            body = MailBody(
                text=body.text,
                attachments=names or body.attachments,
                is_cut=True,
                has_hidden=body.has_hidden,
            )
        return found[0], body

    async def async_thread(self, place: MailPlace) -> tuple[FoundMail, ...]:
        """Return the thread of the message at `place`, the oldest message first.

        Searches inbox and sent folder; returns at most the newest 30 messages.
        """
        async with self._using() as connection:
            validity = await self._async_select(connection, place.folder, place.validity)
            first = await self._async_heads(connection, place.folder, validity, [place.uid])
            if not first:
                raise _gone()
            found = {first[0].place: first[0]}
            asked: set[str] = set()
            # Each round finds messages that are linked to those of the last round.
            while ids := _ids_of(found.values()) - asked:
                asked |= ids
                before = len(found)
                for folder in (Folder.INBOX, Folder.SENT):
                    for each in await self._async_linked(connection, folder, ids):
                        found.setdefault(each.place, each)
                if len(found) == before or len(found) >= _MOST_IN_THREAD:
                    break
        dated = sorted(found.values(), key=lambda each: each.head.at or _UNDATED)
        once = {each.head.message_id or str(each.place): each for each in dated}
        return tuple(once.values())[-_MOST_IN_THREAD:]

    async def async_has_sent(self, message_id: str) -> bool:
        """Return whether the sent folder contains the message."""
        async with self._using() as connection:
            await self._async_select(connection, Folder.SENT)
            found = await self._async_uids(
                connection, ("HEADER", "Message-ID", text_argument(message_id))
            )
        return bool(found)

    async def async_append(self, folder: Folder, message: bytes) -> None:
        """Store a message (in Internet Message Format) in a folder, marked as read."""
        flags = r"(\Draft \Seen)" if folder is Folder.DRAFTS else r"(\Seen)"
        async with self._using() as connection:
            name = await self._async_name(connection, folder)
            await connection.async_command("APPEND", name, flags, Literal(message))

    async def async_sign_in(self) -> None:
        """Connect and sign in, to test the account."""
        async with self._using():
            pass

    async def async_close(self) -> None:
        """Close the connection."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._closing is not None:
            await self._closing
        async with self._turn:
            if self._connection is not None:
                # Home Assistant may be stopping, so do not wait for the server.
                self._connection.close()
            self._connection = self._selected = None

    # ------------------------------------------------------------------- connection

    @asynccontextmanager
    async def _using(self) -> AsyncGenerator[ImapConnection]:
        """Yield the connection to one caller at a time."""
        async with self._turn:
            loop = asyncio.get_running_loop()
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            connection = await self._async_connected(loop.time())
            try:
                yield connection
            finally:
                self._used_at = loop.time()
                if connection.is_open:
                    self._timer = loop.call_later(IDLE_SECONDS, self._begin_closing)
                else:
                    self._connection = self._selected = None

    async def _async_connected(self, now: float) -> ImapConnection:
        connection = self._connection
        if connection is not None and now - self._used_at > FRESH_SECONDS:
            try:
                await connection.async_command("NOOP")
            except ExternalError:
                connection.close()
                connection = None
        if connection is None or not connection.is_open:
            self._connection = self._selected = None
            self._names.clear()
            connection = await ImapConnection.async_open(self._account, self._context())
            self._connection = connection
        return connection

    def _begin_closing(self) -> None:
        self._timer = None
        self._closing = asyncio.get_running_loop().create_task(self._async_close_idle())

    async def _async_close_idle(self) -> None:
        async with self._turn:
            if self._timer is None:
                await self._async_log_out()

    async def _async_log_out(self) -> None:
        connection, self._connection, self._selected = self._connection, None, None
        if connection is not None:
            await connection.async_log_out()

    # ------------------------------------------------------------------- folders

    async def _async_select(
        self, connection: ImapConnection, folder: Folder, validity: int | None = None
    ) -> int:
        """Open a folder for reading; return its UIDVALIDITY.

        Raises MailRefusedError if the UIDVALIDITY differs from `validity`.
        """
        if self._selected is None or self._selected[0] is not folder:
            self._selected = None
            name = await self._async_name(connection, folder)
            now = 0
            for values in await connection.async_command("EXAMINE", name):
                for each in values:
                    if isinstance(each, bytes) and (number := _UID_VALIDITY.match(each)):
                        now = int(number[1])
            self._selected = (folder, now)
        else:
            # Let the server report mail that has arrived in the meantime.
            await connection.async_command("NOOP")
        if validity is not None and self._selected[1] != validity:
            raise _gone()
        return self._selected[1]

    async def _async_name(self, connection: ImapConnection, folder: Folder) -> str | Literal:
        if folder is Folder.INBOX:
            return "INBOX"
        if not self._names:
            await self._async_find_names(connection)
        if folder not in self._names:
            raise MailRefusedError(
                f"The mail server of {self._account.address} marks no folder as the one for "
                f"{folder.value}. Finish with `could_not` and say so."
            )
        return self._names[folder]

    async def _async_find_names(self, connection: ImapConnection) -> None:
        options = ("RETURN (SPECIAL-USE)",) if "LIST-EXTENDED" in connection.capabilities else ()
        for values in await connection.async_command("LIST", '""', '"*"', *options):
            match values:
                case [b"LIST", list(flags), _, bytes(name), *_]:
                    lowered = {each.lower() for each in flags if isinstance(each, bytes)}
                    for folder, flag in _SPECIAL_USE.items():
                        if flag in lowered:
                            text = name.decode("utf-8", "replace")
                            self._names.setdefault(folder, text_argument(text))

    # ------------------------------------------------------------------- messages

    async def _async_uids(
        self, connection: ImapConnection, criteria: Sequence[str | Literal]
    ) -> list[int]:
        is_ascii = not any(isinstance(each, Literal) for each in criteria)
        charset = () if is_ascii else ("CHARSET UTF-8",)
        responses = await connection.async_command("UID SEARCH", *charset, *criteria)

        def read() -> list[int]:
            searches = (each[1:] for each in responses if each[:1] == [b"SEARCH"])
            numbers = (number(value) for values in searches for value in values)
            return sorted(each for each in numbers if each is not None)

        # In a thread, because a large folder has hundreds of thousands of messages.
        return await asyncio.to_thread(read)

    async def _async_heads(
        self, connection: ImapConnection, folder: Folder, validity: int, uids: Sequence[int]
    ) -> tuple[FoundMail, ...]:
        """Return the messages with these uids in the same order; missing ones are skipped."""
        if not uids:
            return ()
        items = f"(UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS ({_HEADERS})]<0.{_LONGEST_HEAD}>)"
        numbers = ",".join(map(str, uids))
        responses = await connection.async_command("UID FETCH", numbers, items)

        def read() -> dict[int, FoundMail]:
            return {
                uid: FoundMail(
                    place=MailPlace(
                        address=self._account.address, folder=folder, validity=validity, uid=uid
                    ),
                    head=head_of(header),
                    is_unread=not (isinstance(flags, list) and b"\\Seen" in flags),
                    size=number(fetched.get("RFC822.SIZE")) or 0,
                )
                for fetched in map(fetched_items, responses)
                if (uid := number(fetched.get("UID"))) is not None
                and isinstance(header := _value(fetched, "BODY[HEADER"), bytes)
                for flags in (fetched.get("FLAGS"),)
            }

        found = await asyncio.to_thread(read)
        return tuple(found[uid] for uid in uids if uid in found)

    async def _async_linked(
        self, connection: ImapConnection, folder: Folder, ids: Iterable[str]
    ) -> tuple[FoundMail, ...]:
        """Return the messages of a folder that have or reference one of these message ids."""
        try:
            validity = await self._async_select(connection, folder)
        except MailRefusedError:
            return ()  # The account has no such folder.
        keys = [
            ("HEADER", name, text_argument(each))
            for each in sorted(ids)[:_MOST_IDS]
            for name in ("Message-ID", "References", "In-Reply-To")
        ]
        criteria: list[str | Literal] = [each for _ in keys[1:] for each in ("OR",)]
        criteria += [word for key in keys for word in key]
        uids = await self._async_uids(connection, criteria)
        return await self._async_heads(connection, folder, validity, uids[-_MOST_IN_THREAD:])

    async def _async_names(self, connection: ImapConnection, uid: int) -> tuple[Attachment, ...]:
        """Return the attachments of a message from its structure, without fetching the message."""
        for values in await connection.async_command("UID FETCH", str(uid), "(BODYSTRUCTURE)"):
            if isinstance(structure := fetched_items(values).get("BODYSTRUCTURE"), list):
                return await asyncio.to_thread(
                    lambda: tuple(islice(named_parts(structure), MOST_ATTACHMENTS))
                )
        return ()


def _criteria(query: MailQuery) -> tuple[str | Literal, ...]:
    criteria: list[str | Literal] = ["UNDELETED"]
    for word in query.words:
        criteria += ["TEXT", text_argument(word)]
    if query.sender:
        criteria += ["FROM", text_argument(query.sender)]
    if query.since is not None:
        criteria += ["SINCE", _day(query.since)]
    if query.before is not None:
        criteria += ["BEFORE", _day(query.before)]
    if query.unread:
        criteria.append("UNSEEN")
    return tuple(criteria)


def _day(day: date) -> str:
    # Not with `strftime`, which uses the locale of the system.
    return f"{day.day}-{_MONTHS[day.month - 1]}-{day.year}"


def _value(items: Mapping[str, Value], name: str) -> Value:
    """Return the item whose name begins with `name`; None if there is none."""
    return next((value for key, value in items.items() if key.startswith(name)), None)


def _ids_of(mails: Iterable[FoundMail]) -> set[str]:
    found = {each for mail in mails for each in (mail.head.message_id, *mail.head.references)}
    return found - {""}


def _gone() -> ExternalError:
    return MailRefusedError("This message is not there any more. Search again.")
