"""Vectors from a server, over real HTTP."""

import numpy as np
import pytest

from benchmark.fake_embedding_server import (
    FakeEmbeddingServer,
    Fault,
    Refusal,
    count_words,
    refuse_longer_than,
)
from custom_components.sage.embeddings.embedder import Embedder
from custom_components.sage.model.language_model import ModelError, ModelErrorKind

TEXTS = ["the lamp is on", "the lamp is off", "my mother likes tea"]


def expected(texts: list[str], dimensions: int = 64) -> np.ndarray:
    vectors = np.array([count_words(text, dimensions) for text in texts])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


async def test_vectors_come_in_the_order_of_the_texts_with_length_one(
    server: FakeEmbeddingServer, make_embedder
):
    embedder: Embedder = await make_embedder()

    vectors = await embedder.async_embed(TEXTS)

    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(expected(TEXTS), abs=1e-6)
    body = server.requests[0].body
    assert body == {"model": "test-embeddings", "input": TEXTS}


async def test_a_long_list_goes_in_several_requests(server: FakeEmbeddingServer, make_embedder):
    texts = [f"memory number {number}" for number in range(19)]
    embedder = await make_embedder()

    vectors = await embedder.async_embed(texts)

    assert vectors == pytest.approx(expected(texts), abs=1e-6)
    assert [len(request.texts) for request in server.requests] == [8, 8, 3]
    assert server.texts == texts


async def test_no_texts_need_no_request(server: FakeEmbeddingServer, make_embedder):
    embedder = await make_embedder()
    assert (await embedder.async_embed([])).shape == (0, 0)

    assert (await embedder.async_embed(["lamp"])).shape == (1, 64)

    assert (await embedder.async_embed([])).shape == (0, 64)
    assert len(server.requests) == 1


async def test_blank_texts_are_not_sent_blank(server: FakeEmbeddingServer, make_embedder):
    vectors = await (await make_embedder()).async_embed(["", " \n", "lamp"])

    assert vectors.shape == (3, 64)
    assert np.isfinite(vectors).all()
    assert all(text.strip() for text in server.texts)


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(status=400, message="This model's maximum context length is 512 tokens."),
        Refusal(status=413, message="Input validation error: `inputs` must have less than 512."),
        Refusal(
            status=500,
            message="input (900 tokens) is too large to process. increase the "
            "physical batch size (current batch size: 512)",
        ),
        Refusal(status=413),
    ],
    ids=["context", "less", "llama.cpp", "413"],
)
async def test_of_a_text_that_is_too_long_the_beginning_counts(
    server: FakeEmbeddingServer, make_embedder, refusal: Refusal
):
    server.refuses = refuse_longer_than(1000, refusal)
    long = "lamp " * 600
    embedder = await make_embedder()

    vectors = await embedder.async_embed([long, "tea"])
    again = await embedder.async_embed([long])

    assert vectors == pytest.approx(expected(["lamp", "tea"]), abs=1e-6)
    assert again == pytest.approx(expected(["lamp"]), abs=1e-6)
    assert [max(map(len, request.texts)) for request in server.requests] == [3000, 1500, 750, 750]


async def test_vectors_of_another_size_than_before_are_refused(
    server: FakeEmbeddingServer, make_embedder
):
    embedder = await make_embedder()
    await embedder.async_embed(TEXTS)
    server.fail(Fault.OTHER_SIZE)

    with pytest.raises(ModelError, match="65 numbers instead of 64") as failed:
        await embedder.async_embed(TEXTS)

    assert failed.value.kind is ModelErrorKind.BROKEN_REPLY
    assert (await embedder.async_embed(TEXTS)).shape == (3, 64)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.NOT_JSON, "not in the format"),
        (Fault.ONE_TOO_FEW, "2 vectors for 3 texts"),
        (Fault.ONE_TOO_MANY, "4 vectors for 3 texts"),
        (Fault.WRONG_NUMBERS, "numbered wrongly"),
        (Fault.SEVERAL_SIZES, "several sizes"),
        (Fault.NOT_A_NUMBER, "not a number"),
        (Fault.NULL, "not a number"),
        (Fault.TOO_LARGE, "not a number"),
        (Fault.ZEROS, "zeros"),
        (Fault.EMPTY, "empty vector"),
        (Fault.PIECES, "each piece"),
    ],
)
async def test_a_reply_without_usable_vectors_is_refused_at_once(
    server: FakeEmbeddingServer, make_embedder, fault: Fault, said: str
):
    server.fail(fault)
    embedder = await make_embedder()

    with pytest.raises(ModelError, match=f"broken_reply.*{said}") as err:
        await embedder.async_embed(TEXTS)

    assert err.value.kind is ModelErrorKind.BROKEN_REPLY
    assert len(server.requests) == 1
    assert (await embedder.async_embed(TEXTS)) == pytest.approx(expected(TEXTS), abs=1e-6)


@pytest.mark.parametrize(
    "fault",
    [
        Fault.DROPPED,
        Fault.CUT,
        Refusal(status=429),
        Refusal(status=500, message="CUDA error"),
        Refusal(status=502),
        Refusal(status=503, message="Loading model: the context length is not known yet"),
        Refusal(status=408),
        Refusal(status=409),
    ],
)
async def test_what_fails_for_a_moment_is_tried_again(
    server: FakeEmbeddingServer, make_embedder, fault: Fault | Refusal
):
    server.fail(fault, fault)

    vectors = await (await make_embedder()).async_embed(TEXTS)

    assert vectors == pytest.approx(expected(TEXTS), abs=1e-6)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (Refusal(status=401), ModelErrorKind.KEY_REFUSED),
        (Refusal(status=403), ModelErrorKind.KEY_REFUSED),
        (
            Refusal(status=403, message="You are not allowed to generate embeddings from this"),
            ModelErrorKind.NOT_AN_EMBEDDING_MODEL,
        ),
        (Refusal(status=404), ModelErrorKind.WRONG_ADDRESS),
        (
            Refusal(status=404, message='model "x" not found, try pulling it first'),
            ModelErrorKind.NO_SUCH_MODEL,
        ),
        (
            Refusal(
                status=501,
                message="This server does not support embeddings. Start it with `--embeddings`",
            ),
            ModelErrorKind.NOT_AN_EMBEDDING_MODEL,
        ),
        (
            Refusal(status=400, message="Pooling type 'none' is not OAI compatible."),
            ModelErrorKind.NOT_AN_EMBEDDING_MODEL,
        ),
        (Refusal(status=501), ModelErrorKind.SERVER_ERROR),
        (Refusal(status=400), ModelErrorKind.REFUSED),
        (Refusal(status=418), ModelErrorKind.REFUSED),
        (
            Refusal(status=429, code="insufficient_quota", message="insufficient_quota"),
            ModelErrorKind.NO_CREDIT,
        ),
        (Refusal(status=429, retry_after="3600"), ModelErrorKind.RATE_LIMITED),
    ],
)
async def test_what_will_not_get_better_is_told_at_once(
    server: FakeEmbeddingServer, make_embedder, refusal: Refusal, kind: ModelErrorKind
):
    server.fail(refusal)

    with pytest.raises(ModelError, match=kind.value) as failed:
        await (await make_embedder()).async_embed(TEXTS)

    assert failed.value.kind is kind
    assert len(server.requests) == 1


async def test_a_server_that_is_away_is_told_and_found_again(
    server: FakeEmbeddingServer, make_embedder
):
    embedder = await make_embedder()
    await server.async_stop()
    with pytest.raises(ModelError, match="unreachable") as failed:
        await embedder.async_embed(TEXTS)
    assert failed.value.kind is ModelErrorKind.UNREACHABLE

    await server.async_start()

    assert (await embedder.async_embed(TEXTS)).shape == (3, 64)


SECRET = "my mother's diagnosis is between us"


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(status=400, message=f"Invalid input: {SECRET}", code=SECRET, param=SECRET),
        Refusal(status=401, message=f"Incorrect API key provided: sk-secret ({SECRET})"),
        Refusal(status=500, message=f"could not embed {SECRET}"),
    ],
)
async def test_neither_texts_nor_key_get_into_errors_and_the_log(
    server: FakeEmbeddingServer, make_embedder, refusal: Refusal, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("DEBUG", logger="custom_components.sage")
    server.fail_always(refusal)

    with pytest.raises(ModelError) as failed:
        await (await make_embedder(key="sk-secret")).async_embed([SECRET])

    assert str(refusal.status) in str(failed.value)
    ours = [record.getMessage() for record in caplog.records if "sage" in record.name]
    for text in (str(failed.value), repr(failed.value), *ours):
        assert "diagnosis" not in text
        assert "sk-secret" not in text
    assert failed.value.__cause__ is None
    assert failed.value.__suppress_context__
    assert server.requests[0].headers["Authorization"] == "Bearer sk-secret"
