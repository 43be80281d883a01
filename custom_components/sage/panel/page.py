"""The page in the sidebar: the built frontend, registered as a custom panel for every user."""

import hashlib
from pathlib import Path
from typing import Final

from homeassistant.components.frontend import DATA_PANELS, async_remove_panel
from homeassistant.components.http.server import StaticPathConfig
from homeassistant.components.panel_custom import async_register_panel
from homeassistant.core import HomeAssistant, callback

from ..const import DOMAIN

_FILE: Final = Path(__file__).with_name("sage_panel.js")
_FRONTEND: Final = "frontend"
_TITLE: Final = "SAGE"
_ICON: Final = "mdi:home-heart"


async def async_add_page(hass: HomeAssistant) -> None:
    """Add the page to the sidebar, unless it is there or Home Assistant has no frontend.

    The address of the file contains a hash of its content, so that browsers may cache it.
    """
    if _FRONTEND not in hass.config.components or DOMAIN in hass.data[DATA_PANELS]:
        return
    content = await hass.async_add_executor_job(_FILE.read_bytes)
    address = f"/sage_static/{hashlib.sha256(content).hexdigest()[:16]}.js"
    await hass.http.async_register_static_paths(
        [StaticPathConfig(address, str(_FILE), cache_headers=True)]
    )
    await async_register_panel(
        hass,
        frontend_url_path=DOMAIN,
        webcomponent_name="sage-panel",
        sidebar_title=_TITLE,
        sidebar_icon=_ICON,
        module_url=address,
    )


@callback
def async_remove_page(hass: HomeAssistant) -> None:
    """Remove the page from the sidebar."""
    if _FRONTEND in hass.config.components:
        async_remove_panel(hass, DOMAIN, warn_if_unknown=False)
