"""A due command is executed, and not postponed again."""

from datetime import timedelta

from homeassistant.auth.models import User
from homeassistant.util import dt as dt_util

from custom_components.sage.routines.routine_types import Moment
from tests.decisions import NATIVE, step

from ..conftest import Sage
from .routine import Fires, commands, reminder_of, routine_of


async def test_reminder_is_not_set_up_anew(sage: Sage, fires: Fires, user: User) -> None:
    again = {
        "in_minutes": 5,
        "kind": "tell",
        "action": "remind me to throw out the milk",
        "final": True,
    }
    sage.model_says(
        NATIVE.call("condition_polling", **again),
        NATIVE.finish("answered", "Please throw out the milk!"),
    )
    report = await fires.fire(reminder_of(user, "remind me to throw out the milk"))
    assert report.answer == "Please throw out the milk!"
    prompt = sage.server.completions[0].prompt
    assert "The moment to say it has come" in prompt
    assert "The moment for that has come" in sage.server.completions[1].prompt
    assert not sage.entry.runtime_data.routines.list(user.id)


async def test_time_that_still_stands_in_the_words(sage: Sage, fires: Fires, user: User) -> None:
    routines = sage.entry.runtime_data.routines
    at = dt_util.utcnow() + timedelta(days=1)
    routine = routine_of(user, "in 20 minutes turn on the kitchen light", trigger=Moment(at=at))
    await routines.async_create(routine)
    again = {"in_minutes": 20, "kind": "do", "action": "turn on the kitchen light", "final": True}
    sage.model_says(
        NATIVE.call("condition_polling", **again),
        *NATIVE.planned("turn on the kitchen light", step("command", "kitchen_light")),
        NATIVE.execute("kitchen_light", command="turn_on"),
        NATIVE.finish("acted", "The kitchen light is on."),
    )
    report = await fires.fire(routine)
    assert report.answer == "The kitchen light is on."
    assert len(routines.list(user.id)) == 1


async def test_command_that_fires_is_a_request_like_any_other(
    sage: Sage, fires: Fires, user: User
) -> None:
    commands(sage, "kitchen_light", command="turn_on", answer="The kitchen light is on.")
    await fires.fire(routine_of(user, "turn on the kitchen light"))
    prompt = sage.server.completions[0].prompt
    assert prompt.rstrip().endswith("Request: turn on the kitchen light")
