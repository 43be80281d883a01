"""A Home Assistant that keeps no past."""

from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking


async def test_without_a_recorder_there_is_no_history(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))

    error = await asking.error("get_history", "door", 10)

    assert "no recorder" in error
    assert "`state`" in error


async def test_without_a_recorder_it_is_known_since_when_it_was_seen(hass, asking: Asking, freezer):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))
    freezer.tick(90)

    assert await asking.value("held_minutes", "door") == 1.5
