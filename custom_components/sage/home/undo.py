"""Putting back what a run changed (DESIGN 5).

It is a change like any other: through the gate, with a yes where the old state is
risky, with evidence. It can itself be put back.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final, Protocol

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import Unauthorized

from ..people.person import Person
from .asked_names import AskedNames
from .authority import Authority, Confirmation, RiskyAction, async_confirmed
from .changed_since import is_changed_since, left_as_it_is
from .effects import Effects
from .execution import detail
from .expectation import expectation_of_state
from .gate import Gate
from .goals import STATE
from .model import PUT_BACK, HomeError, Outcome, OutcomeKind, RiskClass, Source
from .prepared_command import (
    FAILED_ERROR,
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    NEVER_DETAIL,
    REFUSED_CANNOT_ASK,
    REFUSED_CHANGED,
    REFUSED_DECLINED,
    REFUSED_NEVER,
    REFUSED_NOT_PERMITTED,
    registry_id_of,
    with_visible_error,
)
from .references import effects_of_state
from .restoring import async_can_restore, async_restore, state_to_restore
from .waits import WAITS
from .watch import Watch, changes, judge, snapshot

_LOGGER = logging.getLogger(__name__)

LIFETIME_SECONDS: Final = 3600.0
MOST_CHANGES: Final = 10
"""Of one conversation."""

MOST_CONVERSATIONS: Final = 20
"""Of one person, by last change: what somebody else does takes nothing from them."""

FAILED_NO_UNDO: Final = "outcome_failed_no_undo"

_MAY_HAVE_CHANGED: Final = frozenset(
    {OutcomeKind.VERIFIED, OutcomeKind.UNDER_WAY, OutcomeKind.NOT_CONFIRMED, OutcomeKind.SENT}
)

type _Key = tuple[str | None, str]
type Choice = Callable[[Outcome], bool]


def changes_in(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Return those of the outcomes by which something may be another way now."""
    return tuple(each for each in outcomes if each.kind in _MAY_HAVE_CHANGED and not each.is_read)


@dataclass(frozen=True, slots=True)
class _Change:
    at: float
    outcomes: tuple[Outcome, ...]


class RawUndo(Protocol):
    """Who puts back what commands changed that went to no entity."""

    async def async_changed_since(
        self, person: Person, outcomes: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Return those of the outcomes whose values somebody has changed since."""

    async def async_put_back(
        self, authority: Authority, outcomes: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Return what became of it; it passes the gate first."""


class UndoHistory:
    """What was changed for whom, and how to put it back."""

    def __init__(
        self,
        hass: HomeAssistant,
        gate: Gate,
        raw: RawUndo,
        *,
        wait_seconds: float = WAITS.state_seconds,
        call_seconds: float = WAITS.call_seconds,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """Start with an empty history; times and clock are for tests."""
        self._hass = hass
        self._gate = gate
        self._raw = raw
        self._wait_seconds = wait_seconds
        self._call_seconds = call_seconds
        self._now = now
        self._changes: dict[_Key, list[_Change]] = {}

    def record(self, person: Person, conversation_id: str, outcomes: Iterable[Outcome]) -> None:
        """Remember what one tool call changed in a conversation of a person."""
        kept = changes_in(outcomes)
        self._drop_old()
        if kept:
            key = (person.user_id, conversation_id)
            # The conversation of the last change is the last one.
            changes_of = self._changes[key] = self._changes.pop(key, [])
            changes_of.append(_Change(self._now(), kept))
            del changes_of[:-MOST_CHANGES]
            own = [each for each in self._changes if each[0] == person.user_id]
            for oldest in own[:-MOST_CONVERSATIONS]:
                del self._changes[oldest]

    def forget(self, person: Person) -> None:
        """Drop all that was recorded for a person."""
        for key in [key for key in self._changes if key[0] == person.user_id]:
            del self._changes[key]

    def changed(self, person: Person, conversation_id: str) -> tuple[Outcome, ...]:
        """Return what may be put back for a person in a conversation, the oldest first."""
        self._drop_old()
        changes_of = self._changes.get((person.user_id, conversation_id), ())
        return tuple(each for change in changes_of for each in change.outcomes)

    async def async_undo(
        self,
        authority: Authority,
        conversation_id: str,
        *,
        only: Choice | None = None,
        leave: Choice | None = None,
    ) -> tuple[Outcome, ...]:
        """Put back the last change of this person in this conversation.

        `only` chooses outcomes: the last one of each chosen device is put back, whichever
        command it belongs to. Outcomes that `leave` chooses are not put back. Both kinds of
        rest can be put back later. Raises HomeError when there is nothing.
        """
        self._drop_old()
        key = (authority.person.user_id, conversation_id)
        changes_of = self._changes.get(key, [])
        chosen = _chosen(changes_of, only, leave)
        if not chosen:
            raise HomeError(_nothing(self.changed(authority.person, conversation_id)))
        changes_of[:] = [
            _Change(change.at, rest)
            for change in changes_of
            if (rest := tuple(each for each in change.outcomes if each not in chosen))
        ]
        outcomes = await self.async_put_back(authority, chosen)
        failed = {_place(each) for each in outcomes if _may_be_tried_again(each)}
        if again := tuple(each for each in chosen if _place(each) in failed):
            self._changes.setdefault(key, []).append(_Change(self._now(), again))
        self.record(authority.person, conversation_id, outcomes)
        return outcomes

    def _drop_old(self) -> None:
        oldest = self._now() - LIFETIME_SECONDS
        for key, changes_of in list(self._changes.items()):
            changes_of[:] = [change for change in changes_of if change.at >= oldest]
            if not changes_of:
                del self._changes[key]

    async def async_put_back(
        self, authority: Authority, changed: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Put back what raw commands changed, then what entities were told."""
        raw = [each for each in changed if each.source is not Source.HOME_ASSISTANT]
        entities = [each for each in changed if each.source is Source.HOME_ASSISTANT]
        done = await self._raw.async_put_back(authority, raw) if raw else ()
        return (*done, *(await self._async_restore(authority, entities) if entities else ()))

    async def async_put_back_unless_changed(
        self, authority: Authority, changed: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Put back what nobody has changed since; the rest stays, and has outcomes, too."""
        await self._gate.async_prepare(authority.person)
        raw = [each for each in changed if each.source is not Source.HOME_ASSISTANT]
        stays = [*(await self._raw.async_changed_since(authority.person, raw))] if raw else []
        entities = [each for each in changed if each.source is Source.HOME_ASSISTANT]
        for outcomes in _by_component(entities):
            if self._is_changed_since(authority.person, outcomes):
                stays += outcomes
        rest = [each for each in changed if each not in stays]
        left = {_place(each): left_as_it_is(each) for each in stays}
        return (*(await self.async_put_back(authority, rest)), *left.values())

    def _is_changed_since(self, person: Person, outcomes: tuple[Outcome, ...]) -> bool:
        """Tell whether somebody has changed an entity that the person may still use."""
        now = self._hass.states.get(outcomes[0].component_id)
        if now is None or not self._gate.may_control(person, now.entity_id):
            return False
        restore = state_to_restore(outcomes, now)
        return restore is not None and is_changed_since(outcomes, restore, now)

    async def _async_restore(
        self, authority: Authority, changed: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        await self._gate.async_prepare(authority.person)
        steps = [
            _Step(
                outcomes[0],
                state_to_restore(outcomes, self._hass.states.get(outcomes[0].component_id)),
                registry_id_of(self._hass, outcomes[0].component_id),
            )
            for outcomes in _by_component(changed)
        ]
        stopped = {
            step.entity_id: outcome
            for step in steps
            if (outcome := await self._async_stopped(authority.person, step)) is not None
        }
        agreed = await self._async_agree(authority, steps, stopped)
        return tuple(
            await asyncio.gather(
                *(
                    self._async_one(authority, step, agreed.get(step.entity_id))
                    if step.entity_id not in stopped
                    else _done(stopped[step.entity_id])
                    for step in steps
                )
            )
        )

    async def _async_stopped(self, person: Person, step: _Step) -> Outcome | None:
        """Return the outcome of what cannot or must not be put back; None if it may."""
        if (
            step.state is None
            or step.changed.kind is OutcomeKind.SENT
            or not await async_can_restore(self._hass, step.state)
        ):
            return step.outcome(
                OutcomeKind.FAILED,
                f"What {step.changed.command} did cannot be put back.",
                reason=FAILED_NO_UNDO,
            )
        return self._stopped_now(person, step)

    def _stopped_now(self, person: Person, step: _Step) -> Outcome | None:
        now = self._hass.states.get(step.entity_id)
        if now is None:
            return step.outcome(OutcomeKind.FAILED, "It no longer exists.", reason=FAILED_GONE)
        if registry_id_of(self._hass, step.entity_id) != step.registry_id:
            return step.outcome(
                OutcomeKind.REFUSED, "It is another entity meanwhile.", reason=REFUSED_CHANGED
            )
        if not self._gate.may_control(person, step.entity_id):
            return step.outcome(
                OutcomeKind.REFUSED,
                f"{person.name} may not control this device.",
                reason=REFUSED_NOT_PERMITTED,
            )
        if self._effects(step).risk is RiskClass.NEVER:
            return step.outcome(OutcomeKind.REFUSED, NEVER_DETAIL, reason=REFUSED_NEVER)
        if now.state == STATE_UNAVAILABLE:
            return step.outcome(
                OutcomeKind.FAILED, "It is not reachable right now.", reason=FAILED_UNAVAILABLE
            )
        return None

    def _effects(self, step: _Step) -> Effects:
        assert step.state is not None
        return effects_of_state(self._hass, step.entity_id, step.state.state, step.state.attributes)

    async def _async_agree(
        self, authority: Authority, steps: Sequence[_Step], stopped: dict[str, Outcome]
    ) -> Mapping[str, Effects]:
        risky = {
            step.entity_id: effects
            for step in steps
            if step.entity_id not in stopped and (effects := self._effects(step)).risk is not None
        }
        if not risky:
            return {}

        def actions() -> Sequence[RiskyAction]:
            names = AskedNames(self._hass)
            return [
                step.risky_action(names, risk)
                for step in steps
                if step.entity_id in risky and (risk := risky[step.entity_id].risk) is not None
            ]

        answer = await async_confirmed(authority, actions)
        await self._gate.async_prepare(authority.person)
        if answer is Confirmation.GIVEN:
            return risky
        reason = REFUSED_DECLINED if answer is Confirmation.DECLINED else REFUSED_CANNOT_ASK
        for step in steps:
            if step.entity_id in risky:
                stopped[step.entity_id] = step.outcome(
                    OutcomeKind.REFUSED, "The person did not agree.", reason=reason
                )
        return {}

    async def _async_one(
        self, authority: Authority, step: _Step, agreed: Effects | None
    ) -> Outcome:
        assert step.state is not None
        if (stopped := self._stopped_now(authority.person, step)) is not None:
            return stopped
        if not self._effects(step).is_covered_by(agreed):
            return step.outcome(
                OutcomeKind.REFUSED, "It has become risky meanwhile.", reason=REFUSED_CHANGED
            )
        watch = Watch(self._hass, step.entity_id)
        try:
            failure = await self._async_call(authority, step, step.state)
            if failure is not None:
                return with_visible_error(self._hass, self._gate, authority.person, failure)
            return await self._async_seen(step, step.state, watch)
        finally:
            watch.close()

    async def _async_call(self, authority: Authority, step: _Step, state: State) -> Outcome | None:
        try:
            async with asyncio.timeout(self._call_seconds):
                await async_restore(self._hass, state, authority.context)
        except TimeoutError:
            return None
        except Unauthorized:
            return step.outcome(
                OutcomeKind.REFUSED,
                "Home Assistant refused it: this person lacks the permission.",
                reason=REFUSED_NOT_PERMITTED,
            )
        except Exception as err:
            _LOGGER.debug("Putting back %s failed", step.entity_id, exc_info=err)
            return step.outcome(
                OutcomeKind.FAILED,
                f"Home Assistant says: {err}",
                reason=FAILED_ERROR,
                reason_placeholders={"error": str(err).rstrip(".")},
            )
        return None

    async def _async_seen(self, step: _Step, state: State, watch: Watch) -> Outcome:
        expectation = expectation_of_state(state)
        was_met = expectation.is_met(watch.before, watch.before)
        await watch.async_wait(expectation, self._wait_seconds)
        kind = judge(watch, expectation, was_met=was_met)
        before, after = changes(watch.before, watch.now, {STATE})
        return step.outcome(
            kind,
            detail(kind, watch),
            before=before,
            after=after,
            restore=snapshot(watch.before),
        )


@dataclass(frozen=True, slots=True)
class _Step:
    """One entity and the state to bring it back to."""

    changed: Outcome
    state: State | None
    registry_id: str | None

    @property
    def entity_id(self) -> str:
        return self.changed.component_id

    @property
    def wanted(self) -> dict[str, object]:
        return {} if self.state is None else {STATE: self.state.state}

    def risky_action(self, names: AskedNames, risk: RiskClass) -> RiskyAction:
        changed = self.changed
        return RiskyAction(
            risk=risk,
            device_name=names.of_entity(self.entity_id, self.registry_id, changed.device_name),
            thing=self.registry_id or self.entity_id,
            command=PUT_BACK,
            arguments=self.wanted,
        )

    def outcome(self, kind: OutcomeKind, detail: str, **more: object) -> Outcome:
        changed = self.changed
        return Outcome(
            kind=kind,
            device_id=changed.device_id,
            device_name=changed.device_name,
            component_id=changed.component_id,
            capability=changed.capability,
            command=PUT_BACK,
            arguments=self.wanted,
            detail=detail,
            area=changed.area,
            **more,  # type: ignore[arg-type]
        )


def _chosen(
    changes: Sequence[_Change], only: Choice | None, leave: Choice | None
) -> tuple[Outcome, ...]:
    """Return what is meant of the last change; with `only` of the last one of each of those."""
    chosen: list[Outcome] = []
    places: set[tuple[str | None, str, str]] = set()
    for change in reversed(changes):
        found = [
            each
            for each in change.outcomes
            if (only is None or only(each))
            and not (leave is not None and leave(each))
            and _place(each) not in places
        ]
        chosen += found
        places |= {_place(each) for each in found}
        if only is None:
            break
    return tuple(chosen)


def _nothing(changed: Sequence[Outcome]) -> str:
    """Return why nothing is put back, with what could be."""
    if not changed:
        return (
            "There is nothing to put back: nothing was changed for this person in this "
            "conversation in the last hour. Set what is wanted with a command instead."
        )
    names = ", ".join(dict.fromkeys(f"{each.device_id} ({each.device_name})" for each in changed))
    return f"None of these was changed. What was changed: {names}."


def _may_be_tried_again(outcome: Outcome) -> bool:
    is_left = outcome.kind in {OutcomeKind.REFUSED, OutcomeKind.FAILED}
    return is_left and outcome.reason != FAILED_NO_UNDO


async def _done(outcome: Outcome) -> Outcome:
    return outcome


def _place(outcome: Outcome) -> tuple[str | None, str, str]:
    return outcome.raw_device_id, outcome.component_id, outcome.capability


def _by_component(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, ...]]:
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.component_id, []).append(outcome)
    return [tuple(each) for each in found.values()]
