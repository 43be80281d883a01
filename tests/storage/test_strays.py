"""Files that are none of SAGE's: ignored where they lie, and named once."""

import os
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from benchmark.fake_model_server import Completion, FakeModelServer
from custom_components.sage.backup import async_post_backup, async_pre_backup
from custom_components.sage.memory.memories import FOLDER
from custom_components.sage.memory.person_memory import PersonMemory
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.memory.bare import ROOT
from tests.memory_house import call, remember

NAMES = (
    "0 copy of memory.db",
    "Zoë (1).db",
    "notes.db",
    "x.db.db",
    ".db",
    "-.db",
    "notes.txt",
    "HOUSEHOLD.db",
)


@pytest.fixture
async def sage(hass: HomeAssistant, model_server: FakeModelServer) -> Sage:
    """SAGE with strange files among the memories, and a pipe with the name of a person."""
    sage = await async_make_sage(hass, model_server)
    folder = Path(hass.config.path(FOLDER))

    def litter() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            (folder / name).write_text("a letter")
        os.mkfifo(folder / f"{'0' * 32}.db")

    await hass.async_add_executor_job(litter)
    return sage


async def test_backup_night_and_diagnostics_go_on(
    hass: HomeAssistant,
    sage: Sage,
    hass_client: Any,
    hass_owner_user: User,
    freezer: FrozenDateTimeFactory,
    caplog: pytest.LogCaptureFixture,
):
    anna = hass_owner_user
    await remember(hass, anna, "I like jazz.")
    await call(hass, "set_memory", anna, retention_days=1)

    await async_pre_backup(hass)
    await async_post_backup(hass)
    assert await async_setup_component(hass, "diagnostics", {})
    client = await hass_client()
    response = await client.get(f"/api/diagnostics/config_entry/{sage.entry.entry_id}")

    assert response.status == HTTPStatus.OK
    people = (await response.json())["data"]["memory"]["people"]
    assert [each.get("memories", each.get("error")) for each in people] == [1, "MemoryStoreError"]
    sage.server.say(lambda _: Completion(text="nothing"))
    freezer.tick(3 * 24 * 3600)
    async_fire_time_changed(hass, dt_util.now().replace(hour=3, minute=7, second=1))
    await hass.async_block_till_done(wait_background_tasks=True)
    handle = sage.entry.runtime_data.memory.files.of(anna.id)
    assert await handle.async_run(PersonMemory.count) == 0  # what was too old was forgotten
    for name in ("0 copy of memory.db", "notes.db", "Zo\\xeb (1).db"):
        assert caplog.text.count(f"'{name}' is not a memory file") == 1
    folder = Path(hass.config.path(FOLDER))
    assert {(folder / name).read_text() for name in NAMES} == {"a letter"}


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal", ".new"])
def test_a_pipe_does_not_stop_the_start(path: Path, ending: str):
    path.parent.mkdir()
    os.mkfifo(f"{path}{ending}")
    opening = (
        "import sys; from pathlib import Path\n"
        "from tests.memory.bare import import_bare; import_bare()\n"
        "from custom_components.sage.memory.memory_errors import MemoryStoreError\n"
        "from custom_components.sage.memory.person_memory import PersonMemory\n"
        "try:\n"
        "    PersonMemory.open(Path(sys.argv[1]))\n"
        "except MemoryStoreError as error:\n"
        "    print(error)\n"
    )

    process = subprocess.run(
        [sys.executable, "-c", opening, path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=800,
    )

    assert "could not be used" in process.stdout
