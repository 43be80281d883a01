"""The memories of all people within Home Assistant: apart, in order, gone with their person."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.sage.memory import memories as memories_module
from custom_components.sage.memory.export_import import export
from custom_components.sage.memory.memories import IDLE, AsyncPersonMemory, Memories
from custom_components.sage.memory.memory_types import (
    Memory,
    MemoryRefusedError,
    MemorySettings,
    MemoryStoreError,
)
from custom_components.sage.memory.person_memory import PersonMemory

from .conftest import bytes_of, recalled, remember, said
from .toy_embedder import MODEL, embed

ANNA, BEN = "a" * 32, "b" * 32


@pytest.fixture
def folder(hass: HomeAssistant, tmp_path: Path) -> Path:
    hass.config.config_dir = str(tmp_path)
    return tmp_path / ".storage" / "sage" / "memory"


@pytest.fixture
def noted() -> list[Path]:
    return []


@pytest.fixture
async def memories(hass: HomeAssistant, folder: Path, noted: list[Path]) -> AsyncIterator[Memories]:
    made = Memories(hass, lambda path, _: noted.append(path), lambda _: None)
    yield made
    await made.async_close()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("[!.]*")}


def write_letter(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("a letter " * 999)


def nobody(aside: Path, rows: int) -> None:
    raise AssertionError(aside)


async def texts(handle: AsyncPersonMemory) -> list[str]:
    return [memory.text for memory in await handle.async_run(PersonMemory.list)]


async def test_each_person_has_a_file_of_their_own(memories: Memories, folder: Path):
    anna, ben, household = memories.of(ANNA), memories.of(BEN), memories.of(None)

    for handle, text in ((anna, "I like tea"), (ben, "I like hockey"), (household, "Hello")):
        await handle.async_run(PersonMemory.add, said(text))

    assert await texts(anna) == ["I like tea"]
    assert await texts(ben) == ["I like hockey"]
    assert await texts(household) == ["Hello"]
    assert memories.of(ANNA) is anna
    assert await memories.async_users() == (ANNA, BEN, None)
    await memories.async_close()
    assert names(folder) == {f"{ANNA}.db", f"{BEN}.db", "household.db"}


async def test_nothing_of_one_person_is_reached_with_the_handle_of_another(memories: Memories):
    anna, ben = memories.of(ANNA), memories.of(BEN)
    (secret,) = await anna.async_run(remember, "The #surprise for Ben")
    (own,) = await ben.async_run(remember, "I like tea")
    assert secret == own

    seen = [
        await ben.async_run(PersonMemory.get, secret),
        await ben.async_run(PersonMemory.list, words="surprise"),
        await ben.async_run(lambda memory: memory.recall.best(embed("surprise")[0], MODEL)),
        await ben.async_run(PersonMemory.sayings, secret),
        await ben.async_run(export),
        await ben.async_run(lambda memory: memory.recall.missing_vectors("other", 9)),
    ]
    await ben.async_run(PersonMemory.correct, secret, "I like coffee")
    await ben.async_run(PersonMemory.forget_all)

    assert "surprise" not in str(seen)
    assert await texts(anna) == ["The #surprise for Ben"]


@pytest.mark.parametrize(
    "user_id", ["", "household", "../anna", "a/b", ".", "a.db", "A" * 32, "-a", "a" * 65, "a\n"]
)
async def test_an_id_that_is_no_safe_name_is_refused(memories: Memories, user_id: str):
    with pytest.raises(ValueError, match="id of a user"):
        memories.of(user_id)


async def test_what_was_said_is_there_after_closing(
    hass: HomeAssistant, memories: Memories, folder: Path
):
    anna = memories.of(ANNA)
    await anna.async_run(PersonMemory.add, said("I like tea"))

    await memories.async_close()
    await memories.async_close()

    for call in (lambda: memories.of(ANNA), lambda: memories.of(BEN)):
        with pytest.raises(MemoryStoreError):
            call()
    with pytest.raises(MemoryStoreError):
        await anna.async_run(PersonMemory.count)
    assert names(folder) == {f"{ANNA}.db"}
    again = Memories(hass, nobody, lambda _: None)
    assert await texts(again.of(ANNA)) == ["I like tea"]
    await again.async_close()


async def test_home_assistant_closes_the_files_when_it_ends(
    hass: HomeAssistant, memories: Memories, folder: Path
):
    await memories.of(ANNA).async_run(PersonMemory.add, said("I like tea"))

    await hass.async_stop(force=True)

    assert names(folder) == {f"{ANNA}.db"}


async def test_calls_are_carried_out_one_after_the_other(memories: Memories):
    anna = memories.of(ANNA)
    inside, most = 0, 0
    order = []

    def slow(memory: PersonMemory, number: int) -> Memory:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        order.append(number)
        added = memory.add(said(f"thing {number}"))
        inside -= 1
        return added

    added = await asyncio.gather(*(anna.async_run(slow, number) for number in range(40)))

    assert most == 1
    assert order == list(range(40))
    assert len({memory.id for memory in added}) == 40


async def test_two_people_do_not_wait_for_each_other(memories: Memories):
    waiting = threading.Event()

    def wait(memory: PersonMemory) -> bool:
        return waiting.wait(30)

    anna = asyncio.ensure_future(memories.of(ANNA).async_run(wait))

    await memories.of(BEN).async_run(PersonMemory.add, said("I like tea"))

    assert not anna.done()
    waiting.set()
    assert await anna


async def test_a_caller_that_is_cancelled_leaves_order_behind(memories: Memories):
    anna = memories.of(ANNA)
    await anna.async_run(PersonMemory.count)
    begun, go_on = threading.Event(), threading.Event()

    def slow(memory: PersonMemory) -> None:
        begun.set()
        assert go_on.wait(30)
        memory.add(said("first"))

    first = asyncio.ensure_future(anna.async_run(slow))
    await asyncio.get_running_loop().run_in_executor(None, begun.wait)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    second = asyncio.ensure_future(anna.async_run(PersonMemory.list))
    queued = asyncio.ensure_future(anna.async_run(PersonMemory.forget_all))
    await asyncio.sleep(0)
    queued.cancel()
    assert not second.done()
    go_on.set()

    assert [memory.text for memory in await second] == ["first"]
    assert await texts(anna) == ["first"]


async def test_closing_waits_for_what_was_begun(memories: Memories, folder: Path):
    anna = memories.of(ANNA)
    await anna.async_run(PersonMemory.count)
    adding = asyncio.ensure_future(anna.async_run(PersonMemory.add, said("I like tea")))
    await asyncio.sleep(0)

    await memories.async_close()

    assert (await adding).text == "I like tea"
    assert names(folder) == {f"{ANNA}.db"}


async def test_errors_reach_the_caller(memories: Memories):
    anna = memories.of(ANNA)
    await anna.async_run(PersonMemory.set_settings, MemorySettings(enabled=False))

    with pytest.raises(MemoryRefusedError):
        await anna.async_run(PersonMemory.add, said("I like tea"))

    assert await anna.async_run(PersonMemory.count) == 0


async def test_nothing_of_a_deleted_user_stays(memories: Memories, folder: Path):
    anna = memories.of(ANNA)
    await anna.async_run(remember, "The #surprise")
    for name in ("db.corrupt-20260101T000000000000Z", "db.new"):
        (folder / f"{ANNA}.{name}").write_text("#surprise")
    await memories.of(BEN).async_run(PersonMemory.add, said("I like tea"))

    await memories.async_purge(ANNA)

    with pytest.raises(MemoryStoreError):
        await anna.async_run(PersonMemory.add, said("once more"))
    with pytest.raises(MemoryStoreError):
        await memories.of(ANNA).async_run(PersonMemory.count)
    assert {path.name.strip(".").split(".")[0] for path in folder.iterdir()} == {BEN}  # noqa: ASYNC240
    assert b"#surprise" not in bytes_of(folder / "any")
    assert await memories.async_users() == (BEN,)


async def test_a_purge_that_was_cut_short_can_be_repeated(
    memories: Memories, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    """As long as a damaged file of theirs is there, they are among those who have a memory."""
    await memories.of(ANNA).async_run(remember, "The #surprise")
    (folder / f"{ANNA}.db.corrupt-20260101T000000000000Z").write_text("#surprise")

    def fails(_: Path) -> None:
        raise OSError("the disk is busy")

    with monkeypatch.context() as patched:
        patched.setattr("custom_components.sage.memory.memories.remove_set_aside", fails)
        with pytest.raises(OSError, match="busy"):
            await memories.async_purge(ANNA)
    assert await memories.async_users() == (ANNA,)

    await memories.async_purge(ANNA)
    assert not list(folder.iterdir())  # noqa: ASYNC240


async def test_the_household_can_be_purged_and_begins_again(memories: Memories, folder: Path):
    await memories.async_purge(None)
    await memories.of(None).async_run(PersonMemory.add, said("Hello"))
    await memories.async_purge(None)
    assert await memories.async_users() == ()

    await memories.of(None).async_run(PersonMemory.add, said("Hello"))

    assert await texts(memories.of(None)) == ["Hello"]


async def test_vectors_leave_the_memory_of_the_process_when_idle(
    hass: HomeAssistant, memories: Memories, monkeypatch: pytest.MonkeyPatch
):
    anna = memories.of(ANNA)
    memories.of(BEN)

    def loaded(memory: PersonMemory) -> int:
        return memory.recall.vector_bytes

    await anna.async_run(remember, "I like tea")
    await anna.async_run(lambda memory: memory.recall.load_vectors(MODEL))
    async_fire_time_changed(hass, dt_util.utcnow() + IDLE + timedelta(seconds=1))
    await hass.async_block_till_done()
    assert await anna.async_run(loaded) > 0

    monkeypatch.setattr(memories_module, "IDLE", timedelta(0))
    async_fire_time_changed(hass, dt_util.utcnow() + 2 * IDLE + timedelta(seconds=2))
    await hass.async_block_till_done()

    assert await anna.async_run(loaded) == 0
    assert len(await anna.async_run(recalled, "tea")) == 1


async def test_a_damaged_file_is_kept_told_of_and_read_as_far_as_it_goes(
    hass: HomeAssistant, memories: Memories, folder: Path, noted: list[Path]
):
    with closing(PersonMemory.open(folder / f"{ANNA}.db")) as before:
        remember(before, *(f"This is memory {number} about tea" for number in range(300)))
    with (folder / f"{ANNA}.db").open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xff" * 4096)
        file.seek(60 * 4096)
        file.write(b"\xff" * 4096)
    anna = memories.of(ANNA)

    added = await anna.async_run(PersonMemory.add, said("I like hockey"))
    kept = await texts(anna)
    await anna.async_run(export)
    await anna.async_run(lambda memory: memory.recall.load_vectors(MODEL))
    await hass.async_block_till_done()

    assert added.text == "I like hockey"
    assert kept[0] == "This is memory 299 about tea"
    assert "I like hockey" in kept
    assert len(kept) > 100
    assert len(noted) == 1
    assert noted[0].exists()


async def test_a_file_that_is_no_database_is_replaced(
    hass: HomeAssistant, memories: Memories, folder: Path, noted: list[Path]
):
    await hass.async_add_executor_job(write_letter, folder / f"{ANNA}.db")

    assert await texts(memories.of(ANNA)) == []
    await hass.async_block_till_done()

    assert [aside.read_text() for aside in noted] == ["a letter " * 999]


async def test_a_newer_file_is_refused_and_left(memories: Memories, folder: Path):
    with closing(PersonMemory.open(folder / f"{ANNA}.db")) as newer:
        newer.database.connection.execute("PRAGMA user_version = 99")
    before = (folder / f"{ANNA}.db").read_bytes()

    with pytest.raises(MemoryStoreError):
        await memories.of(ANNA).async_run(PersonMemory.count)
    await memories.async_hold_all()
    await memories.async_release_all()

    assert (folder / f"{ANNA}.db").read_bytes() == before
    assert not [name for name in names(folder) if ".corrupt-" in name]


async def test_files_can_be_copied_while_people_go_on_talking(
    hass: HomeAssistant, memories: Memories, folder: Path, tmp_path: Path
):
    anna, ben = memories.of(ANNA), memories.of(BEN)
    await anna.async_run(PersonMemory.add, said("I like tea"))

    await memories.async_hold_all()
    copied = tmp_path / "copied" / f"{ANNA}.db"
    copied.parent.mkdir()
    copied.write_bytes((folder / f"{ANNA}.db").read_bytes())
    await anna.async_run(PersonMemory.add, said("I like hockey", minutes=1))
    await ben.async_run(PersonMemory.add, said("Said to begin with"))
    assert (folder / f"{ANNA}.db").read_bytes() == copied.read_bytes()
    await memories.async_release_all()

    assert await texts(anna) == ["I like hockey", "I like tea"]
    assert await texts(ben) == ["Said to begin with"]
    with closing(PersonMemory.open(copied)) as copy:
        assert [memory.text for memory in copy.list()] == ["I like tea"]
    await anna.async_run(lambda memory: memory.database.checkpoint())
    assert (folder / f"{ANNA}.db-wal").stat().st_size == 0


async def test_releasing_passes_over_what_cannot_be_released(
    memories: Memories, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    await memories.of(ANNA).async_run(PersonMemory.add, said("I like tea"))
    await memories.of(BEN).async_run(PersonMemory.add, said("I like hockey"))

    def fail(memory: PersonMemory) -> None:
        raise MemoryStoreError("The memory could not be used: the disk is full.")

    await memories.async_hold_all()
    monkeypatch.setattr(PersonMemory, "release", fail)
    await memories.async_release_all()
    monkeypatch.undo()
    await memories.async_release_all()

    assert "the disk is full" in caplog.text
    assert "hockey" not in caplog.text


async def test_a_handle_is_free_again_when_work_cannot_be_handed_over(
    hass: HomeAssistant, memories: Memories, monkeypatch: pytest.MonkeyPatch
):
    anna = memories.of(ANNA)

    def refuse(*arguments: object) -> None:
        raise RuntimeError("no threads left")

    with monkeypatch.context() as patched:
        patched.setattr(hass, "async_add_executor_job", refuse)
        with pytest.raises(RuntimeError, match="threads"):
            await anna.async_run(PersonMemory.count)

    assert await anna.async_run(PersonMemory.count) == 0
