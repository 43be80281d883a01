"""Definitions of capabilities, fetched when first needed and cached for weeks."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util

from ...helpers.weakly import weakly
from .client import RawClient
from .definitions import description_of, named_definition, parse_definition, with_texts
from .raw import CloudError, CloudErrorKind, Definition, TextOrigin
from .texts import Summarizer, WrittenSummaries, summary_from_identifier

_LOGGER = logging.getLogger(__name__)

STORAGE_KEY: Final = "sage.smartthings"
_STORAGE_VERSION: Final = 1
_SAVE_DELAY: Final = 30

KEPT: Final = timedelta(weeks=4)
"""Maximum age of a definition in the cache; an older one is fetched again at its next use."""

REQUESTS_A_MINUTE: Final = 15
_LONGEST_WAIT: Final = 10.0
"""Maximum seconds that a caller waits; remaining definitions are fetched in the background."""

_MINUTE: Final = 60.0
_DAY: Final = 24 * 60 * _MINUTE

_NOT_ASKED_AGAIN: Final = {
    CloudErrorKind.NOT_FOUND: _DAY,
    CloudErrorKind.FORBIDDEN: _DAY,
    CloudErrorKind.MALFORMED: _DAY,
}
"""Seconds without another request for this capability after this error."""

_FAILED_A_WHILE: Final = 5 * _MINUTE

_PAUSES: Final = {
    CloudErrorKind.SIGN_IN: 15 * _MINUTE,
    CloudErrorKind.PLAN: 60 * _MINUTE,
    CloudErrorKind.RATE_LIMIT: _MINUTE,
    CloudErrorKind.CONNECTION: 0.5 * _MINUTE,
}
"""Seconds without any request after this error."""

_REFUSALS_OF_TEXTS: Final = 3
"""After this many failures in a row no texts are requested until the next start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A cached definition."""

    data: Mapping[str, Any]
    fetched: float
    """Time of the request in seconds since 1970."""

    texts: Mapping[str, Any] | None = None
    """Descriptions; None if not requested yet, empty if there are none."""


class DefinitionStore:
    """Definitions by capability, in memory and on disk (`protocols.Definitions`)."""

    def __init__(self, hass: HomeAssistant, cloud: RawClient) -> None:
        """Create an empty store; `async_load` fills it from disk."""
        self._hass = hass
        self._cloud = cloud
        self._budget = RequestBudget(REQUESTS_A_MINUTE)
        self._store: Store[dict[str, Any]] = Store(
            hass, _STORAGE_VERSION, STORAGE_KEY, serialize_in_event_loop=False
        )
        self._kept: dict[str, _Kept] = {}
        self._parsed: dict[str, Definition] = {}
        self._fetches: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, float] = {}
        """Capability -> monotonic time before which it is not requested again."""

        self._entries: dict[str, str] = {}
        """Capability -> id of a config entry that has it."""

        self._refused_texts = 0
        self._written = WrittenSummaries(weakly(self._changed))

    async def async_load(self) -> None:
        """Load the cache from disk, without unreadable parts.

        A file that cannot be read or is of a newer version is rebuilt, because it is only a cache.
        """
        try:
            data = await self._store.async_load()
        except Exception as err:  # noqa: BLE001
            _LOGGER.warning("The cache of SmartThings definitions is rebuilt: %s", err)
            return
        if not isinstance(data, dict):
            return
        self._written.load(data.get("summaries"))
        definitions = data.get("definitions")
        for capability, kept in definitions.items() if isinstance(definitions, dict) else ():
            match kept:
                case {"data": dict() as body, "fetched": int() | float() as fetched}:
                    texts = kept.get("texts")
                    self._kept.setdefault(
                        capability,
                        _Kept(
                            data=body,
                            fetched=fetched,
                            texts=texts if isinstance(texts, dict) else None,
                        ),
                    )
        self._parsed.clear()

    async def async_close(self) -> None:
        """Cancel running fetches and save the cache."""
        tasks = list(self._fetches.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._kept:
            await self._store.async_save(self._stored())

    # -------------------------------------------------------- definitions

    def known(self, capability: str) -> Definition:
        """Return the cached definition; without one, a definition with names only.

        Sends no request.
        """
        if (definition := self._parsed.get(capability)) is None:
            definition = self._made(capability)
            if definition.is_complete:
                # A definition by names only may improve when the client library is loaded: do not
                # cache it.
                self._parsed[capability] = definition
        if definition.origin is TextOrigin.IDENTIFIER and (text := self._written.of(definition)):
            return replace(definition, summary=text, origin=TextOrigin.GENERATED)
        return definition

    async def async_get(self, entry_id: str, capabilities: Iterable[str]) -> dict[str, Definition]:
        """Return definitions; fetch missing ones within the rate limit.

        For a definition that cannot be fetched in time, the result of `known` is returned. Fetching
        continues in the background unless the cloud refused. An old definition is returned while it
        is fetched again.
        """
        wanted = tuple(dict.fromkeys(capabilities))
        awaited: list[asyncio.Task[None]] = []
        soon = self._budget.free_within(_LONGEST_WAIT) + len(self._fetches)
        for capability in wanted:
            self._entries[capability] = entry_id
            if self._is_current(capability):
                continue
            task = self._fetch(entry_id, capability)
            if task is not None and capability not in self._kept:
                awaited.append(task)
        if awaited := awaited[:soon]:
            await asyncio.wait(awaited, timeout=_LONGEST_WAIT)
        return {capability: self.known(capability) for capability in wanted}

    # -------------------------------------------------------------- texts

    async def async_write_missing(
        self, writer: Summarizer | None = None, capabilities: Iterable[str] = ()
    ) -> int:
        """Get summaries for capabilities without one; return how many were found.

        Requests the cloud's texts for used capabilities, within the rate limit.
        Then one model call writes the summaries that are still missing, also for `capabilities`.
        Call it when nobody talks to SAGE. Never raises.
        """
        found = 0
        for capability, entry_id in list(self._entries.items()):
            if self._may_ask_for_texts(capability):
                found += await self._async_fetch_texts(entry_id, capability)
        if writer is None:
            return found
        wanted = dict.fromkeys([*self._kept, *capabilities])
        nameless = [
            definition
            for capability in wanted
            if (definition := self.known(capability)).origin is TextOrigin.IDENTIFIER
            and (definition.commands or definition.attributes)
        ]
        return found + await self._written.async_write(nameless, writer)

    def _may_ask_for_texts(self, capability: str) -> bool:
        kept = self._kept.get(capability)
        return (
            kept is not None
            and kept.texts is None
            and self._refused_texts < _REFUSALS_OF_TEXTS
            and self._budget.wait == 0
        )

    async def _async_fetch_texts(self, entry_id: str, capability: str) -> int:
        texts: object = None
        await self._budget.async_take()
        try:
            texts = await self._cloud.async_texts(entry_id, capability)
        except CloudError as error:
            if error.kind not in _NOT_ASKED_AGAIN:
                self._pause(error)
                self._refused_texts += 1
                return 0
        told = _pruned(texts)
        self._refused_texts = 0 if told else self._refused_texts + 1
        if capability in self._kept:
            self._kept[capability] = replace(self._kept[capability], texts=told)
            self._parsed.pop(capability, None)
            self._changed()
        return int(bool(told.get("description")))

    # ------------------------------------------------------------ fetching

    def _is_current(self, capability: str) -> bool:
        kept = self._kept.get(capability)
        return kept is not None and 0 <= _now() - kept.fetched < KEPT.total_seconds()

    def _fetch(self, entry_id: str, capability: str) -> asyncio.Task[None] | None:
        """Return the shared fetch of a capability; None while it must not be requested."""
        if (running := self._fetches.get(capability)) is not None:
            return running
        if self._budget.is_paused or self._failed.get(capability, 0) > time.monotonic():
            return None
        task = self._hass.async_create_background_task(
            self._async_fetch(entry_id, capability), f"sage definition of {capability}"
        )
        self._fetches[capability] = task
        task.add_done_callback(lambda _: self._fetches.pop(capability, None))
        return task

    async def _async_fetch(self, entry_id: str, capability: str) -> None:
        await self._budget.async_take()
        try:
            data = await self._cloud.async_definition(entry_id, capability)
        except CloudError as error:
            _LOGGER.debug("No definition of %s: %s", capability, error)
            seconds = _NOT_ASKED_AGAIN.get(error.kind, _FAILED_A_WHILE)
            self._failed[capability] = time.monotonic() + seconds
            self._pause(error)
            return
        if not isinstance(data, Mapping) or parse_definition(capability, data) is None:
            _LOGGER.debug("The response for %s is not a definition", capability)
            self._failed[capability] = time.monotonic() + _DAY
            return
        before = self._kept.get(capability)
        self._kept[capability] = _Kept(
            data=dict(data), fetched=_now(), texts=before.texts if before else None
        )
        self._parsed.pop(capability, None)
        self._changed()

    def _pause(self, error: CloudError) -> None:
        if (seconds := _PAUSES.get(error.kind)) is not None:
            self._budget.pause(error.retry_after or seconds)

    def _made(self, capability: str) -> Definition:
        kept = self._kept.get(capability)
        definition = parse_definition(capability, kept.data) if kept else None
        if kept is None or definition is None:
            return replace(
                named_definition(capability), summary=summary_from_identifier(capability)
            )
        definition = with_texts(definition, kept.texts)
        if text := description_of(kept.texts) or description_of(kept.data):
            return replace(definition, summary=text, origin=TextOrigin.API)
        return replace(definition, summary=summary_from_identifier(capability))

    # ------------------------------------------------------------- keeping

    @callback
    def _changed(self) -> None:
        self._store.async_delay_save(self._stored, _SAVE_DELAY)

    def _stored(self) -> dict[str, Any]:
        return {
            "definitions": {
                capability: {"data": kept.data, "fetched": kept.fetched, "texts": kept.texts}
                for capability, kept in self._kept.items()
            },
            "summaries": self._written.stored(),
        }


def _pruned(texts: object) -> dict[str, Any]:
    """Return texts with only their descriptions."""
    found: dict[str, Any] = {}
    for name, value in texts.items() if isinstance(texts, Mapping) else ():
        if name == "description" and isinstance(value, str) and value.strip():
            found[name] = value
        elif isinstance(value, Mapping) and name != "i18n" and (inner := _pruned(value)):
            found[str(name)] = inner
    return found


def _now() -> float:
    return dt_util.utcnow().timestamp()


class RequestBudget:
    """Limits the number of requests in any minute; further requests wait in order."""

    def __init__(self, a_minute: int) -> None:
        """Allow `a_minute` requests in any minute."""
        self._a_minute = a_minute
        self._taken: deque[float] = deque(maxlen=a_minute)
        self._paused_until = 0.0
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def wait(self) -> float:
        """Seconds until the next request may be sent."""
        now = time.monotonic()
        full = len(self._taken) == self._a_minute
        free = self._taken[0] + _MINUTE if full else now
        return max(free, self._paused_until, now) - now

    @property
    def is_paused(self) -> bool:
        """Whether requests are paused."""
        return self._paused_until > time.monotonic()

    def free_within(self, seconds: float) -> int:
        """Return how many more requests may be sent within `seconds`."""
        now = time.monotonic()
        if self._paused_until > now + seconds:
            return 0
        recent = sum(taken + _MINUTE > now + seconds for taken in self._taken)
        return max(0, self._a_minute - recent - self._waiting)

    def pause(self, seconds: float) -> None:
        """Allow no request for `seconds`."""
        self._paused_until = max(self._paused_until, time.monotonic() + seconds)

    async def async_take(self) -> None:
        """Wait until a request may be sent, and count it."""
        self._waiting += 1
        try:
            async with self._turn:
                # A pause may have started meanwhile, so check again.
                while (seconds := self.wait) > 0:  # noqa: ASYNC110
                    await asyncio.sleep(seconds)
                self._taken.append(time.monotonic())
        finally:
            self._waiting -= 1
