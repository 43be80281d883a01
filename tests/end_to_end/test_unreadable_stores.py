"""Files that cannot be read: never an empty list, a reason for it, and back without a reload."""

import errno
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.sage import __file__ as sage_file
from custom_components.sage.const import DOMAIN
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from custom_components.sage.external.address_book import STORAGE_KEY as CONTACTS
from custom_components.sage.home.safety.risk_levels import STORAGE_KEY as RISK_LEVELS
from custom_components.sage.home.safety.risk_levels import RiskVerdict, levels_of, subject_of
from custom_components.sage.model.usage_counters import STORAGE_KEY as MODEL_USAGE
from custom_components.sage.routines.host.routine_setup import FILE
from custom_components.sage.storage.async_file import RETRY
from tests.decisions import NATIVE
from tests.memory_house import call

from .conftest import Sage
from .routine_tools.setting_up import at_a_time

LISTING: Final = NATIVE.call("routines", action="list", final=True)
MILK: Final = {"at": "2099-03-01T09:00", "kind": "tell", "action": "throw out the milk"}
LATER: Final = {"at": "2099-03-02T09:00", "kind": "tell", "action": "water the plants"}
CANNOT: Final = "I cannot read the routines right now"
ISSUE: Final = "routines_unreadable"
SWITCH: Final = "switch.sage_routine_1"

type Damage = Callable[[Path], None]


def newer(path: Path) -> None:
    """Have a later version of SAGE use the file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def folder(path: Path) -> None:
    """Put a folder in its place."""
    path.rename(path.with_name("aside"))
    path.mkdir()
    # On some file systems an empty folder has no size.
    (path / "something").write_text("something " * 99)


def loop(path: Path) -> None:
    """Put a link in its place that leads nowhere."""
    path.rename(path.with_name("aside"))
    path.symlink_to(path)


def mend(path: Path) -> None:
    """Make the file what it was."""
    if (aside := path.with_name("aside")).exists():
        if path.is_symlink():
            path.unlink()
        else:
            path.rename(path.with_name("folder"))
        aside.rename(path)
        return
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")


async def damaged(sage: Sage, path: Path, damage: Damage) -> None:
    """Damage a file while SAGE is not loaded, and load it."""
    hass, entry_id = sage.hass, sage.entry.entry_id
    assert await hass.config_entries.async_unload(entry_id)
    # What waits to be written would come before what is in the file.
    await levels_of(hass).async_save()
    await hass.async_add_executor_job(damage, path)
    assert await hass.config_entries.async_setup(entry_id)
    await hass.async_block_till_done()
    assert sage.entry.state is ConfigEntryState.LOADED


async def pass_time(hass: HomeAssistant, seconds: float) -> None:
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=seconds))
    await hass.async_block_till_done()


@pytest.fixture
def hass_storage() -> dict[str, Any]:
    """Let the stores of Home Assistant be files, and no dict as in other tests."""
    return {}


@pytest.fixture
def files(hass: HomeAssistant) -> Path:
    return Path(hass.config.path(".storage"))


def issue(hass: HomeAssistant, name: str = ISSUE) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, name)


@pytest.fixture
def routines_file(hass: HomeAssistant) -> Path:
    return Path(hass.config.path(FILE))


@pytest.fixture
async def milk(sage: Sage, user: User) -> Sage:
    """A home where Anna is to be reminded of the milk."""
    sage.model_says(at_a_time(**MILK))
    assert "milk" in await sage.hear("remind me of the milk", user_id=user.id)
    return sage


@pytest.mark.parametrize("damage", [newer, folder, loop])
async def test_no_list_is_empty_because_the_store_cannot_be_read(
    hass: HomeAssistant, milk: Sage, user: User, routines_file: Path, damage: Damage
) -> None:
    await damaged(milk, routines_file, damage)
    told = issue(hass)
    assert told is not None
    assert told.translation_placeholders
    reason = told.translation_placeholders["error"]

    milk.model_says(LISTING)
    heard = await milk.hear("what are you watching for?", user_id=user.id)
    assert heard.startswith(CANNOT)
    prompt = milk.server.completions[0].prompt
    assert "cannot be read now" in prompt
    assert reason not in prompt
    assert milk.model_calls == 1

    for service, given in (
        ("list_routines", {}),
        ("pause_routine", {"routine": SWITCH}),
        ("delete_routine", {"routine": SWITCH}),
        ("create_routine", {"action": "water the plants", "at": "2099-03-02 09:00"}),
    ):
        with pytest.raises(HomeAssistantError) as refused:
            await call(hass, service, user, **given)
        assert refused.value.translation_placeholders == {"error": reason}
    diagnostics = await async_get_config_entry_diagnostics(hass, milk.entry)
    assert diagnostics["routines"] == {"error": reason}
    assert hass.states.is_state(SWITCH, "unavailable")


@pytest.mark.parametrize("damage", [newer, folder, loop])
async def test_routines_are_back_without_a_reload_once_they_can_be_read(
    hass: HomeAssistant, milk: Sage, user: User, routines_file: Path, damage: Damage
) -> None:
    await damaged(milk, routines_file, damage)
    runtime = milk.entry.runtime_data
    await pass_time(hass, RETRY.total_seconds() + 1)
    assert issue(hass) is not None

    await hass.async_add_executor_job(mend, routines_file)
    await pass_time(hass, 3 * RETRY.total_seconds())

    assert milk.entry.runtime_data is runtime
    assert issue(hass) is None
    milk.model_says(LISTING)
    heard = await milk.hear("what are you watching for?", user_id=user.id)
    assert heard == "On March 1, 2099, at 09:00: I'll tell you “throw out the milk”."
    assert hass.states.is_state(SWITCH, "on")
    # It is watched, and numbers go on.
    assert runtime.routines.list(user.id)[0].next_check is not None
    milk.model_says(at_a_time(**LATER))
    await milk.hear("and of the plants", user_id=user.id)
    assert hass.states.is_state("switch.sage_routine_2", "on")


async def test_nothing_is_set_up_where_it_could_not_be_kept(
    milk: Sage, user: User, routines_file: Path
) -> None:
    await damaged(milk, routines_file, newer)
    milk.model_says(at_a_time(**LATER), NATIVE.finish("could_not", "I cannot set that up now."))
    heard = await milk.hear("remind me of the plants", user_id=user.id)
    assert "Update SAGE to use it. Nothing was set up." in milk.server.completions[1].prompt
    assert "I cannot set that up now." in heard


async def test_a_single_routine_that_cannot_be_read_is_counted(
    hass: HomeAssistant, milk: Sage, user: User, routines_file: Path
) -> None:
    def of_a_newer_version(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE routines SET data = '{\"mood\": 1}'")
            connection.commit()

    await damaged(milk, routines_file, of_a_newer_version)

    milk.model_says(LISTING)
    heard = await milk.hear("what are you watching for?", user_id=user.id)
    assert heard.startswith("Some stored routines, which may be yours, are damaged or come from")
    assert heard.endswith(
        "Number of these routines: 1. Home Assistant shows the reason under Repairs."
    )
    assert await call(hass, "list_routines", user) == {"routines": [], "unreadable": 1}
    assert issue(hass, "routines_some_unreadable") is not None
    # Its number and the name that people gave to its switch stay, too.
    assert er.async_get(hass).async_get(SWITCH) is not None


KEYS: Final = (MODEL_USAGE, RISK_LEVELS, CONTACTS)  # all small stores of SAGE


def contains(text: str | bytes) -> Damage:
    def write(path: Path) -> None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    return write


UNUSABLE: Final[dict[str, Damage]] = {
    "newer": contains(json.dumps({"version": 99, "key": "?", "data": {"?": 1}})),
    "older": contains(json.dumps({"version": 0, "key": "?", "data": {}})),
    "a version in words": contains('{"version": "one", "data": {}}'),
    "no version": contains('{"data": {}}'),
    "no data": contains('{"version": 1, "minor_version": 1}'),
    "a list": contains("[1]"),
    "a list as data": contains('{"version": 1, "data": [1]}'),
    "a text as data": contains('{"version": 1, "data": "days"}'),
    "half": contains('{"version": 1, "da'),
    "empty": contains(""),
    "deep": contains("[" * 99_999),
    "bytes": contains(b"\x00\xff\xfe" * 99),
    "a folder": Path.mkdir,
    "a loop": lambda path: path.symlink_to(path),
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("damage", UNUSABLE.values(), ids=UNUSABLE)
async def test_a_small_store_that_cannot_be_used_is_kept_aside_and_reported(
    hass: HomeAssistant, files: Path, sage: Sage, key: str, damage: Damage
) -> None:
    path, looks = files / key, []

    def replace(path: Path) -> None:
        path.unlink(missing_ok=True)
        damage(path)
        looks.append(_looks(path))

    hass.data.pop("sage_model_usage", None)  # they are read once in the life of Home Assistant
    await damaged(sage, path, replace)

    told = issue(hass, f"store_set_aside_{key}")
    assert told is not None
    assert told.translation_placeholders
    assert told.translation_placeholders["file"] == key
    aside = files / told.translation_placeholders["aside"]
    assert aside != path
    assert await hass.async_add_executor_job(_looks, aside) == looks[0]
    assert {each.issue_id for _, each in ir.async_get(hass).issues.items()} == {told.issue_id}
    sage.model_says(NATIVE.finish("answered", "Why did the chicken cross the road?"))
    assert await sage.hear("tell me a joke") == "Why did the chicken cross the road?"


ODD: Final[tuple[object, ...]] = (
    None,
    3,
    "x",
    [],
    [[]],
    {},
    {"a": None},
    {"a": [{}]},
    {"a": {"b": {"c": "d"}}},
)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", ["2026-11-28", "definitions", "summaries", "?"])
async def test_odd_items_of_a_small_store_are_left_out(
    hass: HomeAssistant, files: Path, sage: Sage, key: str, name: str
) -> None:
    hass.data.pop("sage_model_usage", None)
    for odd in ODD:
        await damaged(sage, files / key, contains(json.dumps({"version": 1, "data": {name: odd}})))
    assert not ir.async_get(hass).issues


async def test_a_small_store_goes_on_after_its_file_was_set_aside(files: Path, sage: Sage) -> None:
    path = files / RISK_LEVELS
    await damaged(sage, path, contains("[1]"))
    levels = levels_of(sage.hass)
    levels.note(subject_of(sage.hass, "light.kitchen"), RiskVerdict(risk=None, reason="A lamp."))
    await levels.async_save()
    assert "A lamp." in await sage.hass.async_add_executor_job(path.read_text)


async def test_a_small_store_whose_file_cannot_be_renamed_leaves_it_alone(
    hass: HomeAssistant, files: Path, sage: Sage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    path = files / RISK_LEVELS
    monkeypatch.setattr(os, "rename", refuse)
    await damaged(sage, path, contains("[1]"))
    levels = levels_of(hass)
    levels.note(subject_of(hass, "light.kitchen"), RiskVerdict(risk=None, reason="A lamp."))
    await levels.async_save()
    assert await hass.async_add_executor_job(path.read_text) == "[1]"
    told = issue(hass, f"store_set_aside_{RISK_LEVELS}")
    assert told is not None
    assert told.translation_placeholders
    assert "it is read-only" in told.translation_placeholders["error"]


def test_there_is_one_way_to_load_a_small_store() -> None:
    sources = {
        path: path.read_text(encoding="utf-8") for path in Path(sage_file).parent.rglob("*.py")
    }
    direct = [path.name for path, text in sources.items() if "helpers.storage import Store" in text]
    assert direct == ["small_store.py"]
    stores = [text for text in sources.values() if " = SmallStore(" in text]
    assert len(stores) == len(KEYS)


def _looks(path: Path) -> object:
    status = os.lstat(path)
    return status.st_ino, status.st_mtime_ns, status.st_size
