"""The subentry flow for adding or changing a conversation agent."""

import logging
from typing import Any, override

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_MODEL, CONF_NAME
from homeassistant.core import callback

from ..const import (
    CONF_AI_TASK,
    CONF_FORMATS,
    CONF_MISJUDGES_TIMING,
    CONF_OWN_MODEL,
    CONF_STRUCTURE,
    DEFAULT_AGENT_NAME,
)
from ..model.language_model import ModelError
from ..model.openai_model import async_create_client
from .connection import (
    agent_connection,
    ai_task_name,
    error_of,
    household_connection,
    offered_ai_tasks,
)
from .flow_forms import agent_data, agent_form, default_agent_data
from .pending_probe import PendingProbe
from .probe import async_list_models

_LOGGER = logging.getLogger(__name__)

_LIST_SECONDS = 3.0
_PROBED = (CONF_FORMATS, CONF_MISJUDGES_TIMING, CONF_STRUCTURE)


class AgentSubentryFlow(ConfigSubentryFlow):
    """Adds or changes an agent in one form; tests the agent's own model before storing."""

    def __init__(self) -> None:
        self._name = DEFAULT_AGENT_NAME
        self._data = default_agent_data()
        self._models: tuple[str, ...] | None = None
        self._probe = PendingProbe(self)
        self._errors: dict[str, str] = {}

    @callback
    @override
    def async_remove(self) -> None:
        """Stop the background work of the model test when the flow is removed."""
        self._probe.stop()

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
            data_schema=agent_form(
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
        before, self._data = self._data, agent_data(user_input)
        self._name = user_input[CONF_NAME].strip() or DEFAULT_AGENT_NAME
        own = {
            key: text
            for key in (CONF_AI_TASK, CONF_MODEL)
            if (text := user_input[CONF_OWN_MODEL].get(key, "").strip())
        }
        if len(own) > 1:
            self._errors = {"base": "model_twice"}
            return None
        if CONF_AI_TASK in own:
            own[CONF_MODEL] = ai_task_name(self.hass, own[CONF_AI_TASK])
        self._data |= own
        if not own:
            return self._finish()
        if CONF_FORMATS in before and own == {key: before[key] for key in own if key in before}:
            self._data |= {key: before[key] for key in _PROBED if key in before}
            return self._finish()
        return await self.async_step_probe()

    async def async_step_probe(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the progress while the agent's own model is tested."""
        if task := self._probe.run(agent_connection(self._get_entry(), self._data)):
            return self.async_show_progress(
                step_id="probe",
                progress_action="probe",
                description_placeholders={"model": self._data[CONF_MODEL]},
                progress_task=task,
            )
        try:
            probe = self._probe.take()
            self._data |= {
                CONF_FORMATS: list(probe.formats),
                CONF_MISJUDGES_TIMING: probe.misjudges_timing,
            }
            if probe.structure is not None:
                self._data[CONF_STRUCTURE] = probe.structure.value
        except ModelError as err:
            self._errors = {"base": error_of(err, is_ai_task=CONF_AI_TASK in self._data)}
            back = "reconfigure" if self.source == SOURCE_RECONFIGURE else "user"
            return self.async_show_progress_done(next_step_id=back)
        return self.async_show_progress_done(next_step_id="finish")

    async def async_step_finish(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Store the agent after a successful test of its own model."""
        return self._finish()

    def _finish(self) -> SubentryFlowResult:
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
