"""The first steps on the page: sentences with devices of this home, and SAGE in Assist."""

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.components.assist_pipeline import async_get_pipelines
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockUser

from benchmark.fake_model_server import FakeModelServer
from tests.demo_home import demo_home  # noqa: F401
from tests.end_to_end.conftest import AGENT, Sage, async_make_sage
from tests.exposing import ASSISTANT
from tests.fake_model import model_server  # noqa: F401

from .conftest import Call

LAMP, SPOT, PLUG, DOOR = "light.lamp", "light.spot", "switch.plug", "lock.door"


async def start(call: Call, user: User) -> Any:
    return (await call(user, "sage/start/get"))["result"]


async def sentences(call: Call, user: User) -> list[tuple[str, str]]:
    return [(each["kind"], each["device"]) for each in (await start(call, user))["sentences"]]


def add(hass: HomeAssistant, entity_id: str, name: str, state: str = "on") -> None:
    hass.states.async_set(entity_id, state, {"friendly_name": name})
    async_expose_entity(hass, ASSISTANT, entity_id, True)


async def test_the_sentences_name_lights_of_this_home(sage: Sage, call: Call, anna: User):
    add(sage.hass, DOOR, "Door", "locked")
    add(sage.hass, LAMP, "Lamp")
    add(sage.hass, SPOT, "Spot", "off")

    assert await sentences(call, anna) == [
        ("turn_on", "Spot"),
        ("is_on", "Lamp"),
        ("turn_off_later", "Spot"),
    ]


async def test_one_light_is_enough_and_a_home_without_any_has_no_sentences(
    sage: Sage, call: Call, anna: User
):
    assert await sentences(call, anna) == []

    add(sage.hass, LAMP, "Lamp")

    assert await sentences(call, anna) == [
        ("turn_off", "Lamp"),
        ("is_on", "Lamp"),
        ("turn_off_later", "Lamp"),
    ]


async def test_what_needs_a_confirmation_or_has_no_name_of_its_own_is_not_proposed(
    sage: Sage, call: Call, anna: User
):
    add(sage.hass, DOOR, "Door", "locked")
    add(sage.hass, LAMP, "Lamp", "unavailable")
    add(sage.hass, SPOT, "Light")
    add(sage.hass, "light.other", "Light")
    add(sage.hass, PLUG, "Plug", "off")
    sage.entry.runtime_data.home.levels.choose({PLUG: "ask"})
    assert await sentences(call, anna) == []

    sage.entry.runtime_data.home.levels.choose({PLUG: "free"})

    assert {name for _, name in await sentences(call, anna)} == {"Plug"}


async def test_nobody_is_proposed_what_they_may_not_use(sage: Sage, call: Call):
    user = MockUser(name="Guest").add_to_hass(sage.hass)
    user.mock_policy({"entities": {"entity_ids": {LAMP: {"read": True}, SPOT: True}}})
    add(sage.hass, LAMP, "Lamp")
    add(sage.hass, SPOT, "Spot")

    assert {name for _, name in await sentences(call, user)} == {"Spot"}


@pytest.fixture
async def sage_with_assist(
    hass: HomeAssistant,
    model_server: FakeModelServer,  # noqa: F811
) -> Sage:
    sage = await async_make_sage(hass, model_server)
    assert await async_setup_component(hass, "assist_pipeline", {})
    await hass.async_block_till_done()
    return sage


async def test_an_administrator_lets_sage_answer_in_an_assistant(
    sage_with_assist: Sage, call: Call, admin: User, anna: User
):
    (pipeline,) = async_get_pipelines(sage_with_assist.hass)
    assert (await start(call, anna))["assistants"] is None
    assert (await start(call, admin))["assistants"] == [{"id": pipeline.id, "name": pipeline.name}]
    wanted = {"assistant": pipeline.id}

    refused = await call(anna, "sage/start/use_in_assistant", data=wanted)
    assert refused["error"]["code"] == "unauthorized"
    assert (await call(admin, "sage/start/use_in_assistant", data=wanted))["success"]

    (changed,) = async_get_pipelines(sage_with_assist.hass)
    assert (changed.conversation_engine, changed.prefer_local_intents) == (AGENT, False)
    assert (await start(call, admin))["assistants"] is None


async def test_a_new_assistant_leaves_the_others(sage_with_assist: Sage, call: Call, admin: User):
    (other,) = async_get_pipelines(sage_with_assist.hass)

    assert (await call(admin, "sage/start/use_in_assistant", data={"assistant": "new"}))["success"]

    assert {each.name for each in async_get_pipelines(sage_with_assist.hass)} == {
        other.name,
        "SAGE",
    }


async def test_an_assistant_that_is_gone_is_an_error(
    sage_with_assist: Sage, call: Call, admin: User
):
    refused = await call(admin, "sage/start/use_in_assistant", data={"assistant": "gone"})

    assert refused["error"]["translation_key"] == "no_such_assistant"
