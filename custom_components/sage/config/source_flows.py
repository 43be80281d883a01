"""The subentry flows for mail accounts, TV guides, and the weather of other places."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import probatio
from aiohttp import ClientError, ClientTimeout
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigEntry,
    ConfigSubentryFlow,
    SubentryFlowContext,
    SubentryFlowResult,
)
from homeassistant.const import CONF_HOST, CONF_NAME, CONF_PASSWORD, CONF_PORT, CONF_USERNAME
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, section
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectSelector,
    SelectSelectorConfig,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
from homeassistant.util.ssl import client_context

from ..const import (
    CONF_ADDRESS,
    CONF_CHANNEL_NUMBERS,
    CONF_IMAP,
    CONF_KEEPS_SENT,
    CONF_PROVIDER,
    CONF_SECURITY,
    CONF_SMTP,
    CONF_SOURCE,
    CONF_USER,
    SUBENTRY_MAIL,
    SUBENTRY_WEATHER,
)
from ..external import PROVIDERS, MailAccount, Mailbox, Security, async_open_guide
from .external_setup import channel_numbers
from .flow_parts import SECRET, async_people, number, required, suggested

OTHER_PROVIDER: Final = "other"
_ADDRESS: Final = TextSelector(
    TextSelectorConfig(type=TextSelectorType.EMAIL, autocomplete="email")
)
_PORT: Final = number(1, 65535)
_SECURITY: Final = SelectSelector(
    SelectSelectorConfig(options=list(Security), translation_key=CONF_SECURITY)
)
_LINES: Final = TextSelector(TextSelectorConfig(multiline=True))
_GUIDE: Final = "TV guide"
_TIMEOUT: Final = ClientTimeout(total=15.0)


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
            if user_input[CONF_PROVIDER] == OTHER_PROVIDER:
                return await self.async_step_servers()
            return await self.async_step_sign_in()
        providers = SelectSelector(
            SelectSelectorConfig(
                options=[*PROVIDERS, OTHER_PROVIDER], translation_key=CONF_PROVIDER
            )
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
        form = {
            required(CONF_ADDRESS, user_input or {}): _ADDRESS,
            probatio.Required(CONF_PASSWORD): SECRET,
        }
        places = {"provider": provider.name, "help_url": provider.help_url}
        return await self._async_step_account(
            "sign_in", user_input, form, provider.settings, places
        )

    async def async_step_servers(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the account and the servers of an unlisted provider, and add the account."""
        form = _servers_form(user_input or {})
        return await self._async_step_account("servers", user_input, form, {}, None)

    async def _async_step_account(
        self,
        step_id: str,
        user_input: dict[str, Any] | None,
        form: Mapping[Any, Any],
        settings: Mapping[str, Any],
        placeholders: Mapping[str, str] | None,
    ) -> SubentryFlowResult:
        """Add the account in `user_input` with `settings` if the sign-in works, else ask for it."""
        if user_input is not None:
            address = user_input[CONF_ADDRESS].strip()
            name = user_input.get(CONF_USERNAME, "").strip() or address
            data = {
                **self._data,
                **user_input,
                **settings,
                CONF_ADDRESS: address,
                CONF_USERNAME: name,
            }
            unique_id = f"{data[CONF_USER]} {address.casefold()}"
            if any(each.unique_id == unique_id for each in self._get_entry().subentries.values()):
                return self.async_abort(reason="already_configured")
            self._errors = await self._async_errors(data)
            if not self._errors:
                return self.async_create_entry(title=address, data=data, unique_id=unique_id)
        return self.async_show_form(
            step_id=step_id,
            data_schema=probatio.Schema(dict(form)),
            errors=self._errors,
            description_placeholders=placeholders,
        )

    async def _async_errors(self, data: Mapping[str, Any]) -> dict[str, str]:
        mailbox = Mailbox([MailAccount.from_dict(data)], client_context)
        try:
            error = await mailbox.async_sign_in_error()
        finally:
            await mailbox.async_close()
        if not error:
            return {}
        return {CONF_ADDRESS if error == "mail_address" else "base": error}


def _servers_form(shown: Mapping[str, Any]) -> dict[Any, Any]:
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

    keeps_sent = shown.get(CONF_KEEPS_SENT, False)
    return {
        required(CONF_ADDRESS, shown): _ADDRESS,
        suggested(CONF_USERNAME, shown.get(CONF_USERNAME)): TextSelector(),
        probatio.Required(CONF_PASSWORD): SECRET,
        probatio.Required(CONF_KEEPS_SENT, default=keeps_sent): BooleanSelector(),
        probatio.Required(CONF_IMAP): server(CONF_IMAP, 993),
        probatio.Required(CONF_SMTP): server(CONF_SMTP, 465),
    }


async def async_add_mail(
    hass: HomeAssistant,
    entry: ConfigEntry,
    user_id: str,
    provider: str,
    account: Mapping[str, Any],
) -> str:
    """Add a person's mail account with the answers for the forms of `MailSubentryFlow`.

    `account`: the answers for the form of the provider. Returns "" or the key of the flow's text
    that says why there is no account, such as "error.mail_refused_imap". Raises probatio.Invalid
    if the form does not accept the answers.
    """
    flows = hass.config_entries.subentries
    context = SubentryFlowContext(source=SOURCE_USER)
    step = await flows.async_init((entry.entry_id, SUBENTRY_MAIL), context=context)
    try:
        for answers in ({CONF_USER: user_id, CONF_PROVIDER: provider}, dict(account)):
            step = await flows.async_configure(step["flow_id"], answers)
    finally:
        if step["type"] is FlowResultType.FORM:
            flows.async_abort(step["flow_id"])
    if step["type"] is FlowResultType.CREATE_ENTRY:
        return ""
    errors = step.get("errors")
    return f"error.{next(iter(errors.values()))}" if errors else f"abort.{step['reason']}"


class GuideSubentryFlow(ConfigSubentryFlow):
    """Adds or changes a TV guide in one form, if the guide's file exists or its URL responds."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add a TV guide."""
        return await self._async_step_form("user", {CONF_NAME: _GUIDE}, user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change a TV guide."""
        subentry = self._get_reconfigure_subentry()
        known = {CONF_NAME: subentry.title, **subentry.data}
        return await self._async_step_form("reconfigure", known, user_input)

    async def _async_step_form(
        self, step_id: str, known: Mapping[str, Any], user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        errors: dict[str, str] = {}
        if user_input is not None:
            source = user_input[CONF_SOURCE].strip()
            if error := await _async_source_error(self.hass, source):
                errors[CONF_SOURCE] = error
            if channel_numbers(user_input.get(CONF_CHANNEL_NUMBERS, "")) is None:
                errors[CONF_CHANNEL_NUMBERS] = "channel_numbers_invalid"
            if not errors:
                return self._finish({**user_input, CONF_SOURCE: source})
        shown = {**known, **(user_input or {})}
        numbers = suggested(CONF_CHANNEL_NUMBERS, shown.get(CONF_CHANNEL_NUMBERS, ""))
        form = probatio.Schema(
            {
                probatio.Required(CONF_NAME, default=shown[CONF_NAME]): str,
                probatio.Required(CONF_SOURCE, default=shown.get(CONF_SOURCE, "")): str,
                numbers: _LINES,
            }
        )
        return self.async_show_form(
            step_id=step_id,
            data_schema=form,
            errors=errors,
            description_placeholders={"guide": "https://example.com/guide.xml.gz"},
        )

    def _finish(self, data: dict[str, Any]) -> SubentryFlowResult:
        title = data.pop(CONF_NAME).strip() or _GUIDE
        if self.source == SOURCE_RECONFIGURE:
            return self.async_update_and_abort(
                self._get_entry(), self._get_reconfigure_subentry(), title=title, data=data
            )
        return self.async_create_entry(title=title, data=data)


class WeatherSubentryFlow(ConfigSubentryFlow):
    """Asks whether SAGE may send place names to the weather provider."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for consent, and add the weather provider."""
        entry = self._get_entry()
        if any(each.subentry_type == SUBENTRY_WEATHER for each in entry.subentries.values()):
            return self.async_abort(reason="already_configured")
        if user_input is None:
            return self.async_show_form(step_id="user", data_schema=probatio.Schema({}))
        return self.async_create_entry(title="Open-Meteo", data={})


async def _async_source_error(hass: HomeAssistant, source: str) -> str:
    if "://" in source:
        return await _async_address_error(hass, source)
    if not source.startswith("/"):
        return "source_invalid"
    if not await hass.async_add_executor_job(hass.config.is_allowed_path, source):
        return "path_not_allowed"
    return "" if await hass.async_add_executor_job(Path(source).is_file) else "no_such_file"


async def _async_address_error(hass: HomeAssistant, url: str) -> str:
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return "source_invalid"
        session = async_get_clientsession(hass)
        async with async_open_guide(session, url, _TIMEOUT) as response:
            return "" if response.status == 200 else "source_refused"
    except ClientError, TimeoutError:
        return "source_unreachable"
    except ValueError:
        return "source_invalid"
