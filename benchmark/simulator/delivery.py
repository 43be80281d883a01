"""Delivery of changes of the home to subscribers."""

import asyncio
from collections.abc import Callable, Iterable

from .device import Change
from .faults import Faults
from .stream import EventStream

type Act = Callable[[], Iterable[Change]]


class Deliveries:
    """Applies changes and publishes them, at once or as late as the faults demand."""

    def __init__(self, faults: Faults, stream: EventStream) -> None:
        self._faults = faults
        self._stream = stream
        self._held: list[Callable[[], None]] = []
        self._timers: set[asyncio.TimerHandle] = set()

    def carry_out(self, device_id: str, act: Act) -> None:
        """Let something happen to a device; `act` changes the state and says what changed."""
        how = self._faults.take_delivery(device_id)
        if not how.state_changes:
            return
        if how.state_waits:
            self._later(how.delay, lambda: self._publish(act()))
            return
        changes = list(act())
        if how.has_event:
            self._later(how.delay, lambda: self._publish(changes))

    def release(self) -> None:
        """Let everything happen that was held back."""
        held, self._held = self._held, []
        for tell in held:
            tell()

    def cancel(self) -> None:
        """Drop all pending deliveries."""
        self._held.clear()
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _later(self, delay: float | None, tell: Callable[[], None]) -> None:
        if delay is None:
            self._held.append(tell)
        elif delay <= 0:
            tell()
        else:
            loop = asyncio.get_running_loop()
            self._timers = {timer for timer in self._timers if timer.when() > loop.time()}
            self._timers.add(loop.call_later(delay, tell))

    def _publish(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self._stream.publish(change)
