"""Given a home, when a person gives a command, then it is executed and the answer is true."""

from typing import Any

import pytest

from tests.decisions import FORMATS, NATIVE, claim, step

from .conftest import MakeSage, Sage


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_light_turns_on(hass, sage: Sage) -> None:
    sage.model_says(
        *sage.decides.planned(
            "turn on the kitchen light", step("command", "kitchen_light", capabilities=("light",))
        ),
        sage.decides.execute("kitchen_light", command="turn_on"),
        sage.decides.finish("acted", "The kitchen light is on."),
    )
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    assert hass.states.get("light.kitchen_light").state == "on"
    assert sage.model_calls == 4
    assert [outcome["kind"] for outcome in sage.trace["outcomes"]] == ["verified"]


def ending(kind: str, answer: str, *claims: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a call of `finish`, for the end of a reply."""
    return "finish", {"kind": kind, "about": ["home"], "claims": [*claims], "answer": answer}


def command(device: str, name: str, **more: Any) -> tuple[str, dict[str, Any]]:
    """Return a call of `execute_command` by the entry agent."""
    return "execute_command", {
        "devices": [device],
        "command": name,
        "timing": "now",
        "final": True,
        **more,
    }


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_light_turns_on_with_one_call(hass, sage: Sage) -> None:
    sage.model_says(
        sage.decides.calls(
            command("kitchen_light", "turn_on"),
            ending("acted", "The kitchen light is on.", claim("kitchen_light", "on")),
        )
    )
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    assert hass.states.get("light.kitchen_light").state == "on"
    assert sage.model_calls == 1


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_question_is_answered_with_one_call(hass, sage: Sage) -> None:
    state = hass.states.get("light.kitchen_light").state
    sage.model_says(
        sage.decides.finish("answered", "It is off.", claim("kitchen_light", state, result="read"))
    )
    assert await sage.hear("is the kitchen light on?") == "It is off."
    assert sage.model_calls == 1
    assert "kitchen_light" in sage.server.requests[0].prompt


async def test_two_commands_and_the_end_are_one_reply(hass, sage: Sage) -> None:
    sage.model_says(
        NATIVE.calls(
            command("kitchen_light", "turn_on"),
            command("hallway_light", "turn_on"),
            ending(
                "acted", "Both are on.", claim("kitchen_light", "on"), claim("hallway_light", "on")
            ),
        )
    )
    answer = await sage.hear("turn on the kitchen light and the hallway light")
    assert answer == "Both are on."
    assert hass.states.get("light.hallway_light").state == "on"
    assert sage.model_calls == 1


async def test_values_in_the_prompt_prove_no_more_than_they_say(hass, sage: Sage) -> None:
    """Given the lamp is off, when the model says at once that it is on, then it is not said."""
    lie = NATIVE.finish(
        "answered", "The kitchen light is on.", claim("kitchen_light", "on", "read")
    )
    vague = NATIVE.finish("answered", "The kitchen light is on.", about="home")
    sage.model_says(lie, vague)
    answer = await sage.hear("turn on the kitchen light")
    assert "is on" not in answer
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_wrong_forecast_of_an_outcome_is_put_right_by_the_model(sage: Sage) -> None:
    """Given `finish` in the reply of a command, when its claim is wrong, then it is rejected."""
    sage.model_says(
        NATIVE.calls(
            command("kitchen_light", "turn_on"),
            ending(
                "acted", "Both are on.", claim("kitchen_light", "on"), claim("hallway_light", "on")
            ),
        ),
        NATIVE.finish("acted", "The kitchen light is on.", claim("kitchen_light", "on")),
    )
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    assert sage.model_calls == 2


async def test_command_for_later_is_not_done_now(hass, sage: Sage) -> None:
    sage.model_says(
        NATIVE.calls(command("kitchen_light", "turn_on", timing="later")),
        NATIVE.finish("could_not", "I cannot do that yet.", about="other"),
    )
    await sage.hear("turn on the kitchen light at seven")
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_paper_flow_has_no_direct_way(make_sage: MakeSage) -> None:
    sage = await make_sage(paper_flow=True)
    sage.model_says(NATIVE.finish("answered", "Hello!", about="other"))
    await sage.hear("turn on the kitchen light")
    request = sage.server.requests[0]
    assert "execute_command" not in {tool["function"]["name"] for tool in request.body["tools"]}
    assert "Devices the request may mean" not in request.messages[-1]["content"]


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_the_home_tells_what_happened_where_the_model_leaves_it_to_it(sage: Sage) -> None:
    sage.model_says(
        sage.decides.calls(command("kitchen_light", "turn_on"), command("hallway_light", "turn_on"))
    )
    answer = await sage.hear("turn on the kitchen light and the hallway light")
    assert answer == "Kitchen Light and Hallway Light are now on."
    assert sage.model_calls == 1


async def test_what_did_not_work_is_left_to_the_model(sage: Sage) -> None:
    sage.model_says(
        NATIVE.calls(command("kitchen_light", "explode")),
        NATIVE.finish("could_not", "The kitchen light cannot do that.", about="other"),
    )
    assert await sage.hear("blow up the kitchen light") == "The kitchen light cannot do that."


async def test_model_answers_where_the_home_has_no_words_of_the_language(sage: Sage) -> None:
    sage.model_says(
        NATIVE.calls(command("kitchen_light", "turn_on")),
        NATIVE.finish("acted", "La luz de la cocina está encendida.", claim("kitchen_light", "on")),
    )
    heard = await sage.hear("enciende la luz de la cocina, kitchen light", language="es")
    assert heard == "La luz de la cocina está encendida."


async def test_more_is_done_after_a_command_that_is_not_final(hass, sage: Sage) -> None:
    sage.model_says(
        NATIVE.calls(command("kitchen_light", "turn_on", final=False)),
        NATIVE.calls(command("hallway_light", "turn_on")),
    )
    answer = await sage.hear("turn on the kitchen light and the hallway light")
    assert answer == "Kitchen Light and Hallway Light are now on."
    assert hass.states.get("light.hallway_light").state == "on"
    assert sage.model_calls == 2


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_risky_commands_of_a_reply_are_one_question_and_earlier_ones_do_not_wait(
    hass, sage: Sage, user
) -> None:
    sage.model_says(
        sage.decides.calls(
            command("kitchen_light", "turn_on", final=False),
            command("front_door", "unlock", final=False),
            command("no_such_lamp", "turn_on", final=False),
            command("garage_door", "open_cover", final=False),
            command("bathroom_light", "turn_on", final=False),
        ),
        sage.decides.finish("could_not", "There is no such lamp.", about="other"),
    )

    asked = await sage.hear("open up, with some light", user_id=user.id)
    assert "Front Door" in asked
    assert hass.states.get("light.kitchen_light").state == "on"
    assert hass.states.get("light.bathroom_light").state == "off"
    asked = await sage.hear("yes", user_id=user.id)
    assert hass.states.get("lock.front_door").state == "unlocked"
    assert "Garage Door" in asked
    await sage.hear("no", user_id=user.id)

    assert hass.states.get("cover.garage_door").state == "closed"
    assert hass.states.get("light.bathroom_light").state == "on"
    observed = sage.server.completions[-1].prompt
    assert "no_such_lamp" in observed


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_neighbouring_risky_commands_are_one_question(hass, sage: Sage, user) -> None:
    decides = sage.decides
    sage.model_says(
        decides.calls(command("front_door", "unlock"), command("garage_door", "open_cover"))
    )

    asked = await sage.hear("open up", user_id=user.id)
    assert "Front Door" in asked
    assert "Garage Door" in asked
    await sage.hear("yes", user_id=user.id)

    assert hass.states.get("lock.front_door").state == "unlocked"
    assert hass.states.get("cover.garage_door").state in ("open", "opening")
    assert sage.model_calls == 1


async def test_another_channel_on_a_tv_that_plays_is_a_change(make_sage: MakeSage) -> None:
    sage, decides = await make_sage(), NATIVE
    for channel, kind in (("7", "verified"), ("9", "verified"), ("9", "already")):
        media = {"media_content_id": channel, "media_content_type": "channel"}
        play = command("living_room_tv", "play_media", arguments={"media": media})
        sage.model_says(decides.calls(play))
        await sage.hear(f"channel {channel}")
        (outcome,) = sage.trace["outcomes"]
        assert outcome["kind"] == kind
        if kind == "verified":
            assert outcome["sentence"].endswith(f"channel {channel}.")
