"""A connection to an IMAP server with limits of time and size, on `imaplib`; its calls block."""

import imaplib
import re
import ssl
import time
from collections.abc import Buffer, Iterator, Sequence
from typing import Any, Final, override

from homeassistant.util.ssl import client_context

from .bounded import ExternalError
from .mail_account import MailAccount, Security, SignInRefusedError

SECONDS: Final = 20.0
"""Timeout of one command in seconds, from its first byte to the last one of the reply."""

_CONNECT_SECONDS: Final = 10.0
_PIECE: Final = 64 * 1024
_MOST_BYTES: Final = 2 * 1024 * 1024
"""Maximum bytes that answer a command: enough for 250,000 message numbers."""

_LINE_COST: Final = 256
"""Bytes that each line counts in addition to its length, for the time that it takes."""

_LONGEST_MARKED: Final = 4 * 1024
_MOST_ESCAPES: Final = 20
"""Limits of a line before a literal, because `imaplib` scans it again from each escaped quote."""

_UID: Final = re.compile(rb"\b\d{1,12}\b")
_FLAGS: Final = re.compile(rb"FLAGS \(([^()]{0,1000})\)")
_NUMBER: Final = rb"\b%b (\d{1,12})\b"
_LISTED: Final = re.compile(
    rb'\(([^()]{0,1000})\) (?:"[^"]{0,9}"|NIL) ("[^\r\n]{1,500}"|[^" ]{1,500})\Z'
)


class _Limits(imaplib.IMAP4):
    """Reads at most `_MOST_BYTES` in `SECONDS` after each command."""

    _received = b""
    _left = _MOST_BYTES
    _end = 0.0
    _secured: object = None
    """The socket from which `_received` came; text from before STARTTLS is dropped."""

    @override
    def open(self, host: str = "", port: int = 143, timeout: float | None = None) -> None:
        super().open(host, port, timeout)
        self._renew()

    @override
    def send(self, data: Buffer) -> None:
        self._renew()
        super().send(data)

    @override
    def readline(self) -> bytes:
        begin = 0
        while (end := self._received.find(b"\n", begin) + 1) == 0:
            begin = len(self._received)
            self._receive()
        self._spend(_LINE_COST)
        line = self._take(end)
        if line.endswith(b"}\r\n") and (
            len(line) > _LONGEST_MARKED or line.count(b'\\"') > _MOST_ESCAPES
        ):
            raise self._too_large()
        return line

    @override
    def read(self, size: int) -> bytes:
        if size > self._left + len(self._received):
            raise self._too_large()
        while len(self._received) < size:
            self._receive()
        return self._take(size)

    def _renew(self) -> None:
        self._left, self._end = _MOST_BYTES, time.monotonic() + SECONDS
        if self._secured is not self.sock:
            self._received, self._secured = b"", self.sock

    def _receive(self) -> None:
        self.sock.settimeout(max(0.01, self._end - time.monotonic()))
        piece = self.sock.recv(_PIECE)
        if not piece:
            raise self.abort("the server closed the connection")
        self._spend(len(piece))
        self._received += piece

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise self._too_large()

    def _take(self, size: int) -> bytes:
        taken, self._received = self._received[:size], self._received[size:]
        return taken

    def _too_large(self) -> ExternalError:
        return ExternalError(
            f"The answer of the mail server {self.host} is larger than {_MOST_BYTES // 1024**2} "
            "MB, so it was not read. Ask for less, for example for a shorter time."
        )


class _TlsLimits(_Limits, imaplib.IMAP4_SSL):  # type: ignore[misc] # `open` has a default port
    """The same with TLS from the first byte."""


def open_connection(account: MailAccount, context: ssl.SSLContext | None) -> imaplib.IMAP4:
    """Connect and sign in; `context` is used for TLS, by default one that checks certificates.

    Raises SignInRefusedError, OSError or `imaplib.IMAP4.error`.
    """
    server = account.imap
    # `imaplib` checks no certificate unless a context does.
    context = context or client_context()
    imap: imaplib.IMAP4
    try:
        if server.security is Security.TLS:
            imap = _TlsLimits(
                server.host, server.port, ssl_context=context, timeout=_CONNECT_SECONDS
            )
        else:
            imap = _Limits(server.host, server.port, timeout=_CONNECT_SECONDS)
    except imaplib.IMAP4.error as err:
        raise imaplib.IMAP4.abort("the server has too much to do, or is no IMAP server") from err
    try:
        if server.security is Security.STARTTLS:
            imap.starttls(context)
        _sign_in(imap, account)
    except BaseException:
        close(imap)
        raise
    return imap


def _sign_in(imap: imaplib.IMAP4, account: MailAccount) -> None:
    name, password = (each.encode() for each in (account.user_name, account.password))
    try:
        imap.login(name, password)  # type: ignore[arg-type] # it accepts bytes
    except imaplib.IMAP4.abort:
        raise imaplib.IMAP4.abort("the connection broke") from None
    except imaplib.IMAP4.error:
        # Hide the cause: the server's error text may repeat the arguments.
        raise SignInRefusedError(account.address) from None


def close(imap: imaplib.IMAP4) -> None:
    """Close the connection without waiting for the server; does not block."""
    try:
        imap.shutdown()
    except OSError:
        return


def special_folders(imap: imaplib.IMAP4) -> dict[bytes, bytes]:
    """Return the names of folders by their flag (RFC 6154), in lower case."""
    folders: dict[bytes, bytes] = {}
    for line in checked(imap.list()):
        if isinstance(line, bytes) and (found := _LISTED.match(line)):
            for flag in found[1].lower().split():
                folders.setdefault(flag, found[2])
    return folders


def search(imap: imaplib.IMAP4, *criteria: str, text: str = "") -> list[int]:
    """Return the uids of the messages that match, the highest first.

    `text`: the argument of the last one of the `criteria`, if it is in another script than ASCII.
    """
    if text:
        imap.literal = text.encode()  # type: ignore[assignment] # it accepts bytes
        criteria = ("CHARSET", "UTF-8", *criteria)
    lines = checked(imap.uid("SEARCH", *criteria))
    # Not `split`, which would hold the lock of the interpreter until the end of a long line.
    numbers = (each for line in lines if isinstance(line, bytes) for each in _UID.finditer(line))
    return sorted((int(number[0]) for number in numbers), reverse=True)


def fetch(
    imap: imaplib.IMAP4, uids: Sequence[int], item: str
) -> Iterator[tuple[int, bool, int, bytes]]:
    """Yield uid, whether it is unread, size and content of messages, in the server's order.

    `item` is the content, such as `BODY.PEEK[]<0.1000>`. What cannot be read is left out.
    """
    lines = checked(imap.uid("FETCH", ",".join(map(str, uids)), f"(UID FLAGS RFC822.SIZE {item})"))
    for index, line in enumerate(lines):
        if not isinstance(line, tuple):
            continue
        # The other items stand before or after the content.
        parts = [
            line[0],
            *(each for each in lines[index + 1 : index + 2] if isinstance(each, bytes)),
        ]
        items = b" ".join(part[:_LONGEST_MARKED] for part in parts)
        if uid := _named(items, b"UID"):
            flags = _FLAGS.search(items)
            is_unread = flags is None or b"\\seen" not in flags[1].lower()
            yield uid, is_unread, _named(items, rb"RFC822\.SIZE"), line[1]


def checked(answer: tuple[str, Sequence[Any]]) -> Sequence[Any]:
    """Return the data of an answer. Raises `imaplib.IMAP4.error` if the server refused."""
    kind, data = answer
    if kind != "OK":
        raise imaplib.IMAP4.error("refused")
    return data


def _named(items: bytes, name: bytes) -> int:
    found = re.search(_NUMBER % name, items)
    return 0 if found is None else int(found[1])
