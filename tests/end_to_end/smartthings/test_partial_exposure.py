"""What is exposed of a SmartThings device by one of its entities, and no more."""

from typing import Any

from homeassistant.helpers import entity_registry as er

from benchmark.model_script import Answer
from tests.decisions import NATIVE
from tests.end_to_end.attacker import attempt, kinds, observed
from tests.end_to_end.conftest import Sage
from tests.exposing import expose
from tests.smartthings_home import SmartThings

from .hidden import COMMANDS, async_rested, requests_for_devices, told

TV, FRIDGE, MOTION, STRIP = "Samsung 8 Series", "Refrigerator", "Motion sensor", "light_bed"
CHANNEL = "4711"
_SETPOINT = "thermostatCoolingSetpoint"


def only(smartthings: SmartThings, device: str, domain: str, ending: str = "") -> str:
    """Return the id of the one entity of a device with this domain and ending."""
    (found,) = [each for each in smartthings.entities(device, domain) if each.endswith(ending)]
    return found


async def async_expose(sage: Sage, smartthings: SmartThings, *entity_ids: str) -> None:
    """Expose these only, with the television on a channel that nobody would guess."""
    expose(sage.hass, *entity_ids)
    await smartthings.async_change(TV, "main", "tvChannel", "tvChannel", CHANNEL)
    await async_rested(sage, smartthings)
    sage.model_says()


def executes(
    device: str, command: str, component: str = "", **arguments: object
) -> tuple[str, dict[str, Any]]:
    call: dict[str, Any] = {"devices": [device], "command": command, "arguments": arguments}
    return "execute_command", {**call, **({"component": component} if component else {})}


def looks(device: str, *capabilities: str) -> Answer:
    """Decide to read and document a device, whole and by these capabilities or attributes."""
    one = {"devices": [device]}
    return NATIVE.calls(
        ("read_attributes", one),
        ("api_documentation", one),
        *(("read_attributes", {**one, "attributes": [each]}) for each in capabilities),
        *(("api_documentation", {**one, "capabilities": [each]}) for each in capabilities),
    )


async def test_player_alone_sets_the_channel_and_does_not_tell_it(
    smart_sage: Sage, smartthings: SmartThings
) -> None:
    await async_expose(smart_sage, smartthings, only(smartthings, TV, "media_player"))
    await attempt(
        smart_sage,
        looks("samsung_8_series", "tvChannel", "tvChannel.tvChannel", "tvChannelName"),
        NATIVE.calls(executes("samsung_8_series", "setTvChannel", tvChannel="9")),
        planned=("samsung_8_series",),
    )
    assert "settvchannel(tvchannel:" in observed(smart_sage)
    assert CHANNEL not in observed(smart_sage)
    assert kinds(smart_sage) == ["verified"]
    assert smartthings.cloud.count(*COMMANDS) == 1


async def test_channel_that_is_not_told_is_not_told_by_putting_it_back_either(
    smart_sage: Sage, smartthings: SmartThings
) -> None:
    await async_expose(smart_sage, smartthings, only(smartthings, TV, "media_player"))
    await attempt(
        smart_sage, NATIVE.calls(executes("samsung_8_series", "setTvChannel", tvChannel="9"))
    )
    smart_sage.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "It is as it was."))
    assert await smart_sage.hear("put it back") == "It is as it was."
    assert [each.arguments for each in smartthings.cloud.commands] == [["9"], [CHANNEL]]
    assert CHANNEL not in observed(smart_sage)


async def test_channel_that_is_not_told_stays_so_when_nothing_is_confirmed(
    smart_sage: Sage, smartthings: SmartThings
) -> None:
    smart_sage.entry.runtime_data.home.waits.report_seconds = 0.05
    await async_expose(smart_sage, smartthings, only(smartthings, TV, "media_player"))
    smartthings.cloud.faults.lose_events(state_changes=False, device=TV)
    await attempt(
        smart_sage, NATIVE.calls(executes("samsung_8_series", "setTvChannel", tvChannel="9"))
    )
    assert kinds(smart_sage) == ["not_confirmed"]
    assert CHANNEL not in observed(smart_sage)


async def test_channel_sensor_alone_is_read_and_sets_nothing(
    smart_sage: Sage, smartthings: SmartThings
) -> None:
    await async_expose(smart_sage, smartthings, only(smartthings, TV, "sensor", "tv_channel"))
    answer = await attempt(
        smart_sage,
        looks("samsung_8_series", "tvChannel", "audioVolume", "custom.picturemode"),
        NATIVE.calls(
            executes("samsung_8_series", "setTvChannel", tvChannel="9"),
            executes("samsung_8_series", "tvChannel.setTvChannel", "main", tvChannel="9"),
            executes("samsung_8_series", "channelUp"),
            executes("samsung_8_series", "audioVolume.setVolume", volume=1),
            executes("samsung_8_series", "turn_off"),
        ),
        NATIVE.finish("acted", "Channel 9 is on."),
        planned=("samsung_8_series",),
    )
    assert f"tv_channel: state {CHANNEL}" in observed(smart_sage)
    assert "settvchannel(tvchannel:" not in observed(smart_sage)
    assert "is on" not in answer
    assert requests_for_devices(smartthings) == []
    hidden = {"launchapp", "media_player", "tvchannelname", "volume", "standard", "input"}
    assert told(smart_sage, hidden) == set()


async def test_number_of_the_freezer_alone_opens_nothing_else(smart_sage: Sage) -> None:
    number = only(smart_sage.smartthings, FRIDGE, "number", "freezer_temperature")
    await async_expose(smart_sage, smart_sage.smartthings, number)
    await attempt(
        smart_sage,
        looks("refrigerator", "contactSensor", "refrigeration", "contact", "temperature"),
        NATIVE.calls(
            # A value that the freezer would take, so that it is not taken for the other part.
            executes("refrigerator", "setCoolingSetpoint", "cooler", setpoint=-18),
            executes("refrigerator", f"cooler.{_SETPOINT}.setCoolingSetpoint", setpoint=-18),
            executes(
                "refrigerator", f"cooler.{_SETPOINT}.setCoolingSetpoint", "cooler", setpoint=-18
            ),
            executes("refrigerator", "setCoolingSetpoint", "cvroom", setpoint=-18),
            executes("refrigerator", "samsungce.powerFreeze.activate", "main"),
            executes("refrigerator", "setRapidFreezing", rapidFreezing="on"),
        ),
    )
    assert kinds(smart_sage) == []
    assert requests_for_devices(smart_sage.smartthings) == []
    hidden = {"cooler", "cvroom", "rapidcooling", "contact closed", "contact open", "powerfreeze"}
    assert told(smart_sage, hidden) == set()

    smart_sage.conversation_id = None
    await attempt(
        smart_sage,
        NATIVE.calls(executes("refrigerator", "setCoolingSetpoint", "freezer", setpoint=-20)),
    )
    assert kinds(smart_sage) == ["verified"]
    assert [(each.component, each.arguments) for each in smart_sage.cloud.commands] == [
        ("freezer", [-20])
    ]


async def test_battery_alone_does_not_tell_who_moves(
    smart_sage: Sage, smartthings: SmartThings
) -> None:
    await async_expose(smart_sage, smartthings, only(smartthings, MOTION, "sensor", "_battery"))
    await smartthings.async_change(MOTION, "main", "motionSensor", "motion", "active")
    await attempt(
        smart_sage,
        looks("motion_sensor", "motion", "motionSensor", "temperature", "temperatureMeasurement"),
        NATIVE.call("device_disambiguation", description="the sensor that is active"),
    )
    assert "motion_sensor (hallway): state 64 %" in observed(smart_sage)
    assert "active" not in observed(smart_sage).replace("that is active", "")
    assert requests_for_devices(smartthings) == []


async def test_group_of_lights_is_what_is_exposed(
    smart_sage: Sage, smartthings: SmartThings
) -> None:
    await async_expose(smart_sage, smartthings, *smartthings.entities(STRIP, "light"))
    await attempt(
        smart_sage,
        NATIVE.calls(executes("all light", "turn_off")),
        NATIVE.calls(executes("all light", "turn_on")),
        NATIVE.calls(
            executes("all light", "setColor", color={"hue": 1, "saturation": 1}),
            executes("all light", "colorControl.setHue", "main", hue=10),
        ),
    )
    assert {each.device for each in smartthings.cloud.commands} == {STRIP}
    assert set(kinds(smart_sage)) <= {"verified", "already"}


async def test_entity_of_another_integration_does_not_open_the_device_that_it_is_of(
    smart_sage: Sage, smartthings: SmartThings
) -> None:
    """Such as a switch that somebody made of the television."""
    hass = smart_sage.hass
    entry = er.async_get(hass).async_get_or_create(
        "switch",
        "switch_as_x",
        "made_of_it",
        device_id=smartthings.device(TV).id,
        original_name="Screen",
    )
    hass.states.async_set(entry.entity_id, "on")
    await async_expose(smart_sage, smartthings, entry.entity_id)
    await attempt(
        smart_sage,
        looks("samsung_8_series", "tvChannel", "main", "main.tvChannel"),
        NATIVE.calls(
            executes("samsung_8_series", "setTvChannel", tvChannel="9"),
            executes("samsung_8_series", "tvChannel.setTvChannel", "main", tvChannel="9"),
            executes(entry.entity_id, "setTvChannel", tvChannel="9"),
        ),
        planned=("samsung_8_series",),
    )
    assert "- samsung_8_series: switch" in observed(smart_sage)
    assert told(smart_sage, {"smartthings", CHANNEL, "launchapp", "media_player"}) == set()
    assert requests_for_devices(smartthings) == []
