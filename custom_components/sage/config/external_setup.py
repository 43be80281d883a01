"""Makes the sources outside the home from the configuration."""

from homeassistant.core import HomeAssistant

from ..external import External
from ..run.runtime import SageConfigEntry


async def async_make_external(hass: HomeAssistant, entry: SageConfigEntry) -> External:
    """Return the sources that the household has set up; sends no request."""
    external = External()
    entry.async_on_unload(external.async_close)
    return external
