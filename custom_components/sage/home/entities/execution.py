"""Send commands to Home Assistant entities: the entity backend of the command pipeline."""

import asyncio
import contextlib
import json
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, SupportsResponse

from ...people.person import Person
from ..commands.changed_since import SET_BY_PEOPLE, is_changed_since
from ..commands.goals import STATE, reported_values
from ..commands.pipeline import (
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
from .expected_effect import expectation_of, expectation_of_state, has_no_effect
from .list_entries import async_entries_change, with_last_days
from .restoring import Restoration, async_restoration, async_restore, state_to_restore
from .service_call import (
    EntityWatch,
    WatchedCommand,
    async_command_together,
    async_ended,
    async_watch_commands,
    judge,
    outcome_seen,
    result_of,
    service_call,
    with_visible_error,
)

_LONGEST_TEXT: Final = 2000
"""Maximum length of one text in a response; lists have a tenth of it as maximum length."""

_LONGEST_ANSWER: Final = 4000
"""Maximum length of an action's response for the model, in characters."""


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
        services = self._hass.services
        texts = {each.name for each in step.command.arguments if not each.values}
        return (
            not isinstance(step, Restoration)
            and not any(
                isinstance(value, str | list | Mapping) and name in texts
                for name, value in step.arguments.items()
            )
            and services.has_service(step.domain, step.service)
            and services.supports_response(step.domain, step.service) is SupportsResponse.ONLY
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
        return with_visible_error(self._hass, self._gate, person, outcome)

    async def async_send(
        self, authority: Authority, steps: Sequence[PreparedCommand]
    ) -> list[Outcome]:
        """Send each step once; return one outcome for each step, in the same order.

        All steps must have the same `Step.batch` and `Step.joint`. A step that has nothing to act
        on, such as `media_pause` where nothing plays, is not sent.
        """
        unsent = {each.component_id: self._without_effect(each) for each in steps}
        sent = [each for each in steps if unsent[each.component_id] is None]
        seen = iter(await self._async_send_steps(authority, sent))
        return [unsent[each.component_id] or next(seen) for each in steps]

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

    async def _async_send_steps(
        self, authority: Authority, steps: Sequence[PreparedCommand]
    ) -> list[Outcome]:
        if len(steps) < 2 or not self._takes_several(steps[0]):
            return await self._async_send_each(authority, steps)
        with contextlib.ExitStack() as closing:
            watched = await async_watch_commands(self._hass, steps, closing)
            return await self._async_send_all(authority, steps, watched if len(watched) > 1 else ())

    async def _async_send_all(
        self,
        authority: Authority,
        steps: Sequence[PreparedCommand],
        watched: Sequence[WatchedCommand],
    ) -> list[Outcome]:
        together = {each.command.component_id: each.command for each in watched}
        alone = [each for each in steps if each.component_id not in together]
        if not together:
            return await self._async_send_each(authority, alone)
        done, outcomes = await asyncio.gather(
            async_command_together(self._hass, self._waits, watched, authority.context),
            self._async_send_each(authority, alone),
        )
        by_entity = {each.component_id: each for each in (*done, *outcomes)}
        return [by_entity[each.component_id] for each in steps]

    async def _async_send_each(
        self, authority: Authority, steps: Sequence[PreparedCommand]
    ) -> list[Outcome]:
        return await asyncio.gather(*(self._async_send(authority, each) for each in steps))

    def _takes_several(self, step: PreparedCommand) -> bool:
        """Return whether one call of the step's service may target several entities.

        The result is False for a service that may return a response.
        """
        return self._hass.services.has_service(step.domain, step.service) and not self._may_answer(
            step
        )

    def _may_answer(self, step: PreparedCommand) -> bool:
        """Return whether the step's service may return a response."""
        if step.is_script:
            return answer_source(self._hass, step.component_id) is not None
        supports = self._hass.services.supports_response(step.domain, step.service)
        return supports is not SupportsResponse.NONE

    async def _async_send(self, authority: Authority, step: PreparedCommand) -> Outcome:
        """Send one step and return its outcome."""
        if isinstance(step, Restoration):
            return await self._async_restore(authority, step)
        if not self._hass.services.has_service(step.domain, step.service):
            return step.outcome(
                OutcomeKind.FAILED, "The command no longer exists.", reason=FAILED_GONE
            )
        response = self._hass.services.supports_response(step.domain, step.service)
        if response is SupportsResponse.ONLY:
            return await self._async_ask(authority, step)
        return await self._async_command(authority, step)

    async def _async_command(self, authority: Authority, command: PreparedCommand) -> Outcome:
        watch = EntityWatch(self._hass, command.component_id)
        try:
            expectation = expectation_of(
                command.domain, command.service, command.arguments, watch.before
            )
            change = None
            if item_attributes(command.domain):
                change = await async_entries_change(
                    self._hass,
                    command.component_id,
                    f"{command.domain}.{command.service}",
                    command.arguments,
                )
            call = service_call(
                self._hass,
                command,
                command.component_id,
                authority.context,
                answer=self._may_answer(command),
            )
            answered = await self._async_call(command, call)
            if isinstance(answered, Outcome):
                return answered
            if change is not None:
                kind, before, after = await change.async_judge(watch, self._waits.state_seconds)
                seen = outcome_seen(command, watch, expectation, kind)
                seen = replace(
                    seen, before={**seen.before, **before}, after={**seen.after, **after}
                )
            else:
                if expectation.observable:
                    seconds = self._waits.state_seconds + expectation.extra_seconds
                    await watch.async_wait(expectation, seconds)
                kind = judge(watch, expectation)
                seen = outcome_seen(command, watch, expectation, kind)
            return self._with_answer(authority.person, command, seen, answered)
        finally:
            watch.close()

    def _with_answer(
        self, person: Person, command: PreparedCommand, outcome: Outcome, answered: Any
    ) -> Outcome:
        """Return the outcome with the response of its action, if there is one.

        A response proves that the action has run to its end.
        """
        if answered is None and self._may_answer(command) and command.is_script:
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
        if command.is_script:
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

    async def _async_ask(self, authority: Authority, command: PreparedCommand) -> Outcome:
        """Send a command that only returns a response; the response proves its success."""
        context, entity_id = authority.context, command.component_id
        call = service_call(self._hass, command, entity_id, context, answer=True)
        answered = await self._async_call(command, call)
        if isinstance(answered, Outcome):
            return replace(answered, is_read=True)
        outcome = command.outcome(OutcomeKind.VERIFIED, is_read=True)
        return self._with_answer(authority.person, command, outcome, answered)

    async def _async_restore(self, authority: Authority, step: Restoration) -> Outcome:
        watch = EntityWatch(self._hass, step.component_id)
        try:
            expectation = expectation_of_state(step.state, watch.before)
            call = async_restore(self._hass, step.state, authority.context)
            answered = await self._async_call(step, call)
            if isinstance(answered, Outcome):
                return answered
            await watch.async_wait(expectation, self._waits.state_seconds)
            return outcome_seen(step, watch, None, judge(watch, expectation))
        finally:
            watch.close()

    async def _async_call(
        self, step: PreparedCommand, work: Coroutine[Any, Any, Any]
    ) -> Outcome | Any:
        """Return the response of the call, a failed outcome, or None after the timeout."""
        name = f"sage {step.domain}.{step.service}"
        call = await async_ended(self._hass, work, name, self._waits.call_seconds)
        return None if call is None else result_of(step, call)

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
