"""A home with a fridge, and a routine about it: fixtures, and the fields of the action."""

from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder.core import Recorder
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from benchmark.fake_model_server import FakeModelServer
from custom_components.sage.routines.routines import Routines
from tests.end_to_end.conftest import Sage, async_make_sage

FRIDGE = "binary_sensor.fridge"
CODE = f'def fridge_is_open():\n    return get_state("{FRIDGE}") == "on"\n'
MAKE = {
    "kind": "tell",
    "action": "tell me to throw out the milk",
    "when": "the fridge is opened",
    "code": CODE,
}


@pytest.fixture
async def mock_recorder_before_hass(async_test_recorder: Callable[..., Any]) -> None:
    """The recorder is there before Home Assistant."""


@pytest.fixture
async def sage(recorder_mock: Recorder, hass: HomeAssistant, model_server: FakeModelServer) -> Sage:
    """SAGE in a home with a fridge that is closed, and a safe that nobody has exposed."""
    for name, is_exposed in (("fridge", True), ("safe", False)):
        row = er.async_get(hass).async_get_or_create(
            "binary_sensor", "test", name, suggested_object_id=name, original_name=name
        )
        async_expose_entity(hass, "conversation", row.entity_id, is_exposed)
        hass.states.async_set(row.entity_id, "off", {"friendly_name": name.title()})
    made = await async_make_sage(hass, model_server)
    await hass.async_block_till_done()
    return made


@pytest.fixture
def routines(sage: Sage) -> Routines:
    found: Routines = sage.entry.runtime_data.routines
    return found
