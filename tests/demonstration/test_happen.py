"""What happens in the homes of the demo by itself, and what is seen of it."""

from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.core import HomeAssistant, callback

from benchmark.simulator.cloud import SimulatedCloud
from scripts.demonstration import happen
from scripts.demonstration.client import Client
from scripts.demonstration.happen import FIRED_AT, World
from scripts.demonstration.home_events import (
    AT_THE_CLOUD,
    AT_THE_DEMO_HOME,
    CloudChange,
    ThingChange,
)
from scripts.demonstration.options import HomeEventStep
from tests.demo_home import demo_home

from .test_cloud_home import cloud

__all__ = ["cloud", "demo_home"]

SWITCH = "switch.routine"


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(happen, "FIRST_SIGN", 0.3)
    monkeypatch.setattr(happen, "QUIET", 0.2)
    monkeypatch.setattr(happen, "INTERVAL", 0.01)


def on_change(hass: HomeAssistant, entity_id: str, act: Callable[[], None]) -> None:
    """Do something when an entity changes: what a routine would do."""

    @callback
    def changed(event: Any) -> None:
        if event.data["entity_id"] == entity_id:
            act()

    hass.bus.async_listen("state_changed", changed)


async def test_each_event_of_the_demo_home_is_seen_in_it(
    hass: HomeAssistant, demo_home: HomeAssistant, owner: Client
) -> None:
    """What it already is changes nothing; of two that are opposites one does."""
    seen: dict[str, set[str]] = {}
    for event in AT_THE_DEMO_HOME.values():
        (change,) = event.changes
        assert isinstance(change, ThingChange)
        happened = await World(owner, owner).happen(HomeEventStep(event=event))
        assert {each.entity_id for each in happened.changes} <= {change.entity_id}
        state = hass.states.get(change.entity_id)
        assert state is not None
        seen.setdefault(change.entity_id, set()).add(state.state)
    assert {len(states) for states in seen.values()} == {2}


async def test_each_event_at_the_cloud_reaches_home_assistant(
    cloud: SimulatedCloud, owner: Client
) -> None:
    """Each one changes something; the TV, which is on, is switched off before."""
    world = World(owner, owner, has_cloud=True)
    await world.happen(HomeEventStep(event=AT_THE_CLOUD["tv-off"]))
    for event in AT_THE_CLOUD.values():
        (change,) = event.changes
        assert isinstance(change, CloudChange)
        happened = await world.happen(HomeEventStep(event=event))
        assert happened.cloud is not None
        assert happened.cloud.received == ()
        assert change.value in {each.after for each in happened.cloud.changed}
        assert happened.changes, f"no entity tells of {event.name}"


async def test_a_routine_that_fired_is_waited_for(
    hass: HomeAssistant, demo_home: HomeAssistant, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(happen, "PATIENCE", 1.0)
    hass.states.async_set(SWITCH, "on", {FIRED_AT: None})

    def fire() -> None:
        hass.states.async_set(SWITCH, "on", {FIRED_AT: "2026-11-22T10:00:00+00:00"})

    on_change(hass, "binary_sensor.fridge_door", fire)
    happened = await World(owner, owner).happen(
        HomeEventStep(event=AT_THE_DEMO_HOME["open-fridge"])
    )
    assert happened.fired == (SWITCH,)
    assert happened.seconds >= 1.0
    assert happened.complaints == ("a routine fired and did not come to an end",)
