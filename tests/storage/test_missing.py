"""A database that existed is never replaced silently."""

import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.memory.memories import Memories
from custom_components.sage.memory.memory_errors import MemoryStoreError
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.storage.recovery import SetAside, set_aside_files
from tests.memory.bare import ROOT
from tests.memory.conftest import said

from .conftest import written_and_killed

ANNA = "a" * 32


@pytest.fixture
def path(hass: HomeAssistant, tmp_path: Path) -> Path:
    hass.config.config_dir = str(tmp_path)
    return tmp_path / ".storage" / "sage" / "memory" / f"{ANNA}.db"


@pytest.fixture
def noted() -> list[SetAside]:
    return []


@pytest.fixture
async def memories(
    hass: HomeAssistant, path: Path, noted: list[SetAside]
) -> AsyncIterator[Memories]:
    made = Memories(hass, noted.append, lambda _: None)
    yield made
    await made.async_close()


async def count(hass: HomeAssistant, memories: Memories) -> int:
    counted = await memories.of(ANNA).async_run(PersonMemory.count)
    await hass.async_block_till_done()
    return counted


async def closed_with_one_memory(hass: HomeAssistant) -> None:
    before = Memories(hass, lambda _: None, lambda _: None)
    await before.of(ANNA).async_run(PersonMemory.add, said("I like tea"))
    await before.async_close()


async def test_a_new_person_is_no_news(
    hass: HomeAssistant, memories: Memories, noted: list[SetAside]
):
    assert await count(hass, memories) == 0

    assert not noted


@pytest.mark.parametrize("size", [0, 1, 511])
async def test_a_file_that_was_emptied_is_reported(
    hass: HomeAssistant, path: Path, memories: Memories, noted: list[SetAside], size: int
):
    await closed_with_one_memory(hass)
    path.write_bytes(path.read_bytes()[:size])  # noqa: ASYNC240

    assert await count(hass, memories) == 0

    (aside,) = noted
    assert aside.is_missing is (size == 0)
    assert aside.rows == 0
    assert aside.path.stat().st_size == size


async def test_a_file_that_is_missing_is_known_and_reported(
    hass: HomeAssistant,
    path: Path,
    memories: Memories,
    noted: list[SetAside],
    caplog: pytest.LogCaptureFixture,
):
    await closed_with_one_memory(hass)
    path.unlink()  # noqa: ASYNC240

    assert await memories.async_users() == (ANNA,)
    assert await count(hass, memories) == 0

    (aside,) = noted
    assert aside.is_missing
    assert "missing or empty" in caplog.text
    await memories.of(ANNA).async_run(PersonMemory.add, said("I like jazz"))
    assert await count(hass, memories) == len(noted) == 1


async def test_of_a_missing_file_the_log_is_recovered(
    hass: HomeAssistant, path: Path, memories: Memories, noted: list[SetAside]
):
    await hass.async_add_executor_job(written_and_killed, path, 30)
    path.unlink()  # noqa: ASYNC240

    assert await count(hass, memories) == 30

    assert [(aside.is_missing, aside.rows) for aside in noted] == [(True, 30)]
    assert [each.path for each in set_aside_files(path.parent)] == [noted[0].path]


async def test_somebody_whose_memory_was_deleted_begins_anew(
    hass: HomeAssistant, path: Path, memories: Memories, noted: list[SetAside]
):
    await hass.async_add_executor_job(written_and_killed, path, 30)
    path.unlink()  # noqa: ASYNC240
    assert await count(hass, memories) == 30

    await memories.async_purge(ANNA)

    assert await memories.async_users() == ()
    assert not list(path.parent.iterdir())


async def test_a_recovery_that_was_killed_before_its_last_steps_is_finished(
    hass: HomeAssistant, path: Path, memories: Memories, noted: list[SetAside]
):
    await hass.async_add_executor_job(written_and_killed, path, 30)
    with path.open("r+b") as file:
        file.write(b"\xff" * 4096)
    killed_recovery = (
        "import os, signal, sys; from datetime import UTC, datetime; from pathlib import Path\n"
        "from tests.memory.bare import import_bare; import_bare()\n"
        "from custom_components.sage.memory.memory_tables import FILE\n"
        "from custom_components.sage.storage.recovery import recover\n"
        "rename = Path.rename\n"
        "def rename_and_die(self, to):\n"
        "    rename(self, to)\n"
        "    if '.corrupt-' in to.name: os.kill(os.getpid(), signal.SIGKILL)\n"
        "Path.rename = rename_and_die\n"
        "recover(Path(sys.argv[1]), FILE, datetime.now(UTC))\n"
    )
    await hass.async_add_executor_job(
        lambda: subprocess.run([sys.executable, "-c", killed_recovery, path], cwd=ROOT, check=False)
    )
    assert not path.exists()  # noqa: ASYNC240

    assert await count(hass, memories) == 30

    assert not noted


async def test_a_file_that_cannot_be_opened_is_not_reported_as_missing(
    hass: HomeAssistant, path: Path, memories: Memories, noted: list[SetAside]
):
    await closed_with_one_memory(hass)
    path.rename(path.with_name("kept"))  # noqa: ASYNC240
    path.mkdir()  # noqa: ASYNC240

    with pytest.raises(MemoryStoreError):
        await count(hass, memories)

    assert not noted
    path.rmdir()  # noqa: ASYNC240
    path.with_name("kept").rename(path)
    assert await count(hass, memories) == 1


async def test_a_recovery_that_is_killed_at_any_step_loses_nothing(hass: HomeAssistant, path: Path):
    """The file is gone, its log is all there is."""
    await hass.async_add_executor_job(written_and_killed, path, 30)
    log = path.with_name(f"{path.name}-wal").read_bytes()

    def kill_after(statements: int) -> None:
        for file in path.parent.iterdir():
            file.unlink()
        path.with_name(f"{path.name}-wal").write_bytes(log)
        process = subprocess.run(
            [sys.executable, "-c", _KILLED, path, str(statements)], cwd=ROOT, check=False
        )
        assert process.returncode == -signal.SIGKILL

    for statements in KILLED_AFTER:
        await hass.async_add_executor_job(kill_after, statements)
        memories = Memories(hass, lambda _: None, lambda _: None)
        assert await count(hass, memories) == 30
        await memories.async_close()


KILLED_AFTER = range(1, 120, 17)
"""Statements of the recovery; it runs more."""

_KILLED = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from tests.memory.bare import import_bare
import_bare()
from custom_components.sage.memory.memory_tables import FILE
from custom_components.sage.storage.recovery import recover
from tests.memory.crash_points import Countdown, on_connect
countdown = Countdown(int(sys.argv[2]))
on_connect(lambda connection: connection.set_trace_callback(lambda _: countdown()))
recover(Path(sys.argv[1]), FILE, datetime.now(UTC))
"""


async def test_after_a_backup_no_other_process_gets_at_an_open_file(
    hass: HomeAssistant, path: Path, memories: Memories
):
    """Copying a file in the same process removes its locks."""
    await memories.of(ANNA).async_run(PersonMemory.add, said("I like tea"))
    await memories.async_hold_all()
    await hass.async_add_executor_job(path.read_bytes)
    await memories.async_release_all()
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
