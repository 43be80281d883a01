"""The server that compares voices, in the options, and the engines that SAGE then offers."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er

from benchmark.fake_embedding_server import FakeEmbeddingServer, Refusal
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from custom_components.sage.people import THRESHOLD
from custom_components.sage.run.speakers import ENCODER
from tests.end_to_end.conftest import Sage
from tests.options_dialog import Options, defaults, fields
from tests.photo_house import house, sage

__all__ = ["house", "sage"]

OFFERED = "stt.cloud_ears_with_speaker_recognition"


@pytest.fixture
async def dialog(hass: HomeAssistant, sage: Sage) -> AsyncGenerator[Options]:
    yield Options(hass, sage.entry)
    await hass.async_block_till_done()


@pytest.fixture
async def server(socket_enabled: None) -> AsyncGenerator[FakeEmbeddingServer]:
    async with FakeEmbeddingServer(models=[ENCODER], api_key="sk-1") as running:
        yield running


def add_engine(hass: HomeAssistant, name: str) -> er.RegistryEntry:
    return er.async_get(hass).async_get_or_create("stt", "test", name, original_name=name)


async def test_engines_are_offered_while_a_server_compares_voices(
    hass: HomeAssistant, dialog: Options, server: FakeEmbeddingServer
) -> None:
    ears = add_engine(hass, "Cloud ears")
    await hass.async_block_till_done()
    assert hass.states.get(OFFERED) is None
    form = await dialog.open("speakers")
    assert fields(form) == {"base_url", "api_key", "model", "speaker_threshold"}
    assert defaults(form) == {"model": ENCODER, "speaker_threshold": THRESHOLD}

    done = await dialog.enter(
        form,
        base_url=server.url.removesuffix("/v1"),
        api_key="sk-1",
        model=ENCODER,
        speaker_threshold=0.85,
    )

    assert done["type"] is FlowResultType.CREATE_ENTRY
    options = dialog.entry.options
    assert options["speakers"] == {"base_url": server.url, "model": ENCODER, "api_key": "sk-1"}
    assert dialog.entry.runtime_data.speakers.threshold == 0.85
    assert hass.states.get(OFFERED) is not None
    assert "sk-1" not in str(await async_get_config_entry_diagnostics(hass, dialog.entry))

    add_engine(hass, "Later ears")
    er.async_get(hass).async_remove(ears.entity_id)
    await hass.async_block_till_done()
    assert hass.states.get(OFFERED) is None
    assert hass.states.get("stt.later_ears_with_speaker_recognition") is not None

    form = await dialog.open("speakers")
    assert defaults(form)["speaker_threshold"] == 0.85
    await dialog.enter(
        form, base_url=server.url, model=ENCODER, speaker_threshold=0.85, remove=True
    )
    assert "speakers" not in dialog.entry.options
    assert hass.states.async_entity_ids("stt") == []


async def test_a_server_that_does_not_work_gets_a_sentence(
    dialog: Options, server: FakeEmbeddingServer
) -> None:
    server.api_key = None
    server.refuses = lambda _: Refusal(status=404, code="model_not_found")
    form = await dialog.enter(
        await dialog.open("speakers"), base_url=server.url, model=ENCODER, speaker_threshold=0.8
    )
    assert form["errors"] == {"base": "no_such_model"}
    assert "speakers" not in dialog.entry.options
