"""Definitions: fetched when needed, within the limits, kept for weeks."""

import asyncio
from copy import deepcopy
from datetime import timedelta

import pytest

from benchmark.simulator.definitions import definitions, texts
from custom_components.sage.home.smartthings import definition_store
from custom_components.sage.home.smartthings.client import RawClient
from custom_components.sage.home.smartthings.definition_store import STORAGE_KEY, DefinitionStore
from custom_components.sage.home.smartthings.raw import CloudError, CloudErrorKind, TextOrigin

ENTRY = "entry"


class Shelf:
    """A cloud that has the definitions of the simulated one, and counts who asks."""

    def __init__(self):
        self.asked = []
        self.texts_asked = []
        self.error = None
        self.answer = None
        self.texts = texts()
        self.gate = asyncio.Event()
        self.gate.set()

    async def async_definition(self, entry_id, capability, version=1):
        self.asked.append(capability)
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        if self.answer is not None:
            return self.answer
        if capability not in definitions():
            raise CloudError(CloudErrorKind.FORBIDDEN, "no such thing", status=403)
        return deepcopy(definitions()[capability])

    async def async_texts(self, entry_id, capability, version=1):
        self.texts_asked.append(capability)
        if self.error is not None:
            raise self.error
        if capability not in self.texts:
            raise CloudError(CloudErrorKind.NOT_FOUND, "none", status=404)
        return self.texts[capability]


@pytest.fixture
def shelf():
    return Shelf()


@pytest.fixture
async def store(hass, shelf):
    made = DefinitionStore(hass, shelf)
    await made.async_load()
    yield made
    await made.async_close()


async def test_a_definition_is_fetched_once(store, shelf):
    assert not store.known("tvChannel").is_complete

    first = await store.async_get(ENTRY, ["tvChannel", "switch", "tvChannel"])
    again = await store.async_get(ENTRY, ["tvChannel"])

    assert first["tvChannel"].is_complete
    assert first["tvChannel"].summary
    assert again["tvChannel"] == first["tvChannel"] == store.known("tvChannel")
    assert sorted(shelf.asked) == ["switch", "tvChannel"]


async def test_all_who_ask_at_once_share_one_fetch(store, shelf):
    shelf.gate.clear()
    waiting = [asyncio.create_task(store.async_get(ENTRY, ["switch"])) for _ in range(5)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    shelf.gate.set()

    found = await asyncio.gather(*waiting[1:])
    assert all(each["switch"].is_complete for each in found)
    assert shelf.asked == ["switch"]


async def test_it_outlives_a_restart_and_is_fetched_anew_after_weeks(
    hass, store, shelf, hass_storage, freezer
):
    await store.async_get(ENTRY, ["switch"])
    await store.async_close()
    assert "switch" in hass_storage[STORAGE_KEY]["data"]["definitions"]

    other = DefinitionStore(hass, shelf)
    await other.async_load()
    assert (await other.async_get(ENTRY, ["switch"]))["switch"].is_complete
    assert shelf.asked == ["switch"]

    freezer.tick(timedelta(weeks=4, minutes=1))
    shelf.gate.clear()
    served = await other.async_get(ENTRY, ["switch"])
    assert served["switch"].is_complete
    shelf.gate.set()
    await hass.async_block_till_done(wait_background_tasks=True)
    assert shelf.asked == ["switch", "switch"]
    await other.async_get(ENTRY, ["switch"])
    assert len(shelf.asked) == 2
    await other.async_close()


async def test_what_is_kept_and_cannot_be_read_is_left_out(hass, shelf, hass_storage):
    good = {"data": definitions()["switch"], "fetched": 1.0, "texts": "?"}
    hass_storage[STORAGE_KEY] = {
        "version": 1,
        "key": STORAGE_KEY,
        "data": {"definitions": {"switch": good, "lock": 5, "battery": {"data": {}}}},
    }
    store = DefinitionStore(hass, shelf)
    await store.async_load()
    assert store.known("switch").is_complete
    assert not store.known("battery").is_complete

    hass_storage[STORAGE_KEY]["data"] = ["nonsense"]
    empty = DefinitionStore(hass, shelf)
    await empty.async_load()
    assert not empty.known("switch").is_complete


async def test_no_more_than_fifteen_a_minute_and_nobody_waits_for_the_rest(
    hass, store, shelf, monkeypatch
):
    monkeypatch.setattr(definition_store, "LONGEST_WAIT", 1.0)
    wanted = sorted(definitions())[:20]

    found = await store.async_get(ENTRY, wanted)

    assert len(shelf.asked) == 15
    assert sum(each.is_complete for each in found.values()) == 15
    assert set(found) == set(wanted)


@pytest.mark.parametrize("kind", [CloudErrorKind.FORBIDDEN, CloudErrorKind.SERVER])
async def test_a_refusal_is_remembered_for_a_while(store, shelf, freezer, kind):
    shelf.error = CloudError(kind, "no")
    for _ in range(3):
        assert not (await store.async_get(ENTRY, ["switch"]))["switch"].is_complete
    assert shelf.asked == ["switch"]

    shelf.error = None
    freezer.tick(timedelta(days=1, minutes=1))
    assert (await store.async_get(ENTRY, ["switch"]))["switch"].is_complete


async def test_nothing_is_asked_while_the_cloud_wants_a_pause(store, shelf, freezer):
    shelf.error = CloudError(CloudErrorKind.RATE_LIMIT, "slowly", retry_after=43.0)
    await store.async_get(ENTRY, ["switch"])
    shelf.error = None
    await store.async_get(ENTRY, ["lock", "battery"])
    assert shelf.asked == ["switch"]

    freezer.tick(44)
    assert (await store.async_get(ENTRY, ["lock"]))["lock"].is_complete


async def test_an_error_body_is_no_definition(store, shelf):
    shelf.answer = {"requestId": "1", "error": {"code": "UnexpectedError"}}
    for _ in range(2):
        assert not (await store.async_get(ENTRY, ["switch"]))["switch"].is_complete
    assert shelf.asked == ["switch"]


async def test_texts_of_the_cloud_come_first_then_the_model_then_the_name(store, shelf):
    class Writer:
        async def async_summarize(self, definitions):
            self.asked = [each.id for each in definitions]
            return {each.id: f"Is about {each.id}" for each in definitions[:1]}

    told = "switch"
    shelf.texts = {told: {"label": "Switch", "description": "Turns things on", "attributes": {}}}
    untold = "samsungce.kidsLock"
    await store.async_get(ENTRY, [told, untold])
    writer = Writer()
    assert await store.async_write_missing(writer, ["custom.launchapp"]) == 2

    assert store.known(told).summary == "Turns things on"
    assert store.known(told).origin is TextOrigin.API
    assert store.known(untold).origin is TextOrigin.GENERATED
    assert store.known(untold).summary == f"Is about {untold}"
    assert store.known("custom.dryerDryLevel").origin is TextOrigin.IDENTIFIER
    assert told not in writer.asked

    assert await store.async_write_missing(writer) == 0
    assert shelf.texts_asked == [told, untold]


async def test_texts_are_not_asked_for_where_there_are_none(store, shelf):
    shelf.texts = {}
    await store.async_get(ENTRY, ["switch", "lock", "battery", "alarm", "tone"])
    assert await store.async_write_missing() == 0
    assert len(shelf.texts_asked) == 3

    shelf.error = CloudError(CloudErrorKind.SERVER, "broken")
    assert await store.async_write_missing() == 0
    assert len(shelf.texts_asked) == 3


async def test_a_cloud_that_fails_while_texts_are_asked_for_is_left_alone(store, shelf):
    await store.async_get(ENTRY, ["switch", "lock"])
    shelf.error = CloudError(CloudErrorKind.RATE_LIMIT, "slowly", retry_after=30.0)
    assert await store.async_write_missing() == 0
    assert len(shelf.texts_asked) == 1


async def test_with_the_cloud_itself_each_is_asked_for_once(hass, smartthings, entries):
    entries.async_setup()
    store = DefinitionStore(hass, RawClient(hass, entries))
    entry_id = smartthings.entry.entry_id
    wanted = ["tvChannel", "thermostatCoolingSetpoint"]

    for _ in range(3):
        found = await store.async_get(entry_id, [*wanted, "own.unheardOf"])
    assert all(found[each].is_complete for each in wanted)
    assert not found["own.unheardOf"].is_complete
    assert smartthings.cloud.count("GET", "/v1/capabilities/*/1") == 3

    assert await store.async_write_missing() == sum(each in texts() for each in wanted)
    await store.async_close()
