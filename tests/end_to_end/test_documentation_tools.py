"""Documentation and values of devices, as the model gets them at run time."""

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity

from benchmark.model_script import Completion
from tests.decisions import NATIVE, step

from .conftest import Sage


async def observe(sage: Sage, tool: str, **arguments: object) -> str:
    """Have the model call one tool of the devices agent; return what it observed."""
    sage.model_says(
        *NATIVE.planned("look"),
        NATIVE.call(tool, **arguments),
        NATIVE.finish("could_not", "Never mind."),
    )
    await sage.say("look at it", conversation_id=None)
    return str(sage.server.completions[-1].messages[-1]["content"])


async def test_documentation_of_one_capability(sage: Sage) -> None:
    both = await observe(sage, "api_documentation", devices=["fridge"])
    one = await observe(sage, "api_documentation", devices=["fridge"], capabilities=["number"])
    assert "set_value" in one
    assert "binary_sensor (Door):" in both
    assert "binary_sensor" not in one


async def test_values_are_live(sage: Sage, thing) -> None:
    seen = await observe(sage, "read_attributes", devices=["bedroom_climate"])
    assert "19.4" in seen
    thing("sensor.bedroom_temperature").become(native_value=23.5)
    seen = await observe(sage, "read_attributes", devices=["bedroom_climate"])
    assert "23.5" in seen


@pytest.mark.parametrize("tool", ["api_documentation", "read_attributes"])
async def test_wrong_id_names_the_nearest(sage: Sage, tool) -> None:
    seen = await observe(sage, tool, devices=["kitchen_lihgt"])
    assert seen.startswith("Error:")
    assert "kitchen_light" in seen


@pytest.mark.parametrize("tool", ["api_documentation", "read_attributes"])
async def test_hidden_device_is_not_there(hass, sage: Sage, tool) -> None:
    async_expose_entity(hass, "conversation", "light.office_lamp", False)
    hidden = await observe(sage, tool, devices=["light.office_lamp"])
    made_up = await observe(sage, tool, devices=["light.attic_lamp"])
    assert hidden.startswith("Error:")
    assert hidden.split()[:3] == made_up.split()[:3]


async def test_plan_carries_documentation_and_values(sage: Sage) -> None:
    sage.model_says(
        *NATIVE.planned(
            "dim the floor lamp",
            step("command", "floor_lamp", capabilities=("light",), task="Dim it."),
        ),
        NATIVE.finish("could_not", "Never mind."),
    )
    await sage.say("dim the floor lamp")
    told = sage.server.completions[-1].messages[-1]["content"]
    assert "1. [command] floor_lamp: Dim it." in told
    assert "brightness_pct" in told
    assert "153" in told or "60" in told


async def test_sloppy_plan_is_read_all_the_same(sage: Sage) -> None:
    """One device as a text, no list at all, steps that are none: what is there counts."""
    sage.model_says(
        NATIVE.call("device_interaction", timing="now", command="dim the floor lamp", final=True),
        Completion(
            text='Here it is: {"steps": [{"devices": "floor_lamp", "task": "Dim it."}, 7,'
            ' {"action": "read", "devices": 3, "task": "Look."}]} Good luck!'
        ),
        NATIVE.finish("could_not", "Never mind."),
    )
    await sage.say("dim the floor lamp")
    told = sage.server.completions[-1].messages[-1]["content"]
    assert "[command] floor_lamp: Dim it." in told
    assert "Look." in told


async def test_plan_that_cannot_be_read(sage: Sage) -> None:
    sage.model_says(
        NATIVE.call("device_interaction", timing="now", command="turn on the lamp", final=True),
        NATIVE.call("finish", kind="acted", answer="x"),
        NATIVE.call("finish", kind="acted", answer="x"),
        NATIVE.finish("could_not", "Never mind."),
    )
    await sage.say("turn on the lamp")
    told = sage.server.completions[-1].messages[-1]["content"]
    assert "the plan could not be read" in told
    assert "That was not understood" in sage.server.completions[2].prompt


async def test_home_in_which_nothing_may_be_used(hass, sage: Sage) -> None:
    for state in hass.states.async_all():
        async_expose_entity(hass, "conversation", state.entity_id, False)
    sage.model_says(
        NATIVE.call("device_interaction", timing="now", command="turn on the light", final=True),
        NATIVE.finish("could_not", "There is nothing here that I may use."),
    )
    heard = await sage.hear("turn on the light")
    assert heard == "There is nothing here that I may use."
    assert "devices must be exposed to Assist" in sage.server.completions[-1].prompt


async def test_result_for_another_tool(sage: Sage) -> None:
    """With `final: false` the agent-tool reports to SAGE, with what it did."""
    sage.model_says(
        *NATIVE.planned("turn on the kitchen light", step("command", "kitchen_light"), final=False),
        NATIVE.execute("kitchen_light", command="turn_on"),
        NATIVE.finish("acted", "It is on."),
        NATIVE.finish("acted", "The kitchen light is on."),
    )
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    report = sage.server.completions[-1].messages[-1]["content"]
    assert report.startswith("acted: It is on.")
    assert "turn_on(): verified" in report
