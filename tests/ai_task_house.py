"""The Ollama integration of Home Assistant, with an AI Task entity at the fake model server."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.fake_model_server import FakeModelServer

AI_TASK = "ai_task.ollama"


async def async_add_ollama(
    hass: HomeAssistant, server: FakeModelServer, *, model: str = "test-model"
) -> MockConfigEntry:
    """Set up Ollama; its AI Task entity is AI_TASK."""
    assert await async_setup_component(hass, "conversation", {})
    entry = MockConfigEntry(
        domain="ollama",
        version=3,
        minor_version=3,
        title="Ollama",
        data={"url": server.ollama_url},
        subentries_data=[
            {
                "data": {"model": model},
                "subentry_type": "ai_task_data",
                "title": "Ollama",
                "unique_id": None,
            }
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert hass.states.get(AI_TASK) is not None
    return entry


def key_of(hass: HomeAssistant) -> str:
    row = er.async_get(hass).async_get(AI_TASK)
    assert row is not None
    return row.id
