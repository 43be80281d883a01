"""Claims about devices with several values: what they may mean, and in which words."""

from collections.abc import Mapping
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations

from custom_components.sage.agent.decision import Claim, ClaimResult
from custom_components.sage.home.claims.claimed_facts import NO_TERMS, Terms
from custom_components.sage.home.claims.comparison import Comparison
from custom_components.sage.home.commands.evidence import Evidence
from custom_components.sage.home.home_types import (
    Component,
    Device,
    Fact,
    Outcome,
    OutcomeKind,
    Reading,
)
from custom_components.sage.text.speech import Sentences, async_load_sentences
from tests.home.listings import plain_listing, reading_of


def device(name: str, /, area: str = "Hall", **parts: str) -> Device:
    """Return a device: entity id (`__` for the dot) -> name of the entity, `:`, device class."""
    components = []
    for part, about in parts.items():
        own, _, kind = about.partition(":")
        entity_id = part.replace("__", ".")
        domain = entity_id.partition(".")[0]
        components.append(
            Component(id=entity_id, name=own or name, capabilities=(domain,), kind=kind or None)
        )
    key = name.lower().replace(" ", "_")
    return Device(id=key, name=name, area=area, components=tuple(components))


HOME = plain_listing(
    device(
        "Bedroom Climate",
        sensor__temperature="Temperature:temperature",
        sensor__humidity="Humidity:humidity",
    ),
    device("Thermostat", climate__thermostat=""),
    device("Radiator", climate__radiator="", sensor__radiator="Temperature:temperature"),
    device("Strip", switch__left="Left", switch__right="Right"),
    device("Plug", switch__plug="", switch__plug_led="Light", binary_sensor__plug="Heat:heat"),
    device("Ceiling Fan", "Attic", fan__ceiling="Fan", light__ceiling="Light"),
    device("Washer", switch__washer="", sensor__washer="Phase"),
    device("Lamp", light__lamp=""),
    device("Desk", light__desk=""),
    device("Blind", cover__blind=""),
    device("Speaker", media_player__speaker=""),
    device("Fan", fan__fan=""),
    device("Door", lock__door=""),
    device("Weather", weather__home=""),
)
PERCENT = {"humidity": "%", "current_humidity": "%", "current_position": "%", "percentage": "%"}
WARMTH = dict.fromkeys(("temperature", "current_temperature"), "°C")

CLIMATE = {"sensor.temperature": (19.4, "°C"), "sensor.humidity": (63, "%")}
THERMOSTAT = {
    "climate.thermostat": {
        "state": "heat",
        "current_temperature": 21.5,
        "temperature": 20,
        "current_humidity": 45,
    }
}
RADIATOR = {"climate.radiator": {"state": "heat", "temperature": 23}, "sensor.radiator": (19, "°C")}
STRIP = {"switch.left": "on", "switch.right": "off"}
PLUG = {"switch.plug": "on", "switch.plug_led": "off", "binary_sensor.plug": "off"}
CEILING = {"fan.ceiling": "on", "light.ceiling": "off"}
WASHER = {"switch.washer": "on", "sensor.washer": "rinsing"}
DARK = {"light.lamp": {"state": "off", "brightness_pct": None}}
RED = {"light.lamp": {"state": "on", "rgb_color": [255, 4, 0], "hs_color": [1, 100]}}
WARM = {"light.lamp": {"state": "on", "color_temp_kelvin": 2700}}
TARGETS = {"climate.thermostat": {"state": "heat_cool", "target_temp_low": 19}}
BLIND = {"cover.blind": {"state": "open", "current_position": 40}}
SPEAKER = {"media_player.speaker": {"state": "playing", "volume_level": 0.3}}
FAN = {"fan.fan": {"state": "on", "percentage": 67}}
WEATHER = {"weather.home": {"state": "sunny", "temperature": 12, "dew_point": 5, "humidity": 70}}

type Record = Mapping[str, Any]


def owner(component: str) -> Device:
    return next(d for d in HOME.devices if any(part.id == component for part in d.components))


def reading(component: str, value: Any) -> Reading:
    units = PERCENT | WARMTH | {"dew_point": "°C"}
    if isinstance(value, tuple):
        value, units["state"] = value
    values = value if isinstance(value, dict) else {"state": value}
    own = owner(component)
    facts = {
        name: Fact(name=name, value=value, unit=units.get(name)) for name, value in values.items()
    }
    return reading_of(component, facts, device_id=own.id, device_name=own.name)


def claim(device: str, value: str, attribute: str = "", result: str = "read") -> Claim:
    return Claim(devices=(device,), result=ClaimResult(result), value=value, attribute=attribute)


def compared(record: Record, *claims: Claim, terms: Terms = NO_TERMS) -> Comparison:
    evidence = Evidence(*(reading(component, value) for component, value in record.items()))
    return Comparison(claims, evidence, HOME, terms)


@pytest.mark.parametrize(
    ("record", "device", "value", "attribute"),
    [
        # A number that several sensors may mean.
        (CLIMATE, "bedroom_climate", "63", ""),
        (CLIMATE, "bedroom_climate", "19.4", ""),
        (CLIMATE, "bedroom_climate", "63", "state"),
        (CLIMATE, "bedroom_climate", "63 °C", ""),
        (CLIMATE, "bedroom_climate", "63", "temperature"),
        (CLIMATE, "bedroom_climate", "19.4", "sensor.humidity"),
        (WEATHER, "weather", "5 °C", "temperature"),
        # A target is not measured.
        (THERMOSTAT, "thermostat", "20", ""),
        (THERMOSTAT, "thermostat", "20 °C", ""),
        (THERMOSTAT, "thermostat", "20", "current_temperature"),
        (THERMOSTAT, "thermostat", "21.5", "temperature"),
        (THERMOSTAT, "thermostat", "21.5", "target_temperature"),
        (RADIATOR, "radiator", "23 °C", ""),
        (RADIATOR, "radiator", "23", "current_temperature"),
        # Components with other states.
        (STRIP, "strip", "off", ""),
        (STRIP, "strip", "on", ""),
        (STRIP, "strip", "on", "state"),
        (STRIP, "strip", "off", "left"),
        (CEILING, "ceiling_fan", "on", ""),
        (CEILING, "ceiling_fan", "off", ""),
        (PLUG, "plug", "off", ""),
        # A part of a value.
        ({"sensor.washer": "not rinsing yet"}, "washer", "rinsing", ""),
        ({"sensor.washer": "rinsing at 40"}, "washer", "rinsing at", ""),
        (RED, "lamp", "255", "rgb_color"),
        (RED, "lamp", "blue", "color"),
        (RED, "lamp", "[0, 0, 255]", "color"),
        (RED, "lamp", "orange", ""),
        (DARK, "lamp", "30 %", "brightness"),
        (SPEAKER, "speaker", "3", "volume"),
        (BLIND, "blind", "60", "position"),
    ],
)
def test_claim_that_may_mean_another_value(record, device, value, attribute) -> None:
    assert compared(record, claim(device, value, attribute)).problems


def test_ambiguous_claim_is_answered_with_the_values_and_how_to_name_one() -> None:
    [problem] = compared(CLIMATE, claim("bedroom_climate", "63")).problems
    assert "sensor.humidity state 63 %" in problem
    assert "sensor.temperature state 19.4 °C" in problem
    assert "component" in problem
    assert "`attribute`" in problem
    assert "unit" in problem


@pytest.mark.parametrize(
    ("record", "device", "value", "attribute"),
    [
        (CLIMATE, "bedroom_climate", "63 %", ""),
        (CLIMATE, "bedroom_climate", "19.4 °C", ""),
        (CLIMATE, "bedroom_climate", "67 °F", ""),
        (CLIMATE, "sensor.humidity", "63", ""),
        (CLIMATE, "bedroom_climate", "63", "sensor.humidity"),
        (CLIMATE, "bedroom_climate", "63", "humidity"),
        (CLIMATE, "bedroom_climate", "63", "current_humidity"),
        (CLIMATE, "bedroom_climate", "19.4", "Temperature"),
        (CLIMATE, "bedroom_climate", "19.4", "current_temperature"),
        ({"sensor.temperature": (19.4, "°C")}, "bedroom_climate", "19.4", ""),
        (THERMOSTAT, "thermostat", "21.5 °C", ""),
        (THERMOSTAT, "thermostat", "21.5", "current_temperature"),
        (THERMOSTAT, "thermostat", "20", "temperature"),
        (THERMOSTAT, "thermostat", "20", "target_temperature"),
        (THERMOSTAT, "thermostat", "20", "target_temp"),
        (THERMOSTAT, "thermostat", "45", "humidity"),
        (THERMOSTAT, "thermostat", "heat", ""),
        (RADIATOR, "radiator", "19", "temperature"),
        (RADIATOR, "radiator", "23", "target_temperature"),
        (WEATHER, "weather", "12", "current_temperature"),
        (WEATHER, "weather", "70 %", ""),
        ({"switch.left": "off", "switch.right": "off"}, "strip", "off", ""),
        (STRIP, "strip", "off", "right"),
        (STRIP, "switch.right", "off", ""),
        (PLUG, "plug", "on", ""),
        (WASHER, "washer", "rinsing", ""),
        (WASHER, "washer", "on", ""),
        (RED, "lamp", "red", "color"),
        (RED, "lamp", "red", "colour"),
        (RED, "lamp", "red", "rgb_color"),
        (RED, "lamp", "Red", ""),
        (RED, "lamp", "#ff0000", "color"),
        (RED, "lamp", "[255, 0, 0]", "color"),
        (RED, "lamp", "(255, 4, 0)", "rgb_color"),
        (DARK, "lamp", "0 %", "brightness"),
        (DARK, "lamp", "0", "brightness_pct"),
        ({"light.lamp": "off"}, "lamp", "0 %", "brightness"),
        (SPEAKER, "speaker", "30 %", "volume"),
        (SPEAKER, "speaker", "0.3", "volume"),
        (SPEAKER, "speaker", "30", "volume_level"),
        (SPEAKER, "speaker", "30 %", ""),
        (BLIND, "blind", "40", "position"),
        (BLIND, "blind", "about 40 %", ""),
        (FAN, "fan", "67 %", "speed"),
    ],
)
def test_claim_that_means_one_value(record, device, value, attribute) -> None:
    assert not compared(record, claim(device, value, attribute)).problems


# ---------------------------------------------------------------- groups


LIGHTS = {"light.lamp": "on", "light.desk": "on"}


@pytest.mark.parametrize(
    ("record", "device", "value", "attribute", "is_proven"),
    [
        (WARM, "Lamp", "2700", "color_temp_kelvin", True),
        (WARM, "Lamp", "2700 K", "color_temperature_kelvin", True),
        (WARM, "Lamp", "4000", "color_temp_kelvin", False),
        (TARGETS, "Thermostat", "19", "target_temp_low", True),
        (DARK, "lamp", "off", "power", True),
        (DARK, "lamp", "Off.", "status", True),
        (DARK, "lamp", "turned off", "light_state", True),
        (DARK, "lamp", "is off", "", True),
        (DARK, "lamp", "not off", "", False),
        (DARK, "lamp", "turned on", "power", False),
        (STRIP, "strip", "off", "power", False),
        ({"lock.door": "locked"}, "door", "locked", "lock_state", True),
        ({"lock.door": "locked"}, "door", "locked", "battery", False),
        (THERMOSTAT, "thermostat", "21.5 °C", "current_temp", True),
        (THERMOSTAT, "thermostat", "21.5", "room_temperature", True),
        (THERMOSTAT, "thermostat", "20", "setpoint", True),
        (THERMOSTAT, "thermostat", "21.5", "setpoint", False),
        (THERMOSTAT, "thermostat", "20", "room_temp", False),
        (CLIMATE, "bedroom_climate", "19.4 °C", "temp", True),
    ],
)
def test_usual_names_of_states_and_values(record, device, value, attribute, is_proven) -> None:
    assert (not compared(record, claim(device, value, attribute)).problems) is is_proven


@pytest.mark.parametrize(
    ("value", "result", "has_blank"),
    [
        ("", "failed", True),
        ("", "not_confirmed", True),
        ("none", "read", True),
        ("warm", "read", False),
        ("on", "verified", False),
    ],
)
def test_what_the_home_does_not_have(value: str, result: str, has_blank: bool) -> None:
    """The words "There is no pool" are verified; a state of the pool is a false claim."""
    made = compared(DARK, claim("pool", value, result=result))
    assert (made.has_blank, not made.problems) == (has_blank, has_blank)
    assert not made.has_acted


def test_group_of_which_all_members_are_claimed_directly_proves_nothing() -> None:
    own = claim("lamp", "on"), claim("desk", "on")
    assert compared(LIGHTS, claim("all light in Hall", "off"), *own).problems
    assert not compared(LIGHTS, claim("all light in Hall", "on"), *own).problems


def test_member_with_another_attribute_is_no_exception_of_its_group() -> None:
    lit = {"light.lamp": {"state": "on", "brightness_pct": 40}, "light.desk": "off"}
    dimmed = claim("lamp", "40 %", "brightness")
    assert compared(lit, claim("all light in Hall", "off"), dimmed).problems
    assert not compared(lit, claim("all light in Hall", "off"), claim("lamp", "on")).problems


# ---------------------------------------------------------------- responses of actions


def response(text: str) -> Outcome:
    return Outcome(
        kind=OutcomeKind.VERIFIED,
        device_id="weather",
        device_name="Weather",
        component_id="weather.home",
        capability="weather",
        command="get_forecasts",
        is_read=True,
        response=text,
    )


FORECAST = '{"forecast": [{"condition": "sunny", "temperature": 12}, {"condition": "rainy"}]}'


@pytest.mark.parametrize(
    ("text", "value", "attribute", "is_proven"),
    [
        (FORECAST, "sunny", "", True),
        (FORECAST, "12 °C", "", True),
        (FORECAST, "rainy", "condition", True),
        (FORECAST, "12", "condition", False),
        (FORECAST, "12 °F", "", False),
        (FORECAST, "sun", "", False),
        (FORECAST, "condition", "", False),
        (FORECAST[:50] + "… (40 more characters)", "sunny", "", True),
        ('["bin", "paper"]', "bin, paper", "", True),
        ('["bin", "paper"]', "paper", "", True),
        ('["bin", "paper"]', "pap", "", False),
        ("The door was not closed", "closed", "", False),
        ("The door was not closed", "the door was not closed", "", True),
        ("42", "4", "", False),
    ],
)
async def test_part_of_a_response_proves_nothing(hass, text, value, attribute, is_proven) -> None:
    evidence = Evidence(response(text), response('{"other": "text"}'))
    terms = Terms(hass, Sentences({}))
    found = Comparison([claim("weather", value, attribute)], evidence, HOME, terms)
    assert (not found.problems) is is_proven


# ---------------------------------------------------------------- times and long texts


@pytest.mark.parametrize(
    ("actual", "value", "is_proven"),
    [
        ("2026-11-28 06:30:00", "2026-11-28 06:30", True),
        ("2026-11-28 06:30:00", "2026-11-28T06:30:00", True),
        ("2026-11-28 06:30:00", "2026-11-28 06", False),
        ("2026-11-28 06:30:00", "2026-11-28", False),
        ("2026-11-28 06:30:00", "2026-11-28 06:31", False),
        ("A film about a long winter in the north", "A film about", False),
        (f"{'word ' * 30}end", f"{'word ' * 12}…", True),
        (f"{'word ' * 30}end", "word word word…", False),
    ],
)
def test_only_seconds_may_be_left_out(actual: str, value: str, is_proven: bool) -> None:
    found = compared({"sensor.washer": actual}, claim("washer", value))
    assert (not found.problems) is is_proven


# ---------------------------------------------------------------- languages

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "ru", "ja", "ar")
STATES = {
    "light.lamp": ("lamp", "on", "off"),
    "cover.blind": ("blind", "closed", "open"),
    "lock.door": ("door", "locked", "unlocked"),
}


async def terms_in(hass: HomeAssistant, language: str) -> Terms:
    await async_get_translations(hass, language, "entity_component", {"light", "cover", "lock"})
    return Terms(hass, Sentences({}), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("component", STATES)
async def test_state_in_the_language_of_the_person(hass, language: str, component: str) -> None:
    name, state, other = STATES[component]
    terms = await terms_in(hass, language)
    [word] = terms.names(component, "state", state) or [state]
    [wrong] = terms.names(component, "state", other) or [other]
    assert not compared({component: state}, claim(name, word.upper()), terms=terms).problems
    assert compared({component: state}, claim(name, wrong), terms=terms).problems


@pytest.mark.parametrize(
    ("language", "component", "state", "value"),
    [
        ("de", "light.lamp", "on", "an"),
        ("de", "light.lamp", "on", "ein"),
        ("de", "cover.blind", "closed", "geschlossen"),
        ("fr", "light.lamp", "on", "allumé"),
        ("fr", "cover.blind", "closed", "fermé"),
    ],
)
async def test_state_as_sage_says_it(hass, language, component, state, value) -> None:
    await async_get_translations(hass, language, "entity_component", {"light", "cover"})
    sentences = await async_load_sentences(hass, language)
    terms = Terms(hass, sentences, language)
    name = STATES[component][0]
    assert not compared({component: state}, claim(name, value), terms=terms).problems


async def test_unit_of_a_value_that_only_a_command_has_set(hass: HomeAssistant) -> None:
    terms = Terms(hass, Sentences({}), "en")
    done = Outcome(
        kind=OutcomeKind.VERIFIED,
        device_id="thermostat",
        device_name="Thermostat",
        component_id="climate.thermostat",
        capability="climate",
        command="set_temperature",
        arguments={"temperature": 23},
        after={"temperature": 23},
    )
    evidence = Evidence(done)
    for value, is_proven in {"23 °C": True, "73 °F": True, "23 °F": False, "23 %": False}.items():
        own = claim("thermostat", value, "target_temperature", "verified")
        assert (not Comparison([own], evidence, HOME, terms).problems) is is_proven
