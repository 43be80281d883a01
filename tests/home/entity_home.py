"""A home of entities for tests, and a person who uses it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any
from unittest.mock import patch

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockModule,
    mock_config_flow,
    mock_integration,
    mock_platform,
    setup_test_component_platform,
)

from custom_components.sage.home.commands.outcome_text import say_outcomes
from custom_components.sage.home.commands.pipeline import CommandWaits, Pipeline
from custom_components.sage.home.commands.spoken_values import async_load_state_names
from custom_components.sage.home.commands.undo_history import UndoHistory
from custom_components.sage.home.commands.validation import EntityCommandFinder
from custom_components.sage.home.entities.documentation import Documenter
from custom_components.sage.home.entities.entity_backend import EntityBackend
from custom_components.sage.home.home import Home, HomeView
from custom_components.sage.home.home_types import ENTITIES, Command, Outcome
from custom_components.sage.home.inventory import Inventory
from custom_components.sage.home.safety.authority import Confirmation, RiskyAction
from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.text.speech import async_load_sentences
from tests.exposing import expose_all

from .entity_kinds import TestEntity

CONVERSATION = "01JCONVERSATION"


class Asking:
    """The authority of a run, with a person whose answers the test sets."""

    language = "en"
    room: str | None = None
    conversation_id = CONVERSATION

    def __init__(
        self,
        person: Person = HOUSEHOLD,
        answer: Confirmation = Confirmation.GIVEN,
        *,
        meanwhile: Any = None,
    ) -> None:
        self.person = person
        self.context = Context(user_id=person.user_id)
        self.answer = answer
        self.asked: list[list[RiskyAction]] = []
        self._meanwhile = meanwhile

    async def async_classify(self, entity_ids: AbstractSet[str]) -> None:
        """Classify nothing, as without a model."""

    async def async_confirm(self, actions: Sequence[RiskyAction]) -> Confirmation:
        self.asked.append(list(actions))
        if self._meanwhile is not None:
            self._meanwhile()
        return self.answer


def run_of(
    home: Home, asking: Asking | None = None, *, record: list[object] | None = None
) -> HomeView:
    """Return the home in a run of this person; `record` gets its entries."""
    asking, record = asking or Asking(), [] if record is None else record
    return HomeView(home, asking.person, lambda *entries: record.extend(entries), authority=asking)


class EntityHome:
    """The home of a test, with everything that executes commands in it.

    `area`, `device` and `entity` register things like an integration; `async_furnish` sets up
    entities of `entity_kinds` that execute their commands.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.gate = Gate(hass)
        self.inventory = Inventory(hass, self.gate)
        self.documenter = Documenter(hass)
        self.waits = CommandWaits(state_seconds=0.02, call_seconds=20.0)
        self.finder = EntityCommandFinder(hass, self.documenter)
        self.backend = backend = EntityBackend(hass, self.gate, self.waits)
        self.pipeline = Pipeline(hass, self.gate, {ENTITIES: backend})
        self.undo = UndoHistory(self.pipeline)
        self.entry = MockConfigEntry(domain="test", title="Test")
        self.entry.add_to_hass(hass)
        self._count = 0

    def area(
        self, name: str, floor: str | None = None, aliases: Iterable[str] = ()
    ) -> ar.AreaEntry:
        floors = fr.async_get(self.hass)
        floor_id = None
        if floor:
            entry = floors.async_get_floor_by_name(floor) or floors.async_create(floor)
            floor_id = entry.floor_id
        return ar.async_get(self.hass).async_create(name, aliases=set(aliases), floor_id=floor_id)

    def device(self, name: str | None, area: ar.AreaEntry | None = None) -> dr.DeviceEntry:
        self._count += 1
        registry = dr.async_get(self.hass)
        device = registry.async_get_or_create(
            config_entry_id=self.entry.entry_id,
            identifiers={("test", str(self._count))},
            name=name,
            manufacturer="Acme",
            model=f"M{self._count}",
        )
        if area:
            device = registry.async_update_device(device.id, area_id=area.id) or device
        return device

    def entity(
        self,
        entity_id: str,
        state: str = "off",
        *,
        device: dr.DeviceEntry | None = None,
        area: ar.AreaEntry | None = None,
        name: str | None = None,
        exposed: bool = True,
        device_class: str | None = None,
        **attributes: object,
    ) -> er.RegistryEntry:
        """Register an entity with a state; `name` is the original name by its integration."""
        domain, object_id = entity_id.split(".")
        registry = er.async_get(self.hass)
        entry = registry.async_get_or_create(
            domain,
            "test",
            object_id,
            suggested_object_id=object_id,
            config_entry=self.entry,
            device_id=device.id if device else None,
            original_name=name,
            has_entity_name=True,
            original_device_class=device_class,
        )
        if entry.entity_id != entity_id:
            entry = registry.async_update_entity(entry.entity_id, new_entity_id=entity_id)
        if area:
            entry = registry.async_update_entity(entity_id, area_id=area.id)
        if device_class:
            attributes["device_class"] = device_class
        self.hass.states.async_set(entity_id, state, attributes)
        async_expose_entity(self.hass, "conversation", entity_id, exposed)
        return entry

    async def async_furnish(self, *entities: TestEntity, exposed: bool = True) -> None:
        """Set up the entities through the real platforms of their domains."""
        hass = self.hass
        by_domain: dict[str, list[TestEntity]] = {}
        for entity in entities:
            by_domain.setdefault(entity.domain, []).append(entity)

        async def setup(hass: HomeAssistant, entry: ConfigEntry) -> bool:
            await hass.config_entries.async_forward_entry_setups(entry, list(by_domain))
            return True

        mock_integration(hass, MockModule("test", async_setup_entry=setup))
        mock_platform(hass, "test.config_flow")
        for domain, members in by_domain.items():
            setup_test_component_platform(hass, domain, members, from_config_entry=True)
        with mock_config_flow("test", ConfigFlow):
            assert await hass.config_entries.async_setup(self.entry.entry_id)
        await hass.async_block_till_done()
        if exposed:
            self.expose(*(entity.entity_id for entity in entities))
        await self.gate.async_setup()

    def expose(self, *entity_ids: str, exposed: bool = True) -> None:
        for entity_id in entity_ids:
            async_expose_entity(self.hass, "conversation", entity_id, exposed)

    async def async_do(
        self,
        device: str,
        command: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        authority: Asking | None = None,
        component: str | None = None,
    ) -> Outcome:
        """Execute one command as the household, which confirms everything."""
        request = Command(
            device_id=device, name=command, component_id=component, arguments=arguments or {}
        )
        return (await self.async_do_all([request], authority or Asking()))[0]

    async def async_do_all(
        self,
        requests: Sequence[Command],
        authority: Asking,
        record: Callable[..., None] | None = None,
    ) -> tuple[Outcome, ...]:
        listing = await self.inventory.async_listing(authority.person)
        await self.documenter.async_refresh()
        commands = [await self.finder.async_find(listing, request) for request in requests]
        outcomes = await self.pipeline.async_execute(authority, commands, record=record)
        self.undo.record(authority.person, CONVERSATION, outcomes)
        return outcomes

    async def async_say(self, *outcomes: Outcome, language: str = "en") -> str:
        sentences = await async_load_sentences(self.hass, language)
        await async_load_state_names(self.hass, language)
        return say_outcomes(self.hass, sentences, outcomes, language)

    def close(self) -> None:
        self.gate.close()
        self.inventory.close()


async def async_demo(hass: HomeAssistant, *platforms: str) -> None:
    """Set up Home Assistant's demo entities for these domains, all exposed."""
    entry = MockConfigEntry(domain="demo")
    entry.add_to_hass(hass)
    wanted = "homeassistant.components.demo.COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM"
    with patch(wanted, list(platforms)):
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
    expose_all(hass)
