"""Judge the outcomes of SmartThings commands, by the answer of the cloud and the device's reports.

A definition may declare the command that sets an attribute (`setter`), and the value of an
attribute after a command without arguments (`enumCommands`): these are the expected effects. The
model gets a sentence with the cause and the next step. The person gets a translated text.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from math import ceil
from typing import Final

from ...helpers import weakly
from ..commands.expectation import UNOBSERVABLE, Expectation, Goal, Values, unwrapped
from ..commands.pipeline import ValidatedCommand
from ..home_types import Outcome, OutcomeKind
from .mirror import Mirror
from .raw import AttributeDefinition, AttributePlace, CloudError, CloudErrorKind, Definition
from .withheld import is_secret

FAILED_DEVICE: Final = "outcome_failed_cloud_device"
NOT_CONFIRMED: Final = "outcome_not_confirmed_cloud"
NOT_CONFIRMED_NO_ANSWER: Final = "outcome_not_confirmed_cloud_no_answer"
REFUSED_AFTER_FAILURE: Final = "outcome_refused_after_failure"
REFUSED_REMOTE_CONTROL: Final = "outcome_refused_remote_control"

REMOTE_CONTROL_OFF: Final = (
    "Remote control of this device is switched off, so it takes no such command: ask the person "
    "to switch on Smart Control (remote start) at the device itself, then try again."
)
AFTER_FAILURE: Final = (
    "It was not sent, because an earlier command for the same device failed: correct that one "
    "first, then ask for this one again."
)
DEVICE_FAILED: Final = (
    "SmartThings reports that the device did not carry it out: tell the person, and check the "
    "values of the device before another try."
)
_ACCEPTED: Final = "SmartThings accepted it"
_MINUTE: Final = 60.0


def address_of(command: ValidatedCommand) -> tuple[str, str, str]:
    """Return the SmartThings device id, component and capability of a command."""
    return command.source_id or "", command.component_id, command.capability


def expectation_of(
    definition: Definition, command: str, arguments: Mapping[str, object]
) -> Expectation:
    """Return the expected effect of a command with these named arguments.

    It has goals (attribute values) if the definition declares them, else signs (changes that
    suggest success). `UNOBSERVABLE` if it has neither.
    """
    goals = _goals(definition, command, arguments)
    if goals:
        return Expectation(goals=goals, approaches=True)
    signs = tuple(_signs(definition, command, arguments))
    return Expectation(signs=signs) if signs else UNOBSERVABLE


def _goals(
    definition: Definition, command: str, arguments: Mapping[str, object]
) -> tuple[Goal, ...]:
    defined = definition.command(command)
    first = defined.arguments[0].name if defined is not None and defined.arguments else ""
    goals: list[Goal] = []
    for each in definition.attributes:
        options = each.shape.values if each.shape.type == "string" else ()
        if command in each.enum_commands:
            goals.append(Goal(name=each.name, values=(each.enum_commands[command],)))
        elif (
            each.setter == command
            and first in arguments
            and (not options or arguments[first] in options)
        ):
            goals.append(Goal(name=each.name, values=(arguments[first],)))
    return tuple(goals)


def _signs(definition: Definition, command: str, arguments: Mapping[str, object]) -> Iterator[Goal]:
    values = tuple(arguments.values())
    for each in definition.attributes:
        if each.setter == command or (not values and _is_state(each)):
            # Any change counts, because the new value is not declared; a stopped oven is `ready`.
            yield Goal(name=each.name, differs=True)
        elif values:
            yield Goal(name=each.name, values=values)


def _is_state(attribute: AttributeDefinition) -> bool:
    """Return whether an attribute is a state that a command may change, not a measurement.

    True for an attribute with a setter or enumCommands, for a boolean and for an enumeration. A
    number without a setter may be a measurement.
    """
    if attribute.setter is not None or attribute.enum_commands:
        return True
    shape = attribute.shape
    return shape.type == "boolean" or (shape.type == "string" and bool(shape.values))


class SentCommand:
    """A command and its expected effect; it observes the reports of the capability."""

    def __init__(self, mirror: Mirror, command: ValidatedCommand, expectation: Expectation) -> None:
        """Start to observe; call this before the command is sent, and `close` at the end."""
        self._mirror = mirror
        self._command = command
        self._expectation = expectation
        self._address = address_of(command)
        device_id = self._address[0]
        self._was_fresh = mirror.is_fresh(device_id)
        self._before = self._mirrored()
        self._reported: dict[str, object] = {}
        self._news = asyncio.Event()
        self.close = mirror.listen(device_id, weakly(self._handle_report))

    def _reports(self) -> tuple[Values, Values]:
        return self._before, {**self._mirrored(), **self._reported}

    def _has_seen(self) -> bool:
        """Return whether a changed or newly reported value proves the success of the command."""
        expectation, (before, now) = self._expectation, self._reports()
        if not expectation.goals:
            return not self._reported.keys().isdisjoint(expectation.names_of_signs(before, now))
        return expectation.is_met(before, now) and (
            not expectation.is_met(before, before)
            or all(goal.name in self._reported for goal in expectation.goals)
        )

    def _mirrored(self) -> dict[str, object]:
        attributes = self._mirror.attributes(*self._address)
        return {name: each.value for name, each in attributes.items()}

    def _handle_report(self, place: AttributePlace, value: object) -> None:
        if place[:3] == self._address:
            self._reported[place.attribute] = value
            self._news.set()

    @property
    def is_already_so(self) -> bool:
        """Whether the device is certainly in the wanted state, and was so before."""
        return self._was_fresh and self._expectation.was_met(self._reports()[0])

    async def async_outcome(self, error: CloudError | None, seconds: float) -> Outcome:
        """Wait at most `seconds` for the effect of the sent command, and return the outcome.

        The values of the device are fetched once if the reports do not show the result. `error` is
        the error after which the result is unknown, e.g. a timeout; None if there was none.
        """
        expectation = self._expectation
        if not expectation.observable:
            if error is not None:
                return self._not_confirmed(error)
            return self._command.outcome(
                OutcomeKind.SENT, f"{_ACCEPTED}; whether it worked cannot be observed."
            )
        if error is None and self.is_already_so:
            return self._seen(OutcomeKind.ALREADY)
        await expectation.async_wait(self._news, self._reports, self._has_seen, seconds)
        is_clear = self._has_seen() or expectation.is_under_way(*self._reports())
        refreshed = not is_clear and await self._async_refreshed()
        return self._judged(error, refreshed=refreshed)

    async def _async_refreshed(self) -> bool:
        try:
            await self._mirror.async_refresh(self._address[0])
        except CloudError:
            return False
        # The fetched values are newer than the reports.
        self._reported.clear()
        return True

    def _judged(self, error: CloudError | None, *, refreshed: bool) -> Outcome:
        expectation = self._expectation
        # A difference from an outdated value does not prove that this command changed it.
        is_known = self._was_fresh or (refreshed and bool(expectation.goals))
        if self._has_seen() or (is_known and expectation.is_met(*self._reports())):
            was_so = expectation.was_met(self._reports()[0])
            return self._seen(OutcomeKind.ALREADY if was_so else OutcomeKind.VERIFIED)
        if expectation.is_under_way(*self._reports()):
            return self._seen(OutcomeKind.UNDER_WAY, "It has begun, its end was not seen.")
        if expectation.signs and error is None:
            return self._command.outcome(
                OutcomeKind.SENT,
                f"{_ACCEPTED}{self._why()}; the device reported nothing that would prove it.",
            )
        is_unchanged = bool(expectation.goals) or self._reports()[0] == self._reports()[1]
        if refreshed and is_unchanged and error is not None and error.kind is CloudErrorKind.SERVER:
            return self._seen(
                OutcomeKind.FAILED, detail_of(error), f"outcome_failed_cloud_{error.kind.value}"
            )
        return self._not_confirmed(error)

    def _not_confirmed(self, error: CloudError | None) -> Outcome:
        cause, reason = f"{_ACCEPTED}, but the device has not reported it", NOT_CONFIRMED
        if error is not None:
            said = error.message[:1].upper() + error.message[1:]
            cause = f"{said}, so whether the command arrived is not known"
            reason = NOT_CONFIRMED_NO_ANSWER
        return self._seen(
            OutcomeKind.NOT_CONFIRMED,
            f"{cause}{self._why()}: do not send it again; tell the person that it is "
            "not confirmed, or read the values later.",
            reason,
        )

    def _why(self) -> str:
        """Return a possible reason for the missing reaction, as a clause; empty if none."""
        device_id = self._address[0]
        if not self._mirror.is_online(device_id):
            return ", and the device is offline or removed by now"
        if self._mirror.is_remote_control_off(device_id, self._command.component_id):
            return ", and remote control is switched off at the device, which may be why"
        return ""

    def _seen(self, kind: OutcomeKind, detail: str = "", reason: str | None = None) -> Outcome:
        """Return an outcome with the goals' values, or with the first attribute that changed."""
        before, now = self._reports()
        goals = self._expectation.goals
        names = [goal.name for goal in goals] or self._expectation.names_of_signs(before, now)[:1]
        return self._command.outcome(
            kind,
            detail,
            reason=reason,
            before=self._values(before, names),
            after=self._values(now, names),
            restore=self._values(before, names),
            wanted={
                goal.name: goal.values
                for goal in goals
                if goal.values and not is_secret(self._command.capability, goal.name)
            },
        )

    def _values(self, values: Values, names: Iterable[str]) -> dict[str, object]:
        """Return the named values that are known, without secrets such as lock codes."""
        return {
            name: unwrapped(values[name])
            for name in names
            if values.get(name) is not None and not is_secret(self._command.capability, name)
        }


def failed_outcome(command: ValidatedCommand, error: CloudError) -> Outcome:
    """Return the outcome of a command that the cloud did not accept."""
    return command.outcome(
        OutcomeKind.FAILED,
        detail_of(error),
        reason=f"outcome_failed_cloud_{error.kind.value}",
        reason_placeholders=(
            {"seconds": str(_wait(error))} if error.kind is CloudErrorKind.RATE_LIMIT else {}
        ),
    )


def _wait(error: CloudError) -> int:
    return max(1, ceil(_MINUTE if error.retry_after is None else error.retry_after))


def detail_of(error: CloudError) -> str:
    """Return the sentence for the model about a command that the cloud did not accept."""
    status = f"{error.status}: " if error.status is not None else ""
    said = f" ({status}{error.message.strip().rstrip('.')})" if error.message else ""
    return _DETAILS[error.kind].format(said=said, wait=_wait(error))


_DETAILS: Final[Mapping[CloudErrorKind, str]] = {
    CloudErrorKind.SIGN_IN: (
        "SmartThings no longer accepts the sign-in of Home Assistant, so nothing was done: do not "
        "try again; tell the person to sign in to SmartThings again under Settings, Devices & "
        "services."
    ),
    CloudErrorKind.PLAN: (
        "The person's SmartThings plan does not cover this or its monthly calls are used up, so "
        "nothing was done: use an entity of the device if one does it, and tell the person."
    ),
    CloudErrorKind.DEVICE_STATE: (
        "The device cannot do it in its present state{said}, so nothing was done: it may be off, "
        "asleep or busy, so check its values, switch it on if that is wanted, or tell the person."
    ),
    CloudErrorKind.REFUSED: (
        "SmartThings does not accept the command{said}, so nothing was done: look the "
        "documentation up again and correct the command, or tell the person that the SmartThings "
        "account may not use this device any more."
    ),
    CloudErrorKind.RATE_LIMIT: (
        "SmartThings allows no more commands for this device just now, so nothing was done: it can "
        "be tried again in {wait} s, so tell the person to ask again then."
    ),
    CloudErrorKind.SERVER: (
        "SmartThings reports a fault of its own{said} and nothing has changed at the device: do "
        "not send the command again; tell the person to try later."
    ),
    CloudErrorKind.CONNECTION: (
        "There is no connection to SmartThings, so nothing was sent: use an entity of the device "
        "if a local one does it, or tell the person to check the internet connection."
    ),
}
