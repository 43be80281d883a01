"""SmartThings comes, goes, changes its shape, or was never there: SAGE goes on."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from benchmark.fake_model_server import FakeModelServer
from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.connection import async_add_smartthings, async_point_at
from benchmark.simulator.request_log import RequestKind
from custom_components.sage.const import DOMAIN
from custom_components.sage.home.directory import render_index
from custom_components.sage.people.person import HOUSEHOLD
from tests.decisions import NATIVE, step
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.exposing import expose_all
from tests.smartthings_home import SmartThings, async_disconnect
from tests.waiting import until

from .conftest import MakeSmartSage
from .failing_home import CHANNEL, COURSE, FailingHome

RAW = "smartthings main (television): tvChannel"


async def index(sage: Sage) -> str:
    view = sage.entry.runtime_data.home.of(HOUSEHOLD)
    return str(render_index(await view.async_listing()))


def issues(hass: HomeAssistant) -> list[str]:
    return [each.issue_id for each in ir.async_get(hass).issues.values() if each.domain == DOMAIN]


def listeners(smartthings: SmartThings) -> dict[str, int]:
    """Return how many listen to each kind of event of the client."""
    return {
        name: len(kept) if isinstance(kept, list) else sum(map(len, kept.values()))
        for name, kept in vars(smartthings.client).items()
        if name.endswith("event_listeners")
    }


def under_way() -> set[str]:
    """Return the names of the tasks that SAGE has for requests and for SmartThings."""
    ours = ("SAGE SmartThings", "sage definition", "sage run")
    names = {each.get_name() for each in asyncio.all_tasks() if not each.done()}
    return {each for each in names if each.startswith(ours)}


async def assert_all_is_over() -> None:
    """Assert that what was broken off ends."""
    await until(lambda: not under_way())


async def turn_off_the_light(sage: Sage) -> str:
    said = "turn off the light in the dining room"
    device = "dining_room_light_strip"
    sage.model_says(
        *NATIVE.planned(said, step("command", device, capabilities=("light",))),
        NATIVE.execute(device, command="turn_off"),
        *[NATIVE.finish("acted", "The light is off.")] * 2,
    )
    return await sage.hear(said, language="en")


AWAY = "Samsung 8 Series: unavailable."


async def assert_raw_is_gone(home: FailingHome) -> None:
    """Assert that a raw command is unknown, is not sent, and that the answer says so."""
    assert "smartthings main" not in await index(home.sage)
    posts = home.posts
    heard = await home.hear(CHANNEL, tries=2)
    assert heard.removesuffix(f" {AWAY}") in (
        "I have not changed anything.",
        "I have not changed anything else.",
    )
    assert home.observation().startswith("Error: ")
    assert home.posts == posts


# ------------------------------------------------------------- never there


async def test_a_home_without_smartthings(cloud: SimulatedCloud, sage: Sage) -> None:
    await async_point_at(sage.hass, cloud)
    assert "smartthings" not in await index(sage)
    decides = NATIVE.execute("kitchen_light", command="turn_on")
    sage.model_says(
        *NATIVE.planned("kitchen light on", step("command", "kitchen_light")),
        decides,
        NATIVE.finish("acted", "The kitchen light is on."),
    )
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    assert await sage.hass.config_entries.async_reload(sage.entry.entry_id)
    assert issues(sage.hass) == []
    assert cloud.requests == []
    assert under_way() == set()


async def test_an_entry_that_cannot_be_set_up_yet(
    hass: HomeAssistant, homeassistant: None, cloud: SimulatedCloud, model_server: FakeModelServer
) -> None:
    await async_point_at(hass, cloud)
    cloud.faults.refuse_state(RequestKind.SUBSCRIPTION)
    entry = await async_add_smartthings(hass, cloud)
    assert entry.state is ConfigEntryState.SETUP_RETRY
    sage = await async_make_sage(hass, model_server)
    asked = len(cloud.requests)
    assert "smartthings" not in await index(sage)
    assert issues(hass) == []
    assert len(cloud.requests) == asked, "SAGE asked the cloud of an entry that is not loaded"

    cloud.faults.clear()
    assert await hass.config_entries.async_reload(entry.entry_id)
    expose_all(hass)
    assert RAW in await index(sage)
    smartthings = SmartThings(hass=hass, cloud=cloud, entry=entry, connected_at=0)
    assert await FailingHome(sage, smartthings).hear(CHANNEL) == CHANNEL.claim
    await hass.config_entries.async_remove(sage.entry.entry_id)
    await async_disconnect(hass, entry)


# ------------------------------------------------------------- goes and comes


async def test_unloaded_and_loaded_again(hass: HomeAssistant, home: FailingHome) -> None:
    entry_id = home.smartthings.entry.entry_id
    assert RAW in await index(home.sage)
    await hass.config_entries.async_unload(entry_id)
    await assert_raw_is_gone(home)
    assert issues(hass) == []

    await hass.config_entries.async_setup(entry_id)
    assert RAW in await index(home.sage)
    assert await home.hear(CHANNEL) == CHANNEL.claim
    assert home.posts == 1


async def test_reloaded(hass: HomeAssistant, home: FailingHome) -> None:
    before, client = listeners(home.smartthings), home.smartthings.client
    await hass.config_entries.async_reload(home.smartthings.entry.entry_id)
    assert home.smartthings.client is not client
    assert listeners(home.smartthings) == before
    assert RAW in await index(home.sage)
    assert await home.hear(CHANNEL) == CHANNEL.claim
    await home.assert_serves()


async def test_removed(hass: HomeAssistant, home: FailingHome) -> None:
    await hass.config_entries.async_remove(home.smartthings.entry.entry_id)
    await assert_raw_is_gone(home)
    assert "samsung_8_series" not in await index(home.sage)
    assert issues(hass) == []


GONE = {
    "unload": "Error: Samsung 8 Series has no command tvChannel.setTvChannel. It has: turn_on(), ",
    "delete": 'Error: There is no device "samsung_8_series". The nearest: ',
}


@pytest.mark.parametrize("way", GONE)
async def test_gone_between_the_plan_and_the_command(home: FailingHome, way: str) -> None:
    hang = home.cloud.faults.hang(RequestKind.DEFINITION)
    asked = asyncio.create_task(home.hear(CHANNEL, tries=2))
    await hang.struck.wait()
    if way == "unload":
        await home.hass.config_entries.async_unload(home.smartthings.entry.entry_id)
    else:
        home.cloud.remove(CHANNEL.label)
        await home.smartthings.async_settle()
    home.cloud.faults.clear()
    assert (await asked).startswith("I have not changed anything.")
    assert home.observation().startswith(GONE[way])
    assert home.posts == 0


async def test_reloaded_between_the_plan_and_the_command(home: FailingHome) -> None:
    hang = home.cloud.faults.hang(RequestKind.DEFINITION)
    asked = asyncio.create_task(home.hear(CHANNEL))
    await hang.struck.wait()
    await home.hass.config_entries.async_reload(home.smartthings.entry.entry_id)
    home.cloud.faults.clear()
    assert await asked == CHANNEL.claim
    assert home.posts == 1


async def test_unloaded_while_a_command_is_under_way(home: FailingHome) -> None:
    hang = home.cloud.faults.hang(RequestKind.COMMANDS)
    asked = asyncio.create_task(home.hear(CHANNEL, tries=2))
    await hang.struck.wait()
    await home.hass.config_entries.async_unload(home.smartthings.entry.entry_id)
    home.cloud.faults.clear()
    assert await asked == (
        "SmartThings gave no clear answer to the command for Samsung 8 Series, so I don't know "
        "whether it arrived. Please check."
    )
    assert home.observation() == CHANNEL.observed(
        "NOT CONFIRMED, do not say that it worked. The connection to SmartThings broke, so whether "
        "the command arrived is not known, and the device is offline or removed by now: do not "
        "send it again; tell the person that it is not confirmed, or read the values later."
    )
    assert home.observation(2).startswith(GONE["unload"])
    assert home.posts == 1


async def test_a_device_that_is_deleted_in_the_cloud(home: FailingHome) -> None:
    home.cloud.remove(CHANNEL.label)
    await home.smartthings.async_settle()
    assert "samsung_8_series" not in await index(home.sage)
    assert await home.hear(CHANNEL) == "I have not changed anything."
    assert home.posts == 0
    assert await home.hear(COURSE) == COURSE.claim
    await home.assert_serves()


async def test_a_device_that_is_deleted_without_a_word(home: FailingHome) -> None:
    """The cloud refuses with 403, as for every id that it does not know."""
    home.cloud.stream.fall_silent()
    home.cloud.remove(CHANNEL.label)
    heard = await home.hear(CHANNEL)
    assert heard == (
        "SmartThings did not accept the command for Samsung 8 Series, so I did not change it."
    )
    assert home.posts == 1


# ------------------------------------------------------------- another shape


type Misshape = Callable[[SmartThings, pytest.MonkeyPatch], None]


class OtherData:
    """Entry data of other releases."""

    def __init__(self, data: Any) -> None:
        self.known_devices = data.devices
        self.api = data.client


def _lose_devices(smartthings: SmartThings, patch: pytest.MonkeyPatch) -> None:
    data = smartthings.entry.runtime_data
    patch.setattr(data, "devices", list(data.devices.values()))


def _lose_client(smartthings: SmartThings, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(smartthings.entry.runtime_data, "client", object())


def _replace(smartthings: SmartThings, patch: pytest.MonkeyPatch) -> None:
    data = smartthings.entry.runtime_data
    patch.setattr(smartthings.entry, "runtime_data", OtherData(data))


@pytest.mark.parametrize("misshape", [_lose_devices, _lose_client, _replace])
async def test_an_entry_of_another_shape(
    smartthings: SmartThings, make_smart_sage: MakeSmartSage, misshape: Misshape
) -> None:
    heard = listeners(smartthings)
    with pytest.MonkeyPatch.context() as patch:
        misshape(smartthings, patch)
        sage = await make_smart_sage()
        assert sage.entry.state is ConfigEntryState.LOADED
        assert "smartthings main" not in await index(sage)
        assert await turn_off_the_light(sage) == "The light is off."
    home = FailingHome(sage, smartthings)
    await assert_raw_is_gone(home)
    assert listeners(smartthings) == heard

    await smartthings.hass.config_entries.async_reload(smartthings.entry.entry_id)
    assert RAW in await index(sage)
    assert await home.hear(CHANNEL) == CHANNEL.claim
