"""Responses of the cloud to signed-in clients."""

from typing import Any

import aiohttp
import pytest
from pysmartthings import SmartThings as Client

from benchmark.simulator.cloud import SimulatedCloud
from tests.smartthings_home import SmartThings

from .small_home import LOCATION


async def _get(session: aiohttp.ClientSession, path: str) -> Any:
    async with session.get(path) as response:
        assert response.status == 200, await response.text()
        return await response.json()


async def _status(session: aiohttp.ClientSession, path: str) -> int:
    async with session.get(path) as response:
        return response.status


async def test_the_location_and_its_rooms(session: aiohttp.ClientSession) -> None:
    [location] = (await _get(session, "/v1/locations"))["items"]
    assert location == {"locationId": LOCATION, "name": "Small home"}
    assert (await _get(session, f"/v1/locations/{LOCATION}"))["temperatureScale"] == "C"
    [room] = (await _get(session, f"/v1/locations/{LOCATION}/rooms"))["items"]
    assert await _get(session, f"/v1/locations/{LOCATION}/rooms/{room['roomId']}") == room


@pytest.mark.parametrize(
    "path",
    [
        "/v1/locations/elsewhere",
        "/v1/locations/elsewhere/rooms",
        f"/v1/locations/{LOCATION}/rooms/cellar",
        "/v1/devices/toaster",
        "/v1/devices/toaster/status",
        "/v1/devices/toaster/health",
        "/v1/capabilities/nonsense/1",
        "/v1/capabilities/switch/2",
    ],
)
async def test_what_there_is_not_is_forbidden(session: aiohttp.ClientSession, path: str) -> None:
    assert await _status(session, path) == 403


async def test_the_client_library_follows_the_pages(connected: SmartThings) -> None:
    connected.cloud.page_size = 1
    connected.cloud.forget_requests()
    client: Client = connected.client
    devices = await client.get_devices()
    assert [device.label for device in devices] == ["Lamp", "TV", "Dishwasher"]
    assert connected.cloud.count("GET", "/v1/devices") == 3


async def test_scenes_are_listed_and_executed(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    [scene] = (await _get(session, f"/v1/scenes?locationId={LOCATION}"))["items"]
    assert scene["sceneName"] == "Evening"
    assert "actions" not in scene
    assert (await _get(session, "/v1/scenes?locationId=elsewhere"))["items"] == []

    async with session.post(f"/v1/scenes/{scene['sceneId']}/execute") as response:
        assert await response.json() == {"status": "success"}
    assert small_cloud.device("Lamp").value("main", "switch", "switch") == "on"


async def test_whoever_is_not_logged_in_sees_a_page_of_html(small_cloud: SimulatedCloud) -> None:
    async with aiohttp.ClientSession(small_cloud.url) as stranger:
        for path in ("/v1/devices", "/v1/nothing"):
            async with stranger.get(path) as response:
                assert response.status == 401
                assert response.content_type == "text/html"
                assert "401 Authorization Required" in await response.text()


async def test_a_token_that_was_renewed_is_worth_nothing(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    async with session.post("/oauth/token", data={"grant_type": "refresh_token"}) as response:
        token = (await response.json())["access_token"]
    assert await _status(session, "/v1/devices") == 401
    assert token == small_cloud.access_token
    async with session.get("/v1/devices", headers={"Authorization": f"Bearer {token}"}) as response:
        assert response.status == 200
