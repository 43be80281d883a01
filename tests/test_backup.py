"""Memories in backups that Home Assistant itself makes, while people go on talking."""

import shutil
import tarfile
from pathlib import Path

import pytest
from homeassistant.auth.models import User
from homeassistant.components.backup.const import DATA_MANAGER
from homeassistant.components.backup.manager import BackupManager
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from custom_components.sage.config.photo_setup import FILE as PHOTOS
from custom_components.sage.memory.long_term_memory import FOLDER
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.photos.photo_album import Photo, PhotoStore
from custom_components.sage.routines.host.routine_setup import FILE
from tests.end_to_end.conftest import Sage
from tests.memory_house import call, remember, texts
from tests.photo_house import build_lamp_house, picture


@pytest.fixture
async def manager(hass: HomeAssistant, sage: Sage) -> BackupManager:
    assert await async_setup_component(hass, "backup", {})
    await hass.async_block_till_done()
    return hass.data[DATA_MANAGER]


def path_of(hass: HomeAssistant, user: User) -> Path:
    return Path(hass.config.path(FOLDER)) / f"{user.id}.db"


async def bytes_of(hass: HomeAssistant, user: User) -> bytes:
    return await hass.async_add_executor_job(path_of(hass, user).read_bytes)


async def restored(hass: HomeAssistant, path: Path) -> list[str]:
    """Return what is remembered in a file that was copied, said first first."""

    def read() -> list[str]:
        memory = PersonMemory.open(path)
        try:
            return [each.text for each in reversed(memory.list())]
        finally:
            memory.close()

    return await hass.async_add_executor_job(read)


async def copied(hass: HomeAssistant, into: Path) -> None:
    """Copy the folder of the memories, a file after the other."""
    await hass.async_add_executor_job(shutil.copytree, hass.config.path(FOLDER), into)


async def settled(hass: HomeAssistant) -> None:
    """Wait until all vectors are stored: they change the file, too."""
    await hass.async_block_till_done(wait_background_tasks=True)


async def backed_up(hass: HomeAssistant, manager: BackupManager, into: Path) -> Path:
    """Make a backup; return the configuration folder that is in it."""
    made = await manager.async_initiate_backup(
        agent_ids=["backup.local"],
        include_addons=None,
        include_all_addons=False,
        include_database=False,
        include_folders=None,
        include_homeassistant=True,
        name="Test",
        password=None,
    )
    assert made.backup_job_id
    await hass.async_block_till_done(wait_background_tasks=True)
    (backup,) = await hass.async_add_executor_job(
        lambda: list(Path(hass.config.path("backups")).glob("*.tar"))
    )

    def unpack() -> None:
        with tarfile.open(backup) as outer:
            (inner,) = [each for each in outer.getnames() if each.endswith(".tar.gz")]
            with tarfile.open(fileobj=outer.extractfile(inner), mode="r:gz") as core:
                core.extractall(into, filter="data")

    await hass.async_add_executor_job(unpack)
    return into / "data"


async def test_a_backup_holds_what_was_remembered_before_it(
    hass: HomeAssistant, manager: BackupManager, anna: User, tmp_path: Path
):
    before = [f"Fact number {number}." for number in range(30)]
    await remember(hass, anna, *before)

    async def go_on() -> None:
        for number in range(30):
            await remember(hass, anna, f"Said meanwhile: {number}.")

    talking = hass.async_create_task(go_on())
    data = await backed_up(hass, manager, tmp_path)
    await talking

    found = await restored(hass, data / FOLDER / path_of(hass, anna).name)

    assert found[:30] == before
    assert all(each.startswith("Said meanwhile") for each in found[30:])
    assert len(await texts(hass, anna)) == 60


async def test_files_stay_as_they_are_while_they_are_copied(
    hass: HomeAssistant, manager: BackupManager, anna: User, tmp_path: Path
):
    (secret, *_) = await remember(hass, anna, "My MARKER is a secret.", "I like jazz.")
    await settled(hass)

    await manager.async_pre_backup_actions()
    held = await bytes_of(hass, anna)
    await remember(hass, anna, *(f"Said meanwhile: {number}." for number in range(300)))
    await call(hass, "forget", anna, ids=[secret])
    await settled(hass)

    assert await bytes_of(hass, anna) == held
    await copied(hass, tmp_path / "copy")
    await manager.async_post_backup_actions()

    assert len(await restored(hass, tmp_path / "copy" / path_of(hass, anna).name)) == 301
    # What was forgotten meanwhile leaves the file once it may change again.
    assert len(await texts(hass, anna)) == 301
    assert b"MARKER" in held
    assert b"MARKER" not in await bytes_of(hass, anna)


async def test_an_entry_that_is_set_up_while_a_backup_is_made_leaves_the_files_alone(
    hass: HomeAssistant, sage: Sage, manager: BackupManager, anna: User
):
    first, _ = await remember(hass, anna, "I like jazz.", "I run.")
    await settled(hass)
    await hass.config_entries.async_unload(sage.entry.entry_id)

    await manager.async_pre_backup_actions()
    assert await hass.config_entries.async_setup(sage.entry.entry_id)
    await settled(hass)
    held = await bytes_of(hass, anna)
    await call(hass, "forget", anna, ids=[first])
    await hass.config_entries.async_reload(sage.entry.entry_id)
    await settled(hass)
    await remember(hass, anna, "I cook.")
    assert await texts(hass, anna) == ["I run.", "I cook."]
    await manager.async_post_backup_actions()

    assert b"jazz" in held
    assert b"jazz" not in await bytes_of(hass, anna)
    assert await texts(hass, anna) == ["I run.", "I cook."]


async def test_a_file_that_cannot_be_used_keeps_no_backup_from_being_made(
    hass: HomeAssistant, manager: BackupManager, anna: User
):
    await remember(hass, None, "The bins go out on Tuesday.")
    await settled(hass)
    await hass.async_add_executor_job(path_of(hass, anna).mkdir)

    await manager.async_pre_backup_actions()
    household = Path(hass.config.path(FOLDER)) / "household.db"
    held = await hass.async_add_executor_job(household.read_bytes)
    await remember(hass, None, "The bins go out on Friday.")
    await settled(hass)

    assert await hass.async_add_executor_job(household.read_bytes) == held
    await manager.async_post_backup_actions()
    assert len(await texts(hass, None)) == 2


async def test_routines_that_cannot_be_read_keep_no_backup_from_being_made(
    sage: Sage, manager: BackupManager, anna: User, caplog: pytest.LogCaptureFixture
):
    path = Path(sage.hass.config.path(FILE))
    await sage.hass.config_entries.async_unload(sage.entry.entry_id)
    await sage.hass.async_add_executor_job(path.unlink)
    await sage.hass.async_add_executor_job(path.mkdir)
    assert await sage.hass.config_entries.async_setup(sage.entry.entry_id)
    await settled(sage.hass)

    await manager.async_pre_backup_actions()
    await remember(sage.hass, anna, "I like jazz.")
    await manager.async_post_backup_actions()

    assert "A file is copied without its latest changes. The store of the routines" in caplog.text
    assert await texts(sage.hass, anna) == ["I like jazz."]


async def test_a_backup_holds_the_photos(sage: Sage, manager: BackupManager, tmp_path: Path):
    house, album = build_lamp_house(sage.hass), sage.entry.runtime_data.photos
    photo = await album.async_add(house.lamp, picture(), "on the dresser")
    image = await album.async_image(photo)

    path = await backed_up(sage.hass, manager, tmp_path) / PHOTOS

    def read() -> tuple[list[Photo], bytes | None]:
        store = PhotoStore.open(path)
        try:
            return list(store.photos()), store.image(photo)
        finally:
            store.close()

    assert await sage.hass.async_add_executor_job(read) == ([photo], image)
