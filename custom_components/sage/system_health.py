"""Information about SAGE for the system health page."""

from typing import Any

from homeassistant.components.system_health import (
    SystemHealthRegistration,
    async_check_can_reach_url,
)
from homeassistant.core import HomeAssistant, callback

from .config.connection import household_connection, state_of_ai_task
from .const import (
    CONF_EMBEDDINGS,
    DOMAIN,
    EMBEDDINGS_BUILTIN,
    EMBEDDINGS_SERVER,
    SUBENTRY_AGENT,
)
from .memory.memory_json import async_people_figures
from .routines.api.routine_json import routine_figures
from .routines.routine_types import Status


@callback
def async_register(hass: HomeAssistant, register: SystemHealthRegistration) -> None:
    """Register SAGE's information for the system health page."""
    register.async_register_info(_async_info)


async def _async_info(hass: HomeAssistant) -> dict[str, Any]:
    entries = hass.config_entries.async_loaded_entries(DOMAIN)
    if not entries:
        return {}
    connection = household_connection(entries[0])
    memory = entries[0].runtime_data.memory
    people = await async_people_figures(memory)
    routines = routine_figures(entries[0].runtime_data.routines)
    return {
        "model": connection.model,
        "decision_formats": ", ".join(connection.formats),
        "agents": sum(
            each.subentry_type == SUBENTRY_AGENT for each in entries[0].subentries.values()
        ),
        "memories": sum(each.get("memories", 0) for each in people),
        "memory_files": len(people),
        "memory_files_unusable": sum("error" in each for each in people),
        "vectors_waiting": await memory.vectors.async_missing(),
        "embeddings": (
            EMBEDDINGS_SERVER if CONF_EMBEDDINGS in entries[0].options else EMBEDDINGS_BUILTIN
        ),
        "routines": routines.get("error") or routines["count"],
        "routines_watching": routines["by_status"].get(Status.WATCHING, 0)
        if "by_status" in routines
        else "-",
        "sandbox": routines.get("sandbox") or "-",
        "reach_model_server": (
            state_of_ai_task(hass, connection.ai_task)
            if connection.ai_task
            else async_check_can_reach_url(hass, f"{connection.base_url}/models")
        ),
    }
