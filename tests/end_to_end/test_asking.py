"""Given the slips of a small model, when a person asks, then the answer is what the home shows."""

from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant

from benchmark.model_script import Completion
from tests.decisions import FORMATS, NATIVE, Decides, claim, in_turn, step

from .conftest import MakeSage, Sage

LIGHTS = "which lights are on?"
ON = "On: Garden Lights and Floor Lamp."
UNKNOWN = "I could not find that out."
IS_OFF = claim("kitchen_light", "off", "read")
ACTING = ("execute_command", "device_interaction", "condition_polling", "undo")

SLIPS: list[tuple[str, list[dict[str, Any]], str, str]] = [
    # request, claims, words of the model, answer
    (LIGHTS, [claim("all light", "on", "read")], "All lights are on.", ON),
    (
        LIGHTS,
        [{"devices": ["floor_lamp", "kitchen_light"], "result": "read", "value": "on"}],
        "The floor lamp and the kitchen light are on.",
        "On: Floor Lamp and Garden Lights. Kitchen Light: off.",
    ),
    (
        LIGHTS,
        [claim("light.floor", "on", "read"), claim("light.garden", "on", "read")],
        "Both are on.",
        ON,
    ),
    (
        "is the kitchen light on?",
        [claim("light.kitchen", "on", "read")],
        "Yes, the kitchen light is on.",
        "Kitchen Light: off.",
    ),
    (
        "is the front door locked?",
        [claim("front_door", "open", "read")],
        "No, it is open.",
        "Front Door: locked.",
    ),
    (
        "how warm is it in the bedroom?",
        [claim("bedroom_climate", "21 °C", "read", attribute="temperature")],
        "It is 21 degrees.",
        "Bedroom Climate: 19.4 °C.",
    ),
    (
        "how warm is it in the living room?",
        [claim("living_room_thermostat", "19", "read", attribute="current_temperature")],
        "It is 19 degrees.",
        "Living Room Thermostat: 20.8 °C.",
    ),
    (
        "is a window open?",
        [claim("bedroom_window", "closed", "read")],
        "No, the bedroom window is closed.",
        "Bedroom Window: Open.",
    ),
    (
        "what is on the shopping list?",
        [claim("shopping_list", "Milk, Bread", "read")],
        "Milk and bread.",
        "Shopping List: Milk, Coffee.",
    ),
]


@pytest.mark.parametrize(("decision_format", "slip"), in_turn(SLIPS))
async def test_code_says_what_was_read(make_sage: MakeSage, decision_format: str, slip) -> None:
    request, claims, words, heard = slip
    sage, decides = await make_sage(decision_format), Decides(decision_format)
    sage.model_says(decides.finish("answered", words, *claims))
    assert await sage.hear(request) == heard
    assert sage.model_calls == 1


@pytest.mark.parametrize(
    ("language", "heard"),
    [
        ("de", "An: Garden Lights und Floor Lamp."),
        ("fr", "Allumé : Garden Lights et Floor Lamp."),
        ("nl", "On: Garden Lights and Floor Lamp."),
    ],
)
async def test_states_are_said_in_the_language(sage: Sage, language: str, heard: str) -> None:
    sage.model_says(NATIVE.finish("answered", "x", claim("all light", "on", "read")))
    assert await sage.hear(LIGHTS, language=language) == heard


async def test_hidden_devices_are_not_said(hass: HomeAssistant, sage: Sage) -> None:
    async_expose_entity(hass, "conversation", "light.garden_lights", False)
    sage.model_says(NATIVE.finish("answered", "All.", claim("all light", "on", "read")))
    assert await sage.hear(LIGHTS) == "Floor Lamp: on."


async def test_what_nobody_has_read_is_read_for_the_answer(sage: Sage) -> None:
    """The words of the request name no device, so that the prompt shows none."""
    words = "It is locked."
    sage.model_says(NATIVE.finish("answered", words, claim("front_door", "locked", "read")))
    assert await sage.hear("are we safe?") == words


@pytest.mark.parametrize("kind", ["acted", "answered", "asked"])
@pytest.mark.parametrize(
    "about", [["home", "later"], ["memory"], ["other"], ["home", "memory", "later", "person"], []]
)
async def test_a_wrong_label_beside_right_claims_is_corrected(
    sage: Sage, kind: str, about: list[str]
) -> None:
    words = "No, the kitchen light is off."
    sage.model_says(NATIVE.call("finish", kind=kind, about=about, claims=[IS_OFF], answer=words))
    result = await sage.say("is the kitchen light on?")
    assert result.response.speech["plain"]["speech"] == words
    assert not result.continue_conversation
    assert sage.model_calls == 1


@pytest.mark.parametrize("decision_format", FORMATS)
@pytest.mark.parametrize(
    "acts",
    [
        (
            "execute_command",
            {"devices": ["kitchen_light"], "command": "turn_on", "timing": "now", "final": True},
        ),
        ("undo", {}),
        ("memory", {"action": "remember", "text": "I ask a lot"}),
    ],
)
async def test_a_question_gets_no_tool_that_acts(hass: HomeAssistant, sage: Sage, acts) -> None:
    decides = sage.decides
    tool, arguments = acts
    sage.model_says(
        decides.finish("answered", "You like tea.", about="memory"), decides.call(tool, **arguments)
    )
    heard = await sage.hear("what do I like to drink?")
    assert heard == UNKNOWN
    assert sage.model_calls == 2
    again = sage.server.completions[1]
    assert not any(name in again.messages[-1]["content"] for name in ACTING)
    offered = str(again.body.get("tools", "")) + str(again.body.get("response_format", ""))
    assert "'execute_command'" not in offered
    state = hass.states.get("light.kitchen_light")
    assert state is not None
    assert state.state == "off"


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_the_same_error_twice_ends_a_question_with_what_was_read(sage: Sage) -> None:
    decides = sage.decides
    wrong = decides.call("read_attributes", devices=["light.nowhere"])
    sage.model_says(*decides.planned(LIGHTS, step("read", "kitchen_light")), wrong, wrong)
    assert await sage.hear("is the kitchen light on?") == "Kitchen Light: off."
    assert sage.model_calls == 4


async def test_errors_that_differ_end_a_question_after_four_calls(sage: Sage) -> None:
    sage.model_says(*(NATIVE.call(f"tool_{number}") for number in range(9)))
    assert await sage.hear("do I have new mail?") == UNKNOWN
    assert sage.model_calls == 4


def asks(question: str) -> Completion:
    return NATIVE.call("human_interaction", question=question)


@pytest.mark.parametrize(
    "said",
    [
        asks("Which team or sport does the person follow?"),
        NATIVE.finish("asked", "Which team or sport does the person follow?", about="other"),
        NATIVE.finish("answered", "William Shakespeare wrote Hamlet.", about="other"),
        NATIVE.finish("answered", "no, the hall lamp is off", about="home"),
        NATIVE.finish("asked", "What do you know about me?", about="memory"),
    ],
)
async def test_an_example_of_the_prompt_is_no_answer(sage: Sage, said: Completion) -> None:
    sage.model_says(said, said)
    heard = await sage.hear("what is the weather tomorrow?")
    assert heard in (UNKNOWN, "I have not changed anything.")


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("who wrote Hamlet?", "William Shakespeare wrote Hamlet."),
        ("who are you?", "I am SAGE, the assistant of this home."),
    ],
)
async def test_the_request_of_an_example_has_its_answer(sage: Sage, request_, words) -> None:
    sage.model_says(NATIVE.finish("answered", words, about="other"))
    assert await sage.hear(request_) == words


async def test_nothing_is_denied_that_was_changed_a_turn_before(sage: Sage) -> None:
    sage.model_says(NATIVE.execute("kitchen_light", command="turn_on", timing="now", final=True))
    assert await sage.hear("turn on the kitchen light") == "Kitchen Light is now on."
    lie = NATIVE.finish("acted", "It is as before.", claim("kitchen_light", "off"))
    sage.model_says(lie, lie)
    heard = await sage.hear("put it back")
    assert heard == "I have not changed anything else. Kitchen Light: on."
