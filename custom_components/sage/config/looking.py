"""The action `sage.look`: a question about what a camera or an image entity shows now."""

import asyncio
import importlib
import logging
from collections.abc import Mapping
from typing import Final

import probatio
from homeassistant.core import (
    HomeAssistant,
    ServiceResponse,
    SupportsResponse,
    callback,
    split_entity_id,
)
from homeassistant.helpers import config_validation as cv

from ..agent import AgentSettings
from ..const import CONF_VISION, LOOK
from ..home import Level
from ..model import (
    AITaskModel,
    LanguageModel,
    ModelError,
    ModelErrorKind,
    first_object,
    usage_of,
)
from ..photos import clean_caption, re_encode
from ..run import (
    ActionRequest,
    SageAction,
    SageConfigEntry,
    async_register_actions,
    failure,
    refusal,
)
from ..text import async_load_sentences
from .agents import ai_task_name

_LOGGER = logging.getLogger(__name__)

_PROMPT: Final = "look"
_LONGEST_QUESTION: Final = 500
_LONGEST_ANSWER: Final = 300  # maximum lengths in characters
_TOKENS: Final = 1024  # maximum length of the reply in tokens, including a model's reasoning
_SOURCES: Final = frozenset({"camera", "image"})


def _eyes(
    hass: HomeAssistant, entry: SageConfigEntry
) -> tuple[LanguageModel, AgentSettings] | None:
    """Return the model that gets the pictures, with its agent; None if no model accepts any.

    It is the AI Task entity that the household chose for pictures, or else the model of an agent.
    """
    agents = entry.runtime_data.agents.values()
    first = entry.runtime_data.first_agent
    if first is not None and (entity := entry.options.get(CONF_VISION)):
        model = AITaskModel(hass, entity, ai_task_name(hass, entity), structure=None)
        return usage_of(hass).counted(first.settings.agent_id, model), first.settings
    eyes = ((each.seeing_model, each.settings) for each in agents)
    return next(((model, settings) for model, settings in eyes if model is not None), None)


@callback
def async_offer_looking(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Register the action until unload, if a model accepts pictures: else no camera offers it."""
    if _eyes(hass, entry) is None:
        return
    async_register_actions(hass, LOOK_SERVICES)

    @callback
    def remove() -> None:
        hass.services.async_remove(*LOOK)

    entry.async_on_unload(remove)


async def _async_look(request: ActionRequest) -> ServiceResponse:
    """Answer a question about the present picture; nothing of it is stored.

    The command pipeline has asked the person, if necessary. Other callers, such as scripts, meet
    the same permissions here, and what the household forbids.
    """
    hass, home = request.hass, request.entry.runtime_data.home
    (entity_id,), question = request.data["entity_id"], request.data["question"]
    await home.gate.async_load_rights(request.person)
    eyes = _eyes(hass, request.entry)
    if (
        eyes is None
        or split_entity_id(entity_id)[0] not in _SOURCES
        or not home.gate.may_control(request.person, entity_id)
        or home.levels.choice(entity_id) is Level.NEVER
    ):
        raise refusal("look_not_allowed")
    jpeg = await _async_picture(hass, entity_id, home.waits.call_seconds)
    try:
        async with asyncio.timeout(home.waits.look_seconds):
            return {"answer": await _async_answer(*eyes, question, jpeg)}
    except TimeoutError:
        kind = ModelErrorKind.TIMEOUT
    except ModelError as err:
        kind = err.kind
    sentences = await async_load_sentences(hass, hass.config.language)
    raise failure("look_failed", error=sentences.say(f"model_error_{kind}"))


async def _async_picture(hass: HomeAssistant, entity_id: str, seconds: float) -> bytes:
    """Return what the entity shows now, as a small JPEG without metadata."""
    domain = split_entity_id(entity_id)[0]
    try:
        async with asyncio.timeout(seconds):
            # Home Assistant has loaded it; the one for cameras loads a library of its own.
            source = importlib.import_module(f"homeassistant.components.{domain}")
            shown = await source.async_get_image(hass, entity_id)
        return await hass.async_add_executor_job(re_encode, shown.content)
    except Exception as err:
        # Integrations raise errors of many types.
        _LOGGER.debug("%s has no picture", entity_id, exc_info=True)
        raise failure("look_no_picture", entity=entity_id) from err


async def _async_answer(
    model: LanguageModel, settings: AgentSettings, question: str, jpeg: bytes
) -> str:
    request = settings.json_request(
        settings.prompts[_PROMPT],
        f"Question: {question}",
        schema=None,
        images=(jpeg,),
        max_tokens=_TOKENS,
    )
    text = (await model.async_complete(request)).text
    answer = (first_object(text) or {}).get("answer", text)
    if not isinstance(answer, str) or not (answer := clean_caption(answer, _LONGEST_ANSWER)):
        raise ModelError(ModelErrorKind.BROKEN_REPLY)
    return answer


LOOK_SERVICES: Final[Mapping[str, SageAction]] = {
    LOOK[1]: SageAction(
        handle=_async_look,
        fields={
            probatio.Required("entity_id"): probatio.All(
                cv.entity_ids, probatio.Length(min=1, max=1)
            ),
            probatio.Required("question"): probatio.All(
                cv.string, str.strip, probatio.Length(min=1, max=_LONGEST_QUESTION)
            ),
        },
        response=SupportsResponse.ONLY,
    )
}
