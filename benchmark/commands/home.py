"""The home of the measurement: put into the state of a case, and looked at after a sentence."""

import asyncio
import gc
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import async_get_platforms
from homeassistant.setup import async_setup_component

from custom_components.sage.home.safety.risk_levels import RISK_LEVELS, RiskLevels, RiskVerdict
from scripts.demonstration.furnish import COMPONENTS, async_furnish, make_importable
from scripts.demonstration.furnish import DOMAIN as DEMO_HOME

from ..custom_components.sage_large_home.layout import things
from ..demo_things import DemoThings
from ..overhead_home import async_furnish as async_add_rooms
from ..overhead_home import home_assistant, lay_out
from .case import Case, Group, Seen, Snapshot

DEMO: Final = "demo"
LARGE: Final = "300"
HOMES: Final = (DEMO, LARGE)

_AROUND: Final = COMPONENTS / DEMO_HOME / "around.yaml"
_ROOMS: Final = (
    *(f"Second floor {room}" for room in ("dining room", "nursery", "workshop", "library", "hall")),
    *(f"Annex {room}" for room in ("dining room", "nursery", "workshop", "library", "hall")),
)
"""Of the large home: 250 entities, in rooms that the demo home does not have."""

_START: Final[Mapping[str, Mapping[str, Any]]] = {
    "light": {"is_on": False, "brightness": 128, "color_temp_kelvin": 3000},
    "switch": {"is_on": False},
    "cover": {"is_closed": False, "current_cover_position": 100},
    "climate": {"hvac_mode": "heat", "target_temperature": 20.0},
}
"""The start state in these rooms."""

_TRAVEL: Final = 0.01
"""Seconds that covers, locks and valves take: no device is waited for."""

_LONGEST_REST: Final = 200
"""Looks at the home until nothing moves any more."""

_OWN: Final = ("conversation.", "ai_task.")
"""Entities that change because somebody speaks."""


class FoundHarmless(RiskLevels):
    """The levels of a home in which a model has found nothing risky."""

    def verdict(self, entity_id: str) -> RiskVerdict:
        """Return the verdict on a harmless entity."""
        return super().verdict(entity_id) or RiskVerdict(risk=None, reason="Harmless.")


class CommandsHome:
    """A running Home Assistant with the furnished home; SAGE is not in it yet."""

    def __init__(self, hass: HomeAssistant, name: str, user_id: str) -> None:
        """Find the entities of the home."""
        self.hass = hass
        self.name = name
        self.user_id = user_id
        """The owner, who speaks."""

        self.entry: ConfigEntry[Any] | None = None
        """SAGE, once it is set up: its routines end with their case."""

        self._demo = DemoThings(hass)
        rooms = {thing.entity_id for thing in things() if thing.area in _ROOMS}
        self._others: dict[str, Any] = {
            entity_id: entity
            for platform in async_get_platforms(hass, "sage_large_home")
            for entity_id, entity in platform.entities.items()
            if entity_id in rooms
        }
        for thing in self._demo.by_id.values():
            if thing.thing.seconds:
                thing.thing = replace(thing.thing, seconds=_TRAVEL)

    @property
    def exposed(self) -> list[str]:
        """The entity ids that the methods may use, in order."""
        ids = sorted(state.entity_id for state in self.hass.states.async_all())
        return [each for each in ids if async_should_expose(self.hass, "conversation", each)]

    def members(self, group: Group) -> Sequence[str]:
        """Return the entity ids of a group."""
        return [
            each
            for each in self.exposed
            if each.startswith(f"{group.domain}.")
            and each not in group.but
            and (not group.areas or self._area(each) in group.areas)
        ]

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the home."""
        return {
            state.entity_id: Seen(state=state.state, attributes=self._attributes(state.entity_id))
            for state in self.hass.states.async_all()
            if not state.entity_id.startswith(_OWN)
        }

    def device_in(self, room: str) -> str | None:
        """Return the id of a device in an area, to be spoken to; None without an area."""
        if not room:
            return None
        area = ar.async_get(self.hass).async_get_area_by_name(room)
        assert area is not None
        return dr.async_entries_for_area(dr.async_get(self.hass), area.id)[0].id

    async def async_reset(self, case: Case) -> None:
        """Put the home into the state in which the case begins."""
        if self.entry is not None:
            routines = self.entry.runtime_data.routines
            for watched in routines.list_all():
                await routines.async_delete(watched.routine.id)
        for entity_id in self._demo.by_id:
            self._demo.restart(entity_id)
        for entity_id, entity in self._others.items():
            if (start := _START.get(entity_id.partition(".")[0])) is not None:
                entity.become(**start)
        for helper in self.hass.states.async_entity_ids("input_boolean"):
            await self.hass.services.async_call(
                "input_boolean", "turn_off", {"entity_id": helper}, blocking=True
            )
        for entity_id, values in case.given.items():
            self._demo.become(entity_id, **values)
        await self.hass.async_block_till_done()

    async def async_rest(self) -> None:
        """Return when nothing moves any more."""
        for _ in range(_LONGEST_REST):
            await self.hass.async_block_till_done()
            if all(thing._cancel is None for thing in self._demo.by_id.values()):  # noqa: SLF001
                return
            await asyncio.sleep(_TRAVEL)

    def _attributes(self, entity_id: str) -> Mapping[str, Any]:
        state = self.hass.states.get(entity_id)
        assert state is not None
        items = getattr(self._demo.by_id.get(entity_id), "todo_items", None)
        names = {} if items is None else {"items": [item.summary for item in items]}
        return {**state.attributes, **names}

    def _area(self, entity_id: str) -> str | None:
        row = er.async_get(self.hass).async_get(entity_id)
        if row is None:
            return None
        area_id = row.area_id
        if area_id is None and row.device_id is not None:
            device = dr.async_get(self.hass).async_get(row.device_id)
            area_id = device.area_id if device is not None else None
        area = ar.async_get(self.hass).async_get_area(area_id) if area_id else None
        return area.name if area is not None else None


@asynccontextmanager
async def commands_home(folder: Path, name: str) -> AsyncGenerator[CommandsHome]:
    """Run a home, `demo` or `300`; `folder` is empty and becomes its configuration."""
    make_importable()
    lay_out(folder)
    configuration = folder / "configuration.yaml"
    around = _AROUND.read_text(encoding="utf-8")
    configuration.write_text(f"{configuration.read_text(encoding='utf-8')}{around}", "utf-8")
    async with home_assistant(folder) as hass:
        home = await async_furnished(hass, name)
        # As in a home that has run for a while.
        gc.collect()
        yield home


async def async_furnished(hass: HomeAssistant, name: str) -> CommandsHome:
    """Return the home in a Home Assistant that runs, such as that of a test."""
    for component in ("conversation", "intent", "llm"):
        assert await async_setup_component(hass, component, {})
    await async_furnish(hass)
    if name == LARGE:
        await async_add_rooms(hass, _ROOMS)
    hass.data[RISK_LEVELS] = FoundHarmless(hass)
    owner = await hass.auth.async_create_user("Owner")
    return CommandsHome(hass, name, owner.id)
