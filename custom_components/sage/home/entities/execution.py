"""Send commands to Home Assistant entities: the entity backend of the command pipeline."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, SupportsResponse

from ...helpers.slices import Breaks
from ...people.person import Person
from ..commands.changed_since import SET_BY_PEOPLE, is_changed_since
from ..commands.expectation import Expectation
from ..commands.goals import STATE, reported_values
from ..commands.pipeline import (
    FAILED_ERROR,
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    REFUSED_CHANGED,
    REFUSED_NOT_PERMITTED,
    REFUSED_REFERENCE,
    Backend,
    CommandWaits,
)
from ..commands.spoken_names import ConfirmationNames
from ..home_types import HomeError, Outcome, OutcomeKind, RiskClass
from ..safety.authority import Authority, RiskyAction
from ..safety.consequences import effects_of, effects_of_state
from ..safety.fields import check_fields, without_hidden
from ..safety.free_text import AnswerSource, answer_is_free_text, answer_source
from ..safety.gate import Gate
from ..safety.risk import Effects
from ..values import item_attributes, plain
from .entity_commands import PreparedCommand, registry_id_of
from .entity_watch import EntityWatch, judge, outcome_seen
from .expected_effect import expectation_of, expectation_of_state, has_no_effect
from .list_entries import EntriesChange, async_entries_change, with_last_days
from .restoring import Restoration, async_restoration, state_to_restore
from .service_call import async_ended, error_of, failed, service_call

_LOGGER = logging.getLogger(__name__)

_UNPROVEN: Final = frozenset({OutcomeKind.NOT_CONFIRMED, OutcomeKind.REACHED})
_UNKNOWN_ERROR: Final = "Home Assistant reports an error, not for which of the devices."

_LONGEST_TEXT: Final = 2000
"""Maximum length of one text in a response; lists have a tenth of it as maximum length."""

_LONGEST_ANSWER: Final = 4000
"""Maximum length of an action's response for the model, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sent:
    """A step, with its expected effect and the observer of its entity."""

    step: PreparedCommand
    watch: EntityWatch
    expectation: Expectation

    def outcome(self, kind: OutcomeKind) -> Outcome:
        """Return an outcome of this kind, with the values that have changed."""
        is_undo = isinstance(self.step, Restoration)
        return outcome_seen(self.step, self.watch, None if is_undo else self.expectation, kind)


class EntityBackend(Backend[PreparedCommand]):
    """Checks, sends and undoes commands to entities, called by the command pipeline."""

    def __init__(self, hass: HomeAssistant, gate: Gate, waits: CommandWaits) -> None:
        self._hass = hass
        self._gate = gate
        self._waits = waits

    # ------------------------------------------------------------- the gate

    def refused(self, person: Person, step: PreparedCommand) -> Outcome | None:
        """Return an outcome `REFUSED` or `FAILED` if the command must not be sent, else None."""
        entity_id = step.component_id
        if self._hass.states.get(entity_id) is None:
            return step.outcome(
                OutcomeKind.FAILED, "The device no longer exists.", reason=FAILED_GONE
            )
        if step.registry_id not in {None, registry_id_of(self._hass, entity_id)}:
            return step.outcome(
                OutcomeKind.REFUSED,
                f"{entity_id} is now the id of another entity. List the devices again.",
                reason=REFUSED_CHANGED,
            )
        if not self._gate.may_control(person, entity_id):
            return step.outcome(
                OutcomeKind.REFUSED,
                f"{person.name} may not control this device. Do not try another way.",
                reason=REFUSED_NOT_PERMITTED,
            )
        if isinstance(step, Restoration) or not step.arguments:
            return None
        try:
            check_fields(
                self._hass,
                self._gate,
                person,
                step.command,
                step.arguments,
                is_script=step.is_script,
            )
        except HomeError as err:
            return step.outcome(OutcomeKind.REFUSED, str(err), reason=REFUSED_REFERENCE)
        return None

    def out_of_reach(self, step: PreparedCommand) -> Outcome | None:
        """Return an outcome `FAILED` if the entity is unavailable, else None."""
        state = self._hass.states.get(step.component_id)
        if state is None or state.state != STATE_UNAVAILABLE:
            return None
        return step.outcome(
            OutcomeKind.FAILED,
            "The device is not reachable right now, so nothing was sent.",
            reason=FAILED_UNAVAILABLE,
        )

    def effects(self, step: PreparedCommand) -> Effects:
        """Return the entities that the command affects, with their risks."""
        if isinstance(step, Restoration):
            state = step.state
            return effects_of_state(self._hass, step.component_id, state.state, state.attributes)
        return effects_of(self._hass, step.component_id, step.domain, step.service, step.arguments)

    def is_read(self, step: PreparedCommand) -> bool:
        """Return whether the command changes nothing and only returns a response.

        False for free text, such as a search term: it may leave the home.
        """
        texts = {each.name for each in step.command.arguments if not each.values}
        return (
            not isinstance(step, Restoration)
            and not any(
                isinstance(value, str | list | Mapping) and name in texts
                for name, value in step.arguments.items()
            )
            and self._response(step) is SupportsResponse.ONLY
        )

    def risky_actions(
        self, person: Person, risky: Sequence[tuple[PreparedCommand, Effects]]
    ) -> list[RiskyAction]:
        """Return one `RiskyAction` for each risky command, in the same order.

        They name only entities that the person may see.
        """
        names = ConfirmationNames(self._hass)
        return [self._risky_action(person, step, effects, names) for step, effects in risky]

    def _risky_action(
        self, person: Person, step: PreparedCommand, effects: Effects, names: ConfirmationNames
    ) -> RiskyAction:
        assert effects.risk is not None
        others = effects.at_risk - {step.component_id}
        own = step.component_id in effects.at_risk or effects.risk is RiskClass.OUTSIDE
        return RiskyAction(
            risk=effects.risk,
            device_name=self.name(step, names),
            area=step.area or "",
            thing=step.registry_id or step.component_id,
            command=step.name,
            arguments=step.arguments,
            is_indirect=not own and effects.risk is not RiskClass.UNRESOLVED,
            reaches=tuple(
                sorted(
                    names.of_entity(entity_id, None, entity_id)
                    for entity_id in others
                    if self._hass.states.get(entity_id) is not None
                    and self._gate.may_read(person, entity_id)
                )
            ),
        )

    def name(self, step: PreparedCommand, names: ConfirmationNames) -> str:
        """Return a unique name of the command's entity, for a confirmation question."""
        return names.of_entity(step.component_id, step.registry_id, step.device_name, step.alias)

    # ------------------------------------------------------------- sending

    def disclosed(self, person: Person, _step: PreparedCommand, outcome: Outcome) -> Outcome:
        """Replace the error text if it names an entity that the person may not read."""
        if outcome.reason != FAILED_ERROR or without_hidden(
            self._hass, self._gate, person, outcome.detail
        ):
            return outcome
        return replace(
            outcome, detail="Home Assistant reports an error.", reason=None, reason_placeholders={}
        )

    async def async_send(
        self, authority: Authority, steps: Sequence[PreparedCommand]
    ) -> list[Outcome]:
        """Send each step once; return one outcome for each step, in the same order.

        All steps must have the same `Step.batch` and `Step.joint`. A step that has nothing to act
        on, such as `media_pause` where nothing plays, is not sent.
        """
        outcomes: dict[str, Outcome] = {}
        shared: list[_Sent] = []
        alone: list[_Sent] = []
        breaks = Breaks()
        with contextlib.ExitStack() as closing:
            for step in steps:
                if (unsent := self._without_effect(step)) is not None:
                    outcomes[step.component_id] = unsent
                    continue
                sent = self._watched(step)
                closing.callback(sent.watch.close)
                (shared if self._shares_call(sent) else alone).append(sent)
                await breaks.async_take()
            calls = [*([shared] if shared else ()), *([each] for each in alone)]
            done = await asyncio.gather(*(self._async_call(authority, each) for each in calls))
        outcomes |= {each.component_id: each for call in done for each in call}
        return [outcomes[each.component_id] for each in steps]

    def _without_effect(self, step: PreparedCommand) -> Outcome | None:
        """Return the outcome `ALREADY` of a step that has nothing to act on, else None."""
        state = self._hass.states.get(step.component_id)
        if (
            state is None
            or isinstance(step, Restoration)
            or not has_no_effect(step.domain, step.service, state)
        ):
            return None
        detail = f"It is {state.state}: there was nothing to do, so nothing was sent."
        values = {STATE: state.state}
        return step.outcome(OutcomeKind.ALREADY, detail, before=values, after=values)

    def _watched(self, step: PreparedCommand) -> _Sent:
        """Start to observe the entity of a step."""
        watch = EntityWatch(self._hass, step.component_id)
        if isinstance(step, Restoration):
            expectation = expectation_of_state(step.state, watch.before)
        else:
            expectation = expectation_of(step.domain, step.service, step.arguments, watch.before)
        return _Sent(step=step, watch=watch, expectation=expectation)

    def _shares_call(self, sent: _Sent) -> bool:
        """Return whether the call for a step may have further targets.

        It may not return a response, and after an error of the call the state must show which of
        the entities it concerns.
        """
        step = sent.step
        return (
            step.joint is not None
            and bool(sent.expectation.goals)
            and not item_attributes(step.domain)
            and self._response(step) is SupportsResponse.NONE
        )

    def _response(self, step: PreparedCommand) -> SupportsResponse:
        """Return whether the service of a step returns a response; `NONE` if it does not exist."""
        if step.is_script:
            source = answer_source(self._hass, step.component_id)
            return SupportsResponse.NONE if source is None else SupportsResponse.OPTIONAL
        services = self._hass.services
        if not services.has_service(step.domain, step.service):
            return SupportsResponse.NONE
        return services.supports_response(step.domain, step.service)

    async def _async_call(self, authority: Authority, sent: Sequence[_Sent]) -> list[Outcome]:
        """Execute one service call for all steps, which differ only in their entities."""
        step, services = sent[0].step, self._hass.services
        if not isinstance(step, Restoration) and not services.has_service(
            step.domain, step.service
        ):
            detail = "The command no longer exists."
            return [
                each.step.outcome(OutcomeKind.FAILED, detail, reason=FAILED_GONE) for each in sent
            ]
        entity_ids = [each.step.component_id for each in sent]
        action = f"{step.domain}.{step.service}"
        change = await async_entries_change(self._hass, entity_ids[0], action, step.arguments)
        response = self._response(step)
        may_answer = response is not SupportsResponse.NONE
        work = service_call(self._hass, step, entity_ids, authority.context, answer=may_answer)
        call = await async_ended(self._hass, work, f"sage {action}", self._waits.call_seconds)
        is_read = response is SupportsResponse.ONLY
        if call is not None and (err := error_of(call)) is not None:
            if len(sent) == 1:
                return [replace(failed(step, err), is_read=is_read)]
            return _with_error(await self._async_seen(sent), sent, err)
        if is_read:
            outcome = step.outcome(OutcomeKind.VERIFIED, is_read=True)
        elif change is not None:
            outcome = await self._async_judged(sent[0], change)
        else:
            outcome, *others = await self._async_seen(sent)
            if others:
                return [outcome, *others]
        answered = None if call is None else call.result()
        return [self._with_answer(authority.person, step, outcome, answered)]

    async def _async_seen(self, sent: Sequence[_Sent]) -> list[Outcome]:
        """Wait for the expected effects or the timeout; return the outcome of each step."""
        waiting = [
            each
            for each in sent
            if each.expectation.observable and not each.watch.has_seen(each.expectation)
        ]
        seconds = self._waits.state_seconds
        await asyncio.gather(
            *(
                each.watch.async_wait(each.expectation, seconds + each.expectation.extra_seconds)
                for each in waiting
            )
        )
        outcomes: list[Outcome] = []
        breaks = Breaks()
        for each in sent:
            outcomes.append(each.outcome(judge(each.watch, each.expectation)))
            await breaks.async_take()
        return outcomes

    async def _async_judged(self, sent: _Sent, change: EntriesChange) -> Outcome:
        """Return the outcome of a command that changes a to-do list or a calendar."""
        kind, before, after = await change.async_judge(sent.watch, self._waits.state_seconds)
        seen = sent.outcome(kind)
        return replace(seen, before={**seen.before, **before}, after={**seen.after, **after})

    def _with_answer(
        self, person: Person, command: PreparedCommand, outcome: Outcome, answered: Any
    ) -> Outcome:
        """Return the outcome with the response of its action, if there is one.

        A response proves that the action has run to its end.
        """
        is_script = command.is_script
        if answered is None and is_script and self._response(command) is SupportsResponse.OPTIONAL:
            return replace(outcome, detail="It still runs; its answer has not come yet.")
        if not answered and not outcome.is_read:
            return outcome
        try:
            answer = with_last_days(plain(answered, _LONGEST_TEXT))
            shown = without_hidden(self._hass, self._gate, person, answer)
            text = json.dumps(shown, ensure_ascii=False)
        except RecursionError, ValueError:
            return replace(outcome, detail="It ran, but its answer cannot be read.")
        if len(text) > _LONGEST_ANSWER:
            text = f"{text[:_LONGEST_ANSWER]}… ({len(text) - _LONGEST_ANSWER} more characters)"
        is_free = answer_is_free_text(command.domain, shown)
        if is_script:
            source = answer_source(self._hass, command.component_id)
            is_free = source is not AnswerSource.SCRIPT and answer_is_free_text(source or "", shown)
        is_sent = outcome.kind is OutcomeKind.SENT
        return replace(
            outcome,
            kind=OutcomeKind.VERIFIED if is_sent else outcome.kind,
            detail="" if is_sent else outcome.detail,
            response=text,
            is_free_text=is_free,
        )

    # ------------------------------------------------------------- putting back

    async def async_steps_back(
        self, outcomes: Sequence[Outcome]
    ) -> tuple[Restoration | Outcome, ...]:
        """Return one item per entity: the step that undoes its commands, or an outcome `FAILED`."""
        return tuple([await async_restoration(self._hass, group) for group in _by_entity(outcomes)])

    async def async_changed_since(
        self, person: Person, outcomes: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Return the outcomes whose entities somebody has changed since the command.

        Entities that are unavailable, or that the person may no longer control, count as unchanged.
        """
        return tuple(
            each
            for group in _by_entity(outcomes)
            if self._is_changed_since(person, group)
            for each in group
        )

    def _is_changed_since(self, person: Person, outcomes: tuple[Outcome, ...]) -> bool:
        now = self._hass.states.get(outcomes[0].component_id)
        if now is None or not self._gate.may_control(person, now.entity_id):
            return False
        restore = state_to_restore(outcomes, now)
        values = reported_values(now)
        if restore is None or not values:
            return False
        # A value that the entity no longer reports counts as changed.
        names = {name for each in outcomes for name in (*each.after, *each.wanted)}
        return is_changed_since(
            outcomes,
            {name: each for name, each in reported_values(restore).items() if each is not None},
            {**dict.fromkeys(names), **values},
            relevant=SET_BY_PEOPLE,
        )


def _by_entity(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, ...]]:
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.component_id, []).append(outcome)
    return [tuple(each) for each in found.values()]


def _with_error(
    outcomes: Sequence[Outcome], sent: Sequence[_Sent], err: BaseException
) -> list[Outcome]:
    """Return the outcomes of a call for several entities that raised `err`.

    Home Assistant raises a single error without the entity that caused it.
    """
    unproven = [each.component_id for each in outcomes if each.kind in _UNPROVEN]
    steps = {each.step.component_id: each.step for each in sent}
    if len(unproven) == 1:
        own = failed(steps[unproven[0]], err)
        return [own if each.component_id in unproven else each for each in outcomes]
    _LOGGER.debug("%s failed for some of %d entities", sent[0].step.name, len(sent), exc_info=err)
    return [
        replace(each, detail=f"{each.detail} {_UNKNOWN_ERROR}")
        if each.component_id in unproven
        else each
        for each in outcomes
    ]
