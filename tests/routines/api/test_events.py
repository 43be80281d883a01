"""Given routines, when something happens to them, then automations can follow it."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Event, HomeAssistant, callback

from custom_components.sage.routines.api.public_routines import PublicEventType
from custom_components.sage.routines.routine_types import EdgeKind
from tests.end_to_end.conftest import Sage
from tests.routine_house import FakeRoutines, a_routine


def kinds(hass: HomeAssistant) -> list[str]:
    seen: list[str] = []

    @callback
    def heard(event: Event[Any]) -> None:
        seen.append(str(event.event_type).removeprefix("sage_routine_"))

    for event_type in PublicEventType:
        hass.bus.async_listen(f"sage_routine_{event_type}", heard)
    return seen


async def test_the_life_of_a_routine(sage: Sage, routines: FakeRoutines, anna: User):
    await sage.hass.async_block_till_done()
    seen = kinds(sage.hass)
    routine = routines.add(a_routine(anna))
    routines.fire(routine.id)
    routines.fire(routine.id, is_failure=True)
    routines.fire(routine.id, edge=EdgeKind.OFF)
    await routines.async_pause(routine.id)
    await routines.async_delete(routine.id)
    await sage.hass.async_block_till_done()

    assert seen == ["fired", "done", "fired", "failed", "undone"]
    assert set(seen) == set(PublicEventType)
