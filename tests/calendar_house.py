"""Calendars of Home Assistant's `local_calendar`, filled from iCalendar text."""

from collections.abc import Iterable
from pathlib import Path

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import slugify
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.ical_text import calendar_text


async def async_add_calendar(
    hass: HomeAssistant, name: str, events: Iterable[str] = (), *, is_exposed: bool = True
) -> str:
    """Add a calendar with these events; return its entity id."""
    path = Path(hass.config.path(f".storage/local_calendar.{slugify(name)}.ics"))

    def write() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(calendar_text(events), encoding="utf-8")

    await hass.async_add_executor_job(write)
    assert await async_setup_component(hass, "calendar", {})
    entry = MockConfigEntry(
        domain="local_calendar",
        title=name,
        data={"calendar_name": name, "storage_key": slugify(name)},
    )
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    entity_id = f"calendar.{slugify(name)}"
    async_expose_entity(hass, "conversation", entity_id, is_exposed)
    return entity_id
