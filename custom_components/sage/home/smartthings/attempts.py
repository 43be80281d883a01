"""Earlier attempts at raw commands in a run: they decide whether one is sent again.

A command whose result is unknown is never sent again within a run: it could change the channel or
place an order twice. A refused command is sent again only after the device has changed, because
otherwise the answer would be the same and the cloud counts each request.
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
"""Maximum pause for a device in seconds, whatever the cloud asks for."""

_MOST_RUNS: Final = 100

type _Place = tuple[str, str, str]
type _Words = tuple[str, str]


class Rests:
    """The devices for which the cloud currently accepts no requests."""

    def __init__(self) -> None:
        self._rests: dict[str, float] = {}

    def let_rest(self, device_id: str, seconds: float) -> None:
        """Pause requests for the device for `seconds`."""
        now = asyncio.get_running_loop().time()
        self._rests[device_id] = now + min(seconds, _LONGEST_REST)

    def rest(self, device_id: str) -> float:
        """Return the seconds until the cloud accepts requests for the device again, or 0."""
        left = self._rests.get(device_id, 0.0) - asyncio.get_running_loop().time()
        if left <= 0:
            self._rests.pop(device_id, None)
        return max(left, 0.0)


def failed_outcome(command: RawCommand, failure: Failure) -> Outcome:
    """Return the outcome of a command that the cloud or device did not carry out."""
    return command.outcome(
        OutcomeKind.FAILED,
        failure.detail,
        reason=failure.reason,
        reason_placeholders=failure.placeholders,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A command that was sent: its expected effect and the values before it."""

    expectation: Expectation
    before: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedAttempt:
    """A command that was certainly not carried out."""

    outcome: Outcome
    known: object
    """Snapshot of the device when the command was refused, to detect later changes."""


class Attempts:
    """The commands of each run that were refused or whose result is unknown."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, dict[_Place, dict[_Words, Attempt | RefusedAttempt]]] = (
            OrderedDict()
        )

    def find(self, run: str, command: RawCommand) -> Attempt | RefusedAttempt | None:
        """Return the earlier attempt at this command in this run.

        None if there was none, or its result is known.
        """
        return self._runs.get(run, {}).get(_place(command), {}).get(_words(command))

    def add(self, run: str, command: RawCommand, attempt: Attempt | RefusedAttempt) -> None:
        """Store an attempt at a command: one that is being sent, or a refusal."""
        places = self._runs.setdefault(run, {})
        self._runs.move_to_end(run)
        places.setdefault(_place(command), {})[_words(command)] = attempt
        while len(self._runs) > _MOST_RUNS:
            self._runs.popitem(last=False)

    def supersede(self, run: str, command: RawCommand) -> None:
        """Drop earlier attempts at other commands of the capability: the cloud accepted `command`.

        So `start`, `stop`, `start` sends `start` again: it is a new command, not a repetition.
        """
        place = self._runs.get(run, {}).get(_place(command), {})
        for words in [words for words in place if words != _words(command)]:
            del place[words]

    def settle(self, run: str, command: RawCommand) -> None:
        """Drop the attempt at this command, because its result is known now."""
        places = self._runs.get(run, {})
        places.get(_place(command), {}).pop(_words(command), None)


def _place(command: RawCommand) -> _Place:
    return (command.raw_device_id, command.component_id, command.capability)


def _words(command: RawCommand) -> _Words:
    return (command.command, json.dumps(command.positional, sort_keys=True, default=str))
