"""The memories of all people within Home Assistant: apart, in order, gone with their person."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from custom_components.sage.memory.async_memory import AsyncPersonMemory
from custom_components.sage.memory.long_term_memory import LongTermMemory
from custom_components.sage.memory.memories import Memory, MemoryStoreError
from custom_components.sage.memory.memory_export import export
from custom_components.sage.memory.person_memory import PersonMemory

from .conftest import bytes_of, remember, said
from .household import make_memory
from .toy_embedder import MODEL

ANNA, BEN = "a" * 32, "b" * 32


@pytest.fixture
def folder(hass: HomeAssistant, tmp_path: Path) -> Path:
    hass.config.config_dir = str(tmp_path)
    return tmp_path / ".storage" / "sage" / "memory"


@pytest.fixture
async def memories(hass: HomeAssistant, folder: Path) -> AsyncIterator[LongTermMemory]:
    made = make_memory(hass)
    yield made
    await made.async_close()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("[!.]*")}


async def texts(handle: AsyncPersonMemory) -> list[str]:
    return [memory.text for memory in await handle.async_run(PersonMemory.list)]


async def test_each_person_has_a_file_of_their_own(memories: LongTermMemory, folder: Path):
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


@pytest.mark.parametrize(
    "user_id", ["", "household", "../anna", "a/b", ".", "a.db", "A" * 32, "-a", "a" * 65, "a\n"]
)
async def test_an_id_that_is_no_safe_name_is_refused(memories: LongTermMemory, user_id: str):
    with pytest.raises(ValueError, match="id of a user"):
        memories.of(user_id)


async def test_calls_are_carried_out_one_after_the_other(memories: LongTermMemory):
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


async def test_nothing_of_a_deleted_user_stays(memories: LongTermMemory, folder: Path):
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


async def test_the_household_can_be_purged_and_begins_again(memories: LongTermMemory):
    await memories.async_purge(None)
    await memories.of(None).async_run(PersonMemory.add, said("Hello"))
    await memories.async_purge(None)
    assert await memories.async_users() == ()

    await memories.of(None).async_run(PersonMemory.add, said("Hello"))

    assert await texts(memories.of(None)) == ["Hello"]


async def test_a_damaged_file_is_kept_told_of_and_read_as_far_as_it_goes(
    hass: HomeAssistant, memories: LongTermMemory, folder: Path
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
    (issue,) = ir.async_get(hass).issues.values()
    assert issue.translation_key == "memory_damaged"
    assert issue.translation_placeholders is not None
    assert (folder / issue.translation_placeholders["file"]).exists()
