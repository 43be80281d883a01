"""The file of the routines in Home Assistant: damage is reported, backups hold it."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from custom_components.sage.routines.registry import RoutineRegistry
from custom_components.sage.routines.routine_types import (
    EdgeKind,
    Firing,
    Memo,
    Status,
    StoreClosedError,
)
from custom_components.sage.routines.store import RoutineStore, Stored
from custom_components.sage.storage.async_file import BACKUP_UNDER_WAY

from .drawing import NOON, Drawing

ROUTINE = Drawing(7).routine(id="a", status=Status.WATCHING)
EDGE = Firing(routine_id="a", edge=EdgeKind.ON, at=NOON)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sage" / "routines.db"


@pytest.fixture
async def store(hass: HomeAssistant, path: Path) -> AsyncIterator[RoutineRegistry]:
    made = RoutineRegistry(hass, path)
    yield made
    await made.async_close()


async def reopened(hass: HomeAssistant, path: Path) -> Stored:
    def look() -> Stored:
        opened = RoutineStore.open(path)
        try:
            return opened.load()
        finally:
            opened.close()

    return await hass.async_add_executor_job(look)


async def test_all_that_the_engine_does_is_on_the_disk(
    hass: HomeAssistant, store: RoutineRegistry, path: Path
):
    await store.async_add(ROUTINE, Memo())
    paused = Drawing(7).routine(id="a", status=Status.PAUSED)
    await store.async_replace(paused, Memo(fired=1))
    (firing,) = await store.async_commit({"a": Memo(fired=2)}, [EDGE])

    assert await store.async_read() == await reopened(hass, path)
    assert await store.async_read() == Stored(
        routines=(paused,), memos={"a": Memo(fired=2)}, firings=(firing,)
    )
    assert await store.async_last_fired("a") is None
    assert not await store.async_note(firing)
    await store.async_remove("a")
    assert await store.async_read() == Stored(routines=())


async def test_nothing_is_done_in_the_event_loop(
    store: RoutineRegistry, monkeypatch: pytest.MonkeyPatch
):
    threads: list[int] = []

    def load(_: RoutineStore) -> Stored:
        threads.append(threading.get_ident())
        return Stored(routines=())

    monkeypatch.setattr(RoutineStore, "load", load)

    await store.async_read()

    assert threads
    assert threads[0] != threading.get_ident()


async def test_what_was_begun_is_carried_out_though_nobody_waits_for_it(
    hass: HomeAssistant, store: RoutineRegistry, monkeypatch: pytest.MonkeyPatch
):
    await store.async_read()
    begun, go = threading.Event(), threading.Event()
    add = RoutineStore.add

    def slow(opened: RoutineStore, *arguments: object) -> None:
        begun.set()
        go.wait(20)
        add(opened, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(RoutineStore, "add", slow)
    adding = hass.async_create_task(store.async_add(ROUTINE, Memo()))
    await hass.async_add_executor_job(begun.wait, 20)
    adding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await adding
    go.set()

    assert (await store.async_read()).routines == (ROUTINE,)


async def test_a_damaged_file_is_set_aside_and_told(
    hass: HomeAssistant, store: RoutineRegistry, path: Path
):
    letter = b"a letter " * 999
    path.parent.mkdir()
    await hass.async_add_executor_job(path.write_bytes, letter)

    assert await store.async_read() == Stored(routines=())
    await hass.async_block_till_done()

    (issue,) = ir.async_get(hass).issues.values()
    assert issue.translation_key == "routines_damaged"
    assert issue.translation_placeholders is not None
    aside = path.with_name(issue.translation_placeholders["file"])
    assert await hass.async_add_executor_job(aside.read_bytes) == letter
    await store.async_add(ROUTINE, Memo())
    assert (await reopened(hass, path)).routines == (ROUTINE,)
    assert len(ir.async_get(hass).issues) == 1


async def test_what_is_written_during_a_backup_is_lost_neither_here_nor_there(
    hass: HomeAssistant, store: RoutineRegistry, path: Path, tmp_path: Path
):
    await store.async_add(ROUTINE, Memo())
    (first,) = await store.async_commit({}, [EDGE])
    await store.async_hold()
    held = await hass.async_add_executor_job(path.read_bytes)

    (second,) = await store.async_commit({"a": Memo(fired=1)}, [EDGE])
    assert await hass.async_add_executor_job(path.read_bytes) == held
    copy = tmp_path / "copy" / "routines.db"
    copy.parent.mkdir()
    await hass.async_add_executor_job(copy.write_bytes, held)
    assert (await reopened(hass, copy)).firings == (first,)
    # It stays so, even if SAGE is reloaded meanwhile.
    await store.async_close()
    assert await hass.async_add_executor_job(path.read_bytes) == held
    hass.data[BACKUP_UNDER_WAY] = True
    again = RoutineRegistry(hass, path)
    assert (await again.async_read()).firings == (first, second)
    assert await hass.async_add_executor_job(path.read_bytes) == held

    await again.async_release()
    await again.async_close()
    assert path.with_name("routines.db-wal").exists() is False
    assert (await reopened(hass, path)).memos == {"a": Memo(fired=1)}


async def test_after_closing_nothing_is_opened_again(store: RoutineRegistry, path: Path):
    await store.async_close()
    await store.async_hold()
    await store.async_release()

    with pytest.raises(StoreClosedError):
        await store.async_read()
    assert not path.exists()  # noqa: ASYNC240
