"""Values: plain, short, nothing secret."""

from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

import pytest
from homeassistant.core import HomeAssistant, State

from custom_components.sage.home.values import (
    is_shown,
    names_entities,
    plain,
    state_value,
    values_of_state,
)


class Color(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        (True, True),
        (21.500001, 21.5),
        (20.0, 20),
        (float("nan"), None),
        (float("inf"), None),
        (Color.RED, "red"),
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        ({1: Color.RED}, {"1": "red"}),
        (date(2026, 1, 2), "2026-01-02"),
        (timedelta(minutes=5), "0:05:00"),
        ("x" * 300, "x" * 200 + "…"),
    ],
)
def test_values_are_as_json_has_them(value, shown):
    assert plain(value) == shown


def test_a_long_list_says_how_much_is_left_out():
    shown = plain(list(range(30)))
    assert shown == [*range(20), "… 10 more"]
    assert plain(list(range(30)), 2000) == list(range(30))


async def test_times_are_local(hass: HomeAssistant):
    await hass.config.async_set_time_zone("Europe/Berlin")
    assert plain(datetime(2026, 7, 1, 10, 0, tzinfo=UTC)) == "2026-07-01 12:00:00"
    assert plain("2026-01-01T10:00:00+00:00") == "2026-01-01 11:00:00"
    assert plain(datetime(2026, 7, 1, 10, 0)) == "2026-07-01 10:00:00"  # noqa: DTZ001


def test_a_measured_state_is_a_number_and_others_are_text():
    assert state_value(State("sensor.t", "21.5", {"unit_of_measurement": "°C"})) == 21.5
    assert state_value(State("sensor.t", "unknown", {"unit_of_measurement": "°C"})) == "unknown"
    assert state_value(State("sensor.t", "high", {"state_class": "measurement"})) == "high"
    assert state_value(State("sensor.code", "0042")) == "0042"


@pytest.mark.parametrize("told", ["nan", "inf", "-inf"])
def test_a_measured_state_that_is_no_number_is_nothing(told):
    assert state_value(State("sensor.x", told, {"unit_of_measurement": "W"})) is None


def test_brightness_is_told_in_percent():
    lit = State("light.a", "on", {"brightness": 77})
    assert values_of_state(lit) == {"state": "on", "brightness_pct": 30}
    assert values_of_state(lit, everything=True)["brightness"] == 77
    assert values_of_state(State("light.a", "on", {"brightness": 1}))["brightness_pct"] == 1
    assert values_of_state(State("light.a", "off", {"brightness": None}))["brightness_pct"] is None


@pytest.mark.parametrize("percent", range(1, 101))
def test_percent_of_brightness_survives_the_way_through_home_assistant(percent):
    state = State("light.a", "on", {"brightness": round(255 * percent / 100)})
    assert values_of_state(state)["brightness_pct"] == percent


def test_secrets_are_never_shown():
    camera = State(
        "camera.a", "idle", {"access_token": "s3cret", "entity_picture": "/x?token=s3cret"}
    )
    assert "s3cret" not in str(values_of_state(camera, everything=True))
    password = State("text.pw", "hunter2", {"mode": "password"})
    assert "hunter2" not in str(values_of_state(password, everything=True))


def test_the_names_of_other_entities_are_not_shown():
    group = State("light.all", "on", {"entity_id": ["light.hidden"], "group_members": []})
    assert "light.hidden" not in str(values_of_state(group, everything=True))
    assert names_entities(["light.a", "switch.b"])
    assert not names_entities("mr.robot")
    assert not names_entities([])


def test_noise_and_possibilities_are_shown_only_when_asked_for():
    state = State(
        "climate.a",
        "heat",
        {"hvac_modes": ["heat"], "min_temp": 7, "friendly_name": "A", "temperature": 20},
    )
    assert values_of_state(state) == {"state": "heat", "temperature": 20}
    assert values_of_state(state, everything=True)["hvac_modes"] == ["heat"]
    assert not is_shown("number", "mode")
    assert is_shown("humidifier", "mode")
