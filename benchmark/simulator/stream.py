"""The event stream: subscriptions and their events (server-sent events)."""

import asyncio
import contextlib
import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from .device import Change

MOST_SUBSCRIPTIONS = 2
KEEPALIVE = ": keepalive\n\n"
KEEPALIVE_EVERY = 30.0
GOODBYE = "event: CONTROL_EVENT\ndata: goodbye\n\n"
_OWNER = "00000000-0000-4000-8000-000000000001"


@dataclass(slots=True, kw_only=True, eq=False)
class Subscription:
    """A subscription, and the connections on which its events are read."""

    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    name: str = ""
    filters: list[Any] = field(default_factory=list)
    readers: set[asyncio.Queue[str | None]] = field(default_factory=set)
    """What is yet to be sent on each connection; None ends one."""


class EventStream:
    """All subscriptions of the account."""

    def __init__(self, location_id: str) -> None:
        self._location_id = location_id
        self._silent = False
        self._connected = asyncio.Event()
        self._told = asyncio.Event()
        self.subscriptions: dict[str, Subscription] = {}
        self.copies = 1
        """How often each event is sent: 2 for duplicates."""

        self.sent: list[dict[str, Any]] = []
        """All events for subscribers, in order, without duplicates."""

    # Subscriptions.

    def subscribe(self, name: str, filters: list[Any]) -> Subscription | None:
        """Make a subscription; None when there are as many as there may be."""
        if len(self.subscriptions) >= MOST_SUBSCRIPTIONS:
            return None
        subscription = Subscription(name=name, filters=filters)
        self.subscriptions[subscription.id] = subscription
        return subscription

    def unsubscribe(self, subscription_id: str) -> bool:
        """End a subscription; a connection that is open stays so, but nothing comes any more."""
        return self.subscriptions.pop(subscription_id, None) is not None

    @property
    def connections(self) -> int:
        """How many connections are open on subscriptions."""
        return sum(len(each.readers) for each in self.subscriptions.values())

    async def wait_connected(self) -> None:
        """Return as soon as somebody reads events."""
        while not self.connections:
            self._connected.clear()
            await self._connected.wait()

    async def wait_sent(self, count: int) -> None:
        """Return as soon as this number of events were published since the start."""
        while len(self.sent) < count:
            self._told.clear()
            await self._told.wait()

    # What is sent.

    def publish(self, change: Change) -> None:
        """Publish a change."""
        self._send(
            "DEVICE_EVENT",
            "deviceEvent",
            {
                "eventId": str(uuid.uuid4()),
                "locationId": self._location_id,
                "ownerId": self._location_id,
                "ownerType": "LOCATION",
                "deviceId": change.device_id,
                "componentId": change.component,
                "capability": change.capability,
                "attribute": change.attribute,
                "value": change.value,
                "valueType": _value_type(change.value),
                "unit": change.unit,
                "stateChange": change.state_change,
                "data": {},
                "subscriptionName": "sage",
            },
        )

    def publish_health(self, device_id: str, *, online: bool) -> None:
        """Publish whether a device is reachable."""
        status = "ONLINE" if online else "OFFLINE"
        content = {"deviceId": device_id, "locationId": self._location_id, "status": status}
        self._send("DEVICE_HEALTH_EVENT", "deviceHealthEvent", content)

    def publish_lifecycle(self, device_id: str, lifecycle: str) -> None:
        """Publish that a device was created (`CREATE`), deleted (`DELETE`), changed or moved."""
        content = {"deviceId": device_id, "locationId": self._location_id, "lifecycle": lifecycle}
        self._send("DEVICE_LIFECYCLE_EVENT", "deviceLifecycleEvent", content)

    def _send(self, kind: str, key: str, content: Mapping[str, object]) -> None:
        event = {"eventTime": int(time.time() * 1000), "eventType": kind, key: dict(content)}
        self.sent.append(event)
        self._told.set()
        for _ in range(self.copies):
            self._write(f"event: {kind}\ndata: {json.dumps(event)}\n\n")

    def _write(self, text: str) -> None:
        if self._silent:
            return
        for subscription in self.subscriptions.values():
            for reader in subscription.readers:
                reader.put_nowait(text)

    # What can go wrong with it.

    def say_goodbye(self) -> None:
        """Send `goodbye`, as the cloud does from time to time: the client subscribes again."""
        self._write(GOODBYE)

    def keep_alive(self) -> None:
        """Send a comment, which is no event; it happens by itself every 30 seconds."""
        self._write(KEEPALIVE)

    def fall_silent(self) -> None:
        """Stop sending, also keepalives; later events are lost."""
        self._silent = True

    def speak_again(self) -> None:
        """Send what happens from now on."""
        self._silent = False

    def disconnect(self) -> None:
        """Close the connections without a word."""
        for subscription in self.subscriptions.values():
            for reader in subscription.readers:
                reader.put_nowait(None)

    # One connection.

    async def async_serve(
        self, request: web.Request, subscription: Subscription
    ) -> web.StreamResponse:
        """Send events on one connection until either side ends it."""
        response = web.StreamResponse(headers={"Cache-Control": "no-cache"})
        response.content_type = "text/event-stream"
        await response.prepare(request)
        reader: asyncio.Queue[str | None] = asyncio.Queue()
        subscription.readers.add(reader)
        self._connected.set()
        try:
            await self._async_send(response, reader)
        except ConnectionError:
            pass
        finally:
            subscription.readers.discard(reader)
        return response

    async def _async_send(
        self, response: web.StreamResponse, reader: asyncio.Queue[str | None]
    ) -> None:
        while True:
            text: str | None = "" if self._silent else KEEPALIVE
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(KEEPALIVE_EVERY):
                    text = await reader.get()
            if text is None:
                return
            if text:
                await response.write(text.encode())
            if text == GOODBYE:
                return


def _value_type(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"
