"""Forms of the config, options and subentry flows, with default values."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import probatio
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_NAME
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from ..const import (
    CONF_AI_TASK,
    CONF_BASE_URL,
    CONF_DECISION_FORMAT,
    CONF_EXPERT,
    CONF_INSTRUCTIONS,
    CONF_LIMITS,
    CONF_MAX_SECONDS,
    CONF_MAX_STEPS,
    CONF_MAX_TOKENS,
    CONF_MODEL_SOURCE,
    CONF_OWN_MODEL,
    CONF_PAPER_FLOW,
    CONF_REASONING_EFFORT,
    CONF_REPLY_TOKENS,
    CONF_TOOL_APIS,
    CONF_VERIFY_ANSWERS,
    DEFAULT_MAX_SECONDS,
    DEFAULT_MAX_STEPS,
    DEFAULT_MAX_TOKENS,
    DOMAIN,
    EFFORT_DEFAULT,
    FORMAT_AUTO,
    FORMAT_CONSTRAINED,
    FORMAT_NATIVE,
    FORMAT_REACT,
    SOURCE_SERVER,
)
from ..embeddings.server import FailureKind, ServerFailureError
from ..home.labels import quiet
from ..model.language_model import COMPLETION_TOKENS
from ..people.identity import async_all_users

_PASSWORD: Final = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="off")
)
SECRET: Final = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="new-password")
)
URL_FIELD: Final = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))
_FORMATS: Final = [FORMAT_AUTO, FORMAT_NATIVE, FORMAT_CONSTRAINED, FORMAT_REACT]
_EFFORTS: Final = [EFFORT_DEFAULT, "none", "minimal", "low", "medium", "high"]
_MOST_REPLY_TOKENS: Final = 65_536
_LIMITS: Final[Mapping[str, tuple[int, int, int]]] = {
    CONF_MAX_STEPS: (DEFAULT_MAX_STEPS, 2, 50),
    CONF_MAX_SECONDS: (DEFAULT_MAX_SECONDS, 10, 1800),
    CONF_MAX_TOKENS: (DEFAULT_MAX_TOKENS, 2_000, 2_000_000),
}
"""Default, minimum and maximum of each limit."""

_NOT_OFFERED: Final = frozenset({llm.LLM_API_ASSIST, "homeassistant", DOMAIN})
"""LLM APIs that agents cannot use: APIs that bypass SAGE's permission checks, and SAGE's own."""

_NO_EMBEDDINGS: Final = frozenset(
    {
        FailureKind.NOT_AN_EMBEDDING_MODEL,
        FailureKind.TEXT_TOO_LONG,
        FailureKind.OTHER_DIMENSIONS,
    }
)
"""Failures that share the error text `no_embeddings`; the others have their own text."""

type Form = probatio.Schema


def source_form(ai_tasks: Mapping[str, str], chosen: str) -> Form:
    """Return a form for choosing an AI Task entity or a server.

    `ai_tasks`: registry id or entity id -> display name. `chosen`: the preselected id, or
    SOURCE_SERVER.
    """
    options = [SelectOptionDict(value=key, label=name) for key, name in ai_tasks.items()]
    options.append(SelectOptionDict(value=SOURCE_SERVER, label=SOURCE_SERVER))
    known = [each["value"] for each in options]
    field = probatio.Required(CONF_MODEL_SOURCE, default=chosen if chosen in known else known[0])
    return probatio.Schema(
        {
            field: SelectSelector(
                SelectSelectorConfig(
                    options=options,
                    mode=SelectSelectorMode.LIST,
                    translation_key=CONF_MODEL_SOURCE,
                )
            )
        }
    )


def required(key: str, shown: Mapping[str, Any]) -> probatio.Required:
    """Return a required field, filled with the value in `shown`, if there is one."""
    return probatio.Required(key, default=shown.get(key, probatio.UNDEFINED))


def server_form(address: str) -> Form:
    """Return a form for the address and API key of a model server.

    `address`: the suggested address.
    """
    return probatio.Schema(
        {
            probatio.Required(CONF_BASE_URL, default=address): URL_FIELD,
            probatio.Optional(CONF_API_KEY): _PASSWORD,
        }
    )


def embedding_server_form(shown: Mapping[str, Any]) -> Form:
    """Return a form for an embedding server, with the suggested values in `shown`.

    The form never shows the API key.
    """
    return probatio.Schema(
        {
            required(CONF_BASE_URL, shown): URL_FIELD,
            probatio.Optional(CONF_API_KEY): SECRET,
            required(CONF_MODEL, shown): TextSelector(),
        }
    )


def embedding_error(failure: ServerFailureError) -> str:
    """Return the translation key of the form error that explains `failure`."""
    return "no_embeddings" if failure.kind in _NO_EMBEDDINGS else failure.kind.value


def key_form() -> Form:
    """Return a form that asks for a new API key."""
    return probatio.Schema({probatio.Required(CONF_API_KEY): _PASSWORD})


def model_form(models: Iterable[str], chosen: str) -> Form:
    """Return a form that asks for a model; `chosen` is preselected."""
    offered = list(models)
    if not chosen and len(offered) == 1:
        chosen = offered[0]
    field = probatio.Required(CONF_MODEL, default=chosen or probatio.UNDEFINED)
    return probatio.Schema({field: _model_selector(offered)})


def agent_form(
    hass: HomeAssistant,
    name: str,
    data: Mapping[str, Any],
    models: Iterable[str] | None,
    ai_tasks: Mapping[str, str],
) -> Form:
    """Return the form of an agent, filled with the values in `data`.

    - `models`: names of the models on the household's server; None if it has no server
    - `ai_tasks`: registry id or entity id of an AI Task entity -> display name
    """
    limits = {
        probatio.Required(key, default=data.get(key, default)): NumberSelector(
            NumberSelectorConfig(min=least, max=most, mode=NumberSelectorMode.BOX)
        )
        for key, (default, least, most) in _LIMITS.items()
    }
    own = _ai_task_field(ai_tasks, data.get(CONF_AI_TASK))
    if models is not None:
        known = None if CONF_AI_TASK in data else data.get(CONF_MODEL)
        field = probatio.Optional(CONF_MODEL, description={"suggested_value": known})
        own[field] = _model_selector(models)
    return probatio.Schema(
        {
            probatio.Required(CONF_NAME, default=name): TextSelector(),
            probatio.Optional(
                CONF_INSTRUCTIONS, description={"suggested_value": data.get(CONF_INSTRUCTIONS)}
            ): TemplateSelector(),
            **_tools_field(hass, data.get(CONF_TOOL_APIS, ())),
            probatio.Required(CONF_EXPERT): section(_expert_form(data), {"collapsed": True}),
            probatio.Required(CONF_LIMITS): section(probatio.Schema(limits), {"collapsed": True}),
            probatio.Required(CONF_OWN_MODEL): section(
                probatio.Schema(own), {"collapsed": CONF_MODEL not in data}
            ),
        }
    )


def _expert_form(data: Mapping[str, Any]) -> Form:
    """Return the section of an agent's form whose default values suit most models."""
    return probatio.Schema(
        {
            probatio.Required(
                CONF_DECISION_FORMAT, default=data.get(CONF_DECISION_FORMAT, FORMAT_AUTO)
            ): SelectSelector(
                SelectSelectorConfig(options=_FORMATS, translation_key=CONF_DECISION_FORMAT)
            ),
            probatio.Required(
                CONF_REASONING_EFFORT, default=data.get(CONF_REASONING_EFFORT, EFFORT_DEFAULT)
            ): SelectSelector(
                SelectSelectorConfig(
                    options=_EFFORTS,
                    mode=SelectSelectorMode.DROPDOWN,
                    translation_key=CONF_REASONING_EFFORT,
                )
            ),
            probatio.Required(
                CONF_REPLY_TOKENS, default=data.get(CONF_REPLY_TOKENS, COMPLETION_TOKENS)
            ): NumberSelector(
                NumberSelectorConfig(
                    min=COMPLETION_TOKENS, max=_MOST_REPLY_TOKENS, mode=NumberSelectorMode.BOX
                )
            ),
            probatio.Required(
                CONF_VERIFY_ANSWERS, default=data.get(CONF_VERIFY_ANSWERS, False)
            ): BooleanSelector(),
            probatio.Required(
                CONF_PAPER_FLOW, default=data.get(CONF_PAPER_FLOW, False)
            ): BooleanSelector(),
        }
    )


def _ai_task_field(ai_tasks: Mapping[str, str], chosen: str | None) -> dict[Any, Any]:
    """Return the field for an agent's own AI Task entity; empty if there is no such entity."""
    if not ai_tasks:
        return {}
    field = probatio.Optional(CONF_AI_TASK, description={"suggested_value": chosen})
    options = [SelectOptionDict(value=key, label=name) for key, name in ai_tasks.items()]
    return {
        field: SelectSelector(
            SelectSelectorConfig(options=options, mode=SelectSelectorMode.DROPDOWN)
        )
    }


def _tools_field(hass: HomeAssistant, chosen: Iterable[str]) -> dict[Any, Any]:
    """Return the field for tools of other integrations; empty if no integration has tools."""
    apis = tool_apis(hass)
    if not apis:
        return {}
    field = probatio.Optional(CONF_TOOL_APIS, default=[api for api in chosen if api in apis])
    options = [SelectOptionDict(value=api, label=name) for api, name in apis.items()]
    return {field: SelectSelector(SelectSelectorConfig(options=options, multiple=True))}


def default_agent_data() -> dict[str, Any]:
    """Return the default settings of a new agent."""
    return {
        CONF_INSTRUCTIONS: "",
        CONF_TOOL_APIS: [],
        CONF_DECISION_FORMAT: FORMAT_AUTO,
        CONF_REASONING_EFFORT: EFFORT_DEFAULT,
        CONF_REPLY_TOKENS: COMPLETION_TOKENS,
        CONF_VERIFY_ANSWERS: False,
        CONF_PAPER_FLOW: False,
        **{key: default for key, (default, _, _) in _LIMITS.items()},
    }


def agent_data(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return an agent's settings from the values of its form.

    The agent's own model is not included.
    """
    expert = user_input[CONF_EXPERT]
    return {
        CONF_INSTRUCTIONS: user_input.get(CONF_INSTRUCTIONS, "").strip(),
        CONF_TOOL_APIS: list(user_input.get(CONF_TOOL_APIS, ())),
        CONF_DECISION_FORMAT: expert[CONF_DECISION_FORMAT],
        CONF_REASONING_EFFORT: expert[CONF_REASONING_EFFORT],
        CONF_REPLY_TOKENS: int(expert[CONF_REPLY_TOKENS]),
        CONF_VERIFY_ANSWERS: expert[CONF_VERIFY_ANSWERS],
        CONF_PAPER_FLOW: expert[CONF_PAPER_FLOW],
        **{key: int(user_input[CONF_LIMITS][key]) for key in _LIMITS},
    }


def shown_formats(formats: Iterable[str]) -> str:
    """Return the names in `formats` as Markdown, e.g. "`native`, `react`"."""
    return ", ".join(f"`{name}`" for name in formats)


def escaped(text: str) -> str:
    """Return `text` on one line with escaped Markdown, for the description of a form."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>#|~!{}" else each for each in quiet(text))


def _model_selector(models: Iterable[str]) -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=list(models), custom_value=True, mode=SelectSelectorMode.DROPDOWN
        )
    )


@callback
def tool_apis(hass: HomeAssistant) -> dict[str, str]:
    """Return the LLM APIs that an agent may use: API id -> name.

    The APIs of Home Assistant and SAGE are left out.
    """
    return {api.id: api.name for api in llm.async_get_apis(hass) if api.id not in _NOT_OFFERED}


async def async_people(hass: HomeAssistant) -> SelectSelector:
    """Return a selector for users who can sign in."""
    people = [
        SelectOptionDict(value=user.id, label=user.name or user.id)
        for user in await async_all_users(hass)
    ]
    return SelectSelector(SelectSelectorConfig(options=people, mode=SelectSelectorMode.DROPDOWN))


async def async_name_of(hass: HomeAssistant, user_id: str) -> str:
    """Return the name of a user, or `user_id` if the user has no name or does not exist."""
    user = await hass.auth.async_get_user(user_id)
    return (user.name if user else None) or user_id


@callback
def entity_key(hass: HomeAssistant, entity_id: str) -> str:
    """Return the key that options use for an entity: its registry id, or else its entity id."""
    row = er.async_get(hass).async_get(entity_id)
    return entity_id if row is None else row.id
