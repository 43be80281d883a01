"""Makes the sources outside the home from the configuration."""

from homeassistant.core import HomeAssistant

from ..external import External
from ..external.calendars import Calendars
from ..home.home import Home
from ..run.runtime import SageConfigEntry


async def async_make_external(hass: HomeAssistant, entry: SageConfigEntry, home: Home) -> External:
    """Return the sources that the household has set up; sends no request."""
    external = External(calendars=Calendars(hass, home.gate))
    entry.async_on_unload(external.async_close)
    return external
