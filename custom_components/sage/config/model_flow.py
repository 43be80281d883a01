"""The config flow of SAGE, which stores the connection to the language model."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, override

import probatio
from homeassistant.config_entries import (
    SOURCE_REAUTH,
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryData,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.const import CONF_API_KEY, CONF_MODEL
from homeassistant.core import callback
from homeassistant.helpers.selector import SelectSelectorMode
from yarl import URL

from ..const import (
    CONF_ASSISTANT,
    CONF_BASE_URL,
    CONF_MODEL_SOURCE,
    DEFAULT_AGENT_NAME,
    DEFAULT_BASE_URL,
    DOMAIN,
    SOURCE_SERVER,
    SUBENTRY_AGENT,
    SUBENTRY_MAIL,
    SUBENTRY_TV_GUIDE,
    SUBENTRY_WEATHER,
)
from ..model import ModelError
from .agent_flow import AgentSubentryFlow
from .agents import AGENT_DEFAULTS, ai_task_name, error_of, household_connection, offered_ai_tasks
from .assistants import NO_ASSISTANT, assistant_form, async_use_sage, has_assistants
from .connection import Connection
from .flow_parts import PASSWORD, URL_FIELD, PendingProbe, choice, may_chat, model_selector
from .options_flow import SageOptionsFlow
from .probe import Server, async_find_server
from .source_flows import GuideSubentryFlow, MailSubentryFlow, WeatherSubentryFlow
from .verdict import Probe, Verdict

_VERDICT_STEPS: Final = {
    Verdict.GOOD: "finish",
    Verdict.SIMPLE: "finish_simple",
    Verdict.UNUSABLE: "finish_unusable",
}
"""Step that shows the verdict on the model."""

_MODELS_URL: Final = "https://github.com/sage-home/sage/blob/main/docs/models.md"


class SageConfigFlow(ConfigFlow, domain=DOMAIN):
    """Asks for the model of a server or AI Task entity, tests it, and stores the config entry."""

    VERSION = 1
    MINOR_VERSION = 1

    def __init__(self) -> None:
        self._server = Server(base_url=DEFAULT_BASE_URL, models=())
        self._api_key: str | None = None
        self._known: tuple[str, str | None] = ("", None)
        self._model = ""
        self._ai_task = ""
        self._is_server_chosen = False
        self._probe = PendingProbe(self)
        self._connection: Connection | None = None
        self._tested = Probe()
        self._assistant = NO_ASSISTANT
        self._errors: dict[str, str] = {}
        """Form errors, kept until the next input, because the frontend may reload the form."""

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return the subentry flows for agents, mail, weather and TV guides."""
        return {
            SUBENTRY_AGENT: AgentSubentryFlow,
            SUBENTRY_MAIL: MailSubentryFlow,
            SUBENTRY_WEATHER: WeatherSubentryFlow,
            SUBENTRY_TV_GUIDE: GuideSubentryFlow,
        }

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """Return the options flow."""
        return SageOptionsFlow()

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the URL of the model server; offer AI Task entities first, if there are any."""
        if not self._is_server_chosen and user_input is None and offered_ai_tasks(self.hass):
            return await self.async_step_source()
        return await self._async_step_server("user", user_input)

    async def async_step_source(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask which AI Task entity to use as the model, or whether to use a model server."""
        offered = offered_ai_tasks(self.hass)
        if user_input is not None:
            self._errors = {}
            chosen = user_input[CONF_MODEL_SOURCE]
            self._is_server_chosen = chosen == SOURCE_SERVER
            self._ai_task = "" if self._is_server_chosen else chosen
            if not self._is_server_chosen:
                self._model = ai_task_name(self.hass, chosen)
                return await self.async_step_probe()
            step = "reconfigure" if self.source == SOURCE_RECONFIGURE else "user"
            return await self._async_step_server(step, None)
        is_server = self.source == SOURCE_RECONFIGURE and not self._ai_task
        return self.async_show_form(
            step_id="source",
            data_schema=_source_form(offered, SOURCE_SERVER if is_server else self._ai_task),
            errors=self._errors,
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another AI Task entity, server, API key or model."""
        if user_input is None and not self._is_server_chosen:
            self._take_over(self._get_reconfigure_entry())
            if offered_ai_tasks(self.hass):
                return await self.async_step_source()
        return await self._async_step_server("reconfigure", user_input)

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Start reauthentication after the server refused the API key."""
        self._take_over(self._get_reauth_entry())
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a new API key."""
        if user_input is not None:
            self._errors = {}
            self._api_key = user_input.get(CONF_API_KEY)
            if await self._async_find(self._server.base_url):
                return await self.async_step_probe()
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=probatio.Schema({probatio.Required(CONF_API_KEY): PASSWORD}),
            errors=self._errors,
            description_placeholders={"server": self._server.base_url},
        )

    async def async_step_model(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the model, with the server's model list as suggestions."""
        if user_input is not None:
            self._errors = {}
            self._model = user_input[CONF_MODEL].strip()
            return await self.async_step_probe()
        return self.async_show_form(
            step_id="model",
            data_schema=_model_form(self._server.models, self._model),
            errors=self._errors,
            description_placeholders={"server": self._server.base_url},
        )

    async def async_step_probe(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Test the model, and show the progress of the test."""
        if self._ai_task:
            connection = Connection(ai_task=self._ai_task, model=self._model)
        else:
            connection = Connection(
                base_url=self._server.base_url, api_key=self._api_key, model=self._model
            )
        if task := self._probe.run(connection):
            return self.async_show_progress(
                step_id="probe",
                progress_action="probe",
                description_placeholders={"model": self._model or self._server.base_url},
                progress_task=task,
            )
        try:
            self._connection, self._tested = self._probe.take()
        except ModelError as err:
            self._errors = {"base": error_of(err, is_ai_task=bool(self._ai_task))}
            back = "reauth_confirm" if self.source == SOURCE_REAUTH else "model"
            return self.async_show_progress_done(next_step_id="source" if self._ai_task else back)
        return self.async_show_progress_done(next_step_id=_VERDICT_STEPS[self._tested.verdict])

    async def async_step_finish(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show the result of a successful test, then create the config entry or update it."""
        assert self._connection is not None
        if self.source == SOURCE_REAUTH:
            return self._update(self._get_reauth_entry(), self._connection)
        if self.source == SOURCE_RECONFIGURE:
            return self._update(self._get_reconfigure_entry(), self._connection)
        if user_input is None:
            return self.async_show_form(
                step_id=_VERDICT_STEPS[self._tested.verdict],
                description_placeholders={
                    "model": self._connection.model,
                    "seconds": str(max(1, round(self._tested.seconds))),
                    "docs": _MODELS_URL,
                },
            )
        if has_assistants(self.hass):
            return await self.async_step_assistant()
        return self._create()

    async_step_finish_simple = async_step_finish
    async_step_finish_unusable = async_step_finish

    async def async_step_assistant(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask in which assistant SAGE shall answer; create the config entry."""
        if user_input is None:
            return self.async_show_form(
                step_id="assistant", data_schema=assistant_form(self.hass), last_step=True
            )
        self._assistant = user_input[CONF_ASSISTANT]
        return self._create()

    def _create(self) -> ConfigFlowResult:
        assert self._connection is not None
        return self.async_create_entry(
            # The integrations page shows the title below the name of the integration.
            title=_title(self._connection),
            data=self._connection.as_data(),
            subentries=[
                ConfigSubentryData(
                    data=dict(AGENT_DEFAULTS),
                    subentry_type=SUBENTRY_AGENT,
                    title=DEFAULT_AGENT_NAME,
                    unique_id=None,
                )
            ],
        )

    @override
    async def async_on_create_entry(self, result: ConfigFlowResult) -> ConfigFlowResult:
        """Let SAGE answer in the chosen assistant: its agent exists since the entry was set up."""
        if self._assistant != NO_ASSISTANT:
            await async_use_sage(self.hass, self._assistant)
        return result

    def _update(self, entry: ConfigEntry, connection: Connection) -> ConfigFlowResult:
        known, data = _title(household_connection(entry)), connection.as_data()
        title = _title(connection) if entry.title == known else entry.title
        if entry.update_listeners:
            # The update listener reloads the entry.
            return self.async_update_and_abort(entry, title=title, data=data)
        return self.async_update_reload_and_abort(entry, title=title, data=data)

    async def _async_step_server(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> ConfigFlowResult:
        address = self._server.base_url
        if user_input is not None:
            self._errors, self._ai_task = {}, ""
            address = user_input[CONF_BASE_URL]
            self._api_key = user_input.get(CONF_API_KEY)
            if self._api_key is None and address.strip().rstrip("/") == self._known[0]:
                # An empty field keeps the stored key, but only for the same server.
                self._api_key = self._known[1]
            if await self._async_find(address):
                is_other = self._server.base_url != self._known[0]
                if is_other and self._model not in self._server.models:
                    self._model = ""
                return await self.async_step_model()
        return self.async_show_form(
            step_id=step_id,
            data_schema=probatio.Schema(
                {
                    probatio.Required(CONF_BASE_URL, default=address): URL_FIELD,
                    probatio.Optional(CONF_API_KEY): PASSWORD,
                }
            ),
            errors=self._errors,
            description_placeholders={
                "cloud": DEFAULT_BASE_URL,
                "local": "http://192.168.1.20:11434",
            },
        )

    async def _async_find(self, address: str) -> bool:
        try:
            self._server = await async_find_server(self.hass, address, self._api_key)
        except ModelError as err:
            self._errors = {"base": err.kind.value}
            return False
        return True

    def _take_over(self, entry: ConfigEntry) -> None:
        known = household_connection(entry)
        self._ai_task = known.ai_task
        if known.ai_task:
            return
        self._server = Server(base_url=known.base_url, models=())
        self._api_key = known.api_key
        self._known = (self._server.base_url, self._api_key)
        self._model = known.model


def _title(connection: Connection) -> str:
    """Return the entry title: the model and its server, or the name of the AI Task entity."""
    if connection.ai_task:
        return connection.model
    return f"{connection.model} ({URL(connection.base_url).host})"


def _source_form(ai_tasks: Mapping[str, str], chosen: str) -> probatio.Schema:
    """Return a form for an AI Task entity (`ai_tasks`: id -> name) or a server."""
    names = {**ai_tasks, SOURCE_SERVER: SOURCE_SERVER}
    selector = choice(names, mode=SelectSelectorMode.LIST, translation_key=CONF_MODEL_SOURCE)
    default = chosen if chosen in names else next(iter(names))
    return probatio.Schema({probatio.Required(CONF_MODEL_SOURCE, default=default): selector})


def _model_form(models: Sequence[str], chosen: str) -> probatio.Schema:
    """Return a form for a model; `chosen` is preselected, or the only one if it may chat."""
    if not chosen and len(models) == 1 and may_chat(models[0]):
        chosen = models[0]
    field = probatio.Required(CONF_MODEL, default=chosen or probatio.UNDEFINED)
    return probatio.Schema({field: model_selector(models)})
