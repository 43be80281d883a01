"""Files that cannot be written any more are an error, and never the end of the process."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from custom_components.sage.memory.person_memory import PersonMemory
from tests.memory.bare import ROOT
from tests.memory.conftest import said

from .turned_read_only import NOT_ALLOWED


@pytest.mark.parametrize("way", ["immutable", "file-system"])
def test_a_process_survives_files_that_turn_read_only(tmp_path: Path, way: str):
    if shutil.which("unshare") is None:
        pytest.skip("needs mounts of its own")
    try:
        process = subprocess.run(
            [
                *("unshare", "--mount", sys.executable, "-m", "tests.memory.bare"),
                *("tests.storage.turned_read_only", str(tmp_path), way),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        if shutil.which("chattr") is not None:  # a process that died left files immutable
            subprocess.run(["chattr", "-R", "-i", tmp_path], check=False, capture_output=True)
    if process.returncode == NOT_ALLOWED or "unshare failed" in process.stderr:
        pytest.skip("this user may not do that here")

    assert process.returncode == 0, process.stderr
    told = {
        step: result
        for line in process.stdout.splitlines()
        for step, result in json.loads(line).items()
    }
    assert told["add"] == told["forget"] == told["open a second time"] == "MemoryStoreError"
    assert told["hold"] == "MemoryStoreError"
    assert told["read"] == [2, 1]
    assert told["kept"] is True
    assert told["written again"] == ["I cook"]


def test_no_file_of_a_memory_is_mapped(tmp_path: Path):
    """A mapped file ends the process when its disk turns read-only."""
    path = tmp_path / "memory" / "anna.db"
    anna = PersonMemory.open(path)
    ben = PersonMemory.open(path)
    anna.add(said("I like tea"))
    anna.hold()
    ben.add(said("I like jazz"))
    anna.release()

    assert str(path) not in Path("/proc/self/maps").read_text()
    assert anna.count() == ben.count() == 2
    ben.close()
    anna.close()
