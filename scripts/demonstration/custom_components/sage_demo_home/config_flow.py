"""The demo home is set up by one line of YAML: `sage_demo_home:`."""

from typing import Any

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult

from .const import DOMAIN


class DemoHomeFlow(ConfigFlow, domain=DOMAIN):
    """Make the one entry, without asking anything."""

    async def async_step_import(self, import_data: dict[str, Any]) -> ConfigFlowResult:
        return self.async_create_entry(title="Demo home", data={})
