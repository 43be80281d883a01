"""The classification by the language model how risky it is to control entities.

A background task classifies at start and after changes, such as new entities or names.
Administrators see the level of an entity with its reason.
"""

import asyncio
import contextvars
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import batched
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
from ...model.language_model import object_schema
from ...model.partial_json import first_object
from ...people.person import HOUSEHOLD
from ..home_types import RiskClass
from ..labels import quiet
from .consequences import effects_of
from .gate import ASSISTANT, Gate
from .risk import RESOLVED_DOMAINS, needs_verdict, worst_risk
from .risk_levels import (
    CLASSIFIABLE,
    ClassifiedEntity,
    Level,
    RiskLevels,
    RiskVerdict,
    integration_of,
    levels_of,
)

_LOGGER = logging.getLogger(__name__)

SETTLE_SECONDS: Final = 2.0
"""Seconds to wait after a change, to handle several changes together."""

FIRST_RETRY_SECONDS: Final = 60.0
_LONGEST_RETRY: Final = 3600.0

_BUTTONS: Final = frozenset({"button", "input_button"})
PROMPT: Final = "risk_level"
"""Name of the prompt with the instructions."""

BATCH: Final = 40
"""Maximum number of entities in one request of the background task."""

_NO_RISK: Final = "none"
_RISKS: Final[Mapping[str, RiskClass | None]] = {
    _NO_RISK: None,
    **{each.value: each for each in CLASSIFIABLE},
}
_VERDICT: Final = object_schema(
    {"reason": {"type": "string"}, "risk": {"type": "string", "enum": list(_RISKS)}}
)
_LONGEST_REASON: Final = 80
_TOKENS_EACH: Final = 96
_TOKENS_TO_THINK: Final = 1024


@dataclass(frozen=True, slots=True)
class RiskQuestion:
    """The question how risky it is to control some entities, and the reader of its reply."""

    subjects: Sequence[ClassifiedEntity]
    language: str
    """Language of the reasons."""

    @property
    def text(self) -> str:
        """The user message: one line of JSON for each entity."""
        lines = [json.dumps(each.facts, ensure_ascii=False) for each in self.subjects]
        return "\n".join((f"Language of the reasons: {self.language}", *lines))

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of the reply: entity id -> reason and risk."""
        return object_schema({each.entity_id: _VERDICT for each in self.subjects})

    @property
    def max_tokens(self) -> int:
        """Maximum length of the reply; a reply that is cut off leaves out the last entities."""
        return _TOKENS_TO_THINK + _TOKENS_EACH * min(len(self.subjects), BATCH)

    def verdicts(self, reply: str) -> Mapping[str, RiskVerdict]:
        """Return the model's verdicts: `ClassifiedEntity.key` -> risk class and reason.

        Entities without a valid verdict are left out.
        """
        parsed = _parsed(reply)
        verdicts = {each.key: _verdict(parsed.get(each.entity_id)) for each in self.subjects}
        return {key: verdict for key, verdict in verdicts.items() if verdict is not None}


def _parsed(text: str) -> Mapping[str, Any]:
    """Return the JSON object in a reply; if the reply is cut off, only the complete entries."""
    for whole in (text, text.rpartition("},")[0] + "}}"):
        parsed = first_object(whole) or {}
        # In a cut-off reply, `first_object` returns an entry instead of the whole object.
        if any(isinstance(value, Mapping) for value in parsed.values()):
            return parsed
    return {}


def _verdict(parsed: object) -> RiskVerdict | None:
    """Return the model's verdict on one entity, or None if it is invalid."""
    if not isinstance(parsed, Mapping) or not isinstance(risk := parsed.get("risk"), str):
        return None
    reason = parsed.get("reason")
    return RiskVerdict(
        # An unknown risk class counts as risky.
        risk=_RISKS.get(risk.strip().casefold(), RiskClass.UNCLEAR),
        reason=quiet(reason)[:_LONGEST_REASON] if isinstance(reason, str) else "",
    )


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
        self._retry_seconds = FIRST_RETRY_SECONDS
        self._unsubscribe: list[Callable[[], None]] = []
        self._stop_timer: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    @callback
    def start(self) -> None:
        """Classify all unclassified entities, now and after each change of an entity."""
        bus = self._hass.bus
        self._unsubscribe = [
            async_listen_entity_updates(self._hass, ASSISTANT, self.request),
            bus.async_listen(EVENT_STATE_CHANGED, self.request, event_filter=_comes),
            bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self.request),
            bus.async_listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, self.request),
            bus.async_listen(ar.EVENT_AREA_REGISTRY_UPDATED, self.request),
            bus.async_listen("automation_reloaded", self.request),
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
        pending = await self._async_pending()
        try:
            for batch in batched(pending, BATCH, strict=False):
                await self._classify(batch)
        except ClassifierError as err:
            _LOGGER.debug("The model is not available for a classification: %s", err)
        if all(self._levels.verdict(each) for each in pending):
            self._retry_seconds = FIRST_RETRY_SECONDS
            return
        self._wait(self._retry_seconds)
        self._retry_seconds = min(self._retry_seconds * 2, _LONGEST_RETRY)

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


_GROUP: Final = "group"


class DecidedBy(StrEnum):
    """The source of an entity's risk level."""

    HOUSEHOLD = "household"
    """The choice of an administrator."""
    KIND = "kind"
    """Domain or device class."""
    EFFECTS = "effects"
    """The entities that the script, scene, automation or group affects."""
    MODEL = "model"
    """A classification by the model."""
    NOTHING = "nothing"
    """No source: the entity is not classified yet and needs confirmation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelReason:
    """The risk level of an entity and its reason."""

    level: Level
    """The level; `ASK` if at least one action needs confirmation, such as unlocking a lock."""

    by: DecidedBy
    risk: RiskClass | None = None
    """The worst risk of the entity's actions; None without a risk."""

    reason: str = ""
    """The model's reason in the language of the home; empty unless `by` is `MODEL`."""


def level_reason(hass: HomeAssistant, entity_id: str) -> LevelReason:
    """Return the risk level of an entity and its reason."""
    if (choice := levels_of(hass).choice(entity_id)) is not None:
        return LevelReason(level=choice, by=DecidedBy.HOUSEHOLD)
    return automatic_reason(hass, entity_id)


def automatic_reason(hass: HomeAssistant, entity_id: str) -> LevelReason:
    """Return the risk level of an entity and its reason, ignoring the household's choice."""
    levels = levels_of(hass)

    def choice_of(other_id: str) -> Level | None:
        return None if other_id == entity_id else levels.choice(other_id)

    domain, by, reason = split_entity_id(entity_id)[0], DecidedBy.KIND, ""
    if domain in RESOLVED_DOMAINS or integration_of(hass, entity_id) == _GROUP:
        service = "trigger" if domain == "automation" else "turn_on"
        by = DecidedBy.EFFECTS
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
    level = Level.FREE if risk is None else Level.ASK
    return LevelReason(
        level=Level.NEVER if risk is RiskClass.NEVER else level, by=by, risk=risk, reason=reason
    )
