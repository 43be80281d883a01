"""Values: plain, short, nothing secret."""

from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

import pytest
from homeassistant.core import HomeAssistant, State

from custom_components.sage.home.values import (
    current,
    is_secret,
    is_shown,
    names_entities,
    plain,
    state_value,
    values_of_state,
    without_codes,
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
    for domain in ("text", "input_text"):
        password = State(f"{domain}.pw", "hunter2", {"mode": "password"})
        assert "hunter2" not in str(values_of_state(password, everything=True))


@pytest.mark.parametrize(
    "name",
    [
        "code",
        "codes",
        "pin_code",
        "user_code_3",
        "lockCode",
        "door_code",
        "psk",
        "wifi_passphrase",
        "password",
        "accessToken",
        "api-key",
        "local_key",
        "stream_source",
        "entity_picture_local",
        "webhook_id",
        "Authorization",
    ],
)
def test_names_of_secrets(name):
    assert is_secret(name)
    state = State("sensor.a", "on", {name: "s3cret", "nested": [{name: "s3cret"}]})
    assert "s3cret" not in str(values_of_state(state, everything=True))
    assert "s3cret" not in str(without_codes({name: "s3cret", "variables": {name: "s3cret"}}))


@pytest.mark.parametrize(
    "name",
    ["code_format", "code_arm_required", "country_code", "error_code", "key", "author", "keypress"],
)
def test_names_that_only_look_like_secrets(name):
    assert not is_secret(name)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://admin:s3cret@10.0.0.2/1", "rtsp://***@10.0.0.2/1"),
        ("rtsp://admin:s3cret/p@ss@10.0.0.2/1", "rtsp://***@10.0.0.2/1"),
        ("http://cam/shot?size=2&token=s3cret", "http://cam/shot?size=2&token=***"),
        ("/api/camera_proxy/camera.a?authSig=s3cret", "/api/camera_proxy/camera.a?authSig=***"),
        ("https://ha/api/webhook/s3cret", "https://ha/api/webhook/***"),
        ("is it on? a=b", "is it on? a=b"),
        ("https://host/a?page=2", "https://host/a?page=2"),
    ],
)
def test_addresses_are_shown_without_credentials(address, shown):
    assert plain(address) == shown
    assert plain({"a": [address]}) == {"a": [shown]}


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


NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
PLAYED = {"media_position": 100, "media_position_updated_at": NOW - timedelta(seconds=50)}


@pytest.mark.parametrize(
    ("entity_id", "state", "attributes", "name", "value"),
    [
        (
            "timer.x",
            "active",
            {"remaining": "0:12:00", "finishes_at": "2026-03-02T12:07:00+00:00"},
            "remaining",
            "0:07:00",
        ),
        (
            "timer.x",
            "active",
            {"remaining": "0:12:00", "finishes_at": "2026-03-02T11:59:00+00:00"},
            "remaining",
            "0:00:00",
        ),
        ("timer.x", "active", {"remaining": "0:12:00"}, "remaining", None),
        ("timer.x", "paused", {"remaining": "0:12:00"}, "remaining", "0:12:00"),
        ("media_player.x", "playing", PLAYED, "media_position", 150),
        ("media_player.x", "playing", {**PLAYED, "media_duration": 120}, "media_position", 120),
        ("media_player.x", "paused", PLAYED, "media_position", 100),
        ("media_player.x", "playing", {"media_position": 100}, "media_position", None),
    ],
)
def test_values_that_run_on_are_those_of_now(freezer, entity_id, state, attributes, name, value):
    freezer.move_to(NOW)
    assert current(State(entity_id, state, attributes)).attributes.get(name) == value


@pytest.mark.parametrize(
    ("end", "last"), [("2026-12-03 00:00:00", "2026-12-02"), ("2026-12-01 00:00:00", "2026-11-30")]
)
def test_an_event_of_whole_days_ends_on_its_last_day(end, last):
    event = {"all_day": True, "start_time": "2026-11-30 00:00:00", "end_time": end}
    values = values_of_state(State("calendar.x", "on", event))
    assert (values["start_time"], values["end_time"]) == ("2026-11-30", last)
