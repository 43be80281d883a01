"""From typed addresses and stored settings to a server that embeds."""

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_embedding_server import FakeEmbeddingServer
from custom_components.sage.config.embedders import (
    async_find_embeddings,
    async_server_embedder,
    is_same_server,
)
from custom_components.sage.model.language_model import ModelError, ModelErrorKind

MODEL = "test-embeddings"


@pytest.mark.parametrize(
    ("typed", "requests"),
    [
        ("http://{host}/v1", 1),
        (" http://{host}/v1/ ", 1),
        ("http://{host}/v1/embeddings", 1),
        ("http://{host}", 1),
        ("{host}", 1),
        ("{host}/v1", 1),
    ],
)
async def test_what_was_left_out_of_an_address_is_found(
    hass: HomeAssistant, server: FakeEmbeddingServer, typed: str, requests: int
):
    host = server.url.removeprefix("http://").removesuffix("/v1")

    found = await async_find_embeddings(hass, typed.format(host=host), "sk-1", MODEL)

    assert found == {"base_url": server.url, "model": MODEL, "api_key": "sk-1"}
    assert len(server.requests) == requests
    embedder = await async_server_embedder(hass, found)
    assert (await embedder.async_embed(["light"])).shape == (1, 64)
    assert server.requests[-1].headers["Authorization"] == "Bearer sk-1"


async def test_no_key_is_stored_where_none_is_needed(
    hass: HomeAssistant, server: FakeEmbeddingServer
):
    assert "api_key" not in await async_find_embeddings(hass, server.url, None, MODEL)


@pytest.mark.parametrize(
    "typed", ["", "ftp://host/v1", "http://", "http://host:99999", "http://[", "http://host:0"]
)
async def test_what_is_no_address_is_asked_nothing(hass: HomeAssistant, typed: str):
    with pytest.raises(ModelError) as failed:
        await async_find_embeddings(hass, typed, None, MODEL)

    assert failed.value.kind is ModelErrorKind.UNREACHABLE


async def test_a_key_that_is_refused_is_not_tried_elsewhere(
    hass: HomeAssistant, server: FakeEmbeddingServer
):
    server.api_key = "right"

    with pytest.raises(ModelError) as failed:
        await async_find_embeddings(hass, server.url, "wrong", MODEL)

    assert failed.value.kind is ModelErrorKind.KEY_REFUSED
    assert len(server.requests) == 1
    assert "wrong" not in str(failed.value)


def test_only_the_same_server_gets_the_key():
    assert is_same_server("http://host:1/v1", "http://host:1/v1")
    assert is_same_server("http://host:1/", "http://host:1/v1")
    assert not is_same_server("http://host:1/v1", "https://host:1/v1")
    assert not is_same_server("http://host:2/v1", "http://host:1/v1")
    assert not is_same_server("http://host:1.example/v1", "http://host:1/v1")
    # It would be tried without encryption first.
    assert not is_same_server("host:1", "https://host:1/v1")


async def test_models_of_two_servers_are_told_apart(hass: HomeAssistant):
    def settings(url: str) -> dict[str, str]:
        return {"base_url": url, "model": MODEL}

    here = await async_server_embedder(hass, settings("http://user:secret@here/v1"))
    again = await async_server_embedder(hass, settings("http://user:secret@here/v1"))
    there = await async_server_embedder(hass, settings("http://there/v1"))

    assert here.model_id == again.model_id != there.model_id
    assert MODEL in here.model_id
    # It gets into bug reports.
    assert "secret" not in here.model_id
    assert "here" not in here.model_id
