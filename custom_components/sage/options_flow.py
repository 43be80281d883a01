"""The household's options: its PIN, and what happens when the model is away."""

from typing import Any

import probatio
from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
from homeassistant.helpers.selector import (
    BooleanSelector,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from .const import CONF_CLEAR_PIN, CONF_FALL_BACK, CONF_PIN, CONF_PIN_HASH
from .people.pin import hash_pin, is_pin


class SageOptionsFlow(OptionsFlow):
    """One form. The PIN is kept as a salted hash only."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show the form, then keep what was entered."""
        errors: dict[str, str] = {}
        if user_input is not None:
            pin = user_input.get(CONF_PIN, "").strip()
            if not pin or is_pin(pin):
                return await self._async_keep(pin, user_input)
            errors[CONF_PIN] = "not_a_pin"
        return self.async_show_form(
            step_id="init", data_schema=self._form(user_input), errors=errors
        )

    async def _async_keep(self, pin: str, user_input: dict[str, Any]) -> ConfigFlowResult:
        options: dict[str, Any] = {CONF_FALL_BACK: user_input[CONF_FALL_BACK]}
        if pin:
            options[CONF_PIN_HASH] = await self.hass.async_add_executor_job(hash_pin, pin)
        elif self._pin_hash and not user_input.get(CONF_CLEAR_PIN):
            options[CONF_PIN_HASH] = self._pin_hash
        return self.async_create_entry(data=options)

    def _form(self, user_input: dict[str, Any] | None) -> probatio.Schema:
        fields: dict[Any, Any] = {
            probatio.Optional(CONF_PIN): TextSelector(
                TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="new-password")
            )
        }
        if self._pin_hash:
            fields[probatio.Optional(CONF_CLEAR_PIN, default=False)] = BooleanSelector()
        falls_back = (user_input or self.config_entry.options).get(CONF_FALL_BACK, True)
        fields[probatio.Required(CONF_FALL_BACK, default=falls_back)] = BooleanSelector()
        return probatio.Schema(fields)

    @property
    def _pin_hash(self) -> str | None:
        return self.config_entry.options.get(CONF_PIN_HASH)
