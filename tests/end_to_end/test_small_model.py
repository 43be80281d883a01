"""What a small model chooses without a reason is not done at its first word."""

import json

import pytest

from benchmark.model_script import Completion
from tests.decisions import Decides, claim, step

from .conftest import MakeSage, Sage, device_of
from .routine_tools.test_not_yet import NOTHING, OF_OTHERS, WEAK, wants

SMALL = Decides("constrained")
OFF = SMALL.finish("could_not", "There is no basement.")
WANTED = (wants("change"), NOTHING)


@pytest.fixture
async def small(make_sage: MakeSage) -> Sage:
    return await make_sage("constrained", **WEAK)


def turns_on(*lights: str) -> Completion:
    return SMALL.execute(*lights, command="turn_on")


@pytest.mark.parametrize(
    ("said", "lights", "doubt"),
    [
        ("turn on the basement lights", ["bedroom_light"], "Nothing here is called basement."),
        ("turn on the", ["bedroom_light"], "meant as well"),
        ("turn on the lights in the bedroom", ["bedroom_light", "dresser_light"], ""),
        ("turn on the lights in the bedroom", ["all light in Bedroom"], ""),
        ("turn on the bedroom light", ["bedroom_light"], ""),
        ("turn on the dresser", ["dresser_light"], ""),
    ],
)
async def test_some_of_equal_devices(small: Sage, said: str, lights: list[str], doubt: str) -> None:
    small.model_says(*WANTED, turns_on(*lights), *([OFF] if doubt else []))
    heard, seen = await small.hear(said), small.server.completions[-1].prompt
    assert ("is no basement" in heard) is ("these are meant as well" in seen) is bool(doubt)
    assert doubt in seen
    is_on = small.state("light.bedroom_light") == "on"
    assert is_on is (not doubt and lights[0] != "dresser_light")


async def test_the_person_is_asked_which_of_a_few_is_meant(small: Sage) -> None:
    small.model_says(*WANTED, turns_on("lamp"))
    asked = "Which of these do you mean: Lamp (Living Room) and Lamp (Office)?"
    assert await small.hear("turn on the lamp") == asked
    small.model_says(turns_on("office_lamp"))
    assert await small.hear("the one in the office") == "Lamp is now on."
    assert small.state("light.office_lamp") == "on"
    small.conversation_id = None
    small.model_says(*WANTED, turns_on("bedroom_light"))
    asked = "Which of these do you mean: Bedroom Light and Dresser Light?"
    assert await small.hear("turn on the lights in the bedroom") == asked
    small.model_says(turns_on("bedroom_light", "dresser_light"))
    assert await small.hear("both") == "Bedroom Light and Dresser Light are now on."


async def test_those_in_the_room_of_the_person_and_those_that_it_insists_on(small: Sage) -> None:
    here = {"device_id": device_of(small.hass, "light.kitchen_light")}
    small.model_says(*WANTED, turns_on("kitchen_light"))
    assert await small.hear("turn on the light", **here) == "Kitchen Light is now on."
    small.conversation_id = None
    small.model_says(*WANTED, turns_on("garage_light"), turns_on("garage_light"))
    assert await small.hear("turn on the light") == "Garage Light is now on."


async def test_the_value_of_another_room_is_said_with_its_device(small: Sage) -> None:
    wrong = "La température du salon est de 19.4 °C."
    read = claim("bedroom_climate", "19.4", "read", attribute="temperature")
    made_up = SMALL.finish("answered", wrong, about="other")
    refused = Completion(text=json.dumps({"unproven": [wrong]}))
    said = SMALL.finish("answered", wrong, read, about="other")
    talk = Completion(text=json.dumps({"speaks_of": "news"}))
    small.model_says(wants("tell"), NOTHING, OF_OTHERS, made_up, talk, refused, said)
    assert await small.hear("quelle est la température du salon ?") == "Bedroom Climate: 19.4 °C."


@pytest.mark.parametrize(("wanted", "kind"), [("change", "answered"), ("other", "acted")])
async def test_to_have_read_is_not_to_have_set(small: Sage, wanted: str, kind: str) -> None:
    read = claim("bedroom_climate", "19.4", "read", attribute="temperature")
    lie = SMALL.finish(kind, "The bedroom has been set to 19.4 degrees.", read)
    small.model_says(*((wants(wanted), NOTHING) if wanted == "change" else [wants(wanted)]), lie)
    heard = await small.hear("set the bedroom to")
    assert heard == "I have not changed anything. Bedroom Climate: 19.4 °C."


async def test_one_planned_command_needs_no_words_of_the_model(small: Sage) -> None:
    planned = SMALL.planned("kitchen light on", step("command", "kitchen_light"))
    small.model_says(*WANTED, *planned, turns_on("kitchen_light"))
    assert await small.hear("kitchen light on") == "Kitchen Light is now on."
    assert small.model_calls == 5


async def test_a_command_of_another_device_is_shown_with_those_that_have_it(small: Sage) -> None:
    wrong = SMALL.execute(
        "bedroom_window", command="set_temperature", arguments={"temperature": 18}
    )
    small.model_says(*WANTED, wrong, SMALL.finish("could_not", "It cannot.", about="home"))
    await small.hear("if the bedroom window is open, set the living room thermostat to 18 degrees")
    seen = small.server.completions[-1].prompt
    assert "these have this command: living_room_thermostat." in seen
