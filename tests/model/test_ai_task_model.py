"""A model behind an AI Task entity of the real Ollama integration, over real HTTP."""

import base64
import json
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from homeassistant.components import conversation
from homeassistant.components.ai_task import AITaskEntity, GenDataTask, GenDataTaskResult
from homeassistant.components.ai_task.const import DATA_COMPONENT
from homeassistant.components.conversation import ChatLog
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from benchmark.fake_model_server import Completion, FakeModelServer, Fault, FaultKind
from custom_components.sage.model.ai_task_model import AITaskModel, Structure
from custom_components.sage.model.language_model import (
    ChatMessage,
    ModelError,
    ModelErrorKind,
    ModelRequest,
    RetryPolicy,
    object_schema,
)
from tests.ai_task_house import AI_TASK, async_add_ollama, key_of

QUICK = RetryPolicy(first_wait=0.0, request_seconds=20.0, total_seconds=20.0)
SCHEMA = object_schema({"word": {"type": "string"}, "values": {"type": "object"}})
PROMPT = (
    ChatMessage(role="system", content="You are SAGE."),
    ChatMessage(role="user", content="First."),
    ChatMessage(role="assistant", content='{"word":"one"}'),
    ChatMessage(role="user", content="Second."),
)
REPLY = {"word": "two", "values": {"a": 1}}


def model_of(hass: HomeAssistant, *, structure=Structure.OPEN, policy=QUICK) -> AITaskModel:
    return AITaskModel(hass, key_of(hass), "Ollama", structure=structure, policy=policy)


@pytest.fixture
async def ollama(hass: HomeAssistant, model_server: FakeModelServer):
    return await async_add_ollama(hass, model_server)


@pytest.mark.usefixtures("ollama")
async def test_a_prompt_arrives_as_it_is_and_a_reply_follows_the_schema(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say([Completion(text=json.dumps(REPLY)), Completion(text=json.dumps(REPLY))])
    model = model_of(hass)
    request = ModelRequest(messages=PROMPT, response_schema=SCHEMA)

    reply = await model.async_complete(request)
    await model.async_complete(request)

    assert json.loads(reply.text) == REPLY
    assert reply.usage.is_estimated
    assert reply.usage.prompt_tokens > 0
    first, second = model_server.completions
    assert [(each["role"], each["content"]) for each in first.messages] == [
        (each.role, each.content) for each in PROMPT
    ]
    wanted = first.body["response_format"]["json_schema"]["schema"]
    assert wanted["required"] == ["word", "values"]
    assert first.body == second.body


@pytest.mark.usefixtures("ollama")
@pytest.mark.parametrize(
    ("logs", "messages", "first_calls", "warnings"),
    [
        (conversation.chat_log, PROMPT[-1:], 1, 0),  # one message needs no cache
        (SimpleNamespace(), PROMPT, 1, 1),  # a release has moved the current log,
        (SimpleNamespace(current_chat_log=ContextVar("other")), PROMPT, 2, 1),  # or ignores it
    ],
)
async def test_the_public_function_gets_one_text(
    hass: HomeAssistant,
    model_server: FakeModelServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    logs: object,
    messages: tuple[ChatMessage, ...],
    first_calls: int,
    warnings: int,
):
    monkeypatch.setattr(conversation, "chat_log", logs)
    model_server.say(lambda _: Completion(text=json.dumps(REPLY)))
    model = model_of(hass)
    pieces: list[str] = []
    request = ModelRequest(messages=messages, response_schema=SCHEMA)

    for _ in range(2):
        reply = await model.async_complete(request, on_delta=pieces.append)
        assert json.loads(reply.text) == REPLY
        text = model_server.completions[-1].messages[-1]["content"]
        assert text == "\n\n".join(each.content or "" for each in messages)

    assert len(model_server.completions) == first_calls + 1
    assert pieces == []
    assert caplog.text.count("AI Task has changed") == warnings
    seen = ChatMessage(role="user", content="What is it?", images=(b"jpeg",))
    for each in (model, model_of(hass)) if warnings else ():
        with pytest.raises(ModelError) as error:
            await each.async_complete(ModelRequest(messages=(PROMPT[0], seen)))
        assert error.value.kind is ModelErrorKind.REFUSED


@pytest.mark.usefixtures("ollama")
async def test_a_reply_without_a_schema_is_text(hass: HomeAssistant, model_server: FakeModelServer):
    model_server.say([Completion(text="Hello!\nObservation: no")])

    reply = await model_of(hass).async_complete(
        ModelRequest(messages=PROMPT, stop=("\nObservation:",))
    )

    assert reply.text == "Hello!"
    assert "response_format" not in model_server.completions[0].body


@pytest.mark.usefixtures("ollama")
async def test_a_reply_arrives_in_pieces(hass: HomeAssistant, model_server: FakeModelServer):
    model_server.say([Completion(text=json.dumps(REPLY))])
    pieces: list[str] = []

    reply = await model_of(hass).async_complete(
        ModelRequest(messages=PROMPT, response_schema=SCHEMA), on_delta=pieces.append
    )

    assert len(pieces) > 1
    assert "".join(pieces) == reply.text


@pytest.mark.usefixtures("ollama")
async def test_another_structure_is_restored(hass: HomeAssistant, model_server: FakeModelServer):
    model_server.say([Completion(text=json.dumps(REPLY | {"values": '{"a": 1}'}))])
    pieces: list[str] = []

    reply = await model_of(hass, structure=Structure.CLOSED).async_complete(
        ModelRequest(messages=PROMPT, response_schema=SCHEMA), on_delta=pieces.append
    )

    assert json.loads(reply.text) == REPLY
    assert not pieces
    wanted = model_server.completions[0].body["response_format"]["json_schema"]["schema"]
    assert wanted["properties"]["values"]["type"] == "string"


@pytest.mark.usefixtures("ollama")
@pytest.mark.parametrize("data", [{"word": datetime.now(UTC)}, {"word": {2}}, object()])
async def test_a_result_that_cannot_be_json_is_a_broken_reply(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, data: object
):
    async def generate(
        self: AITaskEntity, task: GenDataTask, chat_log: ChatLog
    ) -> GenDataTaskResult:
        return GenDataTaskResult(conversation_id=chat_log.conversation_id, data=data)

    entity = hass.data[DATA_COMPONENT].get_entity(AI_TASK)
    monkeypatch.setattr(type(entity), "_async_generate_data", generate)

    with pytest.raises(ModelError) as error:
        await model_of(hass).async_complete(ModelRequest(messages=PROMPT, response_schema=SCHEMA))

    assert error.value.kind is ModelErrorKind.BROKEN_REPLY


@pytest.mark.usefixtures("ollama")
async def test_home_assistant_keeps_nothing_that_was_said(
    hass: HomeAssistant, model_server: FakeModelServer
):
    await model_of(hass).async_complete(ModelRequest(messages=PROMPT))

    assert not hass.data.get(DATA_CHAT_LOGS)


@pytest.mark.usefixtures("ollama")
async def test_an_image_arrives_and_no_file_stays(
    hass: HomeAssistant,
    model_server: FakeModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    seen = ChatMessage(role="user", content="What is it?", images=(b"\xff\xd8jpeg",))

    await model_of(hass).async_complete(ModelRequest(messages=(PROMPT[0], seen)))

    (image,) = model_server.completions[0].messages[-1]["images"]
    assert base64.b64decode(image) == b"\xff\xd8jpeg"
    assert not await hass.async_add_executor_job(lambda: list(tmp_path.glob("sage-*")))


@pytest.mark.usefixtures("ollama")
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (FaultKind.SERVER_ERROR, ModelErrorKind.SERVER_ERROR),
        (FaultKind.RATE_LIMITED, ModelErrorKind.RATE_LIMITED),
        (FaultKind.KEY_REFUSED, ModelErrorKind.AI_TASK_KEY),
        (FaultKind.NO_SUCH_MODEL, ModelErrorKind.NO_SUCH_MODEL),
        (FaultKind.CONTEXT_TOO_LONG, ModelErrorKind.PROMPT_TOO_LONG),
        (FaultKind.REFUSED, ModelErrorKind.REFUSED),
        (FaultKind.EMPTY, ModelErrorKind.BROKEN_REPLY),
    ],
)
async def test_an_error_says_what_is_wrong(
    hass: HomeAssistant, model_server: FakeModelServer, fault: FaultKind, kind: ModelErrorKind
):
    model_server.say(lambda _: Fault(kind=fault))

    with pytest.raises(ModelError) as error:
        await model_of(hass).async_complete(ModelRequest(messages=PROMPT))

    assert error.value.kind is kind


@pytest.mark.usefixtures("ollama")
async def test_a_failure_for_a_moment_is_tried_again(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say([Fault(kind=FaultKind.SERVER_ERROR), Completion(text="Hello.")])

    reply = await model_of(hass).async_complete(ModelRequest(messages=PROMPT))

    assert reply.text == "Hello."


@pytest.mark.usefixtures("ollama")
async def test_a_server_that_does_not_answer_is_not_waited_for(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say(lambda _: Fault(kind=FaultKind.HANG))
    model = model_of(hass, policy=RetryPolicy(request_seconds=0.1, total_seconds=0.2))

    with pytest.raises(ModelError) as error:
        await model.async_complete(ModelRequest(messages=PROMPT))

    assert error.value.kind is ModelErrorKind.TIMEOUT


async def test_an_entity_that_goes_away_and_is_removed(
    hass: HomeAssistant, model_server: FakeModelServer, ollama
):
    model = model_of(hass)
    kinds: list[ModelErrorKind] = []

    async def fails() -> None:
        with pytest.raises(ModelError) as error:
            await model.async_complete(ModelRequest(messages=PROMPT))
        kinds.append(error.value.kind)

    await model_server.async_stop()
    await fails()
    await hass.config_entries.async_unload(ollama.entry_id)
    await fails()
    er.async_get(hass).async_remove(AI_TASK)
    await fails()

    assert kinds == [
        ModelErrorKind.UNREACHABLE,
        ModelErrorKind.UNREACHABLE,
        ModelErrorKind.AI_TASK_GONE,
    ]
