"""Executing commands: validate, pass the gate, ask if risky, call, see (DESIGN 5)."""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, SupportsResponse

from ..people.person import Person
from .asked_names import AskedNames
from .authority import Authority, Confirmation, RiskyAction, async_confirmed
from .changed_since import wanted_values
from .contents import async_contents_change
from .effects import Effects
from .expectation import Expectation, expectation_of
from .fields import check_fields, without_hidden
from .free_text import answer_is_free_text, is_free_text, options_of
from .gate import Gate
from .goals import STATE
from .listing import Listing, component_of
from .model import (
    Command,
    CommandRequest,
    Component,
    Device,
    Documentation,
    HomeError,
    NoCommandError,
    Outcome,
    OutcomeKind,
    RiskClass,
)
from .named_arguments import with_entity_ids
from .prepared_command import (
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    NEVER_DETAIL,
    REFUSED_CHANGED,
    REFUSED_NEVER,
    REFUSED_NOT_PERMITTED,
    REFUSED_REFERENCE,
    PreparedCommand,
    batches,
    not_agreed,
    registry_id_of,
    result_of,
    with_visible_error,
)
from .references import effects_of
from .slices import Breaks
from .validation import command_named, validated
from .values import without_secrets
from .waits import WAITS
from .watch import Watch, changes, judge, snapshot

_LOGGER = logging.getLogger(__name__)

_LONGEST_ANSWER: Final = 4000
"""Characters of the answer of an action that a model sees."""


class Documents(Protocol):
    """Who documents components."""

    async def async_document(self, device: Device, component_id: str) -> Documentation:
        """Return the documentation of one component."""


class Executor:
    """Executes commands on behalf of a person."""

    def __init__(
        self,
        hass: HomeAssistant,
        gate: Gate,
        documents: Documents,
        *,
        wait_seconds: float = WAITS.state_seconds,
        call_seconds: float = WAITS.call_seconds,
    ) -> None:
        """Keep what is needed; the waiting times are for tests."""
        self._hass = hass
        self._gate = gate
        self._documents = documents
        self._wait_seconds = wait_seconds
        self._call_seconds = call_seconds

    async def async_prepare(self, listing: Listing, request: CommandRequest) -> PreparedCommand:
        """Return the command held against the documentation; raises HomeError.

        The listing must be that of the person who asks.
        """
        found = listing.find(request.device_id)
        device = found.device
        if request.component_id is None and found.component is not None:
            request = replace(request, component_id=found.component.id)
        document, command = await self._async_find(device, request)
        return PreparedCommand(
            device_id=device.id,
            device_name=_spoken_name(device, document.component_id),
            area=device.area,
            component_id=document.component_id,
            registry_id=registry_id_of(self._hass, document.component_id),
            capability=document.capability,
            command=command,
            arguments=with_entity_ids(
                self._hass,
                listing,
                command,
                document.capability,
                validated(command, request.arguments),
            ),
        )

    async def async_execute(
        self, authority: Authority, commands: Sequence[PreparedCommand]
    ) -> tuple[Outcome, ...]:
        """Return what became of each command, in order.

        All risky ones are asked about at once. Commands run in their order; the same
        command on several devices runs on all of them together.
        """
        await self._gate.async_prepare(authority.person)
        outcomes: dict[int, Outcome] = {}
        breaks = Breaks()
        for place, command in enumerate(commands):
            if (stopped := self.stopped(authority.person, command)) is not None:
                outcomes[place] = stopped
            await breaks.async_take()
        agreed = await self._async_agree(authority, commands, outcomes)
        for batch in batches(commands, outcomes):
            results = await asyncio.gather(
                *(self._async_one(authority, commands[place], agreed.get(place)) for place in batch)
            )
            outcomes.update(zip(batch, results, strict=True))
        return tuple(outcomes[place] for place in range(len(commands)))

    def risk(self, command: PreparedCommand) -> RiskClass | None:
        """Return why a command needs the person's yes now; None when it needs none."""
        return self._effects(command).risk

    # ------------------------------------------------------------- preparing

    async def _async_find(
        self, device: Device, request: CommandRequest
    ) -> tuple[Documentation, Command]:
        components = _candidates(device, request)
        found: list[tuple[Documentation, Command]] = []
        error: HomeError | None = None
        takes_commands = False
        for component in components:
            document = await self._documents.async_document(device, component.id)
            try:
                found.append((document, command_named(document, request.command)))
            except HomeError as err:
                # That of a sensor, which has no commands at all, would name no mend.
                if error is None or (document.commands and not takes_commands):
                    error, takes_commands = err, bool(document.commands)
        if len(found) == 1:
            return found[0]
        if not found and error is not None:
            raise error
        if not found:
            raise NoCommandError(f"{device.name} has no component that takes commands.")
        names = ", ".join(
            f"{document.component_id} ({_part_name(device, document.component_id)})"
            for document, _ in found
        )
        raise HomeError(
            f"Several components of {device.name} have {request.command}. "
            f"Name one as component: {names}."
        )

    # ------------------------------------------------------------- the gate

    def stopped(self, person: Person, command: PreparedCommand) -> Outcome | None:
        """Return the outcome of a command that must not or cannot be sent; None if it may."""
        entity_id = command.component_id
        if (state := self._hass.states.get(entity_id)) is None:
            return command.outcome(
                OutcomeKind.FAILED, "The device no longer exists.", reason=FAILED_GONE
            )
        if command.registry_id not in {None, registry_id_of(self._hass, entity_id)}:
            return command.outcome(
                OutcomeKind.REFUSED,
                f"{entity_id} is the id of another entity since. Ask for it again.",
                reason=REFUSED_CHANGED,
            )
        if not self._gate.may_control(person, entity_id):
            return command.outcome(
                OutcomeKind.REFUSED,
                f"{person.name} may not control this device. Do not try another way.",
                reason=REFUSED_NOT_PERMITTED,
            )
        try:
            check_fields(self._hass, self._gate, person, command.command, command.arguments)
        except HomeError as err:
            return command.outcome(OutcomeKind.REFUSED, str(err), reason=REFUSED_REFERENCE)
        if state.state == STATE_UNAVAILABLE:
            return command.outcome(
                OutcomeKind.FAILED,
                "The device is not reachable right now, so nothing was sent.",
                reason=FAILED_UNAVAILABLE,
            )
        return None

    def _effects(self, command: PreparedCommand) -> Effects:
        return effects_of(
            self._hass,
            command.component_id,
            command.domain,
            command.service,
            command.arguments,
        )

    async def _async_agree(
        self,
        authority: Authority,
        commands: Sequence[PreparedCommand],
        outcomes: dict[int, Outcome],
    ) -> Mapping[int, Effects]:
        """Ask about all risky commands at once; what is not agreed to gets its outcome.

        Returns what was agreed to, by the place of the command.
        """
        risky: dict[int, Effects] = {}
        breaks = Breaks()
        for place, command in enumerate(commands):
            if place not in outcomes and (effects := self._effects(command)).risk is not None:
                if effects.risk is not RiskClass.NEVER:
                    risky[place] = effects
                else:
                    outcomes[place] = command.outcome(
                        OutcomeKind.REFUSED, NEVER_DETAIL, reason=REFUSED_NEVER
                    )
            await breaks.async_take()
        if not risky:
            return {}

        def actions() -> Sequence[RiskyAction]:
            names = AskedNames(self._hass)
            return [
                self._risky_action(authority, commands[place], each, names)
                for place, each in risky.items()
            ]

        answer = await async_confirmed(authority, actions)
        # The person may have taken minutes: all is looked at anew before each call.
        await self._gate.async_prepare(authority.person)
        if answer is Confirmation.GIVEN:
            return risky
        for place in risky:
            outcomes[place] = not_agreed(commands[place], answer)
        return {}

    def _risky_action(
        self, authority: Authority, command: PreparedCommand, effects: Effects, names: AskedNames
    ) -> RiskyAction:
        assert effects.risk is not None
        others = effects.at_risk - {command.component_id}
        own = command.component_id in effects.at_risk
        return RiskyAction(
            risk=effects.risk,
            device_name=names.of_entity(
                command.component_id, command.registry_id, command.device_name
            ),
            thing=command.registry_id or command.component_id,
            command=command.command.name,
            arguments=command.arguments,
            is_indirect=not own and effects.risk is not RiskClass.UNRESOLVED,
            reaches=tuple(
                sorted(
                    names.of_entity(entity_id, None, entity_id)
                    for entity_id in others
                    if self._hass.states.get(entity_id) is not None
                    and self._gate.may_read(authority.person, entity_id)
                )
            ),
        )

    # ------------------------------------------------------------- the call

    async def _async_one(
        self,
        authority: Authority,
        command: PreparedCommand,
        agreed: Effects | None,
    ) -> Outcome:
        """Send one command and see what becomes of it."""
        if (stopped := self.stopped(authority.person, command)) is not None:
            return stopped
        if not self._effects(command).is_covered_by(agreed):
            return command.outcome(
                OutcomeKind.REFUSED,
                "It has become risky since the person was asked. Ask for it again.",
                reason=REFUSED_CHANGED,
            )
        if not self._hass.services.has_service(command.domain, command.service):
            return command.outcome(
                OutcomeKind.FAILED, "The command no longer exists.", reason=FAILED_GONE
            )
        response = self._hass.services.supports_response(command.domain, command.service)
        if response is SupportsResponse.ONLY:
            return await self._async_ask(authority, command)
        return await self._async_send(authority, command)

    async def _async_send(self, authority: Authority, command: PreparedCommand) -> Outcome:
        watch = Watch(self._hass, command.component_id)
        try:
            expectation = expectation_of(
                command.domain, command.service, command.arguments, watch.before
            )
            was_met = expectation.is_met(watch.before, watch.before)
            change = await async_contents_change(
                self._hass,
                command.component_id,
                f"{command.domain}.{command.service}",
                command.arguments,
            )
            answered = await self._async_call(authority, command, answer=False)
            if isinstance(answered, Outcome):
                return answered
            if change is not None:
                kind, before, after = await change.async_judge(watch, self._wait_seconds)
                seen = _seen(command, watch, expectation, kind)
                return replace(
                    seen, before={**seen.before, **before}, after={**seen.after, **after}
                )
            if expectation.observable:
                seconds = self._wait_seconds + expectation.extra_seconds
                await watch.async_wait(expectation, seconds)
            kind = judge(watch, expectation, was_met=was_met)
            return _seen(command, watch, expectation, kind)
        finally:
            watch.close()

    async def _async_ask(self, authority: Authority, command: PreparedCommand) -> Outcome:
        """Send a command that only answers; its answer is the evidence."""
        answered = await self._async_call(authority, command, answer=True)
        if isinstance(answered, Outcome):
            return replace(answered, is_read=True)
        shown = without_secrets(answered)
        visible = without_hidden(self._hass, self._gate, authority.person, shown)
        text = json.dumps(visible, default=str, ensure_ascii=False)
        if len(text) > _LONGEST_ANSWER:
            text = f"{text[:_LONGEST_ANSWER]}… ({len(text) - _LONGEST_ANSWER} more characters)"
        is_free = answer_is_free_text(command.domain, visible)
        return command.outcome(OutcomeKind.VERIFIED, text, is_read=True, is_free_text=is_free)

    async def _async_call(
        self, authority: Authority, command: PreparedCommand, *, answer: bool
    ) -> Outcome | Any:
        """Return the answer of the call, None if it gives none, or the outcome of a failure.

        A call that takes long is left to itself: to cancel it would stop a script halfway.
        """
        call = self._hass.async_create_task(
            self._hass.services.async_call(
                command.domain,
                command.service,
                dict(command.arguments),
                blocking=True,
                context=authority.context,
                target={"entity_id": command.component_id},
                return_response=answer,
            ),
            f"sage {command.domain}.{command.service}",
        )
        if not call.done():
            await asyncio.wait({call}, timeout=self._call_seconds)
        if not call.done():
            call.add_done_callback(_note_late_end)
            return None
        result = result_of(command, call)
        if isinstance(result, Outcome):
            return with_visible_error(self._hass, self._gate, authority.person, result)
        return result


def _seen(
    command: PreparedCommand, watch: Watch, expectation: Expectation, kind: OutcomeKind
) -> Outcome:
    """Return the outcome with what changed, and with what was to change."""
    keep = {STATE, *(goal.name for goal in expectation.goals)}
    before, after = changes(watch.before, watch.now, keep)
    return command.outcome(
        kind,
        detail(kind, watch),
        before=before,
        after=after,
        restore=snapshot(watch.before),
        wanted=wanted_values(expectation, after),
    )


def detail(kind: OutcomeKind, watch: Watch) -> str:
    """Return what the evidence says, for the model."""
    now = watch.now
    match kind:
        case OutcomeKind.SENT:
            return "Sent; whether it worked cannot be observed."
        case OutcomeKind.UNDER_WAY:
            return "It has begun, its end was not seen."
        case OutcomeKind.NOT_CONFIRMED if now is None or now.state == STATE_UNAVAILABLE:
            return "Sent, but the device has not been reachable since."
        case OutcomeKind.NOT_CONFIRMED:
            assert now is not None
            options = options_of(now.domain, now.attributes)
            is_free = is_free_text(now.domain, STATE, now.state, options)
            state = "another text" if is_free else now.state
            return f"Sent, but the expected change was not seen; the state is {state}."
    return ""


def _note_late_end(call: asyncio.Task[Any]) -> None:
    if not call.cancelled() and (err := call.exception()) is not None:
        _LOGGER.warning("A command that took long failed in the end: %s", err)


def _candidates(device: Device, request: CommandRequest) -> list[Component]:
    """Return the components a request may mean; raises HomeError when it names none."""
    if request.component_id is not None:
        return [component_of(device, request.component_id, request.capability)]
    if request.capability is None:
        return list(device.components)
    fitting = [each for each in device.components if request.capability in each.capabilities]
    # With none, the error that names what there is.
    return fitting or [component_of(device, None, request.capability)]


def _part_name(device: Device, component_id: str) -> str:
    return next((each.name for each in device.components if each.id == component_id), "")


def _spoken_name(device: Device, component_id: str) -> str:
    """Return what to call the component when speaking: part and device, if there are several."""
    part = _part_name(device, component_id)
    if len(device.components) == 1 or not part or part == device.name:
        return device.name
    return part if device.name.casefold() in part.casefold() else f"{device.name} {part}"
