"""History functions of condition code, with Home Assistant's own recorder."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.recorder.core import Recorder
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from custom_components.sage.routines.conditions.condition_functions import MOST_POINTS
from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking

START = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
async def mock_recorder_before_hass(async_test_recorder) -> None:
    """The recorder has to be there before Home Assistant."""


@pytest.fixture(autouse=True)
def clock(freezer: FrozenDateTimeFactory) -> FrozenDateTimeFactory:
    freezer.move_to(START)
    return freezer


async def tick(hass: HomeAssistant, clock: FrozenDateTimeFactory, minutes: float) -> None:
    await async_wait_recording_done(hass)
    clock.tick(timedelta(minutes=minutes))


async def test_history_has_each_change_the_oldest_first(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))
    for state in ("on", "off", "unavailable", "on"):
        await tick(hass, clock, 10)
        hass.states.async_set("binary_sensor.door", state)
    await tick(hass, clock, 5)

    told = await asking.value("get_history", "door", 32)

    minutes = [(each["at"] - START).total_seconds() / 60 for each in told]
    assert [each["value"] for each in told] == ["on", "off", "on"]
    # It begins with what the door was then.
    assert minutes == [13, 20, 40]
    assert told[0]["at"].utcoffset() is not None


async def test_history_of_an_attribute(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("light.lamp", "on", device=build.device("Lamp"), brightness=51)
    for brightness in (102, 102, 255):
        await tick(hass, clock, 1)
        hass.states.async_set(
            "light.lamp", "on", {"brightness": brightness, "x": dt_util.utcnow().isoformat()}
        )

    told = await asking.value("get_history", "lamp", 60, "brightness_pct")

    assert [each["value"] for each in told] == [20, 40, 100]


async def test_a_change_of_this_moment_is_there(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))
    await tick(hass, clock, 1)
    first = await asking("get_history", "door", 600)
    clock.tick(timedelta(seconds=1))
    hass.states.async_set("binary_sensor.door", "on")

    second = await asking("get_history", "door", 600)
    told: Any = second.value

    assert [each["value"] for each in told] == ["off", "on"]
    assert first.keys == second.keys == {"binary_sensor.door"}
    assert second.fresh_until == dt_util.utcnow() + timedelta(minutes=5)


async def test_no_peak_is_lost_between_two_checks(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    """On over 70, off under 60: 65 after a peak is still on."""
    build = EntityHome(hass)
    build.entity("sensor.bath", "58", device=build.device("Bath"), unit_of_measurement="%")
    told = []
    for humidity in ("58", "75", "65"):
        await tick(hass, clock, 1)
        hass.states.async_set("sensor.bath", humidity, {"unit_of_measurement": "%"})
        told.append([each["value"] for each in await asking.value("get_history", "bath", 600)])

    assert told == [[58], [58, 75], [58, 75, 65]]


async def test_what_the_recorder_has_not_written_yet_is_there(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("sensor.bath", "58", device=build.device("Bath"), unit_of_measurement="%")
    for place, humidity in enumerate(("75", "65", "80", "66")):
        clock.tick(timedelta(seconds=1))
        hass.states.async_set("sensor.bath", humidity, {"unit_of_measurement": "%"})
        if place == 1:
            await asking("get_history", "bath", 600)

    told = await asking.value("get_history", "bath", 600)

    assert [each["value"] for each in told] == [58, 75, 65, 80, 66]


async def test_history_is_bounded(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("counter.bell", "0", device=build.device("Bell"))
    for count in range(1, MOST_POINTS + 100):
        clock.tick(timedelta(seconds=20))
        hass.states.async_set("counter.bell", str(count))
    await tick(hass, clock, 0)

    told = await asking.value("get_history", "bell", 1e6)

    assert len(told) == MOST_POINTS
    assert told[-1]["value"] == MOST_POINTS + 99
    assert told[0]["value"] == 100


HUGE_TEXT, HUGE_NUMBER, HUGE_TUPLE = "x" * 10**6, 10**5000, (0,) * 10**6


@pytest.mark.parametrize(
    ("function", "arguments", "error"),
    [
        ("get_history", ("door", HUGE_NUMBER), "minutes has to be a number from 1 to 10080."),
        ("get_history", ("door", -HUGE_NUMBER), "minutes has to be a number from 1 to 10080."),
        ("get_history", ("door", 1e300), "minutes has to be a number from 1 to 10080."),
        ("get_history", ("door", HUGE_TUPLE), "minutes has to be a number, not tuple."),
        ("get_history", ("door", timedelta.max), "minutes has to be a number, not timedelta."),
        ("get_history", (HUGE_TEXT, 5), "device has more than 200 characters."),
        ("get_state", (HUGE_TUPLE,), "device has to be a text, not tuple."),
        ("get_state", (HUGE_NUMBER,), "device has to be a text, not int."),
        ("get_attribute", ("door", HUGE_TEXT), "attribute has more than 200 characters."),
        ("list_devices", (HUGE_TEXT,), "has more than 200 characters."),
    ],
)
async def test_huge_arguments_are_errors_and_no_work(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, function, arguments, error
):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))

    assert (await asking.error(function, *arguments)).endswith(error)


@pytest.mark.parametrize("minutes", ["60", None, True, float("nan"), float("inf")])
async def test_odd_minutes_are_refused(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, minutes
):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))

    assert "minutes has to be a number" in await asking.error("get_history", "door", minutes)


@pytest.mark.parametrize("recorder_config", [{"exclude": {"entities": ["binary_sensor.door"]}}])
async def test_what_is_not_recorded_is_told(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking
):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))

    error = await asking.error("get_history", "door", 10)

    assert "leaves out binary_sensor.door" in error
    assert "state" in error
    assert await asking.value("held_minutes", "door") == 0


async def test_held_minutes_look_behind_a_restart(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("cover.garage", "closed", device=build.device("Garage"))
    await tick(hass, clock, 60)
    hass.states.async_set("cover.garage", "open")
    await tick(hass, clock, 20)
    # Home Assistant restarts: the counter starts again.
    hass.states.async_set("cover.garage", "unavailable")
    await tick(hass, clock, 2)
    hass.states.async_set("cover.garage", "open")
    clock.tick(timedelta(minutes=3))

    assert await asking.value("held_minutes", "garage") == 25
    clock.tick(timedelta(minutes=1))
    assert await asking.value("held_minutes", "garage") == 26


async def test_held_minutes_follow_changes(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("cover.garage", "closed", device=build.device("Garage"))
    await tick(hass, clock, 60)
    assert await asking.value("held_minutes", "garage") == 60
    hass.states.async_set("cover.garage", "open")
    await hass.async_block_till_done()
    clock.tick(timedelta(minutes=4))
    assert await asking.value("held_minutes", "garage") == 4
    hass.states.async_set("cover.garage", "unavailable")
    await hass.async_block_till_done()
    assert (await asking("held_minutes", "garage")).is_unknown
    clock.tick(timedelta(minutes=4))
    hass.states.async_set("cover.garage", "open")
    await hass.async_block_till_done()
    assert await asking.value("held_minutes", "garage") == 8
    for state in ("closed", "open"):
        hass.states.async_set("cover.garage", state)
        await hass.async_block_till_done()
        clock.tick(timedelta(minutes=1))
    assert await asking.value("held_minutes", "garage") == 1


async def test_held_minutes_see_what_is_not_written_down_yet(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("cover.garage", "open", device=build.device("Garage"))
    await tick(hass, clock, 60)
    for state in ("closed", "open"):
        hass.states.async_set("cover.garage", state)
        clock.tick(timedelta(seconds=6))

    assert await asking.value("held_minutes", "garage") == 0.1


async def test_held_minutes_go_back_a_week_at_most(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock
):
    build = EntityHome(hass)
    build.entity("cover.garage", "open", device=build.device("Garage"))
    for _ in range(9):
        await tick(hass, clock, 24 * 60)
        hass.states.async_set("cover.garage", "unavailable")
        hass.states.async_set("cover.garage", "open")

    assert await asking.value("held_minutes", "garage") == pytest.approx(7 * 24 * 60, abs=1)
