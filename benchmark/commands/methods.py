"""The compared methods: SAGE, also in the paper's flow and over an AI Task entity, and Assist."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import probatio
from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    SystemContent,
    ToolResultContent,
    UserContent,
    async_converse,
    async_get_chat_log,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.helpers.json import json_dumps

from custom_components.sage.model.language_model import (
    ChatMessage,
    DeltaSink,
    LanguageModel,
    ModelError,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolSpec,
    Usage,
)

SAGE: Final = "sage"
PAPER_FLOW: Final = "paper-flow"
AI_TASK: Final = "ai-task"
"""SAGE, with the model behind the AI Task entity of Home Assistant's Ollama integration."""
ASSIST: Final = "assist"
METHODS: Final = (SAGE, PAPER_FLOW, AI_TASK, ASSIST)

_MOST_CALLS: Final = 10
"""Model calls of one sentence, as in Home Assistant's own model integrations."""

_UNSUPPORTED: Final = frozenset({"oneOf", "anyOf", "allOf", "enum", "not"})
"""Keys at the top of a schema that servers refuse; Home Assistant leaves them out, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """What is said, and where."""

    text: str
    language: str
    user_id: str
    device_id: str | None = None
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """The answer to a sentence."""

    answer: str
    conversation_id: str
    is_question: bool
    first: float
    """Seconds until the first word of the answer."""

    last: float
    """Seconds until the last one."""


class Method(Protocol):
    """A way to answer sentences."""

    name: str
    format: str

    async def async_say(self, sentence: Sentence) -> Heard:
        """Return the answer."""


class Ledger:
    """The model calls since the last `clear`."""

    def __init__(self) -> None:
        self.calls = 0
        self.usage = Usage()
        self.failures: list[str] = []
        """Why calls gave no reply."""

    def clear(self) -> None:
        """Forget all calls."""
        self.calls, self.usage, self.failures = 0, Usage(), []

    def watch(self, model: LanguageModel) -> None:
        """Count the calls of a model from now on."""
        complete = model.async_complete

        async def counted(
            request: ModelRequest, *, on_delta: DeltaSink | None = None
        ) -> ModelReply:
            self.calls += 1
            try:
                reply = await complete(request, on_delta=on_delta)
            except ModelError as err:
                self.failures.append(str(err))
                raise
            self.usage += reply.usage
            return reply

        model.async_complete = counted  # type: ignore[method-assign]


class _Clock:
    """Notes when the first word of an answer comes."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._first: float | None = None

    def heard(self, text: object) -> None:
        """Take a piece of the answer."""
        if self._first is None and isinstance(text, str) and text.strip():
            self._first = self.seconds

    def again(self) -> None:
        """Forget the pieces: they were not of the answer."""
        self._first = None

    @property
    def seconds(self) -> float:
        """Seconds since the sentence was said."""
        return time.perf_counter() - self._began

    @property
    def first(self) -> float:
        """Seconds until the first word, until now if it came with the last."""
        return self.seconds if self._first is None else self._first


class SageMethod:
    """An agent of SAGE, spoken to as the pipeline of Assist does."""

    def __init__(
        self, hass: HomeAssistant, *, name: str, decision_format: str, agent_id: str
    ) -> None:
        """Speak to the conversation entity `agent_id`."""
        self.name = name
        self.format = decision_format
        self._hass = hass
        self._agent_id = agent_id

    async def async_say(self, sentence: Sentence) -> Heard:
        """Return the answer of one turn of the conversation."""
        hass, clock = self._hass, _Clock()
        with (
            async_get_chat_session(hass, sentence.conversation_id) as session,
            async_get_chat_log(
                hass,
                session,
                chat_log_delta_listener=lambda _, delta: clock.heard(delta.get("content")),
            ),
        ):
            result = await async_converse(
                hass,
                sentence.text,
                session.conversation_id,
                Context(user_id=sentence.user_id),
                language=sentence.language,
                agent_id=self._agent_id,
                device_id=sentence.device_id,
            )
        return Heard(
            answer=str(result.response.speech.get("plain", {}).get("speech", "")),
            conversation_id=session.conversation_id,
            is_question=result.continue_conversation,
            first=clock.first,
            last=clock.seconds,
        )


class AssistMethod:
    """Home Assistant's own Assist API and prompt, with the client that SAGE uses."""

    name = ASSIST
    format = "native"

    def __init__(
        self, hass: HomeAssistant, model: LanguageModel, instructions: str | None = None
    ) -> None:
        """Let `model` decide; `instructions` are added to its prompt."""
        self._hass = hass
        self._instructions = instructions
        self._model = model

    async def async_say(self, sentence: Sentence) -> Heard:
        """Return the answer, after as many tool calls as the model wants."""
        hass, clock = self._hass, _Clock()
        context = llm.LLMContext(
            platform=ASSIST,
            context=Context(user_id=sentence.user_id),
            language=sentence.language,
            assistant="conversation",
            device_id=sentence.device_id,
        )
        with (
            async_get_chat_session(hass, sentence.conversation_id) as session,
            async_get_chat_log(hass, session) as log,
        ):
            log.async_add_user_content(UserContent(content=sentence.text))
            await log.async_provide_llm_data(
                context, llm.LLM_API_ASSIST, user_extra_system_prompt=self._instructions
            )
            await self._async_answer(log, clock)
            last = log.content[-1]
            answer = last.content if isinstance(last, AssistantContent) else None
            return Heard(
                answer=answer or "",
                conversation_id=session.conversation_id,
                is_question=log.continue_conversation,
                first=clock.first,
                last=clock.seconds,
            )

    async def _async_answer(self, log: ChatLog, clock: _Clock) -> None:
        """Ask the model until it answers in words; raises nothing if it gives no reply."""
        assert log.llm_api is not None
        tools = tuple(_spec(tool, log.llm_api) for tool in log.llm_api.tools)
        for _ in range(_MOST_CALLS):
            request = ModelRequest(messages=tuple(_messages(log)), tools=tools)
            clock.again()
            try:
                reply = await self._model.async_complete(request, on_delta=clock.heard)
            except ModelError:
                return
            said = AssistantContent(
                agent_id=ASSIST,
                content=reply.text or None,
                tool_calls=[_input(call) for call in reply.tool_calls] or None,
            )
            async for _result in log.async_add_assistant_content(said):
                pass
            if not log.unresponded_tool_results:
                return


def _spec(tool: llm.Tool, api: llm.APIInstance) -> ToolSpec:
    schema: dict[str, Any] = probatio.to_openapi(
        tool.parameters, custom_serializer=api.custom_serializer, openapi_version="3.1.0"
    )
    parameters = {key: value for key, value in schema.items() if key not in _UNSUPPORTED}
    return ToolSpec(name=tool.name, description=tool.description or "", parameters=parameters)


def _input(call: ToolCall) -> llm.ToolInput:
    try:
        arguments = json.loads(call.arguments or "{}")
    except ValueError:
        arguments = {}
    given = arguments if isinstance(arguments, dict) else {}
    return llm.ToolInput(id=call.id, tool_name=call.name, tool_args=given)


def _messages(log: ChatLog) -> Iterator[ChatMessage]:
    for content in log.content:
        match content:
            case SystemContent() | UserContent():
                yield ChatMessage(role=content.role, content=content.content)
            case ToolResultContent():
                told = {"data": content.result.data, "error": content.result.error}
                yield ChatMessage(
                    role="tool", content=json_dumps(told), tool_call_id=content.tool_call_id
                )
            case AssistantContent():
                yield ChatMessage(
                    role="assistant", content=content.content, tool_calls=_calls(content.tool_calls)
                )


def _calls(inputs: Sequence[llm.ToolInput] | None) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(id=each.id, name=each.tool_name, arguments=json_dumps(each.tool_args))
        for each in inputs or ()
    )
