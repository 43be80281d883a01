"""The IMAP server of a mail account, on `imaplib`."""

import asyncio
import imaplib
import re
import ssl
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from homeassistant.util.ssl import client_context

from ..helpers import async_to_its_end
from .bounded import ExternalError
from .mail_account import MailAccount, Security, SignInRefusedError, server_away

IDLE_SECONDS: Final = 60.0  # seconds after which an unused connection is closed
_SECONDS: Final = 20.0  # timeout for connecting, and for each wait for a part of a reply

_UID: Final = re.compile(rb"\b\d{1,12}\b")
_FLAGS: Final = re.compile(rb"FLAGS \(([^()]{0,1000})\)")
_NUMBER: Final = rb"\b%b (\d{1,12})\b"
_PLAIN: Final = re.compile(r"[\x20-\x7e]*")
_LISTED: Final = re.compile(
    rb'\(([^()]{0,1000})\) (?:"[^"]{0,9}"|NIL) ("[^\r\n]{1,500}"|[^" ]{1,500})\Z'
)


class ImapAccount:
    """A mail account's folders, connected while used; blocking methods are for `async_do`."""

    def __init__(self, settings: MailAccount, context: Callable[[], ssl.SSLContext | None]) -> None:
        """Store the settings; `context` returns the TLS context."""
        self.settings = settings
        self._context = context
        self._turn = asyncio.Lock()
        self._imap: imaplib.IMAP4 | None = None
        self._special: dict[bytes, bytes] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def async_do[T](self, work: Callable[[ImapAccount], T], attempts: int) -> T:
        """Run `work` in a thread, again if the server closes the connection."""
        server = self.settings.imap.host
        async with self._turn:
            while True:
                attempts -= 1
                self._stop_timer()
                loop = asyncio.get_running_loop()
                running = loop.run_in_executor(None, self._work, work)
                try:
                    # To close the connection ends the work.
                    return await async_to_its_end(running, self._disconnect)
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
                    if running.exception() is None and self._imap is not None:
                        self._timer = loop.call_later(IDLE_SECONDS, self._disconnect)
                    else:
                        self._disconnect()

    async def async_close(self) -> None:
        """Close the connection."""
        async with self._turn:
            self._disconnect()

    def _work[T](self, work: Callable[[ImapAccount], T]) -> T:
        if self._imap is None:
            self._imap = _connected(self.settings, self._context())
        return work(self)

    def _disconnect(self) -> None:
        self._stop_timer()
        if self._imap is not None:
            _close(self._imap)
        self._imap = self._special = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def _open_imap(self) -> imaplib.IMAP4:
        assert self._imap is not None
        return self._imap

    def name_of(self, folder: str) -> bytes:
        """Return the name of a folder on the server."""
        if folder == "inbox":
            return b"INBOX"
        if self._special is None:
            self._special = {}
            for line in _checked(self._open_imap.list()):
                if isinstance(line, bytes) and (listed := _LISTED.match(line)):
                    for flag in listed[1].lower().split():
                        self._special.setdefault(flag, listed[2])
        if (name := self._special.get(f"\\{folder}".encode())) is None:
            raise ExternalError(
                f"The mail server of {self.settings.address} marks no folder as the one for "
                f"{folder}. Finish with `could_not` and say so."
            )
        return name

    def open(self, folder: str) -> None:
        """Open a folder for reading."""
        name: Any = self.name_of(folder)  # `select` also accepts bytes.
        _checked(self._open_imap.select(name, readonly=True))

    def append(self, name: Any, flags: str, content: bytes) -> None:
        """Store a message in the folder that has this name on the server."""
        _checked(self._open_imap.append(name, flags, None, content))

    def search(self, criteria: Sequence[str], texts: Sequence[tuple[str, str]] = ()) -> list[int]:
        """Return the uids of the messages in the open folder that match, the highest first.

        `texts`: search key and text, such as ("FROM", "anna"); the messages must match all.
        """
        criteria, others = list(criteria), list[tuple[str, str]]()
        for name, text in texts:
            if _PLAIN.fullmatch(text):
                criteria += [name, quoted(text)]
            else:
                others.append((name, text))
        # A command of `imaplib` has at most one literal, which another script needs.
        lists = [self._uids(("CHARSET", "UTF-8", *criteria, name), text) for name, text in others]
        return sorted(set.intersection(*(lists or [self._uids(criteria)])), reverse=True)

    def _uids(self, criteria: Sequence[str], literal: str = "") -> set[int]:
        if literal:
            self._open_imap.literal = literal.encode()  # type: ignore[assignment] # accepts bytes
        lines = _checked(self._open_imap.uid("SEARCH", *criteria))
        # Not `split`, which would hold the lock of the interpreter until the end of a long line.
        return {
            int(number[0])
            for line in lines
            if isinstance(line, bytes)
            for number in _UID.finditer(line)
        }

    def fetch(self, uids: Sequence[int], item: str) -> Iterator[tuple[int, bool, int, bytes]]:
        """Yield uid, whether it is unread, size and content of messages, in the server's order.

        `item` is the content, such as `BODY.PEEK[]<0.1000>`. What cannot be read is left out.
        """
        named = ",".join(map(str, uids))
        lines = _checked(self._open_imap.uid("FETCH", named, f"(UID FLAGS RFC822.SIZE {item})"))
        for index, line in enumerate(lines):
            if not isinstance(line, tuple):
                continue
            # The other items stand before or after the content.
            after = (each for each in lines[index + 1 : index + 2] if isinstance(each, bytes))
            items = b" ".join((line[0], *after))
            if uid := _named(items, b"UID"):
                flags = _FLAGS.search(items)
                is_unread = flags is None or b"\\seen" not in flags[1].lower()
                yield uid, is_unread, _named(items, rb"RFC822\.SIZE"), line[1]


def quoted(text: str) -> str:
    """Return a text as an argument of a search."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _named(items: bytes, name: bytes) -> int:
    number = re.search(_NUMBER % name, items)
    return 0 if number is None else int(number[1])


def _checked(answer: tuple[str, Sequence[Any]]) -> Sequence[Any]:
    """Return the data of an answer. Raises `imaplib.IMAP4.error` if the server refused."""
    kind, data = answer
    if kind != "OK":
        raise imaplib.IMAP4.error("refused")
    return data


def _connected(account: MailAccount, context: ssl.SSLContext | None) -> imaplib.IMAP4:
    """Connect with TLS and sign in. Raises SignInRefusedError, OSError, `imaplib.IMAP4.error`."""
    server = account.imap
    # `imaplib` checks no certificate unless a context does.
    context = context or client_context()
    imap: imaplib.IMAP4
    try:
        if server.security is Security.TLS:
            imap = imaplib.IMAP4_SSL(
                server.host, server.port, ssl_context=context, timeout=_SECONDS
            )
        else:
            imap = imaplib.IMAP4(server.host, server.port, timeout=_SECONDS)
    except imaplib.IMAP4.error as err:
        raise imaplib.IMAP4.abort("the server has too much to do, or is no IMAP server") from err
    try:
        if server.security is Security.STARTTLS:
            imap.starttls(context)
            # Text from before the encryption may come from an attacker.
            imap._readbuf.clear()  # noqa: SLF001
        _sign_in(imap, account)
    except BaseException:
        _close(imap)
        raise
    return imap


def _sign_in(imap: imaplib.IMAP4, account: MailAccount) -> None:
    name, password = (text.encode() for text in (account.user_name, account.password))
    try:
        imap.login(name, password)  # type: ignore[arg-type] # it accepts bytes
    except imaplib.IMAP4.abort:
        raise imaplib.IMAP4.abort("the connection broke") from None
    except imaplib.IMAP4.error:
        # Hide the cause: the server's error text may repeat the arguments.
        raise SignInRefusedError(account.address) from None


def _close(imap: imaplib.IMAP4) -> None:
    """Close the connection without waiting for the server; does not block."""
    try:
        imap.shutdown()
    except OSError:
        return
