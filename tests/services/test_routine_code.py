"""Given devices, when somebody makes and tests routines by actions, then SAGE watches these."""

import logging
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er

from custom_components.sage.routines.host.routine_setup import FILE
from custom_components.sage.routines.routine_types import RoutineKind, Status
from custom_components.sage.routines.routines import Routines
from tests.end_to_end.conftest import Sage
from tests.fridge_house import CODE, FRIDGE, MAKE, mock_recorder_before_hass, routines, sage
from tests.memory_house import call, refused
from tests.routine_house import WORD, admin, anna, ben
from tests.without_monty import without_monty

__all__ = ["admin", "anna", "ben", "mock_recorder_before_hass", "routines", "sage"]


async def test_a_condition_is_watched_for_its_person(
    hass: HomeAssistant, routines: Routines, anna: User
):
    made = await call(hass, "create_routine", anna, **MAKE, hold={"minutes": 10})

    (watched,) = routines.list(anna.id)
    assert made["id"] == watched.routine.id
    assert (made["code"], made["function"]) == (CODE, "fridge_is_open")
    assert (made["interval"], made["hold"], made["repeat"]) == (10.0, 600.0, "always")
    assert (made["kind"], watched.routine.kind) == ("tell", RoutineKind.TELL)
    assert made["is_true"] is False
    assert FRIDGE in made["bindings"]
    assert not made["is_tainted"]
    assert watched.routine.agent_id
    await hass.async_block_till_done()
    assert hass.states.is_state(made["entity_id"], "on")


async def test_times_are_by_the_clocks_of_the_home(
    hass: HomeAssistant, routines: Routines, anna: User
):
    await hass.config.async_set_time_zone("America/Toronto")
    given = {"kind": "tell", "action": "tell me to water the plants"}

    once = await call(hass, "create_routine", anna, **given, at="2099-03-02 09:30")
    daily = await call(
        hass, "create_routine", anna, **given, daily="09:30", weekdays=["mon", "fri"]
    )

    assert (once["at"], once["when"], once["repeat"]) == (
        "2099-03-02T09:30:00-05:00",
        "2099-03-02 09:30",
        "once",
    )
    assert (daily["daily"], daily["weekdays"], daily["when"]) == (
        "09:30:00",
        ["mon", "fri"],
        "09:30",
    )
    assert datetime.fromisoformat(daily["next_check"]).weekday() in {0, 4}
    assert len(routines.list(anna.id)) == 2


async def test_what_an_automation_makes_is_the_households(hass: HomeAssistant, routines: Routines):
    made = await call(hass, "create_routine", None, **MAKE)

    (watched,) = routines.list(None)
    assert watched.routine.id == made["id"]
    # Who knows where its words came from.
    assert watched.routine.tainted


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({}, "routine_one_way"),
        ({"code": CODE, "daily": "09:00"}, "routine_one_way"),
        ({"code": CODE}, "routine_when"),
        ({"code": "x = 1", "when": "x"}, "routine_no_function"),
        ({"at": "2020-01-01 00:00"}, "routine_past"),
    ],
)
async def test_what_does_not_go_together_is_refused(
    hass: HomeAssistant, routines: Routines, anna: User, fields: dict[str, Any], key: str
):
    assert await refused(hass, "create_routine", anna, action="beep", **fields) == key
    assert routines.list_all() == ()


@pytest.mark.parametrize(
    "code",
    [
        f'def check():\n    return int("{WORD}") > 1',
        "def check():\n    return 5",
        "def check():\n  return (",
        'def check():\n    return get_state("binary_sensor.safe") == "on"',
    ],
)
async def test_code_that_does_not_run_makes_no_routine_and_is_not_logged(
    hass: HomeAssistant, routines: Routines, anna: User, caplog: pytest.LogCaptureFixture, code: str
):
    caplog.set_level(logging.INFO)

    given = {**MAKE, "code": code}
    assert await refused(hass, "create_routine", anna, **given) == "routine_code_refused"

    assert routines.list_all() == ()
    # The database of the recorder logs all that it stores where INFO is on.
    logged = [each for each in caplog.records if not each.name.startswith("sqlalchemy")]
    assert not any(WORD in each.getMessage() for each in logged)
    tried = await call(hass, "test_routine", anna, code=code)
    assert tried["value"] is None
    assert tried["error"]["message"]


async def test_code_is_tried_without_making_anything(
    hass: HomeAssistant, routines: Routines, anna: User
):
    hass.states.async_set(FRIDGE, "on", {"friendly_name": "Fridge"})

    tried = await call(hass, "test_routine", anna, code=CODE + "\n\ndef other(a):\n    return a\n")

    assert tried["value"] is True
    assert tried["error"] is None
    (read,) = tried["reads"]
    assert (read["function"], read["arguments"], read["value"]) == ("get_state", [FRIDGE], "on")
    assert FRIDGE in tried["bindings"]
    assert routines.list_all() == ()


async def test_people_test_their_own_routines_only(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User, admin: User
):
    made = await call(hass, "create_routine", anna, **MAKE)

    tried = await call(hass, "test_routine", anna, routine=made["entity_id"])

    assert tried["value"] is False
    for caller in (ben, admin, None):
        for named in (made["id"], made["entity_id"]):
            assert await refused(hass, "test_routine", caller, routine=named) == "unknown_routine"


async def test_nothing_reads_through_somebody_elses_eyes(sage: Sage, anna: User):
    """The gate is the caller's: what is not exposed is not read, in a test neither."""
    code = 'def check():\n    return get_state("binary_sensor.safe") == "off"'

    tried = await call(sage.hass, "test_routine", anna, code=code)

    assert tried["value"] is None
    assert tried["error"]


async def test_without_an_agent_nothing_is_made(hass: HomeAssistant, sage: Sage, anna: User):
    (subentry_id,) = sage.entry.subentries
    hass.config_entries.async_remove_subentry(sage.entry, subentry_id)
    await hass.async_block_till_done()

    assert await refused(hass, "create_routine", anna, **MAKE) == "routine_no_agent"


async def test_routines_and_their_numbers_survive_a_restart(sage: Sage, anna: User):
    first = await call(sage.hass, "create_routine", anna, **MAKE)
    second = await call(sage.hass, "create_routine", anna, **MAKE)
    await call(sage.hass, "pause_routine", anna, routine=first["entity_id"])
    await sage.hass.config_entries.async_reload(sage.entry.entry_id)
    await sage.hass.async_block_till_done()

    listed = (await call(sage.hass, "list_routines", anna))["routines"]

    assert [(each["id"], each["number"], each["status"]) for each in listed] == [
        (first["id"], 1, Status.PAUSED),
        (second["id"], 2, Status.WATCHING),
    ]
    assert sage.state(first["entity_id"]) == "off"
    assert sage.state(second["entity_id"]) == "on"


async def test_switches_keep_their_names_where_the_routines_cannot_be_read(sage: Sage, anna: User):
    made = await call(sage.hass, "create_routine", anna, **MAKE)
    await sage.hass.async_block_till_done()
    registry = er.async_get(sage.hass)
    registry.async_update_entity(made["entity_id"], name="Milk")
    path = Path(sage.hass.config.path(FILE))
    await sage.hass.config_entries.async_unload(sage.entry.entry_id)
    await sage.hass.async_add_executor_job(path.rename, path.with_name("away"))
    await sage.hass.async_add_executor_job(path.mkdir)
    await sage.hass.config_entries.async_setup(sage.entry.entry_id)
    await sage.hass.async_block_till_done()
    assert sage.state(made["entity_id"]) == "unavailable"
    with pytest.raises(ServiceValidationError):
        await call(sage.hass, "list_routines", anna)

    await sage.hass.config_entries.async_unload(sage.entry.entry_id)
    await sage.hass.async_add_executor_job(path.rmdir)
    await sage.hass.async_add_executor_job(path.with_name("away").rename, path)
    await sage.hass.config_entries.async_setup(sage.entry.entry_id)
    await sage.hass.async_block_till_done()

    state = sage.hass.states.get(made["entity_id"])
    assert state is not None
    assert (state.state, state.name) == ("on", "Milk")


async def test_without_monty_the_reason_is_told(hass: HomeAssistant, sage: Sage, anna: User):
    with without_monty():
        assert await refused(hass, "create_routine", anna, **MAKE) == "routine_uncheckable"
        tried = await call(hass, "test_routine", anna, code=CODE)
        timer = await call(hass, "create_routine", anna, action="beep", daily="09:00")

    assert "internet access" in tried["error"]["message"]
    assert tried["last_24_hours"] == {"problem": "no_sandbox"}
    assert timer["status"] == Status.WATCHING
