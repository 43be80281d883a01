"""Find pipelines that answer sentences before SAGE gets them.

A pipeline that prefers local intents handles sentences with the built-in agent, which unlocks a
door without confirmation. A repair issue reports such a pipeline and can change it.
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
    """Check the pipelines now and after each change, until the entry is unloaded.

    Call it after the agents' entities were added. Pipelines may load after SAGE, or never.
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
    """Create an issue for each pipeline that bypasses SAGE; delete all other such issues."""
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
    """Let a pipeline ask its agent first: switch off its preference for local intents."""
    # A local import: SAGE does not depend on pipelines. At this point the module is loaded.
    from homeassistant.components.assist_pipeline import async_update_pipeline  # noqa: PLC0415

    for pipeline in _pipelines(hass):
        if pipeline.id == pipeline_id:
            await async_update_pipeline(hass, pipeline, prefer_local_intents=False)


@callback
def _async_keep_issues(hass: HomeAssistant, kept: set[str]) -> None:
    for domain, issue_id in list(ir.async_get(hass).issues):
        if domain == DOMAIN and issue_id.startswith(_ISSUE) and issue_id not in kept:
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
