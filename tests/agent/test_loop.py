"""Algorithm 1: given tools and a model, when it decides, then the loop follows."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import probatio
import pytest
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion
from custom_components.sage.agent.decision import Finish
from custom_components.sage.agent.loop import Agent
from custom_components.sage.agent.port import Utterance
from custom_components.sage.agent.run import AgentSettings, Limits, Run, new_run
from custom_components.sage.agent.tool import text_result
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client
from custom_components.sage.people.person import HOUSEHOLD
from tests.agent.test_formats import make
from tests.decisions import FORMATS, NATIVE, Decides

CONTEXT = llm.LLMContext(
    platform="sage", context=Context(), language="en", assistant="conversation", device_id=None
)
READS = llm.ToolAnnotations(read_only=True, destructive=False, idempotent=True, open_world=False)


class Lamp(llm.Tool):
    """A tool that notes what it was called with, and in what order it ended."""

    name = "sage__lamp"
    title = "Lamp"
    description = "Switch a lamp."
    integration = "sage"
    parameters = probatio.Schema({probatio.Required("to"): str})

    def __init__(self, *, reads: bool = False, fault: Exception | None = None) -> None:
        self.fault = fault
        self.log: list[str] = []
        if reads:
            self.annotations = READS

    async def async_call(self, hass, tool_input, llm_context) -> llm.ToolResult:
        given = self.parameters(tool_input.tool_args)["to"]
        self.log.append(f"{given} begins")
        await asyncio.sleep(0)
        if self.fault:
            raise self.fault
        self.log.append(f"{given} ends")
        return text_result(f"lamp is {given}")


class Old(llm.Tool):
    """A tool that gives plain JSON, as tools did before 2026.9."""

    name = "old__tool"
    description = "Old."

    async def async_call(self, hass, tool_input, llm_context) -> Any:
        return {"lamp": "on"}


async def make_run(
    hass: HomeAssistant, server: FakeModelServer, name: str = "native", **limits: Any
) -> Run:
    client = await async_create_client(hass, server.url, None)
    settings = AgentSettings(
        name="SAGE",
        model=OpenAIModel(client, "test-model"),
        decision_format=make(name),
        schema_works=True,
        prompts={},
        limits=Limits(**limits),
    )
    utterance = Utterance(
        text="light, please",
        person=HOUSEHOLD,
        context=Context(),
        language="en",
        conversation_id="c",
        now=datetime(2026, 11, 22, tzinfo=UTC),
    )
    return new_run(utterance, settings)


async def loop_over(
    hass: HomeAssistant, run: Run, *tools: llm.Tool, answers: bool = False, depth: int = 0
) -> Finish:
    """Run an agent-tool with these tools on `light, please`."""
    agent = Agent(
        name="lamps",
        task_info="You switch lamps.",
        tools=tools,
        finish_description="End.",
        answers_person=answers,
        depth=depth,
    )
    return await agent.async_run(hass, run, "light", CONTEXT)


def say(server: FakeModelServer, *answers: Completion) -> None:
    """Let the model decide these, one after the other."""
    server.say(answers)


def last_prompt(server: FakeModelServer) -> str:
    return json.dumps(server.requests[-1].body["messages"])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("tool", "arguments", "mend"),
    [
        ("lamb", {"to": "on"}, "Did you mean `lamp`"),
        ("stove", {}, "there is no tool `stove`. Call one of the list, or `finish`."),
        ("lamp", {"too": "on"}, "wrong arguments"),
        ("lamp", {"to": 5}, "wrong arguments"),
    ],
)
async def test_wrong_calls_are_told_how_to_do_better(
    hass, model_server, name, tool, arguments, mend
) -> None:
    decides = Decides(name)
    say(model_server, decides.call(tool, **arguments), decides.finish("could_not", "No."))
    lamp = Lamp()
    await loop_over(hass, await make_run(hass, model_server, name), lamp)
    assert mend in last_prompt(model_server)
    assert lamp.log == []


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (HomeAssistantError("the lamp is broken"), "the lamp is broken"),
        (ZeroDivisionError(), "`lamp` failed (ZeroDivisionError)"),
    ],
)
async def test_exceptions_in_tools_become_observations(hass, model_server, fault, told) -> None:
    say(model_server, NATIVE.call("lamp", to="on"), NATIVE.finish("could_not", "No."))
    run = await make_run(hass, model_server)
    await loop_over(hass, run, Lamp(fault=fault))
    assert told in last_prompt(model_server)
    assert [step["error"] for step in run.record.tree() if step["kind"] == "tool"] == [True]


async def test_reads_run_at_once_and_writes_in_order(hass, model_server) -> None:
    reader, writer = Lamp(reads=True), Lamp()
    reader.name = "sage__look"
    both = [
        ("look", {"to": "a"}),
        ("look", {"to": "b"}),
        ("lamp", {"to": "c"}),
        ("lamp", {"to": "d"}),
    ]
    say(model_server, NATIVE.calls(*both), NATIVE.finish("acted", "Done."))
    await loop_over(hass, await make_run(hass, model_server), reader, writer)
    assert reader.log == ["a begins", "b begins", "a ends", "b ends"]
    assert writer.log == ["c begins", "c ends", "d begins", "d ends"]


async def test_finish_beside_a_failed_call_does_not_end(hass, model_server) -> None:
    over = ("finish", {"kind": "acted", "answer": "Done."})
    say(
        model_server,
        NATIVE.calls(("lamp", {"to": 5}), over),
        NATIVE.finish("could_not", "It failed."),
    )
    finish = await loop_over(hass, await make_run(hass, model_server), Lamp())
    assert finish.answer == "It failed."


@pytest.mark.parametrize(("asked", "ends"), [(24, True), (25, False), (900, False)])
async def test_a_reply_may_call_24_tools_and_end(hass, model_server, asked, ends) -> None:
    decides, over = NATIVE, ("finish", {"kind": "acted", "answer": "Done."})
    lamps = [("lamp", {"to": str(number)}) for number in range(asked)]
    say(model_server, decides.calls(*lamps, over), decides.finish("acted", "All done."))
    lamp = Lamp()

    finish = await loop_over(hass, await make_run(hass, model_server), lamp)

    done = range(24) if ends else ()
    assert lamp.log == [f"{n} {what}" for n in done for what in ("begins", "ends")]
    assert finish.answer == ("Done." if ends else "All done.")
    if not ends:
        assert "Nothing was done: a reply may call 24 tools." in last_prompt(model_server)


async def test_older_tools_give_plain_json(hass, model_server) -> None:
    say(model_server, NATIVE.call("old__tool"), NATIVE.finish("answered", "On."))
    await loop_over(hass, await make_run(hass, model_server), Old())
    assert '{\\"lamp\\": \\"on\\"}' in last_prompt(model_server)


async def test_model_is_told_that_it_repeats_itself(hass, model_server) -> None:
    decides = Decides("constrained")
    say(
        model_server,
        decides.call("lamp", to="on"),
        decides.call("lamp", to="on"),
        decides.finish("answered", "It is on."),
    )
    run = await make_run(hass, model_server, "constrained")
    assert (await loop_over(hass, run, Lamp())).answer == "It is on."
    told = ["exactly this before" in each.prompt for each in model_server.completions]
    assert told == [False, False, True]
