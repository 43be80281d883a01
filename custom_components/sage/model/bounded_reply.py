"""Limit the size of HTTP responses while they are received and decompressed."""

import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Final

import httpx

LARGEST_REPLY: Final = 8_000_000
"""Maximum size of a decompressed response body in bytes."""

# A few kilobytes of gzip can expand to gigabytes, so decompress in small pieces.
_PIECE: Final = 65_536
_GZIP: Final = 47
"""zlib `wbits` value that accepts both gzip and zlib headers."""


class ReplyTooLargeError(httpx.DecodingError):
    """The response body has more than `LARGEST_REPLY` bytes."""


class BoundedTransport(httpx.AsyncBaseTransport):
    """An httpx transport that sends with an existing client and limits response sizes.

    Reading a response that is too large raises ReplyTooLargeError.
    """

    def __init__(self, client: httpx.AsyncClient) -> None:
        """Set the shared client that sends the requests."""
        self._client = client

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request and return a response with a size limit."""
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
    """Return a client that sends with `client` and limits response sizes; needs no closing."""
    return httpx.AsyncClient(
        transport=BoundedTransport(client),
        trust_env=False,
        headers={"User-Agent": client.headers["User-Agent"], "Accept-Encoding": "gzip"},
    )


class _Body(httpx.AsyncByteStream):
    """The decompressed body of a response.

    This is an iterator class because Python closes an abandoned generator at an unknown later time.
    """

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._raw = response.aiter_raw()
        self._pieces: Iterator[bytes] = iter(())
        self._left = LARGEST_REPLY
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        self._decoder = None if encoding == "identity" else zlib.decompressobj(_GZIP)
        self._is_known = encoding in {"identity", "gzip", "x-gzip", "deflate"}

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        """Return the next bytes of the body; raises ReplyTooLargeError or httpx.DecodingError."""
        if not self._is_known:
            raise httpx.DecodingError("the reply has an encoding that was not asked for")
        while (piece := next(self._pieces, None)) is None:
            data = await anext(self._raw)
            self._pieces = (
                iter((data,)) if self._decoder is None else _decompressed(self._decoder, data)
            )
        self._left -= len(piece)
        if self._left < 0:
            raise ReplyTooLargeError(f"the reply has more than {LARGEST_REPLY // 1_000_000} MB")
        return piece

    async def aclose(self) -> None:
        """Return the connection to the pool, or close it if the body was not read completely."""
        if isinstance(self._raw, AsyncGenerator):
            await self._raw.aclose()
        await self._response.aclose()


def _decompressed(decoder: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield the decompressed data in pieces of limited size."""
    while data:
        try:
            piece = decoder.decompress(data, _PIECE)
        except zlib.error as error:
            raise httpx.DecodingError(f"the reply cannot be decompressed: {error}") from error
        data = decoder.unconsumed_tail
        if piece:
            yield piece
