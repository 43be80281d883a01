"""Given routines of several people, when people look at their switches, then they see no words."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.routines.routine_types import Memo, Moment, Repeat, Status
from tests.end_to_end.conftest import Sage
from tests.memory_house import key_of
from tests.routine_house import FakeRoutines, a_routine

type Load = Callable[[], Awaitable[Sage]]

FIRST, SECOND = "switch.sage_routine_1", "switch.sage_routine_2"


async def switch(hass: HomeAssistant, to: str, caller: User | None, entity_id: str = FIRST) -> None:
    await hass.services.async_call(
        "switch",
        f"turn_{to}",
        {"entity_id": entity_id},
        blocking=True,
        context=Context(user_id=caller.id if caller is not None else None),
    )
    await hass.async_block_till_done()


async def refused(hass: HomeAssistant, to: str, caller: User | None) -> str:
    with pytest.raises(ServiceValidationError) as caught:
        await switch(hass, to, caller)
    return key_of(caught.value)


def shown(hass: HomeAssistant, entity_id: str = FIRST) -> dict[str, Any]:
    state = hass.states.get(entity_id)
    assert state is not None
    return {"state": state.state, **state.attributes}


async def test_a_routine_has_a_switch_with_a_status_and_times_only(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    fired = dt_util.utcnow() - timedelta(hours=2)
    due = dt_util.utcnow() + timedelta(hours=3)
    await routines.async_add(a_routine(anna), Memo(last_fired=fired, fired=4, next_due=due))

    assert shown(hass) == {
        "state": "on",
        "status": "watching",
        "last_fired": fired,
        "next_check": due,
        "fired": 4,
        "friendly_name": "SAGE routines Routine 1",
    }


async def test_switches_come_and_go_with_routines(
    hass: HomeAssistant, load: Load, routines: FakeRoutines, anna: User, ben: User
):
    first = routines.add(a_routine(anna))
    await load()
    second = await routines.async_add(a_routine(ben))
    registry = er.async_get(hass)
    rows = {each: registry.async_get(each) for each in (FIRST, SECOND)}
    assert [row.unique_id for row in rows.values() if row] == [first.id, second.id]

    await routines.async_delete(first.id)
    await hass.async_block_till_done()

    assert hass.states.get(FIRST) is None
    assert registry.async_get(FIRST) is None
    assert not any(each[2] == first.id for each in registry.deleted_entities)
    assert shown(hass, SECOND)["state"] == "on"


async def test_a_number_and_another_name_survive_a_reload(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    routines.add(a_routine(anna))
    await routines.async_add(a_routine(anna))
    er.async_get(hass).async_update_entity(FIRST, name="Laundry", new_entity_id="switch.laundry")
    await hass.async_block_till_done()

    await hass.config_entries.async_reload(sage.entry.entry_id)
    await hass.async_block_till_done()

    assert shown(hass, "switch.laundry")["friendly_name"] == "Laundry"
    assert shown(hass, SECOND)["friendly_name"] == "SAGE routines Routine 2"


async def test_an_unloaded_switch_is_unavailable(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    await routines.async_add(a_routine(anna))

    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    assert shown(hass)["state"] == "unavailable"
    assert not routines.listeners
    assert await hass.config_entries.async_setup(sage.entry.entry_id)
    await hass.async_block_till_done()

    assert shown(hass)["state"] == "on"


@pytest.mark.parametrize("status", Status)
async def test_a_switch_is_on_while_its_routine_is_watching(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User, status: Status
):
    routine = await routines.async_add(a_routine(anna))

    routines.change(routine.id, status=status)

    assert shown(hass)["status"] == status
    assert shown(hass)["state"] == ("on" if status is Status.WATCHING else "off")


async def test_a_firing_is_seen(
    sage: Sage, routines: FakeRoutines, anna: User, freezer: FrozenDateTimeFactory
):
    routine = await routines.async_add(a_routine(anna))

    routines.fire(routine.id)

    assert shown(sage.hass)["last_fired"] == dt_util.utcnow()
    assert shown(sage.hass)["fired"] == 1


async def test_its_person_and_administrators_pause_and_resume(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User, admin: User
):
    routine = await routines.async_add(a_routine(anna))

    for caller in (anna, admin):
        await switch(hass, "off", caller)
        assert shown(hass)["status"] == "paused"
        await switch(hass, "off", caller)
        await switch(hass, "on", caller)
        assert shown(hass)["status"] == "watching"
        await switch(hass, "on", caller)
        routines.change(routine.id, status=Status.FAILING)
        await switch(hass, "on", caller)
        assert shown(hass)["status"] == "watching"


async def test_others_cannot(sage: Sage, routines: FakeRoutines, anna: User, ben: User):
    routine = await routines.async_add(a_routine(anna))

    assert await refused(sage.hass, "off", ben) == "routine_of_others"
    assert shown(sage.hass)["state"] == "on"
    routines.change(routine.id, status=Status.PAUSED)
    assert await refused(sage.hass, "on", ben) == "routine_of_others"
    assert shown(sage.hass)["state"] == "off"


async def test_what_the_household_asked_for_is_not_anybodys(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, ben: User, admin: User
):
    await routines.async_add(a_routine(None))

    assert await refused(hass, "off", ben) == "routine_of_others"
    await switch(hass, "off", admin)
    assert shown(hass)["state"] == "off"


async def test_an_automation_pauses_and_resumes_what_is_paused(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    routine = await routines.async_add(a_routine(anna))

    await switch(hass, "off", None)
    assert shown(hass)["status"] == "paused"
    await switch(hass, "on", None)
    assert shown(hass)["status"] == "watching"
    for status in (Status.FAILING, Status.TOO_OFTEN, Status.NOT_EXPOSED):
        routines.change(routine.id, status=status)
        assert await refused(hass, "on", None) == "routine_needs_person"
        await switch(hass, "off", None)
        assert shown(hass)["status"] == status


async def test_what_the_routines_refuse_is_told(sage: Sage, routines: FakeRoutines, anna: User):
    await routines.async_add(a_routine(anna))
    routines.refuses = "The disk is full. Make room."

    with pytest.raises(ServiceValidationError, match="The disk is full"):
        await switch(sage.hass, "off", anna)
    assert shown(sage.hass)["state"] == "on"


async def test_sage_takes_no_switch_of_a_routine_for_a_device(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    await routines.async_add(a_routine(anna))
    async_expose_entity(hass, "conversation", FIRST, True)
    await hass.async_block_till_done()
    gate = sage.entry.runtime_data.home.gate

    for person in (HOUSEHOLD, Person(user_id=anna.id, name="Anna")):
        assert FIRST not in gate.visible(person)
        assert not gate.may_control(person, FIRST)
        assert not gate.may_read(person, FIRST)


async def test_where_one_person_lives_a_switch_has_the_sentence_as_name(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, admin: User
):
    # What the person said is only the reply to a question.
    long = a_routine(
        admin, request="the front door", when="the door opens", command="beep " + "and beep " * 20
    )
    await routines.async_add(long)
    name = "SAGE routines Whenever the door opens: beep and"
    assert shown(hass)["friendly_name"].startswith(name)
    assert shown(hass)["friendly_name"].endswith("…")

    second = await hass.auth.async_create_user("Lea")
    await hass.async_block_till_done()
    assert shown(hass)["friendly_name"] == "SAGE routines Routine 1"
    row = er.async_get(hass).async_get(FIRST)
    assert row is not None
    assert row.original_name == "Routine 1"

    await hass.auth.async_remove_user(second)
    await hass.async_block_till_done()
    assert "beep" in shown(hass)["friendly_name"]


async def test_a_name_stays_true_on_other_days(sage: Sage, routines: FakeRoutines, admin: User):
    at = datetime(2031, 3, 2, 21, tzinfo=dt_util.get_default_time_zone())
    given = {"trigger": Moment(at=at), "repeat": Repeat.ONCE, "language": "de-CH"}
    await routines.async_add(a_routine(admin, command="das Licht ausschalten", **given))

    name = "SAGE routines Am 2. März 2031 um 21:00 Uhr: das Licht ausschalten"
    assert shown(sage.hass)["friendly_name"] == name
