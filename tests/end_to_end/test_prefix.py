"""The beginning of each prompt is the same bytes from turn to turn; calls are few."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity

from benchmark.model_script import Completion
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.decisions import FORMATS, NATIVE, Decides, plan, step

from .conftest import MakeSage, Sage, device_of
from .routine_tools.setting_up import REQUEST, polls, writes
from .routine_tools.test_not_yet import WEAK, wants

MOST_CALLS = 4


def direct(decides: Decides, service: str = "turn_on") -> tuple[Completion, ...]:
    return (
        *decides.planned(f"{service} the kitchen light", step("command", "kitchen_light")),
        decides.execute("kitchen_light", command=service),
        decides.finish("acted", "Done in the kitchen."),
    )


def owners(node: dict[str, Any], owner: str = "") -> Iterator[str]:
    """Yield which agent-tool or tool sampled the model, for each model call of a trace."""
    if node["kind"] == "model":
        yield owner
    for child in node["children"]:
        yield from owners(child, owner if node["kind"] == "model" else node["name"])


async def turn(sage: Sage, decides: Decides, service: str, **more: Any) -> list[tuple[str, str]]:
    """Have a direct command done; return who sent each prompt, and how it begins."""
    sage.model_says(*direct(decides, service))
    await sage.hear(f"{service} the kitchen light", **more)
    beginnings = [
        json.dumps([body.get("tools"), body["messages"][0], body.get("response_format")])
        for body in (each.body for each in sage.server.completions)
    ]
    root = sage.traces(more.get("user_id"))[-1]["root"]
    return list(zip(owners(root), beginnings, strict=True))


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_prefix_is_the_same_whoever_speaks_when_and_where(
    hass, sage: Sage, user, other, freezer
) -> None:
    first = await turn(sage, sage.decides, "turn_on")
    assert [owner for owner, _ in first] == [
        "SAGE",
        "device_interaction_planner",
        "device_interaction",
        "device_interaction",
    ]
    assert first[2] == first[3]
    assert len({prefix for _, prefix in first}) == 3

    assert await turn(sage, sage.decides, "turn_off") == first
    kitchen = device_of(hass, "light.kitchen_light")
    assert await turn(sage, sage.decides, "turn_on", device_id=kitchen) == first
    assert "The person is in: Kitchen" in sage.server.completions[0].prompt
    bathroom = device_of(hass, "light.bathroom_light")
    assert await turn(sage, sage.decides, "turn_off", device_id=bathroom) == first
    assert "The person is in: Bathroom" in sage.server.completions[0].prompt
    # What happens at night, such as writing profiles, has prompts of its own.
    known = (Person(user_id=each.id, name=each.name) for each in (user, other))
    for person in (HOUSEHOLD, *known):
        await sage.entry.runtime_data.memory.async_do(
            person, lambda file: file.change_settings(enabled=False)
        )
    freezer.tick(86_400 * 3)
    assert await turn(sage, sage.decides, "turn_on", conversation_id=None) == first
    for person in (user, other):
        more = {"user_id": person.id, "conversation_id": None, "language": "de"}
        assert await turn(sage, sage.decides, "turn_off", **more) == first
        assert person.name in sage.server.completions[0].prompt


async def test_prefix_changes_with_what_is_exposed_and_for_the_planner_alone(sage: Sage) -> None:
    first = await turn(sage, NATIVE, "turn_on")
    async_expose_entity(sage.hass, "conversation", "light.office_lamp", False)
    second = await turn(sage, NATIVE, "turn_off")
    assert first[1] != second[1]
    assert [first[0], *first[2:]] == [second[0], *second[2:]]
    async_expose_entity(sage.hass, "conversation", "light.office_lamp", True)
    assert await turn(sage, NATIVE, "turn_on") == first


async def test_prefix_does_not_change_with_states(sage: Sage, thing) -> None:
    first = await turn(sage, NATIVE, "turn_on")
    thing("light.office_lamp").become(is_on=True)
    thing("sensor.bedroom_temperature").become(native_value=30)
    assert await turn(sage, NATIVE, "turn_off") == first


@pytest.mark.parametrize("name", FORMATS)
async def test_flow_of_the_paper_costs_more_calls(hass, make_sage: MakeSage, name) -> None:
    sage, decides = await make_sage(name, paper_flow=True), Decides(name)
    sage.model_says(
        decides.call("device_interaction", command="turn on the kitchen light"),
        decides.call("device_interaction_planner", command="turn on the kitchen light"),
        plan(step("command", "kitchen_light")),
        decides.call("api_documentation", devices=["kitchen_light"]),
        decides.execute("kitchen_light", command="turn_on"),
        decides.finish("acted", "The kitchen light is on."),
        decides.finish("acted", "The kitchen light is on."),
    )
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    assert hass.states.get("light.kitchen_light").state == "on"
    calls = sage.trace["model_calls"]
    print(f"{name}: {MOST_CALLS} calls at most, {calls} in the paper's flow")
    assert calls == 7 > MOST_CALLS
    planned = sage.server.completions[3].prompt
    assert "brightness_pct" not in planned.rpartition("Plan:")[2]


ABOVE = {
    0: "Devices the request may mean, read just now:",
    2: "What can be read, with the values of this moment:",
}
"""Request of the model -> the beginning of an input with devices: of SAGE, and of a condition."""

IN_TEXT = "Examples of the right next step"


async def set_up(make_sage: MakeSage, name: str, **more: Any) -> Sage:
    """Have a routine set up by SAGE, the planner and the agent that writes the condition."""
    sage, decides = await make_sage(name, **more), Decides(name)
    asked = [wants("other")] if more else []
    sage.model_says(*asked, *writes(decides), polls(decides))
    await sage.hear(REQUEST)
    # The question what the request wants is no agent's.
    del sage.server.requests[: len(asked)]
    return sage


@pytest.mark.parametrize("agent", ABOVE)
@pytest.mark.parametrize("name", ["constrained", "react"])
async def test_a_small_model_sees_examples_as_turns(make_sage: MakeSage, name, agent) -> None:
    """They are in the form that prompts and replies have."""
    sage = await set_up(make_sage, name, **WEAK)
    system, *turns, last = sage.server.requests[agent].messages
    assert IN_TEXT not in system["content"]
    given, decided = turns[::2], turns[1::2]
    assert {each["role"] for each in given} == {"user"}
    assert {each["role"] for each in decided} == {"assistant"}
    assert ABOVE[agent] in last["content"]
    assert any(each["content"].startswith(ABOVE[agent]) for each in given)


@pytest.mark.parametrize("agent", ABOVE)
async def test_examples_are_replies_that_the_schema_allows(make_sage: MakeSage, agent) -> None:
    sage = await set_up(make_sage, "constrained", **WEAK)
    request = sage.server.requests[agent]
    schema = request.body["response_format"]["json_schema"]["schema"]
    allowed = {
        each["properties"]["tool"]["enum"][0]: each["properties"]["input"]
        for each in schema["properties"]["actions"]["items"]["anyOf"]
    }
    decided = [each["content"] for each in request.messages if each["role"] == "assistant"]
    actions = [action for each in decided for action in json.loads(each)["actions"]]
    assert actions
    for action in actions:
        given, wanted = action["input"], allowed[action["tool"]]
        assert {*wanted["required"]} <= {*given} <= {*wanted["properties"]}
        for name, value in given.items():
            assert value in wanted["properties"][name].get("enum", [value])


@pytest.mark.parametrize("agent", ABOVE)
@pytest.mark.parametrize(("name", "more"), [("constrained", {}), ("react", {}), ("native", WEAK)])
async def test_other_models_read_them_in_the_instructions(
    make_sage: MakeSage, name, more, agent
) -> None:
    sage = await set_up(make_sage, name, **more)
    system, *turns = sage.server.requests[agent].messages
    assert IN_TEXT in system["content"]
    assert len(turns) == 1


OUTSIDE = "Mail and calendar: `email_and_calendar`."
"""The line of the prompt with the topics of the tools for sources outside the home."""


async def first_input(sage: Sage, request: str, *asked: Completion) -> str:
    """Have a request answered; return the input in its first prompt."""
    ends = Decides("constrained").finish("could_not", "I cannot.", about="other")
    sage.model_says(*asked, ends)
    await sage.hear(request)
    return str(sage.server.requests[-1].messages[-1]["content"])


@pytest.mark.parametrize(("more", "is_shown"), [(WEAK, True), ({}, False)])
async def test_a_small_model_sees_topics_outside_the_home_if_no_device_fits(
    hass, make_sage: MakeSage, more, is_shown
) -> None:
    sage = await make_sage("constrained", **more)
    asked = [wants("other")] if more else []
    assert OUTSIDE not in await first_input(sage, "anything new?", *asked)
    for entity_id, state in {"weather.outside": "sunny", "calendar.family": "off"}.items():
        hass.states.async_set(entity_id, state)
        async_expose_entity(hass, "conversation", entity_id, True)
    given = await first_input(sage, "anything new?", *asked)
    assert (OUTSIDE in given.splitlines()) == is_shown
    assert "`weather`" not in given
    assert OUTSIDE not in await first_input(sage, "turn on the kitchen light", *asked)


async def test_the_instructions_of_the_owner_may_be_a_template(make_sage: MakeSage, user) -> None:
    sage = await make_sage("native", instructions="In {{ ha_name }}, call me {{ user_name }}.")
    sage.model_says(NATIVE.finish("answered", "Hello.", about="other"))

    await sage.hear("hello", user_id=user.id)

    told = sage.server.completions[0].messages[0]["content"]
    assert f"In {sage.hass.config.location_name}, call me {user.name}." in told


async def test_a_template_that_fails_is_left_out(make_sage: MakeSage) -> None:
    sage = await make_sage("native", instructions="Count to {{ 1 / 0 }}.")
    sage.model_says(NATIVE.finish("answered", "Hello.", about="other"))

    assert await sage.hear("hello") == "Hello."

    assert "owner's instructions" not in sage.server.completions[0].prompt
