"""The view of models: agents, counters and prices, only for administrators."""

from datetime import timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion
from custom_components.sage.model import ChatMessage, ModelRequest
from custom_components.sage.model.usage_counters import STORAGE_KEY
from tests.end_to_end.conftest import Sage, async_make_sage

from .conftest import Call, ask, send


@pytest.fixture
async def sage(hass: HomeAssistant, model_server: FakeModelServer) -> Sage:
    """SAGE that asks the model nothing on its own."""
    return await async_make_sage(hass, model_server, options={"warm_prefix": "never"})


async def agent(call: Call, user: User, **data: Any) -> dict[str, Any]:
    """Return the only agent."""
    (found,) = (await ask(call, user, "models/list", **data))["agents"]
    assert isinstance(found, dict)
    return found


def completion(text: str = "Hello!") -> Completion:
    return Completion(text=text, prompt_tokens=100, cached_tokens=80, completion_tokens=3)


async def test_agents_are_shown_with_their_formats_but_no_key(sage: Sage, call: Call, admin: User):
    shown = await agent(call, admin)

    assert (shown["name"], shown["model"], shown["server"]) == ("SAGE", "test-model", "127.0.0.1")
    assert shown["format"] == "native"
    assert shown["formats"] == ["native", "constrained", "react"]
    assert shown["price"] is None
    assert shown["days"] == []


@pytest.mark.parametrize(
    ("action", "data"), [("models/list", {}), ("models/set_price", {"agent": "x", "input": 1})]
)
async def test_members_see_and_change_nothing(
    sage: Sage, call: Call, anna: User, action: str, data: dict[str, Any]
):
    answer = await send(call, anna, action, **data)

    assert answer["error"]["code"] == "unauthorized"


async def complete(sage: Sage, name: str, text: str) -> None:
    """Let the model of an agent reply to a text."""
    message = ChatMessage(role="user", content=text)
    await sage.entry.runtime_data.agents[name].settings.model.async_complete(
        ModelRequest(messages=(message,))
    )


async def test_a_call_of_a_model_is_counted(sage: Sage, call: Call, admin: User):
    name = (await agent(call, admin))["id"]
    sage.model_says(completion())

    await complete(sage, name, "Say hello")
    (day,) = (await agent(call, admin))["days"]

    assert day["day"] == dt_util.now().date().isoformat()
    assert (day["calls"], day["failed"]) == (1, 0)
    assert (day["prompt_tokens"], day["cached_tokens"], day["completion_tokens"]) == (100, 80, 3)
    assert day["seconds"] > 0


async def test_days_are_counted_apart_and_survive_a_restart(
    sage: Sage,
    call: Call,
    admin: User,
    hass_storage: dict[str, Any],
    freezer: FrozenDateTimeFactory,
):
    name = (await agent(call, admin))["id"]
    sage.model_says(completion(), completion())
    await complete(sage, name, "the secret word")
    freezer.tick(timedelta(days=1))
    await complete(sage, name, "another secret")

    two = (await agent(call, admin))["days"]
    one = (await agent(call, admin, days=1))["days"]

    assert [each["calls"] for each in two] == [1, 1]
    assert one == two[1:]
    await sage.hass.async_stop(force=True)
    stored = hass_storage[STORAGE_KEY]["data"]
    assert [list(each) for each in stored.values()] == [[name], [name]]
    assert list(stored) == [each["day"] for each in two]
    assert "secret" not in str(stored)


async def test_prices_are_kept_and_removed(sage: Sage, call: Call, admin: User):
    runtime = sage.entry.runtime_data
    name = (await agent(call, admin))["id"]

    await ask(call, admin, "models/set_price", agent=name, input=2.5, output=10)
    await sage.hass.async_block_till_done()
    priced = (await agent(call, admin))["price"]
    await ask(call, admin, "models/set_price", agent=name)
    unknown = await send(call, admin, "models/set_price", agent="none", input=1)

    assert priced == {"input": 2.5, "output": 10.0}
    assert (await agent(call, admin))["price"] is None
    assert unknown["error"]["translation_key"] == "unknown_agent"
    assert sage.entry.runtime_data is runtime
