"""What a model server offers, found out by asking it."""

import json
from collections.abc import Callable

import pytest
from aiohttp import web
from homeassistant.core import HomeAssistant

from benchmark.cameras import pictures
from benchmark.fake_model_server import (
    Answer,
    Completion,
    FakeModelServer,
    Fault,
    FaultKind,
    Json,
    Raw,
    answer_in_text_only,
    answer_obediently,
)
from benchmark.model_script import Call
from custom_components.sage.config.connection import Connection
from custom_components.sage.config.probe import (
    Probe,
    async_find_server,
    async_probe,
    async_probe_connection,
)
from custom_components.sage.const import FORMAT_CONSTRAINED, FORMAT_NATIVE
from custom_components.sage.model.language_model import ModelError, ModelErrorKind, RetryPolicy
from custom_components.sage.model.openai_model import async_create_client
from tests.model.stream_dialects import DIALECTS, Calls, chunk, piece, sent

QUICK = RetryPolicy(attempts=2, first_wait=0.0)


async def probe(hass: HomeAssistant, server: FakeModelServer, model: str = "test-model") -> Probe:
    client = await async_create_client(hass, server.url, None)
    return await async_probe(client, model, patience=QUICK)


def without_tools(body: Json) -> Answer:
    """A model that takes tools and then writes the call as text."""
    if body.get("tools"):
        return Completion(text='{"name": "switch_lamp", "arguments": {"lamp": "desk"}}')
    return answer_obediently(body)


def refusing_tools(body: Json) -> Answer:
    if body.get("tools"):
        return Fault(kind=FaultKind.REFUSED)
    return answer_obediently(body)


def failing_at_nested_arguments(body: Json) -> Answer:
    if body.get("tools") and len(body["messages"]) > 1:
        return Completion(text="Sorry.")
    return answer_obediently(body)


async def test_a_capable_model_works_in_every_format(
    hass: HomeAssistant, model_server: FakeModelServer
):
    found = await probe(hass, model_server)

    assert found.formats == ("native", "constrained", "react")
    assert not found.misjudges_timing
    assert len(model_server.completions) == 11


def unwilling_to_write_lines(body: Json) -> Answer:
    is_text = not (body.get("tools") or body.get("response_format"))
    return Completion(text="OK") if is_text else answer_obediently(body)


@pytest.mark.parametrize(
    ("script", "formats"),
    [
        (without_tools, ("constrained", "react")),
        (refusing_tools, ("constrained", "react")),
        (failing_at_nested_arguments, ("constrained", "react")),
        (unwilling_to_write_lines, ("native", "constrained")),
        (answer_in_text_only, ("react",)),
    ],
)
async def test_formats_of_a_model_that_cannot_do_all(
    hass: HomeAssistant, model_server: FakeModelServer, script, formats: tuple[str, ...]
):
    model_server.say(script)

    assert (await probe(hass, model_server)).formats == formats


def in_dialect(dialect: Callable[[Calls], bytes]) -> Callable[[Json], Answer]:
    """A capable model on a server that writes tool calls in a dialect of its own."""

    def answer(body: Json) -> Answer:
        obedient = answer_obediently(body)
        calls = [(call.name, call.text()) for call in obedient.calls]
        if not calls or not body.get("stream"):
            return obedient
        return Raw(body=dialect(calls), content_type="text/event-stream")

    return answer


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_tool_calls_of_each_server_work(
    hass: HomeAssistant, model_server: FakeModelServer, dialect: str
):
    model_server.say(in_dialect(DIALECTS[dialect]))

    assert (await probe(hass, model_server)).formats == ("native", "constrained", "react")


def losing_calls(calls: Calls) -> bytes:
    return DIALECTS["openai"](calls[:1])


def merging_calls(calls: Calls) -> bytes:
    """The arguments of all calls belong to the first one."""
    pieces = [piece(arguments, index=0) for _, arguments in calls]
    return sent([piece("", calls[0][0], index=0, id="a"), *pieces, chunk({}, "tool_calls")])


def mixing_up_calls(calls: Calls) -> bytes:
    """Each call has the arguments of another one."""
    names = [name for name, _ in calls]
    arguments = [text for _, text in calls]
    return DIALECTS["openai"](list(zip(names, arguments[::-1], strict=True)))


def losing_arguments(calls: Calls) -> bytes:
    return DIALECTS["openai"]([(name, "{}") for name, _ in calls])


def never_ending(calls: Calls) -> bytes:
    return DIALECTS["openai"](calls).partition(b'"finish_reason": "tool_calls"')[0]


@pytest.mark.parametrize(
    "dialect", [losing_calls, merging_calls, mixing_up_calls, losing_arguments, never_ending]
)
async def test_a_stream_that_loses_calls_does_not_work(
    hass: HomeAssistant, model_server: FakeModelServer, dialect: Callable[[Calls], bytes]
):
    model_server.say(in_dialect(dialect))

    assert (await probe(hass, model_server)).formats == ("constrained", "react")


@pytest.mark.parametrize(
    "reply",
    [
        "Hello! How can I help you?",
        '{"answer": "Hello!"}',
        '{"thought": "", "actions": []}',
        '{"thought": "", "actions": [{"tool": "hello", "input": {}}]}',
        '{"thought": "", "actions": [{"tool": "switch_lamp", "input": {}}]}',
        "Action: switch_lamp\nAction Input: desk, on",
        'Action: switch_lamp\nAction Input: {"lamp": "desk"}',
    ],
)
async def test_a_model_that_says_the_same_to_everything_works_in_no_format(
    hass: HomeAssistant, model_server: FakeModelServer, reply: str
):
    model_server.say(lambda _: Completion(text=reply))

    assert (await probe(hass, model_server)).formats == ()


@pytest.mark.parametrize("works", [FORMAT_NATIVE, FORMAT_CONSTRAINED])
@pytest.mark.parametrize(
    ("timing", "misjudges_timing"), [("now", True), (None, True), ("later", False)]
)
async def test_a_model_that_does_at_once_what_is_for_later(
    hass: HomeAssistant,
    model_server: FakeModelServer,
    works: str,
    timing: str | None,
    misjudges_timing: bool,
):
    def at_once(body: Json) -> Answer:
        if "front door" not in str(body["messages"]):
            return without_tools(body) if works == FORMAT_CONSTRAINED else answer_obediently(body)
        given = {"command": "turn on the hall lamp"} | ({"timing": timing} if timing else {})
        if body.get("tools"):
            return Completion(calls=[Call(name="device_interaction", arguments=given)])
        action = {"tool": "device_interaction", "input": given}
        return Completion(text=json.dumps({"thought": "", "actions": [action]}))

    model_server.say(at_once)

    found = await probe(hass, model_server)

    assert (found.formats[0], found.misjudges_timing) == (works, misjudges_timing)


async def test_what_cannot_be_tried_is_no_weakness(
    hass: HomeAssistant, model_server: FakeModelServer
):
    def broken(body: Json) -> Answer:
        if "Request:" in str(body["messages"]):
            return Fault(kind=FaultKind.REFUSED)
        return answer_obediently(body)

    model_server.say(broken)

    assert not (await probe(hass, model_server)).misjudges_timing


@pytest.mark.parametrize(
    ("seen", "sees"),
    [
        (Completion(text='Well: {"top": "Yellow", "bottom": "blue"}'), True),
        (Completion(text='{"top": "red", "bottom": "blue"}'), False),
        (Completion(text="I see no picture."), False),
        (Fault(kind=FaultKind.REFUSED), False),
    ],
)
async def test_a_model_sees_that_tells_the_colours_of_a_picture(
    hass: HomeAssistant, model_server: FakeModelServer, seen: Answer, *, sees: bool
):
    model_server.say(lambda body: seen if pictures(body) else answer_obediently(body))

    connection = Connection(base_url=model_server.url, model="test-model")
    tested, _ = await async_probe_connection(hass, connection)

    assert tested.sees is sees
    assert tested.as_data().get("sees", False) is sees


async def test_a_server_that_refuses_schemas_is_not_constrained(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.refuses = frozenset({"response_format"})

    assert (await probe(hass, model_server)).formats == ("native", "react")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (FaultKind.KEY_REFUSED, ModelErrorKind.KEY_REFUSED),
        (FaultKind.NOT_A_CHAT_MODEL, ModelErrorKind.NOT_A_CHAT_MODEL),
        (FaultKind.SERVER_ERROR, ModelErrorKind.SERVER_ERROR),
        (FaultKind.EMPTY, ModelErrorKind.BROKEN_REPLY),
    ],
)
async def test_a_model_that_does_not_answer_is_named(
    hass: HomeAssistant, model_server: FakeModelServer, kind: FaultKind, expected: ModelErrorKind
):
    model_server.say(lambda _: Fault(kind=kind))

    with pytest.raises(ModelError) as caught:
        await probe(hass, model_server)

    assert caught.value.kind is expected


async def test_a_key_that_is_refused_later_ends_the_probe(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.say([Completion(text="ready"), Fault(kind=FaultKind.KEY_REFUSED)])

    with pytest.raises(ModelError) as caught:
        await probe(hass, model_server)

    assert caught.value.kind is ModelErrorKind.KEY_REFUSED


@pytest.mark.parametrize(
    "typed",
    [
        "http://{host}/v1",
        "http://{host}/v1/",
        " http://{host} ",
        "http://{host}/",
        "{host}",
        "{host}/v1",
        "http://{host}/v1/chat/completions",
        "http://{host}/v1/models",
    ],
)
async def test_an_address_is_found_however_it_is_typed(
    hass: HomeAssistant, model_server: FakeModelServer, typed: str
):
    model_server.models = ("b", "a")
    host = model_server.url.removeprefix("http://").removesuffix("/v1")

    server = await async_find_server(hass, typed.format(host=host), None)

    assert server.base_url == model_server.url
    assert server.models == ("a", "b")


@pytest.mark.parametrize("typed", ["", "http://", "ftp://127.0.0.1", "http://127.0.0.1:99999", "["])
async def test_an_address_that_is_none_is_unreachable(hass: HomeAssistant, typed: str):
    with pytest.raises(ModelError) as caught:
        await async_find_server(hass, typed, None)

    assert caught.value.kind is ModelErrorKind.UNREACHABLE


async def test_a_page_of_another_service_is_no_model_server(
    hass: HomeAssistant, socket_enabled: None
):
    async def page(_: web.Request) -> web.Response:
        return web.Response(text="<p>Router</p>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/{path:.*}", page)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()

    with pytest.raises(ModelError) as caught:
        await async_find_server(hass, f"127.0.0.1:{runner.addresses[0][1]}", None)

    assert caught.value.kind is ModelErrorKind.WRONG_ADDRESS
    await runner.cleanup()
