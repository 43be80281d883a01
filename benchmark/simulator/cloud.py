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
import time
from collections.abc import Mapping
from typing import Any, Self

from aiohttp import web

from .certificate import server_context
from .cloud_account import CloudAccount
from .errors import NOT_FOUND, SIGN_IN, Refusal
from .faults import Break, Fault
from .home import SimulatedHome
from .request_log import RecordedRequest, RequestKind
from .routes import BODY, Handler, Routes


class SimulatedCloud(CloudAccount):
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
        super().__init__(home, page_size=page_size, access_token=access_token)
        self.port = port
        self.tls_port = tls_port
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """Base URL without TLS."""
        return f"http://127.0.0.1:{self.port}"

    # The server.

    async def start(self) -> None:
        """Start to serve in the running loop."""
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
        self.deliveries.cancel()
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
        """Return headers for the response, and the refusal, if any."""
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
