"""Register the built frontend: the sidebar panel for all users, and the dashboard card."""

import hashlib
from pathlib import Path
from typing import Final

from homeassistant.components.frontend import (
    DATA_EXTRA_MODULE_URL,
    DATA_PANELS,
    add_extra_js_url,
    async_remove_panel,
    remove_extra_js_url,
)
from homeassistant.components.http.server import StaticPathConfig
from homeassistant.components.panel_custom import async_register_panel
from homeassistant.core import HomeAssistant, callback

from ..const import DOMAIN

_PAGE: Final = Path(__file__).with_name("sage_panel.js")
_CARD: Final = Path(__file__).with_name("sage_card.js")
_FOLDER: Final = "/sage_static/"
_FRONTEND: Final = "frontend"
_TITLE: Final = "SAGE"
_ICON: Final = "mdi:home-heart"


async def async_add_page(hass: HomeAssistant) -> None:
    """Register the panel and the card.

    Do nothing if they are registered already, or if Home Assistant's frontend is not loaded.
    """
    if _FRONTEND not in hass.config.components or DOMAIN in hass.data[DATA_PANELS]:
        return
    await async_register_panel(
        hass,
        frontend_url_path=DOMAIN,
        webcomponent_name="sage-panel",
        sidebar_title=_TITLE,
        sidebar_icon=_ICON,
        module_url=await _async_serve(hass, _PAGE),
    )
    add_extra_js_url(hass, await _async_serve(hass, _CARD))


async def _async_serve(hass: HomeAssistant, file: Path) -> str:
    """Serve a file and return its URL path, which contains a hash of the content for caching."""
    content = await hass.async_add_executor_job(file.read_bytes)
    address = f"{_FOLDER}{hashlib.sha256(content).hexdigest()[:16]}.js"
    await hass.http.async_register_static_paths(
        [StaticPathConfig(address, str(file), cache_headers=True)]
    )
    return address


@callback
def async_remove_page(hass: HomeAssistant) -> None:
    """Remove the panel and the card."""
    if _FRONTEND not in hass.config.components:
        return
    async_remove_panel(hass, DOMAIN, warn_if_unknown=False)
    for address in hass.data[DATA_EXTRA_MODULE_URL].urls:
        if address.startswith(_FOLDER):
            remove_extra_js_url(hass, address)
