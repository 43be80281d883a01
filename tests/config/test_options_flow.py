"""What a household can set: over the flows and over plain JSON."""

from collections.abc import AsyncGenerator, Mapping
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.fake_embedding_server import FakeEmbeddingServer, Fault, Refusal
from benchmark.fake_model_server import FakeModelServer
from custom_components.sage.people.pin import verify
from tests.end_to_end.attacker import has_number
from tests.household_entry import household_entry
from tests.options_dialog import Options, defaults, fields

KEY = "sk-quince"
MODEL = "test-embeddings"


@pytest.fixture
async def entry(
    hass: HomeAssistant, model_server: FakeModelServer
) -> AsyncGenerator[MockConfigEntry]:
    """A household with one agent, whose model needs a key."""
    assert await async_setup_component(hass, "conversation", {})
    entry = household_entry(model_server.url, ["native"], api_key=KEY)
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    yield entry
    # A flow that changed the options reloads the entry; the reload must end before the test does.
    await hass.async_block_till_done()


@pytest.fixture
def options(hass: HomeAssistant, entry: MockConfigEntry) -> Options:
    return Options(hass, entry)


async def choose_server(options: Options, retention_days: int = 0) -> Any:
    form = await options.open("memory")
    return await options.enter(form, retention_days=retention_days, embeddings="server")


# ---------------------------------------------------------------- household


async def test_the_household_is_set(
    options: Options, entry: MockConfigEntry, caplog: pytest.LogCaptureFixture
):
    form = await options.open("household")
    assert fields(form) == {"pin", "plain_requests", "fall_back"}
    wrong = await options.enter(form, pin="12", fall_back=False)
    assert wrong["errors"] == {"pin": "not_a_pin"}
    assert defaults(wrong)["fall_back"] is False

    done = await options.enter(form, pin="4711", fall_back=False)

    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert entry.options["fall_back"] is False
    assert not has_number(str(entry.as_dict()) + caplog.text, "4711")
    first = entry.options["pin_hash"]
    assert verify(first, "4711")
    again = await options.open("household")
    assert fields(again) == {"new_pin", "clear_pin", "plain_requests", "fall_back"}
    wrong = await options.enter(again, new_pin="12", fall_back=False)
    assert wrong["errors"] == {"new_pin": "not_a_pin"}
    await options.enter(again, fall_back=False)
    assert entry.options == {"pin_hash": first, "fall_back": False}
    await options.enter(await options.open("household"), new_pin="0815", fall_back=True)
    assert verify(entry.options["pin_hash"], "0815")
    await options.enter(await options.open("household"), clear_pin=True, fall_back=True)
    assert entry.options == {"fall_back": True}


async def test_plain_requests_are_on_for_a_local_model(
    hass: HomeAssistant, options: Options, entry: MockConfigEntry
):
    def is_plain() -> bool:
        (agent,) = entry.runtime_data.agents.values()
        return agent.answers_plainly

    assert is_plain()
    for chosen in (False, True):
        form = await options.open("household")
        assert defaults(form)["plain_requests"] is not chosen
        await options.enter(form, plain_requests=chosen, fall_back=True)
        assert is_plain() is chosen
    assert entry.options == {"fall_back": True}
    cloud = {**entry.data, "base_url": "https://api.openai.com/v1"}
    hass.config_entries.async_update_entry(entry, data=cloud)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert not is_plain()
    form = await options.open("household")
    assert defaults(form)["plain_requests"] is False


# ---------------------------------------------------------------- satellites


@pytest.fixture
def satellites(hass: HomeAssistant) -> dict[str, er.RegistryEntry]:
    registry = er.async_get(hass)
    return {
        room: registry.async_get_or_create(
            "assist_satellite", "test", room, suggested_object_id=room
        )
        for room in ("kitchen", "study", "hall")
    }


async def give(options: Options, user: User, *rooms: str) -> Any:
    form = await options.enter(await options.open("satellites"), user=user.id)
    assert form["description_placeholders"] == {"name": user.name}
    chosen = [f"assist_satellite.{room}" for room in rooms]
    return await options.enter(form, satellites=chosen)


async def shown(options: Options, user: User) -> list[str]:
    form = await options.enter(await options.open("satellites"), user=user.id)
    return list(defaults(form)["satellites"])


async def test_a_satellite_belongs_to_one_person(
    options: Options,
    entry: MockConfigEntry,
    satellites: Mapping[str, er.RegistryEntry],
    anna: User,
    ben: User,
):
    await give(options, anna, "kitchen", "study")
    await give(options, ben, "hall")
    assert entry.options["satellites"] == {
        satellites["kitchen"].id: anna.id,
        satellites["study"].id: anna.id,
        satellites["hall"].id: ben.id,
    }
    assert entry.runtime_data.satellites == entry.options["satellites"]

    await give(options, ben, "hall", "study")
    assert await shown(options, anna) == ["assist_satellite.kitchen"]
    assert sorted(await shown(options, ben)) == ["assist_satellite.hall", "assist_satellite.study"]

    await give(options, ben)
    assert entry.options["satellites"] == {satellites["kitchen"].id: anna.id}


async def test_a_renamed_satellite_stays_whose_it_is_and_a_lost_one_does_no_harm(
    hass: HomeAssistant,
    options: Options,
    entry: MockConfigEntry,
    satellites: Mapping[str, er.RegistryEntry],
    anna: User,
):
    registry = er.async_get(hass)
    await give(options, anna, "kitchen", "study")

    registry.async_update_entity(
        "assist_satellite.kitchen", new_entity_id="assist_satellite.winter_garden"
    )
    registry.async_remove("assist_satellite.study")

    assert await shown(options, anna) == ["assist_satellite.winter_garden"]
    await give(options, anna, "winter_garden", "gone")
    assert entry.options["satellites"] == {satellites["kitchen"].id: anna.id}


async def test_only_people_who_live_here_have_satellites(
    hass: HomeAssistant, options: Options, anna: User, ben: User
):
    await hass.auth.async_update_user(ben, is_active=False)
    system = await hass.auth.async_create_system_user("Supervisor")

    form = await options.open("satellites")

    choices = form["data_schema"].schema["user"].config["options"]
    assert {"value": anna.id, "label": "Anna"} in choices
    assert not {ben.id, system.id} & {each["value"] for each in choices}
    with pytest.raises(InvalidData):
        await options.enter(form, user=ben.id)


# ---------------------------------------------------------------- memory


async def test_memories_are_kept_for_so_many_days(options: Options, entry: MockConfigEntry):
    form = await options.open("memory")
    assert defaults(form) == {"retention_days": 0, "request_days": 90, "embeddings": "builtin"}

    await options.enter(form, retention_days=90, embeddings="builtin")

    assert entry.options == {"retention_days": 90, "request_days": 90}
    assert defaults(await options.open("memory"))["retention_days"] == 90
    form = await options.open("memory")
    await options.enter(form, retention_days=0, request_days=7, embeddings="builtin")
    assert entry.options == {"retention_days": 0, "request_days": 7}
    assert defaults(await options.open("memory"))["request_days"] == 7
    with pytest.raises(InvalidData):
        await options.enter(await options.open("memory"), retention_days=-1, embeddings="builtin")


async def test_a_server_of_embeddings_is_tried_and_kept(
    options: Options, entry: MockConfigEntry, server: FakeEmbeddingServer
):
    server.api_key = "sk-1"
    form = await choose_server(options, 30)
    assert form["step_id"] == "embedding_server"
    # No name of a model stands there that was meant for talking.
    assert defaults(form) == {"base_url": entry.data["base_url"]}

    done = await options.enter(
        form, base_url=server.url.removesuffix("/v1"), api_key="sk-1", model=f" {MODEL} "
    )

    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert entry.options == {
        "retention_days": 30,
        "request_days": 90,
        "embeddings": {"base_url": server.url, "model": MODEL, "api_key": "sk-1"},
    }
    assert entry.state is ConfigEntryState.LOADED

    again = await options.open("memory")
    assert defaults(again) == {"retention_days": 30, "request_days": 90, "embeddings": "server"}
    form = await options.enter(again, retention_days=30, embeddings="server")
    assert defaults(form) == {"base_url": server.url, "model": MODEL}
    assert "sk-1" not in str(defaults(form))

    again = await options.open("memory")
    await options.enter(again, retention_days=30, embeddings="builtin")
    assert entry.options == {"retention_days": 30, "request_days": 90}


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Refusal(status=401), "key_refused"),
        (Refusal(status=404, code="model_not_found"), "no_such_model"),
        (Refusal(status=400, message="This model does not support embeddings"), "no_embeddings"),
        (Refusal(status=501, message="This server does not support embeddings."), "no_embeddings"),
        (Refusal(status=429), "rate_limited"),
        (Refusal(status=500), "server_error"),
        (Fault.NOT_JSON, "broken_reply"),
        (Fault.ZEROS, "broken_reply"),
    ],
)
async def test_what_is_wrong_with_the_server_is_said_and_can_be_mended(
    options: Options,
    entry: MockConfigEntry,
    server: FakeEmbeddingServer,
    fault: Fault | Refusal,
    error: str,
):
    server.fail_always(fault)
    form = await choose_server(options)

    wrong = await options.enter(form, base_url=server.url, model=MODEL)

    assert wrong["errors"] == {"base": error}
    assert defaults(wrong) == {"base_url": server.url, "model": MODEL}
    assert entry.options == {}
    server.fail_always(None)
    done = await options.enter(wrong, base_url=server.url, model=MODEL)
    assert done["type"] is FlowResultType.CREATE_ENTRY


async def test_an_empty_key_keeps_the_one_that_is_there(
    options: Options, entry: MockConfigEntry, server: FakeEmbeddingServer
):
    server.api_key = "sk-1"
    server.models = frozenset({MODEL, "other"})
    form = await choose_server(options)
    await options.enter(form, base_url=server.url, api_key="sk-1", model=MODEL)

    form = await choose_server(options)
    await options.enter(form, base_url=server.url, model="other")

    assert entry.options["embeddings"] == {
        "base_url": server.url,
        "model": "other",
        "api_key": "sk-1",
    }


async def test_no_key_goes_to_another_server(
    options: Options, entry: MockConfigEntry, server: FakeEmbeddingServer
):
    # Neither that of the language model, nor that of the server before.
    await options.enter(await choose_server(options), base_url=server.url, model=MODEL)
    await options.enter(
        await choose_server(options), base_url=server.url, model=MODEL, api_key="sk-1"
    )
    async with FakeEmbeddingServer() as other:
        await options.enter(await choose_server(options), base_url=other.url, model=MODEL)
        heard = str([dict(each.headers) for each in other.requests])

    assert other.requests
    assert "sk-1" not in heard
    assert KEY not in heard + str([dict(each.headers) for each in server.requests])
    assert entry.options["embeddings"] == {"base_url": other.url, "model": MODEL}


async def test_the_server_of_the_language_model_gets_its_own_key(
    hass: HomeAssistant, options: Options, entry: MockConfigEntry, server: FakeEmbeddingServer
):
    hass.config_entries.async_update_entry(entry, data={**entry.data, "base_url": server.url})
    await hass.async_block_till_done(wait_background_tasks=True)
    server.api_key = KEY

    form = await choose_server(options)
    done = await options.enter(form, base_url=server.url, model=MODEL)

    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert entry.options["embeddings"]["api_key"] == KEY
