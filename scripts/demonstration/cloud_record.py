"""What the simulated SmartThings cloud received, and what changed in it that has no entity."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

CLOUD_HOME: Final = "paper"
"""Name of the simulated home at the cloud."""

COMMAND: Final = "sage_demo/cloud_record"
"""The websocket command, for owners only, that returns the record as JSON."""

HAPPEN: Final = "sage_demo/let_happen"
"""The websocket command, for owners only, that changes an attribute of a device at the cloud."""

_WIDTH: Final = 80

type Attributes = dict[tuple[str, str], Any]
"""Device with its component, and `capability.attribute`, to the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A command that reached the cloud."""

    target: str
    """The device and its component, such as `Refrigerator freezer`; or the scene."""

    command: str
    """`capability.command`, or `execute` for a scene."""

    arguments: list[Any]
    status: int | None
    """HTTP status of the answer, None while there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeChange:
    """An attribute that has another value than before."""

    target: str
    attribute: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudRecord:
    """The cloud at one moment: all that it received since its start, and all its values."""

    received: tuple[Received, ...]
    attributes: Attributes


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudChanges:
    """What happened in the cloud between two moments."""

    received: tuple[Received, ...]
    changed: tuple[AttributeChange, ...]


def from_json(answer: Mapping[str, Any]) -> CloudRecord:
    """Return the record from the answer to the websocket command."""
    return CloudRecord(
        received=tuple(Received(**row) for row in answer["received"]),
        attributes={
            (f"{device} {component}", f"{capability}.{attribute}"): value
            for device, components in answer["attributes"].items()
            for component, capabilities in components.items()
            for capability, attributes in capabilities.items()
            for attribute, value in attributes.items()
        },
    )


def between(before: CloudRecord, after: CloudRecord) -> CloudChanges:
    """Return what happened from one moment to the other."""
    places = dict.fromkeys((*before.attributes, *after.attributes))
    return CloudChanges(
        received=after.received[len(before.received) :],
        changed=tuple(
            AttributeChange(
                target=target,
                attribute=attribute,
                before=before.attributes.get((target, attribute)),
                after=after.attributes.get((target, attribute)),
            )
            for target, attribute in places
            if before.attributes.get((target, attribute))
            != after.attributes.get((target, attribute))
        ),
    )


def render_received(happened: CloudChanges) -> list[str]:
    """Return a line for each command."""
    return [
        f"{one.target} {one.command}({', '.join(map(_shown, one.arguments))}): "
        + ("no answer" if one.status is None else f"HTTP {one.status}")
        for one in happened.received
    ]


def render_changed(happened: CloudChanges) -> list[str]:
    """Return a line for each attribute that changed."""
    return [
        f"{one.target} {one.attribute}: {_shown(one.before)} → {_shown(one.after)}"
        for one in happened.changed
    ]


def _shown(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"
