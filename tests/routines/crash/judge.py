"""Knows what the world did and what was acknowledged, and holds what is left against it."""

import copy
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from custom_components.sage.routines.routine_types import EdgeKind, Firing, FiringStep, Status
from custom_components.sage.routines.store import RoutineStore, Stored
from tests.memory.crash_points import JudgementError

from .world import Row, value_of


@dataclass(slots=True, kw_only=True)
class Expected:
    """What has to be known of a routine."""

    id: str
    sensor: str | None  # None for one with a clock time
    once: bool
    undo: bool
    action: str = "NoneType"  # the kind of what it does, as it was acknowledged
    before: bool | None = None
    ons: int = 0
    offs: int = 0
    ended: bool = False
    deleted: bool = False

    def see(self, row: Row) -> None:
        """Take in a step of the world."""
        value = None if self.sensor is None else value_of(row, self.sensor)
        if self.ended or value is None:
            return
        if value and self.before is False:
            self.ons += 1
            self.ended = self.once and not self.undo
        if not value and self.before and self.undo and self.ons:
            self.offs += 1
            self.ended = self.once
        self.before = value

    def fire(self) -> None:
        if self.sensor is None:
            self.ons, self.ended = 1, True


@dataclass(slots=True)
class Ledgers:
    """What was really done, by firing."""

    commands: Counter[str] = field(default_factory=Counter)
    undone: Counter[int] = field(default_factory=Counter)
    told: dict[int, list[str]] = field(default_factory=dict)
    edges: dict[str, dict[int, EdgeKind]] = field(default_factory=dict)
    """By routine, the firings that are known of."""

    sent: dict[str, set[str]] = field(default_factory=dict)
    """By routine, number:target of its commands; without a target where a model decides."""

    def read(self, path: Path) -> None:
        """Take in what one process did; a last line that was cut off was not done."""
        for text in path.read_bytes().split(b"\n")[:-1]:
            line = json.loads(text)
            edges = self.edges.setdefault(line["routine"], {})
            if "command" in line:
                self.commands[line["command"]] += 1
                number = line["command"].partition("/")[2]
                target = line.get("target", "")
                self.sent.setdefault(line["routine"], set()).add(f"{number}:{target}")
                edges[line["id"]] = EdgeKind.ON
            elif "undo" in line:
                self.undone[line["undo"]] += 1
            else:
                self.told.setdefault(line["id"], []).append(line["told"])
                edges[line["id"]] = EdgeKind(line["edge"])

    def has_done(self, number: int) -> bool:
        """Whether all commands of a firing were sent."""
        return bool(self.commands[f"{number}/2"])


class Judge:
    """Follows one process after the other."""

    def __init__(self, folder: Path, script: list[Row]) -> None:
        self._path = folder / "routines.db"
        self._script = script
        self._row: Row = {}
        self._expected: dict[str, Expected] = {}
        self._ledgers = Ledgers()
        self._left: dict[int, Firing] = {}
        """The messages that were not delivered when the last process ended."""

        self._numbers: dict[int, str] = {}  # by number, the routine that was ever seen with it
        self.acknowledged = 0
        self.interrupted = 0

    @property
    def edges(self) -> int:
        return sum(each.ons + each.offs for each in self._expected.values())

    def follow(self, lines: Iterable[Mapping[str, Any]], ledger: Path) -> None:
        """Read the lines of a process until it ended, then check its files."""
        told_before = {number: len(told) for number, told in self._ledgers.told.items()}
        begun_before = set(self._ledgers.commands)
        if ledger.exists():
            self._ledgers.read(ledger)
        pending: Mapping[str, Any] | None = None
        for line in lines:
            if not line.keys() & {"step", "create", "delete"}:
                assert pending is not None
                self._done(pending, line)
                self.acknowledged += 1
                pending = None
            else:
                pending = line
        self._judge_told(told_before, begun_before)
        self._look(pending)

    def finish(self) -> None:
        """Look at the end, when nothing is under way any more."""
        if self._left:
            raise JudgementError(f"Never told: {sorted(self._left)}")
        for each in self._expected.values():
            if each.deleted:
                continue
            if each.sensor is None and not each.ended:
                raise JudgementError(f"Its time never came: {each.id}")
            self._judge_undone(each)

    def _done(self, begun: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        if "step" in begun:
            assert line["seen"] == begun["step"]
            self._row = self._script[begun["step"]]
            for each in self._alive():
                each.see(self._row)
        elif "create" in begun and "refused" not in line:
            self._add(begun)
        elif "delete" in begun:
            self._expected[begun["delete"]].deleted = True

    def _add(self, begun: Mapping[str, Any]) -> None:
        made = Expected(
            id=begun["create"],
            sensor=begun["sensor"],
            once=begun["once"],
            undo=begun["undo"],
            action=begun.get("action", "NoneType"),
        )
        made.see(self._row)
        self._expected[made.id] = made

    def _alive(self) -> list[Expected]:
        return [each for each in self._expected.values() if not each.deleted]

    def _judge_told(self, told_before: Mapping[int, int], begun_before: set[str]) -> None:
        """Look at what the process did with what the one before left."""
        if twice := [each for each, count in self._ledgers.commands.items() if count > 1]:
            raise JudgementError(f"Commands were repeated: {twice}")
        if twice_undone := [each for each, count in self._ledgers.undone.items() if count > 1]:
            raise JudgementError(f"Something was put back twice: {twice_undone}")
        for number, told in self._ledgers.told.items():
            before = told_before.get(number, 0)
            again = before and len(told) > before and number not in self._left
            if again or len(told) - before > 1:
                raise JudgementError(f"Told again without need: {number}, {told}")
            if len(set(told)) > 1:
                raise JudgementError(f"Told in two ways: {number}, {told}")
        begun = self._ledgers.commands.keys() - begun_before
        for left in self._left.values():
            self._judge_left(left, begun)

    def _judge_left(self, left: Firing, begun: set[str]) -> None:
        """Look at what became of a firing that was not delivered."""
        number = left.id
        told = self._ledgers.told.get(number)
        if left.step is FiringStep.STARTED:
            if begun & {f"{number}/1", f"{number}/2"}:
                raise JudgementError(f"Carried on with what was interrupted: {number}")
            if told and told[0] != "interrupted":
                raise JudgementError(f"Interrupted, and told otherwise: {number}, {told}")
            self.interrupted += told is not None
        if left.step is FiringStep.DONE and told and told[0] != left.answer:
            raise JudgementError(f"Another answer was told: {number}, {told}")

    def _look(self, pending: Mapping[str, Any] | None) -> None:
        """Open the file as after a crash, and compare."""
        store = RoutineStore.open(self._path)
        try:
            with closing(sqlite3.connect(self._path)) as connection:
                found = connection.execute("PRAGMA foreign_key_check").fetchall()
            stored = store.load()
        finally:
            store.close()
        if found:
            raise JudgementError(f"Rows hang on nothing: {found}")
        if stored.unreadable:
            raise JudgementError("Something cannot be read.")
        for routine in stored.routines:
            if self._numbers.setdefault(routine.number, routine.id) != routine.id:
                raise JudgementError(f"A number was given twice: {routine.number}")
        if len(set(self._numbers.values())) < len(self._numbers):
            raise JudgementError(f"A routine has another number than before: {self._numbers}")
        self._settle(stored, pending or {})
        for each in self._alive():
            self._compare(each, stored, pending or {})
        if unknown := {each.id for each in stored.routines} - {each.id for each in self._alive()}:
            raise JudgementError(f"What was deleted is there, or what nobody made: {unknown}")
        self._left = {each.id: each for each in stored.firings}
        self._count(stored)
        self._judge_actions(stored)

    def _settle(self, stored: Stored, pending: Mapping[str, Any]) -> None:
        """Find out whether the begun action was executed."""
        there = {each.id for each in stored.routines}
        if pending.get("create") in there:
            self._add(pending)
        if "delete" in pending and pending["delete"] not in there:
            self._expected[pending["delete"]].deleted = True
        if "step" in pending and not self._row:
            self._row = self._script[pending["step"]]

    def _compare(self, each: Expected, stored: Stored, pending: Mapping[str, Any]) -> None:
        """Hold a routine against what it was, or is after the step that was begun."""
        after = copy.copy(each)
        if "step" in pending:
            after.see(self._script[pending["step"]])
        after.fire()
        for candidate in (each, after):
            if self._fits(candidate, stored):
                self._expected[each.id] = candidate
                return
        raise JudgementError(f"Lost, or not as acknowledged: {each}, {_found(each.id, stored)}")

    def _fits(self, each: Expected, stored: Stored) -> bool:
        routine = next((found for found in stored.routines if found.id == each.id), None)
        if routine is None:
            # It is deleted when it has ended and everything was reported.
            return each.ended
        memo = stored.memos[each.id]
        is_ended = routine.status is Status.ENDED
        if is_ended != each.ended or (not is_ended and routine.status is not Status.WATCHING):
            return False
        return (memo.before, memo.fired) == (each.before, each.ons)

    def _count(self, stored: Stored) -> None:
        """Find each edge once: in the journal, or reported."""
        for firing in stored.firings:
            edges = self._ledgers.edges.setdefault(firing.routine_id, {})
            edges[firing.id] = firing.edge
        for each in self._expected.values():
            kinds = Counter(self._ledgers.edges.get(each.id, {}).values())
            too_few = kinds[EdgeKind.ON] < each.ons and not each.deleted
            if too_few or kinds[EdgeKind.ON] > each.ons + each.deleted:
                raise JudgementError(f"Edges lost or found twice: {each}, {kinds}")
            if kinds[EdgeKind.OFF] > each.offs + each.deleted:
                raise JudgementError(f"OFF edges found twice: {each}, {kinds}")
        for number, told in self._ledgers.told.items():
            if told[0] == "done" and not self._ledgers.has_done(number):
                raise JudgementError(f"Told as done, but was not: {number}")
        waiting = {each.id for each in stored.firings}
        for routine_id, edges in self._ledgers.edges.items():
            # Only OFF edges that restore something are reported.
            ons = {number for number, kind in edges.items() if kind is EdgeKind.ON}
            for number in ons - waiting - self._ledgers.told.keys():
                if not self._expected[routine_id].deleted:
                    raise JudgementError(f"Nobody was told: {routine_id}, {number}")

    def _judge_actions(self, stored: Stored) -> None:
        """Check that each routine does what was acknowledged, and nothing of another one."""
        for routine in stored.routines:
            expected = self._expected[routine.id]
            found = type(routine.action).__name__
            if found != expected.action:
                raise JudgementError(f"Does something else: {routine.id}, {found}")
        for routine_id, sent in self._ledgers.sent.items():
            own = {f"{number}:{routine_id}/{number}" for number in (1, 2)}
            if sent - own - {"1:", "2:"}:
                raise JudgementError(f"Commands of another routine were sent: {routine_id}, {sent}")
        for expected in self._expected.values():
            firings = self._ledgers.edges.get(expected.id, {})
            told = {text for number in firings for text in self._ledgers.told.get(number, ())}
            is_words = expected.action == "Words"
            if is_words and expected.id in self._ledgers.sent:
                raise JudgementError(f"Commands were sent for words: {expected.id}")
            if is_words and told - {f"words of {expected.id}", "interrupted"}:
                raise JudgementError(f"Other words were told: {expected.id}, {told}")

    def _judge_undone(self, each: Expected) -> None:
        """Look whether what a finished run changed was put back at the OFF edge after it."""
        edges = self._ledgers.edges.get(each.id, {})
        ons = sorted(number for number, kind in edges.items() if kind is EdgeKind.ON)
        for place, number in enumerate(ons):
            is_over = place < each.offs
            is_done = self._ledgers.told[number][0] == "done"
            is_undone = bool(self._ledgers.undone[number])
            if is_undone and not (is_over and is_done):
                raise JudgementError(f"Put back without need: {each}, {number}")
            if is_over and is_done and not is_undone:
                after = ons[place + 1] if place + 1 < len(ons) else max(edges) + 1
                broken_off = [
                    off
                    for off, kind in edges.items()
                    if kind is EdgeKind.OFF
                    and number < off <= after
                    and "interrupted" in self._ledgers.told.get(off, ())
                ]
                if not broken_off:
                    raise JudgementError(f"Not put back, nor told: {each}, {number}")


def _found(routine_id: str, stored: Stored) -> object:
    return (
        [each.status for each in stored.routines if each.id == routine_id],
        stored.memos.get(routine_id),
        [each for each in stored.firings if each.routine_id == routine_id],
    )
