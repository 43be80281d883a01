"""The question of a routine among the repairs: Home Assistant opens these to admins only."""

from http import HTTPStatus
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.typing import (
    ClientSessionGenerator,
    WebSocketGenerator,
)

from custom_components.sage.people.pin import hash_pin

from ..conftest import MakeSage, Sage
from .phone import async_token
from .routine import DECIDES, Fires, commands, reminder_of, routine_of

LOCK = "lock.front_door"
ASKED = "Shall I really unlock Front Door?"
FIX = "/api/repairs/issues/fix"


class Repairs:
    """The repairs as somebody sees them in the browser."""

    def __init__(self, hass: HomeAssistant, client: Any) -> None:
        self.hass = hass
        self.client = client

    async def open(self) -> dict[str, Any]:
        """Open the only issue about a question."""
        (issue,) = issues(self.hass)
        response = await self.client.post(FIX, json={"handler": "sage", "issue_id": issue.issue_id})
        assert response.status == HTTPStatus.OK, response.status
        got: dict[str, Any] = await response.json()
        return got

    async def choose(self, flow: dict[str, Any], **given: str) -> dict[str, Any]:
        """Continue the flow by one step."""
        response = await self.client.post(f"{FIX}/{flow['flow_id']}", json=given)
        assert response.status == HTTPStatus.OK, await response.text()
        got: dict[str, Any] = await response.json()
        return got


def issues(hass: HomeAssistant) -> list[ir.IssueEntry]:
    found = ir.async_get(hass).issues.values()
    return [each for each in found if each.issue_id.startswith("routine_asks_")]


def state(hass: HomeAssistant) -> str:
    found = hass.states.get(LOCK)
    assert found is not None
    return found.state


async def repairs_of(
    hass: HomeAssistant, user: User, hass_client: ClientSessionGenerator
) -> Repairs:
    assert await async_setup_component(hass, "repairs", {})
    return Repairs(hass, await hass_client(await async_token(hass, user)))


@pytest.mark.parametrize(("choice", "then"), [("yes", "unlocked"), ("no", "locked")])
async def test_its_person_answers(
    hass: HomeAssistant,
    sage: Sage,
    fires: Fires,
    user: User,
    hass_client: ClientSessionGenerator,
    choice: str,
    then: str,
):
    repairs = await repairs_of(hass, user, hass_client)
    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(user, "unlock the front door", language="de"))
    await fires.async_asked()

    flow = await repairs.open()
    assert flow["description_placeholders"]["question"].startswith("Soll ich wirklich")
    assert flow["menu_options"] == ["yes", "no"]
    await repairs.choose(flow, next_step_id=choice)

    await running
    assert state(hass) == then
    assert issues(hass) == []


async def test_all_who_are_signed_in_see_only_that_somebody_is_asked(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, hass_ws_client: WebSocketGenerator
):
    """An issue with its data is read by anybody."""
    assert await async_setup_component(hass, "repairs", {})
    member = await hass.auth.async_create_user("Clara", group_ids=[GROUP_ID_USER])
    socket = await hass_ws_client(hass, await async_token(hass, member))
    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(user, "unlock the front door"))
    question = await fires.async_asked()

    (issue,) = issues(hass)
    await socket.send_json_auto_id({"type": "repairs/list_issues"})
    listed = await socket.receive_json()
    await socket.send_json_auto_id(
        {"type": "repairs/get_issue_data", "domain": "sage", "issue_id": issue.issue_id}
    )
    data = await socket.receive_json()

    (shown,) = [e for e in listed["result"]["issues"] if e["issue_id"] == issue.issue_id]
    assert shown["translation_placeholders"] == {"name": "Anna"}
    assert data["success"]
    assert "ront" not in str((shown, data))
    question.answer("no")
    await running


async def test_an_administrator_neither_reads_nor_answers_what_another_is_asked(
    hass: HomeAssistant,
    sage: Sage,
    fires: Fires,
    user: User,
    other: User,
    hass_client: ClientSessionGenerator,
):
    repairs = await repairs_of(hass, other, hass_client)
    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(user, "unlock the front door"))
    question = await fires.async_asked()

    flow = await repairs.open()

    assert (flow["type"], flow["reason"]) == ("abort", "not_yours")
    assert "ront" not in str(flow)
    assert len(issues(hass)) == 1
    question.answer("no")
    await running


async def test_home_assistant_opens_no_repair_to_a_member(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, hass_client: ClientSessionGenerator
):
    """So there is none where only a member may answer, and a member cannot open any other."""
    member = await hass.auth.async_create_user("Clara", group_ids=[GROUP_ID_USER])
    repairs = await repairs_of(hass, member, hass_client)
    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(member, "unlock the front door"))
    question = await fires.async_asked()
    assert issues(hass) == []
    question.answer("no")
    await running

    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(user, "unlock the front door"), number=2)
    question = await fires.async_asked()
    (issue,) = issues(hass)
    response = await repairs.client.post(FIX, json={"handler": "sage", "issue_id": issue.issue_id})
    assert response.status == HTTPStatus.UNAUTHORIZED
    question.answer("no")
    await running


async def test_any_administrator_answers_for_the_household_with_the_pin(
    hass: HomeAssistant, make_sage: MakeSage, other: User, hass_client: ClientSessionGenerator
):
    pin_hash = await hass.async_add_executor_job(hash_pin, "4711")
    sage: Sage = await make_sage(options={"pin_hash": pin_hash})
    repairs = await repairs_of(hass, other, hass_client)
    fires = Fires(sage)
    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(None, "unlock the front door"))
    first = await fires.async_asked()

    flow = await repairs.open()
    assert flow["description_placeholders"]["question"].startswith(ASKED)
    await repairs.choose(flow, answer="1234")
    await first.then
    again = await fires.async_asked()
    flow = await repairs.open()
    assert flow["description_placeholders"]["question"] == again.text
    await repairs.choose(flow, answer="4711")

    await running
    assert state(hass) == "unlocked"
    assert issues(hass) == []


async def test_a_question_of_the_model_is_answered_in_words(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, hass_client: ClientSessionGenerator
):
    repairs = await repairs_of(hass, user, hass_client)
    sage.model_says(
        DECIDES.call("human_interaction", question="Which milk?"),
        DECIDES.finish("answered", "Milk!"),
    )
    running = fires.begin(reminder_of(user, "remind me"))
    await fires.async_asked()
    flow = await repairs.open()
    await repairs.choose(flow, answer="the oat milk")
    assert (await running).answer == "Milk!"
    assert "the oat milk" in sage.server.completions[-1].prompt


async def test_an_answer_that_comes_too_late_is_none(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, hass_client: ClientSessionGenerator
):
    repairs = await repairs_of(hass, user, hass_client)
    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(user, "unlock the front door"))
    question = await fires.async_asked()
    flow = await repairs.open()
    question.answer("no")
    await running
    ended = await repairs.choose(flow, next_step_id="yes")
    assert (ended["type"], ended["reason"]) == ("abort", "not_yours")
    assert state(hass) == "locked"
