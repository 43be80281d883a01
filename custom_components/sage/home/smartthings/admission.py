"""Whether a raw command may be sent now: the gate and the device (DESIGN 5)."""

import asyncio
from typing import Final

from ...people.person import Person
from ..commands.prepared_command import FAILED_GONE, FAILED_UNAVAILABLE, REFUSED_NOT_PERMITTED
from ..home_types import Outcome, OutcomeKind
from . import failures, remote_control
from .commands import RawCommand
from .failures import Failure, rate_limited
from .parts import Exposure, Mirror

_LONGEST_REST: Final = 300.0
"""How long a device is left alone at most, whatever the cloud says."""


class Admission:
    """Decides."""

    def __init__(self, mirror: Mirror, exposure: Exposure) -> None:
        """Keep whom to ask; no device rests yet."""
        self._mirror = mirror
        self._exposure = exposure
        self._rests: dict[str, float] = {}

    def refused(self, person: Person, command: RawCommand) -> Outcome | None:
        """Return the outcome of a command that must not be sent; None if it may."""
        device_id = command.raw_device_id
        parts = {each.id: each for each in self._mirror.usable(device_id)}
        part = parts.get(command.component_id)
        if self._mirror.device(device_id) is None or part is None:
            return command.outcome(
                OutcomeKind.FAILED, "The device no longer exists.", reason=FAILED_GONE
            )
        if command.capability not in part.capabilities:
            return command.outcome(
                OutcomeKind.FAILED,
                f"The device has switched off {command.capability} in its present state: "
                "read its documentation again.",
                reason=FAILED_GONE,
            )
        if not self._exposure.may_command(
            person, device_id, command.component_id, command.capability
        ):
            return command.outcome(
                OutcomeKind.REFUSED,
                f"{person.name} may not control this device. Do not try another way.",
                reason=REFUSED_NOT_PERMITTED,
            )
        return None

    def out_of_reach(self, command: RawCommand) -> Outcome | None:
        """Return the outcome of a command that its device does not take now; None if it does."""
        device_id = command.raw_device_id
        if not self._mirror.is_online(device_id):
            return command.outcome(
                OutcomeKind.FAILED,
                "The device is offline in SmartThings, so nothing was sent: tell the person to "
                "look at its power and its network.",
                reason=FAILED_UNAVAILABLE,
            )
        if (
            remote_control.is_needed_for(command.capability)
            and self._mirror.is_fresh(device_id)
            and remote_control.is_switched_off(self._mirror, device_id, command.component_id)
        ):
            return command.outcome(
                OutcomeKind.REFUSED,
                failures.REMOTE_CONTROL_OFF,
                reason=failures.REFUSED_REMOTE_CONTROL,
            )
        if rest := self.rest(device_id):
            return failed_outcome(command, rate_limited(rest))
        return None

    def let_rest(self, device_id: str, seconds: float) -> None:
        """Note that the cloud wants to hear nothing for a device for so long."""
        now = asyncio.get_running_loop().time()
        self._rests[device_id] = now + min(seconds, _LONGEST_REST)

    def rest(self, device_id: str) -> float:
        """Return for how many seconds the cloud wants to hear nothing for a device."""
        left = self._rests.get(device_id, 0.0) - asyncio.get_running_loop().time()
        if left <= 0:
            self._rests.pop(device_id, None)
        return max(left, 0.0)


def failed_outcome(command: RawCommand, failure: Failure) -> Outcome:
    """Return the outcome of a command that was not carried out."""
    return command.outcome(
        OutcomeKind.FAILED,
        failure.detail,
        reason=failure.reason,
        reason_placeholders=failure.placeholders,
    )
