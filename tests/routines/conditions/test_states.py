"""What condition code reads of devices: values as documented, bound to registry ids."""

from datetime import datetime

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

from custom_components.sage.home.values import item_attributes
from tests.exposing import expose_all
from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking

STATE_UNKNOWN = ("state", "unknown")


async def test_a_door_is_what_its_documentation_says(hass, asking: Asking):
    assert await async_setup_component(hass, "binary_sensor", {})
    build = EntityHome(hass)
    door = build.device("Front Door", build.area("Hallway"))
    build.entity("binary_sensor.front_door", "on", device=door, device_class="door")

    (document,) = await asking.home.of(asking.person).async_document(["front_door"])
    state = document.attributes[0]

    assert (state.value, state.meaning) == ("on", "Open")
    assert await asking.value("get_state", "front_door") == "on"
    assert await asking.value("get_state", "Front Door") == "on"
    assert await asking.value("get_state", " hallway  front door ") == "on"
    assert await asking.value("get_state", "binary_sensor.front_door") == "on"
    answered = await asking("get_state", "front_door")
    assert answered.keys == {"binary_sensor.front_door"}
    assert answered.fresh_until is None


async def test_another_device_with_the_old_name_is_not_read(hass, asking: Asking):
    build = EntityHome(hass)
    old = build.entity("binary_sensor.door", "on", device=build.device("Door"))
    assert await asking.value("get_state", "door") == "on"
    assert await asking.value("get_state", "binary_sensor.door") == "on"

    er.async_get(hass).async_remove(old.entity_id)
    hass.states.async_remove(old.entity_id)
    build.entity("binary_sensor.other", "off", device=build.device("Door"))
    er.async_get(hass).async_update_entity(
        "binary_sensor.other", new_entity_id="binary_sensor.door"
    )
    hass.states.async_set("binary_sensor.door", "off")

    for name in ("door", "binary_sensor.door"):
        answered = await asking("get_state", name)
        assert answered.is_withheld
        assert "no more" in answered.error
        assert answered.value is None


async def test_a_registered_entity_that_is_renamed_is_unknown_until_it_is_back(
    hass, asking: Asking
):
    build = EntityHome(hass)
    entry = build.entity("binary_sensor.door", "on", device=build.device("Door"))
    await asking.value("get_state", "door")

    hass.states.async_remove(entry.entity_id)
    er.async_get(hass).async_update_entity(entry.entity_id, new_entity_id="binary_sensor.gate")
    answered = await asking("get_state", "door")

    assert answered.is_unknown
    assert not answered.is_withheld
    assert answered.keys == {"binary_sensor.gate"}


async def test_an_entity_without_a_registry_entry_may_be_away_for_a_while(hass, asking: Asking):
    hass.states.async_set("light.lamp", "on", {"friendly_name": "Lamp"})
    assert await asking.value("get_state", "lamp") == "on"
    assert asking.bindings == {"lamp": "id:light.lamp"}

    hass.states.async_remove("light.lamp")
    assert (await asking("get_state", "lamp")).is_unknown
    hass.states.async_set("light.lamp", "off")
    assert await asking.value("get_state", "lamp") == "off"


async def test_what_is_removed_or_disabled_is_withheld(hass, asking: Asking):
    build = EntityHome(hass)
    for name in ("door", "gate"):
        build.entity(f"binary_sensor.{name}", "on", device=build.device(name.title()))
        await asking.value("get_state", name)

    er.async_get(hass).async_remove("binary_sensor.door")
    hass.states.async_remove("binary_sensor.door")
    er.async_get(hass).async_update_entity(
        "binary_sensor.gate", disabled_by=er.RegistryEntryDisabler.USER
    )

    for name in ("door", "gate"):
        for function in ("get_state", "is_available", "held_minutes"):
            answered = await asking(function, name)
            assert answered.is_withheld
            assert answered.value is None


@pytest.mark.parametrize("state", ["unavailable", "unknown"])
async def test_what_cannot_be_told_is_unknown(hass, asking: Asking, state):
    build = EntityHome(hass)
    build.entity("sensor.warmth", state, device=build.device("Warmth"), unit_of_measurement="°C")

    for question in (
        ("get_state", "warmth"),
        ("held_minutes", "warmth"),
        ("get_attribute", "warmth", "state"),
    ):
        answered = await asking(*question)
        assert answered.is_unknown
        assert answered.value is None
        assert answered.keys == {"sensor.warmth"}
    available = await asking("is_available", "warmth")
    assert available.value is False
    assert not available.is_unknown


async def test_values_have_their_types(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity("sensor.warmth", "21.50", device=build.device("Warmth"), unit_of_measurement="°C")
    build.entity(
        "sensor.wake",
        "2026-03-10T06:30:00+00:00",
        device=build.device("Wake"),
        device_class="timestamp",
    )
    build.entity("input_number.level", "3.0", device=build.device("Level"))
    build.entity("sensor.word", "7", device=build.device("Word"))
    hass.states.async_set(
        "input_datetime.alarm", "2026-03-10 06:30:00", {"has_date": True, "has_time": True}
    )
    hass.states.async_set("input_datetime.nap", "06:30:00", {"has_date": False, "has_time": True})

    expose_all(hass)

    assert await asking.value("get_state", "warmth") == 21.5
    assert await asking.value("get_state", "level") == 3
    assert await asking.value("get_state", "word") == "7"
    wake = await asking.value("get_state", "wake")
    assert wake == datetime.fromisoformat("2026-03-10T06:30:00+00:00")
    assert wake.tzinfo == dt_util.get_default_time_zone()
    alarm = await asking.value("get_state", "input_datetime.alarm")
    assert alarm == datetime(2026, 3, 10, 6, 30, tzinfo=dt_util.get_default_time_zone())
    assert await asking.value("get_state", "input_datetime.nap") == "06:30:00"


async def test_attributes_have_their_types_and_spellings(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity(
        "sun.sun",
        "above_horizon",
        device=build.device("Sky"),
        next_rising="2026-03-11T06:30:00+00:00",
        elevation=12.34567,
        rising=True,
        list_of=["a", "b"],
    )

    assert await asking.value("get_attribute", "sky", "elevation") == 12.346
    assert await asking.value("get_attribute", "sky", "Elevation") == 12.346
    assert await asking.value("get_attribute", "sky", "rising") is True
    assert await asking.value("get_attribute", "sky", "list of") == ["a", "b"]
    rising = await asking.value("get_attribute", "sky", "next_rising")
    assert rising == datetime.fromisoformat("2026-03-11T06:30:00+00:00")
    assert await asking.value("get_attribute", "sky", "state") == "above_horizon"


async def test_every_documented_value_of_the_demo_home_can_be_asked(
    demo_home: HomeAssistant, asking: Asking
):
    listing = await asking.home.of(asking.person).async_listing()
    count = 0
    for device in listing.devices:
        for document in await asking.home.of(asking.person).async_document([device.id]):
            for attribute in document.attributes:
                if not document.available or (attribute.name, attribute.value) == STATE_UNKNOWN:
                    continue
                if attribute.name in item_attributes(document.capability):
                    continue
                asked = (document.component_id, attribute.name)
                value = await asking.value("get_attribute", *asked)
                if isinstance(value, datetime):
                    value = value.isoformat(sep=" ")[:19]
                assert value == attribute.value, asked
                count += 1
    assert count > 60


async def test_a_light_that_is_off_has_no_brightness_and_one_that_is_on_has(
    demo_home: HomeAssistant, asking: Asking
):
    light = ("get_attribute", "floor_lamp", "brightness_pct")
    await demo_home.services.async_call(
        "light", "turn_off", {"entity_id": "light.floor_lamp"}, blocking=True
    )
    assert await asking.value(*light) is None
    await demo_home.services.async_call(
        "light", "turn_on", {"entity_id": "light.floor_lamp", "brightness": 51}, blocking=True
    )
    assert await asking.value(*light) == 20


async def test_what_a_tv_that_is_off_does_not_tell_is_none_and_no_error(
    demo_home: HomeAssistant, asking: Asking
):
    await demo_home.services.async_call(
        "media_player", "turn_off", {"entity_id": "media_player.living_room_tv"}, blocking=True
    )
    state = demo_home.states.get("media_player.living_room_tv")
    assert state is not None
    assert "volume_level" not in state.attributes

    assert await asking.value("get_attribute", "living_room_tv", "volume_level") is None


async def test_a_wrong_attribute_is_told_with_the_nearest(demo_home: HomeAssistant, asking: Asking):
    error = await asking.error("get_attribute", "living_room_tv", "volumelevel")

    assert "living_room_tv has no attribute volumelevel" in error
    assert "It has: state" in error
    error = await asking.error("get_attribute", "living_room_thermostat", "current_temperatur")
    assert "The nearest: current_temperature" in error


async def test_wrong_names_are_told_as_elsewhere(demo_home: HomeAssistant, asking: Asking):
    assert "Kitchen is an area" in await asking.error("get_state", "Kitchen")
    assert "The nearest: " in await asking.error("get_state", "front dor lock")
    assert "There is no device" in await asking.error("get_state", "all lights in Kitchen")


async def test_of_a_device_with_parts_the_main_one_is_read(hass, asking: Asking):
    build = EntityHome(hass)
    tv = build.device("TV")
    build.entity("media_player.tv", "playing", device=tv)
    build.entity("sensor.tv_power", "30", device=tv, name="Power", unit_of_measurement="W")
    washer = build.device("Washer")
    build.entity("sensor.washer_a", "run", device=washer, name="Job")
    build.entity("sensor.washer_b", "5", device=washer, name="Left", left=5)

    assert await asking.value("get_state", "tv") == "playing"
    assert await asking.value("get_state", "sensor.tv_power") == 30
    assert await asking.value("get_state", "TV Power") == 30
    assert await asking.value("get_attribute", "tv", "state", "Power") == 30
    assert await asking.value("get_attribute", "washer", "left") == 5
    error = await asking.error("get_state", "washer")
    assert "sensor.washer_a" in error
    assert "sensor.washer_b" in error
    error = await asking.error("get_attribute", "washer", "state", "door")
    assert "no component" in error
    assert await asking.value("is_available", "washer")


async def test_a_part_stays_the_same_when_others_come(hass, asking: Asking):
    build = EntityHome(hass)
    plug = build.device("Plug")
    build.entity("switch.plug", "on", device=plug)
    build.entity("sensor.plug_power", "5", device=plug, name="Power", unit_of_measurement="W")
    assert await asking.value("get_state", "plug") == "on"

    build.entity("switch.plug_lamp", "off", device=plug, name="Lamp")
    build.entity("light.plug", "off", device=plug)

    assert await asking.value("get_state", "plug") == "on"


async def test_a_device_in_two_rooms_is_bound_by_room(hass, asking: Asking):
    build = EntityHome(hass)
    kitchen, garage = build.area("Kitchen"), build.area("Garage")
    strip = build.device("Strip", kitchen)
    for number in (1, 2):
        build.entity(f"switch.kitchen_{number}", "on", device=strip, name=f"K{number}")
        build.entity(f"switch.garage_{number}", "off", device=strip, area=garage, name=f"G{number}")
    there = await asking.value("list_devices", "Garage")
    assert [each["id"] for each in there] == ["strip_garage"]
    await asking.value("is_available", "strip_garage")
    assert asking.bindings["strip_garage"].startswith("device:")

    dr.async_get(hass).async_update_device(strip.id, name_by_user="Bar")

    assert await asking.value("get_attribute", "strip_garage", "state", "G1") == "off"
    error = await asking.error("get_state", "strip_garage")
    assert "switch.garage_1" in error
    assert "switch.kitchen_1" not in error


async def test_several_entities_that_have_an_attribute_are_told_apart(hass, asking: Asking):
    build = EntityHome(hass)
    washer = build.device("Washer")
    build.entity("sensor.washer_a", "run", device=washer, name="Job", left=3)
    build.entity("sensor.washer_b", "5", device=washer, name="Left", left=5)

    error = await asking.error("get_attribute", "washer", "left")

    assert "Several components of washer have left" in error
    assert "sensor.washer_a, sensor.washer_b" in error
    assert await asking.value("get_attribute", "washer", "left", "job") == 3


async def test_a_fault_of_ours_costs_one_question(hass, asking: Asking, caplog, monkeypatch):
    build = EntityHome(hass)
    build.entity("light.lamp", "on", device=build.device("Lamp"))

    def broken(*_: object) -> None:
        raise ZeroDivisionError("lamp")

    monkeypatch.setattr(asking.home, "of", broken)
    caplog.set_level("INFO")
    answered = await asking("is_available", "lamp")

    assert answered.is_unknown
    assert answered.fresh_until is not None
    # The log contains nothing of the calls of the code.
    assert "ZeroDivisionError" in caplog.text
    assert "lamp" not in "".join(
        record.getMessage()
        for record in caplog.records
        if "sage.routines.conditions" in record.name
    )


async def test_the_same_entity_is_followed_once_and_not_for_ever(hass, asking: Asking, freezer):
    build = EntityHome(hass)
    entry = build.entity("light.lamp", "on", device=build.device("Lamp"))
    freezer.tick(60)
    assert await asking.value("held_minutes", "lamp") == 1
    assert await asking.value("held_minutes", "light.lamp") == 1

    hass.states.async_remove("light.lamp")
    await hass.async_block_till_done()
    hass.states.async_set("light.lamp", "on")
    freezer.tick(30)

    assert await asking.value("held_minutes", "lamp") == 0.5
    assert asking.bindings["lamp"] == f"entity:{entry.id}"


@pytest.mark.parametrize(
    ("entity_id", "attribute"), [("todo.jobs", "items"), ("calendar.family", "events_next_14_days")]
)
async def test_a_condition_does_not_wait_for_entries_that_it_cannot_read(
    hass, asking: Asking, entity_id, attribute
):
    build = EntityHome(hass)
    build.entity(entity_id, "2", device=build.device("Jobs"))
    assert "A condition cannot read" in await asking.error("get_attribute", "jobs", attribute)
