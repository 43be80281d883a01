"""Talk to Home Assistant as its apps do: REST and the websocket."""

import asyncio
import io
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

NO_LIMIT = aiohttp.ClientTimeout(total=None, connect=10)


class HomeAssistantError(Exception):
    """Home Assistant refused something."""


class Client:
    """One person's connection; calls go one after the other."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        socket: aiohttp.ClientWebSocketResponse,
        url: str,
    ) -> None:
        self._http = http
        self._socket = socket
        self._url = url
        self._last_id = 0
        self._messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    async def read(self) -> None:
        """Take what comes, for ever: a connection that nobody reads is closed as dead."""
        async for message in self._socket:
            self._messages.put_nowait(json.loads(message.data))
        self._messages.put_nowait(None)

    async def get(self, path: str) -> Any:
        """Return the JSON that a GET answers."""
        async with self._http.get(self._url + path) as response:
            return await _json_of(response)

    async def post(self, path: str, data: Any) -> Any:
        """Return the JSON that a POST answers."""
        async with self._http.post(self._url + path, json=data) as response:
            return await _json_of(response)

    async def delete(self, path: str) -> Any:
        """Return the JSON that a DELETE answers."""
        async with self._http.delete(self._url + path) as response:
            return await _json_of(response)

    async def upload(self, content: str) -> str:
        """Upload a text file, and return the id under which a form takes it."""
        data = {"file": io.BytesIO(content.encode())}
        async with self._http.post(f"{self._url}/api/file_upload", data=data) as response:
            return str((await _json_of(response))["file_id"])

    async def call(self, kind: str, **values: Any) -> Any:
        """Send a websocket command and return its result."""
        number = await self._send(kind, values)
        while True:
            message = await self._receive()
            if message.get("id") == number and message["type"] == "result":
                return _result_of(kind, message)

    async def follow(self, kind: str, **values: Any) -> AsyncGenerator[dict[str, Any]]:
        """Send a websocket command and yield its events, until the caller has enough.

        Close the generator then, so that Home Assistant releases the subscription.
        """
        number = await self._send(kind, values)
        is_subscribed = False
        try:
            while True:
                message = await self._receive()
                if message.get("id") != number:
                    continue
                if message["type"] == "result":
                    _result_of(kind, message)
                    is_subscribed = True
                elif message["type"] == "event":
                    yield message["event"]
        finally:
            if is_subscribed and not self._socket.closed:
                await self._send("unsubscribe_events", {"subscription": number})

    def assist(
        self, text: str, *, pipeline: str, conversation_id: str | None, patience: float
    ) -> AsyncGenerator[dict[str, Any]]:
        """Say something to a pipeline of Assist; yield its events, see `follow`.

        `patience` is in seconds, for the whole answer.
        """
        return self.follow(
            "assist_pipeline/run",
            start_stage="intent",
            end_stage="intent",
            input={"text": text},
            pipeline=pipeline,
            conversation_id=conversation_id,
            timeout=patience,
        )

    async def _send(self, kind: str, values: dict[str, Any]) -> int:
        self._last_id += 1
        await self._socket.send_json({"id": self._last_id, "type": kind} | values)
        return self._last_id

    async def _receive(self) -> dict[str, Any]:
        message = await self._messages.get()
        if message is None:
            raise HomeAssistantError("Home Assistant closed the connection.")
        return message


@asynccontextmanager
async def connected(url: str, token: str) -> AsyncGenerator[Client]:
    """Log in with a token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        aiohttp.ClientSession(headers=headers, timeout=NO_LIMIT) as http,
        http.ws_connect(url + "/api/websocket", max_msg_size=0) as socket,
    ):
        await socket.receive_json()
        await socket.send_json({"type": "auth", "access_token": token})
        if (await socket.receive_json())["type"] != "auth_ok":
            raise HomeAssistantError("Home Assistant did not accept the token.")
        client = Client(http, socket, url)
        reading = asyncio.create_task(client.read())
        try:
            yield client
        finally:
            reading.cancel()


async def ask_state(url: str, token: str) -> str | None:
    """Return how far Home Assistant has started, None if it does not answer yet."""
    headers = {"Authorization": f"Bearer {token}"}
    timeout = aiohttp.ClientTimeout(total=5)
    try:
        async with (
            aiohttp.ClientSession(headers=headers, timeout=timeout) as http,
            http.get(url + "/api/config") as response,
        ):
            return str((await response.json())["state"]) if response.ok else None
    except TimeoutError, aiohttp.ClientError, ValueError:
        return None


async def _json_of(response: aiohttp.ClientResponse) -> Any:
    if not response.ok:
        text = (await response.text())[:500]
        raise HomeAssistantError(f"{response.method} {response.url.path}: {response.status} {text}")
    return await response.json()


def _result_of(kind: str, message: dict[str, Any]) -> Any:
    if not message["success"]:
        raise HomeAssistantError(f"{kind}: {message['error']['message']}")
    return message["result"]
