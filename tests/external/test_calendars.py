"""Calendars of a person: who sees them, and what is in them."""

from collections.abc import AsyncGenerator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from benchmark.ical_text import event_text as event
from custom_components.sage.config.external_setup import async_calendars
from custom_components.sage.external.calendars import Agenda, async_agenda
from custom_components.sage.home.home import Home
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.calendar_house import async_add_calendar
from tests.end_to_end.attacker import person
from tests.exposing import expose

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = date(2026, 11, 30)


class House:
    """Calendars, and the people who may see them."""

    def __init__(self, hass: HomeAssistant, home: Home) -> None:
        self.hass = hass
        self.home = home
        self.gate = home.gate

    async def async_person(self, name: str) -> Person:
        user = await self.hass.auth.async_create_user(name, group_ids=[GROUP_ID_ADMIN])
        await self.hass.async_block_till_done()
        person = Person(user_id=user.id, name=name)
        await self.gate.async_load_rights(person)
        return person

    def assign(self, entity_id: str, person: Person) -> None:
        row = er.async_get(self.hass).async_get(entity_id)
        assert row is not None
        assert person.user_id is not None
        self.gate.assign({row.id: person.user_id})

    async def async_names(self, person: Person) -> list[str]:
        return [each.name for each in await async_calendars(self.hass, self.home, person)]

    async def async_agenda(
        self,
        first: date | datetime,
        last: date | datetime | None = None,
        person: Person = HOUSEHOLD,
    ) -> Agenda:
        calendars = await async_calendars(self.hass, self.home, person)
        return await async_agenda(self.hass, calendars, first, last or first)


@pytest.fixture
async def house(hass: HomeAssistant) -> AsyncGenerator[House]:
    await hass.config.async_set_time_zone("Europe/Berlin")
    home = Home(hass)
    await home.async_setup()
    yield House(hass, home)
    home.close()


def at(clock: str, day: date = MONDAY) -> datetime:
    hour, minute = map(int, clock.split(":"))
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=BERLIN)


# ------------------------------------------------------------------ whose they are


async def test_a_calendar_that_comes_later_belongs_to_its_person(house: House) -> None:
    anna = await house.async_person("Anna")
    row = er.async_get(house.hass).async_get_or_create(
        "calendar", "test", "late", suggested_object_id="late"
    )
    house.assign(row.entity_id, anna)
    assert await house.async_names(anna) == await house.async_names(HOUSEHOLD) == []

    house.hass.states.async_set(row.entity_id, "off", {"friendly_name": "Late"})
    await house.hass.async_block_till_done()

    assert await house.async_names(anna) == ["Late"]
    assert await house.async_names(HOUSEHOLD) == []

    er.async_get(house.hass).async_update_entity(row.entity_id, new_entity_id="calendar.renamed")
    house.hass.states.async_remove(row.entity_id)
    house.hass.states.async_set("calendar.renamed", "off", {"friendly_name": "Renamed"})
    await house.hass.async_block_till_done()

    assert await house.async_names(anna) == ["Renamed"]
    assert await house.async_names(HOUSEHOLD) == []


async def test_home_assistant_permissions_still_count(house: House) -> None:
    """A person sees their calendar only as long as their account may see it."""
    lights_only = {"entities": {"domains": {"light": True}}}
    anna = Person(user_id=person(house.hass, "Anna", lights_only), name="Anna")
    own = await async_add_calendar(house.hass, "Anna")

    house.assign(own, anna)

    assert await house.async_names(anna) == []


async def test_nobody_reads_a_calendar_that_was_taken_away_meanwhile(house: House) -> None:
    anna, ben = await house.async_person("Anna"), await house.async_person("Ben")
    own = await async_add_calendar(house.hass, "Anna", [event("Dentist", at("10:00"))])
    assert (await house.async_agenda(MONDAY, person=ben)).entries

    house.assign(own, anna)

    assert (await house.async_agenda(MONDAY, person=ben)).entries == []


# ------------------------------------------------------------------ what is in them


async def test_events_of_all_calendars_are_in_order(house: House) -> None:
    await async_add_calendar(
        house.hass,
        "Anna",
        [event("Dentist", at("10:00"), location="Main Street 1", description="Bring the card")],
    )
    await async_add_calendar(
        house.hass, "Family", [event("Breakfast", at("08:00")), event("Holiday", MONDAY)]
    )

    agenda = await house.async_agenda(MONDAY)

    assert [each.title for each in agenda.entries] == ["Holiday", "Breakfast", "Dentist"]
    dentist = agenda.entries[-1]
    assert (dentist.calendar, dentist.location) == ("Anna", "Main Street 1")
    assert dentist.description == "Bring the card"
    assert dentist.start == at("10:00")
    assert [isinstance(entry.start, datetime) for entry in agenda.entries] == [False, True, True]


async def test_a_weekly_event_keeps_its_clock_when_the_clocks_are_put_back(house: House) -> None:
    before = date(2026, 10, 19)
    await async_add_calendar(
        house.hass, "Choir", [event("Choir", at("19:00", before), rrule="FREQ=WEEKLY;COUNT=4")]
    )

    agenda = await house.async_agenda(before, before + timedelta(days=27))

    assert [each.start.isoformat() for each in agenda.entries] == [
        "2026-10-19T19:00:00+02:00",
        "2026-10-26T19:00:00+01:00",
        "2026-11-02T19:00:00+01:00",
        "2026-11-09T19:00:00+01:00",
    ]


async def test_the_hour_that_comes_twice_is_in_order(house: House) -> None:
    first, second = (datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1))
    await async_add_calendar(
        house.hass,
        "Night",
        [
            event("Second", second, second + timedelta(minutes=10)),
            event("First", first, first + timedelta(minutes=10)),
        ],
    )

    agenda = await house.async_agenda(date(2026, 10, 25))

    assert [each.title for each in agenda.entries] == ["First", "Second"]


async def test_a_whole_day_event_belongs_to_its_days_only(house: House) -> None:
    await async_add_calendar(
        house.hass, "Trips", [event("Trip", MONDAY, MONDAY + timedelta(days=2))]
    )

    days = [
        (await house.async_agenda(MONDAY + timedelta(days=each))).entries for each in (-1, 0, 1, 2)
    ]

    assert [len(each) for each in days] == [0, 1, 1, 0]


async def test_a_calendar_that_fails_is_reported_and_the_others_are_read(
    house: House, hass: HomeAssistant
) -> None:
    await async_add_calendar(hass, "Anna", [event("Dentist", at("10:00"))])
    er.async_get(hass).async_get_or_create("calendar", "test", "gone", suggested_object_id="gone")
    hass.states.async_set("calendar.gone", "unavailable", {"friendly_name": "Gone"})
    expose(hass, "calendar.gone", "calendar.anna")
    await hass.async_block_till_done()

    agenda = await house.async_agenda(MONDAY)

    assert [each.title for each in agenda.entries] == ["Dentist"]
    assert [each.name for each in agenda.unread] == ["Gone"]
