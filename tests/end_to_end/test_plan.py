"""What the planner's model reads and writes, and what becomes of a plan that does not fit."""

import json

from tests.decisions import NATIVE, Decides, claim, plan, step

from .conftest import MakeSage, Sage

ASKED = NATIVE.call("device_interaction", timing="now", command="do it", final=True)
GIVES_UP = NATIVE.finish("could_not", "There is no sauna.", about="other")


def planned(sage: Sage) -> str:
    """Return the plan as the agent that carries it out reads it."""
    return str(sage.server.completions[-1].messages[1]["content"])


async def test_a_group_with_an_exception_is_one_argument(hass, sage: Sage, thing) -> None:
    for name in ("kitchen_light", "bedroom_light", "dresser_light"):
        thing(f"light.{name}").become(is_on=True)
    group = "all light except Bedroom"
    sage.model_says(
        ASKED,
        plan(step("command", group)),
        NATIVE.execute(group, command="turn_off"),
        NATIVE.finish("acted", "All off but the bedroom.", claim(group, "off")),
    )
    assert await sage.hear("lights off everywhere but in the bedroom") == "All off but the bedroom."
    assert hass.states.get("light.kitchen_light").state == "off"
    assert hass.states.get("light.bedroom_light").state == "on"
    assert hass.states.get("light.dresser_light").state == "on"
    assert group in planned(sage)


async def test_what_the_home_does_not_have_is_said_with_the_plan(sage: Sage) -> None:
    sage.model_says(ASKED, plan(missing=("the sauna",)))
    heard = await sage.hear("start the sauna")
    assert heard == "I know nothing here that is called “the sauna”."
    assert sage.model_calls == 2

    # What is described may be there, and what nobody said is not missing.
    for missing in ("the sauna with the lamp", "the pool", "?"):
        sage.model_says(ASKED, plan(missing=(missing,)), GIVES_UP)
        assert await sage.hear("start the sauna with the lamp") == "There is no sauna."
        assert f"nothing in this home fits: {missing}." in planned(sage)
        assert "execute_command" not in planned(sage)


async def test_what_is_missing_does_not_hide_what_is_there(sage: Sage) -> None:
    sage.model_says(ASKED, plan(step("command", "kitchen_light"), missing=("sauna",)), GIVES_UP)
    await sage.hear("kitchen light and sauna on")
    assert "Not in this home: sauna." in planned(sage)
    assert "kitchen_light: state off" in planned(sage)


async def test_a_device_that_was_made_up_is_planned_again_once(sage: Sage) -> None:
    wrong = plan(step("command", "kitchen_lamp_2"))
    sage.model_says(ASKED, wrong, plan(step("command", "kitchen_light")), GIVES_UP)
    await sage.hear("turn on the kitchen lamp")
    objection = sage.server.completions[2].messages[-1]["content"]
    assert 'no device "kitchen_lamp_2"' in objection
    assert "kitchen_light" in objection
    assert "Note:" not in planned(sage)

    sage.model_says(ASKED, wrong, wrong, GIVES_UP)
    await sage.hear("turn on the kitchen lamp")
    assert "Note:" in planned(sage), "kept, with what is wrong"


async def test_the_plan_leaves_a_question_and_a_refusal_open(sage: Sage) -> None:
    sage.model_says(ASKED, plan(step("command", "kitchen_light")), GIVES_UP)
    await sage.hear("make the kitchen light sing")
    last = planned(sage).splitlines()[-1]
    assert all(word in last for word in ("execute_command", "asked", "could_not"))


async def test_the_schema_of_a_plan_does_not_repeat_the_devices(make_sage: MakeSage) -> None:
    sage = await make_sage("constrained")
    decides = Decides("constrained")
    sage.model_says(*decides.planned("do it", missing=("sauna",)))
    await sage.hear("start the sauna")
    schema = json.dumps(sage.server.completions[1].body["response_format"])
    assert "kitchen_light" not in schema
    assert "capabilities" not in schema
    assert len(schema) < 900
