"""Given routines that fire, when people read the logbook, then it says which one it was."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.components.recorder.core import Recorder
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from custom_components.sage.routines.api.public_routines import PublicEventType, firing_context_id
from custom_components.sage.routines.routine_types import EdgeKind, Firing
from tests.end_to_end.conftest import Sage
from tests.routine_house import FakeRoutines, a_routine

FIRST = "switch.sage_routine_1"


@pytest.fixture
async def mock_recorder_before_hass(async_test_recorder: Callable[..., Any]) -> None:
    """The recorder is there before Home Assistant."""


@pytest.fixture
async def logbook(hass: HomeAssistant, recorder_mock: Recorder, sage: Sage) -> None:
    """There is a logbook."""
    assert await async_setup_component(hass, "logbook", {})
    await hass.async_block_till_done()


type Lines = Callable[[], Any]


@pytest.fixture
def lines(hass: HomeAssistant, hass_ws_client: Any, logbook: None) -> Lines:
    async def read() -> list[dict[str, Any]]:
        await async_wait_recording_done(hass)
        client = await hass_ws_client()
        start = (dt_util.utcnow() - timedelta(hours=1)).isoformat()
        await client.send_json_auto_id({"type": "logbook/get_events", "start_time": start})
        answer = await client.receive_json()
        assert answer["success"]
        found: list[dict[str, Any]] = answer["result"]
        return found

    return read


async def test_a_line_says_what_happened_to_which_routine(
    hass: HomeAssistant, lines: Lines, routines: FakeRoutines, anna: User
):
    routine = await routines.async_add(a_routine(anna))
    routines.fire(routine.id)
    er.async_get(hass).async_update_entity(FIRST, name="Laundry")
    await hass.async_block_till_done()
    await routines.async_delete(routine.id)
    await hass.async_block_till_done()

    told = [
        (each["name"], each["message"], each["entity_id"])
        for each in await lines()
        if each.get("domain") == "sage"
    ]

    # Read when the switch is gone: its number is left.
    assert told == [
        ("Routine 1", "was triggered", FIRST),
        ("Routine 1", "completed its action", FIRST),
    ]


async def test_a_line_has_the_name_that_its_person_gave(
    hass: HomeAssistant, lines: Lines, routines: FakeRoutines, anna: User
):
    routine = await routines.async_add(a_routine(anna))
    er.async_get(hass).async_update_entity(FIRST, name="Laundry")
    await hass.async_block_till_done()
    routines.fire(routine.id)

    names = {each["name"] for each in await lines() if each.get("domain") == "sage"}

    assert names == {"Laundry"}


async def test_what_a_firing_changes_is_attributed_to_the_routine(
    hass: HomeAssistant, lines: Lines, routines: FakeRoutines, anna: User
):
    routine = await routines.async_add(a_routine(anna))
    firing = Firing(id=7, routine_id=routine.id, edge=EdgeKind.ON, at=dt_util.utcnow())
    hass.states.async_set("light.hall", "off", {"friendly_name": "Hall"})

    routines.fire(routine.id, id=firing.id, at=firing.at)
    context = Context(id=firing_context_id(firing), user_id=anna.id)
    hass.states.async_set("light.hall", "on", {"friendly_name": "Hall"}, context=context)

    hall = [each for each in await lines() if each.get("entity_id") == "light.hall"]
    (line,) = [each for each in hall if each["state"] == "on"]
    assert line["context_domain"] == "sage"
    assert line["context_event_type"] == "sage_routine_fired"
    assert line["context_name"] == "SAGE routines Routine 1"
    assert line["context_message"] == "was triggered"


async def test_lines_are_in_the_language_of_the_home(
    hass: HomeAssistant, lines: Lines, sage: Sage, routines: FakeRoutines, anna: User
):
    hass.config.language = "de"
    await hass.config_entries.async_reload(sage.entry.entry_id)
    routine = await routines.async_add(a_routine(anna))
    routines.fire(routine.id)

    told = [each["message"] for each in await lines() if each.get("domain") == "sage"]

    assert told == ["wurde ausgelöst", "hat ihre Aktion ausgeführt"]


async def test_the_bus_hears_a_switch_and_a_number(sage: Sage, routines: FakeRoutines, anna: User):
    heard: list[Event[Any]] = []

    @callback
    def hear(event: Event[Any]) -> None:
        heard.append(event)

    for happening in PublicEventType:
        sage.hass.bus.async_listen(f"sage_routine_{happening}", hear)
    routine = routines.add(a_routine(anna))
    routines.fire(routine.id)
    await sage.hass.async_block_till_done()

    assert [each.event_type for each in heard] == ["sage_routine_fired", "sage_routine_done"]
    assert all(each.data == {"entity_id": FIRST, "number": 1} for each in heard)
    assert heard[0].context.id == heard[1].context.id
    assert {each.context.user_id for each in heard} == {None}


def test_the_context_of_a_firing_is_its_own_and_stays():
    at = dt_util.utcnow()

    def context_id(**more: Any) -> str:
        given: dict[str, Any] = {"id": 1, "routine_id": "a", "edge": EdgeKind.ON, "at": at}
        return firing_context_id(Firing(**(given | more)))

    assert context_id() == context_id(answer="Done.")
    assert len({context_id(), context_id(id=2), context_id(routine_id="b")}) == 3
    assert len(context_id()) == 26
