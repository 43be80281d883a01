"""Calendars of a real CalDAV server, through Home Assistant's own integration."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.ical_text import calendar_text as calendar
from benchmark.ical_text import event_text as event
from benchmark.radicale_server import RadicaleServer
from tests.decisions import Decides
from tests.end_to_end.conftest import MakeSage, Sage
from tests.radicale_fixtures import PASSWORDS, radicale, radicale_process

__all__ = ["radicale", "radicale_process"]

NATIVE = Decides("native")
BERLIN = ZoneInfo("Europe/Berlin")
ENTITY = "calendar.work"


@pytest.fixture(autouse=True)
async def berlin(hass: HomeAssistant) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")


async def async_connect(
    hass: HomeAssistant, radicale: RadicaleServer, password: str
) -> ConfigEntryState:
    assert await async_setup_component(hass, "calendar", {})
    entry = MockConfigEntry(
        domain="caldav",
        data={
            "url": radicale.url,
            "username": "anna",
            "password": password,
            "verify_ssl": True,
        },
    )
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    return entry.state


@pytest.fixture
async def sage(
    hass: HomeAssistant, make_sage: MakeSage, radicale: RadicaleServer, user: User
) -> Sage:
    """SAGE for Anna, whose calendar has a choir every week."""
    choir = datetime(2026, 10, 19, 19, tzinfo=BERLIN)
    events = {
        "choir": calendar([event("Choir", choir, rrule="FREQ=WEEKLY;COUNT=4")]),
        "trip": calendar([event("Trip", date(2026, 10, 24), date(2026, 10, 26))]),
    }
    await hass.async_add_executor_job(radicale.add_calendar, "anna", "work", events)
    assert await async_connect(hass, radicale, PASSWORDS["anna"]) is ConfigEntryState.LOADED
    row = er.async_get(hass).async_get(ENTITY)
    assert row is not None
    made: Sage = await make_sage(options={"calendars": {row.id: user.id}})
    return made


async def looked(sage: Sage, user: User, first: str, last: str) -> str:
    """Return the prompt after the events were listed."""
    sage.model_says(
        NATIVE.call("email_and_calendar", request="what is on?", final=True),
        NATIVE.call("list_calendar_events", first=first, last=last),
        NATIVE.finish("answered", "Choir.", about="other"),
    )
    assert await sage.hear("what is on?", user_id=user.id) == "Choir."
    return str(sage.server.completions[-1].prompt)


async def test_recurring_and_whole_day_events_across_the_change_of_the_clocks(
    sage: Sage, user: User
) -> None:
    seen = await looked(sage, user, "2026-10-19", "2026-11-01")

    assert "Events: 3." in seen
    assert "Mon 2026-10-19 19:00 to 20:00 | Choir | calendar: work" in seen
    assert "Sat 2026-10-24 to Sun 2026-10-25, all day | Trip" in seen
    assert "Mon 2026-10-26 19:00 to 20:00 | Choir | calendar: work" in seen


async def test_an_event_is_created_on_the_server(sage: Sage, user: User) -> None:
    sage.model_says(
        NATIVE.call("email_and_calendar", request="lunch at noon", final=True),
        NATIVE.call(
            "create_calendar_event",
            title="Mittagessen mit Jürgen",
            start="2026-10-25T12:00",
            location="Café",
        ),
        NATIVE.finish("acted", "Lunch is in your calendar.", about="other"),
    )

    assert await sage.hear("lunch at noon", user_id=user.id) == "Lunch is in your calendar."

    sage.conversation_id = None
    seen = await looked(sage, user, "2026-10-25", "2026-10-25")
    assert "Sun 2026-10-25 12:00 to 13:00 | Mittagessen mit Jürgen | at: Café" in seen


async def test_a_server_that_is_gone_is_reported(
    sage: Sage, hass: HomeAssistant, radicale: RadicaleServer, user: User
) -> None:
    await hass.async_add_executor_job(radicale.stop)

    seen = await looked(sage, user, "2026-10-19", "2026-10-25")
    assert (
        f"These calendars cannot be read now, so events may be missing; say so: {ENTITY}." in seen
    )

    start = dt_util.now() + timedelta(days=1)
    sage.model_says(
        NATIVE.call("email_and_calendar", request="lunch tomorrow", final=True),
        NATIVE.call("create_calendar_event", title="Lunch", start=start.isoformat()),
        NATIVE.finish("could_not", "Your calendar cannot be reached.", about="other"),
    )
    sage.conversation_id = None
    heard = await sage.hear("lunch tomorrow", user_id=user.id)
    assert heard == "Your calendar cannot be reached."
    assert "No event was created" in sage.server.completions[-1].prompt

    await hass.async_add_executor_job(radicale.start)
    assert "Choir" in await looked(sage, user, "2026-10-19", "2026-10-25")


async def test_with_a_wrong_password_there_is_no_calendar(
    hass: HomeAssistant, make_sage: MakeSage, radicale: RadicaleServer, user: User
) -> None:
    await hass.async_add_executor_job(radicale.add_calendar, "anna", "work", {})
    assert await async_connect(hass, radicale, "hunter2") is ConfigEntryState.SETUP_ERROR
    sage = await make_sage()
    sage.model_says(NATIVE.finish("answered", "Hello!", about="other"))
    await sage.hear("hello", user_id=user.id)

    tools: Any = sage.server.completions[0].body["tools"]
    assert "email_and_calendar" not in {each["function"]["name"] for each in tools}
