"""The command pipeline: check, confirm, check again, send once, observe.

Entities and SmartThings capabilities each have a backend for the parts that differ.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Hashable,
    Mapping,
    Sequence,
)
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain
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
from ..safety.risk import Effects
from .steps import Step, batches, calls, waiting


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

    def turn(self, step: S) -> AbstractAsyncContextManager[object]:
        """Return the context manager in which the pipeline checks and sends `step`.

        Example: an `asyncio.Lock`, so that it sends only one step at a time. By default, there is
        no lock.
        """
        return nullcontext()

    def follows_failure(self, step: S, earlier: Outcome) -> Outcome | None:
        """Return an outcome `REFUSED` if the outcome `earlier` forbids sending `step`, else None.

        `earlier` is the outcome of an earlier command with the same `target`.
        """
        return None


type Record = Callable[[Mapping[int, Outcome]], Awaitable[None]]
"""Function that gets the outcomes of the steps that were sent before a question, by index."""


@dataclass(slots=True)
class _Sending:
    """The steps of one execution, and what has become of them so far; all by index."""

    authority: Authority
    steps: Mapping[int, Step]
    outcomes: dict[int, Outcome]
    agreed: Mapping[int, Effects] = field(default_factory=dict)
    """The effects that the person has confirmed."""

    earlier: dict[Hashable, Outcome] = field(default_factory=dict)
    """Target -> the latest outcome (see `Pipeline._note_earlier`)."""


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
        outcomes: dict[int, Outcome] = {}
        effects: dict[int, Effects] = {}
        left = {place: each for place, each in enumerate(steps) if not isinstance(each, Outcome)}
        for place, checked in enumerate(await self.async_check(authority, steps)):
            if isinstance(checked, Outcome):
                outcomes[place] = checked
            else:
                effects[place] = checked
        for place, of_step in effects.items():
            is_asked_for = asked_for[place] if isinstance(asked_for, Sequence) else asked_for
            changes = of_step.risk is None and not self._backend(left[place]).is_read(left[place])
            if changes and not await is_asked_for():
                of_step.risks[RiskClass.OUTSIDE] = set(of_step.entities)
        risky = {place: each for place, each in effects.items() if each.risk is not None}
        sending = _Sending(authority, left, outcomes)
        later = waiting(left, effects) if record is not None else effects.keys()
        is_rest = await self._async_send(sending, effects.keys() - later)
        if is_rest and record is not None:
            await record({place: self._shown(sending, place) for place in outcomes})
        sending.agreed = await self._async_agreed(sending, risky, is_rest=is_rest)
        await self._async_send(sending, effects.keys())
        return tuple(
            each if isinstance(each, Outcome) else self._shown(sending, place)
            for place, each in enumerate(steps)
        )

    async def _async_send(self, sending: _Sending, places: Collection[int]) -> bool:
        """Send those of these steps that have no outcome yet; return whether there were any."""
        left = {place: sending.steps[place] for place in sorted({*places} - {*sending.outcomes})}
        for batch in batches(left):
            results = await asyncio.gather(
                *(
                    self._async_together(sending, of_call)
                    for of_call in calls({place: left[place] for place in batch})
                )
            )
            for place, outcome in chain.from_iterable(done.items() for done in results):
                sending.outcomes[place] = outcome
                self._note_earlier(sending.earlier, left[place], outcome)
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
                if isinstance(step, Step):
                    checked.append(self.checked(authority.person, step))
                else:
                    checked.append(step)
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

    def _shown(self, sending: _Sending, place: int) -> Outcome:
        """Return the outcome of a step without the values that the person may not read."""
        step, outcome = sending.steps.get(place), sending.outcomes[place]
        if step is None:
            return outcome
        return self._backend(step).disclosed(sending.authority.person, step, outcome)

    def checked(self, person: Person, step: Step) -> Outcome | Effects:
        """Return the effects of a step, or its refused or failed outcome."""
        backend = self._backend(step)
        if (refused := backend.refused(person, step)) is not None:
            return refused
        effects = backend.effects(step)
        if effects.risk is RiskClass.NEVER:
            return step.outcome(OutcomeKind.REFUSED, NEVER_DETAIL, reason=REFUSED_NEVER)
        return backend.out_of_reach(step) or effects

    async def _async_agreed(
        self,
        sending: _Sending,
        risky: Mapping[int, Effects],
        *,
        is_rest: bool,
    ) -> Mapping[int, Effects]:
        """Ask for confirmation of all risky steps; return the confirmed effects by index.

        If the person does not confirm, return an empty mapping, and note a refused outcome for each
        risky step. `is_rest`: whether other steps were sent before.
        """
        if not risky:
            return {}
        authority, steps = sending.authority, sending.steps
        try:
            answer = await async_confirmed(
                authority,
                lambda: [
                    replace(each, is_rest=is_rest)
                    for each in self._actions(authority.person, steps, risky)
                ],
            )
        except HomeAssistantError as err:
            sending.outcomes |= {place: _not_asked(steps[place], str(err)) for place in risky}
            return {}
        # The reply may have taken minutes. Reload the rights for the second check before sending.
        await self.async_load_rights(authority.person)
        if answer is Confirmation.GIVEN:
            return risky
        for place in risky:
            sending.outcomes[place] = _not_agreed(steps[place], answer)
        return {}

    def _actions(
        self, person: Person, steps: Mapping[int, Step], risky: Mapping[int, Effects]
    ) -> list[RiskyAction]:
        actions: dict[int, RiskyAction] = {}
        for backend in dict.fromkeys(self._backend(steps[place]) for place in risky):
            own = [place for place in risky if self._backend(steps[place]) is backend]
            asked = backend.risky_actions(person, [(steps[place], risky[place]) for place in own])
            actions |= zip(own, asked, strict=True)
        return [actions[place] for place in risky]

    async def _async_together(
        self,
        sending: _Sending,
        steps: Mapping[int, Step],
    ) -> Mapping[int, Outcome]:
        """Check steps with an equal `joint` and send them in one call; return outcomes by index."""
        first = next(iter(steps.values()))
        backend = self._backend(first)
        async with backend.turn(first):
            outcomes: dict[int, Outcome] = {}
            breaks = Breaks()
            for place in steps:
                stopped = self._stopped_now(sending, place)
                if stopped is not None:
                    outcomes[place] = stopped
                await breaks.async_take()
            sent = [place for place in steps if place not in outcomes]
            if sent:
                seen = await backend.async_send(sending.authority, [steps[place] for place in sent])
                outcomes |= zip(sent, seen, strict=True)
            return outcomes

    def _note_earlier(self, earlier: dict[Hashable, Outcome], step: Step, outcome: Outcome) -> None:
        """Store the outcome as the latest one for the target of the step.

        An earlier outcome that blocks this step stays stored, because it also blocks later steps.
        """
        last = earlier.get(step.target)
        if last is None or self._backend(step).follows_failure(step, last) is None:
            earlier[step.target] = outcome

    def _stopped_now(self, sending: _Sending, place: int) -> Outcome | None:
        """Return an outcome if the step must not be sent now; None if it may be sent."""
        step, before = sending.steps[place], sending.earlier.get(sending.steps[place].target)
        if (
            before is not None
            and (stopped := self._backend(step).follows_failure(step, before)) is not None
        ):
            return stopped
        checked = self.checked(sending.authority.person, step)
        if isinstance(checked, Outcome):
            return checked
        if checked.is_covered_by(sending.agreed.get(place)):
            return None
        return step.outcome(
            OutcomeKind.REFUSED,
            "It has become risky since the person was asked. Ask for it again.",
            reason=REFUSED_CHANGED,
        )


def _not_agreed(step: Step, answer: Confirmation) -> Outcome:
    if answer is Confirmation.DECLINED:
        return step.outcome(
            OutcomeKind.REFUSED,
            "The person did not agree. Do not try it again or another way.",
            reason=REFUSED_DECLINED,
        )
    return _not_asked(step, "This needs a confirmation, and nobody can give it here.")


def _not_asked(step: Step, detail: str) -> Outcome:
    return step.outcome(OutcomeKind.REFUSED, detail, reason=REFUSED_CANNOT_ASK)
