"""Counters of model calls are read once and go on after a restart."""

import asyncio
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.model.language_model import (
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    Usage,
)
from custom_components.sage.model.usage_counters import STORAGE_KEY, UsageCounters, usage_of


def stored(data: Any) -> dict[str, Any]:
    return {"version": 1, "minor_version": 1, "key": STORAGE_KEY, "data": data}


async def test_stored_counters_go_on(hass: HomeAssistant, hass_storage: dict[str, Any]):
    today = dt_util.now().date()
    hass_storage[STORAGE_KEY] = stored({today.isoformat(): {"a": {"calls": 2, "seconds": 1.5}}})
    counters = UsageCounters(hass)
    await counters.async_load()
    usage = Usage(prompt_tokens=10, completion_tokens=1)

    counters.note("a", usage, 0.5, is_failure=False)
    counters.note("b", Usage(), 1.0, is_failure=True)
    await counters.async_load()

    own, other = counters.of("a", 1)[today], counters.of("b", 1)[today]
    assert (own.calls, own.failed, own.prompt_tokens, own.seconds) == (3, 0, 10, 2.0)
    assert (other.calls, other.failed) == (1, 1)


class EndingModel:
    """A model whose calls end with an exception."""

    name = "ending"

    def __init__(self, end: BaseException) -> None:
        self._end = end

    async def async_complete(self, request: ModelRequest, **_: Any) -> ModelReply:
        raise self._end


@pytest.mark.parametrize(
    ("end", "failed"),
    [(ModelError(ModelErrorKind.UNREACHABLE, "no server"), 1), (asyncio.CancelledError(), 0)],
)
async def test_a_cancelled_call_is_counted_but_has_not_failed(
    hass: HomeAssistant, end: BaseException, failed: int
):
    model = usage_of(hass).counted("a", EndingModel(end))

    with pytest.raises(type(end)):
        await model.async_complete(ModelRequest(messages=()))

    (day,) = usage_of(hass).of("a", 1).values()
    assert (day.calls, day.failed) == (1, failed)


async def test_invalid_days_are_left_out(hass: HomeAssistant, hass_storage: dict[str, Any]):
    today = dt_util.now().date()
    hass_storage[STORAGE_KEY] = stored(
        {"yesterday": {"a": {"calls": 1}}, today.isoformat(): {"a": 3, "b": {"calls": "x"}}}
    )
    counters = UsageCounters(hass)

    await counters.async_load()

    assert counters.of("a", 5) == {}
    assert counters.of("b", 5)[today].calls == 0
