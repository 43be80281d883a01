"""Cache of SmartThings capability definitions: fetched from the cloud at first use, kept 4 weeks.

A definition lists the attributes and commands of a capability, with their types.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ...helpers.weakly import weakly
from ...storage.store_state import SmallStore
from .client import RawClient
from .definitions import description_of, named_definition, parse_definition, with_texts
from .raw import CloudError, CloudErrorKind, Definition, TextOrigin
from .texts import Summarizer, WrittenSummaries, summary_from_identifier

_LOGGER = logging.getLogger(__name__)

STORAGE_KEY: Final = "sage.smartthings"
_STORAGE_VERSION: Final = 1
_SAVE_DELAY: Final = 30

MAX_AGE: Final = timedelta(weeks=4)
"""Maximum age of a cached definition; an older one is fetched again when it is next used."""

REQUESTS_A_MINUTE: Final = 15
LONGEST_WAIT: Final = 10.0
"""Maximum seconds that `async_get` waits for missing definitions."""

_MINUTE: Final = 60.0
_DAY: Final = 24 * 60 * _MINUTE

_NOT_ASKED_AGAIN: Final = {
    CloudErrorKind.NOT_FOUND: _DAY,
    CloudErrorKind.FORBIDDEN: _DAY,
    CloudErrorKind.MALFORMED: _DAY,
}
"""Kind of error -> seconds during which this capability is not requested again."""

_FAILED_A_WHILE: Final = 5 * _MINUTE

_PAUSES: Final = {
    CloudErrorKind.SIGN_IN: 15 * _MINUTE,
    CloudErrorKind.PLAN: 60 * _MINUTE,
    CloudErrorKind.RATE_LIMIT: _MINUTE,
    CloudErrorKind.CONNECTION: 0.5 * _MINUTE,
}
"""Kind of error -> seconds during which no capability is requested."""

_REFUSALS_OF_TEXTS: Final = 3
"""Number of consecutive failures after which no descriptions are requested until a restart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _StoredDefinition:
    """A cached definition as JSON, with the JSON of its descriptions."""

    data: Mapping[str, Any]
    fetched: float
    """Time of the fetch as a Unix timestamp."""

    texts: Mapping[str, Any] | None = None
    """Descriptions; None if not requested yet, empty if the cloud has none."""


class DefinitionStore:
    """Cache of SmartThings capability definitions, in memory and on disk."""

    def __init__(self, hass: HomeAssistant, cloud: RawClient) -> None:
        """Create an empty cache; `async_load` fills it from disk."""
        self._hass = hass
        self._cloud = cloud
        self._budget = RequestBudget(REQUESTS_A_MINUTE)
        self._store = SmallStore(hass, _STORAGE_VERSION, STORAGE_KEY, serialize_in_event_loop=False)
        self._cached: dict[str, _StoredDefinition] = {}
        self._parsed: dict[str, Definition] = {}
        self._fetches: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, float] = {}
        """Capability -> `time.monotonic` value before which it is not requested again."""

        self._entries: dict[str, str] = {}
        """Capability -> id of a config entry with a device that has it."""

        self._refused_texts = 0
        self._written = WrittenSummaries(weakly(self._changed))

    async def async_load(self) -> None:
        """Load the cache from disk, without unreadable items. Never raises."""
        data = await self._store.async_load()
        self._written.load(data.get("summaries"))
        definitions = data.get("definitions")
        for capability, stored in definitions.items() if isinstance(definitions, dict) else ():
            match stored:
                case {"data": dict() as body, "fetched": int() | float() as fetched}:
                    texts = stored.get("texts")
                    self._cached.setdefault(
                        capability,
                        _StoredDefinition(
                            data=body,
                            fetched=fetched,
                            texts=texts if isinstance(texts, dict) else None,
                        ),
                    )
        self._parsed.clear()

    async def async_close(self) -> None:
        """Cancel running fetches and save the cache to disk."""
        tasks = list(self._fetches.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._cached:
            await self._store.async_save(self._stored())

    # -------------------------------------------------------- definitions

    def known(self, capability: str) -> Definition:
        """Return the cached definition of a capability, without a request.

        If there is none, return an incomplete definition: only the names of the attributes and
        commands, as far as the library pysmartthings knows them.
        """
        if (definition := self._parsed.get(capability)) is None:
            definition = self._made(capability)
            if definition.is_complete:
                # Do not cache an incomplete definition: more names are known once pysmartthings is
                # loaded.
                self._parsed[capability] = definition
        if definition.origin is TextOrigin.IDENTIFIER and (text := self._written.of(definition)):
            return replace(definition, summary=text, origin=TextOrigin.GENERATED)
        return definition

    async def async_get(self, entry_id: str, capabilities: Iterable[str]) -> dict[str, Definition]:
        """Return the definitions as a dict: capability id -> definition. Never raises.

        Waits up to ten seconds for missing definitions. For one that does not arrive, the dict has
        an incomplete definition, as `known` returns it.
        """
        wanted = tuple(dict.fromkeys(capabilities))
        awaited: list[asyncio.Task[None]] = []
        soon = self._budget.free_within(LONGEST_WAIT) + len(self._fetches)
        for capability in wanted:
            self._entries[capability] = entry_id
            if self._is_current(capability):
                continue
            task = self._fetch(entry_id, capability)
            if task is not None and capability not in self._cached:
                awaited.append(task)
        if awaited := awaited[:soon]:
            await asyncio.wait(awaited, timeout=LONGEST_WAIT)
        return {capability: self.known(capability) for capability in wanted}

    # -------------------------------------------------------------- texts

    async def async_write_missing(
        self, writer: Summarizer | None = None, capabilities: Iterable[str] = ()
    ) -> int:
        """Add missing summaries of capabilities; return the number of new summaries. Never raises.

        `capabilities`: ids to summarize in addition to the cached ones. Call this only while SAGE
        processes no command of a person.
        """
        found = 0
        for capability, entry_id in list(self._entries.items()):
            if self._may_ask_for_texts(capability):
                found += await self._async_fetch_texts(entry_id, capability)
        if writer is None:
            return found
        wanted = dict.fromkeys([*self._cached, *capabilities])
        nameless = [
            definition
            for capability in wanted
            if (definition := self.known(capability)).origin is TextOrigin.IDENTIFIER
            and (definition.commands or definition.attributes)
        ]
        return found + await self._written.async_write(nameless, writer)

    def _may_ask_for_texts(self, capability: str) -> bool:
        stored = self._cached.get(capability)
        return (
            stored is not None
            and stored.texts is None
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
        pruned = _pruned(texts)
        self._refused_texts = 0 if pruned else self._refused_texts + 1
        if capability in self._cached:
            self._cached[capability] = replace(self._cached[capability], texts=pruned)
            self._parsed.pop(capability, None)
            self._changed()
        return int(bool(pruned.get("description")))

    # ------------------------------------------------------------ fetching

    def _is_current(self, capability: str) -> bool:
        stored = self._cached.get(capability)
        return stored is not None and 0 <= _now() - stored.fetched < MAX_AGE.total_seconds()

    def _fetch(self, entry_id: str, capability: str) -> asyncio.Task[None] | None:
        """Start the fetch of a capability and return its task, or the task that is already running.

        None if the capability must not be requested now.
        """
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
        before = self._cached.get(capability)
        self._cached[capability] = _StoredDefinition(
            data=dict(data), fetched=_now(), texts=before.texts if before else None
        )
        self._parsed.pop(capability, None)
        self._changed()

    def _pause(self, error: CloudError) -> None:
        if (seconds := _PAUSES.get(error.kind)) is not None:
            self._budget.pause(error.retry_after or seconds)

    def _made(self, capability: str) -> Definition:
        stored = self._cached.get(capability)
        definition = parse_definition(capability, stored.data) if stored else None
        if stored is None or definition is None:
            return replace(
                named_definition(capability), summary=summary_from_identifier(capability)
            )
        definition = with_texts(definition, stored.texts)
        if text := description_of(stored.texts) or description_of(stored.data):
            return replace(definition, summary=text, origin=TextOrigin.API)
        return replace(definition, summary=summary_from_identifier(capability))

    # ------------------------------------------------------------- keeping

    @callback
    def _changed(self) -> None:
        self._store.async_delay_save(self._stored, _SAVE_DELAY)

    def _stored(self) -> dict[str, Any]:
        return {
            "definitions": {
                capability: {"data": stored.data, "fetched": stored.fetched, "texts": stored.texts}
                for capability, stored in self._cached.items()
            },
            "summaries": self._written.stored(),
        }


def _pruned(texts: object) -> dict[str, Any]:
    """Return the JSON of descriptions, reduced to the keys named `description`."""
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
    """A rate limit: at most `a_minute` requests in any 60 seconds; more requests wait in order."""

    def __init__(self, a_minute: int) -> None:
        """Allow at most `a_minute` requests in any 60 seconds."""
        self._a_minute = a_minute
        self._taken: deque[float] = deque(maxlen=a_minute)
        self._paused_until = 0.0
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def wait(self) -> float:
        """Seconds until the next request may be sent; 0 if it may be sent now."""
        now = time.monotonic()
        full = len(self._taken) == self._a_minute
        free = self._taken[0] + _MINUTE if full else now
        return max(free, self._paused_until, now) - now

    @property
    def is_paused(self) -> bool:
        """Whether requests are currently paused by `pause`."""
        return self._paused_until > time.monotonic()

    def free_within(self, seconds: float) -> int:
        """Return the number of further requests that may be sent within the next `seconds`."""
        now = time.monotonic()
        if self._paused_until > now + seconds:
            return 0
        recent = sum(taken + _MINUTE > now + seconds for taken in self._taken)
        return max(0, self._a_minute - recent - self._waiting)

    def pause(self, seconds: float) -> None:
        """Allow no request for the next `seconds`."""
        self._paused_until = max(self._paused_until, time.monotonic() + seconds)

    async def async_take(self) -> None:
        """Wait until a request may be sent, then count it."""
        self._waiting += 1
        try:
            async with self._turn:
                # Check again after the sleep: a pause may have started meanwhile.
                while (seconds := self.wait) > 0:  # noqa: ASYNC110
                    await asyncio.sleep(seconds)
                self._taken.append(time.monotonic())
        finally:
            self._waiting -= 1
