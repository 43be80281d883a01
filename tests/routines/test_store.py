"""The file of the routines: all of a commit or nothing, and nothing lost."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from custom_components.sage.routines.routine_types import (
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Routine,
    RoutineError,
    RoutineStoreError,
    Status,
    StoreClosedError,
)
from custom_components.sage.routines.store import FILE, RoutineStore, Stored
from custom_components.sage.storage.async_file import recover

from .drawing import NOON, Drawing


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sage" / "routines.db"


@pytest.fixture
def store(path: Path) -> Iterator[RoutineStore]:
    opened = RoutineStore.open(path)
    yield opened
    opened.close()


def routine(name: str, **fixed: object) -> Routine:
    return Drawing(7).routine(id=name, **{"status": Status.WATCHING, "undo_after": True} | fixed)


def edge(name: str, kind: EdgeKind = EdgeKind.ON, *, minutes: float = 0) -> Firing:
    return Firing(routine_id=name, edge=kind, at=NOON + timedelta(minutes=minutes))


def journal(store: RoutineStore, *edges: Firing) -> tuple[Firing, ...]:
    return store.commit({}, edges)


def take(store: RoutineStore, firing: Firing, *steps: FiringStep, **changes: object) -> Firing:
    """Take steps with a firing, as the queue does; the changes come with the last one."""
    for step in steps:
        firing = replace(firing, step=step)
        if step is steps[-1]:
            firing = replace(firing, **changes)  # type: ignore[arg-type]
        assert store.note(firing)
    return firing


STARTED, DONE, DELIVERED = FiringStep.STARTED, FiringStep.DONE, FiringStep.DELIVERED


def loaded(path: Path) -> Stored:
    with closing(RoutineStore.open(path)) as again:
        return again.load()


def test_what_was_added_is_there_again_in_its_order(store: RoutineStore, path: Path):
    drawing = Drawing(3)
    routines = [drawing.routine(id=name) for name in ("b", "a", "c")]
    memos = {each.id: drawing.memo() for each in routines}
    for each in routines:
        store.add(each, memos[each.id])
    store.close()

    assert loaded(path) == Stored(routines=tuple(routines), memos=memos)


def test_a_routine_is_replaced_where_it_stands(store: RoutineStore):
    for name in ("a", "b"):
        store.add(routine(name), Memo(fired=1))
    other = routine("a", status=Status.PAUSED, paused_until=NOON)

    store.replace(other)
    assert store.load() == Stored(
        routines=(other, routine("b")), memos={"a": Memo(fired=1), "b": Memo(fired=1)}
    )
    store.replace(other, Memo(fired=2))
    assert store.load().memos["a"] == Memo(fired=2)


def test_what_is_not_there_any_more_is_not_replaced(store: RoutineStore):
    with pytest.raises(RoutineStoreError, match="no such routine"):
        store.replace(routine("a"), Memo())
    store.add(routine("a"), Memo())
    store.remove("a")
    with pytest.raises(RoutineStoreError, match="no such routine"):
        store.replace(routine("a"), Memo())

    assert store.load() == Stored(routines=())


def test_a_commit_is_one_step(store: RoutineStore, path: Path):
    for name in ("a", "b"):
        store.add(routine(name), Memo())
    memos = {"a": Memo(before=True), "b": Memo(failures=2)}
    ended = routine("a", status=Status.ENDED)

    firings = store.commit(memos, [edge("a"), edge("b", EdgeKind.OFF, minutes=1)], [ended])

    assert [each.id for each in firings] == [1, 2]
    assert [each.step for each in firings] == [FiringStep.JOURNALED] * 2
    assert loaded(path) == Stored(routines=(ended, routine("b")), memos=memos, firings=firings)


def test_a_commit_that_fails_leaves_nothing(store: RoutineStore):
    store.add(routine("a"), Memo())
    before = store.load()

    with pytest.raises(ValueError, match="stored"):
        store.commit(
            {"a": Memo(state={"a": object()})},  # type: ignore[dict-item]
            [edge("a")],
            [routine("a", status=Status.ENDED)],
        )

    assert store.load() == before


def test_what_was_removed_meanwhile_is_left_out_of_a_commit(store: RoutineStore):
    for name in ("a", "b"):
        store.add(routine(name), Memo())
    store.remove("a")

    firings = store.commit(
        {"a": Memo(fired=1), "b": Memo(fired=1)}, [edge("a"), edge("b")], [routine("a")]
    )

    assert [each.routine_id for each in firings] == ["b"]
    assert store.load() == Stored(
        routines=(routine("b"),), memos={"b": Memo(fired=1)}, firings=firings
    )


def test_no_step_is_taken_twice_and_none_back(store: RoutineStore):
    store.add(routine("a"), Memo())
    (firing,) = journal(store, edge("a"))

    assert not store.note(replace(firing, step=DONE))
    assert not store.note(firing)
    started = take(store, firing, STARTED)
    assert not store.note(started)
    done = take(store, started, DONE, answer="Done.")
    assert not store.note(started)
    assert store.load().firings == (done,)
    delivered = take(store, done, DELIVERED)
    assert not store.note(done)
    assert not store.note(delivered)
    assert not store.note(replace(done, id=99))


def test_firings_go_with_their_routine(store: RoutineStore, path: Path):
    store.add(routine("a"), Memo())
    first, second = journal(store, edge("a"), edge("a"))
    started = take(store, first, STARTED)

    store.remove("a")

    assert loaded(path) == Stored(routines=())
    assert not store.note(replace(started, step=DONE))
    assert not store.note(replace(second, step=STARTED))
    store.remove("a")
    store.add(routine("a"), Memo())


def test_the_words_of_a_removed_routine_leave_the_file(store: RoutineStore, path: Path):
    for name in ("a", "b"):
        store.add(routine(name, command=f"#surprise-{name}"), Memo(state={"note": f"#{name}"}))
    (firing,) = journal(store, edge("a"))
    take(store, firing, STARTED, DONE, answer="The #answer")

    store.remove("a")

    store.close()
    found = path.read_bytes()
    assert b"#surprise-b" in found
    for word in (b"#surprise-a", b'"#a"', b"#answer"):
        assert word not in found


def test_what_an_on_edge_changed_is_kept_until_the_off_edge(path: Path, store: RoutineStore):
    store.add(routine("a"), Memo())
    (on,) = journal(store, edge("a"))
    assert store.last_fired("a") is None
    take(store, on, STARTED)
    assert store.last_fired("a") is None
    done = take(store, replace(on, step=STARTED), DONE, undo={"light": "off"})
    assert store.last_fired("a") == done
    delivered = take(store, done, DELIVERED)
    assert store.load().firings == ()
    assert store.last_fired("a") == delivered
    (off,) = journal(store, edge("a", EdgeKind.OFF))
    assert store.last_fired("a", off.id) == delivered

    take(store, off, STARTED, DONE, DELIVERED)

    assert store.last_fired("a") is None
    assert rows(path) == 0


def test_only_the_last_one_is_kept_to_be_put_back(path: Path, store: RoutineStore):
    store.add(routine("a"), Memo())
    first, second, third = journal(store, edge("a"), edge("a"), edge("a"))

    take(store, first, STARTED, DONE, DELIVERED, undo={"n": 1})
    second = take(store, second, STARTED, DONE, DELIVERED, undo={"n": 2})
    take(store, third, STARTED, DONE, DELIVERED)

    assert store.last_fired("a") == second
    assert rows(path) == 1


def test_what_another_off_edge_puts_back_is_left_to_it(store: RoutineStore):
    store.add(routine("a"), Memo())
    on, off, again, off_again = journal(
        store, edge("a"), edge("a", EdgeKind.OFF), edge("a"), edge("a", EdgeKind.OFF)
    )
    done = take(store, on, STARTED, DONE, undo={"n": 1})
    take(store, off, STARTED)
    take(store, again, STARTED, DONE)

    assert store.last_fired("a", off.id) == done
    assert store.last_fired("a", off_again.id) is None


def numbers(path: Path) -> dict[str, int]:
    return {each.id: each.number for each in loaded(path).routines}


def test_numbers_of_routines_are_never_given_twice(store: RoutineStore, path: Path):
    assert [store.add(routine(name), Memo()).number for name in "abc"] == [1, 2, 3]
    store.remove("c")
    store.close()

    with closing(RoutineStore.open(path)) as again:
        again.replace(routine("b", command="other"))
        assert again.add(routine("d"), Memo()).number == 4
        again.remove("d")
    recover(path, FILE)
    with closing(RoutineStore.open(path)) as again:
        assert again.add(routine("e"), Memo()).number == 5

    assert numbers(path) == {"a": 1, "b": 2, "e": 5}


def test_nothing_of_somebodys_routines_is_left_after_a_purge(store: RoutineStore, path: Path):
    for name, owner in (("a", "anna"), ("b", "ben"), ("c", "anna"), ("d", "anna")):
        store.add(routine(name, owner=owner, command=f"#surprise-{name}"), Memo())
    firings = journal(store, *(edge(name) for name in "abc"))
    take(store, firings[0], STARTED, DONE, answer="The #answer")
    store.remove("a")
    change(path, "UPDATE routines SET data = replace(data, 'watching', 'dreaming') WHERE id = 'c'")

    store.purge("anna")

    left = store.load()
    assert [each.id for each in left.routines] == ["b"]
    assert [each.routine_id for each in left.firings] == ["b"]
    assert left.unreadable == ()
    store.close()
    found = path.read_bytes()
    assert b"#surprise-b" in found
    for word in (b"#surprise-a", b"#surprise-c", b"#surprise-d", b"#answer"):
        assert word not in found


def test_a_row_that_cannot_be_read_stays_as_it_is_and_is_told(store: RoutineStore, path: Path):
    for name in "abcd":
        store.add(routine(name), Memo())
    firings = journal(store, *(edge(name) for name in "abcd"))
    store.close()
    change(path, "UPDATE routines SET data = replace(data, 'watching', 'dreaming') WHERE id = 'a'")
    change(path, "UPDATE memos SET data = '{\"mood\":1}' WHERE routine = 'b'")
    change(path, "UPDATE firings SET data = 'x' WHERE routine = 'c'")

    with closing(RoutineStore.open(path)) as again:
        assert again.load() == Stored(
            routines=(routine("c"), routine("d")),
            memos={"c": Memo(), "d": Memo()},
            firings=(firings[3],),
            unreadable=("a", "b", "c"),
        )
        assert again.last_fired("c") is None
        again.remove("a")
        assert again.load().unreadable == ("b", "c")

    change(path, "UPDATE memos SET data = '{}' WHERE routine = 'b'")
    assert loaded(path).unreadable == ("c",)


def test_a_file_of_a_newer_version_is_left_as_it_is(store: RoutineStore, path: Path):
    store.add(routine("a"), Memo())
    store.close()
    change(path, "PRAGMA user_version = 99")
    before = path.read_bytes()

    with pytest.raises(RoutineStoreError, match="Update SAGE"):
        RoutineStore.open(path)

    assert path.read_bytes() == before


def test_after_closing_errors_name_it(store: RoutineStore):
    store.close()
    store.close()

    with pytest.raises(StoreClosedError):
        store.load()
    assert issubclass(StoreClosedError, RoutineError)


def test_damage_is_told_and_what_can_be_read_is_taken_over(store: RoutineStore, path: Path):
    for number in range(60):
        store.add(routine(f"r{number:02}", command="x" * 900), Memo(fired=number))
    firings = journal(store, *(edge(f"r{number:02}") for number in range(60)))
    take(store, firings[1], STARTED, DONE, answer="Done.")
    store.close()
    root = root_of(path, "firings_of_routine")
    with path.open("r+b") as file:
        file.seek(4096 * (root - 1))
        file.write(b"\xff" * 4096)

    with (
        closing(RoutineStore.open(path)) as damaged,
        pytest.raises(RoutineStoreError, match="damaged"),
    ):
        damaged.load()
    aside, _ = recover(path, FILE)

    found = loaded(path)
    assert aside.exists()
    assert len(found.routines) == 60
    assert found.memos["r59"] == Memo(fired=59)
    # How far they were is uncertain: they are reported, and not carried out.
    assert [each.step for each in found.firings] == [STARTED, DONE] + [STARTED] * 58
    with closing(RoutineStore.open(path)) as again:
        (new,) = journal(again, edge("r00"))
        assert new.id > 10**9


def test_what_hangs_on_nothing_is_not_taken_over(store: RoutineStore, path: Path):
    store.add(routine("a"), Memo())
    journal(store, edge("a"))
    store.close()
    change(path, "DELETE FROM routines")

    recover(path, FILE)

    assert loaded(path) == Stored(routines=())


def rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        count: int = connection.execute("SELECT count(*) FROM firings").fetchone()[0]
    return count


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def root_of(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,))
        root: int = found.fetchone()[0]
        return root
