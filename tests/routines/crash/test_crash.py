"""Kill -9 between any two steps loses no routine and no edge, and repeats no command."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from custom_components.sage.routines.routine_types import (
    Condition,
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Repeat,
    Routine,
    Status,
)
from custom_components.sage.routines.store import RoutineStore
from tests.memory.crash_points import JudgementError, driven
from tests.routines.drawing import NOON, Drawing

from .judge import Judge
from .points import POINTS
from .world import SENSORS, Row


@pytest.mark.slow
def test_200_kills_lose_no_routine_and_no_edge_and_repeat_no_command(tmp_path: Path):
    ways: Counter[str] = Counter()
    named: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    for result in driven("tests.routines.crash.driver", tmp_path):
        ways.update(result.pop("ways"))
        named.update(result.pop("named"))
        sums.update(result)

    assert ways.total() >= 200
    assert named.total() >= 100
    assert set(named) == set(POINTS)
    assert set(ways) == {"point", "step", "torn", "outside"}
    assert sums["edges"] > 500
    assert sums["interrupted"] > 30
    assert sums["acknowledged"] > 500


ON_ROW: Row = dict.fromkeys(SENSORS, "on")
OFF_ROW: Row = dict.fromkeys(SENSORS, "off")
SCRIPT = [OFF_ROW, ON_ROW, OFF_ROW, ON_ROW]
WATCHED: tuple[dict[str, Any], ...] = (
    {"step": 0},
    {"seen": 0},
    {"create": "a", "sensor": SENSORS[0], "once": False, "undo": True},
    {"created": "a"},
    {"step": 1},
    {"seen": 1},
)


class Case:
    """A home with one routine whose sensor went on; its record is written by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.judge = Judge(folder, SCRIPT)
        self.routine: Routine = Drawing(1).routine(
            id="a",
            trigger=Condition(function="f", source=SENSORS[0]),
            status=Status.WATCHING,
            undo_after=True,
            repeat=Repeat.ALWAYS,
            action=None,
        )
        self.firing: Firing
        self.ledgers = 0
        store = RoutineStore.open(folder / "routines.db")
        store.add(self.routine, Memo(before=False))
        (self.firing,) = self.edge(store)
        store.close()
        self.follow(*WATCHED)

    def edge(self, store: RoutineStore, kind: EdgeKind = EdgeKind.ON) -> tuple[Firing, ...]:
        is_on = kind is EdgeKind.ON
        memo = Memo(before=is_on, fired=1, last_fired=NOON)
        return store.commit({"a": memo}, [Firing(routine_id="a", edge=kind, at=NOON)])

    def note(self, *steps: FiringStep, answer: str = "", firing: Firing | None = None) -> None:
        """Take steps with the firing, as a queue does."""
        store = RoutineStore.open(self.folder / "routines.db")
        for step in steps:
            self.firing = Drawing(1).firing(
                **{
                    name: getattr(firing or self.firing, name)
                    for name in ("id", "routine_id", "edge", "at")
                },
                step=step,
                answer=answer,
                is_failure=False,
                undo={"of": 1},
            )
            assert store.note(self.firing)
        store.close()

    def change(self, statement: str) -> None:
        with closing(sqlite3.connect(self.folder / "routines.db")) as connection, connection:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(statement)

    def follow(self, *told: dict[str, Any], done: tuple[dict[str, Any], ...] = ()) -> None:
        """Let the judge check a process with these lines and these files."""
        self.ledgers += 1
        ledger = self.folder / f"{self.ledgers}.jsonl"
        ledger.write_text("".join(json.dumps({"routine": "a"} | line) + "\n" for line in done))
        self.judge.follow(told, ledger)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case(tmp_path)


FIRST, SECOND = {"command": "1/1", "id": 1}, {"command": "1/2", "id": 1}
TOLD = {"told": "done", "id": 1, "edge": "on"}
STARTED, DONE, DELIVERED = FiringStep.STARTED, FiringStep.DONE, FiringStep.DELIVERED


def test_the_judge_lets_pass_what_is_right(case: Case):
    case.note(STARTED, DONE, answer="done")
    case.follow(done=(FIRST, SECOND))
    case.follow(done=(TOLD,))
    case.note(DELIVERED, answer="done")
    case.follow(done=(TOLD,))
    case.judge.finish()


def test_the_judge_misses_an_edge(case: Case):
    case.change("DELETE FROM firings")
    case.judge = Judge(case.folder, SCRIPT)
    with pytest.raises(JudgementError, match="Edges lost"):
        case.follow(*WATCHED)


def test_the_judge_sees_an_edge_that_was_found_twice(case: Case):
    case.change(
        "INSERT INTO firings (routine, edge, step, data) SELECT "
        "routine, edge, step, data FROM firings"
    )
    with pytest.raises(JudgementError, match="twice"):
        case.follow()


def test_the_judge_sees_repeated_commands(case: Case):
    case.note(STARTED)
    case.follow(done=(FIRST,))
    with pytest.raises(JudgementError, match="repeated"):
        case.follow(done=(FIRST,))


@pytest.mark.parametrize("done", [(), (FIRST, SECOND)])
def test_the_judge_misses_what_nobody_was_told(case: Case, done: tuple[dict[str, Any], ...]):
    case.follow()
    case.note(STARTED, DONE, answer="done")
    case.change("DELETE FROM firings")
    with pytest.raises(JudgementError, match="Nobody was told"):
        case.follow(done=done)


def test_the_judge_sees_what_is_never_told(case: Case):
    case.follow()
    with pytest.raises(JudgementError, match="Never told"):
        case.judge.finish()


def test_the_judge_misses_what_was_to_be_put_back(case: Case):
    case.note(STARTED, DONE, DELIVERED, answer="done")
    case.follow(done=(FIRST, SECOND, TOLD))
    store = RoutineStore.open(case.folder / "routines.db")
    (off,) = case.edge(store, EdgeKind.OFF)
    store.close()
    case.note(STARTED, DONE, DELIVERED, answer="undone", firing=off)
    case.follow({"step": 2}, {"seen": 2}, done=({"told": "undone", "id": off.id, "edge": "off"},))
    with pytest.raises(JudgementError, match="Not put back"):
        case.judge.finish()

    case.follow(done=({"undo": 1},))
    case.judge.finish()
    with pytest.raises(JudgementError, match="put back twice"):
        case.follow(done=({"undo": 1},))
