"""What our own requests to the cloud are, and what is made of every kind of answer."""

import asyncio
import json
from typing import Self

import pytest
from aiohttp import RequestInfo, web
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import OAuth2TokenRequestReauthError
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from benchmark.simulator.errors import Refusal
from benchmark.simulator.request_log import RequestKind
from custom_components.sage.home.smartthings.client import RawClient
from custom_components.sage.home.smartthings.mirror import Mirror
from custom_components.sage.home.smartthings.raw import CloudError, CloudErrorKind
from tests.smartthings_home import SmartThings

LAMP = "light_bed"
COMMANDS = "/v1/devices/*/commands"


@pytest.fixture
async def client(smartthings: SmartThings, mirror: Mirror) -> RawClient:
    mirror.async_setup()
    await mirror.async_make_fresh(smartthings.cloud.home.devices)
    smartthings.cloud.forget_requests()
    return mirror.client


async def _switch_off(client: RawClient, home: SmartThings) -> str:
    return await client.async_command(
        home.entry.entry_id, home.cloud.device_id(LAMP), "main", "switch", "off", []
    )


async def _error(client: RawClient, home: SmartThings) -> CloudError:
    """Return the error of a command, after making sure that it was posted exactly once."""
    before = home.cloud.count("POST", COMMANDS)
    with pytest.raises(CloudError) as caught:
        await _switch_off(client, home)
    assert home.cloud.count("POST", COMMANDS) == before + 1
    return caught.value


async def test_a_command_is_posted_once_with_its_arguments(
    client: RawClient, smartthings: SmartThings
) -> None:
    entry_id, lamp = smartthings.entry.entry_id, smartthings.cloud.device_id(LAMP)
    assert await _switch_off(client, smartthings) == "ACCEPTED"
    assert (
        await client.async_command(entry_id, lamp, "main", "switchLevel", "setLevel", [40])
        == "ACCEPTED"
    )
    posted = [each for each in smartthings.cloud.requests if each.method == "POST"][-2:]
    assert [each.path for each in posted] == [f"/v1/devices/{lamp}/commands"] * 2
    assert [each.json for each in posted] == [
        {"commands": [{"component": "main", "capability": "switch", "command": "off"}]},
        {
            "commands": [
                {
                    "component": "main",
                    "capability": "switchLevel",
                    "command": "setLevel",
                    "arguments": [40],
                }
            ]
        },
    ]
    assert posted[0].headers["Accept"] == "application/vnd.smartthings+json;v=1"
    assert smartthings.cloud.device(LAMP).value("main", "switchLevel", "level") == 40


async def test_a_result_that_says_nothing_known(
    client: RawClient, smartthings: SmartThings
) -> None:
    smartthings.cloud.result_status = "PERHAPS"
    error = await _error(client, smartthings)
    assert error.kind is CloudErrorKind.UNANSWERED
    assert error.may_have_been_done


async def test_names_cannot_leave_their_place_in_the_address(
    client: RawClient, smartthings: SmartThings
) -> None:
    smartthings.cloud.forget_requests()
    with pytest.raises(CloudError):
        await client.async_definition(smartthings.entry.entry_id, "../devices?x=1#")
    [request] = smartthings.cloud.requests
    assert request.path.startswith("/v1/capabilities/") or "devices?" in request.path
    assert request.query == {}


async def test_the_time_to_wait_is_the_most_exact_that_is_told(
    client: RawClient, smartthings: SmartThings
) -> None:
    faults = smartthings.cloud.faults
    faults.limit_rate(retry_in_millis=43_074, times=1)
    assert (await _error(client, smartthings)).retry_after == 43.074

    async def told(status: int = 429, **headers: str) -> float | None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        faults.answer(Refusal(status=status, code="X", headers=named), times=1)
        return (await _error(client, smartthings)).retry_after

    assert await told(Retry_After="7", X_RateLimit_Reset="20") == 7
    assert await told(X_RateLimit_Reset="20") == 20
    assert await told(Retry_After="9", status=503) == 9
    assert await told(Retry_After="soon") is None
    assert await told(Retry_After="-1") is None
    assert await told(Retry_After="inf") is None
    assert await told() is None


async def test_nested_details_and_strange_bodies(
    hass: HomeAssistant, smartthings: SmartThings, client: RawClient
) -> None:
    nested = {
        "code": "A",
        "message": "m",
        "details": [
            {"target": "t", "message": "d", "details": [{"code": "E", "message": "t went wrong"}]}
        ],
    }
    bodies = [
        (400, json.dumps({"error": nested})),
        (422, '{"requestId":7,"error":{"details":["x",null],"message":7}}'),
        (418, '["no", "object"]'),
        (599, "not json"),
        (302, ""),
    ]
    async with _Server(bodies) as server:
        client = RawClient(hass, base_url=f"{server.url}/")
        errors = [await _plain_error(client, smartthings) for _ in bodies]
    assert [each.kind for each in errors] == [
        CloudErrorKind.REFUSED,
        CloudErrorKind.REFUSED,
        CloudErrorKind.REFUSED,
        CloudErrorKind.SERVER,
        CloudErrorKind.UNANSWERED,
    ]
    assert errors[0].message == "m; t: d; t went wrong"
    assert errors[1].message == "it answers with status 422"
    assert errors[3].message == "it answers with status 599"
    assert server.asked == len(bodies)


async def _plain_error(client: RawClient, home: SmartThings) -> CloudError:
    with pytest.raises(CloudError) as caught:
        await _switch_off(client, home)
    return caught.value


class _Server:
    """Answers with one body after the other, or does what a function does."""

    def __init__(self, bodies: list[tuple[int, str]]) -> None:
        self._bodies = iter(bodies)
        self.asked = 0
        self.url = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._async_answer)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _async_answer(self, request: web.Request) -> web.Response:
        self.asked += 1
        status, text = next(self._bodies)
        headers = {"Location": "/elsewhere"} if status == 302 else {}
        return web.Response(status=status, text=text, headers=headers)


async def test_a_token_that_ran_out_is_renewed_through_the_entry(
    hass: HomeAssistant, client: RawClient, smartthings: SmartThings
) -> None:
    _expire(hass, smartthings)
    assert await _switch_off(client, smartthings) == "ACCEPTED"
    assert smartthings.cloud.count_kind(RequestKind.TOKEN) == 1


def _expire(hass: HomeAssistant, home: SmartThings) -> None:
    data = home.entry.data
    hass.config_entries.async_update_entry(
        home.entry, data={**data, "token": {**data["token"], "expires_at": 0}}
    )


async def test_a_renewal_that_has_begun_is_never_cancelled(
    hass: HomeAssistant, smartthings: SmartThings, client: RawClient
) -> None:
    client.timeout = 0.2
    may_end, ended = asyncio.Event(), asyncio.Event()
    ask = smartthings.client.refresh_token_function

    async def slowly() -> str:
        await may_end.wait()
        token: str = await ask()
        ended.set()
        return token

    smartthings.client.refresh_token_function = slowly
    error = await _plain_error(client, smartthings)
    assert error.kind is CloudErrorKind.CONNECTION
    assert smartthings.cloud.count("POST", COMMANDS) == 0

    waiting = hass.async_create_task(_switch_off(client, smartthings))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not ended.is_set()
    may_end.set()
    async with asyncio.timeout(120):
        await ended.wait()


async def test_no_token(
    client: RawClient, smartthings: SmartThings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none() -> str:
        return ""

    async def unreachable() -> str:
        raise OSError("secret")

    async def revoked() -> str:
        url = URL("http://127.0.0.1/token")
        asked = RequestInfo(url, "POST", CIMultiDictProxy(CIMultiDict()), url)
        raise OAuth2TokenRequestReauthError(domain="smartthings", request_info=asked, status=400)

    kinds = []
    for function in (none, unreachable, revoked):
        with monkeypatch.context() as changed:
            changed.setattr(smartthings.client, "refresh_token_function", function)
            error = await _plain_error(client, smartthings)
        assert "secret" not in error.message
        kinds.append(error.kind)
    assert kinds == [CloudErrorKind.SIGN_IN, CloudErrorKind.CONNECTION, CloudErrorKind.SIGN_IN]
    assert smartthings.cloud.count("POST", COMMANDS) == 0
