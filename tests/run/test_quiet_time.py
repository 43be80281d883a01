"""Work that waits until nobody talks to SAGE."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from homeassistant.config_entries import ConfigFlow
from homeassistant.core import HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session, current_session
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockModule,
    async_fire_time_changed,
    mock_config_flow,
    mock_integration,
    mock_platform,
)

from custom_components.sage.run.run_registry import RunRegistry
from custom_components.sage.run.warm_prefix import QUIET_AFTER, QuietTime
from tests.run.test_run_registry import a_run

DOMAIN = "quiet_home"
NAME = "sweeping"


class Household:
    """Runs that begin and end, and the sweeping that is done between them."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.runs = RunRegistry()
        self.entry = MockConfigEntry(domain=DOMAIN)
        self.entry.add_to_hass(hass)
        self.quiet = QuietTime(hass, self.entry, self.runs, self.async_sweep, name=NAME)
        self.begun = 0
        self.done = 0
        self.cancelled = 0
        self.error: Exception | None = None
        self.session: object = None
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.lets_go = asyncio.Event()
        self.lets_go.set()

    async def async_sweep(self) -> int:
        self.begun += 1
        self.session = current_session.get()
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            await self.lets_go.wait()
            raise
        if self.error is not None:
            raise self.error
        self.done += 1
        return 7

    async def async_begin_run(self) -> Callable[[], None]:
        """Begin a run; returns what ends it."""
        over = asyncio.Event()

        async def work() -> None:
            await over.wait()

        self.runs.start(self.hass, self.entry, a_run(), work(), stopped="", too_many="")
        # One turn of the loop begins the run, one lets go of what it interrupts.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return over.set

    async def async_run(self) -> None:
        """Begin a run and wait for its end."""
        end = await self.async_begin_run()
        over = asyncio.Event()
        remove = self.runs.listen(over.set)
        end()
        await over.wait()
        remove()

    async def async_pass(self, time: timedelta = QUIET_AFTER + timedelta(seconds=1)) -> None:
        """Let time pass; work that was begun by it goes on as far as it can."""
        async_fire_time_changed(self.hass, dt_util.utcnow() + time)
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
def household(hass: HomeAssistant) -> Iterator[Household]:
    made = Household(hass)
    made.quiet.start()
    yield made
    made.quiet.stop()


async def test_nothing_is_done_at_start(household: Household):
    await household.async_pass(timedelta(hours=5))
    assert household.begun == 0


async def test_it_is_done_once_after_each_time_with_runs(household: Household):
    await household.async_run()
    await household.async_pass(QUIET_AFTER - timedelta(seconds=2))
    assert household.begun == 0

    await household.async_pass()
    assert household.done == 1
    await household.async_pass(timedelta(hours=5))
    assert household.begun == 1

    await household.async_run()
    await household.async_run()
    await household.async_pass()
    await household.async_pass(timedelta(hours=5))
    assert household.done == household.begun == 2


async def test_a_person_comes_first_and_the_work_is_begun_anew(household: Household):
    household.may_end.clear()
    await household.async_run()
    await household.async_pass()
    assert household.begun == 1

    end = await household.async_begin_run()
    assert household.cancelled == 1
    household.may_end.set()
    end()
    await household.async_pass(timedelta())
    assert household.done == 0
    await household.async_pass()
    assert (household.begun, household.done) == (2, 1)


async def test_what_fails_each_time_is_told_once(
    household: Household, caplog: pytest.LogCaptureFixture
):
    async def warnings() -> int:
        await household.async_run()
        await household.async_pass()
        return sum(
            each.levelno >= logging.WARNING and NAME in each.getMessage() for each in caplog.records
        )

    household.error = OSError("the broom is broken")
    assert [await warnings() for _ in range(3)] == [1, 1, 1]
    assert household.begun == 3
    assert "the broom is broken" in caplog.text

    household.error = None
    assert await warnings() == 1
    assert household.done == 1
    household.error = OSError("broken again")
    assert await warnings() == 2


async def test_it_does_not_see_the_turn_that_began_the_run(
    hass: HomeAssistant, household: Household
):
    with async_get_chat_session(hass, None):
        assert current_session.get() is not None
        await household.async_run()
    await household.async_pass()
    assert household.done == 1
    assert household.session is None


@pytest.mark.parametrize("under_way", [False, True])
async def test_unloading_ends_it(hass: HomeAssistant, household: Household, under_way: bool):
    async def async_setup_entry(_: HomeAssistant, entry: MockConfigEntry) -> bool:
        entry.async_on_unload(household.quiet.stop)
        return True

    async def async_unload_entry(_: HomeAssistant, entry: MockConfigEntry) -> bool:
        return True

    mock_integration(
        hass,
        MockModule(
            DOMAIN, async_setup_entry=async_setup_entry, async_unload_entry=async_unload_entry
        ),
    )
    mock_platform(hass, f"{DOMAIN}.config_flow", None)
    with mock_config_flow(DOMAIN, ConfigFlow):
        assert await hass.config_entries.async_setup(household.entry.entry_id)
    household.may_end.clear()
    await household.async_run()
    if under_way:
        await household.async_pass()

    assert await hass.config_entries.async_unload(household.entry.entry_id)

    assert (household.begun, household.cancelled) == (int(under_way), int(under_way))
    household.may_end.set()
    await household.async_run()
    await household.async_pass(timedelta(hours=5))
    assert household.begun == int(under_way)
    assert household.done == 0
