"""Each outcome has its true sentence, in the language of the person."""

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.exceptions import HomeAssistantError

from tests.decisions import NATIVE, claim, step

from .conftest import Sage, commanded, impatient

DONE = {"en": "Done.", "de": "Erledigt."}
LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])


async def command(
    sage: Sage, device: str, name: str, language: str, *, claims: int = 2, **arguments: object
) -> str:
    """Have the model execute one command and claim a change; hear the answer."""
    decides, state = NATIVE, {"unlock": "unlocked"}.get(name, "on")
    return await commanded(
        sage,
        "do it",
        decides.execute(device, command=name, arguments=arguments),
        *[decides.finish("acted", DONE[language], claim(device, state))] * claims,
        devices=(device,),
        language=language,
    )


def kinds(sage: Sage) -> list[str]:
    return [outcome["kind"] for outcome in sage.trace["outcomes"]]


@LANGUAGES
async def test_verified(sage: Sage, language) -> None:
    heard = await command(sage, "kitchen_light", "turn_on", language, claims=1)
    assert heard == DONE[language]
    assert kinds(sage) == ["verified"]


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Floor Lamp was already on."), ("de", "Floor Lamp war schon an.")]
)
async def test_already_so(sage: Sage, language, said) -> None:
    act = NATIVE.execute("floor_lamp", command="turn_on")
    lie = NATIVE.finish("could_not", "…", claim("floor_lamp", "off", "already"))
    heard = await commanded(
        sage, "do it", act, lie, lie, devices=("floor_lamp",), language=language
    )
    assert heard == said
    assert kinds(sage) == ["already"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Garage Door is opening; I have not seen it finish yet."),
        (
            "de",
            "Garage Door wird gerade geöffnet; ich habe noch nicht gesehen, dass es fertig ist.",
        ),
    ],
)
async def test_slow_cover_is_under_way(hass, sage: Sage, user, language, said) -> None:
    """The garage door needs eight seconds, and a yes."""
    sage.model_says(
        *NATIVE.planned("open the garage door", step("command", "garage_door")),
        NATIVE.execute("garage_door", command="open_cover"),
        *[NATIVE.finish("acted", "It is open.", claim("garage_door", "open"))] * 2,
    )
    impatient(sage)
    asked = await sage.say("open the garage door", user_id=user.id, language=language)
    assert asked.continue_conversation
    assert hass.states.get("cover.garage_door").state == "closed"
    yes = {"en": "yes", "de": "ja"}[language]
    assert await sage.hear(yes, user_id=user.id, language=language) == said
    assert hass.states.get("cover.garage_door").state == "opening"
    assert sage.traces(user.id)[-1]["outcomes"][0]["kind"] == "under_way"


@pytest.mark.parametrize(
    ("device", "name", "title"),
    [
        ("scene.movie_night", "turn_on", "Movie Night"),
        ("doorbell_chime", "press", "Doorbell Chime"),
    ],
)
@LANGUAGES
async def test_scene_and_button_cannot_be_observed(
    sage: Sage, device, name, title, language
) -> None:
    said = {
        "en": f"I sent the command to {title}, but I can't see whether it worked.",
        "de": (
            f"Ich habe den Befehl an {title} geschickt, kann aber nicht sehen, ob er gewirkt hat."
        ),
    }
    assert await command(sage, device, name, language) == said[language]
    assert kinds(sage) == ["sent"]


@LANGUAGES
@pytest.mark.parametrize("error", [HomeAssistantError("the bulb is broken"), ZeroDivisionError()])
async def test_service_that_fails(sage: Sage, thing, language, error) -> None:
    async def fail(**_: object) -> None:
        raise error

    thing("light.kitchen_light").async_turn_on = fail
    heard = await command(impatient(sage), "kitchen_light", "turn_on", language)
    said, reason = {
        "en": ("The command for Kitchen Light did not work.", "Home Assistant says: "),
        "de": ("Der Befehl für Kitchen Light hat nicht funktioniert.", "Home Assistant meldet: "),
    }[language]
    assert heard.startswith(said)
    if str(error):
        assert heard == f"{said} {reason}{error}."
    assert kinds(sage) == ["failed"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Kitchen Light is unavailable right now, so I did not change it."),
        ("de", "Kitchen Light ist gerade nicht verfügbar, deshalb habe ich dort nichts geändert."),
    ],
)
async def test_device_that_is_away(sage: Sage, thing, language, said) -> None:
    thing("light.kitchen_light").become(available=False)
    assert await command(sage, "kitchen_light", "turn_on", language) == said
    assert kinds(sage) == ["failed"]


@pytest.mark.parametrize(
    ("language", "no", "said"),
    [
        ("en", "no", "I have left Front Door as it is."),
        ("de", "nein", "Front Door habe ich so gelassen."),
    ],
)
async def test_refused_by_the_person(hass, sage: Sage, user, language, no, said) -> None:
    sage.model_says(
        *NATIVE.planned("unlock the front door", step("command", "front_door")),
        NATIVE.execute("front_door", command="unlock"),
        *[NATIVE.finish("acted", "It is unlocked.", claim("front_door", "unlocked"))] * 2,
    )
    await sage.say("unlock the front door", user_id=user.id, language=language)
    assert await sage.hear(no, user_id=user.id, language=language) == said
    assert hass.states.get("lock.front_door").state == "locked"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            (
                "Front Door needs a confirmation, but I can't ask for it here, so I did not change "
                "it."
            ),
        ),
        (
            "de",
            (
                "Front Door braucht eine Bestätigung, aber ich kann hier nicht danach fragen. "
                "Deshalb habe ich dort nichts geändert."
            ),
        ),
    ],
)
async def test_refused_since_nobody_can_be_asked(hass, sage: Sage, language, said) -> None:
    """An unknown speaker, and the household has no PIN."""
    assert await command(sage, "front_door", "unlock", language) == said
    assert kinds(sage) == ["refused"]
    assert hass.states.get("lock.front_door").state == "locked"


@LANGUAGES
async def test_value_that_was_not_reached(sage: Sage, thing, language) -> None:
    """The light turns on, but with another brightness than requested."""
    light = thing("light.kitchen_light")

    async def dim(**_: object) -> None:
        light.become(is_on=True, brightness=20)

    light.async_turn_on = dim
    heard = await command(impatient(sage), "kitchen_light", "turn_on", language, brightness_pct=80)
    assert (
        heard
        == {
            "en": (
                "Kitchen Light reacted, but not as asked: 8 percent brightness instead of 80 "
                "percent brightness."
            ),
            "de": (
                "Kitchen Light hat reagiert, aber nicht wie gewünscht: 8 Prozent Helligkeit statt "
                "80 Prozent Helligkeit."
            ),
        }[language]
    )
    assert kinds(sage) == ["reached"]


async def test_hidden_device_is_no_outcome(hass, sage: Sage) -> None:
    """What is not exposed is not there: the model learns it, the person hears no claim."""
    async_expose_entity(hass, "conversation", "light.kitchen_light", False)
    heard = await command(sage, "kitchen_light", "turn_on", "en")
    assert heard == "I have not changed anything."
    assert kinds(sage) == []
    assert hass.states.get("light.kitchen_light").state == "off"
