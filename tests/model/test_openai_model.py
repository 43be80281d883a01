"""A model behind an OpenAI-compatible server, over real HTTP."""

import asyncio
import json
import logging
import time
from email.utils import formatdate

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import (
    Answer,
    Call,
    Completion,
    FakeModelServer,
    Fault,
    FaultKind,
    Raw,
)
from custom_components.sage.model.language_model import (
    ChatMessage,
    ModelError,
    ModelErrorKind,
    ModelRequest,
    RetryPolicy,
    ToolCall,
    ToolSpec,
)
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client

QUICK = RetryPolicy(first_wait=0.0, request_seconds=20.0, total_seconds=20.0)
HELLO = ModelRequest(messages=(ChatMessage(role="user", content="Hello"),))
LIGHT = ToolSpec(
    name="sage__light",
    description="Switch a light.",
    parameters={"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]},
)


async def make_model(
    hass: HomeAssistant,
    server: FakeModelServer,
    *,
    policy: RetryPolicy = QUICK,
    key: str | None = None,
    name: str = "test-model",
) -> OpenAIModel:
    return OpenAIModel(await async_create_client(hass, server.url, key), name, policy=policy)


def in_turn(*answers: Answer):
    return list(answers)


async def test_a_reply_comes_with_its_tokens(hass: HomeAssistant, model_server: FakeModelServer):
    model_server.say(
        in_turn(Completion(text="Hello!", prompt_tokens=100, cached_tokens=80, completion_tokens=3))
    )
    model = await make_model(hass, model_server)

    reply = await model.async_complete(HELLO)

    assert model.name == "test-model"
    assert reply.text == "Hello!"
    assert not reply.truncated
    assert (reply.usage.prompt_tokens, reply.usage.cached_tokens) == (100, 80)
    assert reply.usage.completion_tokens == 3
    body = model_server.completions[0].body
    assert body["temperature"] == 0
    assert "stream" not in body


async def test_a_streamed_reply_comes_in_pieces(hass: HomeAssistant, model_server: FakeModelServer):
    model_server.say(in_turn(Completion(text="The kitchen light is on.", cached_tokens=7)))
    model = await make_model(hass, model_server)
    pieces: list[str] = []

    reply = await model.async_complete(HELLO, on_delta=pieces.append)

    assert reply.text == "The kitchen light is on."
    assert "".join(pieces) == reply.text
    assert len(pieces) > 1
    assert reply.usage.cached_tokens == 7
    assert model_server.completions[0].body["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("streamed", [False, True])
async def test_tool_calls_come_back_as_written(
    hass: HomeAssistant, model_server: FakeModelServer, streamed: bool
):
    calls = [
        Call(name="sage__light", arguments='{"on": tru'),
        Call(name="sage__light", arguments={"on": False}),
    ]
    model_server.say(in_turn(Completion(text="I look.", calls=calls)))
    model = await make_model(hass, model_server)
    pieces: list[str] = []

    reply = await model.async_complete(
        ModelRequest(messages=HELLO.messages, tools=(LIGHT,)),
        on_delta=pieces.append if streamed else None,
    )

    assert reply.tool_calls == (
        ToolCall(id="call_0", name="sage__light", arguments='{"on": tru'),
        ToolCall(id="call_1", name="sage__light", arguments='{"on": false}'),
    )
    assert reply.text == "I look."
    assert "".join(pieces) == ('I look.{"on": tru' if streamed else "")
    sent = model_server.completions[0].body["tools"][0]
    assert sent["function"]["parameters"] == LIGHT.parameters


@pytest.mark.parametrize("is_streamed", [True, False])
@pytest.mark.parametrize("status", [400, 200])
async def test_a_text_that_the_server_could_not_read_is_the_reply(
    hass: HomeAssistant, model_server: FakeModelServer, status: int, is_streamed: bool
):
    """Groq returns it in an error, after HTTP status 400 or within the stream."""
    written = '<function=sage__light{"on": true}</function>'
    error = {"error": {"code": "tool_use_failed", "failed_generation": written}}
    body, content_type = json.dumps(error), "application/json"
    if is_streamed and status == 200:
        body, content_type = f"data: {body}\n\ndata: [DONE]\n\n", "text/event-stream"
    model_server.say(in_turn(Raw(body=body.encode(), status=status, content_type=content_type)))
    model = await make_model(hass, model_server)

    reply = await model.async_complete(HELLO, on_delta=(lambda _: None) if is_streamed else None)

    assert reply.text == written


async def test_a_history_with_calls_is_sent_in_the_form_of_the_chat_api(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model = await make_model(hass, model_server)
    call = ToolCall(id="7", name="sage__light", arguments="{}")
    request = ModelRequest(
        messages=(
            ChatMessage(role="system", content="You are SAGE."),
            ChatMessage(role="assistant", tool_calls=(call,)),
            ChatMessage(role="tool", tool_call_id="7", content="done"),
            ChatMessage(role="assistant"),
        )
    )

    await model.async_complete(request)

    _, assistant, tool, empty = model_server.completions[0].messages
    assert assistant["tool_calls"][0]["function"] == {"name": "sage__light", "arguments": "{}"}
    assert assistant["content"] is None
    assert tool["tool_call_id"] == "7"
    assert empty["content"] == ""


async def test_a_schema_forces_the_reply(hass: HomeAssistant, model_server: FakeModelServer):
    schema = {
        "type": "object",
        "properties": {"thought": {"type": "string"}},
        "required": ["thought"],
    }
    model = await make_model(hass, model_server)

    reply = await model.async_complete(
        ModelRequest(messages=HELLO.messages, response_schema=schema)
    )

    assert reply.text == '{"thought": ""}'
    wanted = model_server.completions[0].body["response_format"]["json_schema"]
    assert wanted == {"name": "reply", "schema": schema, "strict": False}


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("refuses", [(), ("stop",)])
async def test_a_reply_ends_at_a_stop_sequence_even_if_the_server_refuses_it(
    hass: HomeAssistant, model_server: FakeModelServer, streamed: bool, refuses: tuple[str, ...]
):
    model_server.refuses = frozenset(refuses)
    model_server.say(lambda _: Completion(text="Action: look\nObservation: a cat", piece=3))
    model = await make_model(hass, model_server)
    pieces: list[str] = []

    reply = await model.async_complete(
        ModelRequest(messages=HELLO.messages, stop=("\nObservation:",)),
        on_delta=pieces.append if streamed else None,
    )

    assert reply.text == "Action: look"
    assert "".join(pieces) == ("Action: look" if streamed else "")
    assert model.refused_parameters == set(refuses)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("piece", [1, 5, 100])
async def test_hidden_reasoning_is_neither_returned_nor_streamed(
    hass: HomeAssistant, model_server: FakeModelServer, streamed: bool, piece: int
):
    text = "<think>\nThe cat?</think>\n\nIt is on."
    model_server.say(lambda _: Completion(text=text, reasoning="Hm.", piece=piece))
    model = await make_model(hass, model_server)
    pieces: list[str] = []

    reply = await model.async_complete(HELLO, on_delta=pieces.append if streamed else None)

    assert reply.text == "It is on."
    assert "".join(pieces) == ("It is on." if streamed else "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat? </think>It is on.", "It is on."),
        ("<", "<"),
        ("<thin", "<thin"),
        ("  <b> bold", "<b> bold"),
    ],
)
async def test_reasoning_marks_that_are_odd(
    hass: HomeAssistant, model_server: FakeModelServer, text: str, expected: str
):
    model_server.say(lambda _: Completion(text=text))
    model = await make_model(hass, model_server)

    assert (await model.async_complete(HELLO, on_delta=lambda _: None)).text == expected


async def test_a_reply_that_repeats_itself_is_ended_and_its_tokens_are_estimated(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say(lambda _: Completion(text="I need to know which lamp you mean. " * 2000))
    model = await make_model(hass, model_server)

    reply = await model.async_complete(HELLO, on_delta=lambda _: None)

    assert reply.truncated
    assert len(reply.text) < 10_000
    assert reply.usage.is_estimated
    assert reply.usage.completion_tokens > 100
    assert reply.usage.prompt_tokens > 0


async def test_a_reply_that_hit_the_limit_is_marked(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say(
        in_turn(
            Completion(text="And then", finish_reason="length"),
            Completion(text="<think>for ever", finish_reason="length"),
        )
    )
    model = await make_model(hass, model_server)

    assert (await model.async_complete(HELLO)).truncated
    reply = await model.async_complete(HELLO)
    assert (reply.text, reply.truncated) == ("", True)


@pytest.mark.parametrize(
    "parameter", ["temperature", "stop", "response_format", "stream_options", "max_tokens"]
)
async def test_a_refused_parameter_is_left_out_and_remembered(
    hass: HomeAssistant, model_server: FakeModelServer, parameter: str
):
    model_server.refuses = frozenset({parameter})
    model_server.say(lambda _: Completion(text="{}"))
    model = await make_model(hass, model_server, policy=RetryPolicy(attempts=1))
    request = ModelRequest(
        messages=HELLO.messages, response_schema={"type": "object"}, stop=("END",), max_tokens=50
    )

    for _ in range(2):
        assert (await model.async_complete(request, on_delta=lambda _: None)).text == "{}"

    sent = [parameter in request.body for request in model_server.completions]
    assert sent == [True, False, False]
    assert model.refused_parameters == {parameter}
    if parameter == "max_tokens":
        assert model_server.completions[-1].body["max_completion_tokens"] == 50


async def test_openai_gets_its_newer_name_for_the_limit_at_once(hass: HomeAssistant):
    client = await async_create_client(hass, "https://api.openai.com/v1", "key")

    assert OpenAIModel(client, "gpt").refused_parameters == {"max_tokens"}


@pytest.mark.parametrize(
    "fault",
    [
        Fault(kind=FaultKind.SERVER_ERROR),
        Fault(kind=FaultKind.RATE_LIMITED),
        Fault(kind=FaultKind.RATE_LIMITED, retry_after="0"),
        Fault(kind=FaultKind.RATE_LIMITED, retry_after=formatdate(0, usegmt=True)),
        Fault(kind=FaultKind.RATE_LIMITED, retry_after="soon"),
        Fault(kind=FaultKind.DROPPED),
        Fault(kind=FaultKind.CUT),
        Fault(kind=FaultKind.INVALID_JSON),
        Fault(kind=FaultKind.HTML),
        Fault(kind=FaultKind.EMPTY),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_fault_of_a_moment_is_tried_again(
    hass: HomeAssistant, model_server: FakeModelServer, fault: Fault, streamed: bool
):
    if fault.kind is FaultKind.CUT:
        fault = Fault(kind=FaultKind.CUT, said="")
    model_server.say(in_turn(fault, fault, Completion(text="Hello!")))
    model = await make_model(hass, model_server)

    reply = await model.async_complete(HELLO, on_delta=(lambda _: None) if streamed else None)

    assert reply.text == "Hello!"
    assert len(model_server.completions) == 3


@pytest.mark.parametrize(
    ("kind", "expected", "attempts"),
    [
        (FaultKind.SERVER_ERROR, ModelErrorKind.SERVER_ERROR, 3),
        (FaultKind.RATE_LIMITED, ModelErrorKind.RATE_LIMITED, 3),
        (FaultKind.NO_QUOTA, ModelErrorKind.NO_CREDIT, 1),
        (FaultKind.DROPPED, ModelErrorKind.BROKEN_REPLY, 3),
        (FaultKind.INVALID_JSON, ModelErrorKind.BROKEN_REPLY, 3),
        (FaultKind.HTML, ModelErrorKind.WRONG_ADDRESS, 3),
        (FaultKind.EMPTY, ModelErrorKind.BROKEN_REPLY, 3),
        (FaultKind.KEY_REFUSED, ModelErrorKind.KEY_REFUSED, 1),
        (FaultKind.NO_SUCH_MODEL, ModelErrorKind.NO_SUCH_MODEL, 1),
        (FaultKind.CONTEXT_TOO_LONG, ModelErrorKind.PROMPT_TOO_LONG, 1),
        (FaultKind.NOT_A_CHAT_MODEL, ModelErrorKind.NOT_A_CHAT_MODEL, 1),
        (FaultKind.REFUSED, ModelErrorKind.REFUSED, 1),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_fault_that_stays_is_named(
    hass: HomeAssistant,
    model_server: FakeModelServer,
    kind: FaultKind,
    expected: ModelErrorKind,
    attempts: int,
    streamed: bool,
):
    model_server.say(lambda _: Fault(kind=kind))
    model = await make_model(hass, model_server)

    with pytest.raises(ModelError) as caught:
        await model.async_complete(HELLO, on_delta=(lambda _: None) if streamed else None)

    assert caught.value.kind is expected
    assert len(model_server.completions) == attempts


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (FaultKind.CUT, ModelErrorKind.BROKEN_REPLY),
        (FaultKind.ENDED_EARLY, ModelErrorKind.BROKEN_REPLY),
        (FaultKind.ERROR_IN_STREAM, ModelErrorKind.SERVER_ERROR),
    ],
)
async def test_a_stream_that_was_heard_is_not_begun_again(
    hass: HomeAssistant, model_server: FakeModelServer, kind: FaultKind, expected: ModelErrorKind
):
    model_server.say(lambda _: Fault(kind=kind, said="The kitchen"))
    model = await make_model(hass, model_server)
    pieces: list[str] = []

    with pytest.raises(ModelError) as caught:
        await model.async_complete(HELLO, on_delta=pieces.append)

    assert caught.value.kind is expected
    assert "".join(pieces).rstrip(".") == "The kitchen"
    assert len(model_server.completions) == 1


async def test_all_attempts_together_have_a_time_limit(
    hass: HomeAssistant, model_server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
):
    model_server.say(lambda _: Fault(kind=FaultKind.SERVER_ERROR))
    policy = RetryPolicy(attempts=9, first_wait=10, longest_wait=1000, total_seconds=60)
    model = await make_model(hass, model_server, policy=policy)
    loop, slept, sleep = asyncio.get_running_loop(), 0.0, asyncio.sleep

    async def skipped(seconds: float) -> None:
        nonlocal slept
        slept += seconds
        await sleep(0)

    with monkeypatch.context() as skipping:
        skipping.setattr(loop, "time", lambda: time.monotonic() + slept)
        skipping.setattr(asyncio, "sleep", skipped)
        with pytest.raises(ModelError) as caught:
            await model.async_complete(HELLO)

    assert caught.value.kind is ModelErrorKind.SERVER_ERROR
    # The pauses double: after 10 and 20 seconds, 40 more are too long.
    assert slept == 30
    assert len(model_server.completions) == 3


async def test_a_server_that_wants_a_long_wait_is_not_waited_for(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say(lambda _: Fault(kind=FaultKind.RATE_LIMITED, retry_after="3600"))
    model = await make_model(hass, model_server)

    with pytest.raises(ModelError) as caught:
        await model.async_complete(HELLO)

    assert caught.value.kind is ModelErrorKind.RATE_LIMITED
    assert len(model_server.completions) == 1


async def test_the_wait_that_a_server_asks_for_is_kept(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say(
        in_turn(Fault(kind=FaultKind.RATE_LIMITED, retry_after="0.3"), Completion(text="Now."))
    )
    model = await make_model(hass, model_server)

    await model.async_complete(HELLO)

    first, second = (request.at for request in model_server.completions)
    assert second - first >= 0.3


async def test_a_run_that_is_cancelled_leaves_the_server_at_once(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say(lambda _: Fault(kind=FaultKind.HANG_MIDWAY))
    model = await make_model(hass, model_server)
    heard = asyncio.Event()

    task = hass.async_create_task(model.async_complete(HELLO, on_delta=lambda _: heard.set()))
    await heard.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_the_key_is_sent_and_never_logged(
    hass: HomeAssistant, model_server: FakeModelServer, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    model_server.api_key = "sk-very-secret"
    right = await make_model(hass, model_server, key="sk-very-secret")
    wrong = await make_model(hass, model_server, key="sk-other-secret")
    none = await make_model(hass, model_server)

    assert (await right.async_complete(HELLO)).text == "OK"
    for model in (wrong, none):
        with pytest.raises(ModelError) as caught:
            await model.async_complete(HELLO)
        assert caught.value.kind is ModelErrorKind.KEY_REFUSED
        assert "secret" not in caught.value.detail
    assert "secret" not in caplog.text
