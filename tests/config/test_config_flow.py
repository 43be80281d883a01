"""Setting SAGE up, over the flows and over plain JSON."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import Any

import probatio
import pytest
from homeassistant.components.assist_pipeline import async_get_pipelines
from homeassistant.config_entries import SOURCE_USER, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator, WebSocketGenerator

from benchmark.fake_model_server import (
    Answer,
    Completion,
    FakeModelServer,
    Json,
    answer_in_text_only,
    answer_obediently,
)
from benchmark.model_script import Call
from custom_components.sage.config.agents import (
    agent_connection,
    decision_format,
    household_connection,
    second_connection,
)
from custom_components.sage.const import DOMAIN
from custom_components.sage.model.language_model import ChatMessage, ModelRequest
from custom_components.sage.model.openai_model import async_create_client
from custom_components.sage.people.pin import verify
from tests.ai_task_house import async_add_ollama, key_of
from tests.end_to_end.doors.pipeline import type_in
from tests.household_entry import household_entry
from tests.options_dialog import MENU

ALL_FORMATS = ["native", "constrained", "react"]
HELLO = ModelRequest(messages=(ChatMessage(role="user", content="Hello"),))


@pytest.fixture
async def entry(
    hass: HomeAssistant, model_server: FakeModelServer
) -> AsyncGenerator[MockConfigEntry]:
    """A household with one agent at the fake server."""
    model_server.models = ("test-model", "other-model")
    entry = household_entry(model_server.url, ALL_FORMATS, api_key="old-key")
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    yield entry
    # A flow that changed the entry reloads it; the reload must end before the test does.
    await hass.async_block_till_done()


async def begin(hass: HomeAssistant) -> str:
    result = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert result["type"] is FlowResultType.FORM
    assert result["step_id"] == "user"
    return result["flow_id"]


async def through_progress(hass: HomeAssistant, flow: Any, result: Any) -> Any:
    assert result["type"] is FlowResultType.SHOW_PROGRESS
    assert result["progress_action"] == "probe"
    await hass.async_block_till_done()
    return await flow.async_configure(result["flow_id"])


async def test_a_household_is_set_up(hass: HomeAssistant, model_server: FakeModelServer):
    model_server.models = ("small", "large")
    flow = hass.config_entries.flow
    flow_id = await begin(hass)

    result = await flow.async_configure(
        flow_id, {"base_url": model_server.url.removesuffix("/v1") + "/"}
    )
    assert result["step_id"] == "model"
    options = result["data_schema"].schema["model"].config  # type: ignore[union-attr]
    assert options["options"] == ["large", "small"]
    assert options["custom_value"]

    result = await flow.async_configure(flow_id, {"model": "small"})
    result = await through_progress(hass, flow, result)
    assert result["step_id"] == "finish"
    assert int(result["description_placeholders"]["seconds"]) >= 1

    result = await flow.async_configure(flow_id, {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = result["result"]
    assert entry.data == {"base_url": model_server.url, "model": "small", "formats": ALL_FORMATS}
    (agent,) = entry.subentries.values()
    assert (agent.subentry_type, agent.title) == ("agent", "SAGE")
    # Each thing on the page of the integration has a name of its own.
    await hass.async_block_till_done()
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    assert sorted(each.name or "" for each in devices) == ["SAGE"]
    assert entry.title == "small (127.0.0.1)"
    assert agent.data["max_steps"] == 12
    assert not agent.data["paper_flow"]


async def test_the_flow_works_over_plain_json(
    hass: HomeAssistant, model_server: FakeModelServer, hass_client: ClientSessionGenerator
):
    # They register views, which a running client does not allow.
    for domain in ("ai_task", "config", "conversation", "file_upload", "image"):
        assert await async_setup_component(hass, domain, {})
    model_server.api_key = "sk-1"
    client = await hass_client()

    async def post(path: str, body: Mapping[str, Any]) -> Any:
        response = await client.post(f"/api/config/config_entries/{path}", json=body)
        assert response.status == 200, await response.text()
        return await response.json()

    step = await post("flow", {"handler": "sage"})
    url = f"flow/{step['flow_id']}"
    step = await post(url, {"base_url": model_server.url, "api_key": "wrong"})
    assert step["errors"] == {"base": "key_refused"}
    step = await post(url, {"base_url": model_server.url, "api_key": "sk-1"})
    assert step["step_id"] == "model"
    assert [field["default"] for field in step["data_schema"]] == ["test-model"]
    step = await post(url, {"model": "test-model"})
    assert step["type"] == "progress"
    await hass.async_block_till_done()
    step = await (await client.get(f"/api/config/config_entries/{url}")).json()
    assert step["step_id"] == "finish"
    step = await post(url, {})
    assert step["type"] == "create_entry"

    (entry,) = hass.config_entries.async_entries(DOMAIN)
    assert entry.data["api_key"] == "sk-1"

    menu = await post("options/flow", {"handler": entry.entry_id})
    options = f"options/flow/{menu['flow_id']}"
    assert menu["menu_options"] == MENU
    await post(options, {"next_step_id": "household"})
    done = await post(options, {"pin": "4711", "fall_back": False})
    assert done["type"] == "create_entry"
    assert verify(entry.options["pin_hash"], "4711")
    assert not entry.options["fall_back"]
    await hass.async_block_till_done()

    agents = await post("subentries/flow", {"handler": [entry.entry_id, "agent"]})
    done = await post(
        f"subentries/flow/{agents['flow_id']}",
        {
            "name": "Butler",
            "expert": {"decision_format": "react", "paper_flow": True},
            "limits": {"max_steps": 5, "max_seconds": 60, "max_tokens": 9000},
            "own_model": {},
        },
    )
    assert done["type"] == "create_entry"
    assert [agent.title for agent in entry.subentries.values()] == ["SAGE", "Butler"]
    await hass.async_block_till_done()


async def test_models_that_cannot_chat_come_last(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.models = ("bge-m3", "llama9", "whisper-1")
    flow = hass.config_entries.flow
    result = await flow.async_configure(await begin(hass), {"base_url": model_server.url})
    form = result["data_schema"]
    assert form is not None
    assert form.schema["model"].config["options"] == ["llama9", "bge-m3", "whisper-1"]


async def test_an_only_model_that_is_unsuitable_is_not_preselected(
    hass: HomeAssistant, model_server: FakeModelServer
):
    model_server.models = ("text-embedding-3-small",)
    flow = hass.config_entries.flow
    result = await flow.async_configure(await begin(hass), {"base_url": model_server.url})
    assert result["data_schema"] is not None
    with pytest.raises(probatio.Invalid):
        result["data_schema"]({})


@pytest.mark.parametrize("chosen", ["preferred", "new", "none"])
async def test_set_up_ends_when_an_assistant_uses_sage(
    hass: HomeAssistant,
    model_server: FakeModelServer,
    hass_ws_client: WebSocketGenerator,
    chosen: str,
):
    assert await async_setup_component(hass, "assist_pipeline", {})
    (before,) = async_get_pipelines(hass)
    flow = hass.config_entries.flow
    flow_id = await begin(hass)
    await flow.async_configure(flow_id, {"base_url": model_server.url})
    result = await flow.async_configure(flow_id, {"model": "test-model"})
    await through_progress(hass, flow, result)

    result = await flow.async_configure(flow_id, {})
    assert result["step_id"] == "assistant"
    form = result["data_schema"]
    assert form is not None
    options = form.schema["assistant"].config["options"]
    assert [option["value"] for option in options] == [before.id, "new", "none"]
    assert form({}) == {"assistant": before.id}
    choice = before.id if chosen == "preferred" else chosen
    result = await flow.async_configure(flow_id, {"assistant": choice})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()

    engines = [each.conversation_engine for each in async_get_pipelines(hass)]
    assert (
        engines
        == {
            "preferred": ["conversation.sage"],
            "new": [before.conversation_engine, "conversation.sage"],
            "none": [before.conversation_engine],
        }[chosen]
    )
    model_server.forget()
    if chosen != "preferred":
        return
    socket = await hass_ws_client(hass)
    turn = await type_in(socket, "hello")
    assert model_server.completions
    assert turn.spoken


async def test_there_is_one_household(hass: HomeAssistant, entry: MockConfigEntry):
    result = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})

    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "single_instance_allowed"


async def test_what_is_wrong_with_the_server_is_said(
    hass: HomeAssistant, model_server: FakeModelServer
):
    flow_id = await begin(hass)
    model_server.api_key = "right"

    refused = await hass.config_entries.flow.async_configure(
        flow_id, {"base_url": model_server.url, "api_key": "wrong"}
    )
    await model_server.async_stop()
    away = await hass.config_entries.flow.async_configure(
        flow_id, {"base_url": model_server.url, "api_key": "right"}
    )

    assert refused["errors"] == {"base": "key_refused"}
    assert away["errors"] == {"base": "unreachable"}
    assert away["step_id"] == "user"


@pytest.mark.parametrize(
    ("model", "error"),
    [("nobody", "no_such_model"), ("embed", "not_a_chat_model"), ("echo", "no_format")],
)
async def test_what_is_wrong_with_the_model_is_said_and_can_be_mended(
    hass: HomeAssistant, model_server: FakeModelServer, model: str, error: str
):
    def answer(body: Json) -> Answer:
        is_echo = body["model"] == "echo"
        return Completion(text="How can I help?") if is_echo else answer_obediently(body)

    model_server.models = ("test-model", "echo")
    model_server.embedding_models = ("embed",)
    model_server.say(answer)
    flow = hass.config_entries.flow
    flow_id = await begin(hass)
    await flow.async_configure(flow_id, {"base_url": model_server.url})

    result = await flow.async_configure(flow_id, {"model": model})
    result = await through_progress(hass, flow, result)
    assert result["step_id"] == "model"
    assert result["errors"] == {"base": error}

    result = await flow.async_configure(flow_id, {"model": "test-model"})
    result = await through_progress(hass, flow, result)
    assert result["step_id"] == "finish"


async def start_reauth(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    entry.async_start_reauth(hass)
    await hass.async_block_till_done()
    (flow,) = hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    return flow


async def test_a_new_key_is_asked_for_tried_and_kept(
    hass: HomeAssistant, entry: MockConfigEntry, model_server: FakeModelServer
):
    model_server.api_key = "new-key"
    flow = hass.config_entries.flow
    step = await start_reauth(hass, entry)
    assert step["step_id"] == "reauth_confirm"

    wrong = await flow.async_configure(step["flow_id"], {"api_key": "wrong"})
    assert wrong["errors"] == {"base": "key_refused"}
    result = await flow.async_configure(step["flow_id"], {"api_key": "new-key"})
    result = await through_progress(hass, flow, result)

    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "reauth_successful"
    assert entry.data["api_key"] == "new-key"
    assert entry.data["model"] == "test-model"


@pytest.mark.parametrize("runs", [False, True])
async def test_the_model_is_changed_the_key_kept_and_the_household_reloaded(
    hass: HomeAssistant, entry: MockConfigEntry, model_server: FakeModelServer, runs: bool
):
    if not runs:
        await hass.config_entries.async_unload(entry.entry_id)
    model_server.api_key = "old-key"
    model_server.say(answer_in_text_only)
    flow = hass.config_entries.flow
    result = await entry.start_reconfigure_flow(hass)
    assert result["step_id"] == "reconfigure"

    result = await flow.async_configure(result["flow_id"], {"base_url": model_server.url})
    result = await flow.async_configure(result["flow_id"], {"model": "other-model"})
    result = await through_progress(hass, flow, result)
    await hass.async_block_till_done()

    assert result["reason"] == "reconfigure_successful"
    assert entry.data == {
        "base_url": model_server.url,
        "api_key": "old-key",
        "model": "other-model",
        "formats": ["react"],
    }
    assert entry.state is ConfigEntryState.LOADED
    (agent,) = entry.runtime_data.agents.values()
    assert agent.settings.model.name == "other-model"


async def test_the_key_is_never_sent_to_another_server(
    hass: HomeAssistant, entry: MockConfigEntry, model_server: FakeModelServer
):
    result = await entry.start_reconfigure_flow(hass)
    async with FakeModelServer() as other:
        result = await hass.config_entries.flow.async_configure(
            result["flow_id"], {"base_url": other.url}
        )
        assert result["step_id"] == "model"
        assert other.requests
        assert all("old-key" not in str(request.headers) for request in other.requests)

    model_server.api_key = "old-key"
    hass.config_entries.flow.async_abort(result["flow_id"])


class OtherAPI(llm.API):
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        raise NotImplementedError


def agent_input(**changes: Any) -> dict[str, Any]:
    return {
        "name": "Butler",
        "instructions": "Be brief.",
        "expert": {},
        "limits": {"max_steps": 8, "max_seconds": 90, "max_tokens": 50_000},
        "own_model": {},
    } | changes


async def open_agent(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, "agent"), context={"source": SOURCE_USER}
    )


def added(entry: MockConfigEntry) -> Mapping[str, Any]:
    return list(entry.subentries.values())[-1].data


async def test_an_agent_is_added_with_tools_of_other_integrations(
    hass: HomeAssistant, entry: MockConfigEntry
):
    without = await open_agent(hass, entry)
    assert "tool_apis" not in without["data_schema"].schema
    llm.async_register_api(hass, OtherAPI(hass=hass, id="radio", name="Radio"))
    form = await open_agent(hass, entry)
    assert form["data_schema"].schema["tool_apis"].config["options"] == [
        {"value": "radio", "label": "Radio"}
    ]

    result = await hass.config_entries.subentries.async_configure(
        form["flow_id"], agent_input(tool_apis=["radio"])
    )

    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Butler"
    assert added(entry) == {
        "instructions": "Be brief.",
        "decision_format": "auto",
        "tool_apis": ["radio"],
        "reasoning_effort": "default",
        "reply_tokens": 1024,
        "paper_flow": False,
        "verify_answers": False,
        "max_steps": 8,
        "max_seconds": 90,
        "max_tokens": 50_000,
    }
    connection = agent_connection(entry, added(entry))
    assert connection == household_connection(entry)
    assert decision_format(connection, added(entry)) == "native"


async def test_an_agent_sets_effort_and_length_where_the_server_takes_them(
    hass: HomeAssistant, entry: MockConfigEntry, model_server: FakeModelServer
):
    form = await open_agent(hass, entry)
    await hass.config_entries.subentries.async_configure(
        form["flow_id"], agent_input(expert={"reasoning_effort": "low", "reply_tokens": 4096})
    )
    await hass.async_block_till_done()
    agents = list(entry.runtime_data.agents.values())
    model_server.refuses = frozenset({"reasoning_effort"})
    model_server.forget()

    for agent in agents:
        await agent.settings.model.async_complete(HELLO)
    await agents[-1].settings.model.async_complete(HELLO)

    efforts = [each.body.get("reasoning_effort") for each in model_server.completions]
    assert efforts == [None, "low", None, None]
    lengths = [each.body["max_tokens"] for each in model_server.completions]
    assert lengths == [1024, 4096, 4096, 4096]


async def test_an_agent_with_an_ai_task_entity_of_its_own(
    hass: HomeAssistant, entry: MockConfigEntry, model_server: FakeModelServer
):
    await async_add_ollama(hass, model_server, model="other-model")
    flow = hass.config_entries.subentries
    form = await open_agent(hass, entry)
    fields = form["data_schema"].schema["own_model"].schema.schema
    offered = [each["value"] for each in fields["ai_task"].config["options"]]
    assert offered == [key_of(hass)]

    own = {"ai_task": key_of(hass)}
    both = agent_input(own_model=own | {"model": "other-model"})
    form = await flow.async_configure(form["flow_id"], both)
    assert form["errors"] == {"base": "model_twice"}
    result = await flow.async_configure(form["flow_id"], agent_input(own_model=own))
    result = await through_progress(hass, flow, result)

    assert result["type"] is FlowResultType.CREATE_ENTRY
    connection = agent_connection(entry, added(entry))
    assert (connection.ai_task, connection.model) == (key_of(hass), "Ollama")
    assert (connection.base_url, connection.api_key) == ("", None)
    assert decision_format(connection, {"decision_format": "native"}) == "constrained"
    assert household_connection(entry).ai_task == ""


async def test_what_a_weak_model_confuses_is_kept_with_its_connection(
    hass: HomeAssistant, entry: MockConfigEntry, model_server: FakeModelServer
):
    """Another model of the household is not taken for weak, nor one that was never tried."""

    def at_once(body: Json) -> Answer:
        if "Request:" not in str(body["messages"]):
            return answer_obediently(body)
        return Completion(calls=[Call(name="device_interaction", arguments={"command": "go"})])

    assert not household_connection(entry).misjudges_timing
    model_server.say(at_once)
    flow = hass.config_entries.subentries
    form = await open_agent(hass, entry)
    result = await flow.async_configure(
        form["flow_id"], agent_input(own_model={"model": "other-model"})
    )
    await through_progress(hass, flow, result)

    assert agent_connection(entry, added(entry)).misjudges_timing
    await hass.async_block_till_done()
    agents = [agent.settings for agent in entry.runtime_data.agents.values()]
    assert sorted(each.misjudges_timing for each in agents) == [False, True]
    hass.config_entries.async_update_entry(
        entry, data=replace(household_connection(entry), misjudges_timing=True).as_data()
    )
    assert household_connection(entry).misjudges_timing
    unprobed = {"model": "other-model", "formats": ALL_FORMATS}
    assert not agent_connection(entry, unprobed).misjudges_timing


async def test_an_agent_is_changed_and_probed_only_when_its_model_changes(
    hass: HomeAssistant, entry: MockConfigEntry, model_server: FakeModelServer
):
    flow = hass.config_entries.subentries
    (subentry_id,) = entry.subentries
    own = {"model": "other-model"}

    async def change(**changes: Any) -> Any:
        form = await entry.start_subentry_reconfigure_flow(hass, subentry_id)
        assert form["step_id"] == "reconfigure"
        result = await flow.async_configure(form["flow_id"], agent_input(**changes))
        if result["type"] is FlowResultType.SHOW_PROGRESS:
            result = await through_progress(hass, flow, result)
        await hass.async_block_till_done()
        return result

    result = await change(own_model=own)
    assert result["reason"] == "reconfigure_successful"
    probed = len(model_server.completions)
    assert probed > 0

    result = await change(name="Jeeves", own_model=own)
    assert result["reason"] == "reconfigure_successful"
    assert len(model_server.completions) == probed
    agent = entry.subentries[subentry_id]
    assert agent.title == "Jeeves"
    assert agent.data["formats"] == ALL_FORMATS

    model_server.embedding_models = ("embed",)
    result = await change(own_model={"model": "embed"})
    assert result["errors"] == {"base": "not_a_chat_model"}
    assert result["step_id"] == "reconfigure"


async def test_a_second_model_is_tested_once_and_stored_without_the_key(
    hass: HomeAssistant, entry: MockConfigEntry, model_server: FakeModelServer
):
    """The choice is a model of the server or an AI Task entity, never one with a second itself."""
    await async_add_ollama(hass, model_server, model="other-model")
    flow = hass.config_entries.subentries
    model_server.models = ("test-model", "other-model", "third-model")
    (subentry_id,) = entry.subentries

    async def change(**changes: Any) -> int:
        """Change the agent; return the number of requests of the test."""
        model_server.forget()
        form = await entry.start_subentry_reconfigure_flow(hass, subentry_id)
        offered = form["data_schema"].schema["second_model"].config["options"]
        assert {key_of(hass), "test-model"} <= {each["value"] for each in offered}
        result = await flow.async_configure(form["flow_id"], agent_input(**changes))
        while result["type"] is FlowResultType.SHOW_PROGRESS:
            result = await through_progress(hass, flow, result)
        assert result.get("reason") == "reconfigure_successful", result
        await hass.async_block_till_done()
        return len(model_server.completions)

    def second() -> tuple[str, str, str] | None:
        connection = second_connection(entry, entry.subentries[subentry_id].data)
        if connection is None:
            return None
        return connection.ai_task, connection.model, connection.formats[0]

    entity = {"second_model": key_of(hass)}
    assert await change(**entity) > 0
    assert second() == (key_of(hass), "Ollama", "constrained")
    assert await change(**entity) == 0
    # Two tests, one after the other.
    assert await change(own_model={"model": "other-model"}, second_model="third-model") > 0
    assert second() == ("", "third-model", "native")
    assert "api_key" not in str(entry.subentries[subentry_id].data)
    # The household's model was tested already; a model is no second one of itself.
    assert await change(own_model={"model": "other-model"}, second_model="test-model") == 0
    assert second() == ("", "test-model", "native")
    await change(second_model="test-model")
    assert second() is None
    await change()
    assert "second_model" not in entry.subentries[subentry_id].data


async def test_a_chosen_format_wins_over_the_best_one(hass: HomeAssistant, entry: MockConfigEntry):
    connection = household_connection(entry)

    assert decision_format(connection, {"decision_format": "react"}) == "react"
    assert decision_format(connection, {}) == "native"
    assert (
        await async_create_client(hass, connection.base_url, connection.api_key)
    ).max_retries == 0
