"""A SmartThings cloud on loopback, for one account with one simulated home.

    async with SimulatedCloud(load_home("paper")) as cloud:
        cloud.url                                      # plain HTTP, http://127.0.0.1:<port>
        cloud.tls_port                                 # the same with TLS, see connection.py
        cloud.count("POST", "/v1/devices/*/commands")  # `*` one part of the path, `**` any
        cloud.commands                                 # what was posted, one row a command
        cloud.change("Fridge", "cooler", "contactSensor", "contact", "open")
        cloud.faults.limit_rate(device="Fridge", times=1)
        cloud.stream.say_goodbye()

Devices are named by id, by their key in the home's file, or by label where it is unique. It
speaks real HTTP, so that the real client, its connections and its faults are part of what is
tested. In a Home Assistant process that is not a test, load the home outside the event loop: that
reads files.
"""

import json
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

from .certificate import server_context
from .definitions import definitions, texts
from .delivery import Deliveries
from .errors import INVALID_STATE, NOT_FOUND, SIGN_IN, Refusal
from .faults import Break, Fault, Faults
from .home import SimulatedDevice, SimulatedHome
from .limits import Limits
from .request_log import RecordedRequest, RequestKind, matches
from .stream import EventStream
from .validation import Command

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

BODY = web.RequestKey("body", object)
"""The JSON of a request, None when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedCommand:
    """A command as it was posted, accepted or not."""

    device: str
    """Key of the device in its home, its id when there is no such device."""

    device_id: str
    component: str
    capability: str
    command: str
    arguments: list[Any]


class SimulatedCloud:
    """The server."""

    def __init__(
        self,
        home: SimulatedHome,
        *,
        port: int = 0,
        tls_port: int = 0,
        page_size: int = 200,
        access_token: str | None = None,
    ) -> None:
        """Prepare a cloud; ports of 0 are chosen at the first start and kept after it."""
        self.home = home
        self.definitions = definitions()
        self.texts = dict(texts())
        """Capability id -> body of `.../i18n/en`; what is not in it is answered with 404.

        `cloud.texts.clear()` makes a cloud that has no texts.
        """

        self.page_size = page_size
        """Devices on a page."""

        self.access_token = access_token or secrets.token_hex(16)
        """The only token that is accepted; renewing it replaces it."""

        self.result_status = "ACCEPTED"
        """What is said of commands: or `COMPLETED`; of `FAILED` ones nothing is done."""

        self.faults = Faults(self.device_id)
        self.limits = Limits()
        """Real limits of requests a minute: `cloud.limits.is_on = True`."""

        self.stream = EventStream(home.location["locationId"])
        self.requests: list[RecordedRequest] = []
        """All requests in order, those included that were answered with an error."""

        self.port = port
        self.tls_port = tls_port
        self._deliveries = Deliveries(self.faults, self.stream)
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """Base URL without TLS."""
        return f"http://127.0.0.1:{self.port}"

    # The server.

    async def start(self) -> None:
        """Start to serve in the running loop."""
        from .routes import Routes  # noqa: PLC0415  # routes are built on the cloud

        routes = Routes(self)
        self._kinds = routes.kinds
        app = web.Application(middlewares=[self._async_middleware])
        app.add_routes(routes.table)
        self._runner = web.AppRunner(
            app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1
        )
        await self._runner.setup()
        self.port = await self._async_listen(self.port, None)
        self.tls_port = await self._async_listen(self.tls_port, await server_context())

    async def _async_listen(self, port: int, context: Any) -> int:
        assert self._runner is not None
        site = web.TCPSite(self._runner, "127.0.0.1", port, ssl_context=context, reuse_address=True)
        await site.start()
        return int(self._runner.addresses[-1][1])

    async def stop(self) -> None:
        """Stop, ending what hangs; it can start again, with subscriptions lost."""
        self.faults.clear()
        self._deliveries.cancel()
        self.stream.disconnect()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
        self.stream.subscriptions.clear()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # What came in.

    def count(self, method: str | None = None, pattern: str = "**") -> int:
        """Return the number of requests with that method and a path that fits the pattern."""
        return sum(
            1
            for request in self.requests
            if method in {None, request.method} and matches(request.path, pattern)
        )

    def count_kind(self, *kinds: RequestKind) -> int:
        """Return the number of requests of these kinds."""
        return sum(1 for request in self.requests if request.kind in kinds)

    def forget_requests(self) -> None:
        """Count from zero again."""
        self.requests.clear()

    @property
    def commands(self) -> list[PostedCommand]:
        """All commands that were posted, in order."""
        return [
            _posted(self.home, request.device_id or "", command)
            for request in self.requests
            if request.kind is RequestKind.COMMANDS
            for command in _command_list(request.json)
        ]

    # What happens in the home.

    def device_id(self, device: str) -> str:
        """Return the id of a device that is named by its id or label."""
        return self.home.device(device).id

    def device(self, device: str) -> SimulatedDevice:
        """Return a device by its id or label."""
        return self.home.device(device)

    def change(
        self, device: str, component: str, capability: str, attribute: str, value: Any
    ) -> None:
        """Let an attribute change by itself: somebody opens the door."""
        thing = self.device(device)
        self._deliveries.carry_out(
            thing.id, lambda: thing.change(component, capability, attribute, value)
        )

    def set_online(self, device: str, online: bool) -> None:
        """Let a device be reachable or not; subscribers are told."""
        thing = self.device(device)
        thing.online = online
        self.stream.publish_health(thing.id, online=online)

    def set_remote_control(self, device: str, enabled: bool) -> None:
        """Let somebody switch the remote control of an appliance on or off at its panel."""
        value = "true" if enabled else "false"
        self.change(device, "main", "remoteControlStatus", "remoteControlEnabled", value)

    def remove(self, device: str) -> None:
        """Let somebody delete a device; subscribers are told."""
        gone = self.device_id(device)
        del self.home.devices[gone]
        self.stream.publish_lifecycle(gone, "DELETE")

    def release_events(self) -> None:
        """Let everything happen that `faults.delay_events` held back."""
        self._deliveries.release()

    def perform(self, device_id: str, commands: Sequence[Command]) -> Refusal | None:
        """Carry out commands that are valid; returns why the device does not take them."""
        device = self.home.devices[device_id]
        if not device.online or device.remote_control is False:
            return INVALID_STATE
        if self.result_status != "FAILED":
            for each in commands:
                self._carry_out(device, each)
        return None

    def _carry_out(self, device: SimulatedDevice, command: Command) -> None:
        self._deliveries.carry_out(
            device.id,
            lambda: device.apply(
                command.component, command.capability, command.command, command.arguments
            ),
        )

    def renew_token(self) -> str:
        """Replace the token, so that the one before is refused; returns the new one."""
        self.access_token = secrets.token_hex(16)
        return self.access_token

    # One request.

    @web.middleware
    async def _async_middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        record = await self._async_record(request)
        fault = self.faults.take(record)
        if fault is not None:
            return await self._async_fail(request, handler, record, fault)
        headers, refusal = self._refusal(request, record)
        if refusal is not None:
            response: web.StreamResponse = refusal.response()
        elif record.kind is RequestKind.STREAM:
            record.status = 200
            return await handler(request)
        else:
            response = await _async_handled(request, handler)
            response.headers.update(headers)
        record.status = response.status
        return response

    async def _async_record(self, request: web.Request) -> RecordedRequest:
        resource = request.match_info.route.resource
        place = (request.method, resource.canonical if resource else "")
        record = RecordedRequest(
            method=request.method,
            path=request.path,
            kind=self._kinds.get(place, RequestKind.OTHER),
            query=dict(request.query),
            headers=dict(request.headers),
            at=time.monotonic(),
        )
        self.requests.append(record)
        record.json = request[BODY] = _json(await request.read())
        return record

    def _refusal(
        self, request: web.Request, record: RecordedRequest
    ) -> tuple[Mapping[str, str], Refusal | None]:
        """Return headers for the answer, and why there is no better one."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if record.kind is not RequestKind.TOKEN and token != self.access_token:
            return {}, SIGN_IN
        return self.limits.check(record)

    async def _async_fail(
        self, request: web.Request, handler: Handler, record: RecordedRequest, fault: Fault
    ) -> web.StreamResponse:
        if fault.is_carried_out:
            await handler(request)
        if isinstance(fault.answer, Refusal):
            record.status = fault.answer.status
            return fault.answer.response()
        if fault.answer is Break.GARBAGE:
            record.status = 200
            return web.Response(text="<html>Good morning</html>", content_type="text/html")
        if fault.answer is Break.HANG:
            await self.faults.released.wait()
        if request.transport is not None:
            request.transport.abort()
        return web.Response()


async def _async_handled(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPNotFound:
        return NOT_FOUND.response()


def _json(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None


def _command_list(body: object) -> list[Mapping[str, Any]]:
    commands = body.get("commands") if isinstance(body, Mapping) else None
    return [each for each in commands or [] if isinstance(each, Mapping)]


def _posted(home: SimulatedHome, device_id: str, command: Mapping[str, Any]) -> PostedCommand:
    device = home.devices.get(device_id)
    return PostedCommand(
        device=device.key if device else device_id,
        device_id=device_id,
        component=command.get("component", "main"),
        capability=command.get("capability", ""),
        command=command.get("command", ""),
        arguments=command.get("arguments") or [],
    )
