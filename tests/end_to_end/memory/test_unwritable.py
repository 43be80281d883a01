"""Memory on real file systems that are full or read-only: SAGE says why and claims nothing."""

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.sage.memory.long_term_memory import FOLDER, TICK
from custom_components.sage.memory.memories import Origin
from tests.decisions import FORMATS, NATIVE, Decides, claim
from tests.end_to_end.conftest import Sage
from tests.end_to_end.doors.decided import turn_on_the_kitchen_light
from tests.memory_house import call, key_of

from .said import MOTHER, NOTED, REMEMBER
from .story import kept, plant, words

WHY = {
    "full": {
        "en": (
            "I cannot save memories, because the disk of Home Assistant is full. Please free "
            "some space."
        ),
        "de": "Ich kann keine Erinnerungen speichern, weil der Datenträger von Home Assistant "
        "voll ist. Bitte schaffe Platz.",
    },
    "read_only": {
        "en": (
            "I cannot save memories, because my memory files are read-only. Home Assistant "
            "shows how to fix this under Repairs."
        )
    },
    "newer": {
        "en": "I cannot use my memory file, because it is from a newer version of SAGE. Please "
        "update SAGE."
    },
}


class Disk:
    """A file system of its own for the memories, of two megabytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def mount(self, *options: str) -> None:
        told = ",".join(("size=2m", *options))
        command = ["mount", "-t", "tmpfs", "-o", told, "tmpfs", str(self.folder)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("file systems cannot be mounted here")

    def remount(self, mode: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{mode}", str(self.folder)], check=True)

    def unmount(self) -> None:
        subprocess.run(["umount", "-l", str(self.folder)], check=False)

    def fill(self) -> None:
        """Leave no room."""
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (65_536, 4_096, 1):
                try:
                    while True:
                        ballast.write(b"x" * size)
                except OSError:
                    continue

    def empty(self) -> None:
        self._ballast.unlink()


@pytest.fixture
def disk(hass: HomeAssistant) -> Iterator[Disk]:
    """The memories lie on a small disk."""
    made = Disk(Path(hass.config.path(FOLDER)))
    made.folder.mkdir(parents=True, exist_ok=True)
    made.mount()
    yield made
    made.unmount()


def issues(hass: HomeAssistant) -> list[str]:
    """Return which issues about the use of memories there are."""
    found = ir.async_get(hass).issues.values()
    return [str(each.translation_key) for each in found if each.issue_id == "memory_fault"]


async def says_remember(sage: Sage, user_id: str, decides: Decides = NATIVE, **more: str) -> str:
    """Ask for something to be remembered; the model would claim that it was."""
    language = more.pop("language", "en")
    sage.model_says(
        decides.call("memory", action="remember", text=MOTHER[language]),
        decides.finish("answered", NOTED[language], about="other"),
    )
    return await sage.hear(
        REMEMBER[language], user_id=user_id, language=language, conversation_id=None
    )


async def wait_a_minute(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    freezer.tick(TICK)
    async_fire_time_changed(hass, dt_util.utcnow())
    await hass.async_block_till_done(wait_background_tasks=True)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("decision_format", FORMATS)
async def test_full_disk(
    hass: HomeAssistant, sage: Sage, disk: Disk, freezer: FrozenDateTimeFactory, user, language
) -> None:
    decides = sage.decides
    await plant(sage, user.id, "I like tea")
    await hass.async_add_executor_job(disk.fill)
    heard = await says_remember(sage, user.id, decides, language=language)
    assert heard == WHY["full"][language]
    assert await words(sage, user.id) == ["I like tea"]
    assert issues(hass) == ["memory_full"]
    with pytest.raises(HomeAssistantError) as caught:
        await call(hass, "remember", user, text="I like cake")
    assert key_of(caught.value) == "memory_full"

    # Reading always works, and does not show whether writing does.
    await wait_a_minute(hass, freezer)
    assert issues(hass) == ["memory_full"]
    await hass.async_add_executor_job(disk.empty)
    await wait_a_minute(hass, freezer)
    assert issues(hass) == []
    assert await says_remember(sage, user.id, decides, language=language) == NOTED[language]
    assert [each.text for each in await kept(sage, user.id)] == ["I like tea", MOTHER[language]]


async def test_read_only_disk(sage: Sage, disk: Disk, freezer: FrozenDateTimeFactory, user) -> None:
    await sage.hass.async_add_executor_job(disk.remount, "ro")
    assert await says_remember(sage, user.id) == WHY["read_only"]["en"]
    assert issues(sage.hass) == ["memory_read_only"]
    await wait_a_minute(sage.hass, freezer)
    assert issues(sage.hass) == ["memory_read_only"]
    await sage.hass.async_add_executor_job(disk.remount, "rw")
    await wait_a_minute(sage.hass, freezer)
    assert issues(sage.hass) == []
    assert await says_remember(sage, user.id) == NOTED["en"]


def set_version(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")


async def test_file_of_a_newer_version(sage: Sage, user, freezer: FrozenDateTimeFactory) -> None:
    await plant(sage, user.id, "I like tea", origin=Origin.TOLD)
    assert await sage.hass.config_entries.async_unload(sage.entry.entry_id)
    path = Path(sage.hass.config.path(FOLDER, f"{user.id}.db"))
    with closing(sqlite3.connect(path)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    await sage.hass.async_add_executor_job(set_version, path, 99)
    assert await sage.hass.config_entries.async_setup(sage.entry.entry_id)
    await sage.hass.async_block_till_done(wait_background_tasks=True)
    assert issues(sage.hass) == ["memory_newer"], "at the start, before anybody speaks"

    assert await says_remember(sage, user.id) == WHY["newer"]["en"]
    sage.model_says(NATIVE.call("personalization", question="?", everything=True))
    heard = await sage.hear("what do you know about me?", user_id=user.id)
    assert heard == WHY["newer"]["en"]
    await sage.hass.async_block_till_done()
    await sage.hass.async_add_executor_job(set_version, path, version)
    await wait_a_minute(sage.hass, freezer)
    assert issues(sage.hass) == []
    assert await words(sage, user.id) == ["I like tea"]


@pytest.mark.parametrize("order", ["before", "after"])
async def test_the_home_goes_on_without_memory(hass, sage: Sage, disk: Disk, user, order) -> None:
    """What else was asked for is done, and the claim to have remembered is not let through."""
    await hass.async_add_executor_job(disk.remount, "ro")
    remember: tuple[str, dict[str, Any]] = (
        "memory",
        {"action": "remember", "text": "I like it bright"},
    )
    light: tuple[str, dict[str, Any]] = (
        "device_interaction",
        {"timing": "now", "command": "light on", "final": False},
    )
    calls = [remember, light] if order == "before" else [light, remember]
    both = {"about": ["home", "memory"], "claims": [claim("kitchen_light", "on")]}
    honest = "The light is on. I could not remember it."
    sage.model_says(
        NATIVE.calls(*calls),
        *turn_on_the_kitchen_light()[1:],
        NATIVE.call("finish", kind="acted", answer="It is on, and I remember that.", **both),
        NATIVE.finish("acted", honest, claim("kitchen_light", "on")),
    )
    said = "light on, and remember that I like it bright"
    assert await sage.hear(said, user_id=user.id) == honest
    assert hass.states.get("light.kitchen_light").state == "on"
    assert "read-only" in sage.decisions[-1].prompt
