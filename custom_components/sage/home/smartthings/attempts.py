"""Remember which SmartThings commands a run (one request of a person) has already sent.

A command with an unknown result is not sent again, because it could take effect twice. A refused
command is sent again only after the device has changed.
"""

import asyncio
import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from ..commands.expectation import Expectation
from ..commands.goals import Values
from ..home_types import Outcome, OutcomeKind
from .commands import RawCommand
from .failures import Failure

_LONGEST_REST: Final = 300.0
"""Maximum pause for a device in seconds, even if the cloud asks for a longer one."""

_MOST_RUNS: Final = 100

type _Place = tuple[str, str, str]
type _Words = tuple[str, str]


class Rests:
    """Pauses for devices that have exceeded the rate limit of the cloud."""

    def __init__(self) -> None:
        self._rests: dict[str, float] = {}

    def let_rest(self, device_id: str, seconds: float) -> None:
        """Block requests for the device for `seconds`, at most 300."""
        now = asyncio.get_running_loop().time()
        self._rests[device_id] = now + min(seconds, _LONGEST_REST)

    def rest(self, device_id: str) -> float:
        """Return the seconds until requests for the device are allowed again, or 0."""
        left = self._rests.get(device_id, 0.0) - asyncio.get_running_loop().time()
        if left <= 0:
            self._rests.pop(device_id, None)
        return max(left, 0.0)


def failed_outcome(command: RawCommand, failure: Failure) -> Outcome:
    """Return an outcome `FAILED` for the command, with the texts of `failure`."""
    return command.outcome(
        OutcomeKind.FAILED,
        failure.detail,
        reason=failure.reason,
        reason_placeholders=failure.placeholders,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The expected effect of a sent command, and the values before the command."""

    expectation: Expectation
    before: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedAttempt:
    """A command that was certainly not executed."""

    outcome: Outcome
    known: object
    """State of the device when the command was refused."""


class Attempts:
    """Stores attempts at commands, grouped by run, so that no command takes effect twice.

    A run is the processing of one request of a person.
    """

    def __init__(self) -> None:
        self._runs: OrderedDict[str, dict[_Place, dict[_Words, Attempt | RefusedAttempt]]] = (
            OrderedDict()
        )

    def find(self, run: str, command: RawCommand) -> Attempt | RefusedAttempt | None:
        """Return the stored attempt at `command` in this run (one request of a person), or None."""
        return self._runs.get(run, {}).get(_place(command), {}).get(_words(command))

    def add(self, run: str, command: RawCommand, attempt: Attempt | RefusedAttempt) -> None:
        """Store an attempt: an `Attempt` before sending, a `RefusedAttempt` after a refusal."""
        places = self._runs.setdefault(run, {})
        self._runs.move_to_end(run)
        places.setdefault(_place(command), {})[_words(command)] = attempt
        while len(self._runs) > _MOST_RUNS:
            self._runs.popitem(last=False)

    def supersede(self, run: str, command: RawCommand) -> None:
        """Delete the stored attempts at the other commands of a capability.

        Call this after `command` was accepted. The other commands may then be sent again: after
        `stop`, for example, a second `start`.
        """
        place = self._runs.get(run, {}).get(_place(command), {})
        for words in [words for words in place if words != _words(command)]:
            del place[words]

    def settle(self, run: str, command: RawCommand) -> None:
        """Delete the stored attempt at `command`; call this when its result is known."""
        places = self._runs.get(run, {})
        places.get(_place(command), {}).pop(_words(command), None)


def _place(command: RawCommand) -> _Place:
    return (command.raw_device_id, command.component_id, command.capability)


def _words(command: RawCommand) -> _Words:
    return (command.command, json.dumps(command.positional, sort_keys=True, default=str))
