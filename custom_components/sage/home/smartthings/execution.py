"""Executing raw commands: pass the gate, ask if risky, post once, see (DESIGN 5).

What the cloud accepts is not done; what the device reports afterwards is. Nothing
is posted twice: where it is not known what became of a command, it stays with that.
"""

import asyncio
import logging
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ...people.person import Person
from ..authority import Authority
from ..model import CommandRequest, Component, Device, Outcome, OutcomeKind, RiskClass
from ..prepared_command import REFUSED_CHANGED
from ..waits import WAITS
from . import failures, remote_control
from .admission import Admission, NameOf, PreparePerson, RiskOf, failed_outcome, name_prepared
from .attempts import Attempt, Attempts, Refusal
from .commands import CommandFinder, RawCommand
from .disclosure import MayTell, disclosed
from .expectation import expectation_of
from .failures import Failure, failure_of
from .parts import Cloud, Definitions, Documents, Exposure, Mirror
from .put_back import by_capability, is_changed_since, steps_of
from .raw import CloudError, CloudErrorKind
from .sight import Eyes, Sent
from .watch import Watch

_LOGGER = logging.getLogger(__name__)

_GRACE_SECONDS: Final = 0.25
"""What the client is left to give up by itself: it can tell more."""

_FAILED: Final = "FAILED"


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
        name_of: NameOf = name_prepared,
        wait_seconds: float = WAITS.report_seconds,
        request_seconds: float = WAITS.request_seconds,
    ) -> None:
        """Keep what is needed; the times are for tests."""
        self._mirror = mirror
        self._cloud = cloud
        self._definitions = definitions
        self._exposure = exposure
        self._prepare_person = prepare_person
        self._request_seconds = request_seconds
        admission = Admission(mirror, exposure, risk_of, prepare_person, name_of)
        self._admission = admission
        self._finder = CommandFinder(definitions, documents)
        self._attempts = Attempts()
        self._locks: dict[str, asyncio.Lock] = {}
        self._eyes = Eyes(
            mirror,
            wait_seconds=wait_seconds,
            look_seconds=request_seconds,
            may_look=lambda device_id: not admission.rest(device_id),
        )

    def has_command(self, component: Component, command_name: str) -> bool:
        """Tell whether the component has the command, bare or dotted; asks nobody."""
        return self._finder.has_command(component, command_name)

    def nearest(self, component: Component, command_name: str) -> str:
        """Return the commands of a component whose names are like this one, as a sentence."""
        return self._finder.nearest(component, command_name)

    async def async_prepare(
        self, device: Device, component: Component, request: CommandRequest
    ) -> RawCommand:
        """Return the command held against the documentation; raises HomeError.

        Device and component must be of the listing of the person who asks.
        """
        return await self._finder.async_find(device, component, request)

    def stopped(self, person: Person, command: RawCommand) -> Outcome | None:
        """Return the outcome of a command that must not or cannot be sent; None if it may."""
        return self._admission.stopped(person, command)

    def risk(self, command: RawCommand) -> RiskClass | None:
        """Return why a command needs the person's yes now; None when it needs none."""
        return self._admission.risk(command)

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
            if (stopped := self._admission.stopped(authority.person, command)) is not None
        }
        agreed = await self._admission.async_agree(authority, commands, outcomes)
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
        return tuple(
            disclosed(outcomes[place], self._may_tell(authority.person, command))
            for place, command in enumerate(commands)
        )

    def _may_tell(self, person: Person, command: RawCommand) -> MayTell:
        """Return what tells whether the person may read an attribute of the capability."""
        place = command.raw_device_id, command.component_id, command.capability
        return lambda attribute: self._exposure.may_read(person, *place, attribute)

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

    async def async_changed_since(
        self, person: Person, outcomes: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Return those of the outcomes whose values somebody has changed since.

        Not those that the person may not command any more, nor where it cannot be known.
        """
        for device_id in {each.raw_device_id for each in outcomes} - {None}:
            assert device_id is not None
            if not self._mirror.is_fresh(device_id):
                await self._eyes.async_look(device_id)
        return tuple(
            each
            for group in by_capability(outcomes)
            if self._is_changed_since(person, group)
            for each in group
        )

    def _is_changed_since(self, person: Person, outcomes: Sequence[Outcome]) -> bool:
        first = outcomes[0]
        if first.raw_device_id is None:
            return False
        place = first.raw_device_id, first.component_id, first.capability
        values = {name: each.value for name, each in self._mirror.attributes(*place).items()}
        return self._exposure.may_command(person, *place) and is_changed_since(outcomes, values)

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
            if (stopped := self._admission.stopped(authority.person, command)) is not None:
                return stopped
            if self._admission.risk(command) not in {None, agreed}:
                return command.outcome(
                    OutcomeKind.REFUSED,
                    "It has become risky since the person was asked. Ask for it again.",
                    reason=REFUSED_CHANGED,
                )
            run = authority.context.id
            earlier = self._attempts.find(run, command)
            if isinstance(earlier, Attempt):
                return await self._async_doubted(run, command, earlier)
            if earlier is not None and earlier.known == self._known(command.raw_device_id):
                return _refused_again(earlier.outcome)
            return await self._async_send(run, authority.person, command)

    async def _async_send(self, run: str, person: Person, command: RawCommand) -> Outcome:
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
                self._note_refusal(run, command, error)
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
                    may_tell=self._may_tell(person, command),
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
            async with asyncio.timeout(self._request_seconds + _GRACE_SECONDS):
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
            return failed_outcome(command, failure)
        return None

    def _refused(self, command: RawCommand, error: CloudError) -> Outcome | CloudError:
        _LOGGER.debug("%s was not taken: %s", command.full_name, error.message)
        if error.may_have_been_done:
            return error
        if error.kind is CloudErrorKind.RATE_LIMIT and error.retry_after is not None:
            self._admission.let_rest(command.raw_device_id, error.retry_after)
        failure = failure_of(error)
        if error.kind is CloudErrorKind.DEVICE_STATE and remote_control.is_switched_off(
            self._mirror, command.raw_device_id, command.component_id
        ):
            failure = Failure(
                detail=failures.REMOTE_CONTROL_OFF, reason=failures.REFUSED_REMOTE_CONTROL
            )
        return failed_outcome(command, failure)

    def _note_refusal(self, run: str, command: RawCommand, outcome: Outcome) -> None:
        if outcome.reason in failures.MAY_BE_TRIED_AGAIN:
            self._attempts.settle(run, command)
        else:
            known = self._known(command.raw_device_id)
            self._attempts.add(run, command, Refusal(outcome=outcome, known=known))

    def _known(self, device_id: str) -> object:
        """Return all that is known of a device, to be compared."""
        values = {
            (part.id, capability): dict(self._mirror.attributes(device_id, part.id, capability))
            for part in self._mirror.usable(device_id)
            for capability in part.capabilities
        }
        return self._mirror.revision, values

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


def _refused_again(outcome: Outcome) -> Outcome:
    return replace(outcome, detail=f"{failures.NOT_SENT_AGAIN} {outcome.detail}")


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
