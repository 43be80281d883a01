"""A connection to an IMAP server: send commands and parse responses.

Logs and errors contain no password.
"""

import asyncio
import contextlib
import re
import ssl
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Final, Self

from homeassistant.util.ssl import client_context

from ...helpers.slices import Breaks
from ..external_error import ExternalError
from .mail_account import MailAccount, Security
from .mail_error import MailRefusedError, MailServerAwayError, SignInRefusedError

SECONDS: Final = 20.0
"""Timeout of one command in seconds."""

_CONNECT_SECONDS: Final = 10.0
_MOST_LINES: Final = 2 * 1024 * 1024
"""Maximum bytes of all lines that answer a command: enough for 250,000 message numbers."""

_MOST_LITERALS: Final = 4 * 1024 * 1024
"""Maximum bytes of all literals that answer a command; no command of SAGE requests more."""

_LINE_COST: Final = 64
"""Bytes that each line counts in addition to its length, for the objects made from it."""

_LONGEST_MARK: Final = 15
"""Maximum length of the mark of a literal at the end of a line, such as `{12}`."""

_DEEPEST: Final = 50
"""Maximum depth of parentheses in a response."""

_MOST_LISTS: Final = 20_000
"""Maximum number of pairs of parentheses in a response."""

_SHORT: Final = 4 * 1024
"""Length of a line in bytes up to which it is parsed in the event loop."""

_LITERAL: Final = re.compile(rb"\{(\d{1,12})\+?\}\Z")
# Each byte belongs to one token and is read once: no alternative fails after a long match.
_TOKEN: Final = re.compile(
    rb'\s++|[()]|"(?:[^"\\]|\\.)*+"?|(?:[^\s()"\[]|\[[^\]]*+\]?)++', re.DOTALL
)
_ESCAPED: Final = re.compile(rb"\\(.)", re.DOTALL)
_NEEDS_QUOTES: Final = re.compile(r"[\x20-\x7e]*\Z")

type Value = bytes | list[Value] | None
"""A value in a response: bytes for a string or atom, None for NIL, or a list."""


@dataclass(frozen=True, slots=True)
class Literal:
    """An IMAP literal, with arbitrary bytes, in a command or in a response."""

    data: bytes


def text_argument(text: str) -> str | Literal:
    """Return a text as a command argument: quoted if possible, otherwise as a literal."""
    if _NEEDS_QUOTES.match(text):
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return Literal(text.encode())


class ImapConnection:
    """A signed-in IMAP connection; every connection error closes it."""

    def __init__(
        self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Store the streams; use `async_open` to connect."""
        self._host = host
        self._reader = reader
        self._writer = writer
        self._number = 0
        self._lines_left = self._literals_left = 0
        """Bytes that the server may still send in answer to the current command."""

        self._secret = token_hex(4)
        """Random prefix of command tags; changed after STARTTLS, so that older tags are invalid."""

        self.capabilities: frozenset[str] = frozenset()
        self.is_open = True

    @classmethod
    async def async_open(cls, account: MailAccount, context: ssl.SSLContext | None) -> Self:
        """Connect and sign in.

        Raises MailServerAwayError, SignInRefusedError, or MailRefusedError (the server refuses
        another command, such as STARTTLS).
        """
        server = account.imap
        is_tls = server.security is Security.TLS
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection(
                    server.host,
                    server.port,
                    ssl=(context or client_context()) if is_tls else None,
                    limit=_MOST_LINES,
                )
        except (OSError, TimeoutError) as err:
            raise MailServerAwayError(server.host) from err
        connection = cls(server.host, reader, writer)
        try:
            await connection._async_begin(account, context)
        except BaseException:
            connection.close()
            raise
        return connection

    async def _async_begin(self, account: MailAccount, context: ssl.SSLContext | None) -> None:
        async with self._guarded():
            await self._async_response(Breaks())
        if account.imap.security is Security.STARTTLS:
            await self.async_command("STARTTLS")
            async with self._guarded():
                await self._writer.start_tls(
                    context or client_context(), server_hostname=account.imap.host
                )
            # Ignore responses that were inserted before encryption: they have the old prefix.
            self._secret = token_hex(4)
        name, password = text_argument(account.user_name), text_argument(account.password)
        try:
            await self.async_command("LOGIN", name, password)
        except MailRefusedError:
            # Hide the cause: the server's error text may repeat the arguments.
            raise SignInRefusedError(account.address) from None
        for values in await self.async_command("CAPABILITY"):
            if values[:1] == [b"CAPABILITY"]:
                words = (
                    each.decode("ascii", "replace") for each in values if isinstance(each, bytes)
                )
                self.capabilities = frozenset(map(str.upper, words))

    async def async_command(self, *arguments: str | Literal) -> list[list[Value]]:
        """Send a command; return its untagged responses, such as `[[b"SEARCH", b"4", b"7"]]`.

        Raises MailRefusedError if the server answers NO or BAD, and MailServerAwayError if the
        connection breaks.
        """
        async with self._guarded():
            breaks = Breaks()
            self._number += 1
            tag = f"{self._secret}.{self._number}".encode()
            refused = await self._async_send(tag, arguments, breaks)
            responses: list[list[Value]] = []
            while refused is None:
                values = await self._async_response(breaks)
                if values[:1] == [tag]:
                    refused = values
                    break
                if values[:1] == [b"*"]:
                    responses.append(values[1:])
            if refused[1:2] == [b"OK"]:
                return responses
        name = next((each for each in arguments if isinstance(each, str)), "")
        raise MailRefusedError(
            f"The mail server {self._host} refused the command {name.split(' ')[0]}. "
            "It was not done."
        )

    async def _async_send(
        self, tag: bytes, arguments: Sequence[str | Literal], breaks: Breaks
    ) -> list[Value] | None:
        """Send a command; return the response if the server refuses a literal, else None."""
        line = tag
        for argument in arguments:
            if isinstance(argument, str):
                line += b" " + argument.encode()
                continue
            self._writer.write(line + b" {%d}\r\n" % len(argument.data))
            await self._writer.drain()
            while (values := await self._async_response(breaks))[:1] != [b"+"]:
                if values[:1] == [tag]:
                    return values
            line = argument.data
        self._writer.write(line + b"\r\n")
        await self._writer.drain()
        return None

    async def _async_response(self, breaks: Breaks) -> list[Value]:
        """Read and parse one response with its literals."""
        pieces: list[bytes | Literal] = []
        length = 0
        while True:
            line = (await self._reader.readuntil(b"\n")).rstrip(b"\r\n")
            await breaks.async_take()
            length += len(line)
            self._lines_left -= len(line) + _LINE_COST
            literal = _LITERAL.search(line, max(0, len(line) - _LONGEST_MARK))
            size = 0 if literal is None else int(literal[1])
            self._literals_left -= size
            if self._lines_left < 0 or self._literals_left < 0:
                raise _too_large(self._host)
            if literal is None:
                pieces.append(line)
                if length <= _SHORT:
                    return parsed(pieces)
                return await asyncio.to_thread(parsed, pieces)
            pieces.append(line[: literal.start()])
            pieces.append(Literal(await self._reader.readexactly(size)))

    @contextlib.asynccontextmanager
    async def _guarded(self) -> AsyncGenerator[None]:
        """Close the connection if the `with` block raises, times out or is cancelled.

        Connection errors become MailServerAwayError.
        """
        self._lines_left, self._literals_left = _MOST_LINES, _MOST_LITERALS
        try:
            async with asyncio.timeout(SECONDS):
                yield
        except asyncio.LimitOverrunError as err:
            self.close()
            raise _too_large(self._host) from err
        except (OSError, TimeoutError, EOFError) as err:
            self.close()
            raise MailServerAwayError(self._host) from err
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection without waiting for the server."""
        self.is_open = False
        self._writer.close()

    async def async_log_out(self) -> None:
        """Log out of the server and close the connection; errors are ignored."""
        if self.is_open:
            with contextlib.suppress(ExternalError):
                await self.async_command("LOGOUT")
        self.close()


def parsed(pieces: Sequence[bytes | Literal]) -> list[Value]:
    """Return the values of a response; each pair of parentheses becomes a nested list.

    `pieces`: the lines and literals of the response. Unmatched parentheses are no error. Raises
    ExternalError if there are too many parentheses.
    """
    stack: list[list[Value]] = [[]]
    lists = 0
    for token in _tokens(pieces):
        if token == b"(":
            lists += 1
            if len(stack) > _DEEPEST or lists > _MOST_LISTS:
                raise ExternalError(
                    f"An answer of the mail server has more than {_MOST_LISTS} parentheses, or "
                    f"more than {_DEEPEST} inside each other, so it was not read. Say so."
                )
            stack.append([])
        elif token == b")":
            if len(stack) > 1:
                inner = stack.pop()
                stack[-1].append(inner)
        elif isinstance(token, Literal):
            stack[-1].append(token.data)
        elif token.startswith(b'"') and len(token) > 1:
            stack[-1].append(_ESCAPED.sub(rb"\1", token[1:-1]))
        else:
            stack[-1].append(None if token.upper() == b"NIL" else token)
    while len(stack) > 1:
        inner = stack.pop()
        stack[-1].append(inner)
    return stack[0]


# Untrusted text cannot act as a part of a response: it is in literals and quoted strings.
def _tokens(pieces: Sequence[bytes | Literal]) -> Iterator[bytes | Literal]:
    for piece in pieces:
        if isinstance(piece, Literal):
            yield piece
        else:
            # Not `findall`, which would block other threads until the end of a long line.
            yield from (token[0] for token in _TOKEN.finditer(piece) if not token[0].isspace())


def _too_large(host: str) -> ExternalError:
    return ExternalError(
        f"The answer of the mail server {host} is larger than {_MOST_LINES // 1024**2} MB of lines "
        f"or {_MOST_LITERALS // 1024**2} MB of messages, so it was not read. Ask for less, for "
        "example for a shorter time."
    )
