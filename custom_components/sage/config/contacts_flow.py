"""The subentry flow for adding or changing a person's CardDAV account."""

from collections.abc import Mapping
from typing import Any, Final

import probatio
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_PASSWORD, CONF_URL, CONF_USERNAME
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType
from yarl import URL

from ..const import CONF_USER
from ..external.contacts.carddav import CardDavError
from .external_setup import carddav_account
from .flow_forms import SECRET, async_people

_ADDRESS: Final = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))
_ACCOUNT: Final = TextSelector(TextSelectorConfig(autocomplete="username"))


class ContactsSubentryFlow(ConfigSubentryFlow):
    """Adds a person's CardDAV account or changes its password, if SAGE finds address books."""

    def __init__(self) -> None:
        self._errors: dict[str, str] = {}

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for the person, the server and the account, and add the account."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if user_input is not None and await self._async_works(user_input):
            host = URL(user_input[CONF_URL]).host or ""
            title = f"{user_input[CONF_USERNAME]} ({host})"
            return self.async_create_entry(title=title, data=user_input)
        shown = user_input or {}
        form = probatio.Schema(
            {
                _required(CONF_USER, shown): await async_people(self.hass),
                _required(CONF_URL, shown): _ADDRESS,
                _required(CONF_USERNAME, shown): _ACCOUNT,
                probatio.Required(CONF_PASSWORD): SECRET,
            }
        )
        return self.async_show_form(step_id="user", data_schema=form, errors=self._errors)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for a new password, and store it if the sign-in works."""
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        subentry = self._get_reconfigure_subentry()
        if user_input is not None:
            data = {**subentry.data, CONF_PASSWORD: user_input[CONF_PASSWORD]}
            if await self._async_works(data):
                # The entry's update listener reloads the entry.
                return self.async_update_and_abort(self._get_entry(), subentry, data=data)
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=probatio.Schema({probatio.Required(CONF_PASSWORD): SECRET}),
            errors=self._errors,
            description_placeholders={"account": subentry.title},
        )

    async def _async_works(self, data: Mapping[str, Any]) -> bool:
        """Return whether the account's address books are found; otherwise set the form's errors."""
        self._errors = {}
        try:
            url = URL(data[CONF_URL])
        except ValueError:
            url = URL()
        if url.scheme not in {"http", "https"} or not url.host:
            self._errors[CONF_URL] = "not_a_url"
            return False
        try:
            await carddav_account(self.hass, "", data).async_find_books()
        except CardDavError as err:
            self._errors["base"] = err.failure.value
        return not self._errors


def _required(key: str, shown: Mapping[str, Any]) -> probatio.Required:
    suggested = {"suggested_value": shown[key]} if key in shown else None
    return probatio.Required(key, description=suggested)
