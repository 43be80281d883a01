"""Phones with the companion app: registered over HTTP, notified over HTTP, answering by webhook."""

import asyncio
from collections.abc import Callable
from typing import Any, Self

from aiohttp import web
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

type Client = Any
"""A client of Home Assistant's HTTP server in tests."""

ACTION = "mobile_app_notification_action"


class PushServer:
    """What stands between Home Assistant and phones, on loopback."""

    def __init__(self) -> None:
        self.url = ""
        self.is_down = False
        self.pushed: list[dict[str, Any]] = []
        self._arrived = asyncio.Condition()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/push", self._async_push)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/push"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _async_push(self, request: web.Request) -> web.Response:
        if self.is_down:
            return web.json_response({"message": "Down."}, status=503)
        async with self._arrived:
            self.pushed.append(await request.json())
            self._arrived.notify_all()
        return web.json_response({}, status=201)

    async def async_wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        def found() -> dict[str, Any] | None:
            return next(filter(wanted, self.pushed), None)

        async with self._arrived, asyncio.timeout(120):
            await self._arrived.wait_for(lambda: found() is not None)
        got = found()
        assert got is not None
        return got


class Phone:
    """A phone of somebody."""

    def __init__(self, hass: HomeAssistant, push: PushServer, client: Client, token: str) -> None:
        self.hass = hass
        self.push = push
        self._client = client
        self._token = token
        self.webhook_id = ""

    async def async_register(self, name: str) -> None:
        """Register the app as the one who is signed in on it."""
        response = await self._client.post(
            "/api/mobile_app/registrations",
            json={
                "app_data": {"push_token": self._token, "push_url": self.push.url},
                "app_id": "io.homeassistant.test",
                "app_name": "Test",
                "app_version": "1",
                "device_id": self._token,
                "device_name": name,
                "manufacturer": "Test",
                "model": "Phone",
                "os_name": "TestOS",
                "os_version": "1",
                "supports_encryption": False,
            },
        )
        assert response.status == 201, await response.text()
        self.webhook_id = (await response.json())["webhook_id"]
        await self.hass.async_block_till_done()

    @property
    def pushed(self) -> list[dict[str, Any]]:
        return [each for each in self.push.pushed if each["push_token"] == self._token]

    @property
    def messages(self) -> list[str]:
        return [str(each["message"]) for each in self.pushed]

    async def async_question(self, words: str = "?") -> dict[str, Any]:
        """Return the notification with buttons that says this, waiting for it."""
        return await self.push.async_wait(
            lambda each: (
                each["push_token"] == self._token
                and "actions" in each.get("data", {})
                and words in each["message"]
            )
        )

    async def async_message(self, words: str) -> dict[str, Any]:
        return await self.push.async_wait(
            lambda each: each["push_token"] == self._token and words in each["message"]
        )

    async def async_fire(self, kind: str, data: dict[str, Any]) -> None:
        """Send an event of the phone to Home Assistant."""
        response = await self._client.post(
            f"/api/webhook/{self.webhook_id}",
            json={"type": "fire_event", "data": {"event_type": kind, "event_data": data}},
        )
        assert response.status == 200, await response.text()
        await asyncio.sleep(0)

    async def async_press(self, question: dict[str, Any], title: str, reply: str = "") -> None:
        """Press the button of a notification with this title."""
        (action,) = [each for each in question["data"]["actions"] if each["title"] == title]
        typed = {"reply_text": reply} if reply else {}
        await self.async_fire(ACTION, {"action": action["action"], **typed})


async def async_token(hass: HomeAssistant, user: User) -> str:
    refresh_token = await hass.auth.async_create_refresh_token(user, "https://phone.example")
    return hass.auth.async_create_access_token(refresh_token)
