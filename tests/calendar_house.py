"""Calendars of Home Assistant's `local_calendar`, filled from iCalendar text."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.components.calendar.const import DATA_COMPONENT
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


class _Events(CalendarEntity):
    """A calendar that returns its events unchanged."""

    _attr_should_poll = False

    def __init__(self, name: str, events: Sequence[CalendarEvent]) -> None:
        self.entity_id = f"calendar.{slugify(name)}"
        self._attr_name = name
        self._events = list(events)

    @property
    def event(self) -> CalendarEvent | None:
        return None

    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        return self._events


async def async_add_events(hass: HomeAssistant, name: str, events: Sequence[CalendarEvent]) -> None:
    """Add a calendar that returns these events for every period."""
    assert await async_setup_component(hass, "calendar", {})
    await hass.data[DATA_COMPONENT].async_add_entities([_Events(name, events)])
    async_expose_entity(hass, "conversation", f"calendar.{slugify(name)}", True)
    await hass.async_block_till_done()
