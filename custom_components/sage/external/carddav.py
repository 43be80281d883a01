"""Client for the contacts of a CardDAV account (RFC 6352)."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from itertools import islice
from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder
from xml.sax.saxutils import escape

import aiohttp
from homeassistant.util import dt as dt_util
from yarl import URL

from ..storage.async_file import Executor
from .bounded import (
    RefusedRedirectError,
    TooLargeError,
    XmlError,
    XmlReader,
    async_pieces,
    async_request,
)
from .contact import MOST_CARDS, Contact, read_cards

_LOGGER = logging.getLogger(__name__)

_SECONDS: Final = 20.0
"""Timeout of one request in seconds."""

_LONGEST_REPLY: Final = 16 * 1024 * 1024
_MOST_ELEMENTS: Final = 150_000
"""Maximum number of XML elements in a reply; 10,000 vCards have 90,000."""

_LONGEST_TEXT: Final = 256 * 1024
"""Maximum length of a vCard in characters; the rest is not read."""

_BATCH: Final = 50
"""Maximum number of vCards in one request."""

_HOST_GROUPS: Final[Mapping[str, str]] = {"contacts.icloud.com": ".icloud.com"}
"""Host of a provider -> end of the names of the other hosts to which it distributes accounts."""

_LIFETIME: Final = timedelta(minutes=5)
"""Time after which contacts are fetched again."""

_MOST_BOOKS: Final = 20
"""Maximum number of URLs of address books, or of their parents, that a reply may name."""

_WELL_KNOWN: Final = "/.well-known/carddav"

_DAV: Final = "{DAV:}"
_CARD: Final = "{urn:ietf:params:xml:ns:carddav}"
_NAMESPACES: Final = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"'

_PROPFIND: Final = (
    f'<?xml version="1.0" encoding="utf-8"?><d:propfind {_NAMESPACES}><d:prop>{{}}</d:prop>'
    "</d:propfind>"
)
_FIND: Final = "<d:current-user-principal/><c:addressbook-home-set/><d:resourcetype/>"
_LIST: Final = "<d:resourcetype/>"
_TAGS: Final = "<d:getetag/><d:resourcetype/>"
_MULTIGET: Final = (
    f'<?xml version="1.0" encoding="utf-8"?><c:addressbook-multiget {_NAMESPACES}><d:prop>'
    "<d:getetag/><c:address-data/></d:prop>{}</c:addressbook-multiget>"
)


class CardDavFailure(StrEnum):
    """The reason why an account cannot be read; the value is an error key of the config flow."""

    WRONG_PASSWORD = "wrong_password"  # noqa: S105 - no password
    UNREACHABLE = "unreachable"
    NO_ADDRESS_BOOK = "no_address_book"
    BROKEN = "broken_reply"
    TOO_LARGE = "too_large"
    OTHER_HOST = "other_host"
    """The server refers to a host to which the password must not be sent."""


_FINAL: Final = frozenset(
    {CardDavFailure.WRONG_PASSWORD, CardDavFailure.UNREACHABLE, CardDavFailure.OTHER_HOST}
)
"""Failures that another address on the same server does not change."""


class CardDavError(Exception):
    """A CardDAV account cannot be read."""

    def __init__(self, failure: CardDavFailure) -> None:
        """Store the reason; the text of the error contains neither address nor password."""
        super().__init__(failure.value)
        self.failure = failure


type _Card = tuple[str, Sequence[Contact]]
"""The property `getetag`, which changes with the content of the vCard, and the contacts on it."""


class CardDavAccount:
    """The contacts of one CardDAV account, cached in memory."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        executor: Executor,
        *,
        url: str,
        username: str,
        password: str,
    ) -> None:
        """Store the URL and the credentials; no request is sent."""
        self._session = session
        self._executor = executor
        self._url = URL(url)
        self._authorization = aiohttp.encode_basic_auth(username, password, "utf-8")
        self._books: Sequence[URL] = ()
        self._cards: dict[URL, _Card] = {}
        self._fresh_until: datetime | None = None
        self._turn = asyncio.Lock()

    async def async_contacts(self) -> tuple[Contact, ...]:
        """Return all contacts; fetch changes if the cache is older than 5 minutes.

        Raises CardDavError; the property `known` still has the cached contacts.
        """
        async with self._turn:
            if self._fresh_until is None or dt_util.utcnow() >= self._fresh_until:
                self._books = self._books or await self.async_find_books()
                self._cards = await self._async_changed()
                self._fresh_until = dt_util.utcnow() + _LIFETIME
        return self.known

    @property
    def known(self) -> tuple[Contact, ...]:
        """The cached contacts; empty before the first fetch."""
        return tuple(contact for _, contacts in self._cards.values() for contact in contacts)

    async def async_find_books(self) -> tuple[URL, ...]:
        """Return the URLs of the account's address books. Raises CardDavError."""
        failure = CardDavFailure.NO_ADDRESS_BOOK
        for start in dict.fromkeys((self._url, self._url.with_path(_WELL_KNOWN))):
            try:
                if books := await self._async_books_from(start):
                    return books
            except CardDavError as err:
                if err.failure in _FINAL:
                    raise
                failure = err.failure
        raise CardDavError(failure)

    async def _async_books_from(self, start: URL) -> tuple[URL, ...]:
        """Return the URLs of the address books reachable from `start` (RFC 6764, section 6)."""
        found = await self._async_propfind(start, _FIND, "0")
        if books := _books(found):
            return books
        homes = _hrefs(found, f"{_CARD}addressbook-home-set")
        for principal in _hrefs(found, f"{_DAV}current-user-principal") if not homes else ():
            homes += _hrefs(
                await self._async_propfind(principal, _FIND, "0"), f"{_CARD}addressbook-home-set"
            )
        # Some servers name no address-book home, but list the address books at `start`.
        listed = [await self._async_propfind(each, _LIST, "1") for each in homes or [start]]
        return tuple(dict.fromkeys(book for answer in listed for book in _books(answer)))

    async def _async_changed(self) -> dict[URL, _Card]:
        """Return all vCards by URL; fetch only those with a changed tag."""
        tags: dict[URL, str] = {}
        for book in self._books:
            for url, properties in (await self._async_propfind(book, _TAGS, "1")).items():
                tag = _text(properties, f"{_DAV}getetag")
                if tag and url != book and not _is_collection(properties):
                    tags[url] = tag
        tags = dict(list(tags.items())[:MOST_CARDS])
        cards = {url: card for url, card in self._cards.items() if tags.get(url) == card[0]}
        wanted = [url for url in tags if url not in cards]
        for book in self._books:
            own = [each for each in wanted if each.path.startswith(book.path)]
            for at in range(0, len(own), _BATCH):
                cards |= await self._async_fetch(book, own[at : at + _BATCH])
        return cards

    async def _async_fetch(self, book: URL, urls: Sequence[URL]) -> dict[URL, _Card]:
        """Return the vCards at these URLs; leave out one that alone is too large."""
        hrefs = "".join(f"<d:href>{escape(each.raw_path)}</d:href>" for each in urls)
        try:
            answer = await self._async_request("REPORT", book, _MULTIGET.format(hrefs), "1")
        except CardDavError as err:
            if err.failure is not CardDavFailure.TOO_LARGE:
                raise
            half = len(urls) // 2
            if not half:
                return {}
            first = await self._async_fetch(book, urls[:half])
            return first | await self._async_fetch(book, urls[half:])

        def read() -> dict[URL, _Card]:
            return {
                url: (
                    _text(properties, f"{_DAV}getetag"),
                    read_cards(_text(properties, f"{_CARD}address-data").encode())[0],
                )
                for url, properties in answer.items()
            }

        return await self._executor.async_add_executor_job(read)

    async def _async_propfind(self, url: URL, properties: str, depth: str) -> _Answer:
        return await self._async_request("PROPFIND", url, _PROPFIND.format(properties), depth)

    async def _async_request(self, method: str, url: URL, body: str, depth: str) -> _Answer:
        """Send a request; return the properties of each resource. Raises CardDavError."""
        if not self.is_trusted(url):
            raise CardDavError(CardDavFailure.OTHER_HOST)
        reader = AnswerReader()
        try:
            async with (
                asyncio.timeout(_SECONDS),
                async_request(
                    self._session,
                    method,
                    url,
                    async_may_redirect=self._async_is_trusted,
                    data=body.encode(),
                    headers={
                        "Authorization": self._authorization,
                        "Content-Type": "application/xml; charset=utf-8",
                        "Depth": depth,
                    },
                ) as response,
            ):
                _check(response.status)
                async for piece in async_pieces(response, _LONGEST_REPLY):
                    await self._executor.async_add_executor_job(reader.feed, piece)
                base = response.url
            return await self._executor.async_add_executor_job(reader.read, base)
        except RefusedRedirectError:
            raise CardDavError(CardDavFailure.OTHER_HOST) from None
        except TooLargeError:
            raise CardDavError(CardDavFailure.TOO_LARGE) from None
        except (aiohttp.ClientError, TimeoutError, OSError) as err:
            _LOGGER.debug("The CardDAV account %s cannot be reached: %s", self._url.host, type(err))
            raise CardDavError(CardDavFailure.UNREACHABLE) from None
        except (XmlError, ValueError) as err:
            _LOGGER.debug(
                "The reply of the CardDAV account %s cannot be read: %s", self._url.host, err
            )
            raise CardDavError(CardDavFailure.BROKEN) from None

    async def _async_is_trusted(self, url: URL) -> bool:
        return self.is_trusted(url)

    def is_trusted(self, url: URL) -> bool:
        """Return whether the password of the account may be sent to `url`.

        True for the host of the account's URL, but not with `http` if that URL has `https`. Also
        true for `https` URLs of the hosts to which the provider distributes accounts.
        """
        if url.scheme not in {self._url.scheme, "https"}:
            return False
        here, there = self._url.host or "", url.host or ""
        group = _HOST_GROUPS.get(here)
        return here == there or (
            group is not None and url.scheme == "https" and there.endswith(group)
        )


type _Answer = Mapping[URL, Mapping[str, Element]]
"""URL of a resource -> name of a property -> its XML element."""


def _check(status: int) -> None:
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        raise CardDavError(CardDavFailure.WRONG_PASSWORD)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
        raise CardDavError(CardDavFailure.UNREACHABLE)
    if status != HTTPStatus.MULTI_STATUS:
        raise CardDavError(CardDavFailure.NO_ADDRESS_BOOK)


class AnswerReader:
    """Reads a multistatus response (RFC 4918, section 14.16) piece by piece."""

    def __init__(self) -> None:
        self._tree = TreeBuilder()
        self._xml = XmlReader(self, separator="}")
        self._elements = 0
        self._left = 0

    def feed(self, piece: bytes) -> None:
        """Parse the next piece. Raises XmlError."""
        self._xml.feed(piece)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag; attributes are not needed."""
        self._elements += 1
        if self._elements > _MOST_ELEMENTS:
            raise XmlError(f"it has more than {_MOST_ELEMENTS} elements")
        self._left = _LONGEST_TEXT
        self._tree.start(f"{{{name}" if "}" in name else name, {})

    def end(self, name: str) -> None:
        """Handle an end tag."""
        self._tree.end(name)

    def data(self, text: str) -> None:
        """Handle a piece of text."""
        if self._left > 0:
            self._tree.data(text[: self._left])
            self._left -= len(text)

    def read(self, base: URL) -> _Answer:
        """Return the properties in the response, after the last piece. Raises XmlError."""
        self._xml.feed(b"", last=True)
        answer: dict[URL, dict[str, Element]] = {}
        for response in self._tree.close().iter(f"{_DAV}response"):
            with suppress(ValueError):  # no URL
                url = _joined(base, response.findtext(f"{_DAV}href", ""))
                properties = answer.setdefault(url, {})
                for status in response.iter(f"{_DAV}propstat"):
                    if " 200 " in f"{status.findtext(f'{_DAV}status', '')} ":
                        properties |= {
                            each.tag: each for prop in status.iter(f"{_DAV}prop") for each in prop
                        }
        return answer


def _joined(base: URL, href: str) -> URL:
    return base.join(URL(href.strip(), encoded=True))


def _hrefs(answer: _Answer, name: str) -> list[URL]:
    urls: list[URL] = []
    for url, properties in answer.items():
        for href in properties[name].iter(f"{_DAV}href") if name in properties else ():
            with suppress(ValueError):  # no URL
                urls.append(_joined(url, href.text or ""))
    return urls[:_MOST_BOOKS]


def _books(answer: _Answer) -> tuple[URL, ...]:
    books = (
        url
        for url, properties in answer.items()
        if (kind := properties.get(f"{_DAV}resourcetype")) is not None
        and kind.find(f"{_CARD}addressbook") is not None
    )
    return tuple(islice(books, _MOST_BOOKS))


def _is_collection(properties: Mapping[str, Element]) -> bool:
    kind = properties.get(f"{_DAV}resourcetype")
    return kind is not None and kind.find(f"{_DAV}collection") is not None


def _text(properties: Mapping[str, Element], name: str) -> str:
    found = properties.get(name)
    return "" if found is None else found.text or ""
