"""Devices and listings of them without Home Assistant."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from custom_components.sage.helpers.slices import in_one_go
from custom_components.sage.home.home_types import Component, Device, Fact, Reading
from custom_components.sage.home.listing import Area, Listing
from custom_components.sage.home.listing_build import build
from custom_components.sage.home.smartthings.raw import SMARTTHINGS


def plain_device(
    device_id: str,
    name: str,
    *parts: str,
    area: str | None = None,
    aliases: Iterable[str] = (),
    floor: str | None = None,
    kind: str | None = None,
    labels: Iterable[str] = (),
) -> Device:
    """Return a device of one kind without Home Assistant; parts: ids or `entity id=name`."""
    components = []
    for part in parts:
        entity_id, _, part_name = part.partition("=")
        components.append(
            Component(
                id=entity_id,
                name=part_name or name,
                capabilities=(entity_id.split(".")[0],),
                kind=kind,
                labels=tuple(labels),
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
    places = {
        device.area: Area(name=device.area, floor=device.floor) for device in devices if device.area
    }
    places |= {area.name: area for area in areas}
    return in_one_go(build(devices, places))


def reading_of(component_id: str, values: Mapping[str, Any], **fields: Any) -> Reading:
    """Return the values of an entity; its device has the id and name of the entity by default."""
    domain, _, device = component_id.partition(".")
    made = {
        "device_id": device,
        "device_name": fields.get("device_id", device).title(),
        "component_id": component_id,
        "capability": domain,
        "attributes": tuple(
            value if isinstance(value, Fact) else Fact(name=name, value=value)
            for name, value in values.items()
        ),
    }
    return Reading(**{**made, **fields})


def raw_part(
    part: str, *capabilities: str, name: str = "", kind: str | None = None, device: str = "cloud-id"
) -> Component:
    """Return a raw component; without a name it is the whole device."""
    return Component(
        id=part,
        name=name,
        capabilities=capabilities,
        kind=kind,
        source=SMARTTHINGS,
        source_id=device,
    )


def with_raw(device: Device, *parts: Component) -> Device:
    return replace(device, more_components=parts)
