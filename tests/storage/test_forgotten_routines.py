"""Words of a deleted routine leave the file and its log, whenever the process is killed."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from custom_components.sage.routines.routine_types import Memo
from custom_components.sage.routines.store import RoutineStore
from tests.memory.bare import ROOT
from tests.memory.conftest import bytes_of
from tests.routine_house import a_routine

SECRET = "Quittengelee"

_REMOVED = """
import sys
from dataclasses import replace
from pathlib import Path
from tests.memory.bare import import_bare
import_bare()
from custom_components.sage.routines.routine_types import EdgeKind, Firing, Memo
from custom_components.sage.routines.store import RoutineStore
from tests.memory.crash_points import count_statements, die, on_connect
from tests.routines.drawing import Drawing
drawing = Drawing(1)
path, secret, statement = sys.argv[1:]
on_connect(lambda connection: count_statements(connection, statement, die))
store = RoutineStore.open(Path(path))
routines = [
    drawing.routine(id=f"{place}", request=secret if place == 9 else "x") for place in range(30)
]
for routine in routines:
    store.add(routine, Memo())
gone = routines[9]
for length in (3000, 1, 300):
    gone = replace(gone, command=f"{secret} " * length)
    store.replace(gone, Memo(state={"word": secret * length}))
store.commit({}, [Firing(routine_id=gone.id, edge=EdgeKind.ON, at=gone.created_at)])
store.remove(gone.id)
store.close()
"""


@pytest.mark.parametrize("statement", ["nothing", "VACUUM", "PRAGMA wal_checkpoint"])
def test_words_of_a_deleted_routine_are_in_no_file(path: Path, statement: str):
    process = subprocess.run(
        [sys.executable, "-c", _REMOVED, path, SECRET, statement],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert process.returncode == (0 if statement == "nothing" else -9), process.stderr
    if statement != "nothing":
        assert SECRET.encode() in bytes_of(path)

    store = RoutineStore.open(path)

    assert len(store.load().routines) == 29
    assert SECRET.encode() not in bytes_of(path)
    store.close()


def test_a_purge_deletes_damaged_copies_too(path: Path):
    store = RoutineStore.open(path)
    store.add(replace(a_routine(None, request=SECRET), owner="anna"), Memo())
    store.add(replace(a_routine(None), owner="ben"), Memo())
    store.close()
    aside = path.with_name(f"{path.name}.corrupt-20260101T000000000000Z")
    shutil.copy(path, aside)

    store = RoutineStore.open(path)
    store.purge("anna")

    assert [each.owner for each in store.load().routines] == ["ben"]
    assert not aside.exists()
    assert SECRET.encode() not in bytes_of(path)
    store.close()
