"""Commands that were sent in a run and did not surely take effect.

Within one run a command in doubt is never sent again: a channel would go up twice,
an order would be placed twice. One that was refused is not sent again before the
device is different from then: the answer would be the same, and each request counts.
"""

import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from ..commands.expectation import Expectation
from ..commands.goals import Values
from ..home_types import Outcome
from .commands import RawCommand

_MOST_RUNS: Final = 100

type _Place = tuple[str, str, str]
type _Words = tuple[str, str]


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
