"""Definitions: fetched once, when needed, within the limits."""

import asyncio
from copy import deepcopy

import pytest

from benchmark.simulator.definitions import definitions
from custom_components.sage.home.smartthings.definitions import DefinitionStore
from custom_components.sage.home.smartthings.raw import CloudError, CloudErrorKind

ENTRY = "entry"


class Shelf:
    """A cloud that has the definitions of the simulated one, and counts who asks."""

    def __init__(self):
        self.asked = []
        self.error = None
        self.answer = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def async_definition(self, entry_id, capability):
        self.asked.append(capability)
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        if self.answer is not None:
            return self.answer
        if capability not in definitions():
            raise CloudError(CloudErrorKind.REFUSED, "no such thing", status=403)
        return deepcopy(definitions()[capability])


@pytest.fixture
def shelf():
    return Shelf()


@pytest.fixture
def store(shelf):
    return DefinitionStore(shelf)


async def async_known(store, capability):
    """Return whether the definition is known after a request for it."""
    await store.async_fetch(ENTRY, [capability])
    return store.known(capability).is_complete


async def test_all_who_ask_at_once_share_one_fetch(store, shelf):
    shelf.gate.clear()
    waiting = [asyncio.create_task(store.async_fetch(ENTRY, ["switch"])) for _ in range(5)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    shelf.gate.set()

    await asyncio.gather(*waiting[1:])
    assert store.known("switch").is_complete
    assert shelf.asked == ["switch"]


@pytest.mark.parametrize("kind", [CloudErrorKind.REFUSED, CloudErrorKind.SERVER])
async def test_an_error_is_remembered_for_a_while(store, shelf, freezer, kind):
    shelf.error = CloudError(kind, "no")
    for _ in range(3):
        assert not await async_known(store, "switch")
    assert shelf.asked == ["switch"]

    shelf.error = None
    freezer.tick(61)
    assert await async_known(store, "switch")


async def test_nothing_is_asked_while_the_cloud_wants_a_pause(store, shelf, freezer):
    shelf.error = CloudError(CloudErrorKind.RATE_LIMIT, "slowly", retry_after=43.0)
    await store.async_fetch(ENTRY, ["switch"])
    shelf.error = None
    freezer.tick(42)
    assert not await async_known(store, "switch")
    assert shelf.asked == ["switch"]

    freezer.tick(2)
    assert await async_known(store, "switch")


async def test_an_error_body_is_no_definition(store, shelf):
    shelf.answer = {"requestId": "1", "error": {"code": "UnexpectedError"}}
    for _ in range(2):
        assert not await async_known(store, "switch")
    assert shelf.asked == ["switch"]
