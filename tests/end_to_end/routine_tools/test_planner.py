"""What the planner of conditions is told beside the condition."""

from homeassistant.auth.models import User

from tests.end_to_end.conftest import Sage

from .setting_up import REQUEST, polls, writes

HINT = "The time, darkness, the weather and calendars are known without a device"


async def test_what_needs_no_device_is_said_for_conditions_only(sage: Sage, user: User) -> None:
    sage.model_says(*writes(), polls())
    await sage.hear(REQUEST, user_id=user.id)
    top, planner, writer, _ = (each.prompt for each in sage.server.completions)
    assert planner.rstrip().endswith("no doubt there.")
    assert HINT in planner
    assert HINT not in top + writer
