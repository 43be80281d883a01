"""The question before something risky: the exact device, what is done, with what."""

import pytest

from custom_components.sage.home.commands.confirmation_text import confirmation_question
from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.authority import RiskyAction
from custom_components.sage.text.speech import async_load_sentences


def action(risk: RiskClass, command: str, name: str = "Front Door", **more) -> RiskyAction:
    return RiskyAction(risk=risk, device_name=name, command=command, **more)


async def asked(hass, *actions, language="en", pin=False) -> str:
    return confirmation_question(await async_load_sentences(hass, language), actions, pin=pin)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (action(RiskClass.DISARM, "alarm_disarm", "Alarm"), "disarm Alarm"),
        (action(RiskClass.OPEN, "open_cover", "Garage"), "open Garage"),
        (
            action(RiskClass.OPEN, "set_cover_position", "Garage", arguments={"position": 50}),
            "set Garage to 50 percent open",
        ),
        (action(RiskClass.SECURITY_OFF, "turn_off", "Camera"), "turn off Camera"),
        (action(RiskClass.HEAT, "turn_on", "Iron"), "turn on Iron"),
        (
            action(RiskClass.HEAT, "set_temperature", "Oven", arguments={"temperature": 200}),
            "set Oven to 200 degrees",
        ),
        (action(RiskClass.MAINTENANCE, "install", "Hub"), "install the update Hub"),
        (action(RiskClass.MAINTENANCE, "press", "Restart"), "press Restart"),
        (
            action(RiskClass.UNLOCK, "zwave_js.set_lock_usercode"),
            "run the command “set lock usercode” on Front Door",
        ),
        (
            action(RiskClass.UNLOCK, "put_back", arguments={"state": "unlocked"}),
            "restore the previous state of Front Door with state unlocked",
        ),
        (
            action(RiskClass.FOREIGN, "mail__send", "Mail", arguments={"to": ["a", "b"]}),
            'run the command “mail send” on Mail with to ["a", "b"]',
        ),
    ],
)
async def test_each_risk_has_its_words(hass, given, said):
    assert await asked(hass, given) == f"Shall I really {said}?"


async def test_what_lies_behind_a_script_is_said(hass):
    script = action(
        RiskClass.UNLOCK, "turn_on", "Good Night", is_indirect=True, reaches=("Front Door", "Shed")
    )
    assert await asked(hass, script) == (
        "Through Good Night, this also unlocks Front Door and Shed. Shall I really run Good Night?"
    )
    hidden = action(RiskClass.OPEN, "turn_on", "Good Night", is_indirect=True)
    assert "something that is not exposed to Assist" in await asked(hass, hidden)
    unknown = action(RiskClass.UNRESOLVED, "turn_on", "Good Night")
    assert await asked(hass, unknown) == (
        "I can't find out everything that Good Night triggers. Shall I really run Good Night?"
    )


NOT_ASKED = {RiskClass.FOREIGN, RiskClass.NEVER}


@pytest.mark.parametrize("risk", [each for each in RiskClass if each not in NOT_ASKED])
@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
async def test_every_risk_can_be_asked_about_in_every_language(hass, risk, language):
    given = action(risk, "turn_on", "Thing", is_indirect=True)
    question = await asked(hass, given, language=language, pin=True)
    assert "Thing" in question
    assert "{" not in question


async def test_several_actions_are_one_question(hass):
    question = await asked(
        hass,
        action(RiskClass.UNLOCK, "unlock", "Front Door"),
        action(RiskClass.UNLOCK, "unlock", "Back Door"),
        action(RiskClass.OPEN, "open_cover", "Garage"),
    )
    assert question == "Shall I really unlock Front Door and Back Door and open Garage?"


@pytest.mark.parametrize(
    "value",
    [
        "x" * 500,
        "Bread | milk\n|---|---|\n1. eggs\n3. flour",
        "anna~home~@example.org",
        "```\nhidden\n``` *and* ![x](http://example.org/y.png)",
        {"to": ["Tom", "a\\b"], "text": 'He said "no" <br> _twice_'},
    ],
)
async def test_a_code_is_never_spoken_and_values_are_shown_whole(hass, value):
    given = action(RiskClass.UNLOCK, "unlock", arguments={"code": "1234", "Note": value})
    question = await asked(hass, given)
    assert "1234" not in question
    for text in [value] if isinstance(value, str) else [*value["to"], value["text"]]:
        assert text in question


async def test_a_long_text_is_shown_however_many_devices_there_are(hass):
    texts = [f"{number} {'x' * 400}" for number in range(3)]
    many = [
        action(RiskClass.OUTSIDE, "send_message", f"Phone {number}", arguments={"message": text})
        for text in texts
        for number in range(40)
    ]
    question = await asked(hass, *many)
    assert all(text in question for text in texts)
    assert "120" in question or question.count("40 devices") == 3


def plugs(*names: str, risk: RiskClass = RiskClass.UNCLEAR) -> list[RiskyAction]:
    return [action(risk, "turn_off", name) for name in names]


async def test_few_devices_of_unknown_risk_are_named(hass):
    assert await asked(hass, *plugs("Pump", "Socket")) == (
        "I don't know what depends on Pump and Socket. It could be something important, such as a "
        "medical device. Shall I really turn off Pump and Socket?"
    )


async def test_many_devices_of_unknown_risk_are_counted(hass):
    many = plugs(*(f"Socket of the room number {number}" for number in range(40)))
    for language in ("en", "de", "fr"):
        question = await asked(hass, *many, language=language)
        assert "40" in question
        assert len(question) < 300
        assert question.count("?") == 1
    written = confirmation_question(await async_load_sentences(hass, "en"), many, longest=None)
    assert all(each.device_name in written for each in many)


async def test_a_known_risk_is_named_among_many_that_are_unknown(hass):
    actions = [
        *plugs(*(f"Socket {number}" for number in range(20))),
        *plugs("Camera", "Siren", risk=RiskClass.SECURITY_OFF),
    ]
    question = await asked(hass, *actions)
    assert question.startswith("Shall I really turn off Camera and Siren and turn off Socket 0, ")
    assert question.endswith("Socket 18 and Socket 19 (purpose unknown)?")
    assert len(question) < 300


async def test_each_reason_is_said_once_for_all_devices(hass):
    scripts = [action(RiskClass.UNRESOLVED, "turn_on", name) for name in ("Dusk", "Dawn")]
    assert await asked(hass, *scripts) == (
        "I can't find out everything that Dusk and Dawn trigger. Shall I really run Dusk and Dawn?"
    )
    assert await asked(hass, *plugs("Pump", "Socket", risk=RiskClass.CHOSEN)) == (
        "Your household wants me to ask before I use Pump and Socket. "
        "Shall I really turn off Pump and Socket?"
    )
    indirect = [
        action(RiskClass.UNCLEAR, "turn_on", name, is_indirect=True, reaches=("Pump",))
        for name in ("Dusk", "Dawn")
    ]
    assert (await asked(hass, *indirect)).startswith(
        "Through Dusk and Dawn, this also affects Pump. I don't know what depends on that. "
    )


async def test_the_rest_of_a_command_is_asked_about_with_reasons(hass):
    rest = [
        action(risk, "turn_off", name, is_rest=True)
        for risk, name in (
            (RiskClass.NETWORK, "Router Plug"),
            (RiskClass.FOOD, "Freezer"),
            (RiskClass.FOOD, "Fridge"),
            (RiskClass.LIFE, "Oxygen"),
        )
    ]
    assert await asked(hass, *rest) == (
        "Shall I also turn off Router Plug (the network), Freezer and Fridge (food) and Oxygen "
        "(life or health)?"
    )
    assert await asked(hass, *rest[:2], language="de") == (
        "Soll ich auch Router Plug (das Netzwerk) und Freezer (Lebensmittel) ausschalten?"
    )
    assert await asked(hass, *rest[:2], language="fr") == (
        "Dois-je aussi éteindre Router Plug (le réseau) et Freezer (aliments) ?"
    )


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("risk", [each for each in RiskClass if each not in NOT_ASKED])
@pytest.mark.parametrize("count", [3, 12, 40, 322])
@pytest.mark.parametrize("is_indirect", [False, True])
async def test_no_number_of_devices_makes_a_long_question(hass, language, risk, count, is_indirect):
    actions = [
        action(
            risk,
            "turn_off",
            f"Device of the household {number}",
            is_indirect=is_indirect,
            reaches=("Front Door", "Garage"),
        )
        for number in range(count)
    ]
    question = await asked(hass, *actions, language=language, pin=True)
    assert len(question) < 300 or risk in {RiskClass.OUTSIDE, RiskClass.FILE}
    assert str(count) in question or all(each.device_name in question for each in actions)


async def test_too_many_devices_are_counted(hass):
    many = [
        action(RiskClass.UNCLEAR, "turn_on", f"Socket number {number} of the house")
        for number in range(20)
    ]
    camera = action(RiskClass.SECURITY_OFF, "turn_on", "Camera")
    assert await asked(hass, camera, *many) == (
        "I don't know what depends on 20 of these devices. It could be something important, such "
        "as a medical device. Shall I really turn on Camera and turn on 20 devices?"
    )


async def test_many_commands_of_different_kinds_are_counted(hass):
    many = [
        action(RiskClass.HEAT, "set_value", f"Oven {number}", arguments={"value": number})
        for number in range(30)
    ]
    assert await asked(hass, *many) == "Shall I really change 30 devices?"
