"""Questions about calendars and new events, from the sentence to the calendar."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from custom_components.sage.text.fence import has_fence
from tests.calendar_house import async_add_calendar, event
from tests.decisions import FORMATS, Decides
from tests.end_to_end.conftest import MakeSage

NATIVE = Decides("native")
MONDAY = date(2026, 11, 30)


def at(clock: str, day: date = MONDAY) -> datetime:
    return datetime.combine(
        day, dt_util.parse_time(clock) or pytest.fail(clock), dt_util.get_default_time_zone()
    )


@pytest.fixture(autouse=True)
async def friday(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """The Friday before `MONDAY`, in Berlin."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to("2026-11-27T09:00:00+01:00")


@pytest.fixture
async def anna(hass: HomeAssistant, user: User) -> str:
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
def assigned(hass: HomeAssistant, anna: str, user: User) -> dict[str, Any]:
    """Return the options that give the calendar to Anna."""
    row = er.async_get(hass).async_get(anna)
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


async def test_an_own_event_is_created_and_read_back_without_a_question(
    make_sage: MakeSage, hass: HomeAssistant, assigned: dict[str, Any], anna: str, user: User
) -> None:
    sage = await make_sage(options=assigned)
    sage.model_says(
        asks(NATIVE, "hairdresser on Monday at three"),
        NATIVE.call("create_calendar_event", title="Hairdresser", start="2026-11-30T15:00"),
        NATIVE.finish("acted", "It is in your calendar.", about="other"),
    )

    heard = await sage.hear("hairdresser on Monday at three", user_id=user.id)

    assert heard == "It is in your calendar."
    assert await titles(hass, anna) == ["Dentist", "Hairdresser"]
