"""Given a home, when a person says what is to be done, then it is done and told truly."""

import pytest

from tests.decisions import FORMATS, Decides, plan, step

from .conftest import MakeSage


@pytest.mark.parametrize("name", FORMATS)
async def test_light_turns_on(hass, make_sage: MakeSage, name) -> None:
    sage, decides = await make_sage(name), Decides(name)
    sage.model_says(
        decides.call(
            "device_interaction", timing="now", command="turn on the kitchen light", final=True
        ),
        plan(step("command", "kitchen_light", capabilities=("light",))),
        decides.call("execute_command", devices=["kitchen_light"], command="turn_on"),
        decides.finish("acted", "The kitchen light is on."),
    )
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    assert hass.states.get("light.kitchen_light").state == "on"
    assert sage.model_calls == 4
    assert [outcome["kind"] for outcome in sage.trace["outcomes"]] == ["verified"]
