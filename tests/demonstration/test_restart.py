"""Persistent commands outlive the process of Home Assistant, in both homes of the demo."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Script, answer_obediently
from scripts.demonstration import accounts, happen
from scripts.demonstration.client import Client, connected
from scripts.demonstration.configure import preferred_pipeline, sage_entity, set_up_sage
from scripts.demonstration.furnished_homes import DEMO, HOMES, SMARTTHINGS
from scripts.demonstration.happen import Happened, World
from scripts.demonstration.home_server import home_server
from scripts.demonstration.model_choice import ModelServer
from scripts.demonstration.options import HomeEventStep, Saying
from scripts.demonstration.say import Said, Speaker
from tests.end_to_end.routines.stories import Story, stories

from .scripted import decides

KINDS = {DEMO: "entities", SMARTTHINGS: "smartthings"}


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(happen, "QUIET", 1.5)
    monkeypatch.setattr(happen, "FIRST_SIGN", 6.0)


class Visit:
    """A while in a home that runs."""

    def __init__(
        self, server: FakeModelServer, owner: Client, speaker: Speaker, world: World, name: str
    ) -> None:
        self._server = server
        self._owner = owner
        self._speaker = speaker
        self._world = world
        self._events = HOMES[name].events

    async def ask_for(self, story: Story) -> Said:
        wish = story.wish
        return await self.ask(
            wish.said, decides(wish.decisions(), [wish.said, f"Task: {wish.when}"])
        )

    async def ask(self, text: str, model: Script) -> Said:
        """Say something in a conversation of its own."""
        self._server.say(model)
        self._speaker.begin_anew()
        return await self._speaker.say(Saying(text=text))

    async def issues(self) -> set[str]:
        listed = await self._owner.call("repairs/list_issues")
        return {each["issue_id"] for each in listed["issues"] if each["domain"] == "sage"}

    async def until(self, entity_id: str, state: str) -> None:
        following = self._owner.follow("subscribe_entities", entity_ids=[entity_id])
        async for event in following:
            told = event.get("a", {}).get(entity_id) or event.get("c", {}).get(entity_id, {})
            if told.get("+", told).get("s") == state:
                return

    async def darken(self) -> None:
        await self._owner.call(
            "call_service", domain="light", service="turn_off", service_data={"entity_id": "all"}
        )

    async def let(self, event: str, story: Story | None = None) -> Happened:
        """Trigger an event, which may lead to a report."""
        expect = (story.tells,) if story and story.tells else ()
        decisions = story.decides(1) if story else ()
        self._server.say(decides(decisions, [story.wish.action] if story else ["Request:"]))
        return await self._world.happen(
            HomeEventStep(event=self._events[event], expect=expect, expect_nothing=story is None)
        )


@asynccontextmanager
async def visit(
    server: FakeModelServer, folder: Path, port: int, name: str, *, is_first: bool
) -> AsyncGenerator[Visit]:
    """Start Home Assistant in the folder, and end it again."""
    server.say(answer_obediently)
    async with (
        home_server(folder, None, port, home=HOMES[name]) as home,
        connected(home.url, home.owner.token) as owner,
        connected(home.url, home.account("alex").token) as alex,
    ):
        if is_first:
            await set_up_sage(owner, ModelServer(base_url=server.url, model="test-model"))
        pipeline = await preferred_pipeline(owner, await sage_entity(owner), "en")
        has_cloud = home.home.has_cloud
        yield Visit(
            server,
            owner,
            Speaker(alex, owner, pipeline, has_cloud=has_cloud),
            World(alex, owner, has_cloud=has_cloud),
            name,
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
async def test_all_again_after_a_restart(
    socket_enabled: None,
    model_server: FakeModelServer,
    unused_tcp_port: int,
    tmp_path: Path,
    name: str,
) -> None:
    told = stories(KINDS[name])
    wanted = [told[each] for each in ("nightstand", "volume", "lamp", "milk")]
    folder = tmp_path / "kept"
    async with visit(model_server, folder, unused_tcp_port, name, is_first=True) as first:
        for story in wanted:
            said = await first.ask_for(story)
            assert said.complaints == (), said.answer
            assert (story.promises or story.wish.action) in said.answer
        fired = await first.let("open-fridge", told["milk"])
        assert fired.complaints == ()
        assert [each.text for each in fired.delivered] == [told["milk"].tells]
        assert (await first.let("open-fridge")).complaints == ()
    async with visit(model_server, folder, unused_tcp_port, name, is_first=False) as again:
        await again.darken()
        for event, name_of_story in (
            ("dishwasher-done", "nightstand"),
            ("dishwasher-running", "volume"),
            ("tv-off", "lamp"),
            ("open-fridge", "milk"),
            ("open-fridge", ""),
            ("close-fridge", ""),
            ("open-fridge", "milk"),
        ):
            happened = await again.let(event, told.get(name_of_story))
            assert happened.complaints == (), (event, happened)
            assert len(happened.fired) == bool(name_of_story)


def test_accounts_are_never_read_half_written(tmp_path: Path):
    first, second = accounts.invent("a"), accounts.invent("b")
    accounts.save(tmp_path, first)
    with (tmp_path / accounts.FILE).open(encoding="utf-8") as file:
        accounts.save(tmp_path, second)
        assert accounts.from_json(file.read()) == first
    assert accounts.load(tmp_path) == second
