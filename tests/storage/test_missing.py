"""No step of a recovery loses anything, and no other process gets at an open file."""

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.memory.long_term_memory import LongTermMemory
from custom_components.sage.memory.person_memory import PersonMemory
from tests.memory.bare import ROOT
from tests.memory.conftest import said
from tests.memory.household import make_memory

from .conftest import written_and_killed

ANNA = "a" * 32


@pytest.fixture
def path(hass: HomeAssistant, tmp_path: Path) -> Path:
    hass.config.config_dir = str(tmp_path)
    return tmp_path / ".storage" / "sage" / "memory" / f"{ANNA}.db"


@pytest.fixture
async def memories(hass: HomeAssistant, path: Path) -> AsyncIterator[LongTermMemory]:
    made = make_memory(hass)
    yield made
    await made.async_close()


async def count(hass: HomeAssistant, memories: LongTermMemory) -> int:
    counted = await memories.of(ANNA).async_run(PersonMemory.count)
    await hass.async_block_till_done()
    return counted


async def test_a_recovery_that_was_killed_before_its_last_steps_is_finished(
    hass: HomeAssistant, path: Path, memories: LongTermMemory
):
    await hass.async_add_executor_job(written_and_killed, path, 30)
    killed_recovery = (
        "import os, signal, sys; from pathlib import Path\n"
        "from tests.memory.bare import import_bare; import_bare()\n"
        "from custom_components.sage.memory.memories import FILE\n"
        "from custom_components.sage.storage.async_file import recover\n"
        "rename = Path.rename\n"
        "def rename_and_die(self, to):\n"
        "    rename(self, to)\n"
        "    if '.corrupt-' in to.name: os.kill(os.getpid(), signal.SIGKILL)\n"
        "Path.rename = rename_and_die\n"
        "recover(Path(sys.argv[1]), FILE)\n"
    )
    await hass.async_add_executor_job(
        lambda: subprocess.run([sys.executable, "-c", killed_recovery, path], cwd=ROOT, check=False)
    )
    assert not path.exists()  # noqa: ASYNC240

    assert await count(hass, memories) == 30


async def test_after_a_backup_no_other_process_gets_at_an_open_file(
    hass: HomeAssistant, path: Path, memories: LongTermMemory
):
    """Copying a file in the same process removes its locks."""
    await memories.of(ANNA).async_run(PersonMemory.add, said("I like tea"))
    (file,) = memories.files
    await file.async_hold()
    await hass.async_add_executor_job(path.read_bytes)
    await file.async_release()
    await memories.of(ANNA).async_run(PersonMemory.add, said("I like jazz"))

    other = await hass.async_add_executor_job(
        lambda: subprocess.run(
            [sys.executable, "-c", _OTHER, path], capture_output=True, text=True, check=False
        )
    )

    assert "database is locked" in other.stderr
    assert await count(hass, memories) == 2


_OTHER = (
    "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('SELECT * FROM memories')"
)
