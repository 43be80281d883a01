"""What can go wrong does so on demand, and as often as it was asked for."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.errors import Refusal
from benchmark.simulator.faults import Fault, Faults
from benchmark.simulator.request_log import RequestKind

from .small_home import DISHWASHER, LAMP, TV

ON = {"component": "main", "capability": "switch", "command": "on"}


async def _switch_on(session: aiohttp.ClientSession, device: str = LAMP) -> tuple[int, str]:
    path = f"/v1/devices/{device}/commands"
    async with session.post(path, json={"commands": [ON]}) as response:
        return response.status, await response.text()


async def _read(session: aiohttp.ClientSession, device: str = LAMP) -> int:
    async with session.get(f"/v1/devices/{device}/status") as response:
        return response.status


def _lamp(cloud: SimulatedCloud) -> Any:
    return cloud.device("Lamp").value("main", "switch", "switch")


@pytest.mark.parametrize(
    ("set_up", "status", "said"),
    [
        (lambda faults: faults.refuse_token(), 401, "<html>"),
        (lambda faults: faults.demand_payment(), 402, "quota"),
        (lambda faults: faults.forbid(), 403, '"Forbidden"'),
        (lambda faults: faults.refuse_state(), 409, '"invalid device state"'),
        (lambda faults: faults.limit_rate(retry_in_millis=1500), 429, "retry in 1500 millis"),
        (lambda faults: faults.fail(), 500, "unsuccessful-http-call status=424"),
        (lambda faults: faults.fail(status=503), 503, "UnexpectedError"),
        (lambda faults: faults.answer(Refusal(status=418, code="X")), 418, '"X"'),
    ],
)
async def test_commands_are_refused(
    session: aiohttp.ClientSession,
    small_cloud: SimulatedCloud,
    set_up: Callable[[Faults], Fault],
    status: int,
    said: str,
) -> None:
    fault = set_up(small_cloud.faults)
    answered, text = await _switch_on(session)
    assert answered == status
    assert said in text
    assert fault.seen == 1
    assert _lamp(small_cloud) == "off"
    assert small_cloud.requests[-1].status == status

    small_cloud.faults.clear()
    assert (await _switch_on(session))[0] == 200


async def test_a_fault_befalls_kinds_of_requests(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    small_cloud.faults.forbid(RequestKind.STATUS)
    assert await _read(session) == 403
    assert (await _switch_on(session))[0] == 200

    small_cloud.faults.clear()
    small_cloud.faults.fail([RequestKind.STATUS, RequestKind.DEFINITION])
    assert await _read(session) == 500
    async with session.get("/v1/capabilities/switch/1") as response:
        assert response.status == 500
    async with session.get(f"/v1/devices/{LAMP}/health") as response:
        assert response.status == 200


@pytest.mark.parametrize(("is_carried_out", "state"), [(True, "on"), (False, "off")])
async def test_the_connection_breaks_after_the_command_was_taken(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud, is_carried_out: bool, state: str
) -> None:
    small_cloud.faults.break_connection(is_carried_out=is_carried_out)
    with pytest.raises(aiohttp.ClientConnectionError):
        await _switch_on(session)
    assert _lamp(small_cloud) == state
    assert small_cloud.count("POST") == 1
    assert small_cloud.requests[-1].status is None


async def test_the_answer_is_garbage(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    small_cloud.faults.answer_garbage()
    status, text = await _switch_on(session)
    assert status == 200
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(text)
    assert _lamp(small_cloud) == "on"


async def test_a_server_error_although_the_command_is_done(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    small_cloud.faults.fail(is_carried_out=True)
    assert (await _switch_on(session))[0] == 500
    assert _lamp(small_cloud) == "on"


async def test_a_request_hangs_until_it_is_released(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    fault = small_cloud.faults.hang()
    waiting = asyncio.create_task(_switch_on(session))
    await fault.struck.wait()
    assert not waiting.done()
    small_cloud.faults.clear()
    with pytest.raises(aiohttp.ClientConnectionError):
        await waiting
    assert _lamp(small_cloud) == "off"


async def test_a_device_is_offline(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    small_cloud.set_online("Lamp", False)
    status, text = await _switch_on(session)
    assert status == 409
    assert "invalid device state" in text
    async with session.get(f"/v1/devices/{LAMP}/health") as response:
        assert (await response.json())["state"] == "OFFLINE"
    assert (await _switch_on(session, TV))[0] == 200


async def test_remote_control_is_off(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    small_cloud.set_remote_control("Dishwasher", False)
    status, text = await _switch_on(session, DISHWASHER)
    assert status == 409
    assert "invalid device state" in text
    small_cloud.set_remote_control("Dishwasher", True)
    assert (await _switch_on(session, DISHWASHER))[0] == 200


async def test_the_cloud_says_that_a_command_failed(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    small_cloud.result_status = "FAILED"
    _, text = await _switch_on(session)
    assert json.loads(text)["results"][0]["status"] == "FAILED"
    assert _lamp(small_cloud) == "off"


# What becomes of changes.


def _told(cloud: SimulatedCloud) -> list[Any]:
    return [event["deviceEvent"]["value"] for event in cloud.stream.sent]


async def test_an_event_is_sent_as_soon_as_a_command_is_done(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    await _switch_on(session)
    assert _told(small_cloud) == ["on"]


@pytest.mark.parametrize(("state_changes", "state"), [(True, "on"), (False, "off")])
async def test_the_event_never_comes(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud, state_changes: bool, state: str
) -> None:
    small_cloud.faults.lose_events(state_changes=state_changes, device="Lamp", times=1)
    assert (await _switch_on(session))[0] == 200
    assert _told(small_cloud) == []
    assert _lamp(small_cloud) == state
    await _switch_on(session)
    assert _told(small_cloud) == ["on"]
