"""The classification by the language model how risky it is to control entities.

A background task classifies at start and after changes, such as new entities or names.
Administrators see the level of an entity with its reason.
"""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import batched
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Event, HassJob, HomeAssistant, callback, split_entity_id
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.event import async_call_later

from ...helpers import Work, async_in_slices
from ...people import HOUSEHOLD
from ..home_types import RiskClass
from .consequences import effects_of
from .gate import GATE_CHANGED, Gate
from .risk import RESOLVED_DOMAINS, needs_verdict, worst_risk
from .risk_levels import BATCH, Level, integration_of, levels_of

SETTLE_SECONDS: Final = 2.0  # seconds to wait after a change, to handle several changes together
_RETRY_SECONDS: Final = 600.0  # seconds to wait if the model did not classify all

_BUTTONS: Final = frozenset({"button", "input_button"})

type ClassifyAll = Callable[[Sequence[str]], Awaitable[bool]]
"""Lets the model classify the unclassified of these entities; returns False without it."""


class RiskClassification:
    """Background task in which the model classifies the risk of unclassified entities.

    It covers the exposed entities, and those that exposed scripts, groups and automations affect.
    """

    def __init__(
        self, hass: HomeAssistant, entry: ConfigEntry[Any], gate: Gate, classify: ClassifyAll
    ) -> None:
        """Prepare the classification; `start` runs it as a background task of the config entry."""
        self._hass = hass
        self._entry = entry
        self._gate = gate
        self._classify = classify
        self._unsubscribe: list[Callable[[], None]] = []
        self._stop_timer: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    @callback
    def start(self) -> None:
        """Classify all unclassified entities, now and after each change of an entity."""
        bus = self._hass.bus
        self._unsubscribe = [
            async_dispatcher_connect(self._hass, GATE_CHANGED, self.request),
            bus.async_listen(ar.EVENT_AREA_REGISTRY_UPDATED, self.request),
            bus.async_listen("automation_reloaded", self.request),
        ]
        self._begin()

    @callback
    def stop(self) -> None:
        """Stop listening and classifying."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    @callback
    def request(self, _: Event[Any] | None = None) -> None:
        """Classify all unclassified entities, 2 seconds from now."""
        self._wait(SETTLE_SECONDS)

    def _wait(self, seconds: float) -> None:
        if not self._unsubscribe:
            return
        if self._stop_timer is not None:
            self._stop_timer()
        job = HassJob(self._begin, "sage risk classification", cancel_on_shutdown=True)
        self._stop_timer = async_call_later(self._hass, seconds, job)

    @callback
    def _begin(self, _: datetime | None = None) -> None:
        self._stop_timer = None
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
        await self._gate.async_load_rights(HOUSEHOLD)
        exposed = sorted(self._gate.visible(HOUSEHOLD))
        pending = sorted(await async_in_slices(self._unclassified(exposed)))
        for batch in batched(pending, BATCH, strict=False):
            if not await self._classify(batch):
                break
        if not all(map(levels_of(self._hass).verdict, pending)):
            self._wait(_RETRY_SECONDS)

    def _unclassified(self, entity_ids: Iterable[str]) -> Work[set[str]]:
        found: set[str] = set()
        for entity_id in entity_ids:
            domain = split_entity_id(entity_id)[0]
            service = "press" if domain in _BUTTONS else "toggle"
            effects = effects_of(self._hass, entity_id, domain, service, {}, lambda _: None)
            found |= effects.unclassified
            yield
        return found


class DecidedBy(StrEnum):
    """The source of an entity's risk level."""

    HOUSEHOLD = "household"  # the choice of an administrator
    KIND = "kind"  # domain or device class
    EFFECTS = "effects"  # the entities that the script, scene, automation or group affects
    MODEL = "model"  # a classification by the model
    NOTHING = "nothing"  # no source: the entity is not classified yet and needs confirmation


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLevel:
    """The risk level of an entity and its reason."""

    level: Level
    """The level; `ASK` if at least one action needs confirmation, such as unlocking a lock."""

    by: DecidedBy
    choice: Level | None  # the household's choice
    automatic: Level  # the level without the household's choice
    risk: RiskClass | None
    """The worst risk of the entity's actions, without the household's choice; None: no risk."""

    reason: str  # the model's reason in the language of the home; empty unless `by` is `MODEL`


def level_of(hass: HomeAssistant, entity_id: str) -> EntityLevel:
    """Return the risk level of an entity and its reason."""
    levels = levels_of(hass)
    domain, by, reason = split_entity_id(entity_id)[0], DecidedBy.KIND, ""
    if domain in RESOLVED_DOMAINS or integration_of(hass, entity_id) == "group":
        service = "trigger" if domain == "automation" else "turn_on"
        by = DecidedBy.EFFECTS

        def choice_of(other_id: str) -> Level | None:
            return None if other_id == entity_id else levels.choice(other_id)

        risk = effects_of(hass, entity_id, domain, service, {}, choice_of).risk
    else:
        risk = worst_risk(hass, entity_id, choice=None)
        verdict = levels.verdict(entity_id)
        if not needs_verdict(hass, entity_id):
            pass
        elif verdict is None:
            by, risk = DecidedBy.NOTHING, risk or RiskClass.UNCLEAR
        elif verdict.risk is not None or risk is None:
            # Switching off a siren is risky even if the model classified the siren as harmless.
            by, risk, reason = DecidedBy.MODEL, verdict.risk, verdict.reason
    automatic = Level.FREE if risk is None else Level.ASK
    if risk is RiskClass.NEVER:
        automatic = Level.NEVER
    if (choice := levels.choice(entity_id)) is not None:
        by, reason = DecidedBy.HOUSEHOLD, ""
    return EntityLevel(
        level=choice or automatic,
        by=by,
        choice=choice,
        automatic=automatic,
        risk=risk,
        reason=reason,
    )
