"""HTTP replies of servers, bounded in size while they are read and decompressed.

A few kilobytes of gzip can hold gigabytes, and httpx decompresses whatever arrives at once.
So this transport decompresses in small pieces, for the replies with good status and with errors,
whole or streamed.
"""

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

import httpx

LARGEST_REPLY: Final = 8_000_000
"""Bytes, decompressed."""

_PIECE: Final = 65_536
_GZIP: Final = 47
"""For zlib: a header of gzip or of zlib, whichever is there."""


class ReplyTooLargeError(httpx.DecodingError):
    """The reply has more than LARGEST_REPLY bytes."""


class BoundedTransport(httpx.AsyncBaseTransport):
    """Sends with another client; the replies end with an error where they are too large."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        """Send with `client`, which others use, too."""
        self._client = client

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request; the body of the reply is decompressed by `_Body`."""
        response = await self._client.send(request, stream=True)
        body = _Body(response)
        headers = [
            (name, value)
            for name, value in response.headers.multi_items()
            if name not in {"content-encoding", "content-length", "transfer-encoding"}
        ]
        return httpx.Response(
            response.status_code, headers=headers, stream=body, extensions=response.extensions
        )


def bounded_client(client: httpx.AsyncClient) -> httpx.AsyncClient:
    """Return a client that sends with `client` and needs not be closed."""
    return httpx.AsyncClient(
        transport=BoundedTransport(client),
        trust_env=False,
        headers={"User-Agent": client.headers["User-Agent"], "Accept-Encoding": "gzip"},
    )


class _Body(httpx.AsyncByteStream):
    """The decompressed body of a response."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the body in pieces. Raises ReplyTooLargeError, httpx.DecodingError."""
        encoding = self._response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in {"identity", "gzip", "x-gzip", "deflate"}:
            raise httpx.DecodingError(
                f"the reply has an encoding that was not asked for: {encoding:.40}"
            )
        decoder = None if encoding == "identity" else zlib.decompressobj(_GZIP)
        size = 0
        async for data in self._response.aiter_raw():
            for piece in (data,) if decoder is None else _decompressed(decoder, data):
                size += len(piece)
                if size > LARGEST_REPLY:
                    raise ReplyTooLargeError(
                        f"the reply has more than {LARGEST_REPLY // 1_000_000} MB"
                    )
                yield piece

    async def aclose(self) -> None:
        """Give the connection back, or up where the body was not read to its end."""
        await self._response.aclose()


def _decompressed(decoder: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield what `data` holds, in pieces that are small whatever it is."""
    while data:
        try:
            piece = decoder.decompress(data, _PIECE)
        except zlib.error as error:
            raise httpx.DecodingError(f"the reply cannot be decompressed: {error}") from error
        data = decoder.unconsumed_tail
        if piece:
            yield piece
