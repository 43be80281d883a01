"""The model of an agent as the writer of memory."""

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import Completion, FakeModelServer, Fault, FaultKind
from custom_components.sage.agent.formats import make_format
from custom_components.sage.agent.run import AgentSettings
from custom_components.sage.config.agents import load_prompts
from custom_components.sage.config.memory_setup import ModelWriter
from custom_components.sage.memory.profile_builder import WriterError
from custom_components.sage.model.language_model import RetryPolicy
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client

QUICK = RetryPolicy(attempts=1, request_seconds=20.0, total_seconds=20.0)
SCHEMA = {"type": "object", "properties": {}}


async def make_writer(
    hass: HomeAssistant, server: FakeModelServer, *, schema_works: bool = False
) -> ModelWriter:
    prompts = await hass.async_add_executor_job(load_prompts)
    client = await async_create_client(hass, server.url, None)
    return ModelWriter(
        AgentSettings(
            name="SAGE",
            model=OpenAIModel(client, "test-model", policy=QUICK),
            decision_format=make_format("react", prompts),
            schema_works=schema_works,
            prompts=prompts,
        )
    )


async def test_the_model_gets_the_instructions_and_what_is_given(
    hass: HomeAssistant, model_server: FakeModelServer
):
    writer = await make_writer(hass, model_server)
    model_server.say([Completion(text="Done")])

    prompts = await hass.async_add_executor_job(load_prompts)

    written = await writer.async_write("profile", "What?", max_tokens=7, schema=SCHEMA)

    assert written == "Done"
    (request,) = model_server.completions
    assert [(each["role"], each["content"]) for each in request.messages] == [
        ("system", prompts["profile"]),
        ("user", "What?"),
    ]
    assert 7 in request.body.values()
    assert "response_format" not in request.body
    assert writer.model == "test-model"


async def test_a_schema_goes_to_servers_that_keep_to_it(
    hass: HomeAssistant, model_server: FakeModelServer
):
    writer = await make_writer(hass, model_server, schema_works=True)
    model_server.say([Completion(text="{}"), Completion(text="yes")])

    await writer.async_write("profile", "What?", max_tokens=7, schema=SCHEMA)
    await writer.async_write("profile", "What?", max_tokens=7)

    forced, free = model_server.completions
    assert forced.body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert "response_format" not in free.body


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Fault(kind=FaultKind.SERVER_ERROR), r"the model gave no answer \(server_error\)"),
        (Fault(kind=FaultKind.KEY_REFUSED), r"the model gave no answer \(key_refused\)"),
        (
            Completion(reasoning="Let me think at length", finish_reason="length"),
            "the model answered with no words",
        ),
    ],
)
async def test_no_text_is_an_error_that_says_nothing_of_anybody(
    hass: HomeAssistant, model_server: FakeModelServer, answer: Completion | Fault, reason: str
):
    writer = await make_writer(hass, model_server)
    model_server.say([answer])

    with pytest.raises(WriterError, match=reason) as raised:
        await writer.async_write("profile", "Anna likes tea", max_tokens=7)

    assert "Anna" not in str(raised.value)
