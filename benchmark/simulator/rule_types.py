"""What the rules of the simulated devices see and return."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol


class DeviceView(Protocol):
    """A device as rules see it."""

    @property
    def status(self) -> Mapping[str, Mapping[str, Any]]:
        """Component -> capability -> attribute -> `value`, `unit` and `timestamp`."""

    @property
    def channels(self) -> Mapping[str, str]:
        """Number -> name of what a television receives."""

    @property
    def now(self) -> Callable[[], datetime]:
        """The clock of the device."""

    @property
    def categories(self) -> set[str]:
        """What its maker or a person says that its parts are: `Refrigerator`, `Light`."""

    def has(self, component: str, capability: str) -> bool:
        """Return whether the component has the capability."""

    def value(self, component: str, capability: str, attribute: str) -> Any:
        """Return the value of an attribute; None when there is none."""


class Setting(NamedTuple):
    """An attribute that gets a value."""

    component: str
    capability: str
    attribute: str
    value: object


class Given(NamedTuple):
    """A command as it reaches a device."""

    device: DeviceView
    component: str
    capability: str
    arguments: list[Any]

    def value(self, attribute: str, capability: str | None = None) -> Any:
        """Return the value of an attribute; by default of the same capability."""
        return self.device.value(self.component, capability or self.capability, attribute)

    def set(self, attribute: str, value: object, capability: str | None = None) -> list[Setting]:
        """Set an attribute that the component has."""
        place = capability or self.capability
        if not self.device.has(self.component, place):
            return []
        return [Setting(self.component, place, attribute, value)]
