"""Conversation agents and their connections to language models.

A model is on an OpenAI-compatible server, or is used through an AI Task entity. The config entry
contains the household's connection and settings. An agent's subentry can contain its own.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from homeassistant.components.ai_task import AITaskEntityFeature
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_API_KEY, CONF_MODEL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import entity_sources, get_supported_features
from homeassistant.loader import async_get_loaded_integration

from ..agent import AgentSettings, Limits, make_format
from ..const import (
    COMPLETION_TOKENS,
    CONF_AI_TASK,
    CONF_BASE_URL,
    CONF_DECISION_FORMAT,
    CONF_FORMATS,
    CONF_INSTRUCTIONS,
    CONF_MAX_SECONDS,
    CONF_MAX_STEPS,
    CONF_MAX_TOKENS,
    CONF_MISJUDGES_TIMING,
    CONF_PAPER_FLOW,
    CONF_PLAIN_REQUESTS,
    CONF_REASONING_EFFORT,
    CONF_REPLY_TOKENS,
    CONF_SECOND_MODEL,
    CONF_SEES,
    CONF_STRUCTURE,
    CONF_TOOL_APIS,
    CONF_VERIFY_ANSWERS,
    CONF_WARM_PREFIX,
    DEFAULT_MAX_SECONDS,
    DEFAULT_MAX_STEPS,
    DEFAULT_MAX_TOKENS,
    DOMAIN,
    EFFORT_DEFAULT,
    FORMAT_AUTO,
    FORMAT_CONSTRAINED,
    FORMAT_REACT,
    SUBENTRY_AGENT,
    WARM_NEVER,
)
from ..model import (
    AITaskModel,
    LanguageModel,
    ModelError,
    ModelErrorKind,
    OpenAIModel,
    RetryPolicy,
    Structure,
    TwoModels,
    async_create_client,
    usage_of,
)
from ..run import SageAgent, SageConfigEntry
from .connection import Connection, is_local, is_local_model

PROBED: Final = (CONF_FORMATS, CONF_MISJUDGES_TIMING, CONF_SEES, CONF_STRUCTURE)
"""Settings that a test of a model finds out."""

_OWN: Final = (CONF_AI_TASK, CONF_MODEL, *PROBED)
NOT_SO: Final = {CONF_MISJUDGES_TIMING: False, CONF_SEES: False}
"""Settings that `Connection.as_data` leaves out if they are False."""


def household_connection(entry: ConfigEntry) -> Connection:
    """Return the household's connection, for agents without their own model."""
    return _from_data(entry.data)


def agent_connection(entry: ConfigEntry, data: Mapping[str, Any]) -> Connection:
    """Return an agent's own connection, or else the household's; `data`: its subentry's data."""
    own = NOT_SO | {key: data[key] for key in _OWN if key in data}
    if CONF_AI_TASK in own:
        return _from_data(own)
    # The household may have replaced the server of the model by an AI Task entity.
    has_own = CONF_MODEL in own and CONF_AI_TASK not in entry.data
    return _from_data({**entry.data, **own}) if has_own else household_connection(entry)


def second_connection(entry: ConfigEntry, data: Mapping[str, Any]) -> Connection | None:
    """Return the connection of the model that replies while that of an agent does not, or None.

    `data`: the data of the agent's subentry. The second model has no second model itself.
    """
    second = data.get(CONF_SECOND_MODEL)
    if second is None:
        return None
    connection, first = agent_connection(entry, second), agent_connection(entry, data)
    # The household may have replaced the server of the model, or use the model itself now.
    is_there = connection.model == second[CONF_MODEL]
    is_other = (connection.ai_task, connection.model) != (first.ai_task, first.model)
    return connection if is_there and is_other else None


def second_id(agent_id: str) -> str:
    """Return the id under which the calls of an agent's second model are counted."""
    return f"{agent_id}-second"


def decision_format(connection: Connection, settings: Mapping[str, Any]) -> str:
    """Return the name of the format for tool calls: the user's choice, or the connection's best."""
    chosen = str(settings.get(CONF_DECISION_FORMAT, FORMAT_AUTO))
    if connection.ai_task and chosen not in connection.formats:
        # An AI Task entity supports only the formats that were found by probing.
        chosen = FORMAT_AUTO
    return connection.formats[0] if chosen == FORMAT_AUTO else chosen


async def async_model(
    hass: HomeAssistant,
    connection: Connection,
    settings: Mapping[str, Any],
    policy: RetryPolicy | None = None,
) -> LanguageModel:
    """Return a client for the model; sends no request. `policy`: None for the default retries."""
    if connection.ai_task:
        return AITaskModel(
            hass,
            connection.ai_task,
            connection.model,
            structure=connection.structure,
            policy=policy,
        )
    client = await async_create_client(hass, connection.base_url, connection.api_key)
    effort = settings.get(CONF_REASONING_EFFORT, EFFORT_DEFAULT)
    return OpenAIModel(
        client,
        connection.model,
        policy=policy,
        reasoning_effort=None if effort == EFFORT_DEFAULT else effort,
        reply_tokens=int(settings.get(CONF_REPLY_TOKENS, COMPLETION_TOKENS)),
    )


def _from_data(data: Mapping[str, Any]) -> Connection:
    formats: Iterable[str] = data.get(CONF_FORMATS) or (FORMAT_REACT,)
    return Connection(
        base_url=data.get(CONF_BASE_URL, ""),
        ai_task=data.get(CONF_AI_TASK, ""),
        structure=Structure(data[CONF_STRUCTURE]) if data.get(CONF_STRUCTURE) else None,
        api_key=data.get(CONF_API_KEY),
        model=data[CONF_MODEL],
        formats=tuple(formats),
        misjudges_timing=bool(data.get(CONF_MISJUDGES_TIMING, False)),
        sees=bool(data.get(CONF_SEES, False)),
    )


@callback
def offered_ai_tasks(
    hass: HomeAssistant, features: AITaskEntityFeature = AITaskEntityFeature.GENERATE_DATA
) -> dict[str, str]:
    """Return the AI Task entities with these features but SAGE's: registry or entity id -> name."""
    offered = {}
    for entity_id, source in sorted(entity_sources(hass).items()):
        # SAGE must not call itself.
        if not entity_id.startswith("ai_task.") or source["domain"] == DOMAIN:
            continue
        if features in AITaskEntityFeature(get_supported_features(hass, entity_id)):
            name = async_get_loaded_integration(hass, source["domain"]).name
            offered[entity_key(hass, entity_id)] = f"{_name(hass, entity_id)} ({name})"
    return offered


@callback
def ai_task_name(hass: HomeAssistant, key: str) -> str:
    """Return the name of an AI Task entity by its registry id or entity id; `key` without one."""
    entity_id = er.async_resolve_entity_id(er.async_get(hass), key)
    return key if entity_id is None else _name(hass, entity_id)


def error_of(err: ModelError, *, is_ai_task: bool) -> str:
    """Return the translation key of the form error for `err`; `is_ai_task`: of the model."""
    is_away = is_ai_task and err.kind is ModelErrorKind.UNREACHABLE
    return "ai_task_unavailable" if is_away else err.kind.value


def _name(hass: HomeAssistant, entity_id: str) -> str:
    state = hass.states.get(entity_id)
    return entity_id if state is None else state.name


@callback
def entity_key(hass: HomeAssistant, entity_id: str) -> str:
    """Return the key that options use for an entity: its registry id, or else its entity id."""
    row = er.async_get(hass).async_get(entity_id)
    return entity_id if row is None else row.id


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
    """Return the texts of all prompts by file name without extension; run it in an executor."""
    texts = {path.stem: path.read_text(encoding="utf-8").strip() for path in _FOLDER.glob("*.md")}
    return MappingProxyType(texts)


_HASTY: Final = RetryPolicy(attempts=2, connect_seconds=3.0, longest_wait=1.0)
"""Attempts at a model with a second one that can reply instead."""

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
    connection, second = agent_connection(entry, data), second_connection(entry, data)
    policy = None if second is None else _HASTY
    counters = usage_of(hass)
    model = first = counters.counted(agent_id, await async_model(hass, connection, data, policy))
    second_model = second_format = None
    if second is not None:
        client = await async_model(hass, second, AGENT_DEFAULTS)
        second_model = counters.counted(second_id(agent_id), client)
        # A sixth of the command's time, so that enough is left for the second model.
        seconds = float(data[CONF_MAX_SECONDS]) / 6
        model = TwoModels(model, second_model, first_word_seconds=seconds)
        second_format = make_format(decision_format(second, AGENT_DEFAULTS), prompts)
    settings = AgentSettings(
        name=subentry.title,
        model=model,
        decision_format=make_format(decision_format(connection, data), prompts),
        second_format=second_format,
        schema_works=FORMAT_CONSTRAINED in connection.formats,
        misjudges_timing=connection.misjudges_timing,
        second_misjudges_timing=second is not None and second.misjudges_timing,
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
        answers_plainly=not settings.paper_flow
        and entry.options.get(CONF_PLAIN_REQUESTS, is_local_model(hass, connection)),
        second_model=second_model,
        seeing_model=first if connection.sees else None,
        warmed_model=None if patient is None else counters.counted(agent_id, patient),
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
