"""Measuring time on an event loop: each callback, the HTTP client, the wait for the model."""

import asyncio
import gc
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Final, Self, cast

import httpx

from .fake_model_server import is_for_cache

_OURS: Final = "custom_components/sage/"
_WORTH_A_NAME: Final = 0.002
"""Seconds without the garbage collector; shorter callbacks are not assigned to an owner."""


@dataclass(slots=True, kw_only=True)
class Callback:
    """A callback of the event loop that took long."""

    cpu: float
    """Seconds of the processor in the loop's thread, without those of the garbage collector."""

    wall: float
    """Seconds on the clock; more than `cpu` when the machine was busy with something else."""

    collection: float
    """Seconds of the processor in the garbage collector."""

    ours: bool
    """A coroutine or function of SAGE ran in it."""

    name: str


@dataclass(slots=True)
class Span:
    """Activity on the loop between two times."""

    wall: float = 0.0
    cpu: float = 0.0
    idle: float = 0.0
    """Seconds in which the loop waited for something else than the model."""

    waited: float = 0.0
    """Seconds between a request sent and its reply received, without what was computed then."""

    waiting: int = 0
    """Requests that are sent and not answered."""

    client: float = 0.0
    """Seconds of the processor in the HTTP client."""

    collected: float = 0.0
    """Seconds of the processor in the garbage collector, part of `cpu`."""

    bodies: list[bytes] = field(default_factory=list)
    """Of all requests to the model meanwhile."""

    is_over: bool = False
    """The work has ended; what it left behind counts among the callbacks only."""

    callbacks: list[Callback] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """Requests for a decision.

        The background asks meanwhile, too: for the risk of entities, and to fill the prompt cache.
        """
        bodies = map(json.loads, self.bodies)
        return sum("tools" in body and not is_for_cache(body) for body in bodies)

    @property
    def own(self) -> float:
        """Seconds of computing, and of waiting for anything but the model."""
        return self.cpu + self.idle

    @property
    def wall_without_model(self) -> float:
        """Wall time without the wait for the model, in seconds."""
        return self.wall - self.waited

    def longest(self, *, ours: bool) -> Callback | None:
        """Return the longest callback of SAGE, or of anybody else."""
        found = [each for each in self.callbacks if each.ours is ours]
        return max(found, key=lambda each: each.cpu, default=None)


class Meter:
    """Measures spans, one at a time, on the loop of the running thread."""

    def __init__(self) -> None:
        self._span = Span()
        self._cpu = 0.0
        """Of the loop's thread, at the end of the last callback."""

        self._thread = threading.get_ident()
        self._collected = 0.0
        """Seconds in the garbage collector; `_counted` is those before the last callback's end."""

        self._counted = 0.0
        self._collecting_since = 0.0
        self._ours: set[asyncio.Task[Any]] = set()

    @contextmanager
    def installed(self) -> Generator[Self]:
        """Watch all callbacks of the loop."""
        original = asyncio.Handle._run  # noqa: SLF001
        meter = self

        def run(handle: asyncio.Handle) -> None:
            if threading.get_ident() != meter._thread:
                # A loop of another thread.
                original(handle)
                return
            began, collected, wall = meter._cpu, meter._counted, time.perf_counter()
            original(handle)
            # One look a callback: the clock of the processor is slow on some machines.
            meter._cpu, meter._counted = time.thread_time(), meter._collected
            collection = meter._counted - collected
            if (cpu := meter._cpu - began - collection) >= _WORTH_A_NAME:
                meter._note(handle, cpu, time.perf_counter() - wall, collection)

        self._cpu = time.thread_time()
        asyncio.Handle._run = run  # type: ignore[assignment,method-assign]  # noqa: SLF001
        gc.callbacks.append(self._collection)
        selector = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]  # noqa: SLF001
        select = selector.select
        selector.select = self._selecting(select)
        try:
            yield self
        finally:
            selector.select = select
            gc.callbacks.remove(self._collection)
            asyncio.Handle._run = original  # type: ignore[method-assign]  # noqa: SLF001

    async def async_span[T](self, work: Awaitable[T]) -> tuple[T, Span]:
        """Return the result of SAGE's work and what it took."""
        span = self._span = Span()
        task = asyncio.current_task()
        assert task is not None
        self._ours.add(task)
        # The callback that led here is not counted.
        await asyncio.sleep(0)
        span.callbacks.clear()
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            result = await work
        finally:
            # The processor's clock is read inside the wall's: work never exceeds its time.
            span.cpu, span.wall = time.thread_time() - cpu, time.perf_counter() - wall
            span.is_over = True
            # The last callback ends with this one.
            await asyncio.sleep(0)
            self._ours.discard(task)
        return result, span

    def _selecting(self, select: Callable[[float | None], Any]) -> Callable[[float | None], Any]:
        def measured(timeout: float | None = None) -> Any:
            began = time.perf_counter()
            found = select(timeout)
            is_counted = not (self._span.waiting or self._span.is_over)
            if (timeout is None or timeout > 0) and is_counted:
                self._span.idle += time.perf_counter() - began
            return found

        return measured

    def _note(self, handle: asyncio.Handle, cpu: float, wall: float, collection: float) -> None:
        ours, name = self._owner(handle)
        self._span.callbacks.append(
            Callback(cpu=cpu, wall=wall, collection=collection, ours=ours, name=name)
        )

    def _owner(self, handle: asyncio.Handle) -> tuple[bool, str]:
        done = handle._callback  # type: ignore[attr-defined]  # noqa: SLF001
        owner = getattr(done, "__self__", None)
        if isinstance(owner, asyncio.Task):
            codes = _codes(owner.get_coro())
            ours = [code for code in codes if _OURS in code.co_filename]
            # In SAGE the innermost function is the most informative one, elsewhere the outermost.
            named = [*ours[-1:], *codes[:1]]
            name = named[0].co_qualname if named else owner.get_name()
            return bool(ours) or owner in self._ours, name
        code = getattr(done, "__code__", None) or getattr(
            getattr(done, "__func__", None), "__code__", None
        )
        name = getattr(done, "__qualname__", repr(done))
        return code is not None and _OURS in code.co_filename, name

    def _collection(self, phase: str, info: dict[str, int]) -> None:
        # A collection in another thread is not of the time of this one.
        if threading.get_ident() != self._thread:
            return
        if phase == "start":
            self._collecting_since = time.thread_time()
            return
        seconds = time.thread_time() - self._collecting_since
        self._collected += seconds
        self._span.collected += seconds

    # ------------------------------------------------------- the HTTP client

    def watch_http(self, http: httpx.AsyncClient) -> None:
        """Measure the requests that go through `http`: their waits, and reading the replies."""
        hooks = http.event_hooks
        hooks["request"].append(self._async_request)
        hooks["response"].append(self._async_response)
        http.event_hooks = hooks

    def watch_client(self, client: Any) -> None:
        """Measure what the OpenAI client `client` does from a body to a response."""
        post = client.post

        def measured(*arguments: Any, **options: Any) -> Awaitable[Any]:
            return _Measured(post(*arguments, **options), self._client_worked)

        client.post = measured

    def _client_worked(self, seconds: float) -> None:
        if not self._span.is_over:
            self._span.client += seconds

    async def _async_request(self, request: httpx.Request) -> None:
        if self._span.is_over:
            return
        self._span.bodies.append(request.content)
        request.extensions["trace"] = _Wait(self._span)

    async def _async_response(self, response: httpx.Response) -> None:
        stream = cast("httpx.AsyncByteStream", response.stream)
        response.stream = _MeasuredStream(stream, self._client_worked)


class _Wait:
    """Follows one request: the time from its last byte to the reply's, less our own work.

    While the reply comes in, what the loop's thread computes is the client's and ours, not
    the model's.
    """

    def __init__(self, span: Span) -> None:
        self._span = span
        self._sent: tuple[float, float] | None = None

    async def __call__(self, event: str, _: dict[str, Any]) -> None:
        if event.endswith(".send_request_body.complete"):
            self._sent = (time.perf_counter(), time.thread_time())
            self._span.waiting += 1
        elif self._sent is not None and event.endswith(
            (".receive_response_body.complete", ".response_closed.started", ".failed")
        ):
            wall, cpu = self._sent
            self._sent = None
            self._span.waiting -= 1
            self._span.waited += time.perf_counter() - wall - (time.thread_time() - cpu)


class _Measured:
    """An awaitable whose steps are measured; waiting between them is not."""

    def __init__(self, work: Any, worked: Callable[[float], None]) -> None:
        self._work = work
        self._worked = worked

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self._work.__await__()
        step: Callable[[], Any] = lambda: next(steps)  # noqa: E731
        while True:
            began = time.thread_time()
            try:
                waited_for = step()
            except StopIteration as end:
                return end.value
            finally:
                self._worked(time.thread_time() - began)
            try:
                given = yield waited_for
            except BaseException as err:  # noqa: BLE001 - passed on, cancellation included
                step = _thrower(steps, err)
            else:
                step = _sender(steps, given)


def _sender(steps: Any, given: Any) -> Callable[[], Any]:
    return lambda: steps.send(given)


def _thrower(steps: Any, err: BaseException) -> Callable[[], Any]:
    return lambda: steps.throw(err)


class _MeasuredStream(httpx.AsyncByteStream):
    """The body of a reply; reading it is work of the client."""

    def __init__(self, stream: httpx.AsyncByteStream, worked: Callable[[float], None]) -> None:
        self._stream = stream
        self._worked = worked

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = aiter(self._stream)
        while True:
            try:
                piece = await _Measured(anext(pieces), self._worked)
            except StopAsyncIteration:
                return
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


def _codes(coroutine: Any) -> list[CodeType]:
    """Return the code of a coroutine and of all that it awaits, the outermost first."""
    found: list[CodeType] = []
    while coroutine is not None:
        code = getattr(coroutine, "cr_code", None) or getattr(coroutine, "gi_code", None)
        if code is None:
            code = getattr(coroutine, "ag_code", None)
        if code is not None:
            found.append(code)
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return found
