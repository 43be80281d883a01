"""Repair issues of voice pipelines in which Home Assistant's built-in agent answers before SAGE.

Such a pipeline prefers local intents. The built-in agent unlocks doors without confirmation.
"""

from typing import TYPE_CHECKING, Any, Final

from homeassistant.components.repairs import ConfirmRepairFlow, RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_COMPONENT_LOADED
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import EventComponentLoaded

from .const import DOMAIN

if TYPE_CHECKING:
    from homeassistant.components.assist_pipeline import Pipeline

_PIPELINE_ID: Final = "pipeline_id"
_ISSUE: Final = "prefers_local_intents_"
_PIPELINES: Final = "assist_pipeline"


@callback
def async_watch_pipelines(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Check all pipelines now and after each change of a pipeline, until unload.

    Call this after SAGE's conversation entities exist.
    """
    entry.async_on_unload(lambda: _async_keep_issues(hass, set()))

    @callback
    def loaded(event: Event[EventComponentLoaded] | None = None) -> None:
        if event is None or event.data["component"] == _PIPELINES:
            _async_listen(hass, entry)
            _async_check_pipelines(hass)

    if _PIPELINES in hass.config.components:
        loaded()
    else:
        entry.async_on_unload(hass.bus.async_listen(EVENT_COMPONENT_LOADED, loaded))


@callback
def _async_check_pipelines(hass: HomeAssistant) -> None:
    """Create a repair issue for each pipeline that asks the built-in agent before SAGE.

    Deletes the issues of all other pipelines.
    """
    agents = _agents(hass)
    warned: set[str] = set()
    for pipeline in _pipelines(hass):
        if pipeline.prefer_local_intents and pipeline.conversation_engine in agents:
            warned.add(_ISSUE + pipeline.id)
            ir.async_create_issue(
                hass,
                DOMAIN,
                _ISSUE + pipeline.id,
                data={_PIPELINE_ID: pipeline.id},
                is_fixable=True,
                severity=ir.IssueSeverity.WARNING,
                translation_key="prefers_local_intents",
                translation_placeholders={"pipeline": pipeline.name},
            )
    _async_keep_issues(hass, warned)


async def _async_ask_the_agent_first(hass: HomeAssistant, pipeline_id: str) -> None:
    """Switch off "prefer local intents" in a pipeline, so that SAGE answers first."""
    # Import here because SAGE does not depend on pipelines; the module is loaded already.
    from homeassistant.components.assist_pipeline import async_update_pipeline  # noqa: PLC0415

    for pipeline in _pipelines(hass):
        if pipeline.id == pipeline_id:
            await async_update_pipeline(hass, pipeline, prefer_local_intents=False)


@callback
def _async_keep_issues(hass: HomeAssistant, current_ids: set[str]) -> None:
    for domain, issue_id in list(ir.async_get(hass).issues):
        if domain == DOMAIN and issue_id.startswith(_ISSUE) and issue_id not in current_ids:
            ir.async_delete_issue(hass, DOMAIN, issue_id)


@callback
def _async_listen(hass: HomeAssistant, entry: ConfigEntry) -> None:
    async def changed(*_: Any) -> None:
        _async_check_pipelines(hass)

    store = getattr(hass.data.get(_PIPELINES), "pipeline_store", None)
    if store is not None:
        entry.async_on_unload(store.async_add_listener(changed))


def _agents(hass: HomeAssistant) -> set[str]:
    registry = er.async_get(hass)
    return {
        entity.entity_id
        for entry in hass.config_entries.async_entries(DOMAIN)
        for entity in er.async_entries_for_config_entry(registry, entry.entry_id)
        if entity.domain == "conversation"
    }


def _pipelines(hass: HomeAssistant) -> list[Pipeline]:
    if _PIPELINES not in hass.config.components:
        return []
    from homeassistant.components.assist_pipeline import async_get_pipelines  # noqa: PLC0415

    return async_get_pipelines(hass)


class _AskTheAgentFirst(RepairsFlow):
    """Fix flow that makes a voice pipeline ask SAGE before the built-in agent."""

    def __init__(self, pipeline_id: str) -> None:
        self._pipeline_id = pipeline_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Forward to the confirmation step."""
        return await self.async_step_confirm()

    async def async_step_confirm(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Ask for confirmation, then change the pipeline."""
        if user_input is None:
            issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
            return self.async_show_form(
                step_id="confirm",
                description_placeholders=issue.translation_placeholders if issue else None,
            )
        await _async_ask_the_agent_first(self.hass, self._pipeline_id)
        _async_check_pipelines(self.hass)
        return self.async_create_entry(data={})


async def async_create_fix_flow(
    hass: HomeAssistant,
    issue_id: str,
    data: dict[str, str | int | float | None] | None,
) -> RepairsFlow:
    """Return the fix flow for a repair issue, selected by a key in its `data`.

    Without a known key, the flow only asks for confirmation.
    """
    if data and _PIPELINE_ID in data:
        return _AskTheAgentFirst(str(data[_PIPELINE_ID]))
    return ConfirmRepairFlow()
