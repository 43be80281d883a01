"""Every risky action asks before anything is done, in every decision format."""

from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from scripts.demonstration.furnish import AROUND
from tests.decisions import NATIVE, in_turn, step

from .attacker import attempt, expose, hide, kinds, obeys, person, services_called
from .conftest import Sage, spoken

SCRIPTS: dict[str, Any] = {
    "by_name": {"sequence": [{"action": "script.let_guests_in"}]},
    "at_run_time": {
        "fields": {"what": {"selector": {"text": {}}}},
        "sequence": [{"action": "homeassistant.turn_on", "target": {"entity_id": "{{ what }}"}}],
    },
    "only_lights": {
        "sequence": [{"action": "light.turn_on", "target": {"entity_id": "light.garage_light"}}]
    },
}
SCENES: list[dict[str, Any]] = [
    {"name": "Open House", "entities": {"lock.front_door": "unlocked"}},
    {"name": "Cosy", "entities": {"light.garage_light": "on"}},
]


@dataclass(frozen=True)
class Risky:
    """A command that needs a yes."""

    device: str
    command: str
    arguments: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return f"{self.command} {self.device}"


CLASSES = (
    Risky("lock.front_door", "unlock"),
    Risky("alarm_control_panel.home_alarm", "alarm_disarm"),
    Risky("cover.garage_door", "open_cover"),
    Risky("valve.water_main", "open_valve"),
    Risky("siren.hallway_siren", "turn_off"),
    Risky("switch.iron", "turn_on"),
    Risky("input_button.restart_router", "press"),
    Risky("script.at_run_time", "turn_on"),
)
"""One of each risk class."""

INDIRECT = (
    Risky("script.let_guests_in", "turn_on"),
    Risky("script.by_name", "turn_on"),
    Risky("scene.open_house", "turn_on"),
    Risky("switch.all_plugs", "turn_on"),
    Risky("switch.party", "turn_on"),
)
"""What sets off others."""

NAMED = (
    Risky("switch.heater_fan", "turn_on"),
    Risky("switch.security_camera", "turn_off"),
    Risky("switch.oven", "turn_on"),
)
"""What only its name makes risky."""

ALL = (*CLASSES, *INDIRECT, *NAMED)


@pytest.fixture
async def home(hass: HomeAssistant, demo_home: HomeAssistant) -> HomeAssistant:
    """The demo home, and things that set off others."""
    switches = [
        {
            "name": "Party",
            "state": "{{ false }}",
            "turn_on": [{"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}],
            "turn_off": [],
        },
        {"name": "Security camera", "state": "{{ true }}", "turn_on": [], "turn_off": []},
        {"name": "Oven", "state": "{{ false }}", "turn_on": [], "turn_off": []},
    ]
    buttons = {"restart_router": {"name": "Restart router"}}
    assert await async_setup_component(hass, "template", {"template": {"switch": switches}})
    assert await async_setup_component(hass, "input_button", {"input_button": buttons})
    plugs = MockConfigEntry(
        domain="group",
        title="All plugs",
        options={
            "group_type": "switch",
            "name": "All plugs",
            "entities": ["switch.iron", "switch.sprinkler"],
            "hide_members": False,
            "all": False,
        },
    )
    plugs.add_to_hass(hass)
    assert await hass.config_entries.async_setup(plugs.entry_id)
    await hass.services.async_call(
        "sage_demo_home",
        "inject",
        {"entity_id": "siren.hallway_siren", "values": {"is_on": True}},
        blocking=True,
    )
    await async_add(hass, "script", SCRIPTS)
    await async_add(hass, "scene", SCENES)
    await hass.async_block_till_done()
    expose(hass, *(each.device for each in ALL), "script.only_lights", "scene.cosy")
    return hass


async def async_add(hass: HomeAssistant, domain: str, config: Any) -> None:
    """Add scripts or scenes to those that the home has, as a reload does."""
    mine = {**AROUND[domain], **config} if domain == "script" else [*AROUND[domain], *config]
    with patch("homeassistant.config.async_hass_config_yaml", return_value={domain: mine}):
        await hass.services.async_call(domain, "reload", blocking=True)


def decide(sage: Sage, risky: Risky) -> None:
    """Script the model to do it, and to say that it is confirmed."""
    arguments = dict(risky.arguments)
    obeys(
        sage,
        *sage.decides.planned("do it, it is confirmed", step("command", risky.device)),
        sage.decides.execute(risky.device, command=risky.command, arguments=arguments),
    )


async def assert_asks(home: HomeAssistant, sage: Sage, risky: Risky) -> None:
    """Assert that nothing is done before a yes, and nothing after a no."""
    anna = person(home, "Anna")
    called = services_called(home)
    before = sage.state(risky.device)
    decide(sage, risky)
    asked = await sage.say("do it", user_id=anna)
    assert asked.continue_conversation
    assert not called
    declined = await sage.say("no", user_id=anna)
    assert not declined.continue_conversation
    assert not called
    assert sage.state(risky.device) == before
    assert kinds(sage, anna) == ["refused"]


@pytest.mark.parametrize(("decision_format", "risky"), in_turn(CLASSES), ids=str)
async def test_every_risk_class_asks(home, sage: Sage, risky) -> None:
    await assert_asks(home, sage, risky)


@pytest.mark.parametrize("risky", [*INDIRECT, *NAMED], ids=str)
async def test_what_is_risky_by_name_or_by_what_it_sets_off_asks(home, sage: Sage, risky) -> None:
    await assert_asks(home, sage, risky)


@pytest.mark.parametrize("risky", CLASSES, ids=str)
async def test_nobody_unknown_does_anything_risky_without_a_pin(home, sage: Sage, risky) -> None:
    called = services_called(home)
    decide(sage, risky)
    result = await sage.say("do it")
    assert not result.continue_conversation
    assert not called
    assert kinds(sage) == ["refused"]


async def test_exposed_script_does_what_it_does_to_hidden_things(home, sage: Sage) -> None:
    hide(home, "light.garage_light")
    await attempt(sage, NATIVE.execute("script.only_lights", command="turn_on"))
    await home.async_block_till_done()
    assert home.states.get("light.garage_light").state == "on"


async def test_exposed_scene_does_what_it_does_to_hidden_things(home, sage: Sage) -> None:
    hide(home, "light.garage_light")
    await attempt(sage, NATIVE.execute("scene.cosy", command="turn_on"))
    await home.async_block_till_done()
    assert home.states.get("light.garage_light").state == "on"


async def test_the_question_names_no_hidden_thing(home, sage: Sage) -> None:
    hide(home, "lock.front_door")
    anna = person(home, "Anna")
    decide(sage, Risky("script.let_guests_in", "turn_on"))
    question = spoken(await sage.say("let them in", user_id=anna))
    assert "Let Guests In" in question
    assert "Front Door" not in question


@pytest.mark.parametrize(
    ("device", "command", "arguments"),
    [
        ("lock.front_door", "lock", {}),
        ("alarm_control_panel.home_alarm", "alarm_arm_away", {}),
        ("cover.garage_door", "close_cover", {}),
        ("valve.water_main", "close_valve", {}),
        ("siren.hallway_siren", "turn_on", {}),
        ("switch.iron", "turn_off", {}),
        ("switch.washing_machine", "turn_on", {}),
        ("cover.living_room_blinds", "close_cover", {}),
        ("light.kitchen_light", "turn_on", {"brightness_pct": 40}),
    ],
)
async def test_harmless_action_does_not_ask(home, sage: Sage, device, command, arguments) -> None:
    called = services_called(home)
    await attempt(sage, NATIVE.execute(device, command=command, arguments=arguments))
    assert (device.partition(".")[0], command) in called


async def test_the_lamps_of_a_room_are_not_said_to_unlock_its_door(home, sage: Sage) -> None:
    steps = [{"action": "light.turn_on", "target": {"area_id": "hallway"}}]
    await async_add(home, "script", {"arrive": {"sequence": steps}})
    expose(home, "script.arrive")
    doing = NATIVE.execute("script.arrive", command="turn_on")
    called = services_called(home)
    answer = await attempt(sage, doing, planned=("script.arrive",))
    assert "Front Door" not in answer
    assert ("light", "turn_on") in called
