"""A furnished home for the demonstration and the tests of SAGE; never shipped.

Its devices are real entities of real platforms, with registry rows, devices, areas and exposure;
only the metal is missing. `sage_demo_home.inject` plays the world: a door opens, a machine ends.
"""

import probatio
from homeassistant.config_entries import SOURCE_IMPORT, ConfigEntry
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.entity_platform import async_get_platforms
from homeassistant.helpers.typing import ConfigType

from .const import DOMAIN
from .furnish import furnish
from .furniture import APPLIANCES
from .thing import DemoThing

PLATFORMS = sorted({thing.domain for appliance in APPLIANCES for thing in appliance.things})
CONFIG_SCHEMA = cv.empty_config_schema(DOMAIN)
INJECT = probatio.Schema(
    {probatio.Required("entity_id"): cv.entity_id, probatio.Required("values"): dict}
)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Make the entry when YAML asks for the home, and offer the service."""

    async def inject(call: ServiceCall) -> None:
        _thing(hass, call.data["entity_id"]).become(**call.data["values"])

    hass.services.async_register(DOMAIN, "inject", inject, INJECT)
    if DOMAIN in config and not hass.config_entries.async_entries(DOMAIN):
        hass.async_create_task(
            hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_IMPORT}, data={})
        )
    return True


async def async_setup_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Bring the appliances in."""
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    if not entry.data.get("furnished"):
        furnish(hass)
        hass.config_entries.async_update_entry(entry, data={"furnished": True})
    return True


async def async_unload_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Clear the home."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


def _thing(hass: HomeAssistant, entity_id: str) -> DemoThing:
    for platform in async_get_platforms(hass, DOMAIN):
        thing = platform.entities.get(entity_id)
        if isinstance(thing, DemoThing):
            return thing
    raise ServiceValidationError(f"The demo home has no {entity_id}.")
