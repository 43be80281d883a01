"""The page is in the sidebar of everybody, if Home Assistant has a frontend."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient
from homeassistant.auth.models import User
from homeassistant.components.frontend import DATA_EXTRA_MODULE_URL
from homeassistant.config_entries import ConfigEntryDisabler
from homeassistant.const import EVENT_PANELS_UPDATED
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import async_capture_events

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion
from custom_components.sage import panel
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.fake_model import model_server  # noqa: F401

from .conftest import Call

BUILT = Path(panel.__file__).with_name("sage_panel.js")
CARD = BUILT.with_name("sage_card.js")


@pytest.fixture
async def frontend(hass: HomeAssistant) -> HomeAssistant:
    assert await async_setup_component(hass, "frontend", {})
    return hass


@pytest.fixture
async def sage_with_page(
    frontend: HomeAssistant,
    model_server: FakeModelServer,  # noqa: F811
) -> Sage:
    return await async_make_sage(frontend, model_server)


async def pages(call: Call, user: User) -> dict[str, Any]:
    answer = await call(user, "get_panels")
    return dict(answer["result"])


async def test_the_page_is_in_everybodys_sidebar(
    sage_with_page: Sage,
    call: Call,
    anna: User,
    admin: User,
    hass_client_no_auth: Callable[[], Coroutine[Any, Any, TestClient[Any, Any]]],
):
    shown = [(await pages(call, user))["sage"] for user in (anna, admin)]

    assert shown[0] == shown[1]
    assert not shown[0]["require_admin"]
    address = shown[0]["config"]["_panel_custom"]["module_url"]
    answer = await (await hass_client_no_auth()).get(address)
    assert await answer.read() == BUILT.read_bytes()
    assert "max-age" in answer.headers["Cache-Control"]


async def test_dashboards_load_the_card(
    sage_with_page: Sage,
    hass_client_no_auth: Callable[[], Coroutine[Any, Any, TestClient[Any, Any]]],
):
    hass, entry = sage_with_page.hass, sage_with_page.entry
    await hass.config_entries.async_reload(entry.entry_id)

    (address,) = hass.data[DATA_EXTRA_MODULE_URL].urls

    answer = await (await hass_client_no_auth()).get(address)
    assert await answer.read() == CARD.read_bytes()
    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    assert not hass.data[DATA_EXTRA_MODULE_URL].urls


async def test_the_page_stays_during_a_reload_and_goes_with_sage(
    sage_with_page: Sage, call: Call, anna: User
):
    hass, entry = sage_with_page.hass, sage_with_page.entry

    await hass.config_entries.async_reload(entry.entry_id)
    assert "sage" in await pages(call, anna)

    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    assert "sage" not in await pages(call, anna)


async def test_the_page_goes_while_sage_is_disabled(sage_with_page: Sage, call: Call, anna: User):
    hass, entry = sage_with_page.hass, sage_with_page.entry

    await hass.config_entries.async_set_disabled_by(entry.entry_id, ConfigEntryDisabler.USER)
    await hass.async_block_till_done()
    assert "sage" not in await pages(call, anna)
    assert not hass.data[DATA_EXTRA_MODULE_URL].urls

    await hass.config_entries.async_set_disabled_by(entry.entry_id, None)
    await hass.async_block_till_done()
    assert "sage" in await pages(call, anna)
    assert len(hass.data[DATA_EXTRA_MODULE_URL].urls) == 1


async def test_the_page_does_not_flicker_during_a_reload(sage_with_page: Sage):
    hass, entry = sage_with_page.hass, sage_with_page.entry
    changes = async_capture_events(hass, EVENT_PANELS_UPDATED)

    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    assert changes == []

    await hass.config_entries.async_unload(entry.entry_id)
    await hass.async_block_till_done()
    assert len(changes) == 1


async def test_sage_works_without_a_frontend(sage: Sage):
    assert "frontend" not in sage.hass.config.components
    sage.model_says(Completion(text="Hello."))

    assert await sage.hear("hello")


def test_the_files_are_small():
    sizes = [file.stat().st_size for file in (BUILT, CARD)]

    assert min(sizes) > 1_000
    assert sum(sizes) <= 300_000
