"""Given a routine that stopped by itself, when people open its repair issue, they can fix it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component

from custom_components.sage.const import DOMAIN
from custom_components.sage.routines.api.public_routines import issue_id
from custom_components.sage.routines.routine_types import Routine, Status
from custom_components.sage.routines.sandbox.contract import SandboxError
from tests.end_to_end.conftest import Sage
from tests.routine_house import WORD, FakeRoutines, a_routine, no_name
from tests.without_monty import without_monty

STOPPED = (Status.FAILING, Status.NOT_EXPOSED, Status.TOO_OFTEN)
TROUBLE = no_name(WORD)


@pytest.fixture
async def sage(hass: HomeAssistant, load: Callable[[], Awaitable[Sage]]) -> Sage:
    loaded = await load()
    assert await async_setup_component(hass, "repairs", {})
    return loaded


def issue_of(hass: HomeAssistant, routine: Routine) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, issue_id(routine.id))


@pytest.mark.parametrize("status", Status)
async def test_what_stopped_by_itself_has_an_issue_until_it_is_mended(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User, status: Status
):
    routine = routines.add(a_routine(anna))
    assert issue_of(hass, routine) is None

    routines.change(routine.id, status=status, trouble=TROUBLE)
    issue = issue_of(hass, routine)
    assert (issue is not None) == (status in STOPPED)
    if issue is not None:
        assert not issue.is_fixable
        assert issue.translation_placeholders == {"number": "1"}
        assert issue.translation_key == f"routine_{status}"

    routines.change(routine.id, status=Status.WATCHING, trouble=None)
    assert issue_of(hass, routine) is None


async def test_issues_are_there_after_a_reload_and_not_while_unloaded(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, anna: User
):
    routine = routines.add(a_routine(anna, status=Status.FAILING))
    assert issue_of(hass, routine)

    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    assert issue_of(hass, routine) is None
    assert await hass.config_entries.async_setup(sage.entry.entry_id)
    await hass.async_block_till_done()
    assert issue_of(hass, routine)

    await routines.async_delete(routine.id)
    assert issue_of(hass, routine) is None


async def test_no_word_of_a_routine_is_where_everybody_may_look(
    sage: Sage,
    routines: FakeRoutines,
    anna: User,
    hass_ws_client: Any,
    hass_read_only_access_token: str,
):
    for status in STOPPED:
        routine = routines.add(a_routine(anna, status=status, trouble=TROUBLE))
    client = await hass_ws_client(sage.hass, hass_read_only_access_token)

    await client.send_json_auto_id({"type": "repairs/list_issues"})
    told = [(await client.receive_json())["result"]["issues"]]
    for routine in (each.routine for each in routines.list_all()):
        question = {"domain": DOMAIN, "issue_id": issue_id(routine.id)}
        await client.send_json_auto_id({"type": "repairs/get_issue_data", **question})
        told.append((await client.receive_json())["result"])

    assert len(told[0]) == len(STOPPED)
    assert WORD not in str(told)


async def test_without_monty_an_issue_says_why_until_it_runs(
    hass: HomeAssistant, sage: Sage, routines: FakeRoutines, freezer: FrozenDateTimeFactory
):
    def issue() -> ir.IssueEntry | None:
        return ir.async_get(hass).async_get_issue(DOMAIN, "no_sandbox")

    assert issue() is None
    with without_monty(), pytest.raises(SandboxError):
        await routines.sandbox.async_ready()
    shown = issue()
    assert shown is not None
    assert shown.translation_key == "no_sandbox"
    assert "pydantic_monty" in (shown.translation_placeholders or {})["error"]

    freezer.tick(60)
    await routines.sandbox.async_ready()
    assert issue() is None


async def test_the_issue_goes_with_sage(hass: HomeAssistant, sage: Sage, routines: FakeRoutines):
    with without_monty(), pytest.raises(SandboxError):
        await routines.sandbox.async_ready()
    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    assert ir.async_get(hass).async_get_issue(DOMAIN, "no_sandbox") is None
