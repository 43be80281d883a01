"""The server that compares photos with descriptions, in the options."""

from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType

from benchmark.fake_embedding_server import (
    FakeEmbeddingServer,
    Fault,
    Refusal,
    refuse_broken_images,
)
from custom_components.sage.const import DOMAIN
from custom_components.sage.photos.photo_album import PhotoAlbum
from tests.end_to_end.conftest import Sage
from tests.options_dialog import Options, defaults, fields
from tests.photo_house import LampHouse, album, house, picture, sage

__all__ = ["album", "house", "sage"]

CLIP = "ViT-B-32/laion2b_s34b_b79k"


@pytest.fixture
async def dialog(hass: HomeAssistant, sage: Sage) -> AsyncGenerator[Options]:
    yield Options(hass, sage.entry)
    # Options that changed reload the entry; that must be over at the end.
    await hass.async_block_till_done()


@pytest.fixture
async def server(socket_enabled: None) -> AsyncGenerator[FakeEmbeddingServer]:
    async with FakeEmbeddingServer(models=[CLIP]) as running:
        running.refuses = refuse_broken_images
        yield running


async def open_server(dialog: Options) -> Any:
    return await dialog.open("photo_server")


async def test_a_server_is_tried_with_a_picture_stored_and_removed(
    dialog: Options, server: FakeEmbeddingServer
):
    server.api_key = "sk-1"
    form = await open_server(dialog)
    assert fields(form) == {"base_url", "api_key", "model"}
    assert defaults(form) == {"model": CLIP}

    address = server.url.removesuffix("/v1")
    done = await dialog.enter(form, base_url=address, api_key="sk-1", model=CLIP)

    assert done["type"] is FlowResultType.CREATE_ENTRY
    stored = {"base_url": server.url, "model": CLIP, "api_key": "sk-1"}
    assert dialog.entry.options["photo_server"] == stored
    assert {each.body.get("modality") for each in server.requests} == {None, "image"}

    form = await open_server(dialog)
    assert defaults(form) == {"base_url": server.url, "model": CLIP, "remove": False}
    assert "sk-1" not in str(form)
    # An empty key keeps the one for the same server.
    await dialog.enter(form, base_url=server.url, model=CLIP)
    assert dialog.entry.options["photo_server"] == stored
    form = await open_server(dialog)
    await dialog.enter(form, base_url=server.url, model=CLIP, remove=True)
    assert "photo_server" not in dialog.entry.options


async def test_the_server_gets_the_photos_when_something_is_described(
    dialog: Options, album: PhotoAlbum, server: FakeEmbeddingServer, house: LampHouse
):
    await album.async_add(house.lamp, picture())
    form = await open_server(dialog)
    await dialog.enter(form, base_url=server.url, model=CLIP)
    server.requests.clear()

    looks = dialog.entry.runtime_data.home.appearance
    likeness = await looks.async_compare("the light on the dresser", {"lamp": [house.lamp]})

    assert likeness.by == "photos"
    assert [each.body.get("modality") for each in server.requests] == ["image", None]


def faults() -> Iterator[tuple[Any, str]]:
    yield Refusal(status=401), "key_refused"
    yield Refusal(status=404, code="model_not_found"), "no_such_model"
    yield Refusal(status=503, code="no_weights"), "no_weights"
    yield Refusal(status=503, code="model_loading"), "timeout"
    yield Refusal(status=400, message="does not support embeddings"), "no_embeddings"
    yield Fault.NOT_JSON, "broken_reply"


@pytest.mark.parametrize(("fault", "error"), faults())
async def test_a_server_that_does_not_work_gets_a_sentence(
    dialog: Options, server: FakeEmbeddingServer, fault: Any, error: str
):
    server.fail_always(fault)

    form = await dialog.enter(await open_server(dialog), base_url=server.url, model=CLIP)

    assert form["errors"] == {"base": error}
    assert "photo_server" not in dialog.entry.options


async def test_a_server_that_embeds_only_texts_is_recognised(
    dialog: Options, server: FakeEmbeddingServer
):
    """Some refuse `modality`; others embed the picture as if it were a text."""
    form = await open_server(dialog)

    server.refuses = lambda _: None
    server.reads_images = False
    text_only = await dialog.enter(form, base_url=server.url, model=CLIP)
    server.refuses = lambda body: Refusal(status=422) if "modality" in body else None
    refusing = await dialog.enter(form, base_url=server.url, model=CLIP)

    assert text_only["errors"] == refusing["errors"] == {"base": "not_an_image_model"}
    assert DOMAIN in dialog.hass.config.components
    assert "photo_server" not in dialog.entry.options
