"""Create SAGE's conversation agents from the config entry."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant

from ..agent.budget import Limits
from ..agent.formats import ConstrainedFormat, DecisionFormat, NativeFormat, ReactFormat
from ..agent.run import AgentSettings
from ..const import (
    CONF_DECISION_FORMAT,
    CONF_INSTRUCTIONS,
    CONF_MAX_SECONDS,
    CONF_MAX_STEPS,
    CONF_MAX_TOKENS,
    CONF_PAPER_FLOW,
    CONF_REASONING_EFFORT,
    CONF_REPLY_TOKENS,
    CONF_TOOL_APIS,
    CONF_VERIFY_ANSWERS,
    CONF_WARM_PREFIX,
    DEFAULT_MAX_SECONDS,
    DEFAULT_MAX_STEPS,
    DEFAULT_MAX_TOKENS,
    EFFORT_DEFAULT,
    FORMAT_AUTO,
    FORMAT_CONSTRAINED,
    FORMAT_NATIVE,
    SUBENTRY_AGENT,
    WARM_NEVER,
)
from ..helpers.server_requests import RetryPolicy
from ..model.language_model import COMPLETION_TOKENS
from ..model.usage_counters import CountedModel, usage_of
from ..run.runtime import SageAgent, SageConfigEntry
from .connection import (
    Connection,
    agent_connection,
    async_model,
    decision_format,
    is_local,
)

AGENT_DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        CONF_INSTRUCTIONS: "",
        CONF_TOOL_APIS: [],
        CONF_DECISION_FORMAT: FORMAT_AUTO,
        CONF_REASONING_EFFORT: EFFORT_DEFAULT,
        CONF_REPLY_TOKENS: COMPLETION_TOKENS,
        CONF_VERIFY_ANSWERS: False,
        CONF_PAPER_FLOW: False,
        CONF_MAX_STEPS: DEFAULT_MAX_STEPS,
        CONF_MAX_SECONDS: DEFAULT_MAX_SECONDS,
        CONF_MAX_TOKENS: DEFAULT_MAX_TOKENS,
    }
)
"""The settings of a new agent: key in its subentry -> value."""

_FOLDER = Path(__file__).parents[1] / "agent" / "prompts"


def load_prompts() -> Mapping[str, str]:
    """Return the texts of all prompts: file name without extension -> text.

    Reads files, so run it in an executor.
    """
    texts = {path.stem: path.read_text(encoding="utf-8").strip() for path in _FOLDER.glob("*.md")}
    return MappingProxyType(texts)


_PATIENT: Final = RetryPolicy(attempts=1, request_seconds=1_200, total_seconds=1_200)
"""Timeouts for background requests: a small computer may read only 5 tokens per second."""


async def async_agents(hass: HomeAssistant, entry: SageConfigEntry) -> dict[str, SageAgent]:
    """Return the agents of the entry: subentry id -> agent. Sends no request."""
    await usage_of(hass).async_load()
    prompts = await hass.async_add_executor_job(load_prompts)
    return {
        subentry.subentry_id: await _async_agent(hass, entry, subentry, prompts)
        for subentry in entry.subentries.values()
        if subentry.subentry_type == SUBENTRY_AGENT
    }


async def _async_agent(
    hass: HomeAssistant,
    entry: SageConfigEntry,
    subentry: ConfigSubentry,
    prompts: Mapping[str, str],
) -> SageAgent:
    agent_id, data = subentry.subentry_id, {**AGENT_DEFAULTS, **subentry.data}
    connection = agent_connection(entry, data)
    settings = AgentSettings(
        name=subentry.title,
        model=CountedModel(hass, agent_id, await async_model(hass, connection, data)),
        decision_format=make_format(decision_format(connection, data), prompts),
        schema_works=FORMAT_CONSTRAINED in connection.formats,
        misjudges_timing=connection.misjudges_timing,
        prompts=prompts,
        agent_id=agent_id,
        instructions=data[CONF_INSTRUCTIONS],
        limits=Limits(
            max_steps=int(data[CONF_MAX_STEPS]),
            max_seconds=float(data[CONF_MAX_SECONDS]),
            max_tokens=int(data[CONF_MAX_TOKENS]),
        ),
        paper_flow=bool(data[CONF_PAPER_FLOW]),
        verify_answers=bool(data[CONF_VERIFY_ANSWERS]),
    )
    is_warmed = _is_warmed(entry, connection)
    patient = await async_model(hass, connection, data, _PATIENT) if is_warmed else None
    return SageAgent(
        settings=settings,
        tool_apis=tuple(data[CONF_TOOL_APIS]),
        warmed_model=CountedModel(hass, agent_id, patient) if patient is not None else None,
    )


def _is_warmed(entry: SageConfigEntry, connection: Connection) -> bool:
    """Return whether SAGE fills the server's prompt cache with this agent's prompts in advance.

    False for an AI Task entity: SAGE cannot limit the length of its replies, so a request that only
    fills the cache would take too long.
    """
    if connection.ai_task:
        return False
    is_off = entry.options.get(CONF_WARM_PREFIX) == WARM_NEVER
    return not is_off and is_local(connection.base_url)


def make_format(name: str, prompts: Mapping[str, str]) -> DecisionFormat:
    """Return the decision format `native`, `constrained` or `react`.

    A decision format is the form in which the model returns tool calls.
    """
    if name == FORMAT_NATIVE:
        return NativeFormat(prompts["format_native"])
    if name == FORMAT_CONSTRAINED:
        return ConstrainedFormat(prompts["format_constrained"])
    return ReactFormat(prompts["format_react"])
