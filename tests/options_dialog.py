"""The options of SAGE as somebody in front of the browser meets them."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

MENU = ["household", "satellites", "memory", "photo_server", "speakers", "calendars", "contacts"]


class Options:
    """The options as somebody in front of the browser meets them."""

    def __init__(self, hass: HomeAssistant, entry: MockConfigEntry) -> None:
        self.hass = hass
        self.entry = entry

    async def open(self, step: str) -> Any:
        menu = await self.hass.config_entries.options.async_init(self.entry.entry_id)
        assert menu["type"] is FlowResultType.MENU
        assert menu["menu_options"] == MENU
        return await self.enter(menu, next_step_id=step)

    async def enter(self, form: Any, **entered: Any) -> Any:
        result = await self.hass.config_entries.options.async_configure(form["flow_id"], entered)
        await self.hass.async_block_till_done(wait_background_tasks=True)
        return result


def defaults(form: Any) -> dict[str, Any]:
    return {
        str(field): field.default()
        for field in form["data_schema"].schema
        if callable(field.default)
    }


def fields(form: Any) -> set[str]:
    return {str(field) for field in form["data_schema"].schema}
