"""Raw components of devices, as a cloud tells of them."""

from dataclasses import replace

from custom_components.sage.home.home_types import Component, Device, Source


def raw_part(
    part: str, *capabilities: str, name: str = "", kind: str | None = None, device: str = "cloud-id"
) -> Component:
    """Return a raw component; without a name it is the device as a whole."""
    return Component(
        id=part,
        name=name,
        capabilities=capabilities,
        kind=kind,
        source=Source.SMARTTHINGS,
        raw_device_id=device,
    )


def with_raw(device: Device, *parts: Component) -> Device:
    """Return the device with these raw components beside its entities."""
    return replace(device, raw_components=parts)
