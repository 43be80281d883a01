"""Requests to servers outside the home, within limits, and the error of all sources."""

import ipaddress
import socket
from asyncio import get_running_loop
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import ClientError, ClientResponse, ClientSession
from homeassistant.exceptions import HomeAssistantError
from yarl import URL

_MOST_REDIRECTS: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 307, 308})
_PIECE: Final = 64 * 1024


class ExternalError(HomeAssistantError):
    """A request to an external source failed; the text is a sentence for the model.

    The text says what to do. It contains no untrusted text and no password.
    """


class TooLargeError(ClientError):
    """A reply is larger than its limit; the text names the limit."""


class RefusedRedirectError(ClientError):
    """A server redirects to an address that the request must not reach."""


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
    """Return whether all addresses of a host are in the internet, not in this network."""
    try:
        found = await get_running_loop().getaddrinfo(url.host, url.port, type=socket.SOCK_STREAM)
        return all(ipaddress.ip_address(entry[4][0]).is_global for entry in found)
    except OSError, ValueError:
        return False
