"""The command pipeline: check, confirm, check again, send once, observe."""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from ...helpers import Breaks
from ...people import Person
from ..home_types import (
    PUT_BACK,
    CommandDescription,
    CommandTarget,
    Outcome,
    OutcomeKind,
    RiskClass,
)
from ..safety.authority import Authority, Confirmation, RiskyAction, async_confirmed
from ..safety.gate import Gate
from ..safety.risk import RESOLVED_DOMAINS, Effects
from ..values import STATE
from .confirmation_text import ConfirmationNames


@dataclass(slots=True, kw_only=True)
class CommandWaits:
    """Timeouts, in seconds, for the execution of commands; tests use shorter ones."""

    state_seconds: float = 3.0  # time for an entity to report the new state
    call_seconds: float = 10.0
    """Time for a Home Assistant action to return; the action continues after this timeout."""

    look_seconds: float = 60.0  # time for a language model to answer a question about a picture
    report_seconds: float = 4.0  # time for a device of an extension to report the new value


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

RUN_SCRIPT: Final = ("script", "turn_on")
"""The action that runs a script; the arguments of the command are the fields of the script."""

_RISKY_SINCE: Final = "It has become risky since the person was asked. Ask for it again."
_NOBODY: Final = "This needs a confirmation, and nobody can give it here."
_DECLINED: Final = "The person did not agree. Do not try it again or another way."


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatedCommand(CommandTarget):
    """A command for one component, ready to be sent: a validated request, or an undo."""

    description: CommandDescription  # the documentation of the command
    arguments: Mapping[str, Any] = field(default_factory=dict)  # argument name -> validated value
    alias: str = ""
    """The alias that the request uses for the device; `device_name` contains it, too."""

    registry_id: str | None = None  # registry id of an entity; None if it is not in the registry
    restores: Mapping[str, object] | None = None
    """For an undo: attribute -> value to restore; None for all other commands."""

    asked_for: Callable[[], Awaitable[bool]] | None = None  # as in `Command`

    @property
    def name(self) -> str:
        """Name of the command for people and for `Outcome.command`; `put_back` for an undo."""
        return self.description.name if self.restores is None else PUT_BACK

    @property
    def action(self) -> tuple[str, str]:
        """Domain and name of the action of Home Assistant: `("light", "turn_on")`.

        The name of a command starts with the domain of the action only if the entity has another
        one.
        """
        domain, _, service = self.description.name.rpartition(".")
        return domain or self.capability, service

    @property
    def sets_state(self) -> bool:
        """Whether an undo sets the state of an entity; False if it executes its own action."""
        return self.restores is not None and STATE in self.restores

    @property
    def batch(self) -> Hashable:
        """Key of commands that may run concurrently if their `target` differs."""
        return self.source, "" if self.restores is not None else self.capability, self.name

    @property
    def target(self) -> str:
        """Key of the entity or device; commands with an equal key run one after the other."""
        return self.source_id or self.component_id

    @property
    def affected(self) -> str:
        """Name of the component in `Effects`."""
        return " ".join(filter(None, (self.source_id, self.component_id)))

    def outcome(self, kind: OutcomeKind, detail: str = "", **more: Any) -> Outcome:
        """Return an outcome of this command; `more` are other fields of `Outcome`."""
        command, given = self.description.name, self.arguments
        if self.restores is not None:
            command, given = PUT_BACK, self.restores
        return CommandTarget.outcome(self, kind, detail, command=command, arguments=given, **more)


class Backend(Protocol):
    """Interface for the parts of command execution that differ between entities and extensions."""

    def refused(self, person: Person, command: ValidatedCommand) -> Outcome | None:
        """Return an outcome `REFUSED` or `FAILED` if the command must not be sent, else None.

        Example: the person has no permission to control the device. That the device is unreachable
        (`FAILED_UNAVAILABLE`) comes last.
        """

    def effects(self, command: ValidatedCommand) -> Effects:
        """Return the entities that the command affects, and their risks."""

    async def async_send(
        self, authority: Authority, commands: Sequence[ValidatedCommand]
    ) -> Sequence[Outcome]:
        """Send each command once; return one outcome for each, in the same order.

        The commands have the same `batch` and different targets, so that they run concurrently.
        """

    def disclosed(self, person: Person, command: ValidatedCommand, outcome: Outcome) -> Outcome:
        """Return the outcome without the values that the person may not read."""

    async def async_is_changed_since(self, person: Person, outcomes: Sequence[Outcome]) -> bool:
        """Return whether somebody has changed a component after commands for it.

        `outcomes`: of the commands for one component, oldest first. False if its values are
        unknown, or if the person may no longer control it.
        """

    async def async_steps_back(
        self, outcomes: Sequence[Outcome]
    ) -> Sequence[ValidatedCommand | Outcome]:
        """Return the commands that undo commands for one component, oldest first.

        An outcome `FAILED` stands for what no command can restore.
        """

    def is_read(self, command: ValidatedCommand) -> bool:
        """Return whether the command only reads, and sends no free text; False by default."""
        return False

    def follows_failure(self, command: ValidatedCommand, earlier: Outcome) -> Outcome | None:
        """Return `REFUSED` if `earlier`, an outcome of the same target, forbids the command."""
        return None


@dataclass(slots=True, kw_only=True)
class _Step:
    """A command of one execution, and its status."""

    command: ValidatedCommand
    backend: Backend
    effects: Effects = field(default_factory=Effects)
    agreed: Effects | None = None  # the effects that the person has confirmed
    outcome: Outcome | None = None  # None until the command is refused or sent
    is_recorded: bool = False

    def refuse(self, detail: str, reason: str) -> None:
        self.outcome = self.command.outcome(OutcomeKind.REFUSED, detail, reason=reason)


class Pipeline:
    """Checks, confirms, sends and observes the commands of a person."""

    def __init__(self, hass: HomeAssistant, gate: Gate, backends: dict[str, Backend]) -> None:
        self._hass = hass
        self._gate = gate
        self.async_load_rights = gate.async_load_rights
        self.backends = backends

    async def async_execute(
        self,
        authority: Authority,
        commands: Sequence[ValidatedCommand | Outcome],
        record: Callable[..., None] | None = None,
    ) -> tuple[Outcome, ...]:
        """Execute the commands in order; return one outcome for each.

        - An `Outcome` among `commands` is returned unchanged.
        - Consecutive commands with an equal `batch` run concurrently if their `target` differs.
        - One question asks the person to confirm all risky commands, and all that change something
          and that untrusted text may have caused (`Command.asked_for`).
        - With `record`, the other commands are sent before the question, except those that depend
          on the order, and `record` gets their outcomes as arguments, then the others. Without it,
          all commands wait for the reply.
        """
        checked = await self.async_check(authority, commands)
        steps: list[_Step] = []
        for command, result in zip(commands, checked, strict=True):
            if isinstance(command, ValidatedCommand):
                step = _Step(command=command, backend=self.backends[command.source])
                if isinstance(result, Outcome):
                    step.outcome = result
                else:
                    step.effects = result
                steps.append(step)
        earlier: dict[str, list[Outcome]] = {}
        left = [step for step in steps if step.outcome is None]
        risky = [step for step in left if step.effects.risk]
        first = (_harmless(left) if risky else left) if record is not None else []
        await self._async_send(authority, first, earlier)
        if record is not None and first:
            self._disclose(authority.person, steps, record)
        if risky:
            await self._async_ask(authority, risky, is_rest=bool(first))
        await self._async_send(authority, [s for s in steps if s.outcome is None], earlier)
        self._disclose(authority.person, steps, record)
        outcomes = iter(step.outcome for step in steps)
        done = (command if isinstance(command, Outcome) else next(outcomes) for command in commands)
        return tuple(outcome for outcome in done if outcome is not None)

    async def async_check(
        self, authority: Authority, commands: Sequence[ValidatedCommand | Outcome]
    ) -> list[Outcome | Effects]:
        """Return the effects of each command, or its refused or failed outcome.

        The model first classifies the entities whose missing classification decides whether a
        command needs confirmation: one request for all commands.
        """
        checked: list[Outcome | Effects] = []
        person, breaks = authority.person, Breaks()
        for is_last in (False, True):
            await self.async_load_rights(person)
            checked.clear()
            for command in commands:
                checked.append(
                    command if isinstance(command, Outcome) else self.checked(person, command)
                )
                await breaks.async_take()
            undecided = [effects.undecided for effects in checked if isinstance(effects, Effects)]
            if is_last or not any(undecided):
                break
            await authority.async_classify(frozenset[str]().union(*undecided))
        for command, effects in zip(commands, checked, strict=True):
            if not isinstance(command, Outcome) and isinstance(effects, Effects):
                changes = not (effects.risk or self.backends[command.source].is_read(command))
                if changes and command.asked_for is not None and not await command.asked_for():
                    effects.risks[RiskClass.OUTSIDE] = set(effects.entities)
        return checked

    def checked(self, person: Person, command: ValidatedCommand) -> Outcome | Effects:
        """Return the effects of a command, or its refused or failed outcome."""
        backend = self.backends[command.source]
        refused = backend.refused(person, command)
        if refused is not None and refused.reason != FAILED_UNAVAILABLE:
            return refused
        effects = backend.effects(command)
        if effects.risk is RiskClass.NEVER:
            return command.outcome(OutcomeKind.REFUSED, NEVER_DETAIL, reason=REFUSED_NEVER)
        return refused or effects

    def _disclose(
        self, person: Person, steps: Iterable[_Step], record: Callable[..., None] | None
    ) -> None:
        """Remove from new outcomes what the person may not read, and give them to `record`."""
        new: list[Outcome] = []
        for step in steps:
            if step.outcome is not None and not step.is_recorded:
                step.outcome = step.backend.disclosed(person, step.command, step.outcome)
                step.is_recorded = True
                new.append(step.outcome)
        if record is not None:
            record(*new)

    async def _async_ask(
        self, authority: Authority, risky: Sequence[_Step], *, is_rest: bool
    ) -> None:
        """Ask for confirmation of all risky commands; note what is agreed, or a refused outcome.

        `is_rest`: whether other commands were sent before.
        """

        def actions() -> list[RiskyAction]:
            names, person = ConfirmationNames(self._hass), authority.person
            return [self._risky_action(person, step, names, is_rest=is_rest) for step in risky]

        try:
            answer = await async_confirmed(authority, actions)
        except HomeAssistantError as err:
            for step in risky:
                step.refuse(str(err), REFUSED_CANNOT_ASK)
            return
        # The reply may have taken minutes. Reload the rights for the second check before sending.
        await self.async_load_rights(authority.person)
        for step in risky:
            if answer is Confirmation.GIVEN:
                step.agreed = step.effects
            elif answer is Confirmation.DECLINED:
                step.refuse(_DECLINED, REFUSED_DECLINED)
            else:
                step.refuse(_NOBODY, REFUSED_CANNOT_ASK)

    def _risky_action(
        self, person: Person, step: _Step, names: ConfirmationNames, *, is_rest: bool
    ) -> RiskyAction:
        """Return the action for the question; it names only entities that the person may see."""
        command, effects = step.command, step.effects
        assert effects.risk is not None
        is_own = command.affected in effects.at_risk or effects.risk is RiskClass.OUTSIDE
        return RiskyAction(
            risk=effects.risk,
            device_name=names.of(command, command.registry_id, command.alias),
            thing=command.registry_id or command.affected,
            command=command.name,
            arguments=command.arguments if command.restores is None else command.restores,
            is_indirect=not is_own and effects.risk is not RiskClass.UNRESOLVED,
            reaches=tuple(
                sorted(
                    names.of_entity(entity_id, None, entity_id)
                    for entity_id in effects.at_risk - {command.affected}
                    if self._hass.states.get(entity_id) is not None
                    and self._gate.may_read(person, entity_id)
                )
            ),
            is_rest=is_rest,
        )

    async def _async_send(
        self, authority: Authority, steps: Iterable[_Step], earlier: dict[str, list[Outcome]]
    ) -> None:
        """Check the commands again and send them. `earlier`: target -> the outcomes so far."""
        breaks = Breaks()
        for batch in _batches(steps):
            for step in batch:
                command, before = step.command, earlier.setdefault(step.command.target, [])
                stopped = (step.backend.follows_failure(command, each) for each in before)
                step.outcome = next(filter(None, stopped), None)
                if step.outcome is None:
                    checked = self.checked(authority.person, command)
                    if isinstance(checked, Outcome):
                        step.outcome = checked
                    elif not checked.is_covered_by(step.agreed):
                        step.refuse(_RISKY_SINCE, REFUSED_CHANGED)
                await breaks.async_take()
            sent = [step for step in batch if step.outcome is None]
            if sent:
                outcomes = await sent[0].backend.async_send(
                    authority, [step.command for step in sent]
                )
                for step, outcome in zip(sent, outcomes, strict=True):
                    step.outcome = outcome
            for step in batch:
                if step.outcome is not None:
                    earlier[step.command.target].append(step.outcome)


def _harmless(steps: Iterable[_Step]) -> list[_Step]:
    """Return the commands that may be sent before the reply to the question.

    The risky ones wait, and each later one whose result may depend on one of them: a command for
    the same entity, and every command after disarming an alarm or after a script or scene whose
    effects are not fully known.
    """
    harmless: list[_Step] = []
    touched: set[str] = set()
    holds_all = False
    for step in steps:
        effects = step.effects
        own = {step.command.target, *effects.entities}
        if effects.risk is None and not holds_all and own.isdisjoint(touched):
            harmless.append(step)
            continue
        touched |= own
        is_open = bool(effects.unresolved) and step.command.capability in RESOLVED_DOMAINS
        holds_all = holds_all or is_open or RiskClass.DISARM in effects.risks
    return harmless


def _batches(steps: Iterable[_Step]) -> Iterator[list[_Step]]:
    """Yield consecutive commands with an equal `batch` and different targets."""
    batch: list[_Step] = []
    targets: set[str] = set()
    for step in steps:
        command = step.command
        if batch and (batch[0].command.batch != command.batch or command.target in targets):
            yield batch
            batch, targets = [], set()
        batch.append(step)
        targets.add(command.target)
    if batch:
        yield batch
