"""The event stream, as the client library of the real cloud reads it."""

import json
from typing import Any

import aiohttp
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from pysmartthings import DeviceEvent

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.request_log import RequestKind
from tests.smartthings_home import SmartThings

from .small_home import LOCATION, TV

FILTER = {"type": "LOCATIONIDS", "value": [LOCATION], "eventType": ["DEVICE_EVENT"]}


def _lamp(hass: HomeAssistant) -> str:
    lamp = hass.states.get("light.hall_lamp")
    assert lamp is not None
    return lamp.state


async def _subscribe(session: aiohttp.ClientSession, path: str = "/subscriptions") -> Any:
    body = {"name": "test", "version": 20250122, "subscriptionFilters": [FILTER]}
    async with session.post(path, json=body) as response:
        return response.status, await response.json()


async def test_there_are_two_subscriptions_at_most(session: aiohttp.ClientSession) -> None:
    _, first = await _subscribe(session)
    await _subscribe(session, "/v1/sse/subscriptions")
    status, third = await _subscribe(session)
    assert status == 409
    assert third["error"]["message"].startswith("Unable to create SinkFilter")
    async with session.delete(f"/subscriptions/{first['subscriptionId']}") as response:
        assert response.status == 200
    assert (await _subscribe(session))[0] == 200


async def test_the_frames_of_an_event(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    _, subscription = await _subscribe(session)
    assert subscription["registrationUrl"].startswith(small_cloud.url)
    async with session.get(subscription["registrationUrl"]) as response:
        assert response.content_type == "text/event-stream"
        small_cloud.stream.keep_alive()
        small_cloud.change("TV", "main", "switch", "switch", "off")
        lines = [(await response.content.readline()).decode().rstrip() for _ in range(5)]
        small_cloud.stream.say_goodbye()
        rest = (await response.content.read()).decode()
    assert lines[0] == ": keepalive"
    assert lines[2] == "event: DEVICE_EVENT"
    event = json.loads(lines[3].removeprefix("data: "))["deviceEvent"]
    assert (event["deviceId"], event["attribute"], event["value"]) == (TV, "switch", "off")
    assert (event["valueType"], event["stateChange"]) == ("string", True)
    assert rest.strip() == "event: CONTROL_EVENT\ndata: goodbye"


async def test_duplicates(connected: SmartThings) -> None:
    heard: list[DeviceEvent] = []
    connected.client.add_unspecified_device_event_listener(heard.append)
    connected.cloud.stream.copies = 2
    await connected.async_change("Lamp", "main", "switch", "switch", "on")
    assert [event.value for event in heard] == ["on", "on"]
    assert heard[0].event_id == heard[1].event_id


async def test_after_two_minutes_of_silence_the_client_subscribes_anew(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, connected: SmartThings
) -> None:
    before = connected.entry.data["subscription_id"]
    connected.cloud.stream.fall_silent()
    connected.cloud.change("Lamp", "main", "switch", "switch", "on")
    freezer.tick(121)
    connected.cloud.stream.speak_again()
    await connected.async_resubscribed(before)
    assert _lamp(hass) == "off"
    assert connected.cloud.count_kind(RequestKind.SUBSCRIPTION) == 2
