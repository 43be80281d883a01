"""The devices of a simulated home in SAGE's data types, without a network."""

from collections.abc import Iterable
from typing import Any

from benchmark.simulator.definitions import definitions
from benchmark.simulator.home import SimulatedDevice, SimulatedHome, load_home
from custom_components.sage.home.home_types import Component, Device
from custom_components.sage.home.smartthings.definitions import named_definition, parse_definition
from custom_components.sage.home.smartthings.documents import RawReader
from custom_components.sage.home.smartthings.mirror import Mirror
from custom_components.sage.home.smartthings.raw import (
    SMARTTHINGS,
    Attributes,
    Definition,
    RawDevice,
    RawValue,
)
from custom_components.sage.people.person import Person

ANNA = Person(user_id="anna", name="Anna")


class Mirrored:
    """Mirror, definitions and exposure of a simulated home in one object."""

    def __init__(self, home: str = "large") -> None:
        self.home: SimulatedHome = load_home(home)
        self.fresh = True
        self.unknown: set[str] = set()
        self.hidden: set[str] = set()  # attributes that must not be read
        self.forbidden: set[str] = set()  # capabilities that must not be commanded
        self.asked: list[str] = []
        self.revision = 1
        own: Any = self
        self.reader = RawReader(own, own, own)

    # ------------------------------------------------------------- devices

    def of(self, label: str) -> SimulatedDevice:
        return self.home.device(label)

    def device_of(self, label: str, component: str = "main") -> tuple[Device, Component]:
        """Return a device and component as in the listing of a person."""
        simulated = self.of(label)
        part = Component(
            id=component,
            name=component,
            capabilities=tuple(simulated.status[component]),
            source=SMARTTHINGS,
            source_id=simulated.id,
        )
        name = label.lower().replace(" ", "_")
        return Device(id=name, name=label, components=(part,)), part

    def report(self, label: str, component: str, capability: str, **values: Any) -> None:
        """Let the device report these values; attributes may be new."""
        attributes = self.of(label).status[component].setdefault(capability, {})
        for name, value in values.items():
            attributes[name] = {"value": value}

    # -------------------------------------------------------------- mirror

    def devices(self) -> tuple[RawDevice, ...]:
        return tuple(self.raw(each) for each in self.home.devices.values())

    def device(self, device_id: str) -> RawDevice | None:
        return next((each for each in self.devices() if each.id == device_id), None)

    def raw(self, device: SimulatedDevice) -> RawDevice:
        parts = tuple(
            Component(id=name, name=name, capabilities=tuple(capabilities))
            for name, capabilities in device.status.items()
        )
        return RawDevice(id=device.id, components=parts, entry_id="entry")

    def has(self, device_id: str, component_id: str, capability: str) -> bool:
        found = self.device(device_id)
        component = found.component(component_id) if found else None
        return component is not None and capability in component.capabilities

    def attributes(self, device_id: str, component_id: str, capability: str) -> Attributes:
        for device in self.home.devices.values():
            if device.id == device_id:
                told = device.status.get(component_id, {}).get(capability, {})
                return {
                    name: RawValue(value=each.get("value"), unit=each.get("unit") or "")
                    for name, each in told.items()
                }
        return {}

    def is_online(self, device_id: str) -> bool:
        return any(each.online for each in self.home.devices.values() if each.id == device_id)

    is_remote_control_off = Mirror.is_remote_control_off

    def is_fresh(self, device_id: str) -> bool:
        return self.fresh

    async def async_make_fresh(self, device_ids: Iterable[str]) -> None:
        """Keep the values: they are those of the simulated home."""

    # --------------------------------------------------------- definitions

    def known(self, capability: str) -> Definition:
        if capability in self.unknown:
            return named_definition(capability)
        parsed = parse_definition(capability, definitions()[capability])
        assert parsed is not None
        return parsed

    async def async_fetch(self, entry_id: str, capabilities: Iterable[str]) -> None:
        self.asked += capabilities

    # ------------------------------------------------------------ exposure

    def may_read(
        self, person: Person, device_id: str, component_id: str, capability: str, attribute: str
    ) -> bool:
        return attribute not in self.hidden

    def may_command(
        self, person: Person, device_id: str, component_id: str, capability: str
    ) -> bool:
        return capability not in self.forbidden
