"""What can go wrong in the cloud, on demand."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from . import errors
from .errors import Refusal
from .request_log import RecordedRequest, RequestKind


class Break(StrEnum):
    """How a request can stay without a proper answer."""

    HANG = "hang"
    """Nothing comes back until `Faults.clear`, or until the server stops."""
    DROP = "drop"
    """The connection is closed instead of an answer."""
    GARBAGE = "garbage"
    """Status 200, and a text that is no JSON."""


@dataclass(slots=True, kw_only=True, eq=False)
class Fault:
    """A fault of some requests."""

    answer: Refusal | Break
    kinds: frozenset[RequestKind]
    """Kinds of request that it befalls; empty: all of them."""

    device_id: str | None = None
    times: int | None = None
    """How many requests it still befalls; None: all until `Faults.clear`."""

    is_carried_out: bool = False
    """Whether the request takes effect although the answer does not say so."""

    seen: int = 0
    """How many requests it has befallen."""

    struck: asyncio.Event = field(default_factory=asyncio.Event)
    """Set as soon as it has befallen one: `await fault.struck.wait()`."""

    def befalls(self, request: RecordedRequest) -> bool:
        """Return whether the fault applies to the request."""
        return (
            self.times != 0
            and (not self.kinds or request.kind in self.kinds)
            and self.device_id in {None, request.device_id}
        )


@dataclass(slots=True, kw_only=True, eq=False)
class Delivery:
    """Faults of accepted commands and of the events that report changes."""

    device_id: str | None = None
    times: int | None = None
    state_changes: bool = True
    """Whether the state really becomes what it should."""

    has_event: bool = True
    delay: float | None = 0
    """Seconds until the event; None: until `SimulatedCloud.release_events`."""

    state_waits: bool = False
    """Whether the state, too, changes only when the event comes."""


AS_USUAL = Delivery()
_COMMANDS = RequestKind.COMMANDS

type Kinds = RequestKind | Iterable[RequestKind] | None


class Faults:
    """The faults that are set up.

    Each method sets one up and returns it (`fault.seen` counts). `on` is the kind of
    request, or several, or None for every request; `device` the id or label of a device,
    or None for all; `times` the number of requests that it befalls, or None for all until
    `clear`. Of several that fit, the one that was set up last befalls a request.
    """

    def __init__(self, device_id: Callable[[str], str]) -> None:
        """Prepare; `device_id` finds the id of a device by its id or label."""
        self._device_id = device_id
        self._faults: list[Fault] = []
        self._deliveries: list[Delivery] = []
        self.released = asyncio.Event()
        """Set when what hangs shall end."""

    def clear(self) -> None:
        """End all faults; what hangs is dropped. Events that are held back stay so."""
        self._faults.clear()
        self._deliveries.clear()
        self.released.set()
        self.released = asyncio.Event()

    # What is answered instead.

    def refuse_token(
        self, on: Kinds = None, *, device: str | None = None, times: int | None = None
    ) -> Fault:
        """Answer 401 with a page of HTML: the token is not accepted."""
        return self.answer(errors.SIGN_IN, on, device=device, times=times)

    def demand_payment(
        self, on: Kinds = _COMMANDS, *, device: str | None = None, times: int | None = None
    ) -> Fault:
        """Answer 402: the account's plan does not cover it."""
        return self.answer(errors.PLAN, on, device=device, times=times)

    def forbid(
        self, on: Kinds = _COMMANDS, *, device: str | None = None, times: int | None = None
    ) -> Fault:
        """Answer 403."""
        return self.answer(errors.FORBIDDEN, on, device=device, times=times)

    def lose(
        self, on: Kinds = _COMMANDS, *, device: str | None = None, times: int | None = None
    ) -> Fault:
        """Answer 404 with nothing in it."""
        return self.answer(errors.NOT_FOUND, on, device=device, times=times)

    def refuse_state(
        self, on: Kinds = _COMMANDS, *, device: str | None = None, times: int | None = None
    ) -> Fault:
        """Answer 409 `invalid device state`, as of a TV that is asleep."""
        return self.answer(errors.INVALID_STATE, on, device=device, times=times)

    def limit_rate(
        self,
        on: Kinds = _COMMANDS,
        *,
        retry_in_millis: int = 43_074,
        device: str | None = None,
        times: int | None = None,
    ) -> Fault:
        """Answer 429 `retry in N millis`; for real limits see `SimulatedCloud.limits`."""
        refusal = errors.too_many_requests(millis=retry_in_millis, attempt=13, limit=12)
        return self.answer(refusal, on, device=device, times=times)

    def fail(
        self,
        on: Kinds = _COMMANDS,
        *,
        status: int = 500,
        is_carried_out: bool = False,
        device: str | None = None,
        times: int | None = None,
    ) -> Fault:
        """Answer 500, or another status, with a body of JSON."""
        refusal = Refusal(status=status, code="UnexpectedError", message=errors.UNSUCCESSFUL)
        return self.answer(refusal, on, is_carried_out=is_carried_out, device=device, times=times)

    def hang(
        self,
        on: Kinds = _COMMANDS,
        *,
        is_carried_out: bool = False,
        device: str | None = None,
        times: int | None = None,
    ) -> Fault:
        """Answer nothing until `clear`."""
        return self.answer(
            Break.HANG, on, is_carried_out=is_carried_out, device=device, times=times
        )

    def break_connection(
        self,
        on: Kinds = _COMMANDS,
        *,
        is_carried_out: bool = True,
        device: str | None = None,
        times: int | None = None,
    ) -> Fault:
        """Take the request, then close the connection instead of an answer."""
        return self.answer(
            Break.DROP, on, is_carried_out=is_carried_out, device=device, times=times
        )

    def answer_garbage(
        self,
        on: Kinds = _COMMANDS,
        *,
        is_carried_out: bool = True,
        device: str | None = None,
        times: int | None = None,
    ) -> Fault:
        """Answer 200 with a text that is no JSON."""
        return self.answer(
            Break.GARBAGE, on, is_carried_out=is_carried_out, device=device, times=times
        )

    def answer(
        self,
        answer: Refusal | Break,
        on: Kinds = _COMMANDS,
        *,
        is_carried_out: bool = False,
        device: str | None = None,
        times: int | None = None,
    ) -> Fault:
        """Answer anything else."""
        fault = Fault(
            answer=answer,
            kinds=_kinds(on),
            device_id=self._device_id(device) if device else None,
            times=times,
            is_carried_out=is_carried_out,
        )
        self._faults.append(fault)
        return fault

    # What becomes of changes. They are those of commands and of `SimulatedCloud.change`.

    def delay_events(
        self,
        seconds: float | None = None,
        *,
        state_waits: bool = False,
        device: str | None = None,
        times: int | None = None,
    ) -> Delivery:
        """Send events late: after some seconds, or (None) at `SimulatedCloud.release_events`.

        `state_waits`: the state that is read also changes only then.
        """
        return self._deliver(Delivery(delay=seconds, state_waits=state_waits, times=times), device)

    def lose_events(
        self,
        *,
        state_changes: bool = True,
        device: str | None = None,
        times: int | None = None,
    ) -> Delivery:
        """Never send events, whether or not the state really changes."""
        return self._deliver(
            Delivery(has_event=False, state_changes=state_changes, times=times), device
        )

    def _deliver(self, delivery: Delivery, device: str | None) -> Delivery:
        delivery.device_id = self._device_id(device) if device else None
        self._deliveries.append(delivery)
        return delivery

    # What the server asks.

    def take(self, request: RecordedRequest) -> Fault | None:
        """Return what befalls a request; it counts as having befallen it."""
        for fault in reversed(self._faults):
            if fault.befalls(request):
                fault.seen += 1
                fault.struck.set()
                fault.times = None if fault.times is None else fault.times - 1
                return fault
        return None

    def take_delivery(self, device_id: str) -> Delivery:
        """Return what becomes of a change of a device; it counts as one of its times."""
        for delivery in reversed(self._deliveries):
            if delivery.times != 0 and delivery.device_id in {None, device_id}:
                delivery.times = None if delivery.times is None else delivery.times - 1
                return delivery
        return AS_USUAL


def _kinds(on: Kinds) -> frozenset[RequestKind]:
    if on is None:
        return frozenset()
    return frozenset({on}) if isinstance(on, RequestKind) else frozenset(on)
