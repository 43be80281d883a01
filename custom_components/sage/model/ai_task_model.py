"""A language model that another integration of Home Assistant offers as an AI Task entity."""

import json
import logging
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Final

import probatio
from homeassistant.components import ai_task, conversation
from homeassistant.components.ai_task import AITaskEntityFeature, GenDataTask
from homeassistant.components.conversation import (
    AssistantContent,
    Attachment,
    ChatLog,
    SystemContent,
    UserContent,
)
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.helpers.chat_session import ChatSession
from homeassistant.helpers.entity import get_supported_features
from homeassistant.util.ulid import ulid_now

from .language_model import (
    ChatMessage,
    DeltaSink,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    RetryPolicy,
    Usage,
    async_try,
    estimated_usage,
)
from .lenient_json import fitted
from .model_errors import task_failure
from .reply_parts import ReplyText

_LOGGER: Final = logging.getLogger(__name__)
_TASK: Final = "SAGE"


class Structure(StrEnum):
    """How much of JSON Schema a provider supports, from most to least."""

    OPEN = "open"  # the provider supports all JSON schemas

    # OpenAI's strict mode needs all field names, and returns null for missing optional fields.
    CLOSED = "closed"
    """Without objects with arbitrary field names, which SAGE requests as text with JSON."""

    # Gemini in Home Assistant does not support `anyOf`.
    FLAT = "flat"
    """Like CLOSED, but the provider does not support `anyOf`, either.

    SAGE merges the alternatives of `anyOf` into one object. Fields that differ between the
    alternatives become strings that contain JSON.
    """


class AITaskModel:
    """The language model of one AI Task entity; supports neither tool calls nor stop sequences.

    The model settings, such as temperature and reply length, are those of the entity. The public
    function of AI Task puts the time first, which no prompt cache can keep, and shows the texts to
    administrators. So only tests of the model, with one message, use it, as long as others can go
    past it with a chat log of SAGE.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        entity: str,
        name: str,
        *,
        structure: Structure | None = Structure.OPEN,
        policy: RetryPolicy | None = None,
    ) -> None:
        """`key`: registry id or entity id. `structure`: supported output; None for text only."""
        self._hass = hass
        self._entity = entity
        self.name = name
        self._structure = structure
        self._policy = policy or RetryPolicy()
        self._has_own_log = True

    async def async_complete(
        self, request: ModelRequest, *, on_delta: DeltaSink | None = None
    ) -> ModelReply:
        """Send a request and return the model's complete reply.

        `on_delta` receives pieces of the reply as they arrive, but only if the entity supports all
        JSON schemas. Raises ModelError if all attempts fail.
        """
        return await async_try(self._policy, partial(self._async_attempt, request, on_delta))

    async def _async_attempt(self, request: ModelRequest, on_delta: DeltaSink | None) -> ModelReply:
        entity_id, features = self._found()
        kind, schema = self._structure, request.response_schema
        *earlier, last = request.messages
        can_send = self._has_own_log and AITaskEntityFeature.SUPPORT_ATTACHMENTS in features
        if last.images and not can_send:
            raise ModelError(ModelErrorKind.REFUSED, f"{entity_id} takes no images")
        # Stream only OPEN structures: other results must be converted to the schema first.
        log = _TaskLog(self._hass, earlier, on_delta if kind is Structure.OPEN else None)
        structure = None if schema is None or kind is None else structure_of(schema, kind)
        async with _async_attached(self._hass, last.images) as attachments:
            task = GenDataTask(
                name=_TASK,
                instructions=last.content or "",
                structure=structure,
                attachments=attachments,
            )
            try:
                data = await self._async_data(entity_id, earlier, task, log)
            except TimeoutError, ModelError:
                raise
            except Exception as err:
                data = log.reply
                if not (data and isinstance(err.__cause__, ValueError)):
                    failure = task_failure(err)
                    # Do not retry after the user may have heard the beginning of the reply.
                    failure.again = failure.again and not log.has_passed_on
                    raise failure from err
        try:
            if schema is None or structure is None:
                text = _plain(data, request.stop)
            else:
                restored = fitted(schema, data)
                # Prefer the model's own text, because the server has it in its prompt cache.
                text = log.reply if log.reply and restored == data else _json(restored)
        except (TypeError, ValueError, RecursionError) as err:
            raise ModelError(
                ModelErrorKind.BROKEN_REPLY, "the reply is no JSON", again=True
            ) from err
        if not text:
            raise ModelError(ModelErrorKind.BROKEN_REPLY, "the reply is empty", again=True)
        reply = ModelReply(text=text)
        return replace(reply, usage=log.usage or estimated_usage(request, reply))

    def _found(self) -> tuple[str, AITaskEntityFeature]:
        registry = er.async_get(self._hass)
        entity_id = er.async_resolve_entity_id(registry, self._entity)
        if entity_id is None:
            raise ModelError(ModelErrorKind.AI_TASK_GONE, "the AI Task entity was removed")
        state = self._hass.states.get(entity_id)
        if state is None or state.state == STATE_UNAVAILABLE:
            raise ModelError(ModelErrorKind.UNREACHABLE, f"{entity_id} is unavailable")
        features = AITaskEntityFeature(get_supported_features(self._hass, entity_id))
        if AITaskEntityFeature.GENERATE_DATA not in features:
            raise ModelError(ModelErrorKind.NOT_A_CHAT_MODEL, f"{entity_id}: no data")
        return entity_id, features

    async def _async_data(
        self, entity_id: str, earlier: Sequence[ChatMessage], task: GenDataTask, log: _TaskLog
    ) -> object:
        """Return the result of the task. Raises ModelError, and what the integration raises."""
        if self._has_own_log and (earlier or task.attachments):
            try:
                return await _async_with_log(self._hass, entity_id, task, log)
            except Exception:
                if log.was_asked:
                    raise
            self._has_own_log = False
            _LOGGER.warning("AI Task has changed: SAGE can neither cache prompts nor send images")
            if task.attachments:
                raise ModelError(ModelErrorKind.REFUSED, f"{entity_id} takes no images now")
        result = await ai_task.async_generate_data(
            self._hass,
            task_name=_TASK,
            entity_id=entity_id,
            instructions="\n\n".join(
                [*(each.content or "" for each in earlier), task.instructions]
            ),
            structure=task.structure,
        )
        return result.data


class _TaskLog(ChatLog):
    """The chat log of one AI task, filled with the messages of the request.

    Home Assistant would put the current time first. This log starts with SAGE's system message
    instead, so that the server can cache the beginning of the prompt. The log exists only during
    the task, so Home Assistant neither stores nor shows the messages.
    """

    def __init__(
        self, hass: HomeAssistant, messages: Sequence[ChatMessage], on_delta: DeltaSink | None
    ) -> None:
        """Add `messages`; the last message of the request becomes the task's instructions."""
        super().__init__(hass, ulid_now())
        self.usage: Usage | None = None
        self._on_delta = on_delta
        self.has_passed_on = False  # whether `on_delta` has received anything
        self.was_asked = False  # whether Home Assistant has asked this log for the instructions
        system = "\n\n".join(each.content or "" for each in messages if _is_system(each))
        self.content = [
            SystemContent(content=system),
            *(_content(each) for each in messages if not _is_system(each)),
        ]
        self._known = len(self.content)
        if on_delta is not None:
            self.delta_listener = self._handle_delta

    @property
    def reply(self) -> str:
        said = (each for each in self.content[self._known :] if isinstance(each, AssistantContent))
        return next((each.content or "" for each in reversed([*said])), "")

    async def async_provide_llm_data(self, llm_context: llm.LLMContext, *_: Any, **__: Any) -> None:
        """Keep SAGE's system message; Home Assistant would replace it and add tools."""
        self.was_asked = True

    @callback
    def async_trace(self, agent_details: dict[str, Any]) -> None:
        """Add up the token counts that the integration reports; write no trace."""
        stats = agent_details.get("stats")
        if isinstance(stats, dict):
            self.usage = (self.usage or Usage()) + Usage(
                prompt_tokens=_count(stats.get("input_tokens")),
                cached_tokens=_count(stats.get("cached_input_tokens")),
                completion_tokens=_count(stats.get("output_tokens")),
            )

    @callback
    def async_trace_turn(self) -> None:
        """Write no trace: SAGE's own trace is visible only to the person who gave the command."""

    def _handle_delta(self, _: ChatLog, delta: dict[str, Any]) -> None:
        piece = delta.get("content")
        if isinstance(piece, str) and piece and self._on_delta is not None:
            self.has_passed_on = True
            self._on_delta(piece)


async def _async_with_log(
    hass: HomeAssistant, entity_id: str, task: GenDataTask, log: _TaskLog
) -> object:
    """Return the result of the task; uses parts of Home Assistant that a release may move."""
    entity: Any = hass.data[ai_task.const.DATA_COMPONENT].get_entity(entity_id)
    # The entity uses the current chat log if its id is the id of the session.
    token = conversation.chat_log.current_chat_log.set(log)
    try:
        session = ChatSession(log.conversation_id)
        result = await entity.internal_async_generate_data(session, task)
    finally:
        conversation.chat_log.current_chat_log.reset(token)
    if not log.was_asked:
        raise LookupError("The entity has used another log.")
    return result.data


@asynccontextmanager
async def _async_attached(
    hass: HomeAssistant, images: Sequence[bytes]
) -> AsyncGenerator[list[Attachment] | None]:
    """Write images to temporary files and yield attachments; None if there are no images."""
    if not images:
        yield None
        return
    paths = await hass.async_add_executor_job(_write, images)
    try:
        yield [
            Attachment(media_content_id=path.name, mime_type="image/jpeg", path=path)
            for path in paths
        ]
    finally:
        await hass.async_add_executor_job(_delete, paths)


def _write(images: Sequence[bytes]) -> list[Path]:
    paths: list[Path] = []
    for image in images:
        with tempfile.NamedTemporaryFile(prefix="sage-", suffix=".jpg", delete=False) as file:
            paths.append(Path(file.name))
            file.write(image)
    return paths


def _delete(paths: Sequence[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _is_system(message: ChatMessage) -> bool:
    return message.role == "system"


def _content(message: ChatMessage) -> UserContent | AssistantContent:
    if message.role == "assistant":
        return AssistantContent(agent_id=_TASK, content=message.content or "")
    return UserContent(content=message.content or "")


def _plain(data: object, stop: tuple[str, ...]) -> str:
    """Return an unstructured result as text, without reasoning, cut at the first stop sequence."""
    text = ReplyText(stop)
    text.add(data if isinstance(data, str) else _json(data))
    text.end()
    return text.text


def _json(data: object) -> str:
    if isinstance(data, str):
        return data
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


_AS_TEXT: Final = {"type": "string", "description": "a JSON object, written as text"}
_SCALARS: Final[Mapping[str, Any]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
}


def structure_of(schema: Mapping[str, Any], kind: Structure) -> probatio.Schema:
    """Return the AI Task structure for a JSON schema of an object; `kind`: what is supported."""
    return probatio.Schema(_validator(schema, kind))


def _validator(schema: Mapping[str, Any], kind: Structure) -> Any:
    unknown = object if kind is Structure.OPEN else str
    if choices := schema.get("anyOf"):
        if kind is Structure.FLAT:
            return _validator(_merged(choices), kind)
        return probatio.Any(*(_validator(each, kind) for each in choices))
    if "enum" in schema:
        return probatio.In(list(schema["enum"]))
    match schema.get("type"):
        case "object":
            if "properties" in schema:
                return _object(schema, kind)
            return dict if kind is Structure.OPEN else str
        case "array":
            items = [_validator(schema.get("items", {}), kind)]
            return _bounded(items, probatio.Length, schema.get("minItems"), schema.get("maxItems"))
        case list() as types:
            return probatio.Any(*(_validator({**schema, "type": each}, kind) for each in types))
        case other:
            validator = _SCALARS.get(str(other), unknown)
            least, most = schema.get("minimum"), schema.get("maximum")
            return _bounded(validator, probatio.Range, least, most)


def _bounded(validator: Any, bounds: Any, least: float | None, most: float | None) -> Any:
    if least is None and most is None:
        return validator
    return probatio.All(validator, bounds(min=least, max=most))


def _object(schema: Mapping[str, Any], kind: Structure) -> dict[Any, Any]:
    required = schema.get("required", ())
    fields: dict[Any, Any] = {}
    for name, each in schema["properties"].items():
        marker = probatio.Required if name in required else probatio.Optional
        described = each
        if kind is not Structure.OPEN and each.get("type") == "object" and "properties" not in each:
            # An object with arbitrary field names.
            described = _AS_TEXT
        fields[marker(name, description=described.get("description"))] = _validator(each, kind)
    return fields


def _merged(choices: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return one schema for all of an `anyOf`; a JSON string if field names differ."""
    names = {tuple(each.get("properties", ())) for each in choices}
    if len(names) != 1 or names == {()}:
        return _AS_TEXT
    fields = {name: _either([each["properties"][name] for each in choices]) for name in names.pop()}
    required = [name for name in fields if all(name in each["required"] for each in choices)]
    return {"type": "object", "properties": fields, "required": required}


def _either(fields: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if all("enum" in each for each in fields):
        values = [value for each in fields for value in each["enum"]]
        return {"type": "string", "enum": list(dict.fromkeys(values))}
    return fields[0] if all(each == fields[0] for each in fields) else _AS_TEXT
