"""A Home Assistant that keeps no past."""

from custom_components.sage.routines.conditions.last_day import (
    ReplayProblem,
    async_would_have_fired,
)
from custom_components.sage.routines.evaluation import Evaluator
from custom_components.sage.routines.routine_types import Condition
from custom_components.sage.routines.sandbox.sandbox import Sandbox
from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking
from tests.routines.house import routine


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


async def test_without_a_recorder_it_cannot_be_told_when_it_would_have_fired(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))
    source = 'def check():\n    return get_state("door") == "on"\n'
    it = routine(Condition(function="check", source=source), owner=None)
    sandbox = Sandbox(hass, asking.functions.functions)

    run = await async_would_have_fired(hass, Evaluator(sandbox, asking.functions.async_answer), it)

    await sandbox.async_close()
    assert run.problem is ReplayProblem.NO_RECORDER
