"""A home of the data in a running Home Assistant."""

import gc
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, cast

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import ATTR_DOMAIN, ATTR_ENTITY_ID, ATTR_SERVICE, EVENT_CALL_SERVICE
from homeassistant.core import Event, HomeAssistant, SupportsResponse, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.setup import async_setup_component

from custom_components.sage.home.safety.risk_levels import RISK_LEVELS

from ..commands.case import Seen, Snapshot
from ..commands.home import FoundHarmless
from ..overhead_home import home_assistant, lay_out
from .case import SIZES, OutsideCase, cases, layout
from .entities import build
from .expected import features, starting
from .information import OutsideList

_FLOORS: Final[Mapping[str, str]] = {
    "first": "First floor",
    "second": "Second floor",
    "outdoor": "Outdoor",
}
_OWN: Final = ("conversation.", "ai_task.", "tts.", "stt.")
"""Entities that change because somebody speaks."""

_CONFIGURATION: Final = """\
homeassistant:
  name: Home
  country: US
  language: en
  time_zone: America/New_York
  unit_system: us_customary
conversation:
logger:
  default: critical
"""


class OutsideHome:
    """A running Home Assistant with one of the homes; SAGE is not in it yet."""

    def __init__(self, hass: HomeAssistant, size: str, user_id: str) -> None:
        """Call `async_furnish` before use."""
        self.hass = hass
        self.size = size
        self.user_id = user_id
        """The owner, who speaks."""

        self.routines: Any = None
        """Those of SAGE, once it is set up: they end with their case."""

        known = [case for case in cases() if case.size == size]
        self._things = build(layout(size).entities, features(known))

    async def async_furnish(self) -> None:
        """Add floors, areas and entities, all of them exposed."""
        hass, home = self.hass, layout(self.size)
        floors, areas = fr.async_get(hass), ar.async_get(hass)
        ids: dict[str | None, str] = {}
        for area in home.areas:
            floor_id = None
            if area.floor is not None:
                name = _FLOORS[area.floor]
                floor = floors.async_get_floor_by_name(name) or floors.async_create(name)
                floor_id = floor.floor_id
            ids[area.id] = areas.async_create(area.name, floor_id=floor_id).id
        for domain in sorted({each.data.domain for each in self._things.values()}):
            assert await async_setup_component(hass, domain, {}), domain
            component = hass.data[DATA_INSTANCES][domain]
            some = [each for each in self._things.values() if each.data.domain == domain]
            await component.async_add_entities(some)
        registry = er.async_get(hass)
        for entity_id, thing in self._things.items():
            area_id = ids.get(thing.data.area)
            registry.async_update_entity(entity_id, area_id=area_id)
            async_expose_entity(hass, "conversation", entity_id, True)
        for state in hass.states.async_all():
            if state.entity_id not in self._things:
                async_expose_entity(hass, "conversation", state.entity_id, False)
        await hass.async_block_till_done()

    async def async_reset(self, case: OutsideCase) -> dict[str, str]:
        """Put the home into the state in which the case begins; return the states by entity id."""
        for watched in self.routines.list_all() if self.routines is not None else ():
            await self.routines.async_delete(watched.routine.id)
        starts, given = starting(case)
        for entity_id, thing in self._things.items():
            thing.restart(starts.get(entity_id))
            values = dict(given.get(entity_id, {}))
            if (entry := values.pop("entry", None)) is not None:
                cast("OutsideList", thing).put(entry)
            thing.become(**values)
        await self.hass.async_block_till_done()
        return starts

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the home."""
        return {
            state.entity_id: Seen(state=state.state, attributes=self._attributes(state.entity_id))
            for state in self.hass.states.async_all()
            if not state.entity_id.startswith(_OWN)
        }

    def _attributes(self, entity_id: str) -> Mapping[str, Any]:
        state, thing = self.hass.states.get(entity_id), self._things.get(entity_id)
        assert state is not None
        if not isinstance(thing, OutsideList):
            return state.attributes
        items = thing.todo_items or []
        return {
            **state.attributes,
            "open": [each.summary for each in items if each.status == "needs_action"],
            "done": [each.summary for each in items if each.status == "completed"],
        }

    @contextmanager
    def recording(self) -> Iterator[list[tuple[str, frozenset[str]]]]:
        """Record the actions that are called: name and entity ids; without those that only read."""
        calls: list[tuple[str, frozenset[str]]] = []

        @callback
        def called(event: Event[Any]) -> None:
            domain, service = event.data[ATTR_DOMAIN], event.data[ATTR_SERVICE]
            if domain == "homeassistant" or not self.hass.services.has_service(domain, service):
                # Generic actions call those of the entities' domains.
                return
            response = self.hass.services.supports_response(domain, service)
            if response is not SupportsResponse.ONLY:
                ids = event.data.get("service_data", {}).get(ATTR_ENTITY_ID) or []
                calls.append((f"{domain}.{service}", frozenset(cv.ensure_list(ids))))

        remove = self.hass.bus.async_listen(EVENT_CALL_SERVICE, called)
        try:
            yield calls
        finally:
            remove()


@asynccontextmanager
async def outside_home(folder: Path, size: str) -> AsyncGenerator[OutsideHome]:
    """Run a home; `folder` is empty and becomes its configuration."""
    lay_out(folder)
    (folder / "configuration.yaml").write_text(_CONFIGURATION, encoding="utf-8")
    async with home_assistant(folder) as hass:
        yield await async_furnished(hass, size)


async def async_furnished(hass: HomeAssistant, size: str) -> OutsideHome:
    """Return a home in a Home Assistant that runs, such as that of a test."""
    assert size in SIZES
    for component in ("homeassistant", "conversation", "intent", "llm"):
        assert await async_setup_component(hass, component, {})
    hass.data[RISK_LEVELS] = FoundHarmless(hass)
    owner = await hass.auth.async_create_user("Owner")
    home = OutsideHome(hass, size, owner.id)
    await home.async_furnish()
    # As in a home that has run for a while.
    gc.collect()
    return home
