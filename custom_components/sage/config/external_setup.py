"""Makes the sources outside the home from the configuration."""

from homeassistant.core import HomeAssistant

from ..external import External
from ..run.runtime import SageConfigEntry
from .guide_setup import async_keep_guides, async_make_guides, make_place_weather


async def async_make_external(hass: HomeAssistant, entry: SageConfigEntry) -> External:
    """Return the sources that the household has set up; sends no request."""
    guides = await async_make_guides(hass, entry)
    external = External(place_weather=make_place_weather(hass, entry), guides=guides)
    entry.async_on_unload(external.async_close)
    async_keep_guides(hass, entry, guides)
    return external
