"""Given routines of several people, when somebody calls an action, then it is about theirs."""

import logging
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from benchmark.fake_model_server import FakeModelServer
from custom_components.sage.delivery.routine_questions import OpenQuestion, questions_of
from custom_components.sage.routines.routine_types import Memo, Status
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.memory_house import call, refused
from tests.routine_house import (
    SOURCE,
    WORD,
    FakeRoutines,
    a_routine,
    admin,
    anna,
    ben,
    no_name,
    show,
)

__all__ = ["admin", "anna", "ben"]


@pytest.fixture
def routines(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> FakeRoutines:
    routines = FakeRoutines(hass)
    show(monkeypatch, routines)
    return routines


@pytest.fixture
async def sage(hass: HomeAssistant, model_server: FakeModelServer, routines: FakeRoutines) -> Sage:
    """SAGE in a home without devices, with these routines."""
    return await async_make_sage(hass, model_server)


async def ids(hass: HomeAssistant, caller: User | None) -> list[str]:
    return [each["id"] for each in (await call(hass, "list_routines", caller))["routines"]]


async def test_people_are_told_their_own_routines_in_full(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    await hass.config.async_set_time_zone("America/Toronto")
    at = dt_util.utcnow()
    routine = a_routine(anna, trouble=no_name(WORD), status=Status.FAILING)
    memo = Memo(last_fired=at, fired=2, before=True, true_since=at, state={WORD: [at, 1]})
    routines.add(routine, memo, next_check=at)

    (told,) = (await call(hass, "list_routines", anna))["routines"]

    local = dt_util.as_local(at).isoformat()
    assert told == {
        "id": routine.id,
        "entity_id": "switch.sage_routine_1",
        "number": 1,
        "status": "failing",
        "last_fired": local,
        "next_check": local,
        "fired": 2,
        "request": f"Tell me when the {WORD} is on",
        "when": f"the {WORD} is on",
        "kind": "do",
        "action": f"say that the {WORD} is on",
        "does": None,
        "notify": False,
        "code": SOURCE,
        "function": f"check_{WORD}",
        "interval": 10.0,
        "hold": 0.0,
        "repeat": "always",
        "until": None,
        "undo_after": False,
        "end_when": None,
        "end_code": None,
        "is_tainted": False,
        "is_repaired": False,
        "bindings": {WORD: f"entity:{WORD}"},
        "trouble": {
            "kind": "exception",
            "line": 2,
            "message": f"NameError: no {WORD}",
            "hint": None,
            "detail": f"NameError: no {WORD}",
        },
        "paused_until": None,
        "created_at": "2026-03-02T07:00:00-05:00",
        "is_true": True,
        "true_since": local,
        "state": {WORD: [local, 1]},
        "question": None,
    }


async def test_people_are_told_what_their_routines_ask(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User, admin: User
):
    """It may stand nowhere else."""
    routine = routines.add(a_routine(anna))
    question = OpenQuestion(owner=anna.id, routine_id=routine.id, firing_id=1, text=f"{WORD}?")

    questions_of(hass).append(question)
    (told,) = (await call(hass, "list_routines", anna))["routines"]
    public = await call(hass, "pause_routine", admin, routine=routine.id)
    question.answer("yes")
    (later,) = (await call(hass, "list_routines", anna))["routines"]

    assert (told["question"], later["question"]) == (f"{WORD}?", None)
    assert WORD not in str(public)


async def test_nobody_is_told_the_routines_of_others(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User, ben: User, admin: User
):
    people = (anna, ben, admin, None)
    whose = [routines.add(a_routine(each)).id for each in people]

    assert [await ids(hass, each) for each in people] == [[each] for each in whose]


@pytest.mark.parametrize("action", ["delete_routine", "pause_routine", "resume_routine"])
async def test_others_cannot_touch_a_routine(
    sage: Sage, routines: FakeRoutines, anna: User, ben: User, admin: User, action: str
):
    watched = [routines.add(a_routine(caller)) for caller in (anna, None)]

    theirs, household = watched
    for caller, routine in [(ben, theirs), (ben, household), (None, theirs), (anna, household)]:
        for named in (routine.id, "switch.sage_routine_1", "nothing", "light.kitchen"):
            if named.startswith("switch") and routine is not theirs:
                continue
            assert await refused(sage.hass, action, caller, routine=named) == "unknown_routine"
    assert [each.routine for each in routines.list_all()] == watched


async def test_people_pause_resume_and_delete_their_own(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    routine = await routines.async_add(a_routine(anna))
    switch = "switch.sage_routine_1"

    paused = await call(hass, "pause_routine", anna, routine=switch, until="2099-03-09 08:00:00")
    assert paused["status"] == "paused"
    assert paused["paused_until"].startswith("2099-03-09T08:00:00")
    assert hass.states.is_state(switch, "off")
    resumed = await call(hass, "resume_routine", anna, routine=routine.id)
    assert resumed["status"] == "watching"
    deleted = await call(hass, "delete_routine", anna, routine=routine.id)
    assert deleted["when"] == f"the {WORD} is on"
    await hass.async_block_till_done()
    assert await ids(hass, anna) == []
    assert hass.states.get(switch) is None


async def test_an_automation_has_the_routines_of_the_household(sage: Sage, routines: FakeRoutines):
    routine = routines.add(a_routine(None, status=Status.FAILING))

    assert (await call(sage.hass, "resume_routine", None, routine=routine.id))["when"]
    await call(sage.hass, "delete_routine", None, routine=routine.id)
    assert routines.list_all() == ()


async def test_administrators_change_the_routines_of_others_and_read_nothing(
    sage: Sage, routines: FakeRoutines, anna: User, admin: User, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    routine = routines.add(a_routine(anna, trouble=no_name(WORD)))
    told: list[dict[str, Any]] = [
        await call(sage.hass, action, admin, routine=routine.id)
        for action in ("pause_routine", "resume_routine", "delete_routine")
    ]

    public = {"id", "entity_id", "number", "status", "last_fired", "next_check", "fired"}
    assert all(set(each) == public for each in told)
    assert WORD not in str(told)
    assert WORD not in caplog.text
    assert routines.list_all() == ()
