"""What a device was before its last change: from Home Assistant's history, else from the undo."""

from datetime import UTC, datetime, timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.recorder.core import Recorder
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from custom_components.sage.home.commands.evidence import Evidence
from custom_components.sage.home.home import Home
from custom_components.sage.home.home_types import HomeError, Outcome, OutcomeKind, Reading

from .entity_home import EntityHome, run_of

START = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
async def home(hass: HomeAssistant):
    home = Home(hass)
    await home.async_setup()
    yield home
    await home.async_close()


def dimmed(**restore: object) -> Outcome:
    return Outcome(
        kind=OutcomeKind.VERIFIED,
        device_id="lamp",
        device_name="Lamp",
        component_id="light.lamp",
        capability="light",
        command="turn_on",
        before=restore,
        after={"state": "on", "brightness": 204},
        restore=restore,
    )


def lamp(hass: HomeAssistant, brightness: int = 204) -> None:
    build = EntityHome(hass)
    build.entity("light.lamp", "on", device=build.device("Lamp"), brightness=brightness)


async def async_was(home: Home, *changes: Outcome) -> tuple[Reading, ...]:
    """Return what the lamp was before its last change, in a run that made these changes."""
    evidence = Evidence()
    evidence.record_outcomes(changes)
    return await run_of(home, evidence=evidence).async_read_earlier(["lamp"])


async def test_the_undo_record_tells_what_sage_changed(hass, home: Home):
    lamp(hass)
    changed = dimmed(state="on", brightness=76)
    (was,) = await async_was(home, changed)
    assert was.values == {"earlier_brightness_pct": 30}


async def test_what_somebody_has_changed_since_is_not_told(hass, home: Home):
    lamp(hass, brightness=128)
    changed = dimmed(state="on", brightness=76)
    with pytest.raises(HomeError, match="unknown"):
        await async_was(home, changed)


async def test_what_may_not_be_read_is_not_told(hass, home: Home):
    build = EntityHome(hass)
    device = build.device("Lamp")
    build.entity("light.lamp", "on", device=device, brightness=204, exposed=False)
    with pytest.raises(HomeError):
        await async_was(home, dimmed(state="off"))


class TestWithARecorder:
    @pytest.fixture
    async def mock_recorder_before_hass(self, async_test_recorder) -> None:
        """The recorder has to be there before Home Assistant."""

    async def test_the_history_tells_what_others_changed(
        self, recorder_mock: Recorder, hass, home: Home, freezer: FrozenDateTimeFactory
    ):
        freezer.move_to(START)
        lamp(hass, brightness=76)
        for brightness in (204, 204):
            await async_wait_recording_done(hass)
            freezer.tick(timedelta(minutes=10))
            attributes = {"brightness": brightness, "x": freezer().isoformat()}
            hass.states.async_set("light.lamp", "on", attributes)

        (was,) = await async_was(home)

        assert was.values["earlier_brightness_pct"] == 30
        assert was.values["earlier_brightness_pct_until"] == "2026-03-10 05:10:00"
        assert "earlier_state" not in was.values
