"""A second model replies while the first one does not; both are on real servers on loopback."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import Answer, Completion, FakeModelServer, Fault, FaultKind
from custom_components.sage.model import two_models
from custom_components.sage.model.language_model import (
    ChatMessage,
    ModelError,
    ModelErrorKind,
    ModelRequest,
    RetryPolicy,
)
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client
from custom_components.sage.model.two_models import TwoModels

HELLO = ModelRequest(messages=(ChatMessage(role="user", content="Hello"),))
FIRST, SECOND = Completion(text="I am the first."), Completion(text="I am the second.")


class Clock:
    """The clock of the pauses."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(two_models, "monotonic", clock)
    return clock


@pytest.fixture
async def second_server(socket_enabled: None) -> AsyncGenerator[FakeModelServer]:
    async with FakeModelServer(lambda _: SECOND, models=("second",)) as server:
        yield server


@pytest.fixture
async def both(
    hass: HomeAssistant, model_server: FakeModelServer, second_server: FakeModelServer, clock: Clock
) -> TwoModels:
    model_server.say(lambda _: FIRST)
    hasty = RetryPolicy(attempts=2, first_wait=0.0)
    first, second = [
        OpenAIModel(await async_create_client(hass, server.url, None), name, policy=hasty)
        for server, name in ((model_server, "test-model"), (second_server, "second"))
    ]
    return TwoModels(first, second, first_word_seconds=60.0)


@pytest.mark.parametrize(
    ("fault", "kind", "asked_again"),
    [
        (Fault(kind=FaultKind.SERVER_ERROR), "server_error", False),
        (Fault(kind=FaultKind.DROPPED), "broken_reply", False),
        (Fault(kind=FaultKind.EMPTY), "broken_reply", False),
        (Fault(kind=FaultKind.INVALID_JSON), "broken_reply", False),
        (Fault(kind=FaultKind.HTML), "wrong_address", False),
        (Fault(kind=FaultKind.RATE_LIMITED, retry_after="90"), "rate_limited", False),
        (Fault(kind=FaultKind.NO_QUOTA), "no_credit", False),
        (Fault(kind=FaultKind.KEY_REFUSED), "key_refused", False),
        (Fault(kind=FaultKind.NO_SUCH_MODEL), "no_such_model", False),
        # The next request may be shorter, or about something else.
        (Fault(kind=FaultKind.CONTEXT_TOO_LONG), "prompt_too_long", True),
        (Fault(kind=FaultKind.REFUSED), "refused", True),
    ],
)
async def test_an_error_makes_the_second_reply_and_the_first_rests(
    both: TwoModels,
    model_server: FakeModelServer,
    clock: Clock,
    fault: Answer,
    kind: str,
    asked_again: bool,
):
    model_server.say(lambda _: fault)
    reply = await both.async_complete(HELLO)
    assert (reply.text, reply.instead_of) == (SECOND.text, kind)
    model_server.say(lambda _: FIRST)
    model_server.forget()

    reply = await both.async_complete(HELLO)

    assert reply.text == (FIRST.text if asked_again else SECOND.text)
    assert bool(model_server.completions) is asked_again
    clock.now += 91
    reply = await both.async_complete(HELLO)
    assert (reply.text, reply.instead_of) == (FIRST.text, None)


async def test_pauses_grow_and_one_request_tries_the_first(
    both: TwoModels, model_server: FakeModelServer, clock: Clock
):
    await model_server.async_stop()
    await asyncio.gather(*(both.async_complete(HELLO) for _ in range(5)))
    await model_server.async_start()
    model_server.say(lambda _: Fault(kind=FaultKind.KEY_REFUSED))
    tried: list[int] = []
    for seconds in (9, 2, 18, 3, 600):
        clock.now += seconds
        model_server.forget()
        replies = await asyncio.gather(*(both.async_complete(HELLO) for _ in range(5)))
        assert {each.text for each in replies} == {SECOND.text}
        tried.append(len(model_server.completions))

    assert tried == [0, 1, 0, 1, 1]


async def test_a_slow_first_model_is_left(both: TwoModels, model_server: FakeModelServer):
    for sink in (None, lambda _: None):
        model_server.say(lambda _: Fault(kind=FaultKind.HANG))
        quick = TwoModels(both._first, both._second, first_word_seconds=0.05)
        reply = await quick.async_complete(HELLO, on_delta=sink)
        assert (reply.text, reply.instead_of) == (SECOND.text, ModelErrorKind.TIMEOUT)


async def test_a_second_reply_is_not_streamed_after_the_beginning_of_the_first(
    both: TwoModels, model_server: FakeModelServer
):
    heard: list[str] = []
    model_server.say(lambda _: Fault(kind=FaultKind.CUT, said="The light is"))

    reply = await both.async_complete(HELLO, on_delta=heard.append)

    assert (reply.text, "".join(heard)) == (SECOND.text, "The light is")
    heard.clear()
    await both.async_complete(HELLO, on_delta=heard.append)
    assert "".join(heard) == SECOND.text


async def test_unreadable_replies_make_the_second_reply(both: TwoModels):
    texts = [
        (await both.async_complete(replace(HELLO, unreadable=count))).text for count in (0, 1, 2, 0)
    ]

    assert texts == [FIRST.text, FIRST.text, SECOND.text, SECOND.text]


async def test_the_second_gets_its_own_format_and_the_same_limit(
    both: TwoModels, model_server: FakeModelServer, second_server: FakeModelServer
):
    await model_server.async_stop()
    other = ModelRequest(messages=(ChatMessage(role="user", content="In another format"),))

    await both.async_complete(replace(HELLO, other_format=lambda: other, max_tokens=7))

    (sent,) = second_server.completions
    assert (sent.prompt, sent.body["max_tokens"]) == ("In another format", 7)


async def test_the_error_of_the_first_is_raised_if_both_fail(
    both: TwoModels, model_server: FakeModelServer, second_server: FakeModelServer
):
    await second_server.async_stop()
    model_server.say(lambda _: Fault(kind=FaultKind.NO_QUOTA))
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            await both.async_complete(HELLO)
        assert caught.value.kind == ModelErrorKind.NO_CREDIT
    # While the first one rests, it is the last resort.
    model_server.say(lambda _: FIRST)
    assert (await both.async_complete(HELLO)).text == FIRST.text


async def test_a_cancelled_request_is_no_error(both: TwoModels, model_server: FakeModelServer):
    model_server.say(lambda _: Fault(kind=FaultKind.HANG))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await both.async_complete(HELLO)
    model_server.say(lambda _: FIRST)

    assert (await both.async_complete(HELLO)).text == FIRST.text
