"""Given routines full of private words, when they live, then only their people see the words."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from freezegun.api import TickingDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder.core import Recorder
from homeassistant.const import MATCH_ALL
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import verification, verifies
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from custom_components.sage.routines.routine_types import Status
from custom_components.sage.routines.routines import Routines
from tests.decisions import NATIVE
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.end_to_end.routines.clock import START, time_from
from tests.memory_house import call
from tests.routine_house import WORD
from tests.waiting import until

FRIDGE = "binary_sensor.fridge"
CODE = f"""def check_{WORD}():
    state["{WORD}"] = "{WORD}"
    print("{WORD}")
    return get_state("{FRIDGE}") == "on"
"""
FAILS = f"""def check_{WORD}():
    if get_state("{FRIDGE}") == "on":
        raise ValueError("{WORD}")
    return False
"""


@pytest.fixture
def ticking() -> Iterator[TickingDateTimeFactory]:
    """A time that goes on, and can be put forward."""
    with time_from(START) as factory:
        yield factory


@pytest.fixture
async def mock_recorder_before_hass(
    ticking: TickingDateTimeFactory, async_test_recorder: Callable[..., Any]
) -> None:
    """The recorder is there before Home Assistant, at that time."""


@pytest.fixture
async def sage(hass: HomeAssistant, recorder_mock: Recorder, model_server: FakeModelServer) -> Sage:
    """SAGE with its own routines, in a home with a fridge, a recorder and a logbook."""
    for domain in ("logbook", "repairs", "persistent_notification"):
        assert await async_setup_component(hass, domain, {})
    row = er.async_get(hass).async_get_or_create("binary_sensor", "test", "fridge")
    er.async_get(hass).async_update_entity(row.entity_id, new_entity_id=FRIDGE)
    async_expose_entity(hass, "conversation", FRIDGE, True)
    hass.states.async_set(FRIDGE, "off", {"friendly_name": "Fridge"})
    made = await async_make_sage(hass, model_server)
    await hass.async_block_till_done()
    return made


async def test_no_word_is_where_others_look(
    sage: Sage,
    anna: User,
    admin: User,
    hass_ws_client: Any,
    caplog: pytest.LogCaptureFixture,
    ticking: TickingDateTimeFactory,
):
    caplog.set_level(logging.INFO)
    seen: list[Event[Any]] = []

    @callback
    def hear(event: Event[Any]) -> None:
        seen.append(event)

    sage.hass.bus.async_listen(MATCH_ALL, hear)
    told = NATIVE.finish("answered", f"Look for the {WORD}.")
    sage.server.say(lambda body: verification() if verifies(body) else told)
    routines: Routines = sage.entry.runtime_data.routines
    fields = {"action": f"tell me about the {WORD}", "when": f"the {WORD} is open"}
    fires = await call(sage.hass, "create_routine", anna, **fields, code=CODE)
    fails = await call(sage.hass, "create_routine", anna, **fields, code=FAILS)

    def status(made: dict[str, Any]) -> Status:
        watched = routines.get(made["id"])
        assert watched is not None
        return watched.routine.status

    def fired() -> bool:
        watched = routines.get(fires["id"])
        return watched is not None and watched.memo.fired == 1

    sage.hass.states.async_set(FRIDGE, "on", {"friendly_name": "Fridge"})
    await until(fired)
    await until(lambda: any(each.event_type == "sage_routine_done" for each in seen))
    for _ in range(300):
        if status(fails) is Status.FAILING:
            break
        ticking.move_to(dt_util.utcnow() + timedelta(minutes=1))
        async_fire_time_changed(sage.hass)
        await sage.hass.async_block_till_done(wait_background_tasks=True)
        await asyncio.sleep(0.1)
    assert status(fails) is Status.FAILING
    assert WORD in str(routines.list(anna.id)[1].routine.trouble)
    await call(sage.hass, "pause_routine", admin, routine=fires["id"])
    await sage.hass.config_entries.async_reload(sage.entry.entry_id)
    await call(sage.hass, "delete_routine", admin, routine=fires["id"])
    await sage.hass.async_block_till_done()
    await async_wait_recording_done(sage.hass)

    client = await hass_ws_client()
    await client.send_json_auto_id(
        {"type": "logbook/get_events", "start_time": "2020-01-01T00:00:00+00:00"}
    )
    logbook = (await client.receive_json())["result"]
    own = [each for each in seen if str(each.event_type).startswith("sage_")]
    public = {
        "states": [each.as_dict() for each in sage.hass.states.async_all()],
        "events": [each.as_dict() for each in seen if not _asks_sage(each)],
        "logbook": logbook,
        "issues": [repr(each) for each in ir.async_get(sage.hass).issues.values()],
        "registry": [repr(each) for each in er.async_get(sage.hass).entities.values()],
        "diagnostics": await async_get_config_entry_diagnostics(sage.hass, sage.entry),
        "logs": [
            record.getMessage() + (record.exc_text or "")
            for record in caplog.records
            # The database of the recorder contains Home Assistant's own events, too.
            if record.levelno > logging.DEBUG and not record.name.startswith("sqlalchemy")
        ],
    }
    for name, shown in public.items():
        text = json.dumps(shown, default=str, ensure_ascii=False)
        assert WORD.casefold() not in text.casefold(), name
    assert not any(anna.id in json.dumps(each.as_dict(), default=str) for each in own)
    assert not any("Annegret" in str(public[name]) for name in ("states", "events", "issues"))
    # It was looked for where something is.
    assert {"sage_routine_fired", "sage_routine_done"} <= {each.event_type for each in own}
    assert any(each.get("domain") == "sage" for each in logbook)
    assert WORD in str(await call(sage.hass, "list_routines", anna))


def _asks_sage(event: Event[Any]) -> bool:
    """Return whether it is Home Assistant's own event of an action call."""
    return event.event_type == "call_service" and event.data["domain"] == "sage"
