"""A language model behind an AI Task entity of Home Assistant, of any integration."""

import json
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from homeassistant.components.ai_task import (
    AITaskEntity,
    AITaskEntityFeature,
    GenDataTask,
)
from homeassistant.components.ai_task.const import DATA_COMPONENT
from homeassistant.components.conversation import (
    AssistantContent,
    Attachment,
    ChatLog,
    SystemContent,
    UserContent,
)
from homeassistant.components.conversation.chat_log import current_chat_log
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.helpers.chat_session import ChatSession
from homeassistant.util.ulid import ulid_now

from ..helpers.server_requests import FailedAttemptError, RetryPolicy, async_try
from .language_model import (
    ChatMessage,
    DeltaSink,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    Usage,
)
from .model_errors import task_failure
from .reply_parts import ReplyText
from .structure import Structure, restored, structure_of

_TASK: Final = "SAGE"
_BYTES_PER_TOKEN: Final = 4
"""For estimates, where the integration reports no tokens."""


class AITaskModel:
    """The model of one AI Task entity.

    The entity has its own settings for the model, such as temperature and length of replies. It
    takes neither tool calls nor stop sequences.
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
        """Use the entity with this registry id or entity id.

        `structure`: the kind that the entity supports; None if its replies are text only.
        """
        self._hass = hass
        self._entity = entity
        self._name = name
        self._structure = structure
        self._policy = policy or RetryPolicy()

    @property
    def name(self) -> str:
        """The name of the entity when it was chosen."""
        return self._name

    async def async_complete(
        self, request: ModelRequest, *, on_delta: DeltaSink | None = None
    ) -> ModelReply:
        """Return the reply; see `LanguageModel`."""

        async def attempt() -> ModelReply:
            return await self._async_attempt(request, on_delta)

        try:
            return await async_try(self._policy, attempt)
        except FailedAttemptError as err:
            raise ModelError(ModelErrorKind(err.kind), err.detail) from err

    async def _async_attempt(self, request: ModelRequest, on_delta: DeltaSink | None) -> ModelReply:
        entity = self._found()
        kind, schema = self._structure, request.response_schema
        *earlier, last = request.messages
        # Only in an open structure, the text that arrives is what the schema describes.
        log = _TaskLog(self._hass, earlier, on_delta if kind is Structure.OPEN else None)
        structure = None if schema is None or kind is None else structure_of(schema, kind)
        async with _async_attached(self._hass, entity, last.images) as attachments:
            task = GenDataTask(
                name=_TASK,
                instructions=last.content or "",
                structure=structure,
                attachments=attachments,
            )
            data = await _async_generate(entity, log, task)
        if schema is None or structure is None:
            text = _plain(data, request.stop)
        else:
            fitting = restored(schema, data)
            # Prefer the words of the model, which its server has in the prompt cache.
            text = log.reply if log.reply and fitting == data else _json(fitting)
        if not text:
            raise FailedAttemptError(ModelErrorKind.BROKEN_REPLY, "the reply is empty", again=True)
        return ModelReply(text=text, usage=log.usage or _estimated(request, text))

    def _found(self) -> AITaskEntity:
        """Return the entity; raises FailedAttemptError if it is gone or away."""
        registry = er.async_get(self._hass)
        entity_id = er.async_resolve_entity_id(registry, self._entity)
        if entity_id is None:
            raise FailedAttemptError(ModelErrorKind.AI_TASK_GONE, "the AI Task entity was removed")
        component = self._hass.data.get(DATA_COMPONENT)
        entity = component.get_entity(entity_id) if component is not None else None
        if entity is None or not entity.available:
            raise FailedAttemptError(ModelErrorKind.UNREACHABLE, f"{entity_id} is unavailable")
        if AITaskEntityFeature.GENERATE_DATA not in entity.supported_features:
            raise FailedAttemptError(ModelErrorKind.NOT_A_CHAT_MODEL, f"{entity_id}: no data")
        return entity


class _TaskLog(ChatLog):
    """The chat log of one task, with the messages of a prompt.

    Home Assistant begins the prompt of a task with the time. Here it begins with SAGE's own system
    message, so that the server can cache it. The log exists only during the task: what a person
    said is neither stored nor shown by Home Assistant.
    """

    def __init__(
        self, hass: HomeAssistant, messages: Sequence[ChatMessage], on_delta: DeltaSink | None
    ) -> None:
        """Start with all messages before the last one."""
        super().__init__(hass, ulid_now())
        self.usage: Usage | None = None
        self._on_delta = on_delta
        self.has_passed_on = False
        """Whether a piece of the reply was passed on."""

        self._system = "\n\n".join(each.content or "" for each in messages if _is_system(each))
        self.content = [
            SystemContent(content=self._system),
            *(_content(each) for each in messages if not _is_system(each)),
        ]
        self._known = len(self.content)
        if on_delta is not None:
            self.delta_listener = self._heard

    @property
    def reply(self) -> str:
        """The last text of the model; empty if the integration does not use the log."""
        said = [
            each.content
            for each in self.content[self._known :]
            if isinstance(each, AssistantContent)
        ]
        return (said[-1] or "") if said else ""

    async def async_provide_llm_data(self, llm_context: llm.LLMContext, *_: Any, **__: Any) -> None:
        """Keep SAGE's own system message; tasks of SAGE have no tools."""

    @callback
    def async_trace(self, agent_details: dict[str, Any]) -> None:
        """Note the tokens that the integration reports; trace nothing else."""
        stats = agent_details.get("stats")
        if isinstance(stats, dict):
            self.usage = (self.usage or Usage()) + Usage(
                prompt_tokens=_count(stats.get("input_tokens")),
                cached_tokens=_count(stats.get("cached_input_tokens")),
                completion_tokens=_count(stats.get("output_tokens")),
            )

    @callback
    def async_trace_turn(self) -> None:
        """Trace nothing: SAGE has its own trace, only for the person of the run."""

    def _heard(self, _: ChatLog, delta: dict[str, Any]) -> None:
        piece = delta.get("content")
        if isinstance(piece, str) and piece and self._on_delta is not None:
            self.has_passed_on = True
            self._on_delta(piece)


async def _async_generate(entity: AITaskEntity, log: _TaskLog, task: GenDataTask) -> object:
    """Return the data of the task; the text of the model if it is not the JSON of the structure.

    Raises FailedAttemptError.
    """
    # The entity takes the log of the current context if it belongs to the session.
    token = current_chat_log.set(log)
    try:
        result = await entity.internal_async_generate_data(ChatSession(log.conversation_id), task)
    except TimeoutError, FailedAttemptError:
        raise
    except Exception as err:
        if log.reply and isinstance(err.__cause__, ValueError):
            return log.reply
        failure = task_failure(err)
        # The person may have heard the beginning: no second attempt.
        failure.again = failure.again and not log.has_passed_on
        raise failure from err
    finally:
        current_chat_log.reset(token)
    return result.data


@asynccontextmanager
async def _async_attached(
    hass: HomeAssistant, entity: AITaskEntity, images: Sequence[bytes]
) -> AsyncGenerator[list[Attachment] | None]:
    """Yield the images as files, which exist only inside the context; None without images."""
    if not images:
        yield None
        return
    if AITaskEntityFeature.SUPPORT_ATTACHMENTS not in entity.supported_features:
        raise FailedAttemptError(ModelErrorKind.REFUSED, f"{entity.entity_id} takes no images")
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
    """Return a reply without structure as text, without reasoning and up to a stop sequence."""
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


def _estimated(request: ModelRequest, text: str) -> Usage:
    """Return the tokens of a reply whose integration reports none."""
    prompt = sum(len((each.content or "").encode()) for each in request.messages)
    return Usage(
        prompt_tokens=prompt // _BYTES_PER_TOKEN,
        completion_tokens=len(text.encode()) // _BYTES_PER_TOKEN,
        is_estimated=True,
    )
