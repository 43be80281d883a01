"""Stored routines are read back unchanged; data that cannot be read is refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final

import pytest

from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines.codec import read, write
from custom_components.sage.routines.routine_types import (
    Commands,
    Condition,
    Daily,
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Repeat,
    Routine,
    RoutineKind,
    Status,
    StoredCommand,
    Words,
)
from custom_components.sage.routines.sandbox.contract import CheckError, Fault

from .drawing import NOON, Drawing

SEEDS = range(50)

ROUTINE: Final = (
    '{"id":"01K9","owner":"anna","known_by":"sign_in","agent_id":"1","language":"en",'
    '"request":"water it","when":"it is dry","command":"water it","trigger":{"condition":'
    '{"function":"f","source":"def f(): return True","interval":10.0,"hold":90000000}},'
    '"repeat":"always","created_at":"2026-05-03T12:00:00+00:00","kind":"do","action":{"commands":'
    '{"commands":[{"target":"entity:1","name":"Tap","command":"turn_on","arguments":{"at":'
    '{"$datetime":"2026-05-03T12:00:00+00:00"}},"component":"","capability":""}]}},"notify":true,'
    '"undo_after":true,"end":null,"end_when":"","expires":"2026-05-03T12:00:00+00:00","room":null,'
    '"satellite_id":null,"device_id":null,"tainted":false,"bindings":{"tap":"entity:1"},'
    '"status":"failing","paused_until":null,"set_aside":null,"is_repaired":true,"trouble":'
    '{"fault":"exception","message":"no","line":2,"hint":"","detail":""}}'
)


def test_the_format_of_files_that_homes_have():
    assert read(Routine, ROUTINE) == Routine(
        id="01K9",
        owner="anna",
        known_by=KnownBy.SIGN_IN,
        agent_id="1",
        language="en",
        request="water it",
        when="it is dry",
        command="water it",
        trigger=Condition(function="f", source="def f(): return True", hold=timedelta(seconds=90)),
        repeat=Repeat.ALWAYS,
        created_at=NOON,
        kind=RoutineKind.DO,
        action=Commands(
            commands=(
                StoredCommand(
                    target="entity:1", name="Tap", command="turn_on", arguments={"at": NOON}
                ),
            )
        ),
        notify=True,
        undo_after=True,
        expires=NOON,
        bindings={"tap": "entity:1"},
        status=Status.FAILING,
        is_repaired=True,
        trouble=CheckError(fault=Fault.EXCEPTION, message="no", line=2),
    )
    daily = '{"daily":{"at":"07:00:00","weekdays":[0,4]}}'
    words = '{"words":{"text":"Milk!"}}'
    stored = json.loads(ROUTINE) | {"trigger": json.loads(daily), "action": json.loads(words)}
    routine = read(Routine, json.dumps(stored))
    assert routine.trigger == Daily(at=time(7), weekdays=frozenset({0, 4}))
    assert routine.action == Words(text="Milk!")
    memo = '{"before":null,"true_since":"2026-05-03T12:00:00+00:00","state":{"n":1},"fired":3}'
    assert read(Memo, memo) == Memo(true_since=NOON, state={"n": 1}, fired=3)
    firing = '{"at":"2026-05-03T12:00:00+00:00","chain":["a"],"answer":"","undo":{"n":[1]}}'
    assert read(Firing, firing, id=1, routine_id="a", edge="off", step="done") == Firing(
        id=1,
        routine_id="a",
        edge=EdgeKind.OFF,
        at=NOON,
        step=FiringStep.DONE,
        undo={"n": [1]},
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_is_read_as_it_was_written(seed: int):
    drawing = Drawing(seed)
    for record in (drawing.routine(), drawing.memo(), drawing.firing()):
        written = write(record)
        assert read(type(record), written) == record
        assert written.isascii()


@pytest.mark.parametrize(
    "value",
    [
        {"at": datetime(2026, 10, 25, 2, 30, tzinfo=UTC).astimezone(None), "list": [1, [NOON]]},
        {"$datetime": "not a time"},
        {"$mapping": {"$datetime": 1}},
        {"$datetime": "2026-05-03T12:00:00+00:00", "more": 1},
        {"a": {"$mapping": []}},
    ],
)
def test_what_looks_like_a_mark_is_data(value: dict[str, Any]):
    assert read(Memo, write(Memo(state=value))).state == value


def test_half_a_surrogate_pair_costs_no_routine():
    routine = replace(read(Routine, ROUTINE), command="\ud83d milk")
    assert read(Routine, write(routine)).command == "? milk"


@pytest.mark.parametrize(
    "state",
    [{1: 2}, {"a": b"bytes"}, {"a": {1, 2}}, {"a": object()}, {"a": NOON.replace(tzinfo=None)}],
)
def test_what_json_cannot_keep_is_refused(state: Any):
    with pytest.raises(ValueError, match=r"stored|time zone"):
        write(Memo(state=state))


def changed(**changes: Any) -> Callable[[], object]:
    return lambda: read(Routine, json.dumps(json.loads(ROUTINE) | changes))


UNREADABLE: dict[str, Callable[[], object]] = {
    "a newer status": changed(status="dreaming"),
    "a newer field": changed(mood="good"),
    "a newer trigger": changed(trigger={"sunset": {}}),
    "a newer field of a trigger": changed(trigger={"moment": {"at": str(NOON), "late": True}}),
    "a newer action": changed(action={"dream": {}}),
    "a newer field of a command": changed(action={"commands": {"commands": [{"mood": "good"}]}}),
    "a newer field of a memo": lambda: read(Memo, '{"mood": "good"}'),
    "no JSON": lambda: read(Routine, "[1"),
    "no object": lambda: read(Routine, "null"),
    "no field": lambda: read(Routine, "{}"),
    "no text": changed(command=[1]),
    "no time": changed(created_at="yesterday"),
    "no time zone": changed(expires="2026-05-03T12:00:00"),
    "no clock time": changed(trigger={"daily": {"at": "25:00", "weekdays": []}}),
    "no time in the state": lambda: read(Memo, '{"state": {"at": {"$datetime": ""}}}'),
    "no mapping": lambda: read(Memo, '{"state": {"$datetime": "2026-05-03T12:00:00+00:00"}}'),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_damaged_or_of_a_newer_version_is_not_read(what: str):
    with pytest.raises(ValueError):  # noqa: PT011
        UNREADABLE[what]()
