"""The limits of requests per minute."""

import aiohttp
import pytest

from benchmark.simulator.cloud import SimulatedCloud

from .small_home import LAMP, TV


class _Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(small_cloud: SimulatedCloud) -> _Clock:
    clock = _Clock()
    small_cloud.limits.is_on = True
    small_cloud.limits.clock = clock
    return clock


async def _read(session: aiohttp.ClientSession, device: str) -> tuple[int, str | None, str]:
    async with session.get(f"/v1/devices/{device}/status") as response:
        return response.status, response.headers.get("X-RateLimit-Remaining"), await response.text()


async def test_twelve_a_minute_for_each_device(
    session: aiohttp.ClientSession, clock: _Clock
) -> None:
    remaining = [(await _read(session, LAMP))[:2] for _ in range(12)]
    assert remaining[0] == (200, "11")
    assert remaining[-1] == (200, "0")

    clock.now += 20
    status, left, text = await _read(session, LAMP)
    assert (status, left) == (429, "0")
    assert "attempt 13 limit 12 - retry in 40000 millis" in text
    assert (await _read(session, TV))[0] == 200

    clock.now += 40
    assert (await _read(session, LAMP))[0] == 200


async def test_a_refusal_says_when_to_try_again(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud, clock: _Clock
) -> None:
    command = {"component": "main", "capability": "switch", "command": "on"}
    path, body = f"/v1/devices/{LAMP}/commands", {"commands": [command]}
    for _ in range(12):
        async with session.post(path, json=body) as response:
            assert response.status == 200
    small_cloud.change("Lamp", "main", "switch", "switch", "off")
    async with session.post(path, json=body) as response:
        assert response.status == 429
        assert response.headers["X-RateLimit-Reset"] == "60"
        error = (await response.json())["error"]
    assert error["code"] == "TooManyRequestError"
    assert error["details"][0]["message"].endswith("retry in 60000 millis")
    assert small_cloud.device("Lamp").value("main", "switch", "switch") == "off"


async def test_definitions_are_limited_for_the_whole_account(
    session: aiohttp.ClientSession, clock: _Clock
) -> None:
    statuses = []
    for capability in ["switch", "switchLevel"] * 8:
        async with session.get(f"/v1/capabilities/{capability}/1") as response:
            statuses.append(response.status)
    assert statuses == [200] * 15 + [429]


async def test_there_are_no_limits_unless_asked_for(session: aiohttp.ClientSession) -> None:
    statuses = {(await _read(session, LAMP))[:2] for _ in range(20)}
    assert statuses == {(200, None)}
