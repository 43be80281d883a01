"""Executing raw commands: pass the gate, ask if risky, post once, see (DESIGN 5).

What the cloud accepts is not done; what the device reports afterwards is. Nothing
is posted twice: where it is not known what became of a command, it stays with that.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Container, Iterator, Mapping, Sequence
from typing import Final

from ...people.person import Person
from ..authority import Authority, Confirmation, RiskyAction
from ..model import CommandRequest, Component, Device, Outcome, OutcomeKind, RiskClass
from ..prepared_command import (
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    REFUSED_CANNOT_ASK,
    REFUSED_CHANGED,
    REFUSED_DECLINED,
    REFUSED_NOT_PERMITTED,
)
from . import failures, remote_control
from .attempts import Attempt, Attempts
from .commands import CommandFinder, RawCommand
from .expectation import expectation_of
from .failures import Failure, failure_of, rate_limited
from .parts import Cloud, Definitions, Documents, Exposure, Mirror
from .put_back import steps_of
from .raw import CloudError, CloudErrorKind
from .sight import Eyes, Sent
from .spoken import spoken_arguments, spoken_command
from .watch import Watch

_LOGGER = logging.getLogger(__name__)

WAIT_SECONDS: Final = 4.0
"""How long the report of a device is waited for."""

REQUEST_SECONDS: Final = 8.0
"""How long one request to the cloud may take."""

_LONGEST_REST: Final = 300.0
"""How long a device is left alone at most, whatever the cloud says."""

_FAILED: Final = "FAILED"

type RiskOf = Callable[[str, str, str, str, Mapping[str, object]], RiskClass | None]
"""Device in the cloud, component, capability, command, named arguments -> its risk."""

type PreparePerson = Callable[[Person], Awaitable[None]]
"""Brings what the gate knows of a person up to date."""


async def _prepare_nobody(_person: Person) -> None:
    """Leave that to the caller."""


class RawExecutor:
    """Executes commands of the cloud on behalf of a person."""

    def __init__(  # noqa: PLR0913  (the parts that it joins, by name)
        self,
        *,
        mirror: Mirror,
        cloud: Cloud,
        definitions: Definitions,
        documents: Documents,
        exposure: Exposure,
        risk_of: RiskOf,
        prepare_person: PreparePerson = _prepare_nobody,
        wait_seconds: float = WAIT_SECONDS,
        request_seconds: float = REQUEST_SECONDS,
    ) -> None:
        """Keep what is needed; the times are for tests."""
        self._mirror = mirror
        self._cloud = cloud
        self._definitions = definitions
        self._exposure = exposure
        self._risk_of = risk_of
        self._prepare_person = prepare_person
        self._request_seconds = request_seconds
        self._finder = CommandFinder(definitions, documents)
        self._attempts = Attempts()
        self._locks: dict[str, asyncio.Lock] = {}
        self._rests: dict[str, float] = {}
        self._eyes = Eyes(
            mirror,
            wait_seconds=wait_seconds,
            look_seconds=request_seconds,
            may_look=lambda device_id: not self._rest(device_id),
        )

    def has_command(self, component: Component, command_name: str) -> bool:
        """Tell whether the component has the command, bare or dotted; asks nobody."""
        return self._finder.has_command(component, command_name)

    async def async_prepare(
        self, device: Device, component: Component, request: CommandRequest
    ) -> RawCommand:
        """Return the command held against the documentation; raises HomeError.

        Device and component must be of the listing of the person who asks.
        """
        return await self._finder.async_find(device, component, request)

    async def async_execute(
        self, authority: Authority, commands: Sequence[RawCommand]
    ) -> tuple[Outcome, ...]:
        """Return what became of each command, in order.

        All risky ones are asked about at once. Commands run in their order; the same
        command on several devices runs on all of them together. After a failure a
        device gets no more of these commands: they may build on each other.
        """
        await self._prepare_person(authority.person)
        outcomes = {
            place: stopped
            for place, command in enumerate(commands)
            if (stopped := self._stopped(authority.person, command)) is not None
        }
        agreed = await self._async_agree(authority, commands, outcomes)
        failed: set[str] = set()
        for batch in _batches(commands, outcomes):
            results = await asyncio.gather(
                *(
                    self._async_one(authority, commands[place], agreed.get(place), failed)
                    for place in batch
                )
            )
            outcomes.update(zip(batch, results, strict=True))
            failed |= {
                commands[place].raw_device_id for place in batch if _ends_all(outcomes[place])
            }
        return tuple(outcomes[place] for place in range(len(commands)))

    async def async_put_back(
        self, authority: Authority, outcomes: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Bring back what these outcomes of raw commands changed, the last one first.

        Their names are `put_back`; an outcome of it can be put back in turn.
        """
        steps = steps_of(outcomes, self._definitions)
        commands = [each for each in steps if isinstance(each, RawCommand)]
        done = iter(await self.async_execute(authority, commands))
        return tuple(next(done) if isinstance(each, RawCommand) else each for each in steps)

    # ------------------------------------------------------------- the gate

    def _stopped(self, person: Person, command: RawCommand) -> Outcome | None:
        """Return the outcome of a command that must not or cannot be sent; None if it may."""
        device_id = command.raw_device_id
        parts = {each.id: each for each in self._mirror.usable(device_id)}
        part = parts.get(command.component_id)
        if self._mirror.device(device_id) is None or part is None:
            return command.outcome(
                OutcomeKind.FAILED, "The device no longer exists.", reason=FAILED_GONE
            )
        if not self._exposure.may_command(
            person, device_id, command.component_id, command.capability
        ):
            return command.outcome(
                OutcomeKind.REFUSED,
                f"{person.name} may not control this device. Do not try another way.",
                reason=REFUSED_NOT_PERMITTED,
            )
        if command.capability not in part.capabilities:
            return command.outcome(
                OutcomeKind.FAILED,
                f"The device has switched off {command.capability} in its present state: "
                "read its documentation again.",
                reason=FAILED_GONE,
            )
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
        if rest := self._rest(device_id):
            return _failed(command, rate_limited(rest))
        return None

    def _risk(self, command: RawCommand) -> RiskClass | None:
        return self._risk_of(
            command.raw_device_id,
            command.component_id,
            command.capability,
            command.command,
            command.arguments,
        )

    async def _async_agree(
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
            if place not in outcomes and (risk := self._risk(command)) is not None
        }
        if not risky:
            return {}
        answer = await authority.async_confirm(
            [
                RiskyAction(
                    risk=risk,
                    device_name=commands[place].device_name,
                    command=spoken_command(commands[place], risk),
                    arguments=spoken_arguments(commands[place]),
                )
                for place, risk in risky.items()
            ]
        )
        # The person may have taken minutes: all is looked at anew before each command.
        await self._prepare_person(authority.person)
        if answer is Confirmation.GIVEN:
            return risky
        for place in risky:
            outcomes[place] = _not_agreed(commands[place], answer)
        return {}

    # ------------------------------------------------------------- sending

    async def _async_one(
        self,
        authority: Authority,
        command: RawCommand,
        agreed: RiskClass | None,
        failed: Container[str],
    ) -> Outcome:
        """Send one command and see what becomes of it; one at a time for each device."""
        async with self._locks.setdefault(command.raw_device_id, asyncio.Lock()):
            if command.raw_device_id in failed:
                return command.outcome(
                    OutcomeKind.REFUSED,
                    failures.AFTER_FAILURE,
                    reason=failures.REFUSED_AFTER_FAILURE,
                )
            if (stopped := self._stopped(authority.person, command)) is not None:
                return stopped
            if self._risk(command) not in {None, agreed}:
                return command.outcome(
                    OutcomeKind.REFUSED,
                    "It has become risky since the person was asked. Ask for it again.",
                    reason=REFUSED_CHANGED,
                )
            run = authority.context.id
            if (attempt := self._attempts.find(run, command)) is not None:
                return await self._async_doubted(run, command, attempt)
            return await self._async_send(run, command)

    async def _async_send(self, run: str, command: RawCommand) -> Outcome:
        device_id = command.raw_device_id
        watch = Watch(self._mirror, device_id, command.component_id, command.capability)
        try:
            expectation = expectation_of(
                self._definitions.known(command.capability),
                command.command,
                command.arguments,
                watch.before,
            )
            was_fresh = self._mirror.is_fresh(device_id)
            was_met = bool(expectation.goals) and expectation.is_met(watch.before, watch.before)
            if command.puts_back is not None and was_fresh and was_met:
                return command.outcome(OutcomeKind.ALREADY, after=command.puts_back)
            self._attempts.add(run, command, Attempt(expectation=expectation, before=watch.before))
            error = await self._async_post(command)
            if isinstance(error, Outcome):
                self._attempts.settle(run, command)
                return error
            if error is None:
                self._attempts.supersede(run, command)
            outcome = await self._eyes.async_see(
                Sent(
                    command=command,
                    expectation=expectation,
                    watch=watch,
                    was_fresh=was_fresh,
                    error=error,
                )
            )
            if outcome.kind not in {OutcomeKind.NOT_CONFIRMED, OutcomeKind.FAILED}:
                self._attempts.settle(run, command)
            return outcome
        finally:
            watch.close()

    async def _async_post(self, command: RawCommand) -> Outcome | CloudError | None:
        """Post a command, once.

        Returns None when the cloud took it, the error when it may have, and the
        outcome when it did not.
        """
        device = self._mirror.device(command.raw_device_id)
        assert device is not None
        try:
            async with asyncio.timeout(self._request_seconds):
                status = await self._cloud.async_command(
                    device.entry_id,
                    device.id,
                    command.component_id,
                    command.capability,
                    command.command,
                    list(command.positional),
                )
        except CloudError as err:
            return self._refused(command, err)
        except TimeoutError:
            return CloudError(CloudErrorKind.TIMEOUT, "no answer in time")
        if status == _FAILED:
            failure = Failure(detail=failures.DEVICE_FAILED, reason=failures.FAILED_DEVICE)
            return _failed(command, failure)
        return None

    def _refused(self, command: RawCommand, error: CloudError) -> Outcome | CloudError:
        _LOGGER.debug("%s was not taken: %s", command.full_name, error.message)
        if error.may_have_been_done:
            return error
        if error.kind is CloudErrorKind.RATE_LIMIT and error.retry_after is not None:
            now = asyncio.get_running_loop().time()
            rest = min(error.retry_after, _LONGEST_REST)
            self._rests[command.raw_device_id] = now + rest
        failure = failure_of(error)
        if error.kind is CloudErrorKind.DEVICE_STATE and remote_control.is_switched_off(
            self._mirror, command.raw_device_id, command.component_id
        ):
            failure = Failure(
                detail=failures.REMOTE_CONTROL_OFF, reason=failures.REFUSED_REMOTE_CONTROL
            )
        return _failed(command, failure)

    async def _async_doubted(self, run: str, command: RawCommand, attempt: Attempt) -> Outcome:
        """Look what became of a command that was sent before in this run; never send it again."""
        device_id, goals = command.raw_device_id, attempt.expectation.goals
        watch = Watch(self._mirror, device_id, command.component_id, command.capability)
        try:
            is_met = bool(goals) and attempt.expectation.is_met(attempt.before, watch.now)
            if goals and not is_met and await self._eyes.async_look(device_id):
                is_met = attempt.expectation.is_met(attempt.before, watch.now)
            if not is_met:
                return command.outcome(
                    OutcomeKind.REFUSED, failures.REPEATED, reason=failures.REFUSED_REPEATED
                )
            self._attempts.settle(run, command)
            names = [goal.attribute for goal in goals]
            return command.outcome(
                OutcomeKind.VERIFIED,
                "It had been sent before and has taken effect meanwhile; it was not sent again.",
                before={name: attempt.before.get(name) for name in names},
                after={name: watch.now.get(name) for name in names},
                restore={name: attempt.before.get(name) for name in names},
            )
        finally:
            watch.close()

    def _rest(self, device_id: str) -> float:
        """Return for how many seconds the cloud wants to hear nothing for a device."""
        left = self._rests.get(device_id, 0.0) - asyncio.get_running_loop().time()
        if left <= 0:
            self._rests.pop(device_id, None)
        return max(left, 0.0)


def _failed(command: RawCommand, failure: Failure) -> Outcome:
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


def _ends_all(outcome: Outcome) -> bool:
    """Tell whether what was to follow on the same device had better not be sent."""
    if outcome.kind is OutcomeKind.NOT_CONFIRMED:
        return outcome.reason == failures.NOT_CONFIRMED_NO_ANSWER
    return outcome.kind is OutcomeKind.FAILED


def _batches(commands: Sequence[RawCommand], left_out: Container[int]) -> Iterator[list[int]]:
    """Yield the places of commands that run together: one command, several devices."""
    batch: list[int] = []
    devices: set[str] = set()
    for place, command in enumerate(commands):
        if place in left_out:
            continue
        same = batch and commands[batch[0]].full_name == command.full_name
        if batch and (not same or command.raw_device_id in devices):
            yield batch
            batch, devices = [], set()
        batch.append(place)
        devices.add(command.raw_device_id)
    if batch:
        yield batch
