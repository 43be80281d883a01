"""When a condition would have fired: the recorder's last day, in the real sandbox."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder.core import Recorder
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from custom_components.sage.routines.conditions.last_day import (
    LastDay,
    ReplayProblem,
    async_would_have_fired,
)
from custom_components.sage.routines.evaluation import Evaluator
from custom_components.sage.routines.routine_types import Condition, Daily, Repeat, Trigger
from custom_components.sage.routines.sandbox.sandbox import Sandbox
from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking
from tests.routines.house import routine
from tests.without_monty import without_monty

START = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
async def mock_recorder_before_hass(async_test_recorder) -> None:
    """The recorder has to be there before Home Assistant."""


@pytest.fixture
def clock(freezer: FrozenDateTimeFactory) -> FrozenDateTimeFactory:
    freezer.move_to(START)
    return freezer


class Day:
    """A day in a home: what happened when, in minutes after its beginning."""

    def __init__(self, hass: HomeAssistant, asking: Asking, clock: FrozenDateTimeFactory) -> None:
        self.hass = hass
        self.asking = asking
        self.clock = clock
        self.sandbox = Sandbox(hass, asking.functions.functions)

    async def happens(self, *events: tuple[float, str, str], **attributes: Any) -> None:
        """Let a day pass."""
        for minute, entity_id, state in events:
            await async_wait_recording_done(self.hass)
            self.clock.move_to(START + timedelta(minutes=minute))
            self.hass.states.async_set(entity_id, state, attributes)
        await async_wait_recording_done(self.hass)
        self.clock.move_to(START + timedelta(hours=24))

    async def tried(self, source: str, trigger: Trigger | None = None, **fields: Any) -> LastDay:
        """Ask when a routine with this condition would have fired."""
        hold = timedelta(minutes=fields.pop("hold", 0))
        it = routine(
            trigger or Condition(function="check", source=source, hold=hold),
            owner=None,
            created_at=START,
            **fields,
        )
        evaluator = Evaluator(self.sandbox, self.asking.functions.async_answer)
        return await async_would_have_fired(self.hass, evaluator, it)

    async def minutes(self, source: str, **fields: Any) -> list[float]:
        """Return the minutes of the day at which it would have fired."""
        run = await self.tried(source, **fields)
        assert run.problem is None
        assert run.since == START
        return [(each - START).total_seconds() / 60 for each in run.times]


@pytest.fixture
async def day(
    recorder_mock: Recorder, hass: HomeAssistant, asking: Asking, clock: FrozenDateTimeFactory
) -> AsyncGenerator[Day]:
    build = EntityHome(hass)
    clock.move_to(START - timedelta(hours=30))
    build.entity("cover.garage", "closed", device=build.device("Garage"))
    build.entity("light.lamp", "off", device=build.device("Lamp"))
    await async_wait_recording_done(hass)
    day = Day(hass, asking, clock)
    yield day
    await day.sandbox.async_close()


GARAGE = (
    (10, "cover.garage", "open"),
    (15, "cover.garage", "closed"),
    (100, "cover.garage", "open"),
    (130, "cover.garage", "closed"),
)
IS_OPEN = 'def check():\n    return get_state("garage") == "open"\n'


async def test_it_fires_at_each_edge(day: Day):
    await day.happens(*GARAGE)

    assert await day.minutes(IS_OPEN) == [10, 100]
    assert await day.minutes(IS_OPEN, repeat=Repeat.ONCE) == [10]
    assert await day.minutes(IS_OPEN, hold=10) == [110]


CLOSED = 'def check():\n    return get_state("garage") == "closed"\n'
COUNTS = (
    "def check():\n"
    '    if get_state("garage") == "open" and not state.get("was_open"):\n'
    '        state["count"] = state.get("count", 0) + 1\n'
    '    state["was_open"] = get_state("garage") == "open"\n'
    '    return state.get("count", 0) >= 2\n'
)
SOMETIMES_ASKS_MORE = (
    "def check():\n"
    '    if get_state("garage") != "open":\n'
    "        return False\n"
    '    return any(get_state(d["id"]) == "on" for d in list_devices("", "light"))\n'
)
SOMETIMES_FAILS = 'def check():\n    return get_state("garage") == "open" or 1 / 0 > 0\n'


@pytest.mark.parametrize(
    ("source", "minutes"),
    [
        (CLOSED, [15, 130]),
        (COUNTS, [100]),
        (SOMETIMES_ASKS_MORE, [110]),
        # Where it fails nothing is known; it was never seen False.
        (SOMETIMES_FAILS, []),
    ],
)
async def test_code_is_replayed_as_it_would_have_run(day: Day, source: str, minutes: list[float]):
    await day.happens(*GARAGE[:3], (110, "light.lamp", "on"), GARAGE[3])

    assert await day.minutes(source) == minutes


async def test_what_was_away_changes_nothing(day: Day):
    await day.happens(
        (10, "cover.garage", "open"),
        (20, "cover.garage", "unavailable"),
        (30, "cover.garage", "open"),
    )

    assert await day.minutes(IS_OPEN) == [10]
    assert await day.minutes('def check():\n    return not is_available("garage")\n') == [20]


async def test_how_long_it_holds_and_the_dark(day: Day):
    day.hass.config.latitude, day.hass.config.longitude = 52.5, 13.4
    # The sun sets at about 17:02 UTC, 302 minutes after the beginning.
    await day.happens(
        (10, "cover.garage", "open"),
        (200, "cover.garage", "closed"),
        (295, "cover.garage", "open"),
        (500, "cover.garage", "closed"),
        (600, "cover.garage", "open"),
        (605, "cover.garage", "closed"),
    )
    source = (
        "def check():\n"
        '    return get_state("garage") == "open" and held_minutes("garage") > 10 and is_dark()\n'
    )

    (minute,) = await day.minutes(source)

    assert 305 < minute <= 307
    dark = await day.minutes("def check():\n    return is_dark()\n")
    assert len(dark) == 1
    assert 300 < dark[0] < 303


async def test_a_state_from_long_before_has_held_since_then(day: Day):
    await day.happens((600, "cover.garage", "open"))
    source = 'def check():\n    return held_minutes("garage") >= 24 * 60\n'

    # It was closed six hours before the day began... and had been for no longer than known.
    assert await day.minutes(source) == []
    source = 'def check():\n    return held_minutes("garage") >= 12 * 60\n'
    assert await day.minutes(source) == [1320]


async def test_the_time_of_day(day: Day):
    await day.hass.config.async_set_time_zone("Europe/Berlin")
    await day.happens()
    source = "def check():\n    t = now()\n    return t.hour == 7 and t.minute >= 30\n"

    assert await day.minutes(source) == [18.5 * 60]
    source = "def check():\n    return datetime.now().hour >= 7 > datetime.now().hour - 1\n"
    assert await day.minutes(source) == [18 * 60]


async def test_attributes_are_told_as_they_were(day: Day):
    await day.happens((10, "light.lamp", "on"), (20, "light.lamp", "off"))
    day.clock.move_to(START + timedelta(minutes=30))
    for minute, brightness in ((30, 51), (40, 255), (50, 51)):
        day.clock.move_to(START + timedelta(minutes=minute))
        day.hass.states.async_set("light.lamp", "on", {"brightness": brightness})
    await day.happens()
    source = 'def check():\n    return (get_attribute("lamp", "brightness_pct") or 0) > 50\n'

    assert await day.minutes(source) == [40]


@pytest.mark.parametrize(
    "body",
    [
        "get_history('garage', 10) == []",
        "get_weather()['condition'] == 'rainy'",
        "len(get_calendar(1)) > 0",
    ],
)
async def test_what_reads_more_than_states_cannot_be_told(day: Day, body):
    hass = day.hass
    hass.states.async_set("weather.home", "rainy")
    async_expose_entity(hass, "conversation", "weather.home", True)
    run = await day.tried(f"def check():\n    return {body}\n")

    assert run.problem is ReplayProblem.READS_MORE


async def test_other_reasons_why_it_cannot_be_told(day: Day):
    by_clock = await day.tried("", trigger=Daily(at=time(7)))
    assert by_clock.problem is ReplayProblem.NO_CONDITION
    end = Condition(function="check", source=IS_OPEN)
    assert (await day.tried(IS_OPEN, end=end, undo_after=True)).problem is ReplayProblem.HAS_END
    for source in (
        "def check(:",
        "def check():\n    return 1 / 0\n",
        "def other():\n    return 1\n",
    ):
        assert (await day.tried(source)).problem is ReplayProblem.FAILS
    source = 'def check():\n    return get_state("nothing") == "on"\n'
    assert (await day.tried(source)).problem is ReplayProblem.FAILS

    bound = {"garage": "entity:gone"}
    assert (await day.tried(IS_OPEN, bindings=bound)).problem is ReplayProblem.WITHHELD


async def test_too_many_changes_are_told_so(day: Day):
    day.clock.move_to(START)
    for count in range(1300):
        day.clock.tick(timedelta(seconds=30))
        day.hass.states.async_set("cover.garage", ("open", "closed")[count % 2])
    await day.happens()

    assert (await day.tried(IS_OPEN)).problem is ReplayProblem.TOO_MANY_CHANGES


@pytest.mark.parametrize("recorder_config", [{"exclude": {"entities": ["cover.garage"]}}])
async def test_what_is_not_recorded_cannot_be_told(day: Day):
    assert (await day.tried(IS_OPEN)).problem is ReplayProblem.NOT_RECORDED


async def test_without_monty_it_cannot_be_told(day: Day):
    await day.happens(*GARAGE)
    with without_monty():
        assert (await day.tried(IS_OPEN)).problem is ReplayProblem.NO_SANDBOX
