"""Given a stock Home Assistant, when people use SAGE's actions, each has their own memory."""

import asyncio
import tarfile
from pathlib import Path
from typing import Any

import pytest

from custom_components.sage.memory.long_term_memory import FOLDER
from custom_components.sage.memory.person_memory import PersonMemory
from scripts.demonstration.client import Client, HomeAssistantError

from .conftest import StockHome
from .test_stock_home import sets_sage_up

REFUSAL = "Only administrators can delete the memories of other people"


async def act(client: Client, action: str, /, **fields: Any) -> dict[str, Any]:
    """Call an action over REST; return its response."""
    domain, _, name = action.partition(".")
    answer = await client.post(f"/api/services/{domain}/{name}?return_response", fields)
    response: dict[str, Any] = answer["service_response"]
    return response


@pytest.mark.slow
async def test_each_person_has_a_memory_of_their_own(stock_home: StockHome, tmp_path: Path) -> None:
    home = stock_home
    await sets_sage_up(home)

    await tells_and_recalls(home)
    await keeps_others_out(home)
    await is_described(home)
    await reports_figures_only(home)
    await is_backed_up(home, tmp_path)
    assert home.complaints() == []


async def tells_and_recalls(home: StockHome) -> None:
    """Have both people state a fact and ask for it."""
    for client, team in ((home.owner, "the Canadiens"), (home.guest, "the Bruins")):
        await act(client, "sage.remember", text=f"My team is {team}.")
    for client, team in ((home.owner, "the Canadiens"), (home.guest, "the Bruins")):
        found = await act(client, "sage.recall", question="Which team do I support?")
        assert [each["text"] for each in found["memories"]] == [f"My team is {team}."]


async def keeps_others_out(home: StockHome) -> None:
    """Let the guest try to reach what the owner said, and the owner delete the guest's."""
    mine, theirs = [
        (await client.call("auth/current_user"))["id"] for client in (home.owner, home.guest)
    ]
    with pytest.raises(HomeAssistantError, match=REFUSAL):
        await home.guest.call(
            "call_service",
            domain="sage",
            service="forget",
            service_data={"user": mine, "everything": True},
            return_response=True,
        )
    gone = await act(home.owner, "sage.forget", user=theirs, everything=True)
    assert gone == {"forgotten": 1}
    assert (await act(home.guest, "sage.list_memories"))["memories"] == []
    assert (await act(home.owner, "sage.list_memories"))["total"] == 1
    await act(home.guest, "sage.remember", text="My mother lives in Quebec.")


async def is_described(home: StockHome) -> None:
    """Look at the actions as the form for automations shows them."""
    described = (await home.owner.call("get_services"))["sage"]
    assert set(described["forget"]["fields"]["first_day"]["selector"]) == {"date"}
    assert described["recall"]["response"] == {"optional": False}
    assert described["remember"]["response"] == {"optional": True}
    words = await home.owner.call(
        "frontend/get_translations", language="de", category="services", integration=["sage"]
    )
    assert words["resources"]["component.sage.services.forget.name"] == "Vergessen"
    icons = await home.owner.call("frontend/get_icons", category="services", integration="sage")
    assert icons["resources"]["sage"]["recall"]["service"] == "mdi:head-question"


async def reports_figures_only(home: StockHome) -> None:
    """Download the diagnostics."""
    (entry,) = await home.owner.call("config_entries/get", domain="sage")
    report = await home.owner.get(f"/api/diagnostics/config_entry/{entry['entry_id']}")
    people = report["data"]["memory"]
    assert [each["memories"] for each in people] == [1, 1]
    assert "Quebec" not in str(report)
    assert "Canadiens" not in str(report)


async def is_backed_up(home: StockHome, tmp_path: Path) -> None:
    """Make a backup and look into it."""
    await home.owner.call("backup/generate", agent_ids=["backup.local"], include_database=False)
    made: list[Path] = []
    while not made:
        await asyncio.sleep(0.2)
        if (await home.owner.call("backup/info"))["state"] == "idle":
            made = list((home.server.folder / "backups").glob("*.tar"))
    with tarfile.open(made[0]) as outer:
        (inner,) = [each for each in outer.getnames() if each.endswith(".tar.gz")]
        with tarfile.open(fileobj=outer.extractfile(inner), mode="r:gz") as core:
            core.extractall(tmp_path / "restored", filter="data")
    mine = (await home.owner.call("auth/current_user"))["id"]
    memory = PersonMemory.open(tmp_path / "restored" / "data" / FOLDER / f"{mine}.db")
    try:
        assert [each.text for each in memory.list()] == ["My team is the Canadiens."]
    finally:
        memory.close()
