"""AI Task entities that generate data with the model of a SAGE agent, without tools."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import probatio
from homeassistant.components.ai_task import (
    AITaskEntity,
    AITaskEntityFeature,
    GenDataTask,
    GenDataTaskResult,
)
from homeassistant.components.conversation import (
    AssistantContent,
    Attachment,
    ChatLog,
    SystemContent,
    UserContent,
)
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import DOMAIN
from .model.language_model import ChatMessage, ModelError, ModelRequest
from .model.partial_json import first_object
from .photos.photo import RefusedPictureError, re_encode
from .run.runtime import SageAgent, SageConfigEntry
from .run.service_caller import refusal

PARALLEL_UPDATES = 0

_TOKENS: Final = 4_096
"""Maximum length of generated data in tokens."""
_WANTED: Final = "Reply with one JSON object that follows this JSON schema: "


async def async_setup_entry(
    hass: HomeAssistant,
    entry: SageConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add one AI Task entity for each agent."""
    for subentry_id, agent in entry.runtime_data.agents.items():
        async_add_entities([SageAITaskEntity(subentry_id, agent)], config_subentry_id=subentry_id)


class SageAITaskEntity(AITaskEntity):
    """The AI Task entity of an agent: generates data with the agent's model, without tools."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supported_features = (
        AITaskEntityFeature.GENERATE_DATA | AITaskEntityFeature.SUPPORT_ATTACHMENTS
    )

    def __init__(self, subentry_id: str, agent: SageAgent) -> None:
        """Create the entity on the device of the agent."""
        self._settings = agent.settings
        self._attr_unique_id = subentry_id
        self._attr_device_info = agent.device_info

    async def _async_generate_data(self, task: GenDataTask, chat_log: ChatLog) -> GenDataTaskResult:
        """Return the model's reply: text, or data that matches the structure of the task.

        Raises HomeAssistantError if the model fails or the reply does not match the structure.
        """
        request = await self._async_request(task.structure, chat_log)
        try:
            reply = await self._settings.model.async_complete(request)
        except ModelError as err:
            raise _error("ai_task_failed", str(err)) from err
        chat_log.async_add_assistant_content_without_tools(
            AssistantContent(agent_id=self.entity_id, content=reply.text)
        )
        data = reply.text if task.structure is None else _data(task.structure, reply.text)
        return GenDataTaskResult(conversation_id=chat_log.conversation_id, data=data)

    async def _async_request(
        self, structure: probatio.Schema | None, chat_log: ChatLog
    ) -> ModelRequest:
        """Return a model request with the messages of the chat log, without tool calls.

        Raises HomeAssistantError for an attachment that is not an image.
        """
        messages = [
            ChatMessage(
                role=each.role,
                content=each.content,
                images=await self._async_images(each.attachments or ())
                if isinstance(each, UserContent)
                else (),
            )
            for each in chat_log.content
            if isinstance(each, SystemContent | UserContent | AssistantContent)
        ]
        schema = None
        if structure is not None:
            schema = probatio.to_openapi(
                structure, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
            )
            # Put the schema into the prompt too, since not every server enforces it.
            content = f"{messages[0].content}\n\n{_WANTED}{json.dumps(schema, ensure_ascii=False)}"
            messages[0] = replace(messages[0], content=content)
        return ModelRequest(
            messages=tuple(messages),
            response_schema=schema if self._settings.schema_works else None,
            max_tokens=_TOKENS,
        )

    async def _async_images(self, attachments: Sequence[Attachment]) -> tuple[bytes, ...]:
        """Return image attachments as JPEG; raises HomeAssistantError for other files."""
        try:
            return tuple(
                [
                    await self.hass.async_add_executor_job(_read, attachment)
                    for attachment in attachments
                ]
            )
        except RefusedPictureError as err:
            raise refusal(err.refusal.value) from err
        except OSError as err:
            raise _error("ai_task_attachment", str(err)) from err


def _read(attachment: Attachment) -> bytes:
    return re_encode(attachment.path.read_bytes())


def _data(structure: probatio.Schema, text: str) -> Any:
    """Return the first JSON object in `text`, validated by `structure`.

    Raises HomeAssistantError if the object is missing or invalid.
    """
    if (found := first_object(text)) is None:
        raise _error("ai_task_no_data", "it contains no JSON object")
    try:
        return structure(found)
    except probatio.Invalid as err:
        raise _error("ai_task_no_data", str(err)) from err


def _error(key: str, detail: str) -> HomeAssistantError:
    return HomeAssistantError(
        translation_domain=DOMAIN,
        translation_key=key,
        translation_placeholders={"error": detail},
    )
