"""Given routines, when something happens to them, then automations can follow it."""

from dataclasses import replace
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Event, HomeAssistant, callback

from custom_components.sage.routines.api.public_routines import PublicEventType
from custom_components.sage.routines.registry import RoutineEventKind
from custom_components.sage.routines.routine_types import EdgeKind, Status
from tests.end_to_end.conftest import Sage
from tests.routine_house import FakeRoutines, a_routine


def kinds(hass: HomeAssistant) -> list[str]:
    """Return the kinds of all happenings from now on."""
    seen: list[str] = []

    @callback
    def heard(event: Event[Any]) -> None:
        seen.append(str(event.event_type).removeprefix("sage_routine_"))

    for event_type in PublicEventType:
        hass.bus.async_listen(f"sage_routine_{event_type}", heard)
    return seen


async def test_the_life_of_a_routine(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    await hass.async_block_till_done()
    seen = kinds(hass)
    routine = routines.add(a_routine(anna))
    routines.fire(routine.id)
    routines.fire(routine.id, is_failure=True)
    routines.fire(routine.id, edge=EdgeKind.OFF)
    routines.tell(RoutineEventKind.INTERRUPTED, routine)
    routines.tell(RoutineEventKind.REPAIRED, routine)
    await routines.async_pause(routine.id)
    await routines.async_pause(routine.id)
    await routines.async_resume(routine.id)
    for status in (Status.FAILING, Status.NOT_EXPOSED, Status.WATCHING, Status.ENDED):
        routines.change(routine.id, status=status)
    await routines.async_delete(routine.id)
    await hass.async_block_till_done()

    assert seen == [
        "created",
        "fired",
        "done",
        "fired",
        "failed",
        "undone",
        "interrupted",
        "repaired",
        "paused",
        "resumed",
        "stopped",
        "stopped",
        "resumed",
        "ended",
    ]
    assert set(seen) | {"deleted"} == set(PublicEventType)


async def test_a_routine_that_fires_for_the_last_time_is_over_once(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    routine = routines.add(a_routine(anna))
    await hass.async_block_till_done()
    seen = kinds(hass)

    over = routines.watched.pop(routine.id).routine
    routines.tell(RoutineEventKind.REMOVED, replace(over, status=Status.ENDED))
    await hass.async_block_till_done()

    assert seen == ["ended"]


async def test_what_a_routine_was_is_known_after_a_reload(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    routine = routines.add(a_routine(anna, status=Status.PAUSED))
    await hass.config_entries.async_reload(sage.entry.entry_id)
    await hass.async_block_till_done()
    seen = kinds(hass)

    routines.change(routine.id, status=Status.PAUSED)
    await routines.async_resume(routine.id)
    await hass.async_block_till_done()

    assert seen == ["resumed"]
