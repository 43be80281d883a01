"""The command pipeline: check, confirm, check again, send once, observe.

Entities and SmartThings capabilities each have a backend for the parts that differ.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import (
    Awaitable,
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homeassistant.exceptions import HomeAssistantError

from ...helpers.slices import Breaks
from ...people.person import Person
from ..home_types import Outcome, OutcomeKind, RiskClass
from ..safety.authority import (
    AskedFor,
    Authority,
    Confirmation,
    RiskyAction,
    async_asked_for,
    async_confirmed,
)
from ..safety.risk import RESOLVED_DOMAINS, Effects
from .steps import Step


@dataclass(slots=True, kw_only=True)
class CommandWaits:
    """Timeouts, in seconds, for the execution of commands; tests use shorter ones."""

    state_seconds: float = 3.0
    """Time for an entity to report the new state."""

    call_seconds: float = 10.0
    """Time for a Home Assistant action to return; the action continues after this timeout."""

    report_seconds: float = 4.0
    """Time for a SmartThings device to report the new value."""


REFUSED_NOT_PERMITTED: Final = "outcome_refused_not_permitted"
REFUSED_REFERENCE: Final = "outcome_refused_reference"
REFUSED_DECLINED: Final = "outcome_refused_declined"
REFUSED_CANNOT_ASK: Final = "outcome_refused_cannot_ask"
REFUSED_NEVER: Final = "outcome_refused_never"
NEVER_DETAIL: Final = "The household wants this never done. Do not try another way."
REFUSED_CHANGED: Final = "outcome_refused_changed"
FAILED_UNAVAILABLE: Final = "outcome_failed_unavailable"
FAILED_GONE: Final = "outcome_failed_gone"
FAILED_ERROR: Final = "outcome_failed_error"


class Backend[S: Step](ABC):
    """Interface for the parts of command execution that differ between entities and SmartThings."""

    @abstractmethod
    def refused(self, person: Person, step: S) -> Outcome | None:
        """Return an outcome `REFUSED` or `FAILED` if the command must not be sent, else None.

        Example: the person has no permission to control the device.
        """

    @abstractmethod
    def out_of_reach(self, step: S) -> Outcome | None:
        """Return an outcome `FAILED` if the device is unavailable or deleted, else None."""

    @abstractmethod
    def effects(self, step: S) -> Effects:
        """Return the entities that the command affects, and their risks."""

    @abstractmethod
    def risky_actions(
        self, person: Person, risky: Sequence[tuple[S, Effects]]
    ) -> Sequence[RiskyAction]:
        """Return one `RiskyAction` for each risky command, in the same order.

        The confirmation question names them, so they contain only entities that the person may see.
        """

    @abstractmethod
    async def async_send(self, authority: Authority, steps: Sequence[S]) -> Sequence[Outcome]:
        """Send each step once; return one outcome for each step, in the same order.

        `steps`: one step, or several steps that a single service call can execute. The latter have
        the same `Step.batch` and the same `Step.joint`.
        """

    @abstractmethod
    def disclosed(self, person: Person, step: S, outcome: Outcome) -> Outcome:
        """Return the outcome without the values that the person may not read."""

    @abstractmethod
    async def async_changed_since(
        self, person: Person, outcomes: Sequence[Outcome]
    ) -> Sequence[Outcome]:
        """Return those of `outcomes` whose values somebody has changed after the command."""

    @abstractmethod
    async def async_steps_back(self, outcomes: Sequence[Outcome]) -> Sequence[Step | Outcome]:
        """Return the commands that undo the commands of `outcomes`.

        For a component that no command can restore, the list contains an outcome `FAILED`.
        """

    def is_read(self, step: S) -> bool:
        """Return whether the step only reads, and sends no free text; False by default."""
        return False

    def follows_failure(self, step: S, earlier: Outcome) -> Outcome | None:
        """Return an outcome `REFUSED` if the outcome `earlier` forbids sending `step`, else None.

        `earlier` is the outcome of an earlier command with the same `target`.
        """
        return None


type Record = Callable[[Mapping[int, Outcome]], Awaitable[None]]
"""Function that gets the outcomes of the steps that were sent before a question, by index."""


@dataclass(slots=True, kw_only=True)
class _Command:
    """A step of one execution, and what has become of it so far."""

    step: Step
    number: int
    """Index among the steps of the execution."""

    effects: Effects = field(default_factory=Effects)
    agreed: Effects | None = None
    """The effects that the person has confirmed."""

    outcome: Outcome | None = None
    """None until the step is refused or sent."""


type _Earlier = dict[Hashable, list[Outcome]]
"""Target -> the outcomes so far."""


class Pipeline:
    """Checks, confirms, sends and observes the steps (commands) of a person."""

    def __init__(
        self,
        load_rights: Callable[[Person], Awaitable[None]],
        backends: Mapping[type, Backend[Any]],
    ) -> None:
        """Store one backend for each type of step; `load_rights` loads a person's permissions."""
        self.async_load_rights = load_rights
        self._backends = backends

    async def async_execute(
        self,
        authority: Authority,
        steps: Sequence[Step | Outcome],
        asked_for: AskedFor | Sequence[AskedFor] = async_asked_for,
        record: Record | None = None,
    ) -> tuple[Outcome, ...]:
        """Execute the steps (commands) in order; return one outcome for each step.

        - An `Outcome` among `steps` is returned unchanged.
        - Consecutive steps with an equal `Step.batch` run concurrently if their `Step.target`
          differs.
        - `asked_for` returns False if untrusted text may have caused a step. It is one function for
          all steps, or a sequence with one function for each step.
        - One question asks the person to confirm all risky steps, and all steps that change
          something and for which `asked_for` returns False.
        - With `record`, the other steps are sent before the question, except those that depend on
          the order, and `record` gets their outcomes. Without it, all steps wait for the reply.
        """
        commands = await self._async_commands(authority, steps, asked_for)
        earlier: _Earlier = {}
        later = _waiting(commands) if record is not None else {each.number for each in commands}
        first = [each for each in commands if each.number not in later]
        is_rest = await self._async_send(authority, first, earlier)
        if is_rest and record is not None:
            await record(self._outcomes(authority.person, commands))
        risky = [each for each in commands if each.outcome is None and each.effects.risk]
        await self._async_ask(authority, risky, is_rest=is_rest)
        await self._async_send(authority, commands, earlier)
        outcomes = self._outcomes(authority.person, commands)
        return tuple(
            each if isinstance(each, Outcome) else outcomes[number]
            for number, each in enumerate(steps)
        )

    async def _async_commands(
        self,
        authority: Authority,
        steps: Sequence[Step | Outcome],
        asked_for: AskedFor | Sequence[AskedFor],
    ) -> list[_Command]:
        """Return the steps with their effects, or with the outcome of those that are refused."""
        commands: list[_Command] = []
        for number, checked in enumerate(await self.async_check(authority, steps)):
            step = steps[number]
            if isinstance(step, Outcome):
                continue
            if isinstance(checked, Outcome):
                commands.append(_Command(step=step, number=number, outcome=checked))
                continue
            is_asked_for = asked_for[number] if isinstance(asked_for, Sequence) else asked_for
            changes = checked.risk is None and not self._backend(step).is_read(step)
            if changes and not await is_asked_for():
                checked.risks[RiskClass.OUTSIDE] = set(checked.entities)
            commands.append(_Command(step=step, number=number, effects=checked))
        return commands

    async def _async_send(
        self, authority: Authority, commands: Sequence[_Command], earlier: _Earlier
    ) -> bool:
        """Send those of the commands without an outcome; return whether there were any."""
        left = [each for each in commands if each.outcome is None]
        for calls in _batches(left):
            await asyncio.gather(*(self._async_call(authority, call, earlier) for call in calls))
        return bool(left)

    async def async_check(
        self, authority: Authority, steps: Sequence[Step | Outcome]
    ) -> list[Outcome | Effects]:
        """Return the effects of each step, or its refused or failed outcome.

        The model first classifies the entities whose missing classification decides whether a step
        needs confirmation: one request for all steps.
        """
        checked: list[Outcome | Effects] = []
        breaks = Breaks()
        for is_last in (False, True):
            await self.async_load_rights(authority.person)
            checked.clear()
            for step in steps:
                checked.append(
                    step if isinstance(step, Outcome) else self.checked(authority.person, step)
                )
                await breaks.async_take()
            undecided = [each.undecided for each in checked if isinstance(each, Effects)]
            if is_last or not any(undecided):
                break
            await authority.async_classify(frozenset[str]().union(*undecided))
        return checked

    def is_risky(self, step: Step) -> bool:
        """Return whether the step needs confirmation."""
        return self._backend(step).effects(step).risk is not None

    def _backend(self, step: Step) -> Backend[Any]:
        return self._backends[type(step)]

    def _outcomes(self, person: Person, commands: Iterable[_Command]) -> dict[int, Outcome]:
        """Return the outcomes so far, by index, without values that the person may not read."""
        return {
            each.number: self._backend(each.step).disclosed(person, each.step, each.outcome)
            for each in commands
            if each.outcome is not None
        }

    def checked(self, person: Person, step: Step) -> Outcome | Effects:
        """Return the effects of a step, or its refused or failed outcome."""
        backend = self._backend(step)
        if (refused := backend.refused(person, step)) is not None:
            return refused
        effects = backend.effects(step)
        if effects.risk is RiskClass.NEVER:
            return step.outcome(OutcomeKind.REFUSED, NEVER_DETAIL, reason=REFUSED_NEVER)
        return backend.out_of_reach(step) or effects

    async def _async_ask(
        self, authority: Authority, risky: Sequence[_Command], *, is_rest: bool
    ) -> None:
        """Ask for confirmation of all risky commands; note what is agreed, or a refused outcome.

        `is_rest`: whether other commands were sent before.
        """
        if not risky:
            return
        try:
            answer = await async_confirmed(
                authority,
                lambda: [
                    replace(each, is_rest=is_rest)
                    for each in self._actions(authority.person, risky)
                ],
            )
        except HomeAssistantError as err:
            for each in risky:
                each.outcome = _not_asked(each.step, str(err))
            return
        # The reply may have taken minutes. Reload the rights for the second check before sending.
        await self.async_load_rights(authority.person)
        for each in risky:
            if answer is Confirmation.GIVEN:
                each.agreed = each.effects
            elif answer is Confirmation.DECLINED:
                each.outcome = _declined(each.step)
            else:
                detail = "This needs a confirmation, and nobody can give it here."
                each.outcome = _not_asked(each.step, detail)

    def _actions(self, person: Person, risky: Sequence[_Command]) -> list[RiskyAction]:
        actions: dict[int, RiskyAction] = {}
        for backend in dict.fromkeys(self._backend(each.step) for each in risky):
            own = [each for each in risky if self._backend(each.step) is backend]
            asked = backend.risky_actions(person, [(each.step, each.effects) for each in own])
            actions |= zip((each.number for each in own), asked, strict=True)
        return [actions[each.number] for each in risky]

    async def _async_call(
        self, authority: Authority, commands: Sequence[_Command], earlier: _Earlier
    ) -> None:
        """Check commands with an equal `Step.joint` again, and send them in one call."""
        backend = self._backend(commands[0].step)
        breaks = Breaks()
        for each in commands:
            each.outcome = self._stopped_now(authority.person, each, earlier)
            await breaks.async_take()
        sent = [each for each in commands if each.outcome is None]
        if sent:
            outcomes = await backend.async_send(authority, [each.step for each in sent])
            for each, outcome in zip(sent, outcomes, strict=True):
                each.outcome = outcome
        for each in commands:
            if each.outcome is not None:
                earlier.setdefault(each.step.target, []).append(each.outcome)

    def _stopped_now(self, person: Person, command: _Command, earlier: _Earlier) -> Outcome | None:
        """Return an outcome if the command must not be sent now; None if it may be sent."""
        step = command.step
        for before in earlier.get(step.target, ()):
            if (stopped := self._backend(step).follows_failure(step, before)) is not None:
                return stopped
        checked = self.checked(person, step)
        if isinstance(checked, Outcome):
            return checked
        if checked.is_covered_by(command.agreed):
            return None
        return step.outcome(
            OutcomeKind.REFUSED,
            "It has become risky since the person was asked. Ask for it again.",
            reason=REFUSED_CHANGED,
        )


def _waiting(commands: Iterable[_Command]) -> set[int]:
    """Return the numbers of the commands that must not be sent before the reply to the question.

    Those are the risky ones, and each later one whose result may depend on one of them: a command
    for the same entity, and every command after disarming an alarm or after a script or scene whose
    effects are not fully known.
    """
    found: set[int] = set()
    touched: set[Hashable] = set()
    holds_all = False
    for command in commands:
        if command.outcome is not None:
            continue
        step, effects = command.step, command.effects
        own: set[Hashable] = {step.target, *effects.entities}
        if effects.risk is None and not holds_all and own.isdisjoint(touched):
            continue
        found.add(command.number)
        touched |= own
        is_open = bool(effects.unresolved) and step.capability in RESOLVED_DOMAINS
        holds_all = holds_all or is_open or RiskClass.DISARM in effects.risks
    return found


def _batches(commands: Iterable[_Command]) -> Iterator[list[list[_Command]]]:
    """Yield consecutive commands with an equal `Step.batch` and different targets.

    A batch is a list of calls: commands that are sent together (see `Step.joint`).
    """
    calls: dict[Hashable, list[_Command]] = {}
    targets: set[Hashable] = set()
    key: Hashable = None
    for command in commands:
        step = command.step
        if calls and (key != step.batch or step.target in targets):
            yield [*calls.values()]
            calls, targets = {}, set()
        key = step.batch
        calls.setdefault(command.number if step.joint is None else step.joint, []).append(command)
        targets.add(step.target)
    if calls:
        yield [*calls.values()]


def _not_asked(step: Step, detail: str) -> Outcome:
    return step.outcome(OutcomeKind.REFUSED, detail, reason=REFUSED_CANNOT_ASK)


def _declined(step: Step) -> Outcome:
    detail = "The person did not agree. Do not try it again or another way."
    return step.outcome(OutcomeKind.REFUSED, detail, reason=REFUSED_DECLINED)
