"""Stored routines are read back unchanged; unreadable ones are reported."""

import dataclasses
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from custom_components.sage.routines import codec
from custom_components.sage.routines.codec import (
    FIRING,
    MEMO,
    ROUTINE,
    FiringRow,
    Record,
    number_firing,
    read_firing,
    read_memo,
    read_routine,
    read_value,
    write_firing,
    write_memo,
    write_routine,
    write_value,
)
from custom_components.sage.routines.routine_types import (
    Condition,
    Daily,
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Moment,
    NewFiring,
    Routine,
    RoutineKind,
    Status,
    UnreadableError,
)

from .drawing import NOON, Drawing

SEEDS = range(150)


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_is_read_as_it_was_written(seed: int):
    drawing = Drawing(seed)
    routine, memo, firing = drawing.routine(), drawing.memo(), drawing.firing()

    assert read_routine(write_routine(routine)) == routine
    assert read_memo(write_memo(memo)) == memo
    assert read_firing(write_firing(firing)) == firing
    # What stands in the file is ASCII, whatever was said.
    assert write_routine(routine).isascii()


def test_drawing_reaches_all_that_there_is():
    drawn = [Drawing(seed).routine() for seed in SEEDS]

    assert {type(each.trigger) for each in drawn} == {Condition, Moment, Daily}
    assert {each.status for each in drawn} == set(Status)
    for field in dataclasses.fields(Routine):
        assert len({repr(getattr(each, field.name)) for each in drawn}) > 1, field.name


@pytest.mark.parametrize(("record", "kind"), [(ROUTINE, Routine), (MEMO, Memo), (FIRING, Firing)])
def test_no_field_is_forgotten(record: Record[Any], kind: type[Any]):
    # A number has a column of its own.
    assert record.names == {field.name for field in dataclasses.fields(kind)} - {"number"}


def test_an_error_that_was_stored_as_a_text_is_still_read():
    stored = json.loads(write_routine(Drawing(0).routine()))

    old = read_routine(json.dumps(stored | {"trouble": "line 2: NameError: no lamp"}))
    none = read_routine(json.dumps(stored | {"trouble": ""}))

    assert str(old.trouble) == "line 2: NameError: no lamp"
    assert none.trouble is None


def test_times_keep_their_moment_and_zone_in_values():
    at = datetime(2026, 10, 25, 2, 30, tzinfo=UTC).astimezone(None)

    read = read_value(json.loads(json.dumps(write_value({"at": at, "list": (1, at)}))))

    assert read == {"at": at, "list": [1, at]}
    assert isinstance(read, dict)
    assert read["at"].utcoffset() == at.utcoffset()


@pytest.mark.parametrize(
    "value",
    [
        {"$datetime": "not a time"},
        {"$mapping": {"$datetime": 1}},
        {"$datetime": "2026-05-03T12:00:00+00:00", "more": 1},
        {"a": {"$mapping": []}},
    ],
)
def test_what_looks_like_a_mark_is_data(value: Any):
    assert read_value(json.loads(json.dumps(write_value(value)))) == value


@pytest.mark.parametrize("value", [{1: 2}, {"a": b"bytes"}, {"a": {1, 2}}, {"a": object()}])
def test_what_json_cannot_keep_is_refused(value: Any):
    with pytest.raises(ValueError, match="stored"):
        write_memo(Memo(state=value))


def test_a_time_without_zone_is_refused():
    naive = NOON.replace(tzinfo=None)
    for memo in (Memo(next_due=naive), Memo(state={"at": naive})):
        with pytest.raises(ValueError, match="time zone"):
            write_memo(memo)


def changed(data: dict[str, Any], **changes: Any) -> str:
    return json.dumps(data | changes)


def test_a_field_that_an_older_version_did_not_have_gets_its_default():
    routine = Drawing(1).routine()
    data = json.loads(write_routine(routine))
    for field in dataclasses.fields(Routine):
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            continue
        data.pop(field.name, None)

    read = read_routine(json.dumps(data))

    assert read.status is Status.WATCHING
    assert read.kind is RoutineKind.DO
    assert read.bindings == {}
    assert (read.action, read.notify, read.needs_model) == (None, False, True)
    assert (read.id, read.trigger) == (routine.id, routine.trigger)


@pytest.mark.parametrize("name", sorted(ROUTINE.names))
def test_every_field_of_a_routine_is_looked_at(name: str):
    data = json.loads(write_routine(Drawing(1).routine()))

    for wrong in (3.5, [3.5], {"3.5": 3.5}):
        with pytest.raises(UnreadableError):
            read_routine(changed(data, **{name: wrong}))


@pytest.mark.parametrize("name", sorted(MEMO.names - {"state"}))
def test_every_field_of_a_memo_is_looked_at(name: str):
    with pytest.raises(UnreadableError):
        read_memo(json.dumps({name: [3.5]}))


@pytest.mark.parametrize("name", sorted(FIRING.names - {"id", "routine_id", "edge", "step"}))
def test_every_field_of_a_firing_is_looked_at(name: str):
    row = write_firing(Drawing(1).firing())
    data = changed(json.loads(row.data), **{name: [3.5]})

    with pytest.raises(UnreadableError):
        read_firing(dataclasses.replace(row, data=data))


NEWER: dict[str, Callable[[], object]] = {
    "a status": lambda: read_routine(changed(some_routine(), status="dreaming")),
    "a field": lambda: read_routine(changed(some_routine(), mood="good")),
    "a trigger": lambda: read_routine(changed(some_routine(), trigger={"sunset": {}})),
    "a field of a trigger": lambda: read_routine(
        changed(some_routine(), trigger={"moment": {"at": NOON.isoformat(), "late": True}})
    ),
    "an action": lambda: read_routine(changed(some_routine(), action={"dream": {}})),
    "a field of a command": lambda: read_routine(
        changed(some_routine(), action={"commands": {"commands": [{"mood": "good"}]}})
    ),
    "a field of a memo": lambda: read_memo('{"mood": "good"}'),
    "a step": lambda: read_firing(some_row(step="dreamt")),
    "an edge": lambda: read_firing(some_row(edge="both")),
}


def some_routine() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(write_routine(Drawing(1).routine()))
    return data


def some_row(**changes: Any) -> FiringRow:
    return dataclasses.replace(write_firing(Drawing(1).firing()), **changes)


@pytest.mark.parametrize("what", NEWER)
def test_what_is_of_a_newer_version_is_said_to_be(what: str):
    with pytest.raises(UnreadableError, match="newer version of SAGE"):
        NEWER[what]()


@pytest.mark.parametrize("text", ["", "[1", "[]", "null", '"text"', "{}"])
def test_what_is_damaged_is_told(text: str):
    with pytest.raises(UnreadableError):
        read_routine(text)
    with pytest.raises(UnreadableError):
        read_firing(some_row(data=text))


@pytest.mark.parametrize("at", ["yesterday", "2026-05-03T12:00:00", ""])
def test_a_time_that_is_none_is_told(at: str):
    with pytest.raises(UnreadableError):
        read_memo(json.dumps({"next_due": at}))
    with pytest.raises(UnreadableError):
        read_memo(json.dumps({"state": {"at": {"$datetime": at}}}))
    with pytest.raises(UnreadableError):
        read_routine(changed(some_routine(), trigger={"daily": {"at": "25:00", "weekdays": []}}))


def test_the_state_of_a_memo_is_a_mapping():
    with pytest.raises(UnreadableError):
        read_memo(json.dumps({"state": {"$datetime": NOON.isoformat()}}))


def test_an_edge_becomes_a_firing_that_is_journaled():
    edge = NewFiring(routine_id="a", edge=EdgeKind.OFF, at=NOON, chain=("b", "a"))

    firing = number_firing(edge, 7)

    assert firing == Firing(
        id=7,
        routine_id="a",
        edge=EdgeKind.OFF,
        at=NOON,
        chain=("b", "a"),
        step=FiringStep.JOURNALED,
    )


def test_a_hold_is_kept_to_the_microsecond():
    trigger = Condition(function="f", source="s", hold=timedelta(days=9, microseconds=1))
    routine = Drawing(1).routine(trigger=trigger)

    assert read_routine(write_routine(routine)).trigger == trigger
    assert codec.TRIGGER.write(trigger)["condition"]["hold"] == 9 * 86_400_000_000 + 1
