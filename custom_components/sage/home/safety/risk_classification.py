"""Background task in which the language model classifies how risky entities are.

It runs at start and after changes, such as new entities or names.
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import (
    Event,
    EventStateChangedData,
    HassJob,
    HomeAssistant,
    callback,
    split_entity_id,
)
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_call_later

from ...helpers.slices import Work, async_in_slices
from ...people.person import HOUSEHOLD
from .consequences import effects_of
from .gate import ASSISTANT, Gate
from .risk_levels import RiskLevels
from .risk_question import BATCH

_LOGGER = logging.getLogger(__name__)

_SMALLEST_BATCH: Final = 5
SETTLE_SECONDS: Final = 2.0
"""Seconds to wait after a change, to handle several changes together."""

FIRST_RETRY_SECONDS: Final = 60.0
_LONGEST_RETRY: Final = 3600.0

_BUTTONS: Final = frozenset({"button", "input_button"})
_OF_NAMES: Final = frozenset(
    {
        "name",
        "original_name",
        "aliases",
        "area_id",
        "device_id",
        "entity_id",
        "capabilities",
        "device_class",
        "original_device_class",
        "name_by_user",
        "model",
        "manufacturer",
    }
)
"""Registry fields that a classification is based on."""

type ClassifyAll = Callable[[Sequence[str]], Awaitable[None]]
"""Function that lets the model classify the unclassified ones of these entity ids.

Raises ClassifierError if the model is not available.
"""


class ClassifierError(Exception):
    """Raised when the model is not available; retry later."""


class RiskClassification:
    """Background task in which the model classifies the risk of unclassified entities.

    It covers the exposed entities, and those that exposed scripts, groups and automations affect.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry[Any],
        gate: Gate,
        levels: RiskLevels,
        classify: ClassifyAll,
    ) -> None:
        """Prepare the classification; `start` runs it as a background task of the config entry."""
        self._hass = hass
        self._entry = entry
        self._gate = gate
        self._levels = levels
        self._classify = classify
        self._batch = BATCH
        self._failures = 0
        self._unsubscribe: list[Callable[[], None]] = []
        self._stop_timer: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    @callback
    def start(self) -> None:
        """Classify all unclassified entities, now and after each change of an entity."""
        bus = self._hass.bus
        self._unsubscribe = [
            async_listen_entity_updates(self._hass, ASSISTANT, self.request),
            bus.async_listen(EVENT_STATE_CHANGED, self._changed, event_filter=_comes),
            bus.async_listen(
                er.EVENT_ENTITY_REGISTRY_UPDATED, self._changed, event_filter=_renames
            ),
            bus.async_listen(
                dr.EVENT_DEVICE_REGISTRY_UPDATED, self._changed, event_filter=_renames
            ),
            bus.async_listen(ar.EVENT_AREA_REGISTRY_UPDATED, self._changed),
            bus.async_listen("automation_reloaded", self._changed),
        ]
        self._begin()

    @callback
    def stop(self) -> None:
        """Stop listening and classifying."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        self.pause()

    @callback
    def pause(self) -> None:
        """Stop classifying until the next change of an entity or call of `request`."""
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    @callback
    def request(self) -> None:
        """Classify all unclassified entities, 2 seconds from now."""
        self._wait(SETTLE_SECONDS)

    @callback
    def _changed(self, _: Event[Any]) -> None:
        self.request()

    def _wait(self, seconds: float) -> None:
        if not self._unsubscribe:
            return
        if self._stop_timer is not None:
            self._stop_timer()
        job = HassJob(self._timer_ended, "sage risk classification", cancel_on_shutdown=True)
        self._stop_timer = async_call_later(self._hass, seconds, job)

    @callback
    def _timer_ended(self, _: datetime) -> None:
        self._stop_timer = None
        self._begin()

    def _begin(self) -> None:
        if self._task is not None and not self._task.done():
            # The running task may be past its last search, so schedule another one.
            self._wait(SETTLE_SECONDS)
            return
        # An empty context: the task must not inherit the context of the caller.
        self._task = contextvars.Context().run(
            self._entry.async_create_background_task,
            self._hass,
            self._async_work(),
            "sage risk classification",
        )

    async def _async_work(self) -> None:
        left_out: set[str] = set()
        while pending := [each for each in await self._async_pending() if each not in left_out]:
            batch = pending[: self._batch]
            try:
                await self._classify(batch)
            except ClassifierError as err:
                _LOGGER.debug("%d entities are not classified yet: %s", len(pending), err)
            unknown = [each for each in batch if self._levels.verdict(each) is None]
            left_out.update(unknown)
            if unknown == batch:
                break
            self._failures = 0
        if left_out:
            self._retry()

    def _retry(self) -> None:
        seconds = min(FIRST_RETRY_SECONDS * 2**self._failures, _LONGEST_RETRY)
        self._failures += 1
        self._batch = max(self._batch // 2, _SMALLEST_BATCH)
        self._wait(seconds)

    async def _async_pending(self) -> list[str]:
        await self._gate.async_load_rights(HOUSEHOLD)
        exposed = sorted(self._gate.visible(HOUSEHOLD))
        return sorted(await async_in_slices(self._unclassified(exposed)))

    def _unclassified(self, entity_ids: Iterable[str]) -> Work[set[str]]:
        found: set[str] = set()
        for entity_id in entity_ids:
            domain = split_entity_id(entity_id)[0]
            service = "press" if domain in _BUTTONS else "toggle"
            effects = effects_of(self._hass, entity_id, domain, service, {}, lambda _: None)
            found |= effects.unclassified
            yield
        return found


@callback
def _comes(data: EventStateChangedData) -> bool:
    return data["old_state"] is None


@callback
def _renames(data: Mapping[str, Any]) -> bool:
    return data["action"] == "update" and bool(_OF_NAMES & data["changes"].keys())
