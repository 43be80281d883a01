"""Repair issues, and the content of a bug report."""

from http import HTTPStatus
from typing import Any

import pytest
from homeassistant.components.assist_pipeline import async_get_pipelines, async_update_pipeline
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.sage.const import DOMAIN
from custom_components.sage.diagnostics import shown_url
from custom_components.sage.model.language_model import ModelErrorKind
from custom_components.sage.repairs import async_create_fix_flow
from custom_components.sage.run.fall_back import async_clear_model_error, async_report_model_error
from tests.household_entry import household_entry


@pytest.fixture
async def entry(hass: HomeAssistant) -> MockConfigEntry:
    entry = household_entry(
        "http://127.0.0.1:1/v1", ["native", "react"], options={"warm_prefix": "never"}
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    return entry


def issues(hass: HomeAssistant) -> dict[str, ir.IssueEntry]:
    return {
        issue_id: issue
        for (domain, issue_id), issue in ir.async_get(hass).issues.items()
        if domain == DOMAIN
    }


@pytest.mark.parametrize(
    "kind",
    [
        ModelErrorKind.UNREACHABLE,
        ModelErrorKind.WRONG_ADDRESS,
        ModelErrorKind.CERTIFICATE,
        ModelErrorKind.TIMEOUT,
        ModelErrorKind.NO_CREDIT,
        ModelErrorKind.NO_TOOLS,
        ModelErrorKind.NO_SUCH_MODEL,
        ModelErrorKind.NOT_A_CHAT_MODEL,
        ModelErrorKind.RATE_LIMITED,
        ModelErrorKind.SERVER_ERROR,
    ],
)
async def test_a_model_that_is_away_is_an_issue_until_it_answers(
    hass: HomeAssistant, entry: MockConfigEntry, kind: ModelErrorKind
):
    async_report_model_error(hass, entry, kind, "test-model")

    (issue,) = issues(hass).values()
    assert issue.translation_key == f"model_{kind.value}"
    assert issue.translation_placeholders == {"model": "test-model"}
    async_clear_model_error(hass, entry)
    assert not issues(hass)


@pytest.mark.parametrize(
    "kind", [ModelErrorKind.BROKEN_REPLY, ModelErrorKind.PROMPT_TOO_LONG, ModelErrorKind.REFUSED]
)
async def test_what_passes_or_concerns_one_request_is_no_issue(
    hass: HomeAssistant, entry: MockConfigEntry, kind: ModelErrorKind
):
    async_report_model_error(hass, entry, kind, "test-model")

    assert not issues(hass)


def agent_entity(hass: HomeAssistant, entry: MockConfigEntry) -> str:
    entities = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    (entity_id,) = (each.entity_id for each in entities if each.domain == "conversation")
    return entity_id


async def use_in_pipeline(hass: HomeAssistant, entity_id: str, *, local: bool) -> Any:
    pipeline = async_get_pipelines(hass)[0]
    await async_update_pipeline(
        hass, pipeline, conversation_engine=entity_id, prefer_local_intents=local
    )
    return pipeline


async def set_up_pipelines(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "conversation", {})
    assert await async_setup_component(hass, "assist_pipeline", {})
    await hass.async_block_till_done()


async def test_a_pipeline_that_goes_round_sage_is_an_issue_while_it_does(
    hass: HomeAssistant, entry: MockConfigEntry
):
    await set_up_pipelines(hass)
    await hass.config_entries.async_reload(entry.entry_id)
    entity_id = agent_entity(hass, entry)
    assert set(issues(hass)) == {"no_assistant"}

    pipeline = await use_in_pipeline(hass, entity_id, local=True)
    (issue,) = issues(hass).values()
    assert issue.translation_key == "prefers_local_intents"
    assert issue.translation_placeholders == {"pipeline": pipeline.name}
    assert issue.is_fixable

    await use_in_pipeline(hass, entity_id, local=False)
    assert not issues(hass)
    await use_in_pipeline(hass, entity_id, local=True)
    await use_in_pipeline(hass, "conversation.home_assistant", local=True)
    assert set(issues(hass)) == {"no_assistant"}
    await use_in_pipeline(hass, entity_id, local=True)
    await hass.config_entries.async_unload(entry.entry_id)
    assert not issues(hass)


async def test_pipelines_may_be_loaded_after_sage(hass: HomeAssistant, entry: MockConfigEntry):
    entity_id = agent_entity(hass, entry)

    await set_up_pipelines(hass)
    await use_in_pipeline(hass, entity_id, local=True)

    assert len(issues(hass)) == 1


async def test_the_issue_can_be_mended_with_a_click(
    hass: HomeAssistant, entry: MockConfigEntry, hass_client: ClientSessionGenerator
):
    await set_up_pipelines(hass)
    assert await async_setup_component(hass, "repairs", {})
    pipeline = await use_in_pipeline(hass, agent_entity(hass, entry), local=True)
    (issue_id,) = issues(hass)
    client = await hass_client()

    url = "/api/repairs/issues/fix"
    form = await (await client.post(url, json={"handler": DOMAIN, "issue_id": issue_id})).json()
    assert form["step_id"] == "confirm"
    assert form["description_placeholders"] == {"pipeline": pipeline.name}
    done = await client.post(f"{url}/{form['flow_id']}", json={})

    assert done.status == HTTPStatus.OK
    assert (await done.json())["type"] == "create_entry"
    assert not async_get_pipelines(hass)[0].prefer_local_intents
    assert not issues(hass)


@pytest.mark.parametrize("chosen", ["the assistant", "new", "none"])
async def test_an_assistant_is_offered_while_none_uses_sage(
    hass: HomeAssistant, entry: MockConfigEntry, hass_client: ClientSessionGenerator, chosen: str
):
    await set_up_pipelines(hass)
    assert await async_setup_component(hass, "repairs", {})
    (before,) = async_get_pipelines(hass)
    client = await hass_client()
    url = "/api/repairs/issues/fix"

    body = {"handler": DOMAIN, "issue_id": "no_assistant"}
    form = await (await client.post(url, json=body)).json()
    choice = {"assistant": before.id if chosen == "the assistant" else chosen}
    done = await (await client.post(f"{url}/{form['flow_id']}", json=choice)).json()

    pipelines = async_get_pipelines(hass)
    if chosen == "none":
        assert (done["type"], done["reason"]) == ("abort", "not_now")
        assert pipelines == [before]
        assert set(issues(hass)) == {"no_assistant"}
        return
    assert done["type"] == "create_entry"
    assert not issues(hass)
    assert len(pipelines) == 1 + (chosen == "new")
    assert pipelines[-1].conversation_engine == agent_entity(hass, entry)
    assert not pipelines[-1].prefer_local_intents
    if chosen == "new":
        assert pipelines[0] == before
        assert pipelines[-1].name == "SAGE"


async def test_an_issue_without_data_is_only_confirmed(hass: HomeAssistant):
    flow = await async_create_fix_flow(hass, "other", None)

    assert type(flow).__name__ == "ConfirmRepairFlow"


def test_credentials_are_taken_out_of_an_address():
    assert shown_url("https://a:b@host:1/v1?k=1#f") == "https://host:1/v1"
