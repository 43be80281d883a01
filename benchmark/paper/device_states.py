"""Device states as the baselines see them, and the commands that bring a changed state about."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pysmartthings.exceptions import SmartThingsError

from .methods import FULL

_NAME: Final = "name"
"""Stands beside the components of a device in prompts."""

type Values = dict[str, dict[str, dict[str, Any]]]
"""Component -> capability -> attribute -> value."""

type Changes = Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]]
"""Device id -> component -> capability -> attribute -> new value."""

_HIDDEN: Final = frozenset({"execute", "refresh"})
"""Capabilities without a value."""

_TV: Final = frozenset(
    {
        "switch",
        "audioVolume",
        "audioMute",
        "tvChannel",
        "mediaInputSource",
        "mediaPlayback",
        "custom.picturemode",
    }
)
_DISHWASHER: Final = frozenset(
    {
        "switch",
        "dishwasherOperatingState",
        "custom.dishwasherOperatingProgress",
        "samsungce.dishwasherWashingCourse",
        "remoteControlStatus",
    }
)
_PAPER_CAPABILITIES: Final[Mapping[str, frozenset[str]]] = {
    "tvChannel": _TV,
    "dishwasherOperatingState": _DISHWASHER,
}
"""The reduced form: a capability that tells the kind of a device -> what is shown of that kind."""

_PAPER_COMPONENTS: Final[Mapping[str, frozenset[str]]] = {
    "refrigeration": frozenset({"main", "cooler", "freezer"}),
}
"""The same for components."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceState:
    """A device and its values."""

    id: str
    label: str
    values: Values = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the state as prompts show it."""
        return {_NAME: self.label, **self.values}

    def capabilities(self) -> dict[str, Any]:
        """Return the same without attributes and values."""
        return {_NAME: self.label, **{name: list(each) for name, each in self.values.items()}}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCommand:
    """A command for the cloud."""

    device: str
    """Id of the device."""

    component: str
    capability: str
    command: str
    arguments: tuple[Any, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the command for the trace."""
        return {
            "device": self.device,
            "component": self.component,
            "capability": self.capability,
            "command": self.command,
            "arguments": list(self.arguments),
        }


@dataclass(slots=True, kw_only=True)
class Plan:
    """The commands that lead to a state, and what no command leads to."""

    commands: list[DeviceCommand] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


async def async_states(client: Any, form: str) -> list[DeviceState]:
    """Return the states of all devices in the form `paper` or `full`, read from the cloud."""
    pages = await client.get_raw_devices()
    return [
        DeviceState(id=each["deviceId"], label=each["label"], values=_shown(values, form))
        for page in pages
        for each in page["items"]
        for values in [await async_values(client, each["deviceId"])]
    ]


async def async_values(client: Any, device_id: str) -> Values:
    """Return all values of a device."""
    status = await client.get_raw_device_status(device_id)
    return {
        component: {
            capability: {name: entry.get("value") for name, entry in attributes.items()}
            for capability, attributes in capabilities.items()
            if capability not in _HIDDEN
        }
        for component, capabilities in status["components"].items()
    }


def _shown(values: Values, form: str) -> Values:
    """Return the values that a prompt shows; the reduced form follows the paper's."""
    if form == FULL:
        return values
    main = values["main"]
    names = [each for kind, each in _PAPER_COMPONENTS.items() if kind in main]
    components = names[0] if names else frozenset(values)
    kinds = [each for kind, each in _PAPER_CAPABILITIES.items() if kind in main]
    return {
        component: {
            capability: attributes
            for capability, attributes in capabilities.items()
            if not kinds or capability in kinds[0]
        }
        for component, capabilities in values.items()
        if component in components
    }


class Capabilities:
    """The definitions of capabilities, each read from the cloud once."""

    def __init__(self) -> None:
        self._known: dict[str, Mapping[str, Any]] = {}

    async def async_plan(
        self, client: Any, states: Sequence[DeviceState], changes: Changes
    ) -> Plan:
        """Return how to reach the states with these changes merged into them."""
        plan = Plan()
        by_id = {each.id: each for each in states}
        for device, component, capability, attribute, value in _leaves(changes):
            path = f"{component}/{capability}.{attribute}"
            known = by_id[device].values if device in by_id else {}
            attributes = known.get(component, {}).get(capability, {})
            if attribute not in attributes:
                plan.problems.append(f"{device} has no {path}")
            elif attributes[attribute] != value:
                definition = await self._async_definition(client, capability)
                found = _command(definition, attribute, value)
                if found is None:
                    plan.problems.append(f"no command sets {path} of {device} to {value!r}")
                    continue
                name, arguments = found
                plan.commands.append(
                    DeviceCommand(
                        device=device,
                        component=component,
                        capability=capability,
                        command=name,
                        arguments=arguments,
                    )
                )
        plan.commands.sort(key=_rank)
        return plan

    async def _async_definition(self, client: Any, capability: str) -> Mapping[str, Any]:
        if capability not in self._known:
            self._known[capability] = json.loads(await client.get_capability(capability))
        return self._known[capability]


async def async_send(client: Any, command: DeviceCommand) -> str | None:
    """Send a command; return why the cloud refused it, None if it did not."""
    try:
        await client.execute_device_command(
            command.device,
            command.capability,
            command.command,
            command.component,
            list(command.arguments) or None,
        )
    except SmartThingsError as err:
        return str(err) or type(err).__name__
    return None


def _rank(command: DeviceCommand) -> int:
    """Return the place in the order: switching on comes first, switching off last."""
    return {"on": 0, "off": 2}.get(command.command, 1) if command.capability == "switch" else 1


def _leaves(changes: Changes) -> Iterator[tuple[str, str, str, str, Any]]:
    for device, components in changes.items():
        for component, capabilities in components.items():
            if component == _NAME:
                continue
            for capability, attributes in capabilities.items():
                for attribute, value in attributes.items():
                    yield device, component, capability, attribute, value


def _command(
    definition: Mapping[str, Any], attribute: str, value: Any
) -> tuple[str, tuple[Any, ...]] | None:
    """Return the command that sets an attribute, and its arguments.

    It is the one that the definition links to the value or to the attribute, else the one that is
    named after either of them.
    """
    entry, commands = definition["attributes"][attribute], definition["commands"]
    for each in entry.get("enumCommands", ()):
        if each["value"] == value:
            return each["command"], ()
    if isinstance(value, str) and value in commands and not commands[value].get("arguments"):
        return value, ()
    setter = entry.get("setter") or f"set{attribute[:1].upper()}{attribute[1:]}"
    arguments = commands.get(setter, {}).get("arguments", ())
    if not arguments or not all(each["optional"] for each in arguments[1:]):
        return None
    return setter, (_fitting(value, arguments[0]["schema"].get("type")),)


def _fitting(value: Any, kind: str | None) -> Any:
    """Return a number as text or a text as number if the command wants it so."""
    if isinstance(value, bool):
        return value
    if kind == "string" and isinstance(value, int | float):
        return str(value)
    try:
        if kind == "integer" and float(value).is_integer():
            return int(float(value))
        return float(value) if kind == "number" and isinstance(value, str) else value
    except TypeError, ValueError:
        return value
