"""Observe the reports of a device after a SmartThings command, and judge the outcome."""

import asyncio
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ...helpers.weakly import weakly
from ..commands.expectation import Expectation, Watch
from ..commands.goals import Values, unwrapped
from ..commands.pipeline import CommandWaits
from ..home_types import PUT_BACK, Outcome, OutcomeKind
from .commands import RawCommand
from .expected_effect import names_given
from .failures import (
    NOT_CONFIRMED,
    NOT_CONFIRMED_NO_ANSWER,
    failure_of,
    is_remote_control_off,
    unanswered,
)
from .protocols import Mirror
from .raw import CloudError, CloudErrorKind, RawEvent
from .withheld import is_secret

_LONGEST_VALUE: Final = 60

type MayRead = Callable[[str], bool]
"""Name of an attribute -> whether the person may read it."""


def reads_all(_attribute: str) -> bool:
    """Return True: the person may read every attribute (the default of `MayRead` arguments)."""
    return True


def disclosed(outcome: Outcome, may_read: MayRead) -> Outcome:
    """Return the outcome without values that the person may not read.

    Only the field `restore` keeps all values: it is for undo and must not be shown.
    """
    wanted = outcome.arguments if outcome.command == PUT_BACK else {}
    hidden = {name for name in (*outcome.before, *outcome.after, *wanted) if not may_read(name)}
    if not hidden:
        return outcome
    return replace(
        outcome,
        before=_without(outcome.before, hidden),
        after=_without(outcome.after, hidden),
        wanted={name: each for name, each in outcome.wanted.items() if name not in hidden},
        arguments=_without(wanted, hidden) if wanted else outcome.arguments,
    )


def _without(values: Mapping[str, object], hidden: Container[str]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name not in hidden}


class ReportWatch(Watch):
    """Collects the reported values of one capability, until `close` is called.

    Create it before the command is sent.
    """

    def __init__(self, mirror: Mirror, device_id: str, component_id: str, capability: str) -> None:
        """Store the current values as `before` and listen for reports."""
        super().__init__()
        self._mirror = mirror
        self._place = (device_id, component_id, capability)
        self._reported: dict[str, object] = {}
        self.before = self._mirrored()
        self._close = mirror.listen(device_id, weakly(self._handle_event))

    def close(self) -> None:
        """Stop listening for reports."""
        self._close()

    @property
    def now(self) -> Values:
        """Attribute name -> current value; a reported value overrides a fetched one."""
        return {**self._reported, **self._mirrored(), **self._reported}

    @property
    def reports(self) -> tuple[Values, Values]:
        """The values before the command and now."""
        return self.before, self.now

    def trust_mirror(self) -> None:
        """Forget the values reported so far: those in the mirror (local copy) are newer.

        Call this after all values of the device were fetched.
        """
        self._reported.clear()

    def has_seen(self, expectation: Expectation) -> bool:
        """Return whether a changed or newly reported value proves the success of the command."""
        before, now = self.before, self.now
        if not expectation.goals:
            return not self._reported.keys().isdisjoint(expectation.names_of_signs(before, now))
        return expectation.is_met(before, now) and (
            not expectation.is_met(before, before)
            or all(goal.name in self._reported for goal in expectation.goals)
        )

    def _mirrored(self) -> dict[str, object]:
        attributes = self._mirror.attributes(*self._place)
        return {name: each.value for name, each in attributes.items()}

    def _handle_event(self, event: RawEvent) -> None:
        if (event.device_id, event.component_id, event.capability) == self._place:
            self._reported[event.attribute] = event.value
            self._news.set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A sent command, its expected effect, and the observer of the device's reports."""

    command: RawCommand
    expectation: Expectation
    watch: ReportWatch
    was_fresh: bool
    """Whether the values were up to date before the command was sent."""

    error: CloudError | None = None
    """The error after which the result is unknown, e.g. a timeout; None if there was none."""

    may_read: MayRead = reads_all


class CommandObserver:
    """Determines the outcomes of sent commands from the reports of the device.

    The values of the device are fetched once if the reports do not show the result.
    """

    def __init__(
        self, mirror: Mirror, waits: CommandWaits, may_refresh: Callable[[str], bool]
    ) -> None:
        """Store the timeouts and `may_refresh`.

        `may_refresh` returns whether the rate limit currently allows a request for a device id.
        """
        self._mirror = mirror
        self._waits = waits
        self._may_refresh = may_refresh

    async def async_observe(self, sent: Sent) -> Outcome:
        """Wait for the effect of a sent command and return the outcome."""
        expectation, watch = sent.expectation, sent.watch
        if not expectation.observable:
            if sent.error is not None:
                return _not_confirmed(sent, self._cause(sent, refreshed=False))
            return sent.command.outcome(
                OutcomeKind.SENT, "SmartThings accepted it; whether it worked cannot be observed."
            )
        if sent.was_fresh and expectation.was_met(watch.before, watch.now) and sent.error is None:
            return _seen(sent, OutcomeKind.ALREADY)
        await watch.async_wait(expectation, self._waits.report_seconds)
        refreshed = False
        if not self._is_clear(sent):
            refreshed = await self.async_refresh(sent.command.raw_device_id)
            if refreshed:
                watch.trust_mirror()
        return self._judged(sent, refreshed=refreshed)

    async def async_refresh(self, device_id: str) -> bool:
        """Fetch the values of a device once; return whether the fetch succeeded."""
        if not self._may_refresh(device_id):
            return False
        try:
            async with asyncio.timeout(self._waits.request_seconds):
                await self._mirror.async_refresh(device_id)
        except CloudError, TimeoutError:
            return False
        return True

    def _is_clear(self, sent: Sent) -> bool:
        return sent.watch.has_seen(sent.expectation) or sent.expectation.is_under_way(
            sent.watch.before, sent.watch.now
        )

    def _judged(self, sent: Sent, *, refreshed: bool) -> Outcome:
        expectation, watch, error = sent.expectation, sent.watch, sent.error
        # A difference from an outdated value does not prove that this command changed it.
        is_known = sent.was_fresh or (refreshed and bool(expectation.goals))
        if watch.has_seen(expectation) or (
            is_known and expectation.is_met(watch.before, watch.now)
        ):
            return _seen(sent, expectation.kind_if_met(watch.before, watch.now))
        if expectation.is_under_way(watch.before, watch.now):
            return _seen(sent, OutcomeKind.UNDER_WAY, "It has begun, its end was not seen.")
        if expectation.signs and error is None:
            return self._sent(sent)
        is_unchanged = bool(expectation.goals) or not _changed(sent)
        if refreshed and is_unchanged and error is not None and error.kind is CloudErrorKind.SERVER:
            failure = failure_of(error)
            return _seen(sent, OutcomeKind.FAILED, failure.detail, failure.reason)
        return _not_confirmed(sent, self._cause(sent, refreshed=refreshed))

    def _sent(self, sent: Sent) -> Outcome:
        """Return the outcome of an accepted command without a defined or observed effect."""
        reported = _values_text(sent, _changed(sent), refreshed=True)
        return sent.command.outcome(
            OutcomeKind.SENT,
            f"SmartThings accepted it{self._why(sent)}; the device reported nothing that would "
            f"prove it{reported}.",
        )

    def _cause(self, sent: Sent, *, refreshed: bool) -> str:
        """Return a sentence for the model about an unconfirmed command, with the next step."""
        known = (
            unanswered(sent.error)
            if sent.error is not None
            else "SmartThings accepted it, but the device has not reported it"
        )
        values = _values_text(
            sent, [goal.name for goal in sent.expectation.goals], refreshed=refreshed
        )
        return (
            f"{known}{values}{self._why(sent)}: do not send it again; tell the person that it is "
            "not confirmed, or read the values later."
        )

    def _why(self, sent: Sent) -> str:
        """Return a possible reason for the missing reaction, as a clause; empty if none."""
        command = sent.command
        if self._mirror.device(command.raw_device_id) is None:
            return ", and Home Assistant's SmartThings integration no longer has the device"
        if not self._mirror.is_online(command.raw_device_id):
            return ", and the device is offline by now"
        if is_remote_control_off(self._mirror, command.raw_device_id, command.component_id):
            return ", and remote control is switched off at the device, which may be why"
        return ""


def _changed(sent: Sent) -> list[str]:
    before, now = sent.watch.before, sent.watch.now
    return [name for name in sorted(now) if now[name] != before.get(name)]


def _values_text(sent: Sent, names: Iterable[str], *, refreshed: bool) -> str:
    """Return the values of the attributes `names` as text in brackets; empty without values.

    Leaves out secrets and attributes that the person may not read. `refreshed`: whether the values
    were just fetched; otherwise the text says "as last reported".
    """
    now = sent.watch.now
    values = [
        f"{name} is {str(unwrapped(now.get(name)))[:_LONGEST_VALUE]}"
        for name in names
        if now.get(name) not in (None, "")
        and sent.may_read(name)
        and not is_secret(sent.command.capability, name)
    ]
    if not values:
        return ""
    return f" ({', '.join(values)}{'' if refreshed else ' as last reported'})"


def _not_confirmed(sent: Sent, detail: str) -> Outcome:
    reason = NOT_CONFIRMED if sent.error is None else NOT_CONFIRMED_NO_ANSWER
    return _seen(sent, OutcomeKind.NOT_CONFIRMED, detail, reason)


def _seen(sent: Sent, kind: OutcomeKind, detail: str = "", reason: str | None = None) -> Outcome:
    """Return an outcome with the values of the goals, or of the first attribute that changed."""
    before, now = sent.watch.before, sent.watch.now
    expectation = sent.expectation
    goals = expectation.goals
    # Use only the first changed attribute: others may change for other reasons.
    names = [goal.name for goal in goals] or expectation.names_of_signs(before, now)[:1]
    # An undo also restores the other attributes that the command has set.
    given = names_given(sent.command.arguments) if not goals else frozenset()
    return sent.command.outcome(
        kind,
        detail,
        reason=reason,
        before=_values(sent, before, names),
        after=_values(sent, now, names),
        restore=_values(sent, before, dict.fromkeys((*names, *sorted(given & before.keys())))),
        wanted={
            goal.name: goal.values
            for goal in goals
            if goal.values and not is_secret(sent.command.capability, goal.name)
        },
    )


def _values(sent: Sent, values: Values, names: Iterable[str]) -> dict[str, object]:
    """Return the named values that are known, without secrets such as lock codes."""
    return {
        name: unwrapped(values[name])
        for name in names
        if values.get(name) is not None and not is_secret(sent.command.capability, name)
    }
