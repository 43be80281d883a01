"""Each memory gets a vector of the household's model in the background."""

from datetime import timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from benchmark.fake_embedding_server import FakeEmbeddingServer, Fault, Refusal
from custom_components.sage.memory import async_memory
from custom_components.sage.model.language_model import ModelError

from .household import ANNA, EVERYDAY, Connect, Make, connect, make, on_disk, server

__all__ = ["connect", "make", "server"]


async def test_what_is_said_while_vectors_are_made_gets_one_too(
    hass: HomeAssistant, make: Make, server: FakeEmbeddingServer, connect: Connect
):
    embedder = await connect()
    home = make(embedder)

    def say_more(body: dict[str, Any]) -> Refusal | None:
        server.refuses = lambda _: None
        hass.async_create_task(home.say("And I like tea"))
        return None

    server.refuses = say_more
    await home.say("I like hockey")
    await home.settle()

    assert await home.vectors() == 2


async def test_a_recall_makes_up_for_a_few_missing_vectors(
    make: Make, server: FakeEmbeddingServer, connect: Connect
):
    embedder = await connect()
    home = make(embedder)
    await home.plant(*EVERYDAY)

    assert (await home.found("jazz"))[0] == "Play some jazz in the kitchen"

    (request,) = server.requests[:1]
    assert request.texts == ["jazz", *reversed(EVERYDAY)]
    assert await home.vectors() == 5


async def test_a_recall_does_not_wait_for_many_missing_vectors(
    make: Make, server: FakeEmbeddingServer, connect: Connect
):
    embedder = await connect()
    home = make(embedder)
    await home.plant("Xolani", *(f"I like dish {number}" for number in range(99)))

    assert (await home.found("Xolani", count=1)) == ["Xolani"], "found by its word"

    assert len(server.requests[0].texts) <= 8
    # The rest comes in the background.
    await home.settle()
    assert await home.vectors() == 100


async def test_vectors_of_another_size_are_replaced_in_the_background(
    hass: HomeAssistant, make: Make, server: FakeEmbeddingServer, connect: Connect
):
    home = make(await connect())
    for text in EVERYDAY:
        await home.say(text)
    await home.settle()
    await home.memory.async_close()
    server.dimensions = 48

    embedder = await connect()
    home = make(embedder)
    await home.say("I like tea")
    await home.settle()
    await home.memory.async_embed_all()
    await home.settle()

    assert await home.vectors() == 6
    assert (await home.found("some jazz"))[0] == "Play some jazz in the kitchen"


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a model that failed be asked again at once."""
    monkeypatch.setattr(async_memory, "REST_SECONDS", 0.0)


@pytest.mark.parametrize("fault", [Fault.DROPPED, Fault.NOT_JSON, Refusal(status=500)])
@pytest.mark.usefixtures("restless")
async def test_words_are_compared_while_the_server_fails(
    hass: HomeAssistant,
    make: Make,
    server: FakeEmbeddingServer,
    connect: Connect,
    fault: Fault | Refusal,
):
    home = make(await connect())
    for text in EVERYDAY:
        await home.say(text)
    await home.settle()
    server.fail_always(fault)
    home.reports.clear()

    assert await home.found("the Canadiens", count=1) == ["I never miss a game of the Canadiens"]
    assert [isinstance(each, ModelError) for each in home.reports] == [True]
    await home.say("I like tea")
    await home.settle()
    assert "I like tea" in await home.found("tea")
    assert None not in home.reports
    assert await home.missing() == 1

    server.fail_always(None)
    assert "I like tea" in await home.found("tea")
    assert home.reports[-1] is None
    await home.settle()
    assert await home.missing() == 0
    assert on_disk(hass, "anna") == [*EVERYDAY, "I like tea"]


async def test_a_server_that_failed_is_left_in_peace_for_a_while(
    make: Make, server: FakeEmbeddingServer, connect: Connect
):
    home = make(await connect())
    server.fail_always(Refusal(status=503))
    await home.say("I like hockey")
    await home.settle()
    assert len(server.requests) == 1

    for _ in range(3):
        assert await home.found("hockey") == ["I like hockey"]
        await home.say("I like hockey")
    await home.settle()

    assert len(server.requests) == 1


async def test_a_slow_server_holds_nobody_up(
    make: Make, server: FakeEmbeddingServer, connect: Connect, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(async_memory, "PATIENCE_SECONDS", 0.05)
    home = make(await connect())
    await home.plant(*EVERYDAY)
    server.fail_always(Fault.HANG)

    found = await home.found("the Canadiens")

    assert found[0] == "I never miss a game of the Canadiens"
    (report,) = home.reports
    assert "too slow" in str(report)


@pytest.mark.usefixtures("restless")
async def test_what_a_server_missed_is_made_up_for_though_nobody_asks(
    hass: HomeAssistant,
    make: Make,
    server: FakeEmbeddingServer,
    connect: Connect,
    freezer: FrozenDateTimeFactory,
):
    home = make(await connect())
    server.fail_always(Refusal(status=503))
    await home.say("I like hockey")
    await home.settle()
    assert await home.missing() == 1
    server.fail_always(None)

    freezer.tick(timedelta(minutes=2))
    async_fire_time_changed(hass)
    await home.settle()

    assert await home.missing() == 0
    assert home.reports[-1] is None
    # Then there is nothing left to ask.
    asked = len(server.requests)
    freezer.tick(timedelta(minutes=2))
    async_fire_time_changed(hass)
    await home.settle()
    assert len(server.requests) == asked


async def test_recall_goes_on_after_a_long_pause(
    hass: HomeAssistant, make: Make, freezer: FrozenDateTimeFactory
):
    home = make()
    await home.say("I like hockey")
    assert await home.found("hockey") == ["I like hockey"]
    await home.settle()

    for minutes, is_loaded in ((9, True), (22, False)):
        freezer.tick(timedelta(minutes=minutes))
        async_fire_time_changed(hass)
        await home.settle()
        loaded = await home.of(ANNA).async_run(lambda memory: memory.recall.vector_bytes)
        assert bool(loaded) is is_loaded

    await home.say("I like tea")
    assert (await home.found("hockey"))[0] == "I like hockey"
