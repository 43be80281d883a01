"""Raw devices, and their entities registered by hand like Home Assistant's integration does."""

from collections.abc import Callable, Iterable, Mapping

from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from pysmartthings import CAPABILITY_ATTRIBUTES, CAPABILITY_COMMANDS
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockEntityPlatform

from benchmark.simulator.home import SimulatedHome
from custom_components.sage.home.smartthings.protocols import Attributes, EventListener
from custom_components.sage.home.smartthings.raw import (
    AttributeDefinition,
    CommandDefinition,
    Definition,
    RawComponent,
    RawDevice,
    RawValue,
)

type Values = Mapping[str, Mapping[str, Mapping[str, object]]]
"""Component -> capability -> attribute -> value."""


_ATTRIBUTES = {str(key): found for key, found in CAPABILITY_ATTRIBUTES.items()}
_COMMANDS = {str(key): found for key, found in CAPABILITY_COMMANDS.items()}


class StillMirror:
    """A mirror whose values only the test changes."""

    def __init__(self) -> None:
        self.revision = 0
        self.raw: dict[str, RawDevice] = {}
        self.values: dict[str, Values] = {}
        self.unusable: set[tuple[str, str]] = set()
        """Disabled items: (device, component or capability)."""

    def add(self, device: RawDevice, values: Values) -> None:
        self.raw[device.id] = device
        self.values[device.id] = values
        self.revision += 1

    def remove(self, device_id: str) -> None:
        del self.raw[device_id]
        self.revision += 1

    def disable(self, device_id: str, *names: str) -> None:
        self.unusable |= {(device_id, name) for name in names}
        self.revision += 1

    def devices(self) -> tuple[RawDevice, ...]:
        return tuple(self.raw.values())

    def device(self, device_id: str) -> RawDevice | None:
        return self.raw.get(device_id)

    def usable(self, device_id: str) -> tuple[RawComponent, ...]:
        device = self.raw.get(device_id)
        if device is None:
            return ()
        return tuple(
            RawComponent(
                id=each.id,
                label=each.label,
                category=each.category,
                capabilities=tuple(
                    capability
                    for capability in each.capabilities
                    if (device_id, capability) not in self.unusable
                ),
            )
            for each in device.components
            if (device_id, each.id) not in self.unusable
        )

    def attributes(self, device_id: str, component_id: str, capability: str) -> Attributes:
        known = self.values.get(device_id, {}).get(component_id, {}).get(capability, {})
        return {name: RawValue(value=value) for name, value in known.items()}

    def is_online(self, device_id: str) -> bool:
        return device_id in self.raw

    def is_fresh(self, device_id: str) -> bool:
        return device_id in self.raw

    async def async_refresh(self, device_id: str) -> None:
        """Nothing to fetch."""

    def listen(self, device_id: str, listener: EventListener) -> Callable[[], None]:
        return lambda: None


class TableDefinitions:
    """The names of capabilities in the client library."""

    def __init__(self) -> None:
        self.asked = 0

    def known(self, capability: str) -> Definition:
        self.asked += 1
        return Definition(
            id=capability,
            attributes=tuple(
                AttributeDefinition(name=str(each)) for each in _ATTRIBUTES.get(capability, ())
            ),
            commands=tuple(
                CommandDefinition(name=str(each)) for each in _COMMANDS.get(capability, ())
            ),
            is_complete=capability in _ATTRIBUTES,
        )

    async def async_get(self, entry_id: str, capabilities: Iterable[str]) -> dict[str, Definition]:
        raise AssertionError("the gate fetches no definitions")


def mirror_of(home: SimulatedHome, entry_id: str) -> StillMirror:
    """Return a mirror of a simulated home, without disabled items."""
    mirror = StillMirror()
    for device in home.devices.values():
        raw = RawDevice(
            id=device.id,
            label=device.label,
            entry_id=entry_id,
            components=tuple(
                RawComponent(
                    id=each["id"],
                    label=each.get("label", each["id"]),
                    capabilities=tuple(capability["id"] for capability in each["capabilities"]),
                    category=next((found["name"] for found in each.get("categories", [])), None),
                )
                for each in device.description["components"]
            ),
        )
        values = {
            component: {
                capability: {name: told["value"] for name, told in attributes.items()}
                for capability, attributes in capabilities.items()
            }
            for component, capabilities in device.status.items()
        }
        mirror.add(raw, values)
    return mirror


class MadeOf(Entity):
    """An entity that lists its capabilities, like those of the integration."""

    def __init__(self, capabilities: Iterable[str]) -> None:
        self.capabilities = set(capabilities)


class RegisteredHouse:
    """Raw devices with the registry entries that the integration creates for them."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.mirror = StillMirror()
        self.entry = MockConfigEntry(domain="smartthings")
        self.entry.add_to_hass(hass)

    def device(
        self,
        device_id: str,
        label: str,
        components: Mapping[str, tuple[str | None, tuple[str, ...]]],
        values: Values | None = None,
    ) -> RawDevice:
        """Add a device; `components` maps ids to category and capabilities."""
        raw = RawDevice(
            id=device_id,
            label=label,
            entry_id=self.entry.entry_id,
            components=tuple(
                RawComponent(id=each, label=each, category=category, capabilities=capabilities)
                for each, (category, capabilities) in components.items()
            ),
        )
        self.mirror.add(raw, values or {})
        dr.async_get(self.hass).async_get_or_create(
            config_entry_id=self.entry.entry_id,
            identifiers={("smartthings", device_id)},
            name=label,
        )
        return raw

    def registered(self, device: RawDevice) -> dr.DeviceEntry:
        """Return Home Assistant's device."""
        found = dr.async_get(self.hass).async_get_device_by_identifier(
            ("smartthings", device.id), self.entry.entry_id
        )
        assert found is not None
        return found

    def entity(
        self,
        entity_id: str,
        device: RawDevice,
        rest: str,
        *,
        disabled_by: er.RegistryEntryDisabler | None = None,
        hidden_by: er.RegistryEntryHider | None = None,
        category: EntityCategory | None = None,
        name: str | None = None,
        platform: str = "smartthings",
        made_of: Iterable[str] = (),
    ) -> er.RegistryEntry:
        """Register an entity with the unique id `<device>_<rest>` and a state.

        With `made_of` the entity object exists, too, and lists its capabilities.
        """
        domain, _, object_id = entity_id.partition(".")
        entry = er.async_get(self.hass).async_get_or_create(
            domain,
            platform,
            f"{device.id}_{rest}",
            suggested_object_id=object_id,
            config_entry=self.entry,
            device_id=self.registered(device).id,
            disabled_by=disabled_by,
            hidden_by=hidden_by,
            entity_category=category,
            original_name=name,
        )
        if entry.entity_id != entity_id:
            entry = er.async_get(self.hass).async_update_entity(
                entry.entity_id, new_entity_id=entity_id
            )
        if disabled_by is None:
            self.hass.states.async_set(entity_id, "off")
        if made_of:
            loaded = MockEntityPlatform(self.hass, domain=domain, platform_name=platform)
            loaded.async_prepare()
            loaded.entities[entity_id] = MadeOf(made_of)
        return entry
