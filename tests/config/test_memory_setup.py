"""Setup of the memory: the embedding models, and the work at night."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from benchmark.fake_embedding_server import FakeEmbeddingServer
from benchmark.fake_model_server import Completion, FakeModelServer
from custom_components.sage.config import memory_setup
from custom_components.sage.config.memory_setup import async_update_profile
from custom_components.sage.const import DOMAIN
from custom_components.sage.embeddings.minilm import BuiltinEmbedder
from custom_components.sage.memory import async_memory
from custom_components.sage.memory.async_memory import AsyncPersonMemory
from custom_components.sage.memory.memories import Memory
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.household_entry import household_entry

NEW_YORK = "America/New_York"


type SetUp = Callable[..., Any]


@pytest.fixture
async def set_up(hass: HomeAssistant, model_server: FakeModelServer) -> SetUp:
    """Set SAGE up with options; `agents=0` leaves nobody who could write."""

    async def set_up(*, agents: int = 1, **options: Any) -> MockConfigEntry:
        assert await async_setup_component(hass, "conversation", {})
        entry = household_entry(model_server.url, ["react"], agents=agents, options=options)
        entry.add_to_hass(hass)
        assert await hass.config_entries.async_setup(entry.entry_id)
        await settle(hass)
        return entry

    return set_up


async def settle(hass: HomeAssistant) -> None:
    await hass.async_block_till_done(wait_background_tasks=True)


def person_of(user: User | None) -> Person:
    return HOUSEHOLD if user is None else Person(user_id=user.id, name="")


def own(entry: MockConfigEntry, user: User | None) -> AsyncPersonMemory:
    memory: AsyncPersonMemory = entry.runtime_data.memory.of(person_of(user).user_id)
    return memory


async def say(entry: MockConfigEntry, user: User | None, text: str, **more: Any) -> None:
    new = Memory(text=text, at=more.pop("at", dt_util.utcnow()), **more)
    assert await own(entry, user).async_remember(new)


async def found(entry: MockConfigEntry, user: User | None, question: str) -> list[str]:
    recalled = await own(entry, user).async_recall(question)
    return [each.text for each in recalled]


async def profile(entry: MockConfigEntry, user: User | None) -> str:
    return str(await own(entry, user).async_run(lambda file: file.summaries.profile_text()))


def issues(hass: HomeAssistant) -> list[ir.IssueEntry]:
    registry = ir.async_get(hass)
    return [each for (domain, _), each in registry.issues.items() if domain == DOMAIN]


def takes_notes(body: dict[str, Any]) -> Completion:
    """Write as a model that likes whatever it reads."""
    given = body["messages"][-1]["content"]
    if given.startswith("Said on"):
        return Completion(text=f"- {given.splitlines()[-1].rpartition(': ')[2]}")
    claims = [
        {"claim": line[2:], "dates": [day.rstrip(":")]}
        for day, line in zip(given.splitlines()[::2], given.splitlines()[1::2], strict=False)
    ]
    return Completion(text=json.dumps({"claims": claims}))


# ---------------------------------------------------------------- the models


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a model that failed be asked again at once."""
    monkeypatch.setattr(async_memory, "REST_SECONDS", 0.0)


async def missing(entry: MockConfigEntry, user: User) -> int:
    return await own(entry, user).async_run(lambda file: file.count() - file.recall.vector_count())


@pytest.mark.usefixtures("restless")
async def test_one_notice_while_the_server_is_away_and_none_when_it_is_back(
    hass: HomeAssistant, set_up: SetUp, server: FakeEmbeddingServer, anna: User
):
    entry = await set_up(embeddings={"base_url": server.url, "model": "test-embeddings"})
    await say(entry, anna, "I never miss a game of the Canadiens")
    await settle(hass)
    assert issues(hass) == []
    await server.async_stop()

    for text in ("I like tea", "I like cake"):
        await say(entry, anna, text)
        assert (await found(entry, anna, "the Canadiens"))[0].endswith("Canadiens")
        await settle(hass)

    (issue,) = issues(hass)
    assert (issue.issue_id, issue.translation_key) == ("embeddings_away", "embeddings_away")
    assert issue.translation_placeholders == {"model": "test-embeddings"}
    assert issue.severity is ir.IssueSeverity.WARNING

    await server.async_start()
    assert "I like tea" in await found(entry, anna, "tea")
    await settle(hass)
    assert issues(hass) == []
    assert await missing(entry, anna) == 0


async def test_a_built_in_model_that_is_damaged_is_told(
    hass: HomeAssistant, set_up: SetUp, anna: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    damaged = partial(BuiltinEmbedder, file=tmp_path / "none.safetensors")
    monkeypatch.setattr(memory_setup, "BuiltinEmbedder", damaged)
    entry = await set_up()
    await say(entry, anna, "I like tea")
    await settle(hass)

    assert await found(entry, anna, "tea") == ["I like tea"]
    (issue,) = issues(hass)
    assert (issue.issue_id, issue.translation_key) == ("embeddings_away", "embeddings_damaged")


async def test_a_change_of_model_reads_all_memories_anew_in_the_background(
    hass: HomeAssistant, set_up: SetUp, server: FakeEmbeddingServer, anna: User, ben: User
):
    entry = await set_up()
    for number in range(70):
        await say(entry, anna, f"I like dish {number}")
    await say(entry, ben, "I like tea")
    await settle(hass)

    settings = {"base_url": server.url, "model": "test-embeddings"}
    hass.config_entries.async_update_entry(entry, options={"embeddings": settings})
    await settle(hass)

    assert sorted(server.texts) == sorted(
        ["I like tea", *(f"I like dish {number}" for number in range(70))]
    )
    assert await missing(entry, anna) == 0


# ---------------------------------------------------------------- the night


async def night(hass: HomeAssistant, freezer: FrozenDateTimeFactory, *, days: int = 1) -> None:
    """Let it become three o'clock in the morning, and seven minutes, by the clocks of the home."""
    local = dt_util.now() + timedelta(days=days)
    freezer.move_to(local.replace(hour=3, minute=7, second=0, microsecond=500_000))
    async_fire_time_changed(hass)
    await settle(hass)


@pytest.fixture
async def _in_new_york(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_set_time_zone(NEW_YORK)
    freezer.move_to(datetime(2026, 5, 3, 12, tzinfo=dt_util.get_default_time_zone()))


@pytest.mark.usefixtures("_in_new_york")
async def test_profiles_are_built_at_night_by_the_clocks_of_the_home(
    hass: HomeAssistant,
    set_up: SetUp,
    model_server: FakeModelServer,
    freezer: FrozenDateTimeFactory,
    anna: User,
):
    entry = await set_up()
    model_server.say(takes_notes)
    await say(entry, anna, "I like tea")
    await say(entry, None, "We eat at seven")
    # Seven minutes past three in London.
    freezer.move_to("2026-05-04 02:07:00.5+00:00")
    async_fire_time_changed(hass)
    await settle(hass)
    assert model_server.completions == []

    freezer.move_to("2026-05-04 07:07:00.5+00:00")
    async_fire_time_changed(hass)
    await settle(hass)

    assert await profile(entry, anna) == "- I like tea (2026-05-03)"
    assert await profile(entry, None) == "- We eat at seven (2026-05-03)"
    assert len(model_server.completions) == 4
    await night(hass, freezer)
    assert len(model_server.completions) == 4


@pytest.mark.usefixtures("_in_new_york")
async def test_nothing_is_built_for_those_who_do_not_want_it_or_are_not_there(
    hass: HomeAssistant,
    set_up: SetUp,
    model_server: FakeModelServer,
    freezer: FrozenDateTimeFactory,
    anna: User,
    ben: User,
):
    entry = await set_up()
    model_server.say(takes_notes)
    await say(entry, anna, "I like tea")
    await say(entry, ben, "I like cake")
    await own(entry, anna).async_run(lambda file: file.change_settings(enabled=False))
    await hass.auth.async_update_user(ben, is_active=False)

    await night(hass, freezer)

    assert model_server.completions == []
    await own(entry, anna).async_run(lambda file: file.change_settings(enabled=True))
    await hass.auth.async_update_user(ben, is_active=True)
    await night(hass, freezer)
    assert "tea" in await profile(entry, anna)
    assert "cake" in await profile(entry, ben)


@pytest.mark.usefixtures("_in_new_york")
async def test_a_night_forgets_what_is_too_old_even_without_a_model(
    hass: HomeAssistant,
    set_up: SetUp,
    model_server: FakeModelServer,
    freezer: FrozenDateTimeFactory,
    anna: User,
):
    entry = await set_up(retention_days=30, agents=0)
    now = dt_util.utcnow()
    await say(entry, anna, "Long ago", at=now - timedelta(days=40))
    await say(entry, anna, "I like tea", at=now - timedelta(days=2))

    await night(hass, freezer)

    assert await found(entry, anna, "tea") == ["I like tea"]
    assert model_server.completions == []
    assert await async_update_profile(entry, person_of(anna)) is None
