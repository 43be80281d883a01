""" "Put it back" restores what SAGE changed."""

from typing import Any

import pytest

from tests.decisions import FORMATS, NATIVE, Decides, claim, step

from .conftest import MakeSage, Sage, commanded
from .routine_tools.test_not_yet import WEAK, waits_for, wants


async def dim(sage: Sage, decides: Decides, **more: object) -> str:
    """Dim the floor lamp from 60 to 10 percent and make it red."""
    return await commanded(
        sage,
        "make the floor lamp red and dim",
        decides.execute(
            "floor_lamp",
            command="turn_on",
            arguments={"brightness_pct": 10, "rgb_color": [255, 0, 0]},
        ),
        decides.finish("acted", "The floor lamp is red and dim."),
        devices=("floor_lamp",),
        **more,
    )


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_put_it_back(hass, sage: Sage) -> None:
    before = hass.states.get("light.floor_lamp")
    assert await dim(sage, sage.decides) == "The floor lamp is red and dim."
    assert hass.states.get("light.floor_lamp").attributes["brightness"] == 26
    sage.model_says(sage.decides.call("undo"), sage.decides.finish("acted", "It is as it was."))
    assert await sage.hear("put it back") == "It is as it was."
    after = hass.states.get("light.floor_lamp")
    assert after.state == before.state
    for name_ in ("brightness", "color_mode", "color_temp_kelvin"):
        assert after.attributes[name_] == before.attributes[name_]


async def evening(sage: Sage, decides: Decides) -> None:
    """Turn the floor lamp down and the TV off, with one request."""
    await commanded(
        sage,
        "dim the lamp and turn the TV off",
        decides.execute("floor_lamp", command="turn_on", arguments={"brightness_pct": 10}),
        decides.execute("living_room_tv", command="turn_off"),
        decides.finish("acted", "The lamp is dim and the TV is off."),
        devices=("floor_lamp", "living_room_tv"),
    )


LAMP, TV = "light.floor_lamp", "media_player.living_room_tv"
ALL = ["floor_lamp", "living_room_tv"]
OTHER: dict[str, Any] = {"devices": ["kitchen_light"], "command": "turn_on"}


@pytest.mark.parametrize("decision_format", FORMATS)
@pytest.mark.parametrize(
    ("said", "arguments", "restored"),
    [
        ("put the lamp back, but leave the TV", {"devices": ["floor_lamp"]}, {LAMP}),
        ("put the lamp back", {"devices": ["the lamp"]}, {LAMP}),
        ("put the lamp back", {"devices": "floor_lamp"}, {LAMP}),
        ("put the lights back", {"devices": ["all light"]}, {LAMP}),
        ("put the lamp back", {"devices": ["floor_lamp", "kitchen_light"]}, {LAMP}),
        ("put it back", {"devices": ["floor_lamp"], "leave": ["floor_lamp"]}, {LAMP}),
        ("all but the TV", {"devices": ALL, "leave": ["Living Room TV"]}, {LAMP}),
        ("put it back", {"devices": ALL, "leave": ALL}, {LAMP, TV}),
        ("put it back", {"leave": ALL}, {LAMP, TV}),
        ("put it back", {"devices": [], "leave": []}, {LAMP, TV}),
        ("put it back", {"devices": ["it"], "leave": ["none"]}, {LAMP, TV}),
        ("put it back", {"devices": ["last command"], "command": "undo"}, {LAMP, TV}),
    ],
)
async def test_slips_mean_the_plain_thing(hass, sage: Sage, said, arguments, restored) -> None:
    decides = sage.decides
    states = [hass.states.get(each) for each in (LAMP, TV)]
    await evening(sage, decides)
    assert hass.states.get(LAMP).attributes["brightness"] == 26
    sage.model_says(
        *[decides.call("undo", **arguments)] * 2, decides.finish("acted", "It is as it was.")
    )
    assert await sage.hear(said) == "It is as it was."
    back = {
        before.entity_id
        for before in states
        if (now := hass.states.get(before.entity_id)).state == before.state
        and now.attributes.get("brightness") == before.attributes.get("brightness")
    }
    assert back == restored, "nor does a second call put anything else back"


async def test_a_small_model_only_has_to_call_the_tool(make_sage: MakeSage) -> None:
    sage, decides = await make_sage(**WEAK), NATIVE
    acts = decides.call("execute_command", **OTHER)
    sage.model_says(wants("change"), waits_for("nothing"), acts)
    assert await sage.hear("turn on the kitchen light") == "Kitchen Light is now on."
    undoes = decides.call("undo", devices=["kitchen_light"], leave=["kitchen_light"])
    sage.model_says(wants("other"), undoes)
    assert await sage.hear("put it back") == "Kitchen Light is now off."
    assert sage.model_calls == 2


async def test_what_was_not_changed_is_told_after_the_right_ids_were_shown(sage: Sage) -> None:
    await evening(sage, NATIVE)
    sage.model_says(*[NATIVE.call("undo", devices=["kitchen_light"])] * 2)
    said = "I have not changed that. I have changed: Floor Lamp, Living Room TV."
    assert await sage.hear("put the kitchen light back") == said
    shown = sage.server.completions[1].messages[-1]["content"]
    assert "floor_lamp (Floor Lamp), living_room_tv (Living Room TV)" in shown


async def test_no_the_other_one(hass, sage: Sage) -> None:
    """Both changes of that request are put back together."""
    await dim(sage, NATIVE)
    sage.model_says(
        NATIVE.calls(("execute_command", OTHER | {"timing": "now", "final": True}), ("undo", {})),
        NATIVE.finish("acted", "Now it is the other one."),
    )
    assert await sage.hear("no, the other one") == "Now it is the other one."
    assert hass.states.get(LAMP).attributes["brightness"] == 153
    assert hass.states.get("light.kitchen_light").state == "on"
    sage.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "As before."))
    assert await sage.hear("put it back") == "As before."
    assert hass.states.get(LAMP).attributes["brightness"] == 26
    assert hass.states.get("light.kitchen_light").state == "off"


@pytest.mark.parametrize("is_changed", [False, True])
async def test_in_a_new_conversation(hass, sage: Sage, user, is_changed) -> None:
    await dim(sage, NATIVE, user_id=user.id)
    if is_changed:
        target = {"entity_id": LAMP, "brightness_pct": 100}
        await hass.services.async_call("light", "turn_on", target, blocking=True)
    sage.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "It is as it was."))
    heard = await sage.hear("put it back", user_id=user.id, conversation_id=None)
    if is_changed:
        assert heard == "Somebody changed Floor Lamp after I did, so I left it as it is."
    else:
        assert heard == "It is as it was."
    assert hass.states.get(LAMP).attributes["brightness"] == (255 if is_changed else 153)


def asks_before(decides: Decides) -> tuple[Any, ...]:
    return (
        *decides.planned("what was the floor lamp set to before?", step("before", "floor_lamp")),
    )


def was(value: str) -> dict[str, Any]:
    return claim("floor_lamp", value, "read", attribute="earlier_brightness_pct")


@pytest.mark.parametrize("name", FORMATS)
async def test_what_was_it_set_to_before(make_sage: MakeSage, name) -> None:
    sage, decides = await make_sage(name), Decides(name)
    await dim(sage, decides)
    sage.model_says(
        *asks_before(decides), decides.finish("answered", "It was at 60 percent.", was("60"))
    )
    assert await sage.hear("what was it set to before?") == "It was at 60 percent."
    assert "earlier_brightness_pct 60" in sage.server.completions[-1].prompt
    assert "earlier_brightness_pct_until" not in sage.server.completions[-1].prompt


@pytest.mark.parametrize(
    "lie",
    [
        was("10"),
        claim("floor_lamp", "60", "read", attribute="brightness_pct"),
        claim("floor_lamp", "60", "read"),
    ],
)
async def test_what_was_is_not_what_is(sage: Sage, lie) -> None:
    await dim(sage, NATIVE)
    sage.model_says(
        *asks_before(NATIVE), *[NATIVE.finish("answered", "It is at 60 percent.", lie)] * 2
    )
    assert await sage.hear("what was it set to before?") != "It is at 60 percent."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "There is nothing to undo: I know of no change from the last hour."),
        ("es", "No hay nada que deshacer."),
    ],
)
async def test_nothing_to_put_back(sage: Sage, language, said) -> None:
    """In a language that the code does not speak, the model says it."""
    sage.model_says(NATIVE.call("undo"), NATIVE.finish("could_not", said))
    assert await sage.hear("put it back", language=language) == said
    assert len(sage.decisions) == 1 + (language == "es")


async def test_another_person_puts_nothing_back(sage: Sage, user, other) -> None:
    await dim(sage, NATIVE, user_id=user.id)
    sage.model_says(NATIVE.call("undo"))
    assert "no change" in await sage.hear("put it back", user_id=other.id)
    assert sage.attributes("light.floor_lamp")["brightness"] == 26


UNLOCKED = claim("front_door", "unlocked")


async def test_door_is_not_unlocked_again_without_a_yes(hass, sage: Sage, user) -> None:
    """Putting back a lock that was unlocked is risky, too."""
    lock = "lock.front_door"
    sage.model_says(
        *NATIVE.planned("unlock the front door", step("command", "front_door")),
        NATIVE.execute("front_door", command="unlock"),
        NATIVE.finish("acted", "Unlocked."),
    )
    await sage.hear("unlock the front door", user_id=user.id)
    await sage.hear("yes", user_id=user.id)
    assert hass.states.get(lock).state == "unlocked"
    await commanded(
        sage,
        "lock the front door",
        NATIVE.execute("front_door", command="lock"),
        NATIVE.finish("acted", "Locked."),
        devices=("front_door",),
        user_id=user.id,
    )
    assert hass.states.get(lock).state == "locked"
    sage.model_says(NATIVE.call("undo"), *[NATIVE.finish("acted", "Put back.", UNLOCKED)] * 2)
    asked = await sage.say("put it back", user_id=user.id)
    assert asked.continue_conversation
    assert hass.states.get(lock).state == "locked"
    assert await sage.hear("no", user_id=user.id) == "I have left Front Door as it is."
    assert hass.states.get(lock).state == "locked"
