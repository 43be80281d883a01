"""The cached state of one SmartThings device.

Components and capabilities are enabled by the same rules as in Home Assistant's integration.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from typing import Final, Self

from .client import Values
from .entry_shape import ListedDevice
from .protocols import Attributes
from .raw import MAIN, CloudError, RawComponent, RawEvent, RawValue

DISABLED_COMPONENTS: Final = "custom.disabledComponents"
DISABLED_CAPABILITIES: Final = "custom.disabledCapabilities"

PAUSE: Final = 10.0
"""Seconds without requests after a failed fetch, if the cloud specifies no waiting time."""

_NONE: Final[Attributes] = {}
_KEPT_COMPONENT: Final = "lamp"
_NOTHING: Final = RawValue(value=None)


def _has(attribute: str) -> Callable[[Attributes], bool]:
    return lambda attributes: attributes.get(attribute, _NOTHING).value is not None


_KEPT_IF: Final[Mapping[str, Callable[[Attributes], bool]]] = {
    "dryerOperatingState": _has("supportedMachineStates"),
    "washerOperatingState": _has("supportedMachineStates"),
    "demandResponseLoadControl": lambda _: True,
    "samsungce.airConditionerLighting": _has("lighting"),
    "samsungce.airConditionerBeep": _has("beep"),
}
"""Capability -> condition under which it stays enabled although it is listed as disabled."""

_DECIDING: Final = frozenset({DISABLED_COMPONENTS, DISABLED_CAPABILITIES, *_KEPT_IF})
"""Capabilities whose values determine which capabilities are enabled."""


class MirroredDevice:
    """The cached state of one device: enabled capabilities, values and availability."""

    def __init__(self, listed: ListedDevice) -> None:
        """Store the device as its config entry lists it; its values are unknown until a fetch."""
        self.device = listed.device
        self.online = listed.online
        self.fetching: asyncio.Task[bool] | None = None
        """The latest fetch, running or finished; None before the first one.

        All callers that wait for current values share a running fetch.
        """

        self.usable = _at_the_start(listed)
        self._values: Values = {}
        self._fetched: int | None = None
        self._begun = 0
        self._newest = 0
        self._under_way: list[list[RawEvent]] = []
        self._not_before = 0.0
        self._error: CloudError | None = None

    # Values.

    def attributes(self, component_id: str, capability: str) -> Attributes:
        """Return the last reported values of a capability; empty if unknown."""
        return self._values.get(component_id, {}).get(capability, _NONE)

    def take(self, event: RawEvent) -> bool:
        """Store a reported value; return whether the set of enabled capabilities changed."""
        for events in self._under_way:
            events.append(event)
        self._write(event)
        return event.capability in _DECIDING and self._decide()

    def _write(self, event: RawEvent) -> None:
        attributes = self._values.setdefault(event.component_id, {}).setdefault(
            event.capability, {}
        )
        before = attributes.get(event.attribute)
        attributes[event.attribute] = RawValue(
            value=event.value, unit=before.unit if before else None
        )

    def _decide(self) -> bool:
        before, self.usable = self.usable, _in_use(self.device.components, self._values)
        return self.usable != before

    # Fetching.

    def is_fetched_since(self, stream: int) -> bool:
        """Return whether the values were fetched since an event stream last ended or was opened.

        `stream`: current value of the counter of these changes.
        """
        return self._fetched == stream

    @property
    def may_ask(self) -> bool:
        """Whether a request is allowed; False during the pause after a failed fetch."""
        return self.error is None

    @property
    def error(self) -> CloudError | None:
        """The error of the last fetch, during the pause after a failure; else None."""
        return self._error if time.monotonic() < self._not_before else None

    def begin(self) -> Fetch:
        """Return a new fetch of all values, for a `with` statement.

        From now on, the fetch collects the reports that arrive.
        """
        self._begun += 1
        # Reports that arrive during the fetch are newer than its result.
        events: list[RawEvent] = []
        self._under_way.append(events)
        return Fetch(self, self._begun, events)

    def end(self, events: list[RawEvent]) -> None:
        """Stop collecting reports for a fetch, because it has finished.

        `events`: the list of this fetch, created by `begin`.
        """
        self._under_way = [each for each in self._under_way if each is not events]

    def put(self, number: int, values: Values, events: list[RawEvent], stream: int) -> bool:
        """Store the result of a fetch; return whether the set of enabled capabilities changed.

        - `number`: number of the fetch; the result is ignored if a later fetch is already stored
        - `events`: reports that arrived during the fetch; they override `values`
        - `stream`: value of a counter when the fetch started. The counter grows when an event
          stream ends or is opened; if it has grown, events may be missing in the values.
        """
        self._not_before = 0.0
        if number < self._newest:
            return False
        self._newest = number
        self._values = values
        self._fetched = stream
        for event in events:
            self._write(event)
        return self._decide()

    def failed(self, error: CloudError) -> None:
        """Store the error of a fetch and pause requests for the device."""
        self._error = error
        pause = PAUSE if error.retry_after is None else error.retry_after
        self._not_before = time.monotonic() + pause

    def distrust(self) -> None:
        """Mark the values as outdated, so that they are fetched at their next use."""
        self._fetched = None


class Fetch:
    """A context manager for one fetch of all values of a device.

    It collects the reports that arrive during the fetch.
    """

    def __init__(self, device: MirroredDevice, number: int, events: list[RawEvent]) -> None:
        self._device = device
        self._number = number
        self._events = events

    def __enter__(self) -> Self:
        """Return this fetch; `MirroredDevice.begin` already collects the reports that arrive."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop collecting reports."""
        self._device.end(self._events)

    def bring(self, values: Values, stream: int) -> bool:
        """Store the fetched values; return whether the set of enabled capabilities changed.

        `stream`: value, when the fetch started, of a counter. The counter grows when an event
        stream ends or is opened.
        """
        return self._device.put(self._number, values, self._events, stream)


def _at_the_start(listed: ListedDevice) -> tuple[RawComponent, ...]:
    """Return the components and capabilities that were enabled when the config entry was loaded."""
    return tuple(
        _only(component, listed.in_use[component.id])
        for component in listed.device.components
        if component.id in listed.in_use
    )


def _in_use(components: Collection[RawComponent], values: Values) -> tuple[RawComponent, ...]:
    """Return the enabled components with their enabled capabilities."""
    main = values.get(MAIN, {}).get(DISABLED_COMPONENTS, {})
    disabled = frozenset(map(_written_out, _names(main, "disabledComponents"))) - {_KEPT_COMPONENT}
    return tuple(
        _without_disabled(component, values.get(component.id, {}))
        for component in components
        if component.id not in disabled
    )


def _only(component: RawComponent, capabilities: Collection[str]) -> RawComponent:
    """Return a copy of the component with only these capabilities."""
    return RawComponent(
        id=component.id,
        label=component.label,
        capabilities=tuple(each for each in component.capabilities if each in capabilities),
        category=component.category,
    )


def _without_disabled(component: RawComponent, values: Mapping[str, Attributes]) -> RawComponent:
    names = _names(values.get(DISABLED_CAPABILITIES, {}), "disabledCapabilities")
    disabled = {
        name for name in names if name not in _KEPT_IF or not _KEPT_IF[name](values.get(name, {}))
    }
    return _only(component, frozenset(component.capabilities) - disabled) if disabled else component


def _names(attributes: Attributes, attribute: str) -> tuple[str, ...]:
    value = attributes.get(attribute, _NOTHING).value
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _written_out(component_id: str) -> str:
    """Return the usual form of a component id.

    The list of disabled components contains `burner-6` for `burner-06`; other ids are unchanged.
    """
    name, dash, number = component_id.rpartition("-")
    if dash and "burner" in name and number.isdecimal():
        return f"{name}-{int(number):02}"
    return component_id
