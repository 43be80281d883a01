"""Homes that tests of the home view are played in."""

from collections.abc import Iterable
from unittest.mock import patch

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.helpers.slices import in_one_go
from custom_components.sage.home.home_types import Component, Device
from custom_components.sage.home.listing import Area, Listing, build


async def async_demo(hass: HomeAssistant, *platforms: str) -> None:
    """Set up the demo entities of Home Assistant for these domains, all exposed."""
    entry = MockConfigEntry(domain="demo")
    entry.add_to_hass(hass)
    wanted = "homeassistant.components.demo.COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM"
    with patch(wanted, list(platforms)):
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
    expose_all(hass)


def expose_all(hass: HomeAssistant) -> None:
    """Expose every entity there is to Assist."""
    for entity_id in hass.states.async_entity_ids():
        async_expose_entity(hass, "conversation", entity_id, True)


class Builder:
    """Adds areas, devices and entities to a home, as an integration would."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.entry = MockConfigEntry(domain="fake")
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
            identifiers={("fake", str(self._count))},
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
        """Register an entity with a state; `name` is what its integration calls it."""
        domain, object_id = entity_id.split(".")
        registry = er.async_get(self.hass)
        entry = registry.async_get_or_create(
            domain,
            "fake",
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


def plain_device(
    device_id: str,
    name: str,
    *parts: str,
    area: str | None = None,
    aliases: Iterable[str] = (),
    floor: str | None = None,
    kind: str | None = None,
) -> Device:
    """Return a device without Home Assistant; parts are entity ids or `entity id=name`."""
    components = []
    for part in parts:
        entity_id, _, part_name = part.partition("=")
        components.append(
            Component(
                id=entity_id,
                name=part_name or name,
                capabilities=(entity_id.split(".")[0],),
                kind=kind,
            )
        )
    return Device(
        id=device_id,
        name=name,
        aliases=tuple(aliases),
        area=area,
        floor=floor,
        components=tuple(components),
    )


def plain_listing(*devices: Device, areas: Iterable[Area] = ()) -> Listing:
    """Return a listing without Home Assistant."""
    places = {
        device.area: Area(name=device.area, floor=device.floor) for device in devices if device.area
    }
    places |= {area.name: area for area in areas}
    return in_one_go(build(devices, places))
