"""Executes simple commands, as Home Assistant's agent recognizes them, without the model."""

import logging
from dataclasses import replace
from functools import partial
from typing import Final

from homeassistant.config_entries import SOURCE_REAUTH, ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..agent import Run, SecondReplied
from ..const import DOMAIN
from ..helpers import show_issue
from ..home import Outcome, OutcomeKind
from ..model import ModelError, ModelErrorKind
from ..tools import Situation
from .plain_requests import async_execute_plainly, async_plain_request
from .runtime import SageConfigEntry

_LOGGER = logging.getLogger(__name__)

_MODEL_ISSUE: Final = "model_error_"

_NO_ISSUE: Final = frozenset(
    {
        ModelErrorKind.BROKEN_REPLY,
        ModelErrorKind.NO_FORMAT,
        ModelErrorKind.PROMPT_TOO_LONG,
        ModelErrorKind.REFUSED,
    }
)
"""Model errors that pass or concern one request; the others get a repair issue."""

_COMMANDS: Final = frozenset({"turn_on", "turn_off"})
_SET: Final = frozenset({"brightness_pct"})  # arguments that a command without the model may have
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
    if kind in _NO_ISSUE:
        return True
    issue_id = _MODEL_ISSUE + entry.entry_id
    is_new = ir.async_get(hass).async_get_issue(DOMAIN, issue_id) is None
    show_issue(hass, issue_id, f"model_{kind.value}", values={"model": model})
    if is_new:
        entry.async_on_unload(partial(async_clear_model_error, hass, entry))
    return is_new


@callback
def async_note_model(hass: HomeAssistant, entry: SageConfigEntry, run: Run) -> None:
    """Report that the second model replied in a run, or close the report once the first does."""
    if second := run.record.all(SecondReplied):
        async_report_model_error(hass, entry, second[-1].why, run.settings.model.name)
    elif ir.async_get(hass).async_get_issue(DOMAIN, _MODEL_ISSUE + entry.entry_id) is not None:
        calls = [step for step in run.record.tree() if step["kind"] == "model"]
        # Any reply shows that the model is available, even one that cannot be parsed.
        if calls and calls[-1]["usage"] is not None:
            async_clear_model_error(hass, entry)


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
    if async_report_model_error(situation.hass, entry, error.kind, name):
        # Log the error as text: a stored log record would keep the stack frames alive.
        _LOGGER.warning("No reply of the model: %s", str(error))
    situation.authority.has_model = False
    if not runtime.fall_back or situation.evidence.wrote or utterance.is_untrusted:
        return None
    # Nobody else can tell what a request in a conversation means.
    request = await async_plain_request(situation, replace(utterance, earlier=()))
    if request is None or request.command not in _COMMANDS or not request.arguments.keys() <= _SET:
        return None
    if any(
        each.partition(".")[0] not in _DOMAINS
        or situation.home.is_known_risk(each, request.command, request.arguments)
        for each in request.entity_ids
    ):
        return None
    if not (outcomes := await async_execute_plainly(situation, request)):
        return None
    is_refused = all(each.kind is OutcomeKind.REFUSED for each in outcomes)
    return None if is_refused else outcomes
