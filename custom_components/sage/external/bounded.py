"""Requests to servers outside the home, and XML from them, within limits; the error of all."""

import ipaddress
import socket
from asyncio import get_running_loop
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol
from xml.parsers import expat

from aiohttp import ClientError, ClientResponse, ClientSession
from homeassistant.exceptions import HomeAssistantError
from yarl import URL

_MOST_REDIRECTS: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 307, 308})
_PIECE: Final = 64 * 1024

_LONGEST_TAG: Final = 256 * 1024
"""Maximum size of one tag, comment or the like in XML, in bytes; a text may be longer."""

_DEEPEST: Final = 50
"""Maximum depth of the elements in XML."""


class ExternalError(HomeAssistantError):
    """A request to an external source failed; the text is a sentence for the model.

    The text says what to do. It contains no untrusted text and no password.
    """


class TooLargeError(ClientError):
    """A reply is larger than its limit; the text names the limit."""


class RefusedRedirectError(ClientError):
    """A server redirects to an address that the request must not reach."""


class XmlError(Exception):
    """XML is invalid or exceeds a limit; the text says why, without text of the sender."""


@asynccontextmanager
async def async_request(
    session: ClientSession,
    method: str,
    url: URL,
    *,
    async_may_redirect: Callable[[URL], Awaitable[bool]],
    **options: Any,
) -> AsyncGenerator[ClientResponse]:
    """Send a request, follow up to 5 redirects with the same method, and yield the response.

    Raises RefusedRedirectError before a request to an address for which `async_may_redirect`
    returns False.
    """
    for _ in range(_MOST_REDIRECTS + 1):
        async with session.request(method, url, allow_redirects=False, **options) as response:
            target = response.headers.get("Location", "")
            if response.status not in _REDIRECTS or not target:
                yield response
                return
        try:
            location = URL(target)
            url = url.join(location)
        except ValueError as err:
            raise RefusedRedirectError("it redirects to no address") from err
        if location.user is not None or not await async_may_redirect(url):
            raise RefusedRedirectError("it redirects to another server")
    raise RefusedRedirectError(f"it redirects more than {_MOST_REDIRECTS} times")


async def async_pieces(response: ClientResponse, most: int) -> AsyncIterator[bytes]:
    """Yield the content of a response; raise TooLargeError if it has more than `most` bytes."""
    left = most
    async for piece in response.content.iter_chunked(_PIECE):
        left -= len(piece)
        if left < 0:
            raise TooLargeError(f"the reply is larger than {most / 1024**2:g} MB")
        yield piece


async def async_is_public(url: URL) -> bool:
    """Return whether a host is in the internet, not in this network or on this machine.

    A host is not public if at least one of its addresses is not.
    """
    try:
        found = await get_running_loop().getaddrinfo(url.host, url.port, type=socket.SOCK_STREAM)
        return all(ipaddress.ip_address(entry[4][0]).is_global for entry in found)
    except OSError, ValueError:
        return False


class XmlTarget(Protocol):
    """The receiver of the events of `XmlReader`, such as `xml.etree.ElementTree.TreeBuilder`."""

    def start(self, name: str, attributes: dict[str, str], /) -> object:
        """Handle a start tag."""

    def end(self, name: str, /) -> object:
        """Handle an end tag."""

    def data(self, text: str, /) -> object:
        """Handle a piece of text."""


class XmlReader:
    """An XML parser with limits for tags and depth; it expands no entities."""

    def __init__(self, target: XmlTarget) -> None:
        """Set the receiver."""
        self._target = target
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = target.data
        parser.EntityDeclHandler = self._entity
        self._depth = 0
        self._fed = self._parsed = 0

    def feed(self, piece: bytes, *, last: bool = False) -> None:
        """Parse the next piece, of at most 64 KB; `last`: whether the XML ends. Raises XmlError."""
        self._fed += len(piece)
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as err:
            raise XmlError(f"line {err.lineno}: {expat.errors.messages[err.code]}") from err
        self._parsed = max(self._parsed, self._parser.CurrentByteIndex)
        if self._fed - self._parsed > _LONGEST_TAG:
            raise XmlError(f"a tag or comment is larger than {_LONGEST_TAG // 1024} KB")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise XmlError(f"it has more than {_DEEPEST} elements inside each other")
        self._target.start(name, attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._target.end(name)

    def _entity(self, *_: object) -> None:
        # Entities are not needed, and they can expand to any size.
        raise XmlError("it declares entities")
