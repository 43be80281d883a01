"""The home during one request of a person: read values, execute and undo commands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from .commands.evidence import Evidence, ExternalAction, ExternalActionKind
from .commands.pipeline import FAILED_ERROR
from .commands.undo_history import Choice
from .home import AnyCommand, Home, PersonHome, Rehearsed
from .home_types import CommandRequest, HomeError, Outcome, OutcomeKind, Reading
from .recorded import async_earlier
from .safety.authority import AskedFor, Authority
from .safety.fields import hidden_reference, without_hidden

_EVENT_RESULTS: Final = {
    OutcomeKind.VERIFIED: ExternalActionKind.DONE,
    OutcomeKind.ALREADY: ExternalActionKind.DONE,
    OutcomeKind.NOT_CONFIRMED: ExternalActionKind.UNKNOWN,
    OutcomeKind.SENT: ExternalActionKind.UNKNOWN,
}
"""Outcome of creating a calendar event -> recorded result; NOT_DONE for other outcomes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSet:
    """The commands of one tool call."""

    requests: Sequence[CommandRequest]
    asked_for: AskedFor
    """Function that returns False if untrusted text may have caused the commands.

    All of them then need confirmation.
    """


class RunHome(PersonHome):
    """A `PersonHome` that can also execute and undo commands, on behalf of the person."""

    def __init__(
        self, home: Home, authority: Authority, evidence: Evidence, said: str = ""
    ) -> None:
        super().__init__(
            home,
            authority.person,
            evidence,
            language=authority.language,
            room=authority.room,
            said=said,
        )
        self._authority = authority

    async def async_execute(
        self, requests: Sequence[CommandRequest], asked_for: AskedFor
    ) -> tuple[Outcome, ...]:
        """Execute the commands and return one outcome for each.

        If `asked_for` returns False (untrusted text may have caused the commands), all need
        confirmation. Raises HomeError, and sends nothing, if a request is invalid.
        """
        (result,) = await self.async_execute_sets(
            (CommandSet(requests=requests, asked_for=asked_for),)
        )
        if isinstance(result, HomeError):
            raise result
        return result

    async def async_execute_sets(
        self, sets: Sequence[CommandSet]
    ) -> tuple[tuple[Outcome, ...] | HomeError, ...]:
        """Execute the sets in order; return the outcomes of each set, or its HomeError.

        A set with an invalid request gets a HomeError; none of its commands is sent. One
        confirmation question may cover several sets.
        """
        results: list[tuple[Outcome, ...] | HomeError] = []
        while len(results) < len(sets):
            results += await self._async_execute_next(sets[len(results) :])
        return tuple(results)

    async def _async_execute_next(
        self, sets: Sequence[CommandSet]
    ) -> list[tuple[Outcome, ...] | HomeError]:
        """Execute the first sets, as many as possible in one go; return their results.

        The execution ends before an invalid set. If the first of `sets` is invalid, nothing is
        executed and only its error is returned.
        """
        prepared: list[Sequence[AnyCommand]] = []
        for each in sets:
            try:
                prepared.append(await self.async_prepare(each.requests))
            except HomeError as err:
                if prepared:
                    # The sets before this one may make it valid: prepare it again after them.
                    break
                return [err]
        steps = [(step, each) for each, own in zip(sets, prepared, strict=False) for step in own]
        outcomes: dict[int, Outcome] = {}

        async def async_record(known: Mapping[int, Outcome]) -> None:
            new = [place for place in sorted(known) if place not in outcomes]
            told = await self._async_with_causes([known[place] for place in new])
            outcomes.update(zip(new, told, strict=True))
            self._evidence.record_outcomes(told)

        executed = await self._home.pipeline.async_execute(
            self._authority,
            [step for step, _ in steps],
            [each.asked_for for _, each in steps],
            async_record,
        )
        await async_record(dict(enumerate(executed)))
        left = iter(outcomes[place] for place in range(len(steps)))
        return [tuple(islice(left, len(own))) for own in prepared]

    async def async_rehearse(self, requests: Sequence[CommandRequest]) -> tuple[Rehearsed, ...]:
        """Return the validated commands of the requests, without sending them (dry run).

        The model first classifies the entities that decide whether a command needs confirmation.
        """
        await self._home.pipeline.async_check(self._authority, await self.async_prepare(requests))
        return await super().async_rehearse(requests)

    async def async_create_event(
        self,
        calendar: str,
        arguments: Mapping[str, object],
        texts: Mapping[ExternalActionKind, str],
    ) -> Outcome:
        """Create a calendar event, check that the calendar contains it, and return the outcome.

        `calendar` is an entity id. `texts` maps each possible result to a sentence for the person.
        Raises HomeError, and sends nothing, if the request is invalid.
        """
        request = CommandRequest(
            device_id=calendar,
            component_id=calendar,
            command="create_event",
            arguments=arguments,
        )
        prepared = await self.async_prepare((request,))
        (outcome,) = await self._async_with_causes(
            await self._home.pipeline.async_execute(self._authority, prepared)
        )
        kind = _EVENT_RESULTS.get(outcome.kind, ExternalActionKind.NOT_DONE)
        self._evidence.record_external_action(ExternalAction(kind=kind, text=texts[kind]))
        return outcome

    async def _async_with_causes(self, outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
        """Return the outcomes; those of SmartThings that failed name the cause."""
        if any(each.reason == FAILED_ERROR for each in outcomes):
            listing = await self.async_listing()
            return tuple(self._home.smartthings.with_cloud_causes(listing, outcomes))
        return tuple(outcomes)

    async def async_undo(
        self, asked_for: AskedFor, *, only: Choice | None = None, leave: Choice | None = None
    ) -> tuple[Outcome, ...]:
        """Undo the latest changes in the conversation; return the outcomes of the undo.

        `only` chooses the commands to undo, `leave` those to keep; see `UndoHistory.async_undo`.
        Raises HomeError if there is nothing to undo.
        """
        outcomes = await self._home.undo.async_undo(
            self._authority, self._authority.conversation_id, asked_for, only=only, leave=leave
        )
        self._evidence.record_outcomes(outcomes)
        return outcomes

    async def async_put_back_unless_changed(
        self, changed: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Undo the commands with the outcomes `changed`; return the outcomes of the undo.

        A component that somebody has changed after the command gets a refused outcome.
        """
        outcomes = await self._home.put_back.async_put_back_unless_changed(self._authority, changed)
        self._evidence.record_outcomes(outcomes)
        return outcomes

    async def async_read_earlier(
        self, names: Iterable[str], attributes: Sequence[str] | None = None
    ) -> tuple[Reading, ...]:
        """Return the earlier value of each attribute, from before its last change by anybody.

        In the result, each name has the prefix `earlier_`, e.g. `earlier_state`. `attributes`:
        names without the prefix, e.g. `["state"]`; None means the state and settings, such as
        `brightness_pct`, but no measurements. Raises HomeError for an unknown name, or if no
        earlier value is known.
        """
        readings = await self._async_read(names)
        changed = self._home.undo.changed(self._person, self._authority.conversation_id)
        changes = (*changed, *self._evidence.outcomes)
        earlier = await async_earlier(self._home.hass, readings, attributes, changes)
        self._evidence.record_reads(earlier)
        return earlier

    def hidden_reference(self, value: Any) -> str | None:
        """Return the first forbidden id or template in `value`; None if there is none.

        All templates are forbidden, and ids of entities or areas that the person may not use.
        """
        return hidden_reference(self._home.hass, self._home.gate, self._person, value)

    def without_hidden(self, value: Any) -> Any:
        """Return `value` without the parts that mention entities hidden from the person."""
        return without_hidden(self._home.hass, self._home.gate, self._person, value)
