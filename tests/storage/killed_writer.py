"""A process that remembers, forgets, and is killed.

    python -m tests.memory.bare tests.storage.killed_writer PATH COUNT [hold]

Adds texts; with `hold`, leaves the file as for a backup, and forgets all but the last ones.
"""

import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from custom_components.sage.memory.memories import Memory
from custom_components.sage.memory.person_memory import PersonMemory

KEPT = 5


def main(path: Path, count: int, *, hold: bool) -> None:
    now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    anna = PersonMemory.open(path)
    ids = [anna.add(Memory(text=f"#{number}# I like tea", at=now)).id for number in range(count)]
    if hold:
        anna.hold()
        anna.forget(ids[:-KEPT])
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), hold="hold" in sys.argv)
