"""Whether a raw command may be sent now: the gate, the device, the person's yes (DESIGN 5)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from ...people.person import Person
from ..asked_names import cleaned
from ..authority import Authority, Confirmation, RiskyAction, async_confirmed
from ..model import Outcome, OutcomeKind, RiskClass
from ..prepared_command import (
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    NEVER_DETAIL,
    REFUSED_CANNOT_ASK,
    REFUSED_DECLINED,
    REFUSED_NEVER,
    REFUSED_NOT_PERMITTED,
)
from . import failures, remote_control
from .commands import RawCommand
from .failures import Failure, rate_limited
from .parts import Exposure, Mirror
from .spoken import spoken_arguments, spoken_command

_LONGEST_REST: Final = 300.0
"""How long a device is left alone at most, whatever the cloud says."""

type RiskOf = Callable[[str, str, str, str, Mapping[str, object]], RiskClass | None]
"""Device in the cloud, component, capability, command, named arguments -> its risk."""

type PreparePerson = Callable[[Person], Awaitable[None]]
"""Brings what the gate knows of a person up to date."""


type NameOf = Callable[[RawCommand], str]
"""A command -> the name of its device or part, as the person is asked about it."""


def name_prepared(command: RawCommand) -> str:
    """Return the name that the command was prepared with."""
    return cleaned(command.device_name)


class Admission:
    """Decides, and asks the person where a command is risky."""

    def __init__(
        self,
        mirror: Mirror,
        exposure: Exposure,
        risk_of: RiskOf,
        prepare_person: PreparePerson,
        name_of: NameOf = name_prepared,
    ) -> None:
        """Keep whom to ask; no device rests yet."""
        self._mirror = mirror
        self._exposure = exposure
        self._risk_of = risk_of
        self._prepare_person = prepare_person
        self._name_of = name_of
        self._rests: dict[str, float] = {}

    def stopped(self, person: Person, command: RawCommand) -> Outcome | None:
        """Return the outcome of a command that must not or cannot be sent; None if it may."""
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
        if self.risk(command) is RiskClass.NEVER:
            return command.outcome(OutcomeKind.REFUSED, NEVER_DETAIL, reason=REFUSED_NEVER)
        return self._out_of_reach(command)

    def _out_of_reach(self, command: RawCommand) -> Outcome | None:
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

    def risk(self, command: RawCommand) -> RiskClass | None:
        """Return why the command needs a confirmation; None if it needs none."""
        return self._risk_of(
            command.raw_device_id,
            command.component_id,
            command.capability,
            command.command,
            command.arguments,
        )

    async def async_agree(
        self,
        authority: Authority,
        commands: Sequence[RawCommand],
        outcomes: dict[int, Outcome],
    ) -> Mapping[int, RiskClass]:
        """Ask about all risky commands at once; what is not agreed to gets its outcome.

        Returns what was agreed to, by the place of the command.
        """
        risky = {
            place: risk
            for place, command in enumerate(commands)
            if place not in outcomes and (risk := self.risk(command)) is not None
        }
        if not risky:
            return {}

        def actions() -> Sequence[RiskyAction]:
            return [
                RiskyAction(
                    risk=risk,
                    device_name=self._name_of(commands[place]),
                    thing=f"{commands[place].raw_device_id} {commands[place].component_id}",
                    command=spoken_command(commands[place], risk),
                    arguments=spoken_arguments(commands[place]),
                )
                for place, risk in risky.items()
            ]

        answer = await async_confirmed(authority, actions)
        # The person may have taken minutes: all is looked at anew before each command.
        await self._prepare_person(authority.person)
        if answer is Confirmation.GIVEN:
            return risky
        for place in risky:
            outcomes[place] = _not_agreed(commands[place], answer)
        return {}

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


def _not_agreed(command: RawCommand, answer: Confirmation) -> Outcome:
    declined = answer is Confirmation.DECLINED
    return command.outcome(
        OutcomeKind.REFUSED,
        "The person did not agree. Do not try it again or another way."
        if declined
        else "This needs a confirmation, and nobody can give it here.",
        reason=REFUSED_DECLINED if declined else REFUSED_CANNOT_ASK,
    )
