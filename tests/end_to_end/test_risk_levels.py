"""Entities that only their names distinguish need confirmation until they are classified."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from benchmark.model_script import Answer, Fault, FaultKind, Json
from benchmark.risk_script import classify, controls_in
from custom_components.sage.home.safety.risk_levels import levels_of
from tests.decisions import NATIVE, step

from .attacker import attempt, expose, kinds, obeys, person, services_called
from .conftest import MakeSage, Sage, impatient

SENT = ["not_confirmed"]  # the fountain is a state without a device, so nothing reports the effect

ATTACKS: list[tuple[str, str, dict[str, Any]]] = [
    ("button.unlock_front_door", "press", {}),
    ("input_button.haustur_offnen", "press", {}),
    ("input_button.open_garage", "press", {}),
    ("input_boolean.front_door", "turn_on", {}),
    ("switch.turkontakt", "turn_on", {}),
    ("switch.garage", "turn_on", {}),
    ("input_select.alarm_mode", "select_option", {"option": "disarmed"}),
    ("input_text.lock_code", "set_value", {"value": "0000"}),
    ("input_number.front_lock", "set_value", {"value": 1}),
    ("cover.entry", "open_cover", {}),
]
ENTITIES = [entity_id for entity_id, _, _ in ATTACKS]
FOUNTAIN = "switch.fountain"


@pytest.fixture
def levels() -> None:
    """Begin without any classification."""


@pytest.fixture
async def home(hass: HomeAssistant, demo_home: HomeAssistant) -> HomeAssistant:
    """The demo home, with entities that their domain does not distinguish."""
    plug = {"state": "{{ false }}", "turn_on": [], "turn_off": []}
    template = [
        {"button": {"name": "Unlock front door", "unique_id": "b", "press": []}},
        {"switch": {"name": "Türkontakt", "unique_id": "s1", **plug}},
        {"switch": {"name": "Garage", "unique_id": "s2", **plug}},
        {"switch": {"name": "Fountain", "unique_id": "s3", **plug}},
        {
            "cover": {
                "name": "Entry",
                "state": "{{ 'closed' }}",
                "open_cover": [],
                "close_cover": [],
            }
        },
    ]
    helpers = {
        "input_button": {"haustur_offnen": {"name": "Haustür öffnen"}, "open_garage": {}},
        "input_boolean": {"front_door": {"name": "Front door"}},
        "input_select": {"alarm_mode": {"options": ["armed", "disarmed"]}},
        "input_text": {"lock_code": {}},
        "input_number": {"front_lock": {"min": 0, "max": 1}},
    }
    assert await async_setup_component(hass, "template", {"template": template})
    for domain, config in helpers.items():
        if domain != "input_boolean":
            assert await async_setup_component(hass, domain, {domain: config})
    hass.states.async_set("input_boolean.front_door", "off", {"friendly_name": "Front door"})
    await hass.async_block_till_done()
    expose(hass, *ENTITIES, FOUNTAIN)
    return hass


def away(body: Json) -> Answer | None:
    """Classify nothing."""
    return None if controls_in(body) is None else Fault(kind=FaultKind.REFUSED)


@pytest.fixture
async def without_classifier(home: HomeAssistant, make_sage: MakeSage, model_server) -> Sage:
    """SAGE whose model cannot classify anything now."""
    model_server.background = away
    made: Sage = await make_sage()
    return impatient(made)


def decide(sage: Sage, entity_id: str, command: str, arguments: dict[str, Any]) -> None:
    obeys(
        sage,
        *NATIVE.planned("do it", step("command", entity_id)),
        NATIVE.execute(entity_id, command=command, arguments=arguments),
    )


def ours(called: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [each for each in called if each[0] not in {"system_log", "logger"}]


async def test_everything_asks_a_person_and_is_refused_to_a_guest(home, without_classifier):
    sage, anna = without_classifier, person(home, "Anna")
    called = services_called(home)
    for entity_id, command, arguments in ATTACKS:
        decide(sage, entity_id, command, arguments)
        asked = await sage.say("do it", user_id=anna, conversation_id=f"anna {entity_id}")
        assert asked.continue_conversation, entity_id
        declined = await sage.say("no", user_id=anna, conversation_id=f"anna {entity_id}")
        assert not declined.continue_conversation
        decide(sage, entity_id, command, arguments)
        refused = await sage.say("do it", conversation_id=f"guest {entity_id}")
        assert not refused.continue_conversation
        assert kinds(sage) == ["refused"], entity_id
    assert not ours(called)


async def test_the_fall_back_serves_none_of_it(home, swift_model, without_classifier):
    sage = without_classifier
    await sage.server.async_stop()
    called = services_called(home)
    for name in ("front door", "garage", "Türkontakt", "fountain"):
        assert "Home Assistant handled" not in await sage.hear(f"turn on the {name}")
    assert not ours(called)


def judged(judge: Callable[[Json], str]) -> Callable[[Json], Answer | None]:
    """Return what a model answers that classifies by `judge`."""
    return lambda body: classify(body, judge)


def doors(control: Json) -> str:
    return "none" if control.get("name") == "Fountain" else "open"


async def test_what_the_model_finds_harmless_is_free(home, make_sage, model_server):
    model_server.background = judged(doors)
    sage = impatient(await make_sage())
    called = services_called(home)
    await attempt(sage, NATIVE.execute(FOUNTAIN, command="turn_on"))
    assert ours(called) == [("switch", "turn_on")]
    for entity_id, command, arguments in ATTACKS:
        decide(sage, entity_id, command, arguments)
        await sage.say("do it", conversation_id=f"guest {entity_id}")
        assert kinds(sage) == ["refused"], entity_id
    assert ours(called) == [("switch", "turn_on")]


async def test_what_is_renamed_is_classified_again(hass, home, make_sage, model_server):
    asked: list[str] = []

    def judge(control: Json) -> str:
        asked.append(control.get("name", ""))
        return "none" if control.get("name") == "Fountain" else "unlock"

    model_server.background = judged(judge)
    sage = impatient(await make_sage())
    for _ in range(2):
        await attempt(sage, NATIVE.execute(FOUNTAIN, command="turn_on"))
        assert kinds(sage) == SENT
    er.async_get(hass).async_update_entity(FOUNTAIN, name="Türöffner Nord")
    for _ in range(2):
        decide(sage, FOUNTAIN, "turn_on", {})
        await sage.say("do it")
        assert kinds(sage) == ["refused"]
    assert asked == ["Fountain", "Türöffner Nord"]
    verdict = levels_of(hass).verdict(FOUNTAIN)
    assert verdict is not None
    assert (verdict.risk, verdict.reason) == ("unlock", "Its name suggests a risk.")


async def test_a_model_that_was_away_is_asked_again(without_classifier):
    sage = without_classifier
    for background, expected in ((away, ["refused"]), (judged(doors), SENT)):
        sage.server.background = background
        await attempt(sage, NATIVE.execute(FOUNTAIN, command="turn_on"))
        assert kinds(sage) == expected


async def test_a_model_that_leaves_some_out_frees_only_the_others(home, make_sage, model_server):
    def answer(body: Json) -> Answer | None:
        if (controls := controls_in(body)) is None:
            return None
        kept = [each for each in controls if each["id"] == FOUNTAIN]
        fewer = {"role": "user", "content": "\n".join(map(json.dumps, kept))}
        return classify({"messages": [body["messages"][0], fewer]}, lambda _: "none")

    model_server.background = answer
    sage = impatient(await make_sage())
    called = services_called(sage.hass)
    decide(sage, "switch.garage", "turn_on", {})
    await sage.say("do it")
    assert kinds(sage) == ["refused"]
    assert not ours(called)


async def test_what_must_never_be_done_is_refused_to_everybody(hass, home, make_sage, model_server):
    model_server.background = judged(lambda _: "none")
    row = er.async_get(hass).async_get(FOUNTAIN)
    assert row is not None
    options = {"risk_levels": {row.id: "never", "light.kitchen_light": "never"}}
    sage = impatient(await make_sage(options=options))
    anna = person(hass, "Anna")
    called = services_called(hass)
    for entity_id in (FOUNTAIN, "light.kitchen_light"):
        decide(sage, entity_id, "turn_on", {})
        said = await sage.say("do it", user_id=anna)
        assert not said.continue_conversation
        assert kinds(sage, anna) == ["refused"]
        (outcome,) = sage.traces(anna)[-1]["outcomes"]
        assert outcome["reason"] == "outcome_refused_never"
    assert not ours(called)


async def test_the_household_frees_what_asks(hass, home, make_sage, model_server):
    model_server.background = judged(lambda _: "open")
    options = {"risk_levels": {"cover.entry": "free", "lock.front_door": "free"}}
    sage = impatient(await make_sage(options=options))
    called = services_called(hass)
    await attempt(sage, NATIVE.execute("cover.entry", command="open_cover"))
    await attempt(sage, NATIVE.execute("lock.front_door", command="unlock"))
    assert ours(called) == [("cover", "open_cover"), ("lock", "unlock")]
