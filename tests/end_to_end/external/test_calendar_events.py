"""Questions about calendars and new events, from the sentence to the calendar."""

from collections.abc import AsyncGenerator
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from freezegun.api import freeze_time
from homeassistant.auth.models import User
from homeassistant.components.calendar.const import DATA_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from benchmark.ical_text import event_text as event
from custom_components.sage.routines.routine_types import Condition
from custom_components.sage.text.speech import has_fence
from tests.calendar_house import async_add_calendar
from tests.decisions import FORMATS, NATIVE, Decides, step
from tests.end_to_end.attacker import observed
from tests.end_to_end.conftest import MakeSage, impatient
from tests.end_to_end.routine_tools.setting_up import polls, routines_of, writes

MONDAY = date(2026, 11, 30)


def at(clock: str, day: date = MONDAY) -> datetime:
    return datetime.combine(
        day, dt_util.parse_time(clock) or pytest.fail(clock), dt_util.get_default_time_zone()
    )


@pytest.fixture(autouse=True)
async def clock(hass: HomeAssistant) -> AsyncGenerator[Any]:
    """A clock that goes on from the Friday before `MONDAY`, in Berlin."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    with freeze_time("2026-11-27T08:00:00Z", tick=True) as clock:
        yield clock


@pytest.fixture
async def own_calendar(hass: HomeAssistant, user: User) -> str:
    """Return the entity id of Anna's calendar, which nobody else may see."""
    return await async_add_calendar(
        hass,
        "Anna",
        [
            event("Dentist", at("10:00"), location="Main Street 1"),
            event("Yoga", at("18:00", date(2026, 11, 26)), rrule="FREQ=WEEKLY"),
            event("Trip to Rome", date(2026, 12, 4), date(2026, 12, 7)),
        ],
        is_exposed=False,
    )


@pytest.fixture
def assigned(hass: HomeAssistant, own_calendar: str, user: User) -> dict[str, Any]:
    row = er.async_get(hass).async_get(own_calendar)
    assert row is not None
    return {"calendars": {row.id: user.id}}


def asks(decides: Decides, request: str) -> Any:
    return decides.call("email_and_calendar", request=request, final=True)


async def titles(hass: HomeAssistant, entity_id: str, day: date = MONDAY) -> list[str]:
    start = at("00:00", day)
    response: Any = await hass.services.async_call(
        "calendar",
        "get_events",
        {"start_date_time": start.isoformat(), "end_date_time": (start + timedelta(1)).isoformat()},
        target={"entity_id": entity_id},
        blocking=True,
        return_response=True,
    )
    return [each["summary"] for each in response[entity_id]["events"]]


@pytest.mark.parametrize("name", FORMATS)
async def test_what_does_next_week_look_like(
    make_sage: MakeSage, name: str, assigned: dict[str, Any], user: User
) -> None:
    sage, decides = await make_sage(name, options=assigned), Decides(name)
    answer = "Monday at ten the dentist, Thursday yoga, and from Friday on you are in Rome."
    sage.model_says(
        asks(decides, "what does next week look like?"),
        decides.call("list_calendar_events", first="2026-11-30", last="2026-12-06"),
        decides.finish("answered", answer, about="other"),
    )

    assert await sage.hear("what does next week look like?", user_id=user.id) == answer

    seen = sage.server.completions[-1].prompt
    assert has_fence(seen)
    assert "Mon 2026-11-30 10:00 to 11:00 | Dentist | at: Main Street 1 | calendar: Anna" in seen
    assert "Thu 2026-12-03 18:00 to 19:00 | Yoga" in seen
    assert "Fri 2026-12-04 to Sun 2026-12-06, all day | Trip to Rome" in seen


async def test_a_time_alone_means_the_rest_of_that_day(
    make_sage: MakeSage, assigned: dict[str, Any], user: User
) -> None:
    sage = await make_sage(options=assigned)
    sage.model_says(
        asks(NATIVE, "what comes after nine on Monday?"),
        NATIVE.call("list_calendar_events", first="2026-11-30T09:00", last="2026-11-30T09:00"),
        NATIVE.call("list_calendar_events", first="2026-11-30T09:00"),
        NATIVE.finish("answered", "The dentist, at ten.", about="other"),
    )

    await sage.hear("what comes after nine on Monday?", user_id=user.id)

    assert "`last` must be after `first`" in sage.server.completions[-2].prompt
    seen = sage.server.completions[-1].prompt
    assert "Mon 2026-11-30 10:00 to 11:00 | Dentist" in seen
    assert "cannot be read now" not in seen


async def test_an_own_event_is_created_and_read_back_without_a_question(
    make_sage: MakeSage, assigned: dict[str, Any], own_calendar: str, user: User
) -> None:
    sage = await make_sage(options=assigned)
    sage.model_says(
        asks(NATIVE, "hairdresser on Monday at three"),
        NATIVE.call("create_calendar_event", title="Hairdresser", start="2026-11-30T15:00"),
        NATIVE.finish("acted", "It is in your calendar.", about="other"),
    )

    heard = await sage.hear("hairdresser on Monday at three", user_id=user.id)

    assert heard == "It is in your calendar."
    assert await titles(sage.hass, own_calendar) == ["Dentist", "Hairdresser"]


async def test_an_event_that_the_calendar_does_not_keep_is_not_claimed(
    make_sage: MakeSage, hass: HomeAssistant, assigned: dict[str, Any], user: User
) -> None:
    sage = await make_sage(options=assigned)
    impatient(sage)
    component = hass.data[DATA_COMPONENT]
    entity = component.get_entity("calendar.anna")
    assert entity is not None

    async def lose(**given: Any) -> None:
        return None

    entity.async_create_event = lose  # type: ignore[method-assign]
    sage.model_says(
        asks(NATIVE, "hairdresser on Monday at three"),
        NATIVE.call("create_calendar_event", title="Hairdresser", start="2026-11-30T15:00"),
        *[NATIVE.finish("acted", "It is in your calendar.", about="other")] * 2,
    )

    heard = await sage.hear("hairdresser on Monday at three", user_id=user.id)

    assert heard == "I can't see whether “Hairdresser” was added to the calendar Anna."


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"start": "tomorrow"}, "start must be an ISO date"),
        ({"start": "2026-11-30", "end": "2026-11-30T12:00"}, "must both be dates"),
        ({"start": "2026-11-30T12:00", "end": "2026-11-30T11:00"}, "must not be before"),
        ({"start": "2026-11-30T12:00", "calendar": "calendar.bens"}, "must be one of"),
    ],
)
async def test_a_wrong_time_or_calendar_is_explained_and_nothing_is_created(
    make_sage: MakeSage,
    assigned: dict[str, Any],
    own_calendar: str,
    user: User,
    given: dict[str, str],
    problem: str,
) -> None:
    sage = await make_sage(options=assigned)
    sage.model_says(
        asks(NATIVE, "hairdresser"),
        NATIVE.call("create_calendar_event", title="Hairdresser", **given),
        NATIVE.finish("could_not", "When exactly?", about="other"),
    )

    assert await sage.hear("hairdresser", user_id=user.id) == "When exactly?"

    assert problem in sage.server.completions[-1].prompt
    assert "Hairdresser" not in await titles(sage.hass, own_calendar)


async def test_after_outside_text_an_own_event_is_shown_in_full_and_confirmed(
    make_sage: MakeSage, assigned: dict[str, Any], own_calendar: str, user: User
) -> None:
    sage = await make_sage(options=assigned)
    sage.model_says(
        asks(NATIVE, "yoga on Monday, if I am free"),
        NATIVE.call("list_calendar_events", first="2026-11-30"),
        NATIVE.call(
            "create_calendar_event",
            title="Yoga with Kim",
            start="2026-11-30T18:00",
            end="2026-11-30T19:30",
            location="Gym",
        ),
        # Without the other events, the model decides another event.
        NATIVE.call("create_calendar_event", title="Yoga", start="2026-11-30T18:00"),
        NATIVE.finish("acted", "It is in your calendar.", about="other"),
    )

    asked = await sage.hear("yoga on Monday, if I am free", user_id=user.id)
    assert asked.endswith(
        "Shall I add the event to the calendar Anna? “Yoga with Kim”, Monday, November 30, 2026, "
        "18:00 to 19:30; place: Gym"
    )
    assert "Yoga with Kim" not in await titles(sage.hass, own_calendar)

    assert await sage.hear("yes", user_id=user.id) == "It is in your calendar."
    assert "Yoga with Kim" in await titles(sage.hass, own_calendar)


async def test_others_and_the_household_do_not_reach_it(
    make_sage: MakeSage,
    hass: HomeAssistant,
    assigned: dict[str, Any],
    own_calendar: str,
    other: User,
) -> None:
    await async_add_calendar(hass, "Family", [event("Dinner", at("20:00"))])
    sage = await make_sage(options=assigned)
    for user_id in (other.id, None):
        sage.model_says(
            asks(NATIVE, "what does Anna do on Monday?"),
            NATIVE.call("list_calendar_events", first="2026-11-30"),
            NATIVE.call(
                "create_calendar_event",
                title="Mine",
                start="2026-11-30T15:00",
                calendar=own_calendar,
            ),
            NATIVE.finish("could_not", "I only see the dinner.", about="other"),
        )
        heard = await sage.hear("what does Anna do on Monday?", user_id=user_id)
        assert heard == "I only see the dinner."
        assert "Dinner" in observed(sage).title()
        assert "Dentist" not in observed(sage).title()
        assert "`calendar` must be one of: calendar.family." in observed(sage)

        sage.model_says(
            *NATIVE.planned("look", step("read", "anna")),
            NATIVE.call("read_attributes", devices=[own_calendar]),
            NATIVE.finish("could_not", "There is no such thing."),
        )
        await sage.hear("read the calendar of Anna", user_id=user_id)
        assert "dentist" not in observed(sage)
    assert "Mine" not in await titles(hass, own_calendar)


async def test_remind_me_an_hour_before_my_next_appointment(
    make_sage: MakeSage, assigned: dict[str, Any], user: User, clock: Any
) -> None:
    clock.move_to("2026-11-30T07:00:00Z")
    sage = await make_sage(options=assigned)
    code = (
        "def is_an_hour_before():\n"
        "    for event in get_calendar(2):\n"
        "        left = event['start'] - now()\n"
        "        if not event['all_day'] and timedelta(0) < left <= timedelta(hours=1):\n"
        "            return True\n"
        "    return False\n"
    )
    request = "remind me an hour before my next appointment"
    sage.model_says(
        *writes(
            code=code,
            function="is_an_hour_before",
            condition="the next appointment begins in an hour",
        ),
        polls(
            function="is_an_hour_before",
            kind="tell",
            action="Your next appointment begins in an hour.",
            commands=[],
            repeat="once",
        ),
    )

    await sage.hear(request, user_id=user.id)
    asked = await sage.hear("yes", user_id=user.id) if not routines_of(sage, user) else ""

    (routine,) = routines_of(sage, user)
    assert routine.trigger == Condition(function="is_an_hour_before", source=code)
    assert routine.owner == user.id
    assert "could" not in asked
    trial = sage.entry.runtime_data.routines.list(user.id)[0]
    assert trial.memo.before is False
