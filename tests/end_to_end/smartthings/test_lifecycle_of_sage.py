"""SAGE is loaded and unloaded while SmartThings runs, and leaves nothing behind."""

import asyncio
import weakref

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import FakeModelServer
from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.connection import async_point_at
from benchmark.simulator.request_log import RequestKind
from tests.end_to_end.conftest import async_make_sage
from tests.exposing import expose_all
from tests.smartthings_home import SmartThings, async_connected
from tests.waiting import until
from tests.without_collector import garbage_of

from .conftest import MakeSmartSage
from .failing_home import CHANNEL, COURSE, FailingHome
from .test_lifecycle import RAW, assert_all_is_over, index, issues, listeners, under_way

ANY_EVENT = "_SmartThings__unspecified_device_event_listeners"


async def test_sage_is_there_before_smartthings(
    hass: HomeAssistant, homeassistant: None, cloud: SimulatedCloud, model_server: FakeModelServer
) -> None:
    await async_point_at(hass, cloud)
    sage = await async_make_sage(hass, model_server)
    assert "smartthings" not in await index(sage)
    async with async_connected(hass, cloud) as smartthings:
        expose_all(hass)
        assert RAW in await index(sage)
        home = FailingHome(sage, smartthings)
        assert await home.hear(CHANNEL) == CHANNEL.claim
        await home.assert_serves()
        await hass.config_entries.async_remove(sage.entry.entry_id)


async def test_sage_comes_after_smartthings_and_goes(
    hass: HomeAssistant, smartthings: SmartThings, make_smart_sage: MakeSmartSage
) -> None:
    before = listeners(smartthings)
    sage = await make_smart_sage()
    with_sage = listeners(smartthings)
    assert with_sage[ANY_EVENT] == before[ANY_EVENT] + 1
    home = FailingHome(sage, smartthings)
    assert await home.hear(CHANNEL) == CHANNEL.claim

    for _ in range(2):
        await hass.config_entries.async_unload(sage.entry.entry_id)
        assert listeners(smartthings) == before
        await assert_all_is_over()
        await hass.config_entries.async_setup(sage.entry.entry_id)
        assert listeners(smartthings) == with_sage
    assert RAW in await index(sage)
    assert await home.hear(COURSE) == COURSE.claim
    assert home.posts == 2
    assert issues(hass) == []

    await hass.config_entries.async_remove(sage.entry.entry_id)
    assert listeners(smartthings) == before
    await assert_all_is_over()
    await smartthings.async_change("Refrigerator", "cooler", "contactSensor", "contact", "open")
    assert hass.states.is_state("binary_sensor.kitchen_refrigerator_fridge_door", "on")
    asked = len(smartthings.cloud.requests)
    smartthings.cloud.stream.keep_alive()
    await smartthings.async_settle()
    assert len(smartthings.cloud.requests) == asked


@pytest.mark.parametrize("kind", [RequestKind.STATUS, RequestKind.DEFINITION, RequestKind.COMMANDS])
async def test_sage_is_unloaded_while_the_cloud_hangs(
    smartthings: SmartThings, make_smart_sage: MakeSmartSage, kind: RequestKind
) -> None:
    before = listeners(smartthings)
    hang = smartthings.cloud.faults.hang(kind)
    sage = await make_smart_sage()
    home = FailingHome(sage, smartthings)
    asked = asyncio.create_task(home.hear(CHANNEL))
    # Values are awaited with the documentation; they were asked for at the beginning.
    await until(lambda: hang.seen and home.sage.model_calls >= 2)
    assert under_way()
    await sage.hass.config_entries.async_unload(sage.entry.entry_id)
    assert await asked == "SAGE is stopping or restarting, so I could not finish."
    await assert_all_is_over()
    assert listeners(smartthings) == before
    assert home.posts == (kind is RequestKind.COMMANDS)

    smartthings.cloud.faults.clear()
    await sage.hass.config_entries.async_setup(sage.entry.entry_id)
    assert await home.hear(COURSE) == COURSE.claim
    await home.assert_serves()


@pytest.mark.parametrize("expected_lingering_timers", [True])
async def test_home_assistant_stops_while_a_command_is_under_way(home: FailingHome) -> None:
    hang = home.cloud.faults.hang(RequestKind.COMMANDS)
    asked = asyncio.create_task(home.hear(CHANNEL, tries=2))
    await hang.struck.wait()
    await home.hass.async_stop(force=True)
    assert await asked == "SAGE is stopping or restarting, so I could not finish."
    await assert_all_is_over()
    assert home.posts == 1


async def test_sage_with_raw_devices_is_freed_without_the_garbage_collector(
    hass: HomeAssistant, smartthings: SmartThings, make_smart_sage: MakeSmartSage
) -> None:
    sage = await make_smart_sage()
    async with garbage_of(hass) as garbage:
        home = FailingHome(sage, smartthings)
        assert await home.hear(CHANNEL) == CHANNEL.claim
        freed = weakref.ref(sage.entry.runtime_data.home)
        await hass.config_entries.async_unload(sage.entry.entry_id)
        await assert_all_is_over()
        assert freed() is None
    assert garbage == []
