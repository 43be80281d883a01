"""The built frontend: the page in everybody's sidebar, and the card for dashboards."""

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
    """Add page and card, unless they are there or Home Assistant has no frontend."""
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
    """Return the address of a file: with a hash of its content, so that browsers may cache it."""
    content = await hass.async_add_executor_job(file.read_bytes)
    address = f"{_FOLDER}{hashlib.sha256(content).hexdigest()[:16]}.js"
    await hass.http.async_register_static_paths(
        [StaticPathConfig(address, str(file), cache_headers=True)]
    )
    return address


@callback
def async_remove_page(hass: HomeAssistant) -> None:
    """Remove page and card."""
    if _FRONTEND not in hass.config.components:
        return
    async_remove_panel(hass, DOMAIN, warn_if_unknown=False)
    for address in hass.data[DATA_EXTRA_MODULE_URL].urls:
        if address.startswith(_FOLDER):
            remove_extra_js_url(hass, address)
