"""Files that cannot be written any more are an error, and never the end of the process."""

from pathlib import Path

from custom_components.sage.memory.person_memory import PersonMemory
from tests.memory.conftest import said


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
