"""The assistants of Home Assistant (`assist_pipeline`), and whether SAGE answers in them.

Two repair issues: no assistant uses SAGE; and Home Assistant's built-in agent, which unlocks doors
without confirmation, answers before SAGE.
"""

from typing import TYPE_CHECKING, Any, Final

import probatio
from homeassistant.components.repairs import ConfirmRepairFlow, RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_COMPONENT_LOADED, MATCH_ALL
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.selector import SelectSelectorMode
from homeassistant.loader import async_get_loaded_integration
from homeassistant.setup import EventComponentLoaded

from ..const import CONF_ASSISTANT, DEFAULT_AGENT_NAME, DOMAIN
from ..helpers import show_issue
from .flow_parts import choice

if TYPE_CHECKING:
    from homeassistant.components.assist_pipeline import Pipeline

NEW_ASSISTANT: Final = "new"
NO_ASSISTANT: Final = "none"
"""Choices beside the ids of assistants: a new assistant, or none for now."""

_PIPELINE_ID: Final = "pipeline_id"
"""Key in the data of the repair issue about an assistant that asks the built-in agent first."""

_UNUSED_ISSUE: Final = "no_assistant"
_LOCAL_ISSUE: Final = "prefers_local_intents_"
_PIPELINES: Final = "assist_pipeline"


def has_assistants(hass: HomeAssistant) -> bool:
    """Return whether Home Assistant has assistants at all."""
    return bool(_pipelines(hass))


def open_assistants(hass: HomeAssistant) -> dict[str, str] | None:
    """Return id -> name of all assistants, the preferred one first; None if one uses SAGE."""
    agents = _agents(hass)
    is_used = any(pipeline.conversation_engine in agents for pipeline in _pipelines(hass))
    return None if is_used else _names(hass)


def _names(hass: HomeAssistant) -> dict[str, str]:
    preferred = _preferred(hass)
    pipelines = sorted(_pipelines(hass), key=lambda pipeline: pipeline is not preferred)
    return {pipeline.id: pipeline.name for pipeline in pipelines}


def assistant_form(hass: HomeAssistant) -> probatio.Schema:
    """Return a form that asks in which assistant SAGE shall answer."""
    names = _names(hass)
    others = {NEW_ASSISTANT: NEW_ASSISTANT, NO_ASSISTANT: NO_ASSISTANT}
    selector = choice(
        {**names, **others}, mode=SelectSelectorMode.LIST, translation_key=CONF_ASSISTANT
    )
    return probatio.Schema({probatio.Required(CONF_ASSISTANT, default=next(iter(names))): selector})


async def async_use_sage(hass: HomeAssistant, chosen: str) -> bool:
    """Let SAGE answer in an assistant, before Home Assistant's built-in agent.

    `chosen`: the id of an assistant, NEW_ASSISTANT for a copy of the preferred one, or
    NO_ASSISTANT. Return whether SAGE answers in it now: False if the assistant or SAGE's agent is
    missing.
    """
    agents, preferred = _agents(hass), _preferred(hass)
    if not agents or preferred is None:
        return False
    changes: dict[str, Any] = {
        "conversation_engine": agents[0],
        "conversation_language": MATCH_ALL,
        "prefer_local_intents": False,
    }
    if chosen == NEW_ASSISTANT:
        data = {key: value for key, value in preferred.to_json().items() if key != "id"}
        store = hass.data[_PIPELINES].pipeline_store
        await store.async_create_item({**data, "name": DEFAULT_AGENT_NAME, **changes})
        return True
    for pipeline in _pipelines(hass):
        if pipeline.id == chosen:
            await _assist(hass).async_update_pipeline(hass, pipeline, **changes)
            return True
    return False


# ------------------------------------------------------------ repair issues


@callback
def async_watch_assistants(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Check all assistants now and at each change; call this after SAGE's entities exist."""
    entry.async_on_unload(lambda: _async_keep_issues(hass, set()))

    async def changed(*_: Any) -> None:
        _async_check(hass)

    @callback
    def loaded(event: Event[EventComponentLoaded] | None = None) -> None:
        if event is None or event.data["component"] == _PIPELINES:
            store = getattr(hass.data.get(_PIPELINES), "pipeline_store", None)
            if store is not None:
                entry.async_on_unload(store.async_add_listener(changed))
            _async_check(hass)

    if _PIPELINES in hass.config.components:
        loaded()
    else:
        entry.async_on_unload(hass.bus.async_listen(EVENT_COMPONENT_LOADED, loaded))


@callback
def _async_check(hass: HomeAssistant) -> None:
    agents, current = _agents(hass), set[str]()
    if open_assistants(hass):
        current.add(_UNUSED_ISSUE)
        show_issue(hass, _UNUSED_ISSUE, _UNUSED_ISSUE, ir.IssueSeverity.WARNING, is_fixable=True)
    for pipeline in _pipelines(hass):
        if pipeline.conversation_engine in agents and pipeline.prefer_local_intents:
            current.add(_LOCAL_ISSUE + pipeline.id)
            show_issue(
                hass,
                _LOCAL_ISSUE + pipeline.id,
                "prefers_local_intents",
                ir.IssueSeverity.WARNING,
                {"pipeline": pipeline.name},
                data={_PIPELINE_ID: pipeline.id},
                is_fixable=True,
            )
    _async_keep_issues(hass, current)


@callback
def _async_keep_issues(hass: HomeAssistant, current_ids: set[str]) -> None:
    for domain, issue_id in list(ir.async_get(hass).issues):
        is_own = issue_id == _UNUSED_ISSUE or issue_id.startswith(_LOCAL_ISSUE)
        if domain == DOMAIN and is_own and issue_id not in current_ids:
            show_issue(hass, issue_id, None)


class _AskSageFirst(ConfirmRepairFlow):
    """Switches off "prefer handling commands locally" in an assistant, so that SAGE answers."""

    def __init__(self, pipeline_id: str) -> None:
        self._pipeline_id = pipeline_id

    async def async_step_confirm(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        for pipeline in _pipelines(self.hass) if user_input is not None else ():
            if pipeline.id == self._pipeline_id:
                change = _assist(self.hass).async_update_pipeline
                await change(self.hass, pipeline, prefer_local_intents=False)
        return await super().async_step_confirm(user_input)


class _UseSage(RepairsFlow):
    """Asks in which assistant SAGE shall answer."""

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        return await self.async_step_assistant()

    async def async_step_assistant(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        if not has_assistants(self.hass):
            return self.async_abort(reason="no_assistants")
        if user_input is None:
            return self.async_show_form(step_id="assistant", data_schema=assistant_form(self.hass))
        if not await async_use_sage(self.hass, user_input[CONF_ASSISTANT]):
            return self.async_abort(reason="not_now")
        return self.async_create_entry(data={})


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the fix flow for a repair issue; one that only informs asks for confirmation."""
    if issue_id == _UNUSED_ISSUE:
        return _UseSage()
    if data and _PIPELINE_ID in data:
        return _AskSageFirst(str(data[_PIPELINE_ID]))
    return ConfirmRepairFlow()


# ------------------------------------------------------------ Home Assistant


def _agents(hass: HomeAssistant) -> list[str]:
    """Return the entity ids of SAGE's agents, the first one of the household first."""
    registry = er.async_get(hass)
    return [
        entity_id
        for entry in hass.config_entries.async_entries(DOMAIN)
        for subentry_id in entry.subentries
        if (entity_id := registry.async_get_entity_id("conversation", DOMAIN, subentry_id))
    ]


def _assist(hass: HomeAssistant) -> Any:
    """Return the loaded integration of the assistants; its audio packages rule out an import."""
    return async_get_loaded_integration(hass, _PIPELINES).get_component()


def _pipelines(hass: HomeAssistant) -> list[Pipeline]:
    if _PIPELINES not in hass.config.components:
        return []
    pipelines: list[Pipeline] = _assist(hass).async_get_pipelines(hass)
    return pipelines


def _preferred(hass: HomeAssistant) -> Pipeline | None:
    if _PIPELINES not in hass.config.components:
        return None
    pipeline: Pipeline = _assist(hass).async_get_pipeline(hass)
    return pipeline
