"""Given a routine that has known nothing for a day, when people look at the repairs, they see."""

from datetime import timedelta

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util

from custom_components.sage.const import DOMAIN
from custom_components.sage.routines.api.public_routines import issue_id
from custom_components.sage.routines.routine_types import LONG_UNKNOWN, Memo, Routine, Status
from tests.end_to_end.conftest import Sage
from tests.routine_house import FakeRoutines, a_routine


def issue_of(hass: HomeAssistant, routine: Routine) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, issue_id(routine.id))


def unknown_for(span: timedelta) -> Memo:
    return Memo(unknown_since=dt_util.utcnow() - span)


async def test_it_is_there_as_long_as_nothing_is_known(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    routine = routines.add(a_routine(anna), unknown_for(LONG_UNKNOWN))
    issue = issue_of(hass, routine)
    assert issue is not None
    assert (issue.translation_key, issue.is_fixable) == ("routine_unknown", False)
    assert issue.translation_placeholders == {"number": "1"}

    routines.change(routine.id, status=Status.PAUSED)
    assert issue_of(hass, routine) is None


async def test_a_part_of_a_day_is_nothing_to_look_at(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    routine = routines.add(a_routine(anna), unknown_for(LONG_UNKNOWN - timedelta(minutes=1)))
    assert issue_of(hass, routine) is None
