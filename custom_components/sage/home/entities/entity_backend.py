"""The entity backend of the command pipeline: checks, sends, observes and undoes commands."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant, SupportsResponse
from homeassistant.exceptions import Unauthorized
from homeassistant.helpers import entity_registry as er

from ...const import LOOK
from ...helpers import Breaks
from ...people import Person
from ..commands.expectation import reported_values
from ..commands.pipeline import (
    FAILED_ERROR,
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    REFUSED_CHANGED,
    REFUSED_NOT_PERMITTED,
    REFUSED_REFERENCE,
    RUN_SCRIPT,
    Backend,
    CommandWaits,
    ValidatedCommand,
)
from ..commands.undo_history import SET_BY_PEOPLE, cannot_go_back, is_changed_since
from ..home_types import (
    PUT_BACK,
    CommandDescription,
    CommandTarget,
    HomeError,
    Outcome,
    OutcomeKind,
)
from ..prompt_text import answer_is_free_text
from ..safety.action_sequence import answers_in_own_words
from ..safety.authority import Authority
from ..safety.consequences import effects_of, effects_of_state
from ..safety.fields import check_fields, without_hidden
from ..safety.gate import Gate
from ..safety.risk import Effects
from ..values import STATE, plain
from .entity_watch import EntityWatch
from .list_entries import (
    CHANGES_ENTRIES,
    RECURRENCE,
    async_create_recurring,
    async_entries_change,
    item_back,
    shown_answer,
)
from .restoring import async_can_restore, async_restore, state_to_restore, state_to_set

_LOGGER = logging.getLogger(__name__)

_NO_DICTIONARY: Final = "service_reponse_invalid"
"""Translation key of Home Assistant's error about a response that is no dictionary."""

_LONGEST_TEXT: Final = 2000  # maximum characters of a text in a response, and a tenth for lists
_LONGEST_ANSWER: Final = 4000  # maximum length of an action's response for the model, in characters


class EntityBackend(Backend):
    """Checks, sends and undoes commands to entities, called by the command pipeline."""

    def __init__(self, hass: HomeAssistant, gate: Gate, waits: CommandWaits) -> None:
        self._hass = hass
        self._gate = gate
        self._waits = waits

    # ------------------------------------------------------------- the gate

    def refused(self, person: Person, command: ValidatedCommand) -> Outcome | None:
        """Return an outcome `REFUSED` or `FAILED` if the command must not be sent, else None."""
        entity_id, kind = command.component_id, OutcomeKind.REFUSED
        entry = er.async_get(self._hass).async_get(entity_id)
        state = self._hass.states.get(entity_id)
        if state is None:
            text = "The device no longer exists."
            return command.outcome(OutcomeKind.FAILED, text, reason=FAILED_GONE)
        if command.registry_id not in {None, entry and entry.id}:
            text = f"{entity_id} is now the id of another entity. List the devices again."
            return command.outcome(kind, text, reason=REFUSED_CHANGED)
        if not self._gate.may_control(person, entity_id):
            text = f"{person.name} may not control this device. Do not try another way."
            return command.outcome(kind, text, reason=REFUSED_NOT_PERMITTED)
        if command.restores is None and command.arguments:
            try:
                check_fields(
                    self._gate,
                    person,
                    command.description,
                    command.arguments,
                    is_script=command.action == RUN_SCRIPT,
                )
            except HomeError as err:
                return command.outcome(kind, str(err), reason=REFUSED_REFERENCE)
        if state.state == STATE_UNAVAILABLE:
            text = "The device is not reachable right now, so nothing was sent."
            return command.outcome(OutcomeKind.FAILED, text, reason=FAILED_UNAVAILABLE)
        return None

    def effects(self, command: ValidatedCommand) -> Effects:
        """Return the entities that the command affects, with their risks."""
        if command.sets_state:
            state = state_to_set(command)
            return effects_of_state(self._hass, command.component_id, state.state, state.attributes)
        return effects_of(self._hass, command.component_id, *command.action, command.arguments)

    def is_read(self, command: ValidatedCommand) -> bool:
        """Return whether the command changes nothing and only returns a response.

        False for free text, such as a search term: it may leave the home.
        """
        if self._response(command) is not SupportsResponse.ONLY:
            return False
        texts = {each.name for each in command.description.arguments if not each.values}
        return not any(
            isinstance(value, str | list | Mapping) and name in texts
            for name, value in command.arguments.items()
        )

    def disclosed(self, person: Person, _command: ValidatedCommand, outcome: Outcome) -> Outcome:
        """Replace the error text if it names an entity that the person may not read."""
        if outcome.reason != FAILED_ERROR or without_hidden(self._gate, person, outcome.detail):
            return outcome
        return replace(
            outcome, detail="Home Assistant reports an error.", reason=None, reason_placeholders={}
        )

    # ------------------------------------------------------------- putting back

    async def async_steps_back(
        self, outcomes: Sequence[Outcome]
    ) -> list[ValidatedCommand | Outcome]:
        """Return the command that undoes the commands of an entity, else an outcome `FAILED`.

        For a to-do list, each of its commands is undone, the last one first.
        """
        changed, entity_id = outcomes[0], outcomes[0].component_id
        entry = er.async_get(self._hass).async_get(entity_id)
        registry_id = None if entry is None else entry.id
        if changed.capability == "todo":
            return [item_back(each, registry_id) for each in reversed(outcomes)]
        state = state_to_restore(outcomes, self._hass.states.get(entity_id))
        if (
            state is None
            or changed.kind is OutcomeKind.SENT
            or not await async_can_restore(self._hass, state)
        ):
            return [cannot_go_back(changed, f"What {changed.command} did cannot be put back.")]
        back = ValidatedCommand(
            **changed.fields_of(CommandTarget),
            description=CommandDescription(name=PUT_BACK),
            arguments={**state.attributes, STATE: state.state},
            restores={STATE: state.state},
            registry_id=registry_id,
        )
        return [back]

    async def async_is_changed_since(self, person: Person, outcomes: Sequence[Outcome]) -> bool:
        """Return whether somebody has changed the entity; False while it is unavailable."""
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

    # ------------------------------------------------------------- sending

    async def async_send(
        self, authority: Authority, commands: Sequence[ValidatedCommand]
    ) -> Sequence[Outcome]:
        """Send each command once; return one outcome for each, in the same order."""
        sent: list[EntityWatch] = []
        breaks = Breaks()
        with contextlib.ExitStack() as closing:
            for command in commands:
                sent.append(EntityWatch(self._hass, command))
                closing.callback(sent[-1].close)
                await breaks.async_take()
            return await asyncio.gather(*(self._async_call(authority, each) for each in sent))

    def _response(self, command: ValidatedCommand) -> SupportsResponse:
        """Return whether the action returns a response; `NONE` if it does not exist."""
        action, services = command.action, self._hass.services
        if action == RUN_SCRIPT:
            is_own = answers_in_own_words(self._hass, command.component_id)
            return SupportsResponse.NONE if is_own is None else SupportsResponse.OPTIONAL
        if not services.has_service(*action):
            return SupportsResponse.NONE
        return services.supports_response(*action)

    async def _async_call(self, authority: Authority, sent: EntityWatch) -> Outcome:
        hass, command = self._hass, sent.command
        if command.restores is None and not hass.services.has_service(*command.action):
            detail = "The command no longer exists."
            return command.outcome(OutcomeKind.FAILED, detail, reason=FAILED_GONE)
        action, change = ".".join(command.action), None
        if action in CHANGES_ENTRIES:
            change = await async_entries_change(hass, command)
        response = self._response(command)
        call = hass.async_create_task(
            self._called(authority.context, command, response), f"sage {action}"
        )
        if not call.done():
            waits = self._waits
            # The action that looks has bounded waits itself: for the picture, then for the model.
            more = waits.call_seconds + waits.look_seconds if command.action == LOOK else 0.0
            await asyncio.wait({call}, timeout=waits.call_seconds + more)
        is_read, answered = response is SupportsResponse.ONLY, None
        if not call.done():
            # Do not cancel the task: this could stop a script halfway.
            call.add_done_callback(_note_late_end)
        elif call.cancelled() or call.exception() is not None:
            err = None if call.cancelled() else call.exception()
            err = err or asyncio.CancelledError("It was cancelled.")
            return replace(_failed(command, err), is_read=is_read)
        else:
            answered = call.result()
        if is_read:
            outcome = command.outcome(OutcomeKind.VERIFIED, is_read=True)
        elif change is not None:
            kind, before, after = await change.async_judge(
                sent.async_wait_for_news, self._waits.state_seconds
            )
            seen = sent.outcome(kind)
            outcome = replace(seen, before={**seen.before, **before}, after={**seen.after, **after})
        else:
            await sent.async_wait_for_effect(self._waits.state_seconds)
            outcome = sent.outcome()
        if answered is None and not is_read and command.action != RUN_SCRIPT:
            return outcome
        return self._with_answer(authority.person, command, outcome, answered)

    async def _called(
        self, context: Context, command: ValidatedCommand, response: SupportsResponse
    ) -> Any:
        """Call the action of a command; return its response.

        Only the action of the script itself, `script.<name>`, returns a response; `script.turn_on`
        does not wait for the end of the script.
        """
        if command.sets_state:
            return await async_restore(self._hass, state_to_set(command), context)
        if command.capability == "calendar" and RECURRENCE in command.arguments:
            return await async_create_recurring(self._hass, command, context)
        may_answer = response is not SupportsResponse.NONE
        (domain, service), data = command.action, dict(command.arguments)
        target: dict[str, Any] | None = {"entity_id": command.component_id}
        if (domain, service) == RUN_SCRIPT and may_answer:
            # The name of the action stays if the entity id changes.
            entry = er.async_get(self._hass).async_get(command.component_id)
            service = entry.unique_id if entry else command.component_id.partition(".")[2]
            target = None
        elif (domain, service) == RUN_SCRIPT and data:
            data = {"variables": data}
        return await self._hass.services.async_call(
            domain,
            service,
            data,
            blocking=True,
            context=context,
            target=target,
            return_response=may_answer,
        )

    def _with_answer(
        self, person: Person, command: ValidatedCommand, outcome: Outcome, answered: Any
    ) -> Outcome:
        """Return the outcome with the action's response, if any, which proves that it has ended."""
        is_script = command.action == RUN_SCRIPT
        if answered is None and is_script and self._response(command) is SupportsResponse.OPTIONAL:
            return replace(outcome, detail="It still runs; its answer has not come yet.")
        if not answered and not outcome.is_read:
            return outcome
        try:
            answer = shown_answer(plain(answered, _LONGEST_TEXT))
            shown = without_hidden(self._gate, person, answer)
            text = json.dumps(shown, ensure_ascii=False)
        except RecursionError, ValueError:
            return replace(outcome, detail="It ran, but its answer cannot be read.")
        if len(text) > _LONGEST_ANSWER:
            text = f"{text[:_LONGEST_ANSWER]}… ({len(text) - _LONGEST_ANSWER} more characters)"
        is_own = is_script and answers_in_own_words(self._hass, command.component_id)
        source = "" if is_script else command.action[0]
        is_free = not is_own and answer_is_free_text(source, shown)
        is_sent = outcome.kind is OutcomeKind.SENT
        return replace(
            outcome,
            kind=OutcomeKind.VERIFIED if is_sent else outcome.kind,
            detail="" if is_sent else outcome.detail,
            response=text,
            is_free_text=is_free,
        )


def _note_late_end(call: asyncio.Task[Any]) -> None:
    if not call.cancelled() and (err := call.exception()) is not None:
        _LOGGER.warning("A command failed after its timeout: %s", err)


def _failed(command: ValidatedCommand, err: BaseException) -> Outcome:
    """Return the outcome after `err`: `REFUSED` for a missing permission, else `FAILED`."""
    if isinstance(err, Unauthorized):
        return command.outcome(
            OutcomeKind.REFUSED,
            "Home Assistant refused it: this person lacks the permission.",
            reason=REFUSED_NOT_PERMITTED,
        )
    if getattr(err, "translation_key", None) == _NO_DICTIONARY:
        return command.outcome(
            OutcomeKind.SENT, "It ran. Its answer is no dictionary, so it cannot be passed on."
        )
    _LOGGER.debug("%s failed", command.name, exc_info=err)
    text = str(err) or type(err).__name__
    return command.outcome(
        OutcomeKind.FAILED,
        f"Home Assistant says: {text}",
        reason=FAILED_ERROR,
        reason_placeholders={"error": text.rstrip(".")},
    )
