"""Texts for failed SmartThings commands.

The model gets a sentence with the cause and the next step. The person gets a translated text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from .protocols import Mirror
from .raw import MAIN, CloudError, CloudErrorKind

FAILED_CONNECTION: Final = "outcome_failed_cloud_connection"
FAILED_DEVICE: Final = "outcome_failed_cloud_device"
FAILED_RATE_LIMIT: Final = "outcome_failed_cloud_rate_limit"
FAILED_RATE_LIMIT_WAIT: Final = "outcome_failed_cloud_rate_limit_wait"
NOT_CONFIRMED: Final = "outcome_not_confirmed_cloud"
NOT_CONFIRMED_NO_ANSWER: Final = "outcome_not_confirmed_cloud_no_answer"
REFUSED_AFTER_FAILURE: Final = "outcome_refused_after_failure"
REFUSED_REMOTE_CONTROL: Final = "outcome_refused_remote_control"
REFUSED_REPEATED: Final = "outcome_refused_repeated"

REMOTE_CONTROL_OFF: Final = (
    "Remote control of this device is switched off, so it takes no such command: ask the person "
    "to switch on Smart Control (remote start) at the device itself, then try again."
)
REPEATED: Final = (
    "This very command was sent before in this run and its result is not known, so it was "
    "not sent twice: tell the person to look at the device."
)
NOT_SENT_AGAIN: Final = (
    "It was not sent again, because it was refused before in this run and nothing is known to "
    "have changed at the device since:"
)
AFTER_FAILURE: Final = (
    "It was not sent, because an earlier command for the same device failed: correct that one "
    "first, then ask for this one again."
)
DEVICE_FAILED: Final = (
    "SmartThings reports that the device did not carry it out: tell the person, and check the "
    "values of the device before another try."
)

REMOTE_CONTROL: Final = ("remoteControlStatus", "remoteControlEnabled")
"""Capability and attribute that report whether an appliance accepts remote commands."""

MAY_BE_TRIED_AGAIN: Final = frozenset({FAILED_CONNECTION, FAILED_RATE_LIMIT_WAIT})
"""Values of `Failure.reason` after which the same command may soon succeed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """The texts for a SmartThings command that failed."""

    detail: str
    """Sentence for the model: the cause of the failure and the next step."""

    reason: str
    """Translation key of the sentence for the person."""

    placeholders: Mapping[str, str] = field(default_factory=dict)


def is_remote_control_off(mirror: Mirror, device_id: str, component_id: str) -> bool:
    """Return whether the appliance reports that remote control is switched off; False if unknown.

    Without a value of the component, the value of the component `main` counts.
    """
    capability, attribute = REMOTE_CONTROL
    for component in dict.fromkeys((component_id, MAIN)):
        current = mirror.attributes(device_id, component, capability).get(attribute)
        if current is not None and current.value is not None:
            return str(current.value).casefold() == "false"
    return False


def failure_of(error: CloudError) -> Failure:
    """Return the texts for a command that the cloud did not accept."""
    if error.kind is CloudErrorKind.RATE_LIMIT:
        return rate_limited(error.retry_after)
    said = f" ({_said(error)})" if error.kind in _QUOTED and error.message else ""
    return Failure(
        detail=_DETAILS[error.kind].format(said=said),
        reason=f"outcome_failed_cloud_{error.kind.value}",
    )


def rate_limited(seconds: float | None) -> Failure:
    """Return the texts for a device whose rate limit is exceeded.

    `seconds` is the time until the cloud accepts commands again; None if unknown.
    """
    if seconds is None:
        return Failure(
            detail="SmartThings allows no more commands for this device just now, so nothing was "
            "done: do not try again in this run; tell the person to ask again in a minute.",
            reason=FAILED_RATE_LIMIT,
        )
    wait = max(1, ceil(seconds))
    return Failure(
        detail="SmartThings allows no more commands for this device just now, so nothing was "
        f"done: it can be tried again in {wait} s, so tell the person to ask again then.",
        reason=FAILED_RATE_LIMIT_WAIT,
        placeholders={"seconds": str(wait)},
    )


def unanswered(error: CloudError) -> str:
    """Return why the result of a command is unknown, as a clause without full stop."""
    match error.kind:
        case CloudErrorKind.TIMEOUT:
            return "SmartThings did not answer in time, so whether the command arrived is not known"
        case CloudErrorKind.SERVER:
            return (
                f"SmartThings reports a fault of its own ({_said(error)}), so whether the command "
                "arrived is not known"
            )
        case _:
            return (
                "The connection to SmartThings broke, so whether the command arrived is not known"
            )


def _said(error: CloudError) -> str:
    status = f"{error.status}: " if error.status is not None else ""
    target = f", at {error.target}" if error.target else ""
    text = f"{status}{error.message.strip().rstrip('.')}"
    return text if error.target and error.target in text else f"{text}{target}"


_QUOTED: Final = frozenset(
    {
        CloudErrorKind.DEVICE_STATE,
        CloudErrorKind.MALFORMED,
        CloudErrorKind.SERVER,
        CloudErrorKind.UNEXPECTED,
        CloudErrorKind.FORBIDDEN,
    }
)
"""Kinds of errors whose message is quoted, because it says more than the kind of the error."""

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
    CloudErrorKind.FORBIDDEN: (
        "SmartThings does not allow this command{said}, so nothing was done: do not try again; "
        "tell the person that the SmartThings account may not use this device."
    ),
    CloudErrorKind.NOT_FOUND: (
        "SmartThings does not know this device any more, so nothing was done: tell the person to "
        "look in the SmartThings app whether it was removed, and to reload the integration."
    ),
    CloudErrorKind.DEVICE_STATE: (
        "The device cannot do it in its present state{said}, so nothing was done: it may be off, "
        "asleep or busy, so check its values, switch it on if that is wanted, or tell the person."
    ),
    CloudErrorKind.MALFORMED: (
        "SmartThings does not accept the command{said}, so nothing was done: look the "
        "documentation up again and correct the command or its arguments."
    ),
    CloudErrorKind.SERVER: (
        "SmartThings reports a fault of its own{said} and nothing has changed at the device: the "
        "command is not sent again in this run; tell the person to try later."
    ),
    CloudErrorKind.TIMEOUT: (
        "SmartThings did not answer in time: tell the person to look at the device."
    ),
    CloudErrorKind.CONNECTION: (
        "There is no connection to SmartThings, so nothing was sent: use an entity of the device "
        "if a local one does it, or tell the person to check the internet connection."
    ),
    CloudErrorKind.BROKEN: (
        "The connection to SmartThings broke: tell the person to look at the device."
    ),
    CloudErrorKind.UNEXPECTED: (
        "SmartThings answered in a way that is not understood{said}, so the command does not "
        "count as done: tell the person, and do not try again."
    ),
}
