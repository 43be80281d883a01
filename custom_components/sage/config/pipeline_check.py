"""Report voice pipelines in which Home Assistant's built-in agent answers before SAGE.

Such a pipeline prefers local intents. The built-in agent unlocks doors without confirmation.
"""

from typing import TYPE_CHECKING, Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_COMPONENT_LOADED
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import EventComponentLoaded

from ..const import DOMAIN

if TYPE_CHECKING:
    from homeassistant.components.assist_pipeline import Pipeline

PIPELINE_ID: Final = "pipeline_id"
_ISSUE: Final = "prefers_local_intents_"
_PIPELINES: Final = "assist_pipeline"


@callback
def async_watch_pipelines(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Run `async_check_pipelines` now and after each change of a pipeline, until unload.

    Call this after SAGE's conversation entities exist.
    """
    entry.async_on_unload(lambda: _async_keep_issues(hass, set()))

    @callback
    def loaded(event: Event[EventComponentLoaded] | None = None) -> None:
        if event is None or event.data["component"] == _PIPELINES:
            _async_listen(hass, entry)
            async_check_pipelines(hass)

    if _PIPELINES in hass.config.components:
        loaded()
    else:
        entry.async_on_unload(hass.bus.async_listen(EVENT_COMPONENT_LOADED, loaded))


@callback
def async_check_pipelines(hass: HomeAssistant) -> None:
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
                data={PIPELINE_ID: pipeline.id},
                is_fixable=True,
                severity=ir.IssueSeverity.WARNING,
                translation_key="prefers_local_intents",
                translation_placeholders={"pipeline": pipeline.name},
            )
    _async_keep_issues(hass, warned)


async def async_ask_the_agent_first(hass: HomeAssistant, pipeline_id: str) -> None:
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
        async_check_pipelines(hass)

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
