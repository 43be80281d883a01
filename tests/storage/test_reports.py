"""People learn of damaged, emptied and missing files, and how much of them came back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from benchmark.fake_model_server import FakeModelServer
from custom_components.sage.config.external_setup import FILE as OUTBOX
from custom_components.sage.memory.memories import FOLDER
from custom_components.sage.routines.host.routine_setup import FILE
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.memory_house import call, remember, texts

ROUTINE = {"action": "beep", "when": "it is so", "code": "def check():\n    return False"}


def half(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def missing(path: Path) -> None:
    path.unlink()


@pytest.fixture
async def sage(hass: HomeAssistant, model_server: FakeModelServer) -> Sage:
    return await async_make_sage(hass, model_server)


async def restarted(hass: HomeAssistant, sage: Sage, harm: Callable[[Path], None], path: str):
    """Harm a file while nobody has it open."""
    await hass.async_block_till_done(wait_background_tasks=True)
    await hass.config_entries.async_unload(sage.entry.entry_id)
    await hass.async_add_executor_job(harm, Path(hass.config.path(path)))
    await hass.config_entries.async_setup(sage.entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)


def issues(hass: HomeAssistant, key: str) -> list[ir.IssueEntry]:
    return [each for each in ir.async_get(hass).issues.values() if each.translation_key == key]


async def test_of_half_a_memory_it_is_said_how_much_came_back(
    hass: HomeAssistant, sage: Sage, hass_owner_user: User
):
    told = [f"Fact number {number}." for number in range(20)]
    await remember(hass, hass_owner_user, *told)

    await restarted(hass, sage, half, f"{FOLDER}/{hass_owner_user.id}.db")

    assert await texts(hass, hass_owner_user) == told
    (issue,) = issues(hass, "memory_damaged")
    assert issue.translation_placeholders is not None
    assert issue.translation_placeholders["rows"] == "20"
    assert int(issue.translation_placeholders["lost_pages"]) > 1


@pytest.mark.parametrize("harm", [emptied, missing])
async def test_a_memory_that_is_gone_is_reported_at_the_start(
    hass: HomeAssistant, sage: Sage, hass_owner_user: User, harm: Callable[[Path], None]
):
    await remember(hass, hass_owner_user, "I like jazz.")
    assert not issues(hass, "memory_missing")

    await restarted(hass, sage, harm, f"{FOLDER}/{hass_owner_user.id}.db")

    assert len(issues(hass, "memory_missing")) == 1
    assert await texts(hass, hass_owner_user) == []
    await remember(hass, hass_owner_user, "I run.")
    assert await texts(hass, hass_owner_user) == ["I run."]


@pytest.mark.parametrize("harm", [emptied, missing])
async def test_routines_that_are_gone_are_reported_at_the_start(
    hass: HomeAssistant, sage: Sage, hass_owner_user: User, harm: Callable[[Path], None]
):
    await call(hass, "create_routine", hass_owner_user, **ROUTINE)

    await restarted(hass, sage, harm, FILE)

    assert len(issues(hass, "routines_missing")) == 1
    assert (await call(hass, "list_routines", hass_owner_user))["routines"] == []


@pytest.mark.parametrize("harm", [emptied, missing])
async def test_a_journal_of_sent_mail_that_is_gone_is_reported_when_it_is_read(
    hass: HomeAssistant, sage: Sage, harm: Callable[[Path], None]
):
    await sage.entry.runtime_data.external.outbox.async_load()

    await restarted(hass, sage, harm, OUTBOX)

    assert not issues(hass, "outbox_missing")
    await sage.entry.runtime_data.external.outbox.async_load()
    assert len(issues(hass, "outbox_missing")) == 1


async def test_of_damaged_routines_it_is_said_how_many_came_back(
    hass: HomeAssistant, sage: Sage, hass_owner_user: User
):
    def page_with_a_schema_is_lost(path: Path) -> None:
        with path.open("r+b") as file:
            file.write(b"\xff" * 4096)

    made = [await call(hass, "create_routine", hass_owner_user, **ROUTINE) for _ in range(3)]

    await restarted(hass, sage, page_with_a_schema_is_lost, FILE)

    listed = (await call(hass, "list_routines", hass_owner_user))["routines"]
    assert [each["id"] for each in listed] == [each["id"] for each in made]
    (issue,) = issues(hass, "routines_damaged")
    assert issue.translation_placeholders is not None
    assert issue.translation_placeholders["rows"] == "3"
