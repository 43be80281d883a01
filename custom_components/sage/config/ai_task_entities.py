"""List the AI Task entities that SAGE can use, and report removed ones as repair issues."""

from collections.abc import Iterator

from homeassistant.components.ai_task import AITaskEntity, AITaskEntityFeature
from homeassistant.components.ai_task.const import DATA_COMPONENT
from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.loader import async_get_loaded_integration

from ..const import DOMAIN, SUBENTRY_AGENT
from ..model.language_model import ModelError, ModelErrorKind
from ..run.fall_back import async_report_model_error
from ..run.runtime import SageConfigEntry
from .connection import Connection, agent_connection, household_connection
from .flow_forms import entity_key


@callback
def offered_ai_tasks(hass: HomeAssistant) -> dict[str, str]:
    """Return the AI Task entities that SAGE can use: key -> display name.

    The key is the registry id, or else the entity id. SAGE's own entities are left out.
    """
    component = hass.data.get(DATA_COMPONENT)
    entities: list[AITaskEntity] = list(component.entities) if component is not None else []
    return {
        entity_key(
            hass, each.entity_id
        ): f"{_name(hass, each.entity_id)} ({_integration(hass, each)})"
        for each in sorted(entities, key=lambda each: each.entity_id)
        if AITaskEntityFeature.GENERATE_DATA in each.supported_features
        # SAGE must not call itself.
        and each.platform.platform_name != DOMAIN
    }


@callback
def ai_task_name(hass: HomeAssistant, key: str) -> str:
    """Return the name of an AI Task entity, or `key` if the entity does not exist.

    `key`: registry id or entity id.
    """
    entity_id = er.async_resolve_entity_id(er.async_get(hass), key)
    return key if entity_id is None else _name(hass, entity_id)


def error_of(err: ModelError, *, is_ai_task: bool) -> str:
    """Return the translation key of the form error that explains `err`.

    `is_ai_task`: whether the tested model is an AI Task entity.
    """
    is_away = is_ai_task and err.kind is ModelErrorKind.UNREACHABLE
    return "ai_task_unavailable" if is_away else err.kind.value


@callback
def state_of_ai_task(hass: HomeAssistant, key: str) -> str:
    """Return `ok`, `unavailable` or `removed` for an AI Task entity.

    `key`: registry id or entity id.
    """
    entity_id = er.async_resolve_entity_id(er.async_get(hass), key)
    if entity_id is None:
        return "removed"
    state = hass.states.get(entity_id)
    return STATE_UNAVAILABLE if state is None or state.state == STATE_UNAVAILABLE else "ok"


@callback
def async_watch_ai_tasks(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Create a repair issue when an AI Task entity that SAGE uses is missing.

    Checks now and after each removal of an AI Task entity, until the entry is unloaded.
    """

    @callback
    def check(_: Event[er.EventEntityRegistryUpdatedData] | None = None) -> None:
        registry = er.async_get(hass)
        for used in _used(entry):
            if er.async_resolve_entity_id(registry, used.ai_task) is None:
                async_report_model_error(hass, entry, ModelErrorKind.AI_TASK_GONE, used.model)

    @callback
    def is_removal(data: er.EventEntityRegistryUpdatedData) -> bool:
        return data["action"] == "remove" and data[ATTR_ENTITY_ID].startswith("ai_task.")

    if any(_used(entry)):
        check()
        entry.async_on_unload(
            hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, check, event_filter=is_removal)
        )


def _used(entry: SageConfigEntry) -> Iterator[Connection]:
    """Yield the connections (of the household and of agents) whose model is an AI Task entity."""
    agents = (
        agent_connection(entry, each.data)
        for each in entry.subentries.values()
        if each.subentry_type == SUBENTRY_AGENT
    )
    yield from (each for each in (household_connection(entry), *agents) if each.ai_task)


def _name(hass: HomeAssistant, entity_id: str) -> str:
    state = hass.states.get(entity_id)
    return entity_id if state is None else state.name


def _integration(hass: HomeAssistant, entity: AITaskEntity) -> str:
    return async_get_loaded_integration(hass, entity.platform.platform_name).name
