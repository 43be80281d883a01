"""The subentry flow for a person's mail account."""

from collections.abc import Mapping
from typing import Any, Final

import probatio
from homeassistant.config_entries import ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_HOST, CONF_PASSWORD, CONF_PORT, CONF_USERNAME
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectSelector,
    SelectSelectorConfig,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
from homeassistant.util.ssl import client_context

from ..const import (
    CONF_ADDRESS,
    CONF_IMAP,
    CONF_KEEPS_SENT,
    CONF_PROVIDER,
    CONF_SECURITY,
    CONF_SMTP,
    CONF_USER,
)
from ..external.external_error import ExternalError, SignInRefusedError
from ..external.mail.mail_account import PROVIDERS, MailServer, Security
from ..external.mail.mail_folders import MailFolders
from ..external.mail.message import write_letter
from ..external.mail.smtp import async_test_sign_in
from .external_setup import mail_account
from .flow_forms import SECRET, Form, async_people, required

_OTHER: Final = "other"
_ADDRESS: Final = TextSelector(
    TextSelectorConfig(type=TextSelectorType.EMAIL, autocomplete="email")
)
_PORT: Final = NumberSelector(NumberSelectorConfig(min=1, max=65535, mode=NumberSelectorMode.BOX))
_SECURITY: Final = SelectSelector(
    SelectSelectorConfig(options=list(Security), translation_key=CONF_SECURITY)
)


class MailSubentryFlow(ConfigSubentryFlow):
    """Adds a person's mail account or changes its password, after a test of the sign-in."""

    def __init__(self) -> None:
        self._errors: dict[str, str] = {}
        self._data: dict[str, Any] = {}

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for a new password, and store it if the sign-in works."""
        subentry = self._get_reconfigure_subentry()
        if user_input is not None:
            data = {**subentry.data, CONF_PASSWORD: user_input[CONF_PASSWORD]}
            self._errors = await self._async_errors(data)
            if not self._errors:
                # The entry's update listener reloads the entry.
                return self.async_update_and_abort(self._get_entry(), subentry, data=data)
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=probatio.Schema({probatio.Required(CONF_PASSWORD): SECRET}),
            errors=self._errors,
            description_placeholders={"account": subentry.title},
        )

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for the person who owns the account, and for the provider."""
        if user_input is not None:
            self._data = dict(user_input)
            if user_input[CONF_PROVIDER] == _OTHER:
                return await self.async_step_servers()
            return await self.async_step_sign_in()
        providers = SelectSelector(
            SelectSelectorConfig(options=[*PROVIDERS, _OTHER], translation_key=CONF_PROVIDER)
        )
        form = probatio.Schema(
            {
                probatio.Required(CONF_USER): await async_people(self.hass),
                probatio.Required(CONF_PROVIDER, default=next(iter(PROVIDERS))): providers,
            }
        )
        return self.async_show_form(step_id="user", data_schema=form)

    async def async_step_sign_in(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for address and password at a known provider, and add the account."""
        provider = PROVIDERS[self._data[CONF_PROVIDER]]
        if user_input is not None:
            address = user_input[CONF_ADDRESS].strip()
            data = {
                **self._data,
                CONF_ADDRESS: address,
                CONF_USERNAME: address,
                CONF_PASSWORD: user_input[CONF_PASSWORD],
                CONF_IMAP: _stored(provider.imap),
                CONF_SMTP: _stored(provider.smtp),
                CONF_KEEPS_SENT: provider.keeps_sent,
            }
            if (created := await self._async_create(data)) is not None:
                return created
        form = probatio.Schema(
            {
                required(CONF_ADDRESS, user_input or {}): _ADDRESS,
                probatio.Required(CONF_PASSWORD): SECRET,
            }
        )
        return self.async_show_form(
            step_id="sign_in",
            data_schema=form,
            errors=self._errors,
            description_placeholders={"provider": provider.name, "help_url": provider.help_url},
        )

    async def async_step_servers(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the account and the servers of an unlisted provider, and add the account."""
        if user_input is not None:
            address = user_input[CONF_ADDRESS].strip()
            data = {
                **self._data,
                **user_input,
                CONF_ADDRESS: address,
                CONF_USERNAME: user_input.get(CONF_USERNAME, "").strip() or address,
                CONF_IMAP: _server_data(user_input[CONF_IMAP]),
                CONF_SMTP: _server_data(user_input[CONF_SMTP]),
            }
            if (created := await self._async_create(data)) is not None:
                return created
        return self.async_show_form(
            step_id="servers", data_schema=_servers_form(user_input or {}), errors=self._errors
        )

    async def _async_create(self, data: dict[str, Any]) -> SubentryFlowResult | None:
        """Add the account and return the result of the flow; None if the sign-in failed."""
        unique_id = f"{data[CONF_USER]} {data[CONF_ADDRESS].casefold()}"
        if any(each.unique_id == unique_id for each in self._get_entry().subentries.values()):
            return self.async_abort(reason="already_configured")
        self._errors = await self._async_errors(data)
        if self._errors:
            return None
        return self.async_create_entry(title=data[CONF_ADDRESS], data=data, unique_id=unique_id)

    async def _async_errors(self, data: Mapping[str, Any]) -> dict[str, str]:
        """Sign in to the IMAP and the SMTP server."""
        account = mail_account(data)
        try:
            write_letter(sender=account.address, to=[account.address], subject="", text="")
        except ExternalError:
            return {CONF_ADDRESS: "mail_address"}
        folders = MailFolders(account, client_context)
        try:
            await folders.async_sign_in()
            await async_test_sign_in(account, client_context())
        except SignInRefusedError:
            return {"base": "mail_refused"}
        except ExternalError:
            return {"base": "mail_unreachable"}
        finally:
            await folders.async_close()
        return {}


def _servers_form(shown: Mapping[str, Any]) -> Form:
    def server(key: str, port: int) -> section:
        given = shown.get(key, {})
        return section(
            probatio.Schema(
                {
                    required(CONF_HOST, given): TextSelector(),
                    probatio.Required(CONF_PORT, default=given.get(CONF_PORT, port)): _PORT,
                    probatio.Required(
                        CONF_SECURITY, default=given.get(CONF_SECURITY, Security.TLS.value)
                    ): _SECURITY,
                }
            ),
            {"collapsed": False},
        )

    return probatio.Schema(
        {
            required(CONF_ADDRESS, shown): _ADDRESS,
            probatio.Optional(
                CONF_USERNAME, description={"suggested_value": shown.get(CONF_USERNAME)}
            ): TextSelector(),
            probatio.Required(CONF_PASSWORD): SECRET,
            probatio.Required(
                CONF_KEEPS_SENT, default=shown.get(CONF_KEEPS_SENT, False)
            ): BooleanSelector(),
            probatio.Required(CONF_IMAP): server(CONF_IMAP, 993),
            probatio.Required(CONF_SMTP): server(CONF_SMTP, 465),
        }
    )


def _stored(server: MailServer) -> dict[str, Any]:
    return {
        CONF_HOST: server.host,
        CONF_PORT: server.port,
        CONF_SECURITY: server.security.value,
    }


def _server_data(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        CONF_HOST: given[CONF_HOST].strip(),
        CONF_PORT: int(given[CONF_PORT]),
        CONF_SECURITY: given[CONF_SECURITY],
    }
