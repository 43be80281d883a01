"""Requests for a time: what the model decides, and what the person hears."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.util import dt as dt_util

from custom_components.sage.routines.routine_types import WEEKDAYS, Daily, Moment, Repeat
from tests.decisions import NATIVE
from tests.end_to_end.conftest import Sage

from .setting_up import REQUEST, at_a_time, polls, routines_of, writes


@pytest.mark.parametrize(
    ("given", "trigger", "heard"),
    [
        (
            {"in_minutes": 20},
            Moment(at=datetime(2026, 11, 22, 9, 20, tzinfo=UTC)),
            "In 20 minutes, today at 10:20: I'll turn off Kitchen Light.",
        ),
        (
            {"at": "21:00"},
            Moment(at=datetime(2026, 11, 22, 20, tzinfo=UTC)),
            "Today at 21:00: I'll turn off Kitchen Light.",
        ),
        (
            {"at": "9:30"},
            Moment(at=datetime(2026, 11, 23, 8, 30, tzinfo=UTC)),
            "Tomorrow at 09:30: I'll turn off Kitchen Light.",
        ),
        (
            {"at": "2026-11-27T07:15", "function": "", "repeat": "once", "weekdays": []},
            Moment(at=datetime(2026, 11, 27, 6, 15, tzinfo=UTC)),
            "On Friday at 07:15: I'll turn off Kitchen Light.",
        ),
        (
            {"at": "2026-12-24 07:15:00", "in_minutes": 0},
            Moment(at=datetime(2026, 12, 24, 6, 15, tzinfo=UTC)),
            "On December 24 at 07:15: I'll turn off Kitchen Light.",
        ),
        ({"daily": "07:00"}, Daily(at=time(7)), "Every day at 07:00: I'll turn off Kitchen Light."),
        (
            {"daily": "07:00", "weekdays": ["mon", "tue", "wed", "thu", "fri"]},
            Daily(at=time(7), weekdays=frozenset(range(5))),
            "Monday to Friday at 07:00: I'll turn off Kitchen Light.",
        ),
        (
            {"daily": "19:05", "weekdays": ["sat", "tue"], "undo_after": True},
            Daily(at=time(19, 5), weekdays=frozenset({1, 5})),
            "Every Tuesday and Saturday at 19:05: I'll turn off Kitchen Light.",
        ),
        (
            {"daily": "07:00", "weekdays": ["tue"], "repeat": "once"},
            Moment(at=datetime(2026, 11, 24, 6, tzinfo=UTC)),
            "On Tuesday at 07:00: I'll turn off Kitchen Light.",
        ),
        (
            {"at": "09:00", "weekdays": ["fri"]},
            Moment(at=datetime(2026, 11, 27, 8, tzinfo=UTC)),
            "On Friday at 09:00: I'll turn off Kitchen Light.",
        ),
        (
            {"at": "20:00", "weekdays": ["sun"]},
            Moment(at=datetime(2026, 11, 22, 19, tzinfo=UTC)),
            "Today at 20:00: I'll turn off Kitchen Light.",
        ),
        (
            {"in_minutes": 20, "weekdays": [*WEEKDAYS]},
            Moment(at=datetime(2026, 11, 22, 9, 20, tzinfo=UTC)),
            "In 20 minutes, today at 10:20: I'll turn off Kitchen Light.",
        ),
    ],
)
async def test_times_need_no_code(sage: Sage, user: User, freezer, given, trigger, heard) -> None:
    await sage.hass.config.async_set_time_zone("Europe/Berlin")
    # A Sunday, 10:00 in Berlin.
    freezer.move_to("2026-11-22 09:00:00+00:00")
    sage.model_says(at_a_time(**given))
    assert await sage.hear("later", user_id=user.id) == f"All right. {heard}"
    assert sage.model_calls == 1
    (routine,) = routines_of(sage, user)
    assert routine.trigger == trigger
    assert routine.repeat is (Repeat.ONCE if isinstance(trigger, Moment) else Repeat.ALWAYS)
    assert not routine.undo_after
    assert routine.when


FAULTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "call `condition_code_writing` now"),
    ({}, "exactly one of `in_minutes`"),
    ({"in_minutes": 5, "daily": "09:00"}, "exactly one of"),
    ({"at": "2020-01-01 09:00"}, "2020-01-01 09:00 is past"),
    ({"daily": "noon"}, "Write `daily` as HH:MM"),
    ({"at": "09:00", "until": "friday"}, "YYYY-MM-DDTHH:MM"),
    ({"in_minutes": -3}, "more than 0"),
    ({"in_minutes": 1e12}, "years ahead"),
    ({"daily": "07:00", "weekdays": ["someday"]}, '"mon", "tue"'),
    ({"at": "2099-02-03"}, "a day without a time"),
    ({"at": "09:00", "until": "2020-01-01"}, "is past"),
    ({"at": "2099-03-04 09:00", "until": "2099-03-03"}, "before it is due"),
    ({"at": "2099-03-04 09:00", "until": "2099-03-04 09:00"}, "before it is due"),
    ({"in_minutes": 9000, "until": "2026-11-23"}, "Give a later `until`"),
    ({"daily": "09:00", "weekdays": ["mon"], "until": "23:59"}, "Give a later `until`"),
    ({"in_minutes": 20, "repeat": "always"}, "it cannot repeat"),
    ({"at": "09:00", "weekdays": ["fri"], "repeat": "always"}, "needs `daily`"),
    ({"in_minutes": 20, "weekdays": ["fri"]}, "Leave it out with `in_minutes`"),
    ({"function": "is_open"}, "`condition_code_writing` first"),
    ({"at": "09:00", "action": " "}, "wrong arguments"),
)


async def test_faults_name_the_mend(
    sage: Sage, user: User, freezer, subtests: pytest.Subtests
) -> None:
    # A Sunday.
    freezer.move_to("2026-11-22 18:00:00+00:00")
    for given, mend in FAULTS:
        with subtests.test(given=given):
            sage.conversation_id = None
            sage.model_says(at_a_time(**given), NATIVE.finish("could_not", "I do not know when."))
            heard = await sage.hear("turn it off later", user_id=user.id)
            assert mend in sage.server.completions[1].prompt
            assert "I do not know when." in heard
            assert not routines_of(sage, user)


async def test_function_that_was_made_up_beside_a_time_goes(sage: Sage, user: User) -> None:
    sage.model_says(at_a_time(in_minutes=20, function="is_kitchen_light_on"))
    await sage.hear("in 20 minutes turn off the kitchen light", user_id=user.id)
    (routine,) = routines_of(sage, user)
    assert isinstance(routine.trigger, Moment)


async def test_end_before_it_can_have_held_is_told(sage: Sage, user: User) -> None:
    # In three days, so that midnight does not matter.
    soon = f"{dt_util.now() + timedelta(days=3):%Y-%m-%d}"
    sage.model_says(*writes(), polls(hold_minutes=9000, until=soon), polls(until=soon))
    await sage.hear(REQUEST, user_id=user.id)
    assert "Give a later `until`" in sage.server.completions[-1].prompt
    assert len(routines_of(sage, user)) == 1


async def test_days_of_a_condition_are_its_code(sage: Sage, user: User) -> None:
    sage.model_says(*writes(), polls(weekdays=["sat"]), polls())
    await sage.hear(REQUEST, user_id=user.id)
    assert "have it test the day itself" in sage.server.completions[-1].prompt
    assert len(routines_of(sage, user)) == 1
