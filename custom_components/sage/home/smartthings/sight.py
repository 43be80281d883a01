"""What is seen of a raw command after it was posted (DESIGN 5, evidence)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..commands.expectation import Expectation
from ..commands.goals import Values, unwrapped
from ..commands.waits import CommandWaits
from ..home_types import Outcome, OutcomeKind
from . import remote_control
from .commands import RawCommand
from .disclosure import MayTell, tells_all
from .failures import NOT_CONFIRMED, NOT_CONFIRMED_NO_ANSWER, failure_of, unanswered
from .parts import Mirror
from .raw import CloudError, CloudErrorKind
from .watch import ReportWatch
from .withheld import is_secret

_LONGEST_VALUE: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A command that was posted, and what is known of it."""

    command: RawCommand
    expectation: Expectation
    watch: ReportWatch
    was_fresh: bool
    """Whether the values before could be relied upon."""

    error: CloudError | None = None
    """Set when the cloud did not say whether it took the command."""

    may_tell: MayTell = tells_all


class Eyes:
    """Waits for the reports of a device, and looks once itself where none comes."""

    def __init__(
        self, mirror: Mirror, waits: CommandWaits, may_look: Callable[[str], bool]
    ) -> None:
        """Keep how long to wait; `may_look` tells whether the cloud may be asked."""
        self._mirror = mirror
        self._waits = waits
        self._may_look = may_look

    async def async_see(self, sent: Sent) -> Outcome:
        """Return what became of a command."""
        expectation, watch = sent.expectation, sent.watch
        if not expectation.observable:
            if sent.error is not None:
                return _not_confirmed(sent, self._cause(sent, looked=False))
            return sent.command.outcome(
                OutcomeKind.SENT, "SmartThings accepted it; whether it worked cannot be observed."
            )
        if sent.was_fresh and expectation.was_met(watch.before, watch.now) and sent.error is None:
            return _seen(sent, OutcomeKind.ALREADY)
        await watch.async_wait(expectation, self._waits.report_seconds)
        looked = False
        if expectation.goals and not self._is_clear(sent):
            looked = await self.async_look(sent.command.raw_device_id)
            if looked:
                watch.trust_mirror()
        return self._judged(sent, looked=looked)

    async def async_look(self, device_id: str) -> bool:
        """Fetch the values of a device anew, once; tell whether they could be had."""
        if not self._may_look(device_id):
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

    def _judged(self, sent: Sent, *, looked: bool) -> Outcome:
        expectation, watch = sent.expectation, sent.watch
        if not expectation.goals:
            return self._judged_without_goals(sent)
        if expectation.is_met(watch.before, watch.now) and (
            looked or sent.was_fresh or watch.has_seen(expectation)
        ):
            return _seen(sent, expectation.kind_if_met(watch.before, watch.now))
        if expectation.is_under_way(watch.before, watch.now):
            return _seen(sent, OutcomeKind.UNDER_WAY, "It has begun, its end was not seen.")
        if looked and sent.error is not None and sent.error.kind is CloudErrorKind.SERVER:
            failure = failure_of(sent.error)
            return _seen(sent, OutcomeKind.FAILED, failure.detail, failure.reason)
        return _not_confirmed(sent, self._cause(sent, looked=looked))

    def _judged_without_goals(self, sent: Sent) -> Outcome:
        if sent.error is not None:
            return _not_confirmed(sent, self._cause(sent, looked=False))
        if sent.expectation.is_met(sent.watch.before, sent.watch.now):
            return _seen(sent, OutcomeKind.VERIFIED)
        return sent.command.outcome(
            OutcomeKind.SENT,
            "SmartThings accepted it; the device reported nothing that would prove it.",
        )

    def _cause(self, sent: Sent, *, looked: bool) -> str:
        """Return one sentence for the model: what is known, and what to do."""
        command = sent.command
        known = (
            unanswered(sent.error)
            if sent.error is not None
            else "SmartThings accepted it, but the device has not reported it"
        )
        values = _told(sent, looked=looked)
        why = ""
        if self._mirror.device(command.raw_device_id) is None:
            why = ", and Home Assistant's SmartThings integration no longer has the device"
        elif not self._mirror.is_online(command.raw_device_id):
            why = ", and the device is offline by now"
        elif remote_control.is_switched_off(
            self._mirror, command.raw_device_id, command.component_id
        ):
            why = ", and remote control is switched off at the device, which may be why"
        return (
            f"{known}{values}{why}: do not send it again; tell the person that it is not "
            "confirmed, or read the values later."
        )


def _told(sent: Sent, *, looked: bool) -> str:
    now = sent.watch.now
    values = [
        f"{goal.name} is {str(unwrapped(now.get(goal.name)))[:_LONGEST_VALUE]}"
        for goal in sent.expectation.goals
        if now.get(goal.name) not in (None, "")
        and sent.may_tell(goal.name)
        and not is_secret(sent.command.capability, goal.name)
    ]
    if not values:
        return ""
    return f" ({', '.join(values)}{'' if looked else ' as last reported'})"


def _not_confirmed(sent: Sent, detail: str) -> Outcome:
    reason = NOT_CONFIRMED if sent.error is None else NOT_CONFIRMED_NO_ANSWER
    return _seen(sent, OutcomeKind.NOT_CONFIRMED, detail, reason)


def _seen(sent: Sent, kind: OutcomeKind, detail: str = "", reason: str | None = None) -> Outcome:
    """Return the outcome with the values that were to change, and those that did."""
    before, now = sent.watch.before, sent.watch.now
    goals = [goal.name for goal in sent.expectation.goals]
    names = goals or [
        name for name in sorted(sent.expectation.watched) if before.get(name) != now.get(name)
    ]
    return sent.command.outcome(
        kind,
        detail,
        reason=reason,
        before=_values(sent, before, names),
        after=_values(sent, now, names),
        restore=_values(sent, before, goals),
        wanted={
            goal.name: goal.values
            for goal in sent.expectation.goals
            if goal.values and not is_secret(sent.command.capability, goal.name)
        },
    )


def _values(sent: Sent, values: Values, names: list[str]) -> dict[str, object]:
    """Return some values, without what nobody may read: codes, and who has one."""
    return {
        name: unwrapped(values[name])
        for name in names
        if values.get(name) is not None and not is_secret(sent.command.capability, name)
    }
