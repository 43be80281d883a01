"""The blueprints: an automation made of each says a sentence to SAGE and delivers the answer."""

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from homeassistant.components import persistent_notification
from homeassistant.components.blueprint.importer import _get_github_import_url
from homeassistant.const import WEEKDAYS
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.yaml import load_yaml_dict
from pytest_homeassistant_custom_component.common import (
    async_capture_events,
    async_fire_time_changed,
)

from .conftest import AGENT, Sage
from .doors.decided import (
    KITCHEN_LIGHT,
    LONG_ANSWER,
    read_the_kitchen_light,
    turn_on_the_kitchen_light,
)

ROOT = Path(__file__).parents[2]
BLUEPRINTS = sorted((ROOT / "blueprints/automation/sage").iterdir())


@pytest.fixture
async def notifications(hass) -> dict[str, Any]:
    """The notifications that everybody sees in Home Assistant."""
    assert await async_setup_component(hass, "persistent_notification", {})
    shown: dict[str, Any] = {}
    persistent_notification.async_register_callback(hass, lambda _, changed: shown.update(changed))
    return shown


async def automate(hass, blueprint: str, **inputs: Any) -> None:
    """Import the blueprints and make an automation of one, as the frontend does."""
    folder = Path(hass.config.path("blueprints", "automation", "sage"))
    await hass.async_add_executor_job(shutil.copytree, BLUEPRINTS[0].parent, folder)
    made = {
        "id": "made",
        "alias": "Made of a blueprint",
        "use_blueprint": {"path": f"sage/{blueprint}.yaml", "input": {"agent": AGENT, **inputs}},
    }
    assert await async_setup_component(hass, "automation", {"automation": made})
    await hass.async_block_till_done()
    assert hass.states.get("automation.made_of_a_blueprint").state == "on"


def said(notifications: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [(each["title"], each["message"]) for each in notifications.values()]


async def test_sage_is_told_something_when_something_happens(sage: Sage, notifications) -> None:
    await automate(
        sage.hass,
        "tell_sage_when",
        when=[{"trigger": "event", "event_type": "doorbell"}],
        sentence="turn on the {{ trigger.event.data.room }} light",
    )
    sage.model_says(*turn_on_the_kitchen_light())
    sage.hass.bus.async_fire("doorbell", {"room": "kitchen"})
    await sage.hass.async_block_till_done(wait_background_tasks=True)
    assert sage.state(KITCHEN_LIGHT) == "on"
    assert said(notifications) == [("SAGE", "The kitchen light is on.")]
    # An automation speaks for nobody in particular.
    assert [trace["command"] for trace in sage.traces(None)] == ["turn on the kitchen light"]


async def test_sage_is_not_told_while_a_condition_does_not_hold(sage: Sage, notifications) -> None:
    await automate(
        sage.hass,
        "tell_sage_when",
        when=[{"trigger": "event", "event_type": "doorbell"}],
        only_if=[{"condition": "state", "entity_id": KITCHEN_LIGHT, "state": "on"}],
        sentence="turn on the kitchen light",
    )
    sage.model_says(*turn_on_the_kitchen_light())
    sage.hass.bus.async_fire("doorbell")
    await sage.hass.async_block_till_done(wait_background_tasks=True)
    assert (sage.model_calls, notifications) == (0, {})


async def test_the_answer_goes_where_the_automation_sends_it(sage: Sage, notifications) -> None:
    heard = async_capture_events(sage.hass, "answered")
    await automate(
        sage.hass,
        "tell_sage_when",
        when=[{"trigger": "event", "event_type": "doorbell"}],
        sentence="turn on the kitchen light",
        deliver=[{"event": "answered", "event_data": {"speech": "{{ answer }}"}}],
    )
    sage.model_says(*turn_on_the_kitchen_light())
    sage.hass.bus.async_fire("doorbell")
    await sage.hass.async_block_till_done(wait_background_tasks=True)
    assert [event.data for event in heard] == [{"speech": "The kitchen light is on."}]
    assert notifications == {}


@pytest.mark.parametrize(("days_later", "answers"), [(0, [("SAGE", LONG_ANSWER)]), (1, [])])
async def test_sage_is_asked_at_a_time_of_a_weekday(
    hass, sage: Sage, notifications, days_later, answers
) -> None:
    soon = (dt_util.now() + timedelta(minutes=30)).replace(second=0, microsecond=0)
    await automate(
        hass,
        "ask_sage_every_morning",
        at=soon.time().isoformat(),
        weekdays=[WEEKDAYS[(soon.weekday() + days_later) % 7]],
        question="is the kitchen light on?",
    )
    sage.model_says(*read_the_kitchen_light())
    async_fire_time_changed(hass, soon)
    await hass.async_block_till_done(wait_background_tasks=True)
    # Its timer for the next day would outlast the test.
    await hass.services.async_call("automation", "turn_off", {"entity_id": "all"}, blocking=True)
    assert said(notifications) == answers


@pytest.mark.parametrize("blueprint", BLUEPRINTS, ids=lambda path: path.stem)
def test_the_import_link_leads_to_the_blueprint(blueprint: Path) -> None:
    source = load_yaml_dict(str(blueprint))["blueprint"]["source_url"]
    path = blueprint.relative_to(ROOT)
    raw = f"https://raw.githubusercontent.com/sage-home/sage/main/{path}"
    assert _get_github_import_url(source) == raw
    link = f"redirect/blueprint_import/?blueprint_url={quote(source, safe='')})"
    assert link in (ROOT / "docs/setup.md").read_text(encoding="utf-8")
