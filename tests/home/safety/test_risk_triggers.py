"""What a command triggers: templates, events, entities that are computed, and running scripts."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.setup import async_setup_component

from custom_components.sage.home.home_types import RiskClass

from .test_consequences import automate, call, effects, script

UNLOCK, UNRESOLVED = RiskClass.UNLOCK, RiskClass.UNRESOLVED


@pytest.fixture(autouse=True)
async def _home(hass: HomeAssistant, entity_registry) -> None:
    hall = ar.async_get(hass).async_create("Hall")
    made = entity_registry.async_get_or_create("light", "test", "lamp", suggested_object_id="lamp")
    entity_registry.async_update_entity(made.entity_id, area_id=hall.id)
    hass.states.async_set("light.lamp", "off")
    hass.states.async_set("light.other", "off")
    hass.states.async_set("media_player.tv", "off")
    hass.states.async_set("lock.front", "locked", {"friendly_name": "Front Door"})
    hass.states.async_set("vacuum.robot", "docked")


async def listen(hass: HomeAssistant, template: str, **more: Any) -> None:
    await automate(hass, {"trigger": "template", "value_template": template, **more})


@pytest.mark.parametrize(
    "template",
    [
        "{{ states.light.lamp.state == 'on' }}",
        "{{ states['light.lamp'].state == 'on' }}",
        "{{ states.light['lamp'].state == 'on' }}",
        "{{ states('light.' ~ 'lamp') == 'on' }}",
        "{% set it = ['light', 'lamp'] | join('.') %}{{ is_state(it, 'on') }}",
        "{{ expand('light.lamp') | selectattr('state', 'eq', 'on') | list | count > 0 }}",
        "{{ area_entities('Hall') | map('states') | select('eq', 'on') | list | count > 0 }}",
        "{{ states.light | selectattr('state', 'eq', 'on') | list | count > 0 }}",
        "{{ states | selectattr('state', 'eq', 'on') | list | count > 1 }}",
        "{{ 'light.lamp' | has_value and is_state_attr('light.lamp', 'brightness', 9) }}",
        "{{ 1 / 0 }}",
        "{{ states('light.lamp') | float > 1 }}",
    ],
)
async def test_a_template_trigger_listens_to_what_it_renders(hass, template):
    await listen(hass, template)
    assert effects(hass, "light.lamp").risk is UNLOCK


@pytest.mark.parametrize(
    "template",
    [
        "{{ is_state('light.other', 'on') }}",
        "{{ 'light.lamp' == 'x' }}",
        "{# light.lamp #}{{ 5 > 3 }}",
        "{{ states.media_player | list | count > 9 }}",
        "light.lamp",
    ],
)
async def test_a_template_trigger_does_not_listen_to_what_it_only_mentions(hass, template):
    await listen(hass, template)
    assert effects(hass, "light.lamp").risk is None


async def test_a_harmless_automation_of_any_change_does_not_ask(hass):
    trigger = {"trigger": "template", "value_template": "{{ states | list | count > 99 }}"}
    await automate(hass, trigger, call("light.turn_on", "light.other"))
    assert effects(hass, "light.lamp").risk is None


async def test_templates_use_the_variables_of_their_automation(hass):
    config = {
        "alias": "It",
        "trigger_variables": {"watched": "light.lamp"},
        "triggers": [{"trigger": "template", "value_template": "{{ is_state(watched, 'on') }}"}],
        "conditions": [{"condition": "template", "value_template": "{{ false }}"}],
        "actions": [call("lock.unlock", "lock.front")],
    }
    assert await async_setup_component(hass, "automation", {"automation": config})
    await hass.async_block_till_done()
    assert effects(hass, "light.lamp").risk is UNLOCK
    assert effects(hass, "light.other").risk is None


@pytest.mark.parametrize(
    ("trigger", "reaches"),
    [
        ({"event_type": "state_changed"}, True),
        ({"event_type": "call_service"}, True),
        ({"event_type": ["timer.finished", "call_service"]}, True),
        ({"event_type": "{{ 'state_' ~ 'changed' }}"}, True),
        ({"event_type": "state_changed", "event_data": {"note": "light.other"}}, True),
        ({"event_type": "state_changed", "event_data": {"entity_id": "light.lamp"}}, True),
        ({"event_type": "state_changed", "event_data": {"entity_id": "light.other"}}, False),
        ({"event_type": "state_changed", "event_data": {"entity_id": "{{ 'light.lamp' }}"}}, True),
        (
            {
                "event_type": "call_service",
                "event_data": {"service_data": {"entity_id": "light.other"}},
            },
            False,
        ),
        ({"event_type": "timer.finished"}, False),
        ({"event_type": "doorbell_pressed"}, False),
    ],
)
async def test_events_that_a_command_causes(hass, trigger, reaches):
    await automate(hass, {"trigger": "event", **trigger})
    assert effects(hass, "light.lamp").risk is (UNLOCK if reaches else None)


async def test_events_of_timers_scripts_and_automations_come_from_their_domain(hass):
    hass.states.async_set("timer.tea", "idle")
    await script(hass, call("light.turn_on", "light.lamp"))
    await automate(hass, {"trigger": "event", "event_type": ["timer.finished", "script_started"]})
    assert effects(hass, "timer.tea", "start").risk is UNLOCK
    assert effects(hass).risk is UNLOCK
    assert effects(hass, "light.lamp").risk is None


@pytest.mark.parametrize(
    "trigger",
    [
        {"trigger": "event", "event_type": "go"},
        {"trigger": "event", "event_type": ["never", "{{ 'g' ~ 'o' }}"]},
        {"trigger": "event", "event_type": "automation_triggered"},
        {"trigger": "state", "entity_id": "automation.first"},
    ],
)
async def test_what_an_automation_sets_off_is_followed(hass, trigger):
    """An automation of the lamp unlocks nothing itself; another one waits for its run or event."""
    chain = [
        {
            "alias": "First",
            "triggers": [{"trigger": "state", "entity_id": "light.lamp"}],
            "actions": [{"event": "go"}],
        },
        {"alias": "Next", "triggers": [trigger], "actions": [call("lock.unlock", "lock.front")]},
    ]
    assert await async_setup_component(hass, "automation", {"automation": chain})
    await hass.async_block_till_done()
    assert effects(hass, "light.lamp").at_risk == {"lock.front"}
    assert effects(hass, "light.other").risk is None


async def test_an_event_that_nothing_waits_for_is_no_risk_of_a_lamp(hass):
    await automate(hass, {"trigger": "state", "entity_id": "light.lamp"}, {"event": "go"})
    assert effects(hass, "light.lamp").risk is None


async def test_a_call_without_a_target_triggers_too(hass):
    await script(hass, call("persistent_notification.create", message="hi"))
    await automate(hass, {"trigger": "persistent_notification"})
    assert effects(hass).risk is UNLOCK
    assert effects(hass, "light.lamp").risk is None


# ------------------------------------------------------------ entities in between


def helpers_of(source: str) -> dict[str, tuple[str, Any]]:
    """Return the configuration of helpers that are computed from an entity."""
    value = f"{{{{ states('{source}') }}}}"
    all_lights = "{{ states.light | list | count }}"
    state_trigger = {"trigger": "state", "entity_id": source}
    return {
        "template": ("template", [{"sensor": {"name": "Derived", "state": value}}]),
        "domain": ("template", [{"sensor": {"name": "Derived", "state": all_lights}}]),
        "trigger": (
            "template",
            [{"triggers": [state_trigger], "sensor": {"name": "Derived", "state": value}}],
        ),
        "min_max": ("sensor", {"platform": "min_max", "name": "Derived", "entity_ids": [source]}),
        "statistics": (
            "sensor",
            {
                "platform": "statistics",
                "name": "Derived",
                "entity_id": source,
                "state_characteristic": "mean",
                "sampling_size": 3,
            },
        ),
        "derivative": ("sensor", {"platform": "derivative", "name": "Derived", "source": source}),
        "integration": ("sensor", {"platform": "integration", "name": "Derived", "source": source}),
    }


@pytest.mark.parametrize("kind", list(helpers_of("light.lamp")))
async def test_an_entity_that_is_computed_is_followed(hass, kind):
    domain, config = helpers_of("light.lamp")[kind]
    assert await async_setup_component(hass, domain, {domain: config})
    await hass.async_block_till_done()
    assert hass.states.get("sensor.derived") is not None
    await automate(hass, {"trigger": "state", "entity_id": "sensor.derived"})
    assert effects(hass, "light.lamp").at_risk == {"lock.front"}
    assert effects(hass, "media_player.tv").risk is None


@pytest.mark.parametrize(
    "config",
    [
        {"platform": "threshold", "entity_id": "light.lamp", "upper": 3},
        {"platform": "trend", "sensors": {"derived": {"entity_id": "light.lamp"}}},
        {
            "platform": "bayesian",
            "prior": 0.5,
            "observations": [
                {
                    "platform": "state",
                    "entity_id": "light.lamp",
                    "to_state": "on",
                    "prob_given_true": 0.9,
                    "prob_given_false": 0.2,
                }
            ],
        },
        {"platform": "group", "entities": ["binary_sensor.inner"]},
    ],
)
async def test_binary_sensors_that_are_computed_are_followed(hass, config):
    named = config if config["platform"] == "trend" else {**config, "name": "Derived"}
    assert await async_setup_component(hass, "binary_sensor", {"binary_sensor": named})
    inner = {"name": "Inner", "state": "{{ is_state('light.lamp', 'on') }}"}
    assert await async_setup_component(hass, "template", {"template": [{"binary_sensor": inner}]})
    await hass.async_block_till_done()
    assert hass.states.get("binary_sensor.derived") is not None
    await automate(hass, {"trigger": "state", "entity_id": "binary_sensor.derived", "to": "on"})
    assert effects(hass, "light.lamp").at_risk == {"lock.front"}
    assert effects(hass, "light.other").risk is None


async def test_a_template_in_between_is_followed_by_a_template_trigger(hass):
    party = {"name": "Party", "state": "{{ is_state('light.lamp', 'on') }}"}
    assert await async_setup_component(hass, "template", {"template": [{"binary_sensor": party}]})
    await hass.async_block_till_done()
    await listen(hass, "{{ is_state('binary_sensor.party', 'on') }}")
    assert effects(hass, "light.lamp").risk is UNLOCK
    assert effects(hass, "light.other").risk is None


async def test_a_trigger_based_template_runs_its_own_actions(hass):
    config = {
        "triggers": [{"trigger": "state", "entity_id": "light.lamp"}],
        "actions": [call("lock.unlock", "lock.front")],
        "sensor": {"name": "Derived", "state": "1"},
    }
    assert await async_setup_component(hass, "template", {"template": [config]})
    await hass.async_block_till_done()
    assert effects(hass, "light.lamp").risk is UNLOCK
    assert effects(hass, "light.other").risk is None


# ------------------------------------------------------------ scripts that wait


@pytest.mark.parametrize(
    "wait",
    [
        {"wait_template": "{{ is_state('light.lamp', 'on') }}"},
        {"wait_for_trigger": [{"trigger": "state", "entity_id": "light.lamp"}]},
        {
            "wait_for_trigger": [
                {"trigger": "template", "value_template": "{{ states.light.lamp.state == 'on' }}"}
            ]
        },
        {"if": "{{ true }}", "then": [{"wait_template": "{{ is_state(the_lamp, 'on') }}"}]},
    ],
)
async def test_a_script_that_waits_for_the_command_goes_on(hass, wait):
    steps = [{"variables": {"the_lamp": "light.lamp"}}, wait, call("lock.unlock", "lock.front")]
    await script(hass, *steps)
    assert effects(hass, "light.lamp").risk is None
    # It waits: the call returns as soon as the script runs.
    await hass.services.async_call("script", "turn_on", {"entity_id": "script.it"}, blocking=True)
    assert hass.states.is_state("script.it", "on")
    assert effects(hass, "light.lamp").risk is UNLOCK
    await hass.services.async_call("script", "turn_off", {"entity_id": "script.it"}, blocking=True)


# ------------------------------------------------------------ entities made of actions


async def test_a_universal_player_runs_its_commands(hass):
    config = {
        "platform": "universal",
        "name": "Cinema",
        "children": ["media_player.tv"],
        "commands": {
            "turn_on": call("lock.unlock", "lock.front"),
            "volume_up": call("light.turn_on", "light.lamp"),
        },
    }
    assert await async_setup_component(hass, "media_player", {"media_player": config})
    await hass.async_block_till_done()
    assert effects(hass, "media_player.cinema", "turn_on").risk is UNLOCK
    assert effects(hass, "media_player.cinema", "toggle").risk is UNLOCK
    louder = effects(hass, "media_player.cinema", "volume_up")
    assert louder.entities == {"media_player.cinema", "media_player.tv", "light.lamp"}
    stopped = effects(hass, "media_player.cinema", "media_stop")
    assert (stopped.risk, "media_player.tv" in stopped.entities) == (None, True)


@pytest.mark.parametrize(
    ("domain", "config", "risky", "harmless"),
    [
        ("cover", {"open_cover": True, "close_cover": False}, "open_cover", "close_cover"),
        ("lock", {"state": "{{ 1 }}", "unlock": False, "lock": True}, "lock", None),
        ("fan", {"state": "{{ 1 }}", "turn_on": True, "turn_off": False}, "turn_on", "turn_off"),
        ("light", {"state": "{{ 1 }}", "turn_on": True, "turn_off": False}, "turn_on", "turn_off"),
        ("vacuum", {"state": "docked", "start": False, "pause": True}, "pause", "start"),
        (
            "alarm_control_panel",
            {"arm_away": False, "arm_home": True, "disarm": True},
            "alarm_arm_home",
            "alarm_arm_away",
        ),
        (
            "number",
            {"state": "1", "min": 0, "max": 9, "step": 1, "set_value": True},
            "set_value",
            None,
        ),
        (
            "select",
            {"state": "a", "options": "{{ ['a'] }}", "select_option": True},
            "select_option",
            None,
        ),
        ("button", {"press": True}, "press", None),
    ],
)
async def test_template_entities_run_the_action_of_the_service(
    hass, domain, config, risky, harmless
):
    unlock, lamp = [call("lock.unlock", "lock.front")], [call("light.turn_on", "light.lamp")]
    made = {
        name: (unlock if value else lamp) if isinstance(value, bool) else value
        for name, value in config.items()
    }
    templates = [{domain: {"name": "Made", **made}}]
    assert await async_setup_component(hass, "template", {"template": templates})
    await hass.async_block_till_done()
    entity_id = f"{domain}.made"
    assert hass.states.get(entity_id) is not None
    assert "lock.front" in effects(hass, entity_id, risky).at_risk
    if harmless:
        assert "lock.front" not in effects(hass, entity_id, harmless).entities
