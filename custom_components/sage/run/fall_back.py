"""Executes simple commands while the model is unavailable, and reports model errors.

Home Assistant's built-in agent recognizes the command; SAGE checks permissions and executes it.
"""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    ConversationInput,
)
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.config_entries import SOURCE_REAUTH, ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import intent
from homeassistant.helpers import issue_registry as ir

from ..agent import Utterance
from ..const import DOMAIN
from ..home import Command, HomeError, Outcome, OutcomeKind
from ..model import ModelError, ModelErrorKind
from ..tools import Situation
from .runtime import SageConfigEntry

_LOGGER = logging.getLogger(__name__)

_MODEL_ISSUE: Final = "model_error_"

_WORTH_AN_ISSUE: Final = frozenset(
    {
        ModelErrorKind.UNREACHABLE,
        ModelErrorKind.WRONG_ADDRESS,
        ModelErrorKind.CERTIFICATE,
        ModelErrorKind.TIMEOUT,
        ModelErrorKind.NO_CREDIT,
        ModelErrorKind.NO_TOOLS,
        ModelErrorKind.NO_SUCH_MODEL,
        ModelErrorKind.NOT_A_CHAT_MODEL,
        ModelErrorKind.RATE_LIMITED,
        ModelErrorKind.SERVER_ERROR,
        ModelErrorKind.AI_TASK_GONE,
        ModelErrorKind.AI_TASK_KEY,
    }
)
"""Persistent model errors, which get a repair issue."""

_COMMANDS: Final[Mapping[str, str]] = {
    intent.INTENT_TURN_ON: "turn_on",
    intent.INTENT_TURN_OFF: "turn_off",
    "HassLightSet": "turn_on",
}
"""Supported intent -> entity command."""

_SLOTS: Final = frozenset({"name", "area", "floor", "domain", "device_class", "brightness"})
"""Supported slots of an intent; an intent with other slots, such as a colour, is refused."""

_DOMAINS: Final = frozenset({"light", "switch", "fan", "input_boolean", "media_player"})
"""Domains in which on and off are unambiguous, unlike those of locks and covers."""


@callback
def async_report_model_error(
    hass: HomeAssistant, entry: ConfigEntry, kind: ModelErrorKind, model: str
) -> bool:
    """Report a model error to the household; return whether the caller should log it.

    - Refused API key: starts a reauthentication. Returns False if one was already running.
    - Persistent error, e.g. an unreachable server: creates a repair issue. Returns False if the
      config entry already had one.
    - Any other error: reports nothing and returns True.
    """
    if kind is ModelErrorKind.KEY_REFUSED:
        is_new = not any(entry.async_get_active_flows(hass, {SOURCE_REAUTH}))
        entry.async_start_reauth(hass)
        return is_new
    if kind not in _WORTH_AN_ISSUE:
        return True
    is_new = ir.async_get(hass).async_get_issue(DOMAIN, _MODEL_ISSUE + entry.entry_id) is None
    ir.async_create_issue(
        hass,
        DOMAIN,
        _MODEL_ISSUE + entry.entry_id,
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key=f"model_{kind.value}",
        translation_placeholders={"model": model},
    )
    if is_new:
        entry.async_on_unload(partial(async_clear_model_error, hass, entry))
    return is_new


@callback
def async_clear_model_error(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Delete the repair issue about the model: when it replies, and when the entry is unloaded."""
    if ir.async_get(hass).async_get_issue(DOMAIN, _MODEL_ISSUE + entry.entry_id) is not None:
        _LOGGER.info("The repair issue of the model is closed")
    ir.async_delete_issue(hass, DOMAIN, _MODEL_ISSUE + entry.entry_id)


async def async_fall_back(
    entry: SageConfigEntry, situation: Situation, error: ModelError
) -> tuple[Outcome, ...] | None:
    """Execute a simple command, e.g. "kitchen light off", without the model; return the outcomes.

    Reports the error of the model. The person confirms commands whose risk is unknown. Returns None
    for any other sentence, for a command that is known to be risky, and if all commands are refused
    or the run has changed something before.
    """
    runtime, utterance = entry.runtime_data, situation.run.utterance
    name = situation.run.settings.model.name
    runtime.runs.has_model_error = True
    if async_report_model_error(situation.hass, entry, error.kind, name):
        # Log the error as text: a stored log record would keep the stack frames alive.
        _LOGGER.warning("No reply of the model: %s", str(error))
    situation.authority.has_model = False
    if not runtime.fall_back or situation.evidence.wrote or utterance.is_untrusted:
        return None
    recognized = await _async_recognize(situation.hass, utterance)
    if recognized is None:
        return None
    name, slots = recognized
    command = _COMMANDS.get(name)
    if command is None or not slots.keys() <= _SLOTS:
        return None
    targets = _targets(situation.hass, slots, utterance.room)
    arguments = {"brightness_pct": slots["brightness"]} if "brightness" in slots else {}
    if not targets or any(
        situation.home.is_known_risk(each, command, arguments) for each in targets
    ):
        return None
    outcomes = await _async_execute(situation, targets, command, arguments)
    is_refused = outcomes and all(each.kind is OutcomeKind.REFUSED for each in outcomes)
    return None if is_refused else outcomes


async def _async_execute(
    situation: Situation, targets: Sequence[str], command: str, arguments: Mapping[str, Any]
) -> tuple[Outcome, ...] | None:
    """Execute `command` on the entities `targets`; return the outcomes.

    If one of the entities is hidden from the person, execute nothing and return None.
    """
    listing = await situation.home.async_listing()
    try:
        requests = [
            Command(
                device_id=listing.find(entity_id).device.id,
                component_id=entity_id,
                name=command,
                arguments=arguments,
            )
            for entity_id in targets
        ]
        return await situation.home.async_execute(requests)
    except HomeError:
        return None


async def _async_recognize(
    hass: HomeAssistant, utterance: Utterance
) -> tuple[str, dict[str, Any]] | None:
    """Return the intent of the utterance and its slots, or None if there is no exact match."""
    agent = async_get_agent(hass, HOME_ASSISTANT_AGENT)
    recognize = getattr(agent, "async_recognize_intent", None)
    if recognize is None:
        return None
    result = await recognize(
        ConversationInput(
            text=utterance.text,
            context=utterance.context,
            conversation_id=None,
            device_id=utterance.device_id,
            satellite_id=utterance.satellite_id,
            language=utterance.language,
            agent_id=HOME_ASSISTANT_AGENT,
        ),
        strict_intents_only=True,
    )
    if result is None or result.unmatched_entities:
        return None
    return result.intent.name, {each.name: each.value for each in result.entities_list}


def _targets(hass: HomeAssistant, slots: Mapping[str, Any], room: str | None) -> list[str]:
    """Return the ids of the entities that the slots of an intent name.

    Return [] if nothing matches, or if the domain of any entity is not in `_DOMAINS`.
    """
    constraints = intent.MatchTargetsConstraints(
        name=_text(slots.get("name")),
        area_name=_text(slots.get("area")),
        floor_name=_text(slots.get("floor")),
        domains={"light"} if "brightness" in slots else _texts(slots.get("domain")),
        device_classes=_texts(slots.get("device_class")),
        assistant="conversation",
    )
    if not constraints.has_constraints:
        return []
    here = ar.async_get(hass).async_get_area_by_name(room) if room else None
    preferences = intent.MatchTargetsPreferences(area_id=here.id if here else None)
    match = intent.async_match_targets(hass, constraints, preferences)
    if not match.is_match or any(state.domain not in _DOMAINS for state in match.states):
        return []
    return [state.entity_id for state in match.states]


def _text(value: object) -> str | None:
    return str(value) if value else None


def _texts(value: object) -> set[str] | None:
    if not value:
        return None
    return {str(item) for item in value} if isinstance(value, (list, set, tuple)) else {str(value)}
