"""Bring the demo home into a Home Assistant that runs already, such as that of a test."""

from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import load_yaml_dict

import custom_components

DOMAIN = "sage_demo_home"
COMPONENTS = Path(__file__).parent / "custom_components"
AROUND: dict[str, Any] = dict(load_yaml_dict(COMPONENTS / DOMAIN / "around.yaml"))


def make_importable() -> None:
    """Let Home Assistant's loader find the demo home in addition to SAGE."""
    if str(COMPONENTS) not in custom_components.__path__:
        # A plain list: the path of a namespace package would be computed again.
        custom_components.__path__ = [*custom_components.__path__, str(COMPONENTS)]


async def async_furnish(hass: HomeAssistant) -> None:
    """Set up rooms, appliances, scene, scripts and exposure.

    `make_importable` must have run before this Home Assistant first looked for custom integrations.
    """
    make_importable()
    for domain, config in AROUND.items():
        assert await async_setup_component(hass, domain, {domain: config})
    assert await async_setup_component(hass, DOMAIN, {DOMAIN: {}})
    await hass.async_block_till_done()
