"""Faults that a client alone does not see: what becomes of commands all the same."""

import aiohttp

from benchmark.simulator.cloud import SimulatedCloud

from .small_home import LAMP, TV

ON = {"component": "main", "capability": "switch", "command": "on"}


async def _switch_on(session: aiohttp.ClientSession, device: str = LAMP) -> tuple[int, str]:
    path = f"/v1/devices/{device}/commands"
    async with session.post(path, json={"commands": [ON]}) as response:
        return response.status, await response.text()


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
