"""SAGE, and SAGE in the flow of the paper."""

import asyncio
from typing import Any, Final

from homeassistant.components.conversation import async_converse
from homeassistant.core import Context

from custom_components.sage.agent.port import Wanted
from custom_components.sage.const import CONF_INSTRUCTIONS, CONF_PAPER_FLOW

from ..commands.methods import PAPER_FLOW, Ledger
from .home import PaperHome
from .methods import ALONE, MethodRecord, MethodSettings, Reply, Utterance

AGENT: Final = "conversation.sage"
_BETWEEN_LOOKS: Final = 0.05
"""Seconds until the next look for runs that wait for a reply."""


class SageMethod:
    """An agent of SAGE, spoken to through Home Assistant's conversation."""

    def __init__(self, settings: MethodSettings) -> None:
        """Use this model server."""
        self._settings = settings
        self._ledger = Ledger()
        self._traces: dict[str, dict[str, Any]] = {}

    async def async_set_up(self, home: PaperHome) -> None:
        """Set SAGE up, or find it again after a restart."""
        if not home.hass.config_entries.async_entries("sage"):
            await self._async_add(home)
        for agent in home.sage.runtime_data.agents.values():
            self._ledger.watch(agent.settings.model)

    async def _async_add(self, home: PaperHome) -> None:
        settings = self._settings
        connection = {"formats": ["native", "constrained", "react"], **settings.connection}
        agent: dict[str, Any] = {"decision_format": connection["formats"][0]}
        if settings.name == PAPER_FLOW:
            agent[CONF_PAPER_FLOW] = True
        if home.case.answerer is None:
            agent[CONF_INSTRUCTIONS] = ALONE
        if settings.api_key:
            connection["api_key"] = settings.api_key
        await home.async_add_sage(
            settings.base_url,
            agent,
            settings.vision,
            settings.photo_server,
            settings.photo_model,
            model=settings.model,
            **connection,
        )

    async def async_say(self, home: PaperHome, said: Utterance) -> Reply:
        """Return the answer of one turn of the conversation."""
        result = await async_converse(
            home.hass,
            said.text,
            said.conversation_id,
            Context(user_id=home.user_ids[said.person]),
            language="en",
            agent_id=AGENT,
        )
        run = home.sage.runtime_data.runs.waiting(
            result.conversation_id or "", home.person(said.person)
        )
        question = run.port.open_question if run is not None else None
        return Reply(
            text=str(result.response.speech.get("plain", {}).get("speech", "")),
            is_question=question is not None,
            is_confirmation=question is not None and question.wanted is not Wanted.TEXT,
            conversation_id=result.conversation_id,
        )

    async def async_settle(self, home: PaperHome) -> None:
        """Return when no routine is due or acts any more, and every run has ended.

        Nobody replies to the questions of a routine.
        """
        runtime = home.sage.runtime_data
        while runtime.routines.is_busy:
            for run in tuple(runtime.runs.active.values()):
                run.port.withdraw()
            await asyncio.sleep(_BETWEEN_LOOKS)
        await home.async_settle()
        for user_id in home.user_ids.values():
            for trace in runtime.runs.traces(user_id):
                self._traces[trace["id"]] = trace

    async def async_close(self) -> None:
        """Do nothing: SAGE ends with Home Assistant."""

    def record(self) -> MethodRecord:
        """Return the cost and the traces."""
        usage = self._ledger.usage
        return MethodRecord(
            calls=self._ledger.calls,
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            completion_tokens=usage.completion_tokens,
            model_failures=tuple(self._ledger.failures),
            trace=tuple(self._traces.values()),
        )
