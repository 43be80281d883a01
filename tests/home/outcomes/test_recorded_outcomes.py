"""What each command of the corpus leads to is what was recorded; see the package's docstring."""

import copy
import json
import os
import time
from collections.abc import AsyncGenerator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.models import Group
from homeassistant.auth.permissions import PermissionLookup
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.storage import Store
from pytest_homeassistant_custom_component.common import MockUser

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.definitions import definitions
from custom_components.sage.home.commands.outcome_text import async_load_state_names
from custom_components.sage.home.home_types import OutcomeKind
from custom_components.sage.home.safety.risk_levels import levels_of
from custom_components.sage.home.smartthings.definition_store import STORAGE_KEY
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.exposing import expose_all
from tests.smartthings_home import SmartThings, cloud, large_cloud, large_smartthings, smartthings

from ..entity_home import EntityHome
from ..entity_kinds import Firmware, TestEntity
from .case import Case
from .entity_cases import CASES as ENTITY_CASES
from .furniture import async_furnish_around, entities
from .recorder import HASTY, LANGUAGES, PATIENT, Recorder, view_of
from .smartthings_cases import LARGE_CASES, PAPER_CASES

__all__ = ["cloud", "large_cloud", "large_smartthings", "smartthings"]

FOLDER = Path(__file__).parent
IS_RECORDING = bool(os.environ.get("SAGE_RECORD_OUTCOMES"))
LONGEST = 1500
"""Seconds: on a machine that is busy with other work."""


class EntityWorld:
    """The entities of the recorded home, and the way back to how they were."""

    IN_TIME = frozenset(OutcomeKind) - {OutcomeKind.UNDER_WAY}
    """Outcomes that come before the time is over."""

    def __init__(self, hass: HomeAssistant, things: Sequence[TestEntity]) -> None:
        self.hass = hass
        self.things = {each.entity_id: each for each in things}
        self._start = {each.entity_id: _attributes(each) for each in things}

    def __getitem__(self, entity_id: str) -> TestEntity:
        return self.things[entity_id]

    def choose(self, **levels: str) -> None:
        """Let the household choose levels: `lock__front_door="free"`."""
        chosen = {name.replace("__", "."): level for name, level in levels.items()}
        levels_of(self.hass).choose(chosen)

    async def async_settle(self) -> None:
        await self.hass.async_block_till_done()

    async def async_reset(self) -> None:
        """Let everything be as it was at the start."""
        levels_of(self.hass).choose({})
        for thing in self.things.values():
            if isinstance(thing, Firmware) and hasattr(thing, "done"):
                # An installation would go on for ever.
                thing.done.set()
                await self.async_settle()
        for entity_id, start in self._start.items():
            thing = self.things[entity_id]
            if _attributes(thing) != start:
                for name in _attributes(thing).keys() - start.keys():
                    delattr(thing, f"_attr_{name}")
                thing.set(**start)
        await self.async_settle()

    def sent(self) -> list[str]:
        """Return what has reached the entities since the last call."""
        calls = [
            f"{entity_id} {call} {arguments}"
            for entity_id, thing in self.things.items()
            for call, arguments in thing.calls
        ]
        for thing in self.things.values():
            thing.calls.clear()
        return calls


class CloudWorld:
    """A simulated cloud, and the way back to how it was."""

    IN_TIME = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY, OutcomeKind.UNDER_WAY})

    def __init__(self, smartthings: SmartThings) -> None:
        self.smartthings = smartthings
        self.cloud: SimulatedCloud = smartthings.cloud
        self.hass = smartthings.hass
        self._start = {
            key: (copy.deepcopy(each.status), each.online) for key, each in self._devices.items()
        }

    @property
    def _devices(self) -> dict[str, Any]:
        return {each.key: each for each in self.cloud.home.devices.values()}

    def choose(self, **levels: str) -> None:
        chosen = {name.replace("__", "."): level for name, level in levels.items()}
        levels_of(self.hass).choose(chosen)

    async def async_settle(self) -> None:
        await self.smartthings.async_settle()

    async def async_reset(self) -> None:
        self.cloud.faults.clear()
        self.cloud.result_status = "ACCEPTED"
        levels_of(self.hass).choose({})
        for key, (status, online) in self._start.items():
            device = self._devices[key]
            if device.online != online:
                self.cloud.set_online(key, online)
            for component, capabilities in status.items():
                for capability, attributes in capabilities.items():
                    for attribute, told in attributes.items():
                        if device.value(component, capability, attribute) != told.get("value"):
                            self.cloud.change(
                                key, component, capability, attribute, told.get("value")
                            )
        await self.async_settle()
        self.cloud.forget_requests()

    def sent(self) -> list[str]:
        posted = [
            f"{each.device} {each.component} {each.capability}.{each.command}{each.arguments}"
            for each in self.cloud.commands
        ]
        self.cloud.forget_requests()
        return _in_order(posted)


def _in_order(posted: Sequence[str]) -> list[str]:
    """Return commands with equal neighbours sorted by device.

    Home Assistant sends a call for several entities in the order of a set.
    """
    runs = groupby(posted, key=lambda each: each.partition(" ")[2])
    return [each for _, run in runs for each in sorted(run)]


def _attributes(thing: TestEntity) -> dict[str, Any]:
    """Return the values that the entity itself has; Home Assistant keeps some as `__attr_`."""
    return {
        name.lstrip("_").removeprefix("attr_"): each
        for name, each in vars(thing).items()
        if name.startswith(("_attr_", "__attr_"))
    }


def guest(hass: HomeAssistant, policy: dict[str, Any]) -> Person:
    user = MockUser(name="Ada").add_to_hass(hass)
    user.perm_lookup = PermissionLookup(er.async_get(hass), dr.async_get(hass))
    user.groups = [Group(name="limited", policy=policy, id="limited")]
    return Person(user_id=user.id, name="Ada")


async def async_know_definitions(hass: HomeAssistant) -> None:
    """Let SAGE have the definitions of all capabilities: a cloud gives them only slowly."""
    known = {
        capability: {"data": body, "fetched": time.time(), "texts": {}}
        for capability, body in definitions().items()
    }
    store = Store[dict[str, Any]](hass, 1, STORAGE_KEY)
    await store.async_save({"definitions": known, "summaries": {}})


async def async_compared(
    hass: HomeAssistant, world: Any, cases: Sequence[Case], name: str, policy: dict[str, Any]
) -> None:
    """Play all cases; compare with the record, or write it."""
    path = FOLDER / f"{name}.json"
    record = json.loads(path.read_text()) if path.exists() else {}
    await async_know_definitions(hass)
    views = [view_of(hass, waits) for waits in (PATIENT, HASTY)]
    for view in views:
        await view.home.async_setup()
    await views[0].home.async_warm()
    for language in LANGUAGES:
        await async_load_state_names(hass, language)
    recorder = Recorder(
        hass=hass,
        patient=views[0],
        hasty=views[1],
        sent=world.sent,
        household=HOUSEHOLD,
        guest=guest(hass, policy),
        world=world,
    )
    told: dict[str, Any] = {}
    for each in cases:
        assert each.name not in told, f"two cases named {each.name}"
        await world.async_reset()
        told[each.name] = await recorder.async_play(each, record.get(each.name))
    await world.async_reset()
    for view in views:
        await view.home.async_close()
    if IS_RECORDING:
        path.write_text(json.dumps(told, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
        return
    differs = [each.name for each in cases if told[each.name] != record.get(each.name)]
    found = {each: {"now": told[each], "recorded": record.get(each)} for each in differs}
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)
    assert told.keys() == record.keys()


@pytest.fixture
async def entity_world(hass: HomeAssistant) -> AsyncGenerator[EntityWorld]:
    """A home of entities of each domain; all of them exposed but the hidden ones."""
    await async_furnish_around(hass)
    things = entities()
    house = EntityHome(hass)
    await house.async_furnish(*things)
    expose_all(hass)
    house.expose("light.hidden_lamp", exposed=False)
    yield EntityWorld(hass, things)
    house.close()


@pytest.mark.timeout(LONGEST)
async def test_commands_to_entities_lead_to_what_was_recorded(
    hass: HomeAssistant, entity_world: EntityWorld
) -> None:
    policy = {
        "entities": {
            "entity_ids": {
                "light.lamp": True,
                "light.desk": {"read": True},
                "switch.oven": {"read": True, "control": True},
                "script.tidy": {"read": True, "control": True},
            }
        }
    }
    await async_compared(hass, entity_world, ENTITY_CASES, "entities", policy)


@pytest.mark.timeout(LONGEST)
async def test_commands_in_the_papers_home_lead_to_what_was_recorded(
    hass: HomeAssistant, smartthings: SmartThings
) -> None:
    expose_all(hass)
    policy = {
        "entities": {
            "entity_ids": {
                "media_player.living_room_samsung_8_series": {"read": True},
                "light.bedroom_light_strip": True,
            }
        }
    }
    await async_compared(hass, CloudWorld(smartthings), PAPER_CASES, "smartthings", policy)


@pytest.mark.timeout(LONGEST)
async def test_commands_in_the_large_home_lead_to_what_was_recorded(
    hass: HomeAssistant, large_smartthings: SmartThings
) -> None:
    expose_all(hass)
    policy = {"entities": {"all": {"read": True}}}
    await async_compared(
        hass, CloudWorld(large_smartthings), LARGE_CASES, "smartthings_large", policy
    )
