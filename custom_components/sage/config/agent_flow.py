"""The subentry flow for adding or changing a conversation agent."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any, Final

import probatio
from homeassistant.config_entries import SOURCE_RECONFIGURE, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_MODEL, CONF_NAME
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import section
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
    TextSelector,
)

from ..const import (
    COMPLETION_TOKENS,
    CONF_AI_TASK,
    CONF_DECISION_FORMAT,
    CONF_EXPERT,
    CONF_FORMATS,
    CONF_INSTRUCTIONS,
    CONF_LIMITS,
    CONF_MAX_SECONDS,
    CONF_MAX_STEPS,
    CONF_MAX_TOKENS,
    CONF_OWN_MODEL,
    CONF_PAPER_FLOW,
    CONF_REASONING_EFFORT,
    CONF_REPLY_TOKENS,
    CONF_SECOND_MODEL,
    CONF_TOOL_APIS,
    CONF_VERIFY_ANSWERS,
    DEFAULT_AGENT_NAME,
    DOMAIN,
    EFFORT_DEFAULT,
    FORMAT_AUTO,
    FORMAT_CONSTRAINED,
    FORMAT_NATIVE,
    FORMAT_REACT,
)
from ..model import ModelError, async_create_client
from .agents import (
    AGENT_DEFAULTS,
    NOT_SO,
    PROBED,
    agent_connection,
    ai_task_name,
    error_of,
    household_connection,
    offered_ai_tasks,
)
from .flow_parts import PendingProbe, choice, model_selector, number, suggested
from .probe import async_list_models

_LOGGER = logging.getLogger(__name__)

_LIST_SECONDS = 3.0

_LIMITS: Final = {
    CONF_MAX_STEPS: number(2, 50),
    CONF_MAX_SECONDS: number(10, 1800),
    CONF_MAX_TOKENS: number(2_000, 2_000_000),
}
_EXPERT: Final = {
    CONF_DECISION_FORMAT: SelectSelector(
        SelectSelectorConfig(
            options=[FORMAT_AUTO, FORMAT_NATIVE, FORMAT_CONSTRAINED, FORMAT_REACT],
            translation_key=CONF_DECISION_FORMAT,
        )
    ),
    CONF_REASONING_EFFORT: SelectSelector(
        SelectSelectorConfig(
            options=[EFFORT_DEFAULT, "none", "minimal", "low", "medium", "high"],
            mode=SelectSelectorMode.DROPDOWN,
            translation_key=CONF_REASONING_EFFORT,
        )
    ),
    CONF_REPLY_TOKENS: number(COMPLETION_TOKENS, 65_536),
    CONF_VERIFY_ANSWERS: BooleanSelector(),
    CONF_PAPER_FLOW: BooleanSelector(),
}
"""Settings whose default values suit most models."""

_NUMBERS: Final = (CONF_REPLY_TOKENS, *_LIMITS)
_NOT_OFFERED: Final = frozenset({llm.LLM_API_ASSIST, "homeassistant", DOMAIN})
"""LLM APIs that agents cannot use: APIs that bypass SAGE's permission checks, and SAGE's own."""


class AgentSubentryFlow(ConfigSubentryFlow):
    """Adds or changes an agent in one form; tests the agent's own model before storing."""

    def __init__(self) -> None:
        self._name = DEFAULT_AGENT_NAME
        self._data = dict(AGENT_DEFAULTS)
        self._models: tuple[str, ...] | None = None
        self._probe = PendingProbe(self)
        self._untested: list[dict[str, Any]] = []
        """The agent's settings and those of its second model, as far as they have to be tested."""

        self._errors: dict[str, str] = {}

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add an agent."""
        return await self._async_step_form("user", user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change an agent."""
        if user_input is None and not self._errors:
            subentry = self._get_reconfigure_subentry()
            self._name, self._data = subentry.title, dict(subentry.data)
        return await self._async_step_form("reconfigure", user_input)

    async def _async_step_form(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        if user_input is not None and (next_step := await self._async_take(user_input)):
            return next_step
        return self.async_show_form(
            step_id=step_id,
            data_schema=_agent_form(
                self.hass,
                self._name,
                self._data,
                await self._async_models(),
                offered_ai_tasks(self.hass),
            ),
            errors=self._errors,
            description_placeholders={"model": household_connection(self._get_entry()).model},
        )

    async def _async_take(self, user_input: dict[str, Any]) -> SubentryFlowResult | None:
        """Process the form's input; return the next step, or None if the form has errors."""
        self._errors = {}
        before, self._data = self._data, _agent_data(user_input)
        self._name = user_input[CONF_NAME].strip() or DEFAULT_AGENT_NAME
        chosen = [text for each in user_input[CONF_OWN_MODEL].values() if (text := each.strip())]
        if len(chosen) > 1:
            self._errors = {"base": "model_twice"}
            return None
        own = self._model_of("".join(chosen))
        second = self._model_of(user_input.get(CONF_SECOND_MODEL, "").strip())
        self._data |= own | ({CONF_SECOND_MODEL: second} if second else {})
        household = household_connection(self._get_entry()).as_data()
        tested = [before, before.get(CONF_SECOND_MODEL, {}), household]
        wanted = [self._data] * bool(own) + [second] * bool(second)
        self._untested = [data for data in wanted if not _took_over(data, tested)]
        return await (self.async_step_probe() if self._untested else self.async_step_finish())

    def _model_of(self, chosen: str) -> dict[str, Any]:
        """Return the settings of a chosen AI Task entity or model of the server; {} for none."""
        if chosen in offered_ai_tasks(self.hass):
            return {CONF_AI_TASK: chosen, CONF_MODEL: ai_task_name(self.hass, chosen)}
        return {CONF_MODEL: chosen} if chosen else {}

    async def async_step_probe(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the progress while the agent's own model, then its second one, is tested."""
        data = self._untested[0]
        if task := self._probe.run(agent_connection(self._get_entry(), data)):
            return self.async_show_progress(
                step_id="probe",
                progress_action="probe",
                description_placeholders={"model": data[CONF_MODEL]},
                progress_task=task,
            )
        try:
            connection, _ = self._probe.take()
            tested = NOT_SO | connection.as_data()
            data |= {key: tested[key] for key in PROBED if key in tested}
        except ModelError as err:
            self._errors = {"base": error_of(err, is_ai_task=CONF_AI_TASK in data)}
            back = "reconfigure" if self.source == SOURCE_RECONFIGURE else "user"
            return self.async_show_progress_done(next_step_id=back)
        del self._untested[0]
        return self.async_show_progress_done(next_step_id="probe" if self._untested else "finish")

    async def async_step_finish(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Store the agent, whose own models were tested."""
        if self.source == SOURCE_RECONFIGURE:
            # The entry's update listener reloads the entry.
            return self.async_update_and_abort(
                self._get_entry(),
                self._get_reconfigure_subentry(),
                title=self._name,
                data=self._data,
            )
        return self.async_create_entry(title=self._name, data=self._data)

    async def _async_models(self) -> tuple[str, ...] | None:
        """Return the models of the household's server; empty if the server is unavailable.

        None if the household has no server, but an AI Task entity.
        """
        if self._models is None:
            connection = household_connection(self._get_entry())
            if connection.ai_task:
                return None
            client = await async_create_client(self.hass, connection.base_url, connection.api_key)
            try:
                self._models = await async_list_models(client, seconds=_LIST_SECONDS)
            except ModelError as err:
                _LOGGER.debug("The models are not listed: %s", err)
                self._models = ()
        return self._models


def _agent_form(
    hass: HomeAssistant,
    name: str,
    data: Mapping[str, Any],
    models: Iterable[str] | None,
    ai_tasks: Mapping[str, str],
) -> probatio.Schema:
    """Return the form of an agent, filled with the values in `data`.

    - `models`: names of the models on the household's server; None if it has no server
    - `ai_tasks`: registry id or entity id of an AI Task entity -> display name
    """

    def filled(selectors: Mapping[str, Any], *, collapsed: bool) -> section:
        shown = {**AGENT_DEFAULTS, **data}
        fields = {
            probatio.Required(key, default=shown[key]): selector
            for key, selector in selectors.items()
        }
        return section(probatio.Schema(fields), {"collapsed": collapsed})

    fields: dict[Any, Any] = {
        probatio.Required(CONF_NAME, default=name): TextSelector(),
        suggested(CONF_INSTRUCTIONS, data.get(CONF_INSTRUCTIONS)): TemplateSelector(),
    }
    listed = (api for api in llm.async_get_apis(hass) if api.id not in _NOT_OFFERED)
    apis = {api.id: api.name or api.id for api in listed}
    if apis:
        chosen = [api for api in data.get(CONF_TOOL_APIS, ()) if api in apis]
        fields[probatio.Optional(CONF_TOOL_APIS, default=chosen)] = choice(apis, multiple=True)
    second = data.get(CONF_SECOND_MODEL, {})
    others = {**ai_tasks, **dict.fromkeys(models or ())}
    if models is not None or others:
        fields[suggested(CONF_SECOND_MODEL, second.get(CONF_AI_TASK, second.get(CONF_MODEL)))] = (
            choice(others, custom_value=models is not None, mode=SelectSelectorMode.DROPDOWN)
        )
    own: dict[Any, Any] = {}
    if ai_tasks:
        selector = choice(ai_tasks, mode=SelectSelectorMode.DROPDOWN)
        own[suggested(CONF_AI_TASK, data.get(CONF_AI_TASK))] = selector
    if models is not None:
        model = None if CONF_AI_TASK in data else data.get(CONF_MODEL)
        own[suggested(CONF_MODEL, model)] = model_selector(models)
    return probatio.Schema(
        {
            **fields,
            probatio.Required(CONF_EXPERT): filled(_EXPERT, collapsed=True),
            probatio.Required(CONF_LIMITS): filled(_LIMITS, collapsed=True),
            probatio.Required(CONF_OWN_MODEL): section(
                probatio.Schema(own), {"collapsed": CONF_MODEL not in data}
            ),
        }
    )


def _took_over(data: dict[str, Any], tested: Iterable[Mapping[str, Any]]) -> bool:
    """Add the test results of the same model in `tested`; return whether there are any."""
    for other in tested:
        is_same = all(other.get(key) == data.get(key) for key in (CONF_AI_TASK, CONF_MODEL))
        if is_same and CONF_FORMATS in other:
            data |= {key: other[key] for key in PROBED if key in other}
            return True
    return False


def _agent_data(user_input: Mapping[str, Any]) -> dict[str, Any]:
    data = {
        CONF_INSTRUCTIONS: user_input.get(CONF_INSTRUCTIONS, "").strip(),
        CONF_TOOL_APIS: list(user_input.get(CONF_TOOL_APIS, ())),
        **user_input[CONF_EXPERT],
        **user_input[CONF_LIMITS],
    }
    return {**data, **{key: int(data[key]) for key in _NUMBERS}}
