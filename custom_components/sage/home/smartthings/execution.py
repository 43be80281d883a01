"""Send SmartThings commands once, then observe the device: a backend of the command pipeline.

Only a report of the device proves that a command succeeded.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...people.person import Person
from ...text.words import id_words
from ..commands.changed_since import is_changed_since
from ..commands.pipeline import (
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    REFUSED_NOT_PERMITTED,
    Backend,
    CommandWaits,
)
from ..commands.spoken_names import cleaned
from ..home_types import PUT_BACK, Outcome, OutcomeKind, RiskClass
from ..safety.authority import Authority, RiskyAction
from ..safety.risk import Effects
from . import failures
from .attempts import Attempt, Attempts, RefusedAttempt, Rests, failed_outcome
from .client import RawClient
from .commands import RawCommand
from .expected_effect import expectation_of
from .failures import Failure, failure_of, rate_limited
from .observation import CommandObserver, MayRead, ReportWatch, Sent, disclosed
from .protocols import Definitions, Exposure, Mirror
from .put_back import by_capability, restore_of, steps_of
from .raw import CloudError, CloudErrorKind

_LOGGER = logging.getLogger(__name__)

_GRACE_SECONDS: Final = 0.25
"""Additional seconds for the HTTP client to time out first, because its error has more details."""

_FAILED: Final = "FAILED"
_IN_DOUBT: Final = frozenset({OutcomeKind.NOT_CONFIRMED, OutcomeKind.FAILED})

_ACTIONS: Final[Mapping[str, str]] = {"on": "turn_on", "off": "turn_off"}
_ACTIONS_OF_RISK: Final[Mapping[RiskClass, Mapping[str, str]]] = {
    RiskClass.OPEN: {"open": "open_cover"},
    RiskClass.DISARM: {"disarm": "alarm_disarm"},
    RiskClass.MAINTENANCE: {"updateFirmware": "install"},
}
"""Risk -> (SmartThings command -> Home Assistant action with the same meaning).

The confirmation question uses the sentence for the Home Assistant action.
"""

type RiskOf = Callable[
    [str, str, str, str, Mapping[str, object]], tuple[RiskClass | None, frozenset[str]]
]
"""Function: SmartThings device id, component, capability, command, arguments by name -> risk.

The risk is None if the command needs no confirmation. The function also returns the ids of the
entities of the device whose missing classification matters.
"""

type NameOf = Callable[[RawCommand], str]
"""Function: command -> name of its device for a confirmation question, unique in the home."""


def name_prepared(command: RawCommand) -> str:
    """Return the name of the command's device, without markup or invisible characters."""
    return cleaned(command.device_name)


class SmartThingsBackend(Backend[RawCommand]):
    """Checks, sends and observes SmartThings commands, called by the command pipeline."""

    def __init__(
        self,
        *,
        mirror: Mirror,
        cloud: RawClient,
        definitions: Definitions,
        exposure: Exposure,
        risk_of: RiskOf,
        name_of: NameOf = name_prepared,
        waits: CommandWaits,
    ) -> None:
        self._mirror = mirror
        self._cloud = cloud
        self._definitions = definitions
        self._exposure = exposure
        self._risk_of = risk_of
        self._waits = waits
        self.name = name_of
        self._rests = rests = Rests()
        self._attempts = Attempts()
        self._locks: dict[str, asyncio.Lock] = {}
        self._observer = CommandObserver(mirror, waits, lambda device_id: not rests.rest(device_id))

    # ------------------------------------------------------------- the gate

    def refused(self, person: Person, command: RawCommand) -> Outcome | None:
        """Return an outcome `REFUSED` or `FAILED` if the command must not be sent, else None."""
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
        """Return an outcome `FAILED` if the device is offline or rate-limited, else None."""
        device_id = command.raw_device_id
        if not self._mirror.is_online(device_id):
            return command.outcome(
                OutcomeKind.FAILED,
                "The device is offline in SmartThings, so nothing was sent: tell the person to "
                "look at its power and its network.",
                reason=FAILED_UNAVAILABLE,
            )
        if rest := self._rests.rest(device_id):
            return failed_outcome(command, rate_limited(rest))
        return None

    def effects(self, command: RawCommand) -> Effects:
        """Return the component that the command affects, and the risk of the command."""
        risk, unclassified = self._risk_of(
            command.raw_device_id,
            command.component_id,
            command.capability,
            command.command,
            command.arguments,
        )
        effects = Effects(unclassified={*unclassified})
        effects.add(_thing(command), risk)
        return effects

    def risky_actions(
        self, _person: Person, risky: Sequence[tuple[RawCommand, Effects]]
    ) -> list[RiskyAction]:
        """Return one `RiskyAction` for each risky command, in the same order."""
        return [
            RiskyAction(
                risk=effects.risk,
                device_name=self.name(command),
                area=command.area or "",
                thing=_thing(command),
                command=_asked_command(command, effects.risk),
                arguments=_asked_arguments(command),
            )
            for command, effects in risky
            if effects.risk is not None
        ]

    # ------------------------------------------------------------- restoring

    async def async_steps_back(
        self, outcomes: Sequence[Outcome]
    ) -> tuple[RawCommand | Outcome, ...]:
        """Return the commands that undo the commands of `outcomes`.

        The capability that was changed first is undone last. The result contains an outcome
        `FAILED` for each capability that cannot be restored completely.
        """
        return steps_of(outcomes, self._definitions)

    async def async_changed_since(
        self, person: Person, outcomes: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Return the outcomes whose values somebody has changed since the command.

        Capabilities with unknown values, or that the person may no longer command, count as
        unchanged.
        """
        for device_id in {each.raw_device_id for each in outcomes} - {None}:
            assert device_id is not None
            if not self._mirror.is_fresh(device_id):
                await self._observer.async_refresh(device_id)
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
        values = {
            name: each.value
            for name, each in self._mirror.attributes(*place).items()
            if each.value is not None
        }
        return self._exposure.may_command(person, *place) and is_changed_since(
            outcomes, restore_of(outcomes), values
        )

    # ------------------------------------------------------------- sending

    def turn(self, command: RawCommand) -> asyncio.Lock:
        """Return the lock that allows only one command to the device at a time."""
        return self._locks.setdefault(command.raw_device_id, asyncio.Lock())

    def follows_failure(self, step: RawCommand, earlier: Outcome) -> Outcome | None:
        """Return an outcome `REFUSED` if `earlier`, on the same device, failed; else None.

        A missing answer of the cloud counts as a failure.
        """
        is_unanswered = (
            earlier.kind is OutcomeKind.NOT_CONFIRMED
            and earlier.reason == failures.NOT_CONFIRMED_NO_ANSWER
        )
        if earlier.kind is not OutcomeKind.FAILED and not is_unanswered:
            return None
        return step.outcome(
            OutcomeKind.REFUSED, failures.AFTER_FAILURE, reason=failures.REFUSED_AFTER_FAILURE
        )

    async def async_send(
        self, authority: Authority, commands: Sequence[RawCommand]
    ) -> tuple[Outcome, ...]:
        """Send each command once; return one outcome for each, in the same order.

        A command is not sent again in the same run (one request of a person) while its result is
        unknown, or if it was refused and the device has not changed since.
        """
        return tuple([await self._async_send(authority, command) for command in commands])

    async def _async_send(self, authority: Authority, command: RawCommand) -> Outcome:
        run = authority.context.id
        earlier = self._attempts.find(run, command)
        if isinstance(earlier, Attempt):
            return await self._async_doubted(run, command, earlier)
        if earlier is not None and earlier.known == self._known(command.raw_device_id):
            return _refused_again(earlier.outcome)
        return await self._async_posted(run, authority.person, command)

    def disclosed(self, person: Person, command: RawCommand, outcome: Outcome) -> Outcome:
        """Return the outcome without values that the person may not read."""
        return disclosed(outcome, self._readable_by(person, command))

    def _readable_by(self, person: Person, command: RawCommand) -> MayRead:
        """Return a function that maps an attribute name to whether the person may read it."""
        place = command.raw_device_id, command.component_id, command.capability
        return lambda attribute: self._exposure.may_read(person, *place, attribute)

    async def _async_posted(self, run: str, person: Person, command: RawCommand) -> Outcome:
        device_id = command.raw_device_id
        watch = ReportWatch(self._mirror, device_id, command.component_id, command.capability)
        try:
            expectation = expectation_of(
                self._definitions.known(command.capability),
                command.command,
                command.arguments,
            )
            was_fresh = self._mirror.is_fresh(device_id)
            was_met = expectation.was_met(watch.before, watch.before)
            if command.puts_back is not None and was_fresh and was_met:
                return command.outcome(OutcomeKind.ALREADY, after=command.puts_back)
            self._attempts.add(run, command, Attempt(expectation=expectation, before=watch.before))
            error = await self._async_post(command)
            if isinstance(error, Outcome):
                self._note_refusal(run, command, error)
                return error
            if error is None:
                self._attempts.supersede(run, command)
            outcome = await self._observer.async_observe(
                Sent(
                    command=command,
                    expectation=expectation,
                    watch=watch,
                    was_fresh=was_fresh,
                    error=error,
                    may_read=self._readable_by(person, command),
                )
            )
            is_doubted = outcome.kind is OutcomeKind.SENT and expectation.observable
            if not is_doubted and outcome.kind not in _IN_DOUBT:
                self._attempts.settle(run, command)
            return outcome
        finally:
            watch.close()

    async def _async_post(self, command: RawCommand) -> Outcome | CloudError | None:
        """Send a command once.

        Return None if the cloud accepted it, a CloudError if it may have arrived, and a failed
        outcome if it was certainly not executed.
        """
        device = self._mirror.device(command.raw_device_id)
        assert device is not None
        try:
            async with asyncio.timeout(self._waits.request_seconds + _GRACE_SECONDS):
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
            self._rests.let_rest(command.raw_device_id, error.retry_after)
        failure = failure_of(error)
        if error.kind is CloudErrorKind.DEVICE_STATE and failures.is_remote_control_off(
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
            self._attempts.add(run, command, RefusedAttempt(outcome=outcome, known=known))

    def _known(self, device_id: str) -> object:
        """Return the current state of the device as a value for comparison."""
        values = {
            (part.id, capability): dict(self._mirror.attributes(device_id, part.id, capability))
            for part in self._mirror.usable(device_id)
            for capability in part.capabilities
        }
        return self._mirror.revision, values

    async def _async_doubted(self, run: str, command: RawCommand, attempt: Attempt) -> Outcome:
        """Return the outcome of a command that was already sent, without sending it again.

        The outcome is VERIFIED if current values show the effect of the command, else REFUSED.
        """
        device_id, before = command.raw_device_id, attempt.before
        expectation = attempt.expectation
        watch = ReportWatch(self._mirror, device_id, command.component_id, command.capability)
        try:
            is_met = expectation.is_met(before, watch.now)
            if (
                expectation.observable
                and not is_met
                and await self._observer.async_refresh(device_id)
            ):
                is_met = expectation.is_met(before, watch.now)
            if not is_met:
                return command.outcome(
                    OutcomeKind.REFUSED, failures.REPEATED, reason=failures.REFUSED_REPEATED
                )
            self._attempts.settle(run, command)
            names = [goal.name for goal in expectation.goals]
            names = names or expectation.names_of_signs(before, watch.now)
            return command.outcome(
                OutcomeKind.VERIFIED,
                "It had been sent before and has taken effect meanwhile; it was not sent again.",
                before={name: before.get(name) for name in names},
                after={name: watch.now.get(name) for name in names},
                restore={name: before.get(name) for name in names},
            )
        finally:
            watch.close()


def _refused_again(outcome: Outcome) -> Outcome:
    return replace(outcome, detail=f"{failures.NOT_SENT_AGAIN} {outcome.detail}")


def _thing(command: RawCommand) -> str:
    return f"{command.raw_device_id} {command.component_id}"


def _asked_command(command: RawCommand, risk: RiskClass) -> str:
    """Return the name of the command in confirmation questions, such as `turn_on`."""
    if command.puts_back is not None:
        return PUT_BACK
    own = _ACTIONS_OF_RISK.get(risk, {}).get(command.command)
    return own or _ACTIONS.get(command.command) or "_".join(id_words(command.command))


def _asked_arguments(command: RawCommand) -> dict[str, object]:
    """Return the arguments with names in snake case, such as `oven_mode`."""
    return {
        "_".join(id_words(name)) or name: each for name, each in command.shown_arguments.items()
    }
