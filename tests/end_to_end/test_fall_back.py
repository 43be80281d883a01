"""When the model is away, the built-in agent may serve a plain sentence, through the gate."""

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity

from tests.decisions import NATIVE

from .conftest import MakeSage, Sage, device_of, impatient

AWAY = {
    "en": (
        "I cannot reach my language model. Please check that its server is running and connected."
    ),
    "de": (
        "Ich erreiche mein Sprachmodell nicht. Bitte prüfe, ob sein Server läuft und verbunden ist."
    ),
}


@pytest.fixture
async def away(swift_model: None, sage: Sage) -> Sage:
    """SAGE whose model server is switched off."""
    await sage.server.async_stop()
    return impatient(sage)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        (
            "en",
            "turn on the kitchen light",
            "Home Assistant handled your command without the model: Kitchen Light is now on.",
        ),
        (
            "de",
            "schalte Kitchen Light ein",
            (
                "Home Assistant hat deinen Befehl ohne das Modell bearbeitet: "
                "Kitchen Light ist jetzt an."
            ),
        ),
    ],
)
async def test_light_turns_on_without_the_model(hass, away: Sage, language, text, said) -> None:
    assert await away.hear(text, language=language) == f"{AWAY[language]} {said}"
    assert hass.states.get("light.kitchen_light").state == "on"
    assert away.trace["kind"] == "answer"
    assert [outcome["kind"] for outcome in away.trace["outcomes"]] == ["verified"]


async def test_the_log_says_once_that_the_model_is_away(caplog, away: Sage) -> None:
    await away.hear("turn on the kitchen light")
    await away.hear("turn off the kitchen light")
    logged = [each.message for each in caplog.records if "No reply of the model" in each.message]
    assert len(logged) == 1


async def test_brightness(hass, away: Sage) -> None:
    await away.hear("set the kitchen light to 30 percent")
    assert hass.states.get("light.kitchen_light").attributes["brightness"] == 76


async def test_lights_of_an_area(hass, away: Sage) -> None:
    heard = await away.hear("turn on the lights in the bedroom")
    assert heard.endswith("Bedroom Light and Dresser Light are now on.")
    for light in ("light.bedroom_light", "light.dresser_light"):
        assert hass.states.get(light).state == "on"
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_lights_of_the_room_that_is_spoken_in(hass, away: Sage) -> None:
    heard = await away.hear("turn on the lights", device_id=device_of(hass, "light.bathroom_light"))
    assert heard.endswith("Bathroom Light is now on.")
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_already_on_is_told_truly(away: Sage) -> None:
    heard = await away.hear("turn on the floor lamp")
    assert heard.endswith(
        "Home Assistant handled your command without the model: Floor Lamp was already on."
    )


async def test_model_knows_later_what_was_done(hass, away: Sage) -> None:
    await away.hear("turn on the kitchen light")
    await away.server.async_start()
    away.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "Off."))
    assert await away.hear("put it back") == "Off."
    assert "turn_on(): verified" in away.server.completions[0].prompt
    assert hass.states.get("light.kitchen_light").state == "off"


NOT_SERVED = (
    "unlock the front door",
    "lock the front door",
    "open the garage door",
    "turn on the garage door",
    "turn on the front door",
    "turn on the iron",
    "turn on the heater fan",
    "turn off the home alarm",
    "turn off the hallway siren",
    "turn off the home alarm siren",
    "turn on let guests in",
    "turn on movie night",
    "turn on the router",
    "turn on the purple elephant",
    "what is the meaning of life",
    "turn on everything",
    "add milk to my shopping list",
    "set the floor lamp to red",
)


async def test_nothing_else_is_served(hass, away: Sage, subtests: pytest.Subtests) -> None:
    before = {state.entity_id: state.state for state in hass.states.async_all()}
    for text in NOT_SERVED:
        with subtests.test(text):
            away.conversation_id = None
            assert await away.hear(text) == AWAY["en"]
            await hass.async_block_till_done()
            after = {state.entity_id: state.state for state in hass.states.async_all()}
            changed = {entity_id for entity_id in before if before[entity_id] != after[entity_id]}
            assert changed <= {"conversation.sage"}


async def test_not_exposed_is_not_served(hass, away: Sage) -> None:
    async_expose_entity(hass, "conversation", "light.kitchen_light", False)
    await hass.async_block_till_done()
    assert await away.hear("turn on the kitchen light") == AWAY["en"]
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_person_without_permission_is_not_served(hass, away: Sage, user) -> None:
    guest = await hass.auth.async_create_user("Guest")
    assert await away.hear("turn on the kitchen light", user_id=guest.id) == AWAY["en"]
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_off_by_option(hass, swift_model, make_sage: MakeSage) -> None:
    sage = await make_sage(options={"fall_back": False})
    await sage.server.async_stop()
    assert await sage.hear("turn on the kitchen light") == AWAY["en"]
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_language_that_is_not_known_is_not_served(hass, away: Sage) -> None:
    assert await away.hear("turn on the kitchen light", language="tlh") == AWAY["en"]
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_lamp_is_the_one_of_the_room(hass, away: Sage) -> None:
    """Two lamps have one name: without a room neither is served."""
    assert await away.hear("turn on the lamp") == AWAY["en"]
    office = device_of(hass, "light.office_lamp")
    assert (await away.hear("turn on the lamp", device_id=office)).endswith("Lamp is now on.")
    assert hass.states.get("light.office_lamp").state == "on"
    assert hass.states.get("light.living_room_lamp").state == "off"
