"""Documentation of real entities of Home Assistant, generated at run time."""

import pytest
from homeassistant.components.media_player.const import MediaPlayerEntityFeature
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.service import async_set_service_schema
from homeassistant.setup import async_setup_component
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM

from custom_components.sage.home.entities.documentation import Documenter
from custom_components.sage.home.home_types import (
    Argument,
    Attribute,
    CommandDescription,
    Documentation,
    HomeError,
)

from ..entity_home import EntityHome, async_demo
from ..listings import plain_device


class Docs:
    """The documentation of one entity, easy to ask."""

    def __init__(self, documentation: Documentation) -> None:
        self.documentation = documentation

    @property
    def commands(self) -> list[str]:
        return [each.name for each in self.documentation.commands]

    def command(self, name: str) -> CommandDescription:
        return next(each for each in self.documentation.commands if each.name == name)

    def argument(self, command: str, name: str) -> Argument:
        return next(each for each in self.command(command).arguments if each.name == name)

    def arguments(self, command: str) -> set[str]:
        return {each.name for each in self.command(command).arguments}

    def attribute(self, name: str = "state") -> Attribute:
        return next(each for each in self.documentation.attributes if each.name == name)

    @property
    def attributes(self) -> list[str]:
        return [each.name for each in self.documentation.attributes]


@pytest.fixture
def documenter(hass: HomeAssistant) -> Documenter:
    return Documenter(hass)


@pytest.fixture
def read(documenter: Documenter):
    async def read(entity_id: str) -> Docs:
        device = plain_device("thing", "Thing", entity_id, area="Hall")
        await documenter.async_refresh()
        return Docs(await documenter.async_document(device, entity_id))

    return read


async def test_a_colour_light(hass, read):
    await async_demo(hass, Platform.LIGHT)
    light = await read("light.bed_light")

    assert light.documentation.device_name == "Thing"
    assert light.documentation.area == "Hall"
    assert light.documentation.capability == "light"
    assert light.attribute().values == ("off", "on")
    assert light.attribute().value == "off"
    assert light.commands == ["turn_on", "turn_off"]  # no toggle
    assert light.arguments("turn_on") == {
        "brightness_pct",
        "color_name",
        "rgb_color",
        "color_temp_kelvin",
        "effect",
    }
    brightness = light.argument("turn_on", "brightness_pct")
    assert (brightness.minimum, brightness.maximum, brightness.unit) == (0, 100, "%")
    warmth = light.argument("turn_on", "color_temp_kelvin")
    assert (warmth.minimum, warmth.maximum) == (2000, 6535)  # of this light, not of all lights
    assert light.argument("turn_on", "effect").values == ("rainbow", "off")
    assert light.argument("turn_on", "color_name").values == ()
    assert light.argument("turn_on", "color_name").description == "CSS3 colour name"
    assert "Turns on" in light.command("turn_on").description


async def test_brightness_is_read_in_percent(hass, read):
    await async_demo(hass, Platform.LIGHT)
    light = await read("light.ceiling_lights")
    assert light.attribute("brightness_pct").value == 71
    assert (light.attribute("brightness_pct").unit, light.attribute("brightness_pct").maximum) == (
        "%",
        100,
    )
    assert "brightness" not in light.attributes
    assert light.attribute("color_temp_kelvin").unit == "K"


async def test_a_light_offers_only_the_colours_it_has(hass, read):
    await async_demo(hass, Platform.LIGHT)
    assert "white" in (await read("light.entrance_color_white_lights")).arguments("turn_on")

    hass.states.async_set("light.plain", "on", {"supported_color_modes": ["onoff"]})
    plain = await read("light.plain")
    assert plain.arguments("turn_on") == set()
    assert plain.attributes == ["state"]


async def test_a_thermostat_has_its_own_modes_and_range(hass, read):
    await async_demo(hass, Platform.CLIMATE)
    pump = await read("climate.heatpump")

    assert pump.attribute().values == ("heat", "off")
    assert pump.argument("set_hvac_mode", "hvac_mode").values == ("heat", "off")
    wanted = pump.argument("set_temperature", "temperature")
    assert (wanted.minimum, wanted.maximum, wanted.unit) == (7, 35, "°C")
    assert "target_temp_high" not in pump.arguments("set_temperature")
    assert "set_fan_mode" not in pump.commands
    assert pump.attribute("current_temperature").unit == "°C"
    assert pump.attribute("temperature").maximum == 35

    ecobee = await read("climate.ecobee")
    assert ecobee.arguments("set_temperature") >= {"target_temp_high", "target_temp_low"}
    assert "temperature" not in ecobee.arguments("set_temperature")
    assert ecobee.argument("set_preset_mode", "preset_mode").values == ("home", "eco", "away")
    assert ecobee.attribute("fan_mode").values == ecobee.argument("set_fan_mode", "fan_mode").values


async def test_temperatures_are_in_the_unit_of_the_home(hass, read):
    hass.config.units = US_CUSTOMARY_SYSTEM
    await async_demo(hass, Platform.CLIMATE)
    pump = await read("climate.heatpump")
    assert pump.argument("set_temperature", "temperature").unit == "°F"
    assert pump.attribute("current_temperature").unit == "°F"


async def test_locks_and_alarms_ask_for_a_code_only_if_they_have_one(hass, read):
    await async_demo(hass, Platform.LOCK, Platform.ALARM_CONTROL_PANEL)
    assert (await read("lock.front_door")).commands == ["unlock", "lock"]
    assert (await read("lock.front_door")).arguments("unlock") == set()
    assert "open" in (await read("lock.openable_lock")).commands
    assert "open" in (await read("lock.openable_lock")).attribute().values
    alarm = await read("alarm_control_panel.security")
    assert alarm.arguments("alarm_disarm") == {"code"}
    assert "disarmed" in alarm.attribute().values

    hass.states.async_set("lock.coded", "locked", {"code_format": r"\d{4}"})
    assert (await read("lock.coded")).arguments("unlock") == {"code"}


async def test_sensors_can_be_read_only(hass, read):
    await async_demo(hass, Platform.SENSOR, Platform.BINARY_SENSOR)
    temperature = await read("sensor.outside_temperature")
    assert temperature.commands == []
    assert (temperature.attribute().value, temperature.attribute().unit) == (15.6, "°C")
    assert temperature.documentation.summary == "Temperature"
    assert (await read("sensor.thermostat")).attribute().values == (
        "away",
        "comfort",
        "eco",
        "sleep",
    )
    wet = await read("binary_sensor.basement_floor_wet")
    assert (wet.attribute().value, wet.attribute().meaning) == ("off", "Dry")
    assert wet.attribute().meanings == {"off": "Dry", "on": "Wet"}


async def test_scenes_scripts_and_automations(hass, read):
    assert await async_setup_component(
        hass, "scene", {"scene": [{"name": "Movie", "entities": {"light.a": "on"}}]}
    )
    fields = {
        "minutes": {"required": True, "selector": {"number": {"min": 1, "max": 60}}},
        "who": {"description": "The speaker.", "selector": {"entity": {}}},
        "song": {"example": "Lullaby", "default": "Rain", "selector": {"text": {}}},
    }
    assert await async_setup_component(
        hass,
        "script",
        {
            "script": {
                "night": {"alias": "Good night", "fields": fields, "sequence": []},
                "plain": {"sequence": []},
            }
        },
    )
    assert await async_setup_component(
        hass, "automation", {"automation": [{"alias": "Auto", "triggers": [], "actions": []}]}
    )
    scene = await read("scene.movie")
    assert scene.commands == ["turn_on"]  # never `delete`
    night = await read("script.night")
    minutes = night.argument("turn_on", "minutes")
    assert (minutes.required, minutes.minimum, minutes.maximum) == (True, 1, 60)
    who = night.argument("turn_on", "who")
    assert (who.required, who.is_reference) == (False, True)
    assert who.description == "The speaker; entity id"
    song = night.argument("turn_on", "song")
    assert (song.default, song.description) == ("Rain", "such as Lullaby; default Rain")
    assert (await read("script.plain")).arguments("turn_on") == set()
    assert (await read("automation.auto")).commands == ["trigger", "turn_on", "turn_off"]


async def test_a_group_tells_nothing_of_its_members(hass, read):
    assert await async_setup_component(
        hass, "light", {"light": {"platform": "group", "name": "All", "entities": ["light.hidden"]}}
    )
    await hass.async_block_till_done()
    assert "light.hidden" not in str((await read("light.all")).documentation)


async def test_actions_of_an_integration_carry_its_name(hass, read):
    home = EntityHome(hass)
    home.entity("vacuum.robot", "docked")
    home.entity("light.lamp")

    async def action(call):
        pass

    hass.services.async_register("test", "clean_twice", action)
    hass.services.async_register("test", "of_any", action)
    async_set_service_schema(
        hass,
        "test",
        "clean_twice",
        {
            "description": "Cleans twice. And more of it.",
            "fields": {"times": {"description": "How often", "selector": {"text": {}}}},
            "target": {"entity": [{"integration": "test", "domain": ["vacuum"]}]},
        },
    )
    async_set_service_schema(
        hass,
        "test",
        "of_any",
        {"description": "Any", "fields": {"x": 1}, "target": {"entity": [{"integration": "test"}]}},
    )
    robot = await read("vacuum.robot")
    assert robot.commands == ["test.clean_twice", "test.of_any"]
    assert robot.command("test.clean_twice").description == "Cleans twice"
    assert robot.argument("test.clean_twice", "times").description == "How often"
    assert (await read("light.lamp")).commands == ["test.of_any"]


async def test_what_is_unavailable_says_so_and_keeps_its_commands(hass, read):
    await async_demo(hass, Platform.LIGHT)
    hass.states.async_set("light.bed_light", "unavailable")
    light = await read("light.bed_light")
    assert not light.documentation.available
    assert light.attribute().value is None
    # Capabilities are known from the registry.
    assert light.argument("turn_on", "effect").values == ("rainbow", "off")


async def test_what_is_gone(documenter):
    device = plain_device("thing", "Thing", "light.gone")
    with pytest.raises(HomeError, match=r"light.gone no longer exists"):
        await documenter.async_document(device, "light.gone")


async def test_translated_names_of_an_integration_tell_what_values_mean(hass, read):
    await async_demo(hass, Platform.CLIMATE)
    ecobee = er.async_get(hass).async_get("climate.ecobee")
    assert ecobee is not None
    assert ecobee.translation_key == "ubercool"
    docs = await read("climate.ecobee")
    assert "auto_high" not in docs.attribute("fan_mode").meanings  # says no more
    hvac = await read("climate.hvac")
    assert hvac.attribute("swing_horizontal_mode").meanings["rangefull"] == "Full range"


async def test_a_state_change_changes_values_and_nothing_else(hass, read):
    await async_demo(hass, Platform.LIGHT)
    before = (await read("light.ceiling_lights")).documentation
    await hass.services.async_call(
        "light", "turn_off", {"entity_id": "light.ceiling_lights"}, blocking=True
    )
    after = (await read("light.ceiling_lights")).documentation
    assert after.commands is before.commands
    assert [each.value for each in after.attributes][:2] == ["off", None]


async def test_new_actions_are_documented_without_a_restart(hass, read):
    hass.states.async_set("light.lamp", "on", {"supported_color_modes": ["onoff"]})
    assert (await read("light.lamp")).commands == []
    assert await async_setup_component(hass, "light", {})
    assert (await read("light.lamp")).commands == ["turn_on", "turn_off"]


async def test_a_player_has_the_commands_of_its_integration(hass, read):
    """Music Assistant's actions with a target; its search by configuration entry has none."""

    async def nothing(_call: ServiceCall) -> None:
        pass

    for name in ("play_media", "transfer_queue", "get_queue", "search"):
        hass.services.async_register("music_assistant", name, nothing)
    assert await async_setup_component(hass, "media_player", {})
    entry = er.async_get(hass).async_get_or_create(
        "media_player", "music_assistant", "1", original_device_class="speaker"
    )
    features = MediaPlayerEntityFeature.PLAY_MEDIA | MediaPlayerEntityFeature.SEARCH_MEDIA
    hass.states.async_set(
        entry.entity_id, "idle", {"supported_features": int(features), "device_class": "speaker"}
    )
    player = await read(entry.entity_id)
    assert player.commands == [
        "play_media",
        "search_media",
        *(f"music_assistant.{each}" for each in ("play_media", "transfer_queue", "get_queue")),
    ]
    assert player.argument("music_assistant.transfer_queue", "source_player").is_reference
    assert player.arguments("search_media") >= {"search_query", "media_content_id"}
