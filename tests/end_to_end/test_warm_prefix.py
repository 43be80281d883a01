"""The beginnings of the prompts are in the server's cache before somebody speaks."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from benchmark.fake_model_server import FakeModelServer, is_for_cache
from benchmark.model_script import Answer, Completion, Fault, FaultKind, Json
from custom_components.sage.config import agents, connection
from custom_components.sage.const import DOMAIN
from custom_components.sage.run.run_registry import SETTLED_SECONDS
from custom_components.sage.run.runtime import PrefixState
from tests.decisions import FORMATS, NATIVE, Decides, step
from tests.waiting import until

from .conftest import MakeSage, Sage

MOMENT = timedelta(seconds=1)
SETTLED = timedelta(seconds=SETTLED_SECONDS)
SAGE, PLANNER, DEVICES, CONDITIONS = "sage", "planner", "device_interaction", "conditions"
ALL = [CONDITIONS, DEVICES, PLANNER, SAGE]
"""At the end SAGE's: some servers keep only the last prompt."""


class Server:
    """What a model server reads ahead."""

    def __init__(self, server: FakeModelServer) -> None:
        self.server = server
        self.bodies: list[Json] = []
        self.hangs = False
        self.is_down = False
        server.background = self._answer

    def _answer(self, body: Json) -> Answer | None:
        if not is_for_cache(body):
            return None
        self.bodies.append(body)
        if self.is_down:
            return Fault(kind=FaultKind.NOT_A_CHAT_MODEL)
        if self.hangs:
            return Fault(kind=FaultKind.HANG)
        return Completion(text="{", finish_reason="length", prompt_tokens=1000)

    def take(self) -> list[str]:
        """Return whose prefixes were evaluated since the last call."""
        taken, self.bodies = self.bodies, []
        return [owner(each) for each in taken]


def owner(body: Json) -> str:
    system = body["messages"][0]["content"]
    if "\nDevices:\n" in system:
        return PLANNER
    if "code_execution" in json.dumps(body):
        return CONDITIONS
    return SAGE if "condition_polling" in json.dumps(body) else DEVICES


def beginning(body: Json) -> str:
    """Return what the prompt begins with, as the template of a model writes it."""
    return json.dumps([body.get("tools"), body["messages"][0], body.get("response_format")])


@pytest.fixture
def ahead(model_server: FakeModelServer) -> Server:
    return Server(model_server)


async def async_evaluated(hass: HomeAssistant) -> None:
    for _ in range(20):
        # A run ends a few turns of the loop after its answer.
        await asyncio.sleep(0)
    await until(lambda: PrefixState.EVALUATING not in _states(hass))


def _states(hass: HomeAssistant) -> set[PrefixState]:
    return {
        prefixes.state
        for entry in hass.config_entries.async_loaded_entries(DOMAIN)
        for prefixes in entry.runtime_data.prefixes.values()
    }


@pytest.fixture
def wait(hass: HomeAssistant) -> Callable[[timedelta], Any]:
    """Let time pass; what begins by that is done then."""

    async def pass_time(time: timedelta) -> None:
        await async_evaluated(hass)
        async_fire_time_changed(hass, dt_util.utcnow() + time + MOMENT)
        await async_evaluated(hass)

    return pass_time


@pytest.fixture
def warm(hass: HomeAssistant, ahead: Server, make_sage: MakeSage) -> MakeSage:
    """Set SAGE up and wait until all is evaluated."""

    async def make(*given: Any, **more: Any) -> Sage:
        sage: Sage = await make_sage(*given, **more)
        await async_evaluated(hass)
        return sage

    return make


def through_the_tree(decides: Decides) -> tuple[Answer, ...]:
    return (
        *decides.planned("turn on the kitchen light", step("command", "kitchen_light")),
        decides.execute("kitchen_light", command="turn_on"),
        decides.finish("acted", "The kitchen light is on."),
    )


def answers() -> Completion:
    return NATIVE.finish("answered", "Good morning.", about="other")


@pytest.mark.parametrize("name", FORMATS)
async def test_after_the_start_prompts_begin_with_what_was_evaluated(
    ahead: Server, warm: MakeSage, name: str
) -> None:
    sage, decides = await warm(name), Decides(name)
    begun = {beginning(each) for each in ahead.bodies}
    assert ahead.take() == ALL

    sage.model_says(*through_the_tree(decides))
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    said = sage.server.completions
    assert {owner(each.body) for each in said} == {SAGE, PLANNER, DEVICES}
    assert {beginning(each.body) for each in said} < begun


async def test_it_costs_no_command_anything(warm: MakeSage) -> None:
    sage = await warm()
    sage.model_says(answers())
    assert await sage.hear("good morning") == "Good morning."
    assert sage.trace["model_calls"] == sage.model_calls == 1


async def test_a_change_of_the_home_is_evaluated_once_it_has_settled(
    hass, ahead: Server, warm: MakeSage, wait
) -> None:
    await warm()
    ahead.take()
    async_expose_entity(hass, "conversation", "light.office_lamp", False)
    await wait(SETTLED / 2)
    assert ahead.take() == []

    await wait(SETTLED)
    assert "office_lamp" not in json.dumps(ahead.bodies[ALL.index(PLANNER)])
    assert ahead.take() == ALL

    area = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert area is not None
    ar.async_get(hass).async_update(area.id, name="Galley")
    await wait(SETTLED)
    assert "Galley" in json.dumps(ahead.bodies[ALL.index(PLANNER)])
    assert ahead.take() == ALL


async def test_a_change_cancels_the_evaluation_of_what_is_old(
    hass, ahead: Server, make_sage: MakeSage, hass_ws_client, wait
) -> None:
    ahead.hangs = True
    sage = await make_sage()
    await until(lambda: ahead.bodies)
    async_expose_entity(hass, "conversation", "light.office_lamp", False)
    await until(lambda: sage.server.abandoned)
    assert await states(hass, hass_ws_client) == ["waiting"]
    assert ahead.take() == ALL[:1]

    ahead.hangs = False
    await wait(SETTLED)
    assert ahead.take() == ALL
    assert await states(hass, hass_ws_client) == ["ready"]


async def test_a_person_comes_first(ahead: Server, make_sage: MakeSage, wait) -> None:
    ahead.hangs = True
    sage = await make_sage()
    await until(lambda: ahead.bodies)

    sage.model_says(answers())
    assert await sage.hear("good morning") == "Good morning."
    await until(lambda: sage.server.abandoned)
    assert ahead.take() == ALL[:1]

    ahead.hangs = False
    await wait(SETTLED)
    assert ahead.take() == ALL


async def test_nothing_is_evaluated_while_somebody_waits(
    hass, ahead: Server, warm: MakeSage, wait
) -> None:
    sage = await warm()
    ahead.take()
    sage.model_says(NATIVE.call("human_interaction", question="Which one?"))
    assert await sage.hear("put it on") == "Which one?"
    async_expose_entity(hass, "conversation", "light.office_lamp", False)
    await wait(SETTLED)
    assert ahead.take() == []

    sage.model_says(answers())
    await sage.hear("the kitchen light")
    await wait(SETTLED)
    assert ahead.take() == ALL


async def test_a_model_that_is_away_is_no_trouble(
    hass, ahead: Server, warm: MakeSage, wait, caplog: pytest.LogCaptureFixture
) -> None:
    ahead.is_down = True
    caplog.set_level(logging.DEBUG, "custom_components.sage.run.warm_prefix")
    await warm()
    for lamp in ("office_lamp", "kitchen_light"):
        async_expose_entity(hass, "conversation", f"light.{lamp}", False)
        await wait(SETTLED)
    assert len(ahead.take()) == 3
    said = [each for each in caplog.records if "warm_prefix" in each.name]
    assert {each.levelno for each in said} == {logging.DEBUG}
    assert not [each for each in ir.async_get(hass).issues if each[0] == DOMAIN]

    ahead.is_down = False
    async_expose_entity(hass, "conversation", "light.office_lamp", True)
    await wait(SETTLED)
    assert ahead.take() == ALL


async def test_unloading_does_not_wait_for_it(hass, ahead: Server, make_sage: MakeSage, wait):
    ahead.hangs = True
    sage = await make_sage()
    await until(lambda: ahead.bodies)
    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    await until(lambda: sage.server.abandoned)
    ahead.take()
    await wait(timedelta(hours=2))
    assert ahead.take() == []


async def states(hass: HomeAssistant, hass_ws_client: Any) -> Any:
    assert await async_setup_component(hass, "websocket_api", {})
    client = await hass_ws_client(hass)
    await client.send_json_auto_id({"type": "sage/prefixes"})
    told = (await client.receive_json())["result"]["prefixes"]
    assert all(0 <= each["done"] <= 1 for each in told)
    return [each["state"] for each in told]


async def test_the_demo_can_see_how_far_it_is(
    hass, ahead: Server, make_sage: MakeSage, hass_ws_client
) -> None:
    ahead.hangs = True
    sage = await make_sage()
    await until(lambda: ahead.bodies)
    assert await states(hass, hass_ws_client) == ["evaluating"]
    sage.model_says(answers())
    await sage.hear("good morning")
    assert await states(hass, hass_ws_client) == ["waiting"]


@pytest.mark.parametrize(
    ("is_local", "options", "owners"),
    [(True, {}, ALL), (True, {"warm_prefix": "never"}, []), (False, {}, [])],
)
async def test_the_household_decides_which_servers_do_it(
    ahead: Server,
    warm: MakeSage,
    wait,
    hass_ws_client,
    monkeypatch: pytest.MonkeyPatch,
    is_local: bool,
    options: dict[str, str],
    owners: Iterable[str],
) -> None:
    monkeypatch.setattr(agents, "is_local", lambda _: is_local)
    sage = await warm(options=options)
    assert ahead.take() == owners
    assert await states(sage.hass, hass_ws_client) == (["ready"] if owners else [])
    if not owners:
        sage.model_says(*through_the_tree(NATIVE))
        await sage.hear("turn on the kitchen light")
        await wait(SETTLED)
        assert ahead.take() == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "192.168.1.20",
        "10.0.0.7",
        "[::1]",
        "[fe80::1]",
        "[fd12::5]",
        "100.101.102.103",
        "localhost",
        "homeassistant.local",
        "NAS.local.",
        "core-ollama",
        "llm.home.arpa",
    ],
)
def test_servers_of_the_local_network(host: str) -> None:
    assert connection.is_local(f"http://{host}:11434/v1")


@pytest.mark.parametrize(
    "host",
    ["api.openai.com", "8.8.8.8", "[2606:4700::1111]", "local.example.com", "[::ffff:8.8.8.8]"],
)
def test_servers_of_the_internet(host: str) -> None:
    assert not connection.is_local(f"https://{host}/v1")


def test_an_address_without_a_host_is_not_local() -> None:
    assert not connection.is_local("/v1")
