"""Given memories and routines of somebody who is no user, they wait, come back, or go."""

import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from benchmark.fake_model_server import FakeModelServer
from custom_components.sage.background.absent_owners import STORAGE_KEY
from custom_components.sage.const import DOMAIN
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.people.person import Person
from custom_components.sage.routines.host.routine_setup import FILE as ROUTINES_FILE
from custom_components.sage.routines.routine_types import Status
from custom_components.sage.routines.store import STEPS
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.memory_house import call
from tests.routine_house import admin, anna, ben

__all__ = ["admin", "anna", "ben"]

TEA = "I never drink coffee, only tea"
WATER = {"action": "say that the plants need water", "daily": "08:00:00", "kind": "tell"}


@pytest.fixture
async def sage(hass: HomeAssistant, model_server: FakeModelServer, anna: User) -> Sage:
    """SAGE with a memory and a routine of Anna."""
    made = await async_make_sage(hass, model_server, "native")
    await call(hass, "remember", anna, text=TEA)
    await call(hass, "create_routine", anna, **WATER)
    return made


async def settle(hass: HomeAssistant) -> None:
    await hass.async_block_till_done(wait_background_tasks=True)


async def remove(hass: HomeAssistant, user: User) -> None:
    await hass.auth.async_remove_user(user)
    await settle(hass)


async def lose(hass: HomeAssistant, sage: Sage, user: User) -> None:
    """Let a user be gone after a restart, as with a damaged file of users."""
    await hass.config_entries.async_unload(sage.entry.entry_id)
    hass.auth._store._users.pop(user.id)
    await come_up(hass, sage)


async def come_up(hass: HomeAssistant, sage: Sage) -> None:
    await hass.config_entries.async_setup(sage.entry.entry_id)
    await settle(hass)


async def nights(hass: HomeAssistant, freezer: FrozenDateTimeFactory, count: int) -> None:
    """Let days pass, until after the night."""
    later = dt_util.now() + timedelta(days=count)
    freezer.move_to(later.replace(hour=3, minute=7, second=0, microsecond=500_000))
    async_fire_time_changed(hass)
    await settle(hass)


def issue_of(hass: HomeAssistant, user: User) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, f"owner_{user.id}")


def words_of(hass: HomeAssistant) -> bytes:
    """Return all that SAGE has on the disk."""
    folder = Path(hass.config.path(".storage/sage"))
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def told(sage: Sage, user: User) -> list[str]:
    memory = sage.entry.runtime_data.memory
    person = Person(user_id=user.id, name="")
    return [each.text for each in await memory.async_do(person, PersonMemory.list)]


def statuses(sage: Sage, user: User) -> list[Status]:
    return [each.routine.status for each in sage.entry.runtime_data.routines.list(user.id)]


async def test_what_is_of_a_removed_person_goes_after_thirty_days(
    hass: HomeAssistant,
    sage: Sage,
    anna: User,
    ben: User,
    freezer: FrozenDateTimeFactory,
    caplog: pytest.LogCaptureFixture,
):
    await call(hass, "remember", ben, text="I like jazz")
    gone_at = dt_util.utcnow()
    await remove(hass, anna)

    issue = issue_of(hass, anna)
    assert issue is not None
    assert (issue.translation_key, issue.is_fixable) == ("owner_removed", True)
    day = dt_util.as_local(gone_at + timedelta(days=30)).date().isoformat()
    assert issue.translation_placeholders == {"name": "Annegret", "date": day}
    assert f"There is no user {anna.id}" in caplog.text
    assert TEA not in caplog.text
    await nights(hass, freezer, 29)
    await hass.config_entries.async_reload(sage.entry.entry_id)
    await settle(hass)
    assert (await told(sage, anna), statuses(sage, anna)) == ([TEA], [Status.OWNER_GONE])

    await nights(hass, freezer, 2)

    assert statuses(sage, anna) == []
    assert issue_of(hass, anna) is None
    kept = words_of(hass)
    for word in (TEA, str(WATER["action"]), anna.id, "Annegret"):
        assert word.encode() not in kept
    assert await told(sage, ben) == ["I like jazz"]


async def test_absence_alone_never_deletes(
    hass: HomeAssistant, sage: Sage, anna: User, freezer: FrozenDateTimeFactory
):
    await lose(hass, sage, anna)

    issue = issue_of(hass, anna)
    assert issue is not None
    assert issue.translation_key == "owner_absent"
    assert issue.translation_placeholders == {"name": "Annegret"}
    await nights(hass, freezer, 400)
    assert statuses(sage, anna) == [Status.OWNER_GONE]
    assert TEA.encode() in words_of(hass)

    hass.auth._store._users[anna.id] = anna
    await hass.config_entries.async_reload(sage.entry.entry_id)
    await settle(hass)
    assert await told(sage, anna) == [TEA]
    assert statuses(sage, anna) == [Status.WATCHING]
    assert issue_of(hass, anna) is None


async def test_who_is_back_from_a_backup_is_not_counted_as_removed(
    hass: HomeAssistant, sage: Sage, anna: User, freezer: FrozenDateTimeFactory
):
    await remove(hass, anna)
    hass.auth._store._users[anna.id] = anna
    await hass.config_entries.async_reload(sage.entry.entry_id)
    await settle(hass)
    assert statuses(sage, anna) == [Status.WATCHING]

    await lose(hass, sage, anna)
    await nights(hass, freezer, 31)

    assert TEA.encode() in words_of(hass)


@pytest.mark.parametrize("removal", [None, [], {}, {"removed_at": "then"}, {"removed_at": [1]}])
async def test_a_lost_note_of_a_removal_deletes_nothing(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    sage: Sage,
    anna: User,
    freezer: FrozenDateTimeFactory,
    removal: object,
):
    await remove(hass, anna)
    await hass.config_entries.async_unload(sage.entry.entry_id)
    hass_storage[STORAGE_KEY] = {"version": 1, "data": {anna.id: removal}}
    await come_up(hass, sage)

    await nights(hass, freezer, 31)

    assert statuses(sage, anna) == [Status.OWNER_GONE]
    assert TEA.encode() in words_of(hass)


async def test_a_removal_is_not_forgotten_while_the_routines_cannot_be_read(
    hass: HomeAssistant, sage: Sage, ben: User, freezer: FrozenDateTimeFactory
):
    """Ben has no memories: only his routines, which cannot be read now, show that he existed."""
    await call(hass, "create_routine", ben, **WATER)
    await remove(hass, ben)
    for version in (99, len(STEPS)):
        await hass.config_entries.async_unload(sage.entry.entry_id)
        with closing(sqlite3.connect(hass.config.path(ROUTINES_FILE))) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        await come_up(hass, sage)
    assert statuses(sage, ben) == [Status.OWNER_GONE]

    await nights(hass, freezer, 31)

    assert statuses(sage, ben) == []


async def test_an_event_that_anybody_fired_removes_nobody(
    hass: HomeAssistant, sage: Sage, anna: User, freezer: FrozenDateTimeFactory
):
    hass.bus.async_fire("user_removed", {"user_id": anna.id})
    await settle(hass)
    await nights(hass, freezer, 31)

    assert statuses(sage, anna) == [Status.WATCHING]
    assert await told(sage, anna) == [TEA]


# ---------------------------------------------------------------- what administrators decide

type Fix = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
async def fix(hass: HomeAssistant, hass_client: ClientSessionGenerator) -> Fix:
    """Open the issue of a person as an administrator does, and go through its steps."""
    assert await async_setup_component(hass, "repairs", {})

    async def fix(user: User, *steps: dict[str, str]) -> dict[str, Any]:
        client = await hass_client()
        path, data = "/api/repairs/issues/fix", {"handler": DOMAIN, "issue_id": f"owner_{user.id}"}
        shown: dict[str, Any] = {}
        for given in (data, *steps):
            answer = await client.post(path, json=given)
            assert answer.status == HTTPStatus.OK, await answer.text()
            shown = await answer.json()
            path = f"/api/repairs/issues/fix/{shown['flow_id']}"
        return shown

    return fix


GIVE, DELETE = {"next_step_id": "give"}, {"next_step_id": "delete"}


async def test_an_administrator_sees_how_much_there_is(
    hass: HomeAssistant, sage: Sage, anna: User, fix: Fix
):
    await lose(hass, sage, anna)

    shown = await fix(anna)

    assert shown["menu_options"] == ["give", "delete"]
    placeholders = shown["description_placeholders"]
    assert (placeholders["name"], placeholders["routines"]) == ("Annegret", "1")
    assert TEA not in str(shown)


async def test_everything_is_deleted_when_an_administrator_confirms(
    hass: HomeAssistant, sage: Sage, anna: User, fix: Fix
):
    await lose(hass, sage, anna)

    assert (await fix(anna, DELETE))["type"] == "form"
    assert TEA.encode() in words_of(hass)
    assert (await fix(anna, DELETE, {}))["type"] == "create_entry"

    assert TEA.encode() not in words_of(hass)
    assert str(WATER["action"]).encode() not in words_of(hass)
    assert statuses(sage, anna) == []
    assert issue_of(hass, anna) is None


async def test_everything_is_given_to_another_person(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User, fix: Fix
):
    await call(hass, "remember", ben, text="I like jazz")
    await remove(hass, anna)

    shown = await fix(anna, GIVE)
    (field,) = shown["data_schema"]
    offered = [each["value"] for each in field["selector"]["select"]["options"]]
    assert ben.id in offered
    assert anna.id not in offered
    assert (await fix(anna, GIVE, {"person": ben.id}))["type"] == "create_entry"

    assert sorted(await told(sage, ben)) == ["I like jazz", TEA]
    assert statuses(sage, ben) == [Status.WATCHING]
    assert statuses(sage, anna) == []
    assert issue_of(hass, anna) is None


async def test_a_routine_that_cannot_be_read_is_not_deleted_by_giving(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User, fix: Fix
):
    """A newer version of SAGE may read it; the others are Ben's."""
    newer = json.dumps({"owner": anna.id, "command": "water the #orchid"})
    await call(hass, "create_routine", anna, **WATER)
    await hass.config_entries.async_unload(sage.entry.entry_id)
    with closing(sqlite3.connect(hass.config.path(ROUTINES_FILE))) as connection, connection:
        connection.execute("UPDATE routines SET data = ? WHERE number = 2", (newer,))
    await come_up(hass, sage)
    await remove(hass, anna)

    await fix(anna, GIVE, {"person": ben.id})

    assert statuses(sage, ben) == [Status.WATCHING]
    assert b"#orchid" in words_of(hass)


async def test_nothing_is_lost_where_the_other_person_wants_no_memory(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User, fix: Fix
):
    await call(hass, "set_memory", ben, enabled=False)
    await remove(hass, anna)

    ended = await fix(anna, GIVE, {"person": ben.id})

    assert (ended["type"], ended["reason"]) == ("abort", "unchanged")
    assert await told(sage, anna) == [TEA]
    assert statuses(sage, anna) == [Status.OWNER_GONE]
    assert issue_of(hass, anna)


async def test_who_is_back_meanwhile_keeps_everything(
    hass: HomeAssistant, sage: Sage, anna: User, fix: Fix
):
    await lose(hass, sage, anna)
    issue = issue_of(hass, anna)
    assert issue is not None
    hass.auth._store._users[anna.id] = anna
    await sage.entry.runtime_data.absent_owners.async_check()
    await sage.entry.runtime_data.absent_owners.async_purge(anna.id)

    assert await told(sage, anna) == [TEA]
    assert statuses(sage, anna) == [Status.WATCHING]
