"""A real Home Assistant whose users are lost, or that is killed: nobody loses anything.

Users are lost as in homes: a file that a power cut left half, and accounts created again.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import answer_obediently
from scripts.demonstration.accounts import FILE as ACCOUNTS
from scripts.demonstration.client import Client, connected
from scripts.demonstration.configure import set_up_sage
from scripts.demonstration.home_server import LOG, HomeServer, home_server
from scripts.demonstration.model_choice import ModelServer

FIX = "/api/repairs/issues/fix"
TEA = "I never drink coffee, only tea"
WATER = {"action": "say that the plants need water", "daily": "08:00:00", "kind": "tell"}
BINS = {"action": "say that the bins go out", "daily": "19:30:00", "kind": "tell"}

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("socket_enabled")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """A home that runs, and two people who are signed in."""

    server: HomeServer
    owner: Client
    alex: Client


type Opens = Callable[[], Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def opens(folder: Path, model_server: FakeModelServer, unused_tcp_port: int) -> Opens:
    """Start Home Assistant, with SAGE; it ends with the block."""
    model_server.say(answer_obediently)

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Home]:
        is_new = not (folder / ".storage" / "sage").exists()
        async with (
            home_server(folder, None, unused_tcp_port) as server,
            connected(server.url, server.owner.token) as owner,
            connected(server.url, server.account("alex").token) as alex,
        ):
            if is_new:
                await set_up_sage(owner, ModelServer(base_url=model_server.url, model="test-model"))
            yield Home(server=server, owner=owner, alex=alex)

    return opened


async def act(person: Client, service: str, **data: Any) -> dict[str, Any]:
    """Call an action of SAGE as a person, and return its response."""
    result = await person.call(
        "call_service", domain="sage", service=service, service_data=data, return_response=True
    )
    response: dict[str, Any] = result["response"]
    return response


async def move_in(alex: Client) -> None:
    """Have Alex say something, and create two routines, one of them paused."""
    await act(alex, "remember", text=TEA)
    await act(alex, "create_routine", **WATER)
    bins = await act(alex, "create_routine", **BINS)
    await act(alex, "pause_routine", routine=bins["id"])


async def told_of(person: Client) -> list[str]:
    return [each["text"] for each in (await act(person, "list_memories"))["memories"]]


async def routines_of(person: Client) -> dict[str, str]:
    routines = (await act(person, "list_routines"))["routines"]
    return {each["action"]: each["status"] for each in routines}


MOVED_IN = {WATER["action"]: "watching", BINS["action"]: "paused"}


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for what another process does."""
    async with asyncio.timeout(250):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def test_who_is_back_after_a_damaged_file_of_users_has_everything(
    opens: Opens, folder: Path
) -> None:
    async with opens() as home:
        await move_in(home.alex)
    auth = folder / ".storage" / "auth"
    intact = auth.read_bytes()
    (memory,) = (folder / ".storage" / "sage" / "memory").glob("*.db")

    auth.write_bytes(intact[: len(intact) // 2])
    nobody_can_sign_in = asyncio.create_task(opens().__aenter__())
    log = folder / LOG
    await until(lambda: not memory.exists() or "are set aside" in log.read_text())
    nobody_can_sign_in.cancel()
    await asyncio.gather(nobody_can_sign_in, return_exceptions=True)
    assert memory.exists()

    auth.write_bytes(intact)
    async with opens() as home:
        assert await told_of(home.alex) == [TEA]
        assert await routines_of(home.alex) == MOVED_IN


async def test_new_accounts_in_an_old_folder_are_given_what_is_there(
    opens: Opens, folder: Path
) -> None:
    async with opens() as home:
        await move_in(home.alex)
    for lost in (".storage/auth", ".storage/auth_provider.homeassistant", ACCOUNTS):
        (folder / lost).unlink()

    async with opens() as home:
        assert await told_of(home.alex) == []
        issues = (await home.owner.call("repairs/list_issues"))["issues"]
        (issue,) = [each for each in issues if each["translation_key"] == "owner_absent"]
        assert issue["translation_placeholders"]["name"] == "Alex"
        people = await home.owner.call("config/auth/list")
        (alex,) = [each["id"] for each in people if each["name"] == "Alex"]

        begun = {"handler": "sage", "issue_id": issue["issue_id"]}
        step = f"{FIX}/{(await home.owner.post(FIX, begun))['flow_id']}"
        await home.owner.post(step, {"next_step_id": "give"})
        ended = await home.owner.post(step, {"person": alex})
        assert ended["type"] == "create_entry"
        assert await told_of(home.alex) == [TEA]
        assert await routines_of(home.alex) == MOVED_IN

        await home.server.kill()
    async with opens() as home:
        assert await told_of(home.alex) == [TEA]
        assert await routines_of(home.alex) == MOVED_IN
        assert len(list((folder / ".storage" / "sage" / "memory").glob("*.db"))) == 1


async def test_a_number_is_the_same_routine_after_a_kill(opens: Opens, folder: Path) -> None:
    async with opens():
        pass
    async with opens() as home:
        errand = await act(home.alex, "create_routine", **WATER)
        await act(home.alex, "delete_routine", routine=errand["id"])
        owners = await act(home.owner, "create_routine", **BINS)
        assert owners["number"] == errand["number"] + 1
        # What the registry of Home Assistant knows is written seconds later.
        await home.server.kill()

    async with opens() as home:
        (again,) = (await act(home.owner, "list_routines"))["routines"]
        assert (again["number"], again["id"]) == (owners["number"], owners["id"])
        assert again["entity_id"] == owners["entity_id"]
        alexes = await act(home.alex, "create_routine", **WATER)
        assert alexes["number"] > owners["number"]

        deleted = await act(home.owner, "delete_routine", routine=owners["entity_id"])
        assert deleted["id"] == owners["id"]
        assert await routines_of(home.alex) == {WATER["action"]: "watching"}
