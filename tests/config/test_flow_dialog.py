"""Setting up in the browser: every dialog ends, however fast or slow the server refuses."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from itertools import cycle
from typing import Any, Final

import pytest
from aiohttp.test_utils import TestClient
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import EVENT_DATA_ENTRY_FLOW_PROGRESSED
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import async_capture_events
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator, WebSocketGenerator

from benchmark.fake_model_server import Answer, FakeModelServer, Fault, FaultKind, Json
from benchmark.model_script import answer_obediently
from custom_components.sage.const import DOMAIN

from ..waiting import until

GOOD: Final = "test-model"
DELAYS: Final = [2000 * run // 49 for run in range(50)]  # milliseconds until a server refuses
LATENCIES: Final = (0.0, 0.2)  # seconds to a browser in the home, and far away
SECONDS: Final = 300  # until a dialog is given up; a busy machine needs long for fifty

type OpenDialog = Callable[[str], Dialog]


class Dialog:
    """The dialog of the frontend (home-assistant/frontend, dialog-data-entry-flow.ts).

    It subscribes to the end of progress steps when it first shows one, and fetches the flow at
    each such event about the step that it shows. Whatever was received last is shown.
    """

    def __init__(self, client: TestClient[Any, Any], listen: WebSocketGenerator, path: str) -> None:
        self._client = client
        self._listen = listen
        self._path = f"/api/config/config_entries/{path}"
        self._socket: Any = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Condition()
        self.latency = 0.0  # seconds that each message takes from the browser or to it
        self.step: Json = {}

    @property
    def url(self) -> str:
        return f"{self._path}/{self.step['flow_id']}"

    async def open(self, handler: str | list[str], **more: str) -> None:
        self._socket = await self._listen()
        await self._show("POST", self._path, {"handler": handler, **more})

    async def reopen(self, flow_id: str) -> None:
        self._socket = await self._listen()
        await self._show("GET", f"{self._path}/{flow_id}")

    async def submit(self, **entered: Any) -> None:
        await self._show("POST", self.url, entered)

    async def ends(self, **entered: Any) -> Json:
        """Submit a form and return the step that is shown after the progress."""
        await self.submit(**entered)
        await self.subscribe()
        return await self.shown()

    async def subscribe(self) -> None:
        if self.step["type"] != "progress" or self._tasks:
            return
        await asyncio.sleep(self.latency)
        await self._socket.send_json_auto_id(
            {"type": "subscribe_events", "event_type": EVENT_DATA_ENTRY_FLOW_PROGRESSED}
        )
        assert (await self._socket.receive_json())["success"]
        self._tasks.add(asyncio.create_task(self._read()))

    async def shown(self) -> Json:
        async with asyncio.timeout(SECONDS), self._changed:
            await self._changed.wait_for(lambda: self.step["type"] != "progress")
        return self.step

    async def close(self) -> None:
        """Leave; a flow that has not ended is deleted."""
        for task in self._tasks:
            task.cancel()
        await self._socket.close()
        if self.step.get("type") not in (None, "create_entry", "abort"):
            await self._client.delete(self.url)

    async def _read(self) -> None:
        while True:
            event = (await self._socket.receive_json())["event"]
            if event["data"]["flow_id"] == self.step["flow_id"]:
                self._tasks.add(asyncio.create_task(self._fetch()))

    async def _fetch(self) -> None:
        await asyncio.sleep(self.latency)
        await self._show("GET", self.url)

    async def _show(self, method: str, url: str, body: Mapping[str, Any] | None = None) -> None:
        await asyncio.sleep(self.latency)
        response = await self._client.request(method, url, json=body)
        assert response.status == 200, await response.text()
        step = await response.json()
        await asyncio.sleep(self.latency)
        async with self._changed:
            self.step = step
            self._changed.notify_all()


@pytest.fixture
async def dialog(
    hass: HomeAssistant,
    model_server: FakeModelServer,
    hass_client: ClientSessionGenerator,
    hass_ws_client: WebSocketGenerator,
) -> AsyncGenerator[OpenDialog]:
    """Opens dialogs at a server that refuses `wrong-<n>` after n milliseconds."""
    # They register views, which a running client does not allow.
    for domain in ("ai_task", "config", "conversation", "file_upload", "image"):
        assert await async_setup_component(hass, domain, {})
    model_server.models = (GOOD, *(f"wrong-{delay}" for delay in DELAYS))
    model_server.say(refuse_in_time)
    assert await async_setup_component(hass, "websocket_api", {})
    client = await hass_client()
    opened: list[Dialog] = []

    def new(path: str) -> Dialog:
        opened.append(Dialog(client, hass_ws_client, path))
        return opened[-1]

    yield new
    for each in opened:
        await each.close()
    # A reload of the entry must end before the test does.
    await hass.async_block_till_done()


def refuse_in_time(body: Json) -> Answer:
    name, _, delay = str(body["model"]).partition("-")
    if name == "wrong":
        return Fault(kind=FaultKind.NO_SUCH_MODEL, delay=int(delay) / 1000)
    return answer_obediently(body)


async def at_model_form(new: OpenDialog, server: FakeModelServer) -> Dialog:
    dialog = new("flow")
    await dialog.open(DOMAIN)
    await dialog.submit(base_url=server.url)
    assert dialog.step["step_id"] == "model"
    return dialog


async def set_up(new: OpenDialog, server: FakeModelServer) -> Dialog:
    dialog = await at_model_form(new, server)
    assert (await dialog.ends(model=GOOD))["step_id"] == "finish"
    await dialog.submit()
    assert dialog.step["type"] == "create_entry"
    return dialog


async def test_fifty_dialogs_end_whenever_the_server_refuses(
    dialog: OpenDialog, model_server: FakeModelServer
):
    """Each tries twice: the second time it is subscribed before it submits."""

    async def refused(delay: int, latency: float) -> None:
        tried = await at_model_form(dialog, model_server)
        tried.latency = latency
        for _ in range(2):
            step = await tried.ends(model=f"wrong-{delay}")
            assert (step["step_id"], step["errors"]) == ("model", {"base": "no_such_model"})

    async with asyncio.TaskGroup() as dialogs:
        for delay, latency in zip(DELAYS, cycle(LATENCIES), strict=False):
            dialogs.create_task(refused(delay, latency))


@pytest.mark.parametrize("when", ["while it tries", "after it has tried"])
async def test_a_dialog_that_is_closed_leaves_nothing_behind(
    hass: HomeAssistant, dialog: OpenDialog, model_server: FakeModelServer, when: str
):
    closed = await at_model_form(dialog, model_server)
    announced = async_capture_events(hass, EVENT_DATA_ENTRY_FLOW_PROGRESSED)
    before = asyncio.all_tasks()
    await closed.submit(model="wrong-0")
    if when == "after it has tried":
        await until(lambda: announced)

    await closed.close()

    await until(lambda: not [task for task in asyncio.all_tasks() - before if is_ours(task)])


def is_ours(task: asyncio.Task[Any]) -> bool:
    return task.get_name().startswith("SAGE model probe")


async def test_a_failure_that_nobody_thought_of_ends_the_dialog_too(
    dialog: OpenDialog, model_server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
):
    async def fail(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("custom_components.sage.config.flow_parts.async_probe_connection", fail)
    tried = await at_model_form(dialog, model_server)

    assert (await tried.ends(model=GOOD))["errors"] == {"base": "broken_reply"}


async def test_reconfigure_ends(
    hass: HomeAssistant, dialog: OpenDialog, model_server: FakeModelServer
):
    await set_up(dialog, model_server)
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    change = dialog("flow")
    await change.open(DOMAIN, entry_id=entry.entry_id)
    assert change.step["step_id"] == "reconfigure"
    await change.submit(base_url=model_server.url)

    refused = await change.ends(model="wrong-0")
    assert refused["errors"] == {"base": "no_such_model"}
    assert (await change.ends(model=GOOD))["reason"] == "reconfigure_successful"


async def test_reauth_ends(hass: HomeAssistant, dialog: OpenDialog, model_server: FakeModelServer):
    await set_up(dialog, model_server)
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    entry.async_start_reauth(hass)
    await until(lambda: hass.config_entries.flow.async_progress_by_handler(DOMAIN))
    (flow,) = hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    key = dialog("flow")
    await key.reopen(flow["flow_id"])

    model_server.say(lambda _: Fault(kind=FaultKind.KEY_REFUSED))
    refused = await key.ends(api_key="wrong")
    assert (refused["step_id"], refused["errors"]) == ("reauth_confirm", {"base": "key_refused"})
    model_server.say(answer_obediently)
    assert (await key.ends(api_key="right"))["reason"] == "reauth_successful"


@pytest.mark.parametrize("changed", [False, True])
async def test_the_form_of_an_agent_ends(
    hass: HomeAssistant, dialog: OpenDialog, model_server: FakeModelServer, changed: bool
):
    await set_up(dialog, model_server)
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    (subentry_id,) = entry.subentries
    agent = dialog("subentries/flow")
    more = {"subentry_id": subentry_id} if changed else {}
    await agent.open([entry.entry_id, "agent"], **more)
    form = {
        "name": "Butler",
        "expert": {},
        "limits": {"max_steps": 5, "max_seconds": 60, "max_tokens": 9000},
    }

    refused = await agent.ends(**form, own_model={"model": "wrong-0"})
    assert refused["errors"] == {"base": "no_such_model"}
    ended = await agent.ends(**form, own_model={"model": GOOD})
    assert ended["type"] == ("abort" if changed else "create_entry")
    assert "Butler" in [each.title for each in entry.subentries.values()]
