"""Risk levels of entities: free, ask (needs confirmation) or never.

The household may choose the level of an entity. Otherwise, its domain and device class or the model
decide; an entity without any decision needs confirmation.
"""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from homeassistant.core import HomeAssistant, callback, split_entity_id
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import entity_sources
from homeassistant.util.hass_dict import HassKey

from ...model import first_object, object_schema
from ...storage import SmallStore
from ..home_types import RiskClass
from ..prompt_text import quiet

STORAGE_KEY: Final = "sage.risk_levels"
_STORAGE_VERSION: Final = 1
_SAVE_DELAY: Final = 5.0  # delay before saving, in seconds
_LONGEST: Final = 80  # maximum length of a name, option or reason, in characters
_OPTIONS: Final = 20
_ALIASES: Final = 6


class Level(StrEnum):
    """How freely SAGE may use an entity: at once, after confirmation, or never."""

    FREE = "free"
    ASK = "ask"
    NEVER = "never"


type ChoiceOf = Callable[[str], Level | None]
"""Returns the household's choice for an entity id; None without a choice."""

CLASSIFIABLE: Final = (
    RiskClass.UNLOCK,
    RiskClass.DISARM,
    RiskClass.OPEN,
    RiskClass.SECURITY_OFF,
    RiskClass.HEAT,
    RiskClass.LIFE,
    RiskClass.FOOD,
    RiskClass.NETWORK,
    RiskClass.MAINTENANCE,
    RiskClass.UNCLEAR,
)
"""The risk classes that the model may choose from."""

PROMPT: Final = "risk_level"  # name of the prompt with the instructions for the classification
BATCH: Final = 40  # number of entities for whose levels one reply has room
_RISKS: Final[Mapping[str, RiskClass | None]] = {
    "none": None,
    **{risk.value: risk for risk in CLASSIFIABLE},
}
_VERDICT: Final = object_schema(
    {"reason": {"type": "string"}, "risk": {"type": "string", "enum": list(_RISKS)}}
)
_TOKENS_EACH: Final = 96
_TOKENS_TO_THINK: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskVerdict:
    """The classification of an entity by the language model: its risk and the reason."""

    risk: RiskClass | None  # risk that needs confirmation; None if the entity is harmless
    reason: str = ""  # reason for the risk, as one short sentence for the household
    of: str = field(default="", compare=False)
    """Hash of all facts about the entity; the classification is outdated if another one holds."""

    chosen: str = field(default="", compare=False)
    """Hash of the names and area that the household chose.

    While the current hash is equal, a harmless classification cannot replace a risky one.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifiedEntity:
    """An entity with the facts from which the model classifies its risk."""

    key: str  # registry id, or `entity_id|name` for an unregistered entity
    entity_id: str
    facts: Mapping[str, Any]  # input for the model: names, device, area, integration, options
    chosen: tuple[object, ...]  # the facts that the household has chosen, such as a name or area

    @property
    def fingerprint(self) -> str:
        """Hash of all facts about the entity."""
        return _hash(self.facts)


type AskModel = Callable[..., Awaitable[str]]
"""Function that returns the model's reply: (name of the prompt, text, max_tokens=, schema=)."""


class RiskLevels:
    """The levels of all entities: choices of the household and classifications by the model."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty; `async_load` adds the classifications, `choose` the household's choices."""
        self._hass = hass
        self._store = SmallStore(hass, _STORAGE_VERSION, STORAGE_KEY)
        self._choices: dict[str, Level] = {}
        self._verdicts: dict[str, RiskVerdict] = {}
        self._classifying = asyncio.Lock()

    async def async_load(self) -> None:
        """Load the stored classifications, except invalid ones. Never raises."""
        for key, stored in (await self._store.async_load()).items():
            if (read := _read(stored)) is not None:
                self._verdicts.setdefault(key, read)

    async def async_save(self) -> None:
        """Save the classifications now."""
        await self._store.async_save(self._stored())

    # ------------------------------------------------------------- household

    @callback
    def choose(self, choices: Mapping[str, str]) -> None:
        """Set the household's levels by registry id or entity id; unknown levels are ignored."""
        known = {level.value for level in Level}
        self._choices = {key: Level(each) for key, each in choices.items() if each in known}

    def choice(self, entity_id: str) -> Level | None:
        """Return the level that the household chose for an entity; None if it chose none."""
        if not self._choices:
            return None
        entry = er.async_get(self._hass).async_get(entity_id)
        by_id = self._choices.get(entry.id) if entry is not None else None
        return by_id or self._choices.get(entity_id)

    # -------------------------------------------------------------- verdicts

    def verdict(self, entity_id: str) -> RiskVerdict | None:
        """Return an entity's stored classification; None if none, or if a fact has changed."""
        subject = subject_of(self._hass, entity_id)
        verdict = self._verdicts.get(subject.key)
        return verdict if verdict and verdict.of == subject.fingerprint else None

    async def async_classify(self, entity_ids: Iterable[str], ask: AskModel) -> None:
        """Let the model classify those of the entities that have no classification, in one call.

        Entities without a valid verdict in the reply stay unclassified. Only one call is under way
        at a time, so that the model is not asked twice about an entity.
        """
        async with self._classifying:
            unknown = [each for each in entity_ids if self.verdict(each) is None]
            if not unknown:
                return
            subjects = [subject_of(self._hass, entity_id) for entity_id in unknown]
            facts = [json.dumps(subject.facts, ensure_ascii=False) for subject in subjects]
            reply = await ask(
                PROMPT,
                "\n".join((f"Language of the reasons: {self._hass.config.language}", *facts)),
                # A reply that is cut off leaves out the last entities.
                max_tokens=_TOKENS_TO_THINK + _TOKENS_EACH * min(len(subjects), BATCH),
                schema=object_schema({subject.entity_id: _VERDICT for subject in subjects}),
            )
            verdicts = _verdicts(reply)
            for subject in subjects:
                if (verdict := verdicts.get(subject.entity_id)) is not None:
                    self.note(subject, verdict)

    @callback
    def note(self, subject: ClassifiedEntity, verdict: RiskVerdict) -> None:
        """Store the model's classification of an entity.

        A harmless classification replaces a risky one only if the household has renamed or moved
        the entity or its device.
        """
        before, chosen = self._verdicts.get(subject.key), _hash(subject.chosen)
        # A new name from an integration must not lower a level.
        if before and before.risk and not verdict.risk and before.chosen == chosen:
            verdict = before
        self._verdicts[subject.key] = replace(verdict, of=subject.fingerprint, chosen=chosen)
        self._store.async_delay_save(self._stored, _SAVE_DELAY)

    def _stored(self) -> dict[str, Any]:
        return {key: asdict(each) for key, each in self._verdicts.items() if self._is_current(key)}

    def _is_current(self, key: str) -> bool:
        entity_id, bar, _ = key.partition("|")
        if bar:
            return subject_of(self._hass, entity_id).key == key
        return er.async_get(self._hass).entities.get_entry(key) is not None


RISK_LEVELS: Final[HassKey[RiskLevels]] = HassKey("sage_risk_levels")


@callback
def levels_of(hass: HomeAssistant) -> RiskLevels:
    """Return the risk levels of all entities; all callers share one object."""
    if (levels := hass.data.get(RISK_LEVELS)) is None:
        levels = hass.data[RISK_LEVELS] = RiskLevels(hass)
    return levels


def integration_of(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the domain of the integration that provides an entity; None if unknown."""
    if (entry := er.async_get(hass).async_get(entity_id)) is not None:
        return entry.platform
    source = entity_sources(hass).get(entity_id)
    return source["domain"] if source else None


def subject_of(hass: HomeAssistant, entity_id: str) -> ClassifiedEntity:
    """Return an entity with the facts for its classification: names, device, area, options."""
    entry = er.async_get(hass).async_get(entity_id)
    facts: dict[str, Any] = {"id": entity_id, "kind": split_entity_id(entity_id)[0]}
    if entry is None:
        state = hass.states.get(entity_id)
        key = f"{entity_id}|{state.name if state is not None else ''}"
        chosen: tuple[object, ...] = (state.name if state is not None else "",)
        facts |= {"name": _text(chosen[0]), "integration": integration_of(hass, entity_id)}
        options: Mapping[str, Any] = state.attributes if state is not None else {}
        device_class = options.get("device_class")
    else:
        device = dr.async_get(hass).async_get(entry.device_id) if entry.device_id else None
        names, chosen_names = _device_names(hass, device)
        area_id = entry.area_id or (device.area_id if device is not None else None)
        area = ar.async_get(hass).async_get_area(area_id) if area_id else None
        aliases = sorted(each for each in entry.aliases if isinstance(each, str))
        key, area_name = entry.id, area.name if area else None
        chosen = (entity_id, entry.name, aliases, chosen_names, area_name)
        facts |= {
            "name": _text(entry.name or entry.original_name),
            "aliases": _listed(aliases, _ALIASES),
            "device": names,
            "area": _text(area_name),
            "integration": entry.platform,
        }
        options = entry.capabilities or {}
        device_class = entry.device_class or entry.original_device_class
    facts |= {"device_class": device_class, "options": _listed(options.get("options"), _OPTIONS)}
    known = {name: value for name, value in facts.items() if value}
    return ClassifiedEntity(key=key, entity_id=entity_id, facts=known, chosen=chosen)


def _device_names(
    hass: HomeAssistant, device: dr.AnyDeviceEntry | None
) -> tuple[list[str], list[str | None]]:
    """Return a device's and its parents' names with makers and models, and the chosen names."""
    names: list[str] = []
    chosen: list[str | None] = []
    while device is not None:
        names.append(_text(device.name_by_user or device.name))
        chosen.append(device.name_by_user)
        if isinstance(device, dr.DeviceEntry):
            names += [_text(device.manufacturer), _text(device.model)]
            break
        device = dr.async_get(hass).async_get(device.parent_device_id)
    return [name for name in names if name], chosen


def _text(text: object) -> str:
    return quiet(str(text))[:_LONGEST] if text else ""


def _listed(values: object, most: int) -> list[str]:
    if not isinstance(values, list | tuple | set | frozenset):
        return []
    return [_text(value) for value in list(values)[:most]]


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _read(stored: object) -> RiskVerdict | None:
    match stored:
        case {
            "risk": risk,
            "reason": str() as reason,
            "of": str() as of,
            "chosen": str() as chosen,
        } if risk is None or risk in CLASSIFIABLE:
            kind = RiskClass(risk) if risk else None
            return RiskVerdict(risk=kind, reason=reason, of=of, chosen=chosen)
    return None


def _verdicts(reply: str) -> Mapping[str, RiskVerdict]:
    """Return the valid verdicts in the model's reply: entity id -> risk class and reason."""
    verdicts: dict[str, RiskVerdict] = {}
    for entity_id, parsed in _parsed(reply).items():
        if not isinstance(parsed, Mapping) or not isinstance(risk := parsed.get("risk"), str):
            continue
        reason = parsed.get("reason")
        verdicts[entity_id] = RiskVerdict(
            # An unknown risk class counts as risky.
            risk=_RISKS.get(risk.strip().casefold(), RiskClass.UNCLEAR),
            reason=_text(reason) if isinstance(reason, str) else "",
        )
    return verdicts


def _parsed(text: str) -> Mapping[str, Any]:
    """Return the JSON object in a reply; if the reply is cut off, only the complete entries."""
    for whole in (text, text.rpartition("},")[0] + "}}"):
        parsed = first_object(whole) or {}
        # In a cut-off reply, `first_object` returns an entry instead of the whole object.
        if any(isinstance(value, Mapping) for value in parsed.values()):
            return parsed
    return {}
