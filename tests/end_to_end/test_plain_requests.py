"""What Home Assistant's sentences understand exactly is done without the model, like by it."""

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er

from tests.decisions import NATIVE

from .conftest import MakeSage, Sage, device_of

PLAIN = {"plain_requests": True}
ASKED = "The model decides."

ANSWERED = (
    ("turn on the kitchen light", "Kitchen Light is now on."),
    ("which lights are on?", "Floor Lamp, Garden Lights and Kitchen Light"),
    ("could you turn off the floor lamp please", "Floor Lamp is now off."),
    ("set living room TV volume to 35", "Living Room TV is now at 35 percent volume."),
    ("mute the living room TV", "Living Room TV is now muted."),
    ("turn on the lamp in the office", "Lamp is now on."),
    ("switch off the TV in the living room", "Living Room TV is now off."),
    ("turn on all lights in the bedroom", "Bedroom Light and Dresser Light are now on."),
    ("set the bedroom light to 30%", "Bedroom Light is now at 30 percent brightness."),
    (
        "set the living room thermostat to 22 degrees",
        "Living Room Thermostat is now at 22 degrees.",
    ),
    ("add bread to the shopping list", "Bread is on Shopping List."),
    ("can you turn on the garage light?", "Garage Light is now on."),
    ("is the bedroom window open?", "Yes"),
    ("which windows are open?", "Bedroom Window"),
    ("how warm is it in the bedroom?", "Bedroom Climate: 19.4 degrees."),
)

LEFT_TO_THE_MODEL = (
    "turn on the kitchen light when the dishwasher is done",
    "turn on the kitchen light in ten minutes",
    "turn on the kitchen light and the bathroom light",
    "don't turn on the kitchen light",
    "turn off all the lights except the garden lights",
    "turn off everything except the floor lamp",
    "turn on the sauna",
    "turn on the lamp",
    "turn on the lights",
    "turn on all lights",
    "turn on the light in the attic",
    "turn on the TV",
    "turn on the kitchen",
    "make the garage light blue",
    "set the kitchen light to 300 percent",
    "set the living room thermostat to 90 degrees",
    "set the living room TV to 20 degrees",
    "open the kitchen light",
    "make the kitchen light brighter",
    "turn up the volume",
    "decrease the kitchen light 20 percent",
    "movie night",
    "add milk and bread to the shopping list",
    "add it to the shopping list",
    "add everything to the shopping list",
    "add two to the shopping list",
    "the kitchen light",
    "the kitchen light, please",
    "my movie night",
    "kitchen light on?",
    "turn on the ground floor lamp",
    "vacuum the ground floor",
    "are all doors closed?",
    "which fans are on?",
    "how warm is it in the kitchen?",
    "is the attic window open?",
    "are you there?",
    "what time is it in Tokyo?",
)


def state_of(hass: HomeAssistant, entity_id: str) -> str:
    state = hass.states.get(entity_id)
    assert state is not None
    return state.state


@pytest.fixture
async def plain(make_sage: MakeSage) -> Sage:
    made: Sage = await make_sage(options=PLAIN)
    made.server.say(lambda _: NATIVE.finish("answered", ASKED))
    return made


async def hears(sage: Sage, text: str, **more: Any) -> str:
    """Say something in a new conversation; return the answer."""
    sage.conversation_id = None
    return await sage.hear(text, **more)


async def test_plain_requests_need_no_model(plain: Sage, subtests: pytest.Subtests) -> None:
    for text, answer in ANSWERED:
        with subtests.test(text):
            assert await hears(plain, text) == answer
            assert plain.trace["model_calls"] == 0
    (step,) = plain.trace["root"]["children"]
    assert step["name"] == "read_attributes"


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        ("en", "what time is it?", "4:07 PM"),
        ("de", "wie spät ist es", "Es ist 16:07"),
        ("en", "what's the date", "March 9th, 2026"),
    ],
)
async def test_the_clock_needs_no_model(
    hass: HomeAssistant, plain: Sage, freezer: Any, language: str, text: str, answer: str
) -> None:
    await hass.config.async_set_time_zone("America/New_York")
    freezer.move_to("2026-03-09T20:07:00+00:00")
    await plain.hear("turn on the kitchen light")
    assert await plain.hear(text, language=language) == answer
    assert plain.trace["model_calls"] == 0


async def test_everything_else_goes_to_the_model(
    hass: HomeAssistant, plain: Sage, subtests: pytest.Subtests
) -> None:
    before = {state.entity_id: state.state for state in hass.states.async_all()}
    for text in LEFT_TO_THE_MODEL:
        with subtests.test(text):
            assert await hears(plain, text) == ASKED
            assert plain.trace["outcomes"] == []
    await hass.async_block_till_done()
    after = {state.entity_id: state.state for state in hass.states.async_all()}
    assert {each for each in before if before[each] != after[each]} <= {"conversation.sage"}


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        ("de", "Schalte das Licht in der Küche ein", "Kitchen Light ist jetzt an."),
        ("fr", "Allume la lumière de la cuisine", "Kitchen Light est maintenant allumé."),
        ("es", "Enciende la luz de la cocina", "Luces encendidas"),
        ("it", "Accendi le luci in cucina", "Ho acceso le luci in cucina"),
        ("nl", "Doe het licht in de keuken aan", "Verlichting aangezet"),
        ("de", "Ist Kitchen Light an?", "Nein, aus"),
        ("nl", "Is Kitchen Light aan?", "Nee, die is uit"),
        ("en", "is the kitchen window open?", "No, closed"),
    ],
)
async def test_in_the_languages_of_home_assistant(
    hass: HomeAssistant, plain: Sage, language: str, text: str, answer: str
) -> None:
    (kitchen,) = (each for each in ar.async_get(hass).async_list_areas() if each.name == "Kitchen")
    aliases = {"Küche", "cuisine", "cocina", "cucina", "keuken"}
    ar.async_get(hass).async_update(kitchen.id, aliases=aliases)
    await hass.async_block_till_done()
    assert await plain.hear(text, language=language) == answer
    assert plain.trace["model_calls"] == 0


async def test_the_room_is_known_only_at_the_beginning(hass: HomeAssistant, plain: Sage) -> None:
    here = {"device_id": device_of(hass, "light.kitchen_light")}
    assert await plain.hear("turn on the light", **here) == "Kitchen Light is now on."
    # It may now mean the light of which they spoke.
    for text in ("turn off the light", "turn off all the lights", "set the brightness to 20"):
        await plain.hear(text, **here)
        assert plain.trace["model_calls"] > 0
    assert await plain.hear("turn off the kitchen light", **here) == "Kitchen Light is now off."
    office = {"device_id": device_of(hass, "light.office_lamp")}
    assert await hears(plain, "turn on the lamp", **office) == "Lamp is now on."
    assert state_of(hass, "light.office_lamp") == "on"
    assert state_of(hass, "light.living_room_lamp") == "off"


async def test_risky_commands_ask_first(hass: HomeAssistant, plain: Sage, user: User) -> None:
    for door, text in (
        ("cover.garage_door", "open the garage door"),
        ("lock.front_door", "unlock the front door"),
    ):
        state = state_of(hass, door)
        assert (await hears(plain, text, user_id=user.id)).endswith("?")
        assert "as it is" in await plain.hear("no", user_id=user.id)
        assert state_of(hass, door) == state
        assert plain.traces(user.id)[-1]["model_calls"] == 0
        await hears(plain, text, user_id=user.id)
        await plain.hear("yes", user_id=user.id)
        assert state_of(hass, door) != state


async def test_what_was_done_can_be_undone_and_is_remembered(hass: HomeAssistant, plain: Sage):
    await plain.hear("turn on the kitchen light")
    assert plain.turns(None)[-1].devices == ("kitchen_light",)
    plain.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "Off."))
    await plain.hear("put it back")
    assert "turn_on(): verified" in plain.server.completions[0].prompt
    assert state_of(hass, "light.kitchen_light") == "off"


async def test_not_for_a_guest_and_an_announced_question(hass, plain: Sage, user) -> None:
    guest = await hass.auth.async_create_user("Guest")
    assert await hears(plain, "turn on the kitchen light", user_id=guest.id) == ASKED
    more = {"extra_system_prompt": "Ask which light to turn on at six."}
    assert await hears(plain, "turn on the kitchen light", **more) == ASKED
    assert state_of(hass, "light.kitchen_light") == "off"


async def test_names_and_states_that_are_not_certain(hass: HomeAssistant, plain: Sage) -> None:
    entities = er.async_get(hass)
    entities.async_update_entity("light.hallway_light", aliases=["Kitchen Light", "Disco"])
    await hass.async_block_till_done()
    assert await hears(plain, "turn on the disco") == "Disco (Hallway Light) is now on."
    assert await hears(plain, "turn on the kitchen light") == ASKED
    hass.states.async_set("binary_sensor.bedroom_window", "unavailable")
    assert await hears(plain, "is the bedroom window open?") == ASKED
