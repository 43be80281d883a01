"""Actions that fail say why and how to fix it."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError

from custom_components.sage.memory.memories import FOLDER
from custom_components.sage.services import MEMORY_SERVICES
from tests.end_to_end.conftest import Sage
from tests.memory_house import call, key_of, refused, remember


async def test_without_a_loaded_entry_every_action_says_so(
    hass: HomeAssistant, sage: Sage, anna: User
):
    needed: dict[str, dict[str, Any]] = {
        "remember": {"text": "x"},
        "recall": {"question": "x"},
        "correct_memory": {"id": 1, "text": "x"},
        "import_memory": {"export": {}},
    }
    await hass.config_entries.async_unload(sage.entry.entry_id)

    for action in MEMORY_SERVICES:
        assert await refused(hass, action, anna, **needed.get(action, {})) == "not_loaded"

    assert await hass.config_entries.async_setup(sage.entry.entry_id)
    await remember(hass, anna, "I like jazz.")


async def test_a_memory_that_is_being_closed_is_not_there(
    hass: HomeAssistant, sage: Sage, anna: User
):
    await sage.entry.runtime_data.memory.async_close()

    assert await refused(hass, "remember", anna, text="x") == "not_loaded"


async def test_a_file_that_cannot_be_used_is_told(
    hass: HomeAssistant, sage: Sage, anna: User, caplog: pytest.LogCaptureFixture
):
    path = Path(hass.config.path(FOLDER)) / f"{anna.id}.db"
    await hass.async_add_executor_job(lambda: path.mkdir(parents=True))

    with pytest.raises(HomeAssistantError) as caught:
        await call(hass, "remember", anna, text="My MARKER is a secret.")

    assert not isinstance(caught.value, ServiceValidationError)
    assert key_of(caught.value) == "memory_unusable"
    assert "MARKER" not in str(caught.value)


async def test_a_file_of_a_newer_version_is_told_and_left_alone(
    hass: HomeAssistant, sage: Sage, anna: User
):
    path = Path(hass.config.path(FOLDER)) / f"{anna.id}.db"

    def write() -> bytes:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        return path.read_bytes()

    before = await hass.async_add_executor_job(write)

    with pytest.raises(HomeAssistantError) as caught:
        await call(hass, "recall", anna, question="x")

    assert key_of(caught.value) == "memory_newer"
    assert await hass.async_add_executor_job(path.read_bytes) == before
