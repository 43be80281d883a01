"""Earlier attempts at raw commands, which decide whether one is sent again (DESIGN 5).

Within one run a command in doubt is never sent again: a channel would go up twice,
an order would be placed twice. One that was refused is not sent again before the
device is different from then: the answer would be the same, and each request counts.
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
"""How long a device is left alone at most, whatever the cloud says."""

_MOST_RUNS: Final = 100

type _Place = tuple[str, str, str]
type _Words = tuple[str, str]


class Rests:
    """For how long the cloud wants to hear nothing for a device."""

    def __init__(self) -> None:
        """Start with none."""
        self._rests: dict[str, float] = {}

    def let_rest(self, device_id: str, seconds: float) -> None:
        """Note that the cloud wants to hear nothing for a device for so long."""
        now = asyncio.get_running_loop().time()
        self._rests[device_id] = now + min(seconds, _LONGEST_REST)

    def rest(self, device_id: str) -> float:
        """Return for how many seconds the cloud wants to hear nothing for a device."""
        left = self._rests.get(device_id, 0.0) - asyncio.get_running_loop().time()
        if left <= 0:
            self._rests.pop(device_id, None)
        return max(left, 0.0)


def failed_outcome(command: RawCommand, failure: Failure) -> Outcome:
    """Return the outcome of a command that was not carried out."""
    return command.outcome(
        OutcomeKind.FAILED,
        failure.detail,
        reason=failure.reason,
        reason_placeholders=failure.placeholders,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What a command that was sent should have led to."""

    expectation: Expectation
    before: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A command that was surely not carried out."""

    outcome: Outcome
    known: object
    """What was known of the device then."""


class Attempts:
    """The commands in doubt and those that were refused, by run."""

    def __init__(self) -> None:
        """Start with none."""
        self._runs: OrderedDict[str, dict[_Place, dict[_Words, Attempt | Refusal]]] = OrderedDict()

    def find(self, run: str, command: RawCommand) -> Attempt | Refusal | None:
        """Return what became of the very same command in this run, unless all is clear."""
        return self._runs.get(run, {}).get(_place(command), {}).get(_words(command))

    def add(self, run: str, command: RawCommand, attempt: Attempt | Refusal) -> None:
        """Note that a command is being sent, or that it was refused."""
        places = self._runs.setdefault(run, {})
        self._runs.move_to_end(run)
        places.setdefault(_place(command), {})[_words(command)] = attempt
        while len(self._runs) > _MOST_RUNS:
            self._runs.popitem(last=False)

    def supersede(self, run: str, command: RawCommand) -> None:
        """Note that the cloud took a command: earlier ones of the capability are in no doubt.

        After `stop`, `start` means something new.
        """
        place = self._runs.get(run, {}).get(_place(command), {})
        for words in [words for words in place if words != _words(command)]:
            del place[words]

    def settle(self, run: str, command: RawCommand) -> None:
        """Note that it is known what became of a command."""
        places = self._runs.get(run, {})
        places.get(_place(command), {}).pop(_words(command), None)


def _place(command: RawCommand) -> _Place:
    return (command.raw_device_id, command.component_id, command.capability)


def _words(command: RawCommand) -> _Words:
    return (command.command, json.dumps(command.positional, sort_keys=True, default=str))
