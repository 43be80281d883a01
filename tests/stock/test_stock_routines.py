"""Given a stock Home Assistant, when people have things done later, each sees their own."""

from typing import Any

import pytest

from scripts.demonstration.client import Client, HomeAssistantError

from .conftest import StockHome
from .test_stock_home import sets_sage_up
from .test_stock_memory import act

WORD = "Zwetschgenmus"
LIGHT = "light.bed_light"
CODE = f'def {WORD}():\n    return get_state("{LIGHT}") == "on"\n'
ROUTINE = {"action": f"tell me about the {WORD}", "when": f"{WORD} is there"}
SWITCH = "switch.sage_routine_1"


async def turn(client: Client, to: str) -> None:
    """Switch the first routine."""
    await client.post(f"/api/services/switch/turn_{to}", {"entity_id": SWITCH})


async def shown(home: StockHome, entity_id: str) -> dict[str, Any]:
    """Return what everybody sees of an entity."""
    found: dict[str, Any] = await home.owner.get(f"/api/states/{entity_id}")
    return found


@pytest.mark.slow
async def test_each_person_has_routines_of_their_own(stock_home: StockHome) -> None:
    home = stock_home
    await sets_sage_up(home)

    tried = await act(home.guest, "sage.test_routine", code=CODE)
    assert (tried["value"], tried["error"]) == (False, None)
    made = await act(home.guest, "sage.create_routine", **ROUTINE, code=CODE)
    timer = await act(home.owner, "sage.create_routine", action="beep", in_minutes=90)

    assert (made["entity_id"], timer["number"]) == (SWITCH, 2)
    for client, routine in ((home.guest, made), (home.owner, timer)):
        listed = (await act(client, "sage.list_routines"))["routines"]
        assert [each["id"] for each in listed] == [routine["id"]]
    states = await home.owner.get("/api/states")
    assert WORD not in str(states)
    assert (await shown(home, SWITCH))["attributes"]["status"] == "watching"
    assert (await shown(home, "event.sage_routines"))["attributes"]["number"] == 2

    await turn(home.guest, "off")
    assert await home.state(SWITCH) == "off"
    await turn(home.owner, "on")
    assert await home.state(SWITCH) == "on"
    with pytest.raises(HomeAssistantError):
        await act(home.guest, "sage.delete_routine", routine=timer["entity_id"])
    deleted = await act(home.owner, "sage.delete_routine", routine=SWITCH)
    assert "action" not in deleted
    assert [each["entity_id"] for each in await home.owner.get("/api/states")].count(SWITCH) == 0
    log = (home.server.folder / "home-assistant.log").read_text(encoding="utf-8")
    assert WORD not in log
