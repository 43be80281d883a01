"""Client for the contacts of a CardDAV account (RFC 6352)."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from typing import Final
from xml.etree.ElementTree import Element, ParseError

import aiohttp
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from homeassistant.util import dt as dt_util
from yarl import URL

from ...storage.async_file import Executor
from .contact import Contact, read_cards

_LOGGER = logging.getLogger(__name__)

_SECONDS: Final = 20.0
"""Timeout of one request in seconds."""

_LONGEST_REPLY: Final = 32 * 1024 * 1024
_MOST_CARDS: Final = 10_000
_BATCH: Final = 200
"""Maximum number of vCards in one request."""

_LIFETIME: Final = timedelta(minutes=5)
"""Time after which contacts are fetched again."""

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


class CardDavError(Exception):
    """A CardDAV account cannot be read."""

    def __init__(self, failure: CardDavFailure) -> None:
        """Store the reason; the text of the error contains neither address nor password."""
        super().__init__(failure.value)
        self.failure = failure


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDavSettings:
    """The URL and the credentials of a CardDAV account."""

    name: str
    url: str
    username: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Card:
    tag: str
    """The property `getetag`, which changes with the content of the vCard."""

    contacts: Sequence[Contact]


class CardDavAccount:
    """The contacts of one CardDAV account, cached in memory."""

    def __init__(
        self, session: aiohttp.ClientSession, executor: Executor, settings: CardDavSettings
    ) -> None:
        """Store the settings; no request is sent."""
        self.name = settings.name
        self._session = session
        self._executor = executor
        self._url = URL(settings.url)
        self._authorization = aiohttp.encode_basic_auth(
            settings.username, settings.password, "utf-8"
        )
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
        return tuple(contact for card in self._cards.values() for contact in card.contacts)

    async def async_find_books(self) -> tuple[URL, ...]:
        """Return the URLs of the account's address books. Raises CardDavError."""
        failure = CardDavFailure.NO_ADDRESS_BOOK
        for start in dict.fromkeys((self._url, self._url.with_path(_WELL_KNOWN))):
            try:
                if books := await self._async_books_from(start):
                    return books
            except CardDavError as err:
                if err.failure in {CardDavFailure.WRONG_PASSWORD, CardDavFailure.UNREACHABLE}:
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
        tags = dict(list(tags.items())[:_MOST_CARDS])
        cards = {url: card for url, card in self._cards.items() if tags.get(url) == card.tag}
        wanted = [url for url in tags if url not in cards]
        for book in self._books:
            own = [each for each in wanted if each.path.startswith(book.path)]
            for at in range(0, len(own), _BATCH):
                cards |= await self._async_fetch(book, own[at : at + _BATCH])
        return cards

    async def _async_fetch(self, book: URL, urls: Iterable[URL]) -> dict[URL, _Card]:
        hrefs = "".join(f"<d:href>{each.raw_path}</d:href>" for each in urls)
        answer = await self._async_request("REPORT", book, _MULTIGET.format(hrefs), "1")

        def read() -> dict[URL, _Card]:
            return {
                url: _Card(
                    tag=_text(properties, f"{_DAV}getetag"),
                    contacts=read_cards(_text(properties, f"{_CARD}address-data"))[0],
                )
                for url, properties in answer.items()
            }

        return await self._executor.async_add_executor_job(read)

    async def _async_propfind(self, url: URL, properties: str, depth: str) -> _Answer:
        return await self._async_request("PROPFIND", url, _PROPFIND.format(properties), depth)

    async def _async_request(self, method: str, url: URL, body: str, depth: str) -> _Answer:
        """Send a request; return the properties of each resource. Raises CardDavError."""
        if not self._is_trusted(url):
            _LOGGER.warning("The CardDAV account %s refers to another site; ignored", self.name)
            raise CardDavError(CardDavFailure.BROKEN)
        try:
            async with (
                asyncio.timeout(_SECONDS),
                self._session.request(
                    method,
                    url,
                    data=body.encode(),
                    headers={
                        "Authorization": self._authorization,
                        "Content-Type": "application/xml; charset=utf-8",
                        "Depth": depth,
                    },
                ) as response,
            ):
                _check(response.status)
                content = await _async_content(response)
                base = response.url
        except (aiohttp.ClientError, TimeoutError, OSError) as err:
            _LOGGER.debug("The CardDAV account %s cannot be reached: %s", self.name, type(err))
            raise CardDavError(CardDavFailure.UNREACHABLE) from None
        try:
            return await self._executor.async_add_executor_job(_read, content, base)
        except (ParseError, DefusedXmlException, ValueError) as err:
            _LOGGER.debug("The CardDAV account %s gives no XML: %s", self.name, type(err))
            raise CardDavError(CardDavFailure.BROKEN) from None

    def _is_trusted(self, url: URL) -> bool:
        """Return whether the password of the account may be sent to `url`.

        True for the host of the account's URL, but not with `http` if that URL has `https`. Also
        true for `https` URLs of other hosts in the same domain, because large providers distribute
        accounts over several hosts.
        """
        if url.scheme not in {self._url.scheme, "https"}:
            return False
        here, there = self._url.host or "", url.host or ""
        return here == there or (url.scheme == "https" and _site(here) == _site(there) != "")


type _Answer = Mapping[URL, Mapping[str, Element]]
"""URL of a resource -> name of a property -> its XML element."""


def _site(host: str) -> str:
    """Return the last two labels of a host name; empty for an IP address."""
    labels = host.split(".")
    return "" if labels[-1].isdigit() or ":" in host else ".".join(labels[-2:])


def _check(status: int) -> None:
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        raise CardDavError(CardDavFailure.WRONG_PASSWORD)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
        raise CardDavError(CardDavFailure.UNREACHABLE)
    if status != HTTPStatus.MULTI_STATUS:
        raise CardDavError(CardDavFailure.NO_ADDRESS_BOOK)


async def _async_content(response: aiohttp.ClientResponse) -> bytes:
    parts = bytearray()
    async for part in response.content.iter_chunked(65536):
        parts += part
        if len(parts) > _LONGEST_REPLY:
            raise CardDavError(CardDavFailure.BROKEN)
    return bytes(parts)


def _read(content: bytes, base: URL) -> _Answer:
    """Return the properties in a multistatus response (RFC 4918, section 14.16)."""
    answer: dict[URL, dict[str, Element]] = {}
    for response in fromstring(content).iter(f"{_DAV}response"):
        if (href := response.findtext(f"{_DAV}href")) is None:
            continue
        found = answer.setdefault(_joined(base, href), {})
        for status in response.iter(f"{_DAV}propstat"):
            if " 200 " in f"{status.findtext(f'{_DAV}status', '')} ":
                found |= {each.tag: each for prop in status.iter(f"{_DAV}prop") for each in prop}
    return answer


def _joined(base: URL, href: str) -> URL:
    return base.join(URL(href.strip(), encoded=True))


def _hrefs(answer: _Answer, name: str) -> list[URL]:
    return [
        _joined(url, href.text)
        for url, properties in answer.items()
        if (found := properties.get(name)) is not None
        for href in found.iter(f"{_DAV}href")
        if href.text
    ]


def _books(answer: _Answer) -> tuple[URL, ...]:
    return tuple(
        url
        for url, properties in answer.items()
        if (kind := properties.get(f"{_DAV}resourcetype")) is not None
        and kind.find(f"{_CARD}addressbook") is not None
    )


def _is_collection(properties: Mapping[str, Element]) -> bool:
    kind = properties.get(f"{_DAV}resourcetype")
    return kind is not None and kind.find(f"{_DAV}collection") is not None


def _text(properties: Mapping[str, Element], name: str) -> str:
    found = properties.get(name)
    return "" if found is None else found.text or ""
