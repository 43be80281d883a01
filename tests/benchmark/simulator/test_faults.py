"""Faults that a client alone does not see: what becomes of commands all the same."""

from typing import Any

import aiohttp
import pytest

from benchmark.simulator.cloud import SimulatedCloud

from .small_home import LAMP, TV

ON = {"component": "main", "capability": "switch", "command": "on"}


async def _switch_on(session: aiohttp.ClientSession, device: str = LAMP) -> tuple[int, str]:
    path = f"/v1/devices/{device}/commands"
    async with session.post(path, json={"commands": [ON]}) as response:
        return response.status, await response.text()


def _lamp(cloud: SimulatedCloud) -> Any:
    return cloud.device("Lamp").value("main", "switch", "switch")


async def test_a_server_error_although_the_command_is_done(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    small_cloud.faults.fail(is_carried_out=True)
    assert (await _switch_on(session))[0] == 500
    assert _lamp(small_cloud) == "on"


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


def _told(cloud: SimulatedCloud) -> list[Any]:
    return [event["deviceEvent"]["value"] for event in cloud.stream.sent]


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
