"""What a bug report holds: figures; nobody's words, names and keys."""

import json
import logging
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion, Json
from custom_components.sage.const import DOMAIN
from custom_components.sage.memory.long_term_memory import FOLDER
from custom_components.sage.people.pin import hash_pin
from tests.decisions import NATIVE
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.memory_house import call, remember

WORD = "Zwetschgenmus"  # stands in every text that somebody says; no other text has it
KEY = "sk-quitteng"  # stands in every key


@pytest.fixture
async def anna(hass: HomeAssistant) -> User:
    return await hass.auth.async_create_user("Annegret", group_ids=[GROUP_ID_ADMIN])


@pytest.fixture
async def ben(hass: HomeAssistant) -> User:
    return await hass.auth.async_create_user("Benedikt", group_ids=[GROUP_ID_USER])


@pytest.fixture
async def sage(hass: HomeAssistant, model_server: FakeModelServer, anna: User) -> Sage:
    """SAGE with all possible keys, and an embedding server that fails."""
    assert await async_setup_component(hass, "conversation", {})
    model_server.api_key = f"{KEY}-model"
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="SAGE",
        data={
            "base_url": model_server.url,
            "api_key": f"{KEY}-model",
            "model": "test-model",
            "formats": ["native"],
        },
        options={
            "pin_hash": await hass.async_add_executor_job(hash_pin, "2580"),
            "satellites": {"0123456789abcdef": anna.id},
            "embeddings": {
                "base_url": model_server.url,
                "api_key": f"{KEY}-embeddings",
                "model": "test-embeddings",
            },
        },
        subentries_data=[
            ConfigSubentryData(
                subentry_type="agent",
                title="SAGE",
                unique_id=None,
                data={
                    "decision_format": "native",
                    "api_key": f"{KEY}-agent",
                    "instructions": f"Annegret is fond of {WORD}.",
                },
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return Sage(hass, model_server, entry)


async def downloaded(hass: HomeAssistant, entry: MockConfigEntry, hass_client: Any) -> Any:
    assert await async_setup_component(hass, "diagnostics", {})
    client = await hass_client()
    response = await client.get(f"/api/diagnostics/config_entry/{entry.entry_id}")
    assert response.status == HTTPStatus.OK
    return (await response.json())["data"]


def answers(body: Json) -> Completion:
    """Write summaries and profiles with words of the person, and answer them."""
    if body.get("tools"):
        return NATIVE.finish("answered", f"So you like {WORD}.")
    if "claims" in str(body["messages"][0]["content"]):
        today = dt_util.now().date().isoformat()
        claims = {"claims": [{"claim": f"Likes {WORD}", "dates": [today]}]}
        return Completion(text=json.dumps(claims))
    return Completion(text=f"- likes {WORD}")


async def live(hass: HomeAssistant, sage: Sage, anna: User, ben: User) -> None:
    """Have people talk in all ways, and let as much as possible go wrong."""
    sage.server.say(answers)
    for user in (anna, ben, None):
        await sage.say(
            f"I told you that I like {WORD}.",
            user_id=user.id if user is not None else None,
            conversation_id=f"of {user and user.id}",
        )
        await remember(hass, user, f"My {WORD} is in the cellar.")
        await call(hass, "remember", user, text=f"{WORD} is no jam.", origin="corrected")
        await call(hass, "rebuild_profile", user)
        (found, *_) = (await call(hass, "recall", user, question=f"Where is my {WORD}?"))[
            "memories"
        ]
        await call(hass, "correct_memory", user, id=found["id"], text=f"The {WORD} is gone.")
        await call(hass, "set_memory", user, enabled=False)
        for action, fields in (
            ("remember", {"text": WORD}),
            ("correct_memory", {"id": 999, "text": WORD}),
            ("forget", {"topic": WORD, "everything": True}),
            ("forget", {"topic": WORD, "user": ben.id if user is anna else anna.id}),
        ):
            with pytest.raises(HomeAssistantError) as caught:
                await call(hass, action, user, **fields)
            assert WORD not in str(caught.value)
        await call(hass, "set_memory", user, enabled=True)
    tomorrow = dt_util.now() + timedelta(days=1)
    async_fire_time_changed(hass, tomorrow.replace(hour=3, minute=7, second=1))
    await hass.async_block_till_done(wait_background_tasks=True)


async def test_no_word_name_or_key_gets_into_a_bug_report(
    sage: Sage, anna: User, ben: User, hass_client: Any, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG, "custom_components.sage")
    await live(sage.hass, sage, anna, ben)
    path = Path(sage.hass.config.path(FOLDER)) / f"{'0' * 32}.db"
    await sage.hass.async_add_executor_job(path.mkdir)

    diagnostics = await downloaded(sage.hass, sage.entry, hass_client)

    written = {
        "diagnostics": json.dumps(diagnostics, ensure_ascii=False),
        "log": "\n".join(
            f"{record.name} {record.getMessage()} {record.exc_text or ''}"
            for record in caplog.records
            if record.name.startswith("custom_components.sage") or record.levelno > logging.DEBUG
        ),
    }
    forbidden = (WORD, KEY, "2580", "Annegret", "Benedikt", anna.id, ben.id)
    for name, text in written.items():
        for word in forbidden:
            assert word.casefold() not in text.casefold(), (name, word)
    # What was searched is what was written, and somebody did say it.
    people = diagnostics["memory"]
    # The household's also has what another agent had remembered.
    assert [each.get("memories") for each in people] == [3, 3, 3, None]
    assert "custom_components.sage" in written["log"]
    assert WORD in json.dumps(await call(sage.hass, "export_memory", anna), ensure_ascii=False)


async def test_figures_of_every_memory_are_there(
    hass: HomeAssistant, model_server: FakeModelServer, anna: User, ben: User, hass_client: Any
):
    sage = await async_make_sage(hass, model_server)
    sage.server.say(answers)
    await remember(hass, anna, "I like jazz.", "I run.")
    await call(hass, "remember", anna, text="I run no more.", origin="corrected")
    await call(hass, "rebuild_profile", anna)
    await call(hass, "set_memory", ben, enabled=False, retention_days=7)
    await hass.async_block_till_done(wait_background_tasks=True)

    memory = (await downloaded(hass, sage.entry, hass_client))["memory"]

    first, second = memory
    assert first == {
        "memories": 3,
        "vectors": 3,
        "voices": 0,
        "day_summaries": 1,
        "has_profile": True,
        "remembers": True,
        "retention_days": None,
        "request_days": None,
    }
    assert second == {
        "memories": 0,
        "vectors": 0,
        "voices": 0,
        "day_summaries": 0,
        "has_profile": False,
        "remembers": False,
        "retention_days": 7,
        "request_days": None,
    }


async def test_figures_of_routines_are_there(sage: Sage, anna: User, ben: User, hass_client: Any):
    code = f"def check():\n    state['{WORD}'] = 1\n    return False"
    made = [
        await call(sage.hass, "create_routine", user, action=WORD, when=WORD, code=code)
        for user in (anna, ben, None)
    ]
    await call(sage.hass, "create_routine", anna, action=WORD, daily="09:00")
    await call(sage.hass, "pause_routine", ben, routine=made[1]["id"])

    diagnostics = await downloaded(sage.hass, sage.entry, hass_client)

    assert diagnostics["routines"] == {
        "unreadable": 0,
        "count": 4,
        "by_status": {"watching": 3, "paused": 1},
        "by_trigger": {"condition": 3, "daily": 1},
        "owners": 3,
        "fired": 0,
        "failing_checks": 0,
        "repaired": 0,
        "sandbox": "running",
    }
    assert WORD not in json.dumps(diagnostics, ensure_ascii=False)


async def test_an_entry_that_is_not_loaded_has_settings_without_secrets(
    hass: HomeAssistant, hass_client: Any
):
    secret = {"base_url": "http://someone:hidden@[::1]:9/v1?key=hidden", "api_key": "hidden"}
    entry = MockConfigEntry(
        domain=DOMAIN,
        data=secret | {"model": "test-model", "formats": ["native"]},
        options={
            "embeddings": secret | {"model": "e"},
            "photo_server": secret | {"model": "p"},
            "satellites": {"a": "b", "c": "d"},
        },
    )
    entry.add_to_hass(hass)
    assert await async_setup_component(hass, DOMAIN, {})
    await hass.config_entries.async_unload(entry.entry_id)

    shown = await downloaded(hass, entry, hass_client)

    assert "hidden" not in json.dumps(shown)
    assert shown["memory"] is None
    assert shown["photos"] is None
    for server in ("embeddings", "photo_server"):
        assert shown["options"][server]["base_url"] == "http://[::1]:9/v1"
    assert shown["options"]["satellites"] == 2
