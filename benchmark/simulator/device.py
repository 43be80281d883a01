"""A simulated device: its values, and what commands and the world do to them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .consistency import consequences
from .definitions import definitions
from .effects import effects
from .rule_types import Setting

MAIN = "main"

type Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The value of an attribute, as events report it."""

    device_id: str
    component: str
    capability: str
    attribute: str
    value: object
    unit: str | None = None
    state_change: bool = True
    """Whether the value differs from the one before."""


@dataclass(slots=True, kw_only=True, eq=False)
class SimulatedDevice:
    """A device and the values of its attributes."""

    id: str
    key: str
    """Its name in the file of the home; unique there, in contrast to the label."""
    label: str
    description: Json
    """An item of `GET /v1/devices`."""
    status: dict[str, dict[str, dict[str, Json]]]
    """Component -> capability -> attribute -> `value`, `unit` and `timestamp`."""
    channels: Mapping[str, str]
    """Number -> name of what a television receives."""
    online: bool = True
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def remote_control(self) -> bool | None:
        """Whether it lets itself be controlled remotely; None where nobody can forbid that."""
        value = self.value(MAIN, "remoteControlStatus", "remoteControlEnabled")
        return None if value is None else value in {"true", True}

    @remote_control.setter
    def remote_control(self, allowed: bool) -> None:
        self.change(
            MAIN, "remoteControlStatus", "remoteControlEnabled", "true" if allowed else "false"
        )

    @property
    def categories(self) -> set[str]:
        """What its maker or a person says that its parts are: `Refrigerator`, `Light`."""
        return {
            category["name"]
            for component in self.description["components"]
            for category in component["categories"]
        }

    def has(self, component: str, capability: str) -> bool:
        """Return whether the component has the capability."""
        return capability in self.status.get(component, {})

    def value(self, component: str, capability: str, attribute: str) -> Any:
        """Return the value of an attribute; None when there is none."""
        attributes = self.status.get(component, {}).get(capability, {})
        return attributes.get(attribute, {}).get("value")

    def apply(
        self, component: str, capability: str, command: str, arguments: list[Any]
    ) -> list[Change]:
        """Do what a command does that the cloud has taken; returns what is reported of it.

        Nothing is reported of a command without effect, such as one that asks for what the
        device itself does not support.
        """
        return self._settle(effects(self, component, capability, command, arguments))

    def change(
        self, component: str, capability: str, attribute: str, value: object
    ) -> list[Change]:
        """Let an attribute change by itself; returns it with all that changes along with it.

        Raises KeyError when the device has no such attribute.
        """
        if attribute not in self.status[component][capability]:
            raise KeyError(f"{self.label} has no {component}.{capability}.{attribute}")
        return self._settle([Setting(component, capability, attribute, value)])

    def _settle(self, settings: list[Setting]) -> list[Change]:
        """Carry out what is to be set, one after the other, each with what follows from it."""
        return [change for setting in settings for change in self._settle_one(setting)]

    def _settle_one(self, first: Setting) -> list[Change]:
        changes = []
        waiting, settled = [first], set()
        while waiting:
            setting = waiting.pop(0)
            if setting[:3] not in settled:
                settled.add(setting[:3])
                changes.append(self._set(setting))
                waiting += consequences(self, setting)
        return changes

    def _set(self, setting: Setting) -> Change:
        place = self.status[setting.component][setting.capability]
        entry = place[setting.attribute]
        state_change = entry.get("value") != setting.value
        moment = self.now().astimezone(UTC).isoformat(timespec="milliseconds")
        unit = entry.get("unit") or default_unit(setting.capability, setting.attribute)
        place[setting.attribute] = (
            {"value": setting.value}
            | ({} if unit is None else {"unit": unit})
            | {"timestamp": moment.replace("+00:00", "Z")}
        )
        return Change(
            device_id=self.id,
            component=setting.component,
            capability=setting.capability,
            attribute=setting.attribute,
            value=setting.value,
            unit=unit,
            state_change=state_change,
        )


def default_unit(capability: str, attribute: str) -> str | None:
    """Return the only unit that an attribute can have, None if there is none or a choice."""
    units = units_of(capability, attribute)
    return units[0] if len(units) == 1 else None


def units_of(capability: str, attribute: str) -> list[str]:
    """Return the units that an attribute can have."""
    definition = definitions()[capability]["attributes"][attribute]
    unit = definition["schema"]["properties"].get("unit", {})
    return list(unit.get("enum", []))
