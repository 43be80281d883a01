"""Turns that build on the ones before, over one conversation."""

import pytest

from benchmark.model_script import Completion
from tests.decisions import FORMATS, NATIVE, Decides, claim, step

from .conftest import Sage


def bedroom_light(
    decides: Decides, command: str, service: str, answer: str, **arguments: object
) -> tuple[Completion, ...]:
    """Return what the model decides to operate the bedroom light."""
    return (
        *decides.planned(command, step("command", "bedroom_light")),
        decides.execute("bedroom_light", command=service, arguments=arguments),
        decides.finish("acted", answer),
    )


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_three_turns(hass, sage: Sage) -> None:

    sage.model_says(
        *bedroom_light(sage.decides, "turn on the bedroom light", "turn_on", "The light is on.")
    )
    assert await sage.hear("turn on the bedroom light") == "The light is on."
    assert hass.states.get("light.bedroom_light").state == "on"
    assert "Earlier in this conversation" not in sage.server.completions[0].prompt

    sage.model_says(
        *bedroom_light(
            sage.decides,
            "make the bedroom light warmer",
            "turn_on",
            "It is warmer now.",
            color_temp_kelvin=2700,
        )
    )
    assert await sage.hear("make it warmer") == "It is warmer now."
    assert hass.states.get("light.bedroom_light").attributes["color_temp_kelvin"] == 2700
    first, planner, *_ = [request.prompt for request in sage.server.completions]
    assert "- Person: turn on the bedroom light" in first
    assert "SAGE: The light is on." in first
    for prompt in (first, planner):
        assert "light.bedroom_light" in prompt
        assert "turn_on(): verified" in prompt
    assert 'The person said: "make it warmer"' in planner

    sage.model_says(*bedroom_light(sage.decides, "turn off the bedroom light", "turn_off", "Off."))
    assert await sage.hear("now turn it off") == "Off."
    assert hass.states.get("light.bedroom_light").state == "off"
    third = sage.server.completions[0].prompt
    assert "- Person: turn on the bedroom light" in third
    assert "- Person: make it warmer" in third
    assert "turn_on(color_temp_kelvin=2700): verified" in third


@pytest.mark.parametrize(
    ("language", "request_", "words", "said"),
    [
        (
            "en",
            "now turn it off",
            "Of course, as you wish, everything is dark and quiet for you now.",
            "I have not changed anything else.",
        ),
        (
            "de",
            "und jetzt wieder aus",
            "Gern, wie Sie es wünschen, nun ist alles ganz dunkel und ruhig.",
            "Ich habe sonst nichts geändert.",
        ),
    ],
)
async def test_claim_in_a_follow_up_is_no_small_talk(
    hass, sage: Sage, language, request_, words, said
) -> None:
    sage.model_says(*bedroom_light(NATIVE, "turn on", "turn_on", "On."))
    await sage.hear("turn on the bedroom light")
    sage.model_says(*[NATIVE.finish("acted", words, claim("bedroom_light", "off"))] * 2)
    assert (await sage.hear(request_, language=language)).startswith(said)
    assert hass.states.get("light.bedroom_light").state == "on"


async def test_small_talk_after_a_command_is_left_alone(sage: Sage) -> None:
    sage.model_says(*bedroom_light(NATIVE, "turn on", "turn_on", "On."))
    await sage.hear("turn on the bedroom light")
    joke = "Why did the chicken cross the road? To get to the far side, of course!"
    sage.model_says(NATIVE.finish("answered", joke, about="other"))
    assert await sage.hear("tell me a joke") == joke


async def test_failed_turn_is_told_to_the_next_one(swift_model, sage: Sage) -> None:
    sage.model_says(NATIVE.finish("could_not", "There is no purple elephant."))
    await sage.hear("paint the purple elephant")
    sage.model_says(NATIVE.finish("could_not", "No."))
    await sage.hear("why not?")
    assert "There is no purple elephant." in sage.server.completions[0].prompt


async def test_another_conversation_knows_nothing_of_it(sage: Sage) -> None:
    sage.model_says(*bedroom_light(NATIVE, "turn on", "turn_on", "On."))
    await sage.hear("turn on the bedroom light")
    sage.model_says(NATIVE.finish("asked", "Turn what off?"))
    await sage.hear("now turn it off", conversation_id="another")
    assert "bedroom" not in sage.server.completions[0].messages[-1]["content"]


async def test_conversation_of_long_ago_is_forgotten(sage: Sage, freezer) -> None:
    sage.model_says(*bedroom_light(NATIVE, "turn on", "turn_on", "On."))
    await sage.hear("turn on the bedroom light", conversation_id="kept")
    freezer.tick(301)
    sage.model_says(NATIVE.finish("asked", "Turn what off?"))
    await sage.hear("now turn it off", conversation_id="kept")
    assert "bedroom" not in sage.server.completions[0].messages[-1]["content"]


async def test_long_conversation_stays_bounded(sage: Sage) -> None:
    for number in range(8):
        sage.model_says(NATIVE.finish("could_not", f"No, not number {number}. " + "x" * 2000))
        await sage.hear(f"paint elephant number {number}")
    prompt = sage.server.completions[0].messages[-1]["content"]
    assert "number 3" in prompt
    assert "number 2" not in prompt
    assert len(prompt) < 4 * 800
