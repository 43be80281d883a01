"""The TV guides of the household: fetch, refresh and search."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from yarl import URL

from ..helpers import async_to_its_end, in_one_go
from ..storage import remove_files, replace_file
from ..text import NameIndex, key, words
from .bounded import (
    ExternalError,
    RefusedRedirectError,
    TooLargeError,
    async_is_public,
    async_pieces,
    async_request,
)
from .guide_building import build
from .guide_file import GuideDatabase, GuideQuery, Showing
from .xmltv import Channel, GuideError, Item, parse

_LOGGER = logging.getLogger(__name__)

_MOST_BYTES: Final = 512 * 1024**2  # maximum size of a download in bytes
_TIMEOUT: Final = ClientTimeout(total=1800.0, connect=30.0, sock_read=60.0)

_REFRESH: Final = timedelta(hours=24)
_AGAIN: Final = timedelta(hours=1)  # time from a failed refresh to the next attempt


def async_open_guide(
    session: ClientSession, source: str, limits: ClientTimeout
) -> AbstractAsyncContextManager[ClientResponse]:
    """Return the request of a guide from its URL. Raises ClientError, TimeoutError or ValueError.

    A redirect neither gives up encryption nor leads from the internet into the home network.
    """
    url = URL(source)

    async def async_may_redirect(target: URL) -> bool:
        if target.scheme not in {url.scheme, "https"}:
            return False
        return await async_is_public(target) or not await async_is_public(url)

    return async_request(session, "GET", url, async_may_redirect=async_may_redirect, timeout=limits)


class TvGuide:
    """One TV guide; the old content stays available until a refresh is complete."""

    def __init__(
        self,
        hass: HomeAssistant,
        session: ClientSession,
        path: Path,
        *,
        title: str,
        source: str,
        numbers: Mapping[str, str],
        report: Callable[[str], None],
    ) -> None:
        """Store the parts; nothing is read.

        - `path`: the file in which the guide is cached
        - `source`: the URL or the file path of the XMLTV file
        - `numbers`: channel id or name (`text.key`) -> channel number on the TVs of the home,
          e.g. `{"bbc one": "5"}`
        - `report`: called after each refresh with the error; an empty text after a success
        """
        self._hass = hass
        self._session = session
        self._path = path
        self._numbers = numbers
        self._title = title
        self._source = source
        self._report = report
        self._turn = asyncio.Lock()  # lock that is held while the file is open or being replaced
        self._refreshing = asyncio.Lock()
        self._closing = threading.Event()
        self._due: datetime | None = None
        self._names: tuple[Mapping[str, Channel], NameIndex] | None = None
        """The channels by id, and the index of their names."""

    # ------------------------------------------------------------------ keeping it current

    async def async_keep(self) -> None:
        """Refresh the guide if it is due; call this every hour. Errors are logged."""
        if self._due is None:
            self._due = dt_util.utcnow()
            with contextlib.suppress(ExternalError):
                if (built := await self._async_read(GuideDatabase.built)) is not None:
                    self._due = min(built, self._due) + _REFRESH
        if dt_util.utcnow() >= self._due:
            try:
                await self.async_refresh()
            except GuideError as err:
                _LOGGER.warning("The TV guide %s was not refreshed: %s", self._title, err)

    async def async_refresh(self) -> int:
        """Fetch the guide; return its number of programmes. On GuideError, the old one stays."""
        async with self._refreshing:
            try:
                count = await self._async_refresh()
            except GuideError as err:
                self._due = dt_util.utcnow() + _AGAIN
                if not self._closing.is_set():
                    self._report(str(err))
                raise
            self._due = dt_util.utcnow() + _REFRESH
            self._report("")
            return count

    async def async_close(self) -> None:
        """Stop a running refresh early, and wait for running searches."""
        self._closing.set()
        async with self._turn:
            pass

    async def _async_refresh(self) -> int:
        path, jobs = self._path, self._hass.async_add_executor_job
        fetched, built = path.with_suffix(".xmltv"), path.with_suffix(".new")
        language = self._hass.config.language
        await jobs(partial(path.parent.mkdir, parents=True, exist_ok=True))
        try:
            if self._source.startswith(("http://", "https://")):
                await self._async_fetch(fetched)
                source = fetched
            else:
                source = Path(self._source)
            items = self._until_closed(parse(source, language))
            building = jobs(build, items, built, dt_util.utcnow())
            count = await async_to_its_end(building, self._closing.set)
            async with self._turn:
                await jobs(replace_file, path, built)
        except OSError as err:
            raise GuideError(f"{err.strerror or type(err).__name__}") from err
        finally:
            await asyncio.shield(jobs(_remove, fetched, built))
        self._names = None
        return count

    def _until_closed(self, items: Iterator[Item]) -> Iterator[Item]:
        for item in items:
            if item is None and self._closing.is_set():
                raise GuideError("SAGE stopped while it read the guide")
            yield item

    async def _async_fetch(self, target: Path) -> None:
        jobs = self._hass.async_add_executor_job
        try:
            async with async_open_guide(self._session, self._source, _TIMEOUT) as response:
                if response.status != 200:
                    raise GuideError(f"the server answers with status {response.status}")
                file = await jobs(target.open, "wb")
                try:
                    async for piece in async_pieces(response, _MOST_BYTES):
                        await jobs(file.write, piece)
                finally:
                    await jobs(file.close)
        except (RefusedRedirectError, TooLargeError) as err:
            raise GuideError(str(err)) from err
        except (ClientError, TimeoutError, ValueError) as err:
            raise GuideError("its server cannot be reached") from err

    # ------------------------------------------------------------------ searching

    async def async_search(self, query: GuideQuery) -> tuple[list[Showing], int]:
        """Return the best matches, and the number of further ones; there may be more.

        Without words, the earliest come first. Raises ExternalError if there is no guide yet.
        """
        channels, _ = await self._async_names()
        return await self._async_read(lambda file: file.search(query, channels))

    async def async_channels(self, named: str) -> tuple[Channel, ...]:
        """Return the channels with exactly this name, id or number, or else with similar names.

        Empty if no channel matches. Raises ExternalError.
        """
        if not key(named):
            return ()
        by_id, index = await self._async_names()
        channels = tuple(by_id.values())
        if same := tuple(channel for channel in channels if channel.is_named(named)):
            return same
        scores: dict[int, float] = {}
        for word in words(named):
            for number, score in index.hits(word).items():
                scores[number] = scores.get(number, 0.0) + score
        best = max(scores.values(), default=0.0)
        return tuple(channels[number] for number, score in sorted(scores.items()) if score == best)

    async def _async_names(self) -> tuple[Mapping[str, Channel], NameIndex]:
        if self._names is None:
            self._names = await self._async_read(self._read_names)
        return self._names

    def _read_names(self, file: GuideDatabase) -> tuple[Mapping[str, Channel], NameIndex]:
        channels: dict[str, Channel] = {}
        for channel in file.channels():
            own = (self._numbers.get(key(name)) for name in (channel.id, *channel.names))
            number = next(filter(None, own), channel.number)
            channels[channel.id] = replace(channel, number=number)
        names = [[(1.0, channel.names)] for channel in channels.values()]
        return channels, in_one_go(NameIndex.build(names))

    async def _async_read[T](self, read: Callable[[GuideDatabase], T]) -> T:
        """Call `read` with the file, opened in the executor since a new one may replace it."""

        def opened() -> T:
            if not self._path.exists():
                raise GuideError("The TV guide has not been fetched yet.")
            with contextlib.closing(GuideDatabase.open(self._path)) as file:
                return read(file)

        async with self._turn:
            try:
                return await self._hass.async_add_executor_job(opened)
            except GuideError as err:
                if err.is_damaged:
                    _LOGGER.warning("A damaged file of a TV guide is fetched again: %s", err)
                    await self._hass.async_add_executor_job(remove_files, self._path)
                    self._due = dt_util.utcnow()
                raise ExternalError(_NOT_YET) from err


_NOT_YET: Final = "The TV guide cannot be read now: it has not been fetched yet. Say so."


def _remove(fetched: Path, built: Path) -> None:
    with contextlib.suppress(OSError):
        fetched.unlink(missing_ok=True)
        remove_files(built)
        remove_files(built.with_name(f"{built.name}.part"))
