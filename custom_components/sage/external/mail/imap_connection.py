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

from .mail_account import MailAccount, Security
from .mail_error import MailRefusedError, MailServerAwayError, SignInRefusedError

SECONDS: Final = 20.0
"""Timeout of one command in seconds."""

_CONNECT_SECONDS: Final = 10.0
_LONGEST_LINE: Final = 8 * 1024 * 1024
"""Maximum length of a line without literals, in bytes: enough for a million message numbers."""

_LONGEST_LITERAL: Final = 4 * 1024 * 1024
"""Maximum size of a literal in bytes; no command of SAGE requests more."""

_LITERAL: Final = re.compile(rb"\{(\d{1,12})\+?\}\Z")
_TOKEN: Final = re.compile(
    rb'\(|\)|"(?:[^"\\]|\\.)*"|[^\s()"\[\]]*\[[^\]]*\](?:<\d+>)?|[^\s()"]+', re.DOTALL
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
                    limit=_LONGEST_LINE,
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
            await self._async_response()
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
            self._number += 1
            tag = f"{self._secret}.{self._number}".encode()
            refused = await self._async_send(tag, arguments)
            responses: list[list[Value]] = []
            while refused is None:
                values = await self._async_response()
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
        self, tag: bytes, arguments: Sequence[str | Literal]
    ) -> list[Value] | None:
        """Send a command; return the response if the server refuses a literal, else None."""
        line = tag
        for argument in arguments:
            if isinstance(argument, str):
                line += b" " + argument.encode()
                continue
            self._writer.write(line + b" {%d}\r\n" % len(argument.data))
            await self._writer.drain()
            while (values := await self._async_response())[:1] != [b"+"]:
                if values[:1] == [tag]:
                    return values
            line = argument.data
        self._writer.write(line + b"\r\n")
        await self._writer.drain()
        return None

    async def _async_response(self) -> list[Value]:
        """Read and parse one response with its literals."""
        pieces: list[bytes | Literal] = []
        while True:
            line = (await self._reader.readuntil(b"\n")).rstrip(b"\r\n")
            found = _LITERAL.search(line)
            if found is None:
                pieces.append(line)
                return parsed(pieces)
            pieces.append(line[: found.start()])
            size = int(found[1])
            if size > _LONGEST_LITERAL:
                raise MailServerAwayError(self._host)
            pieces.append(Literal(await self._reader.readexactly(size)))

    @contextlib.asynccontextmanager
    async def _guarded(self) -> AsyncGenerator[None]:
        """Close the connection if the `with` block raises, times out or is cancelled.

        Connection errors become MailServerAwayError.
        """
        try:
            async with asyncio.timeout(SECONDS):
                yield
        except (
            OSError,
            TimeoutError,
            EOFError,
            asyncio.LimitOverrunError,
            MailServerAwayError,
        ) as err:
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
            with contextlib.suppress(MailServerAwayError, MailRefusedError):
                await self.async_command("LOGOUT")
        self.close()


def parsed(pieces: Sequence[bytes | Literal]) -> list[Value]:
    """Return the values of a response; each pair of parentheses becomes a nested list.

    `pieces`: the lines and literals of the response. Unmatched parentheses are no error.
    """
    stack: list[list[Value]] = [[]]
    for token in _tokens(pieces):
        if token == b"(":
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
            yield from _TOKEN.findall(piece)
