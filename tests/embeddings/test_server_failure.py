"""What failures mean that a server on loopback does not have."""

from typing import Any

import httpx
import openai
import pytest

from custom_components.sage.embeddings.server_failure import (
    FailureKind,
    ServerFailureError,
    failure_of,
)

# The client is typed for the newer httpx, and takes both.
REQUEST: Any = httpx.Request("POST", "http://127.0.0.1/v1/embeddings")


@pytest.mark.parametrize("kind", FailureKind)
def test_every_kind_of_failure_names_a_mend(kind: FailureKind):
    assert len(str(ServerFailureError(kind)).split()) > 5


@pytest.mark.parametrize(
    ("cause", "kind", "again"),
    [
        (httpx.ConnectError("no route"), FailureKind.UNREACHABLE, True),
        (httpx.ConnectTimeout("silence"), FailureKind.UNREACHABLE, False),
        (httpx.ReadTimeout("silence"), FailureKind.TIMEOUT, False),
        (httpx.PoolTimeout("busy"), FailureKind.TIMEOUT, False),
        (httpx.RemoteProtocolError("half a reply"), FailureKind.BROKEN_REPLY, True),
        (httpx.DecodingError("no gzip"), FailureKind.BROKEN_REPLY, False),
    ],
)
def test_a_broken_connection_is_told_apart(cause: httpx.HTTPError, kind: FailureKind, again: bool):
    wrapped = openai.APIConnectionError(request=REQUEST)
    wrapped.__cause__ = cause

    for err in (cause, wrapped):
        found = failure_of(err)
        assert (found.kind, found.again) == (kind, again)
        assert type(cause).__name__ in str(found)


def test_a_broken_connection_without_a_cause_is_tried_again():
    found = failure_of(openai.APIConnectionError(request=REQUEST))

    assert (found.kind, found.again) == (FailureKind.BROKEN_REPLY, True)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("model_loading", FailureKind.TIMEOUT),
        ("no_weights", FailureKind.NO_WEIGHTS),
        (["no_weights"], FailureKind.SERVER_ERROR),
        (None, FailureKind.SERVER_ERROR),
    ],
)
def test_a_models_server_without_its_model_is_no_faulty_server(code: object, kind: FailureKind):
    response: Any = httpx.Response(503, headers={"Retry-After": "5"}, request=REQUEST)
    body = {"code": code, "message": "The model is not there."}

    found = failure_of(openai.InternalServerError("unavailable", response=response, body=body))

    assert (found.kind, found.again, found.wait) == (kind, True, 5.0)


@pytest.mark.parametrize(
    ("header", "wait"),
    [("2", 2.0), ("0.5", 0.5), ("-1", -1.0), ("Wed, 21 Oct 2015 07:28:00 GMT", None), ("?", None)],
)
def test_a_wait_is_a_number_or_a_date(header: str, wait: float | None):
    response: Any = httpx.Response(429, headers={"Retry-After": header}, request=REQUEST)

    found = failure_of(openai.RateLimitError("busy", response=response, body=None))

    if wait is not None or header == "?":
        assert found.wait == wait
    else:
        assert found.wait is not None
        assert found.wait < 0
