"""Raw devices in memory, which do what they are told and report it, or do not."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from benchmark.simulator.definitions import definitions
from custom_components.sage.home.commands.pipeline import Pipeline
from custom_components.sage.home.commands.undo_history import PutBack
from custom_components.sage.home.commands.waits import CommandWaits
from custom_components.sage.home.home_types import (
    Argument,
    Command,
    CommandRequest,
    Component,
    Device,
    Documentation,
    Outcome,
    RiskClass,
    Source,
)
from custom_components.sage.home.smartthings.commands import CommandFinder, RawCommand
from custom_components.sage.home.smartthings.definitions import parse_definition
from custom_components.sage.home.smartthings.execution import SmartThingsBackend
from custom_components.sage.home.smartthings.parts import Attributes, EventListener
from custom_components.sage.home.smartthings.raw import (
    MAIN,
    ArgumentDefinition,
    CloudError,
    Definition,
    RawComponent,
    RawDevice,
    RawEvent,
    RawValue,
)
from custom_components.sage.people.person import Person

from ..house import Asking

_TYPES = {"array": "list"}

type Values = dict[str, dict[str, dict[str, Any]]]
"""Component -> capability -> attribute -> value."""


def definition_of(capability: str) -> Definition:
    """Return the definition that the simulated cloud has."""
    found = parse_definition(capability, definitions()[capability])
    assert found is not None
    return found


class Thing:
    """A device in the cloud and what it is at the moment."""

    def __init__(self, name: str, values: Values, *, labels: Mapping[str, str] | None = None):
        self.name = name
        self.id = f"id-{name.lower()}"
        self.values = values
        self.labels = labels or {}
        self.area: str | None = None
        self.online = True
        self.fresh = True
        self.usable: set[str] | None = None

    @property
    def raw(self) -> RawDevice:
        return RawDevice(
            id=self.id, label=self.name, components=tuple(self.components()), entry_id="entry"
        )

    def components(self) -> Iterable[RawComponent]:
        for component, capabilities in self.values.items():
            yield RawComponent(
                id=component,
                label=self.labels.get(component, component),
                capabilities=tuple(
                    each for each in capabilities if self.usable is None or each in self.usable
                ),
            )

    @property
    def device(self) -> Device:
        """The same as the listing of a person has it."""
        return Device(
            id=self.name.lower(),
            name=self.name,
            area=self.area,
            components=tuple(self.component(each) for each in self.values),
        )

    def component(self, component: str = "main") -> Component:
        return Component(
            id=component,
            name="" if component == MAIN else self.labels.get(component, component),
            capabilities=tuple(self.values[component]),
            source=Source.SMARTTHINGS,
            raw_device_id=self.id,
        )


class RawHouse:
    """Mirror, cloud, documents, exposure and risk in one, for a few things."""

    def __init__(self, *things: Thing) -> None:
        self.things = {each.id: each for each in things}
        self.listeners: dict[str, list[EventListener]] = {}
        self.posted: list[tuple[str, str, str, str, list[object]]] = []
        self.looks: list[str] = []
        self.answer: str | CloudError | Callable[[], Any] = "ACCEPTED"
        self.look_error: CloudError | None = None
        self.effect: Callable[[], object] = lambda: None
        """What a command leads to at once, whatever is answered."""

        self.on_look: Callable[[], object] = lambda: None
        self.denied: set[str] = set()
        self.unreadable: set[str] = set()
        """Attributes that nobody may read."""

        self.risks: dict[str, RiskClass] = {}
        self.incomplete: set[str] = set()
        self.narrowed: dict[str, dict[str, Any]] = {}
        """Argument -> what the device narrows of it."""

        self.revision = 1
        self.prepared: list[Person] = []
        self.finder = CommandFinder(self, self)  # type: ignore[arg-type]
        self.waits = CommandWaits(report_seconds=0.02, request_seconds=20.0)
        self.backend = SmartThingsBackend(
            mirror=self,
            cloud=self,  # type: ignore[arg-type]
            definitions=self,  # type: ignore[arg-type]
            exposure=self,  # type: ignore[arg-type]
            risk_of=lambda _device, _part, _capability, command, _arguments: self.risks.get(
                command
            ),
            waits=self.waits,
        )
        self.pipeline = Pipeline(self._async_prepare, {RawCommand: self.backend})
        self.put_back = PutBack(self.pipeline, {Source.SMARTTHINGS: self.backend})

    async def _async_prepare(self, person: Person) -> None:
        self.prepared.append(person)

    # ------------------------------------------------------------- mirror

    def devices(self) -> tuple[RawDevice, ...]:
        return tuple(each.raw for each in self.things.values())

    def device(self, device_id: str) -> RawDevice | None:
        thing = self.things.get(device_id)
        return None if thing is None else thing.raw

    def usable(self, device_id: str) -> tuple[RawComponent, ...]:
        device = self.device(device_id)
        return () if device is None else device.components

    def attributes(self, device_id: str, component_id: str, capability: str) -> Attributes:
        values = self.things[device_id].values.get(component_id, {}).get(capability, {})
        return {name: RawValue(value=value) for name, value in values.items()}

    def is_online(self, device_id: str) -> bool:
        return self.things[device_id].online

    def is_fresh(self, device_id: str) -> bool:
        return self.things[device_id].fresh

    async def async_refresh(self, device_id: str) -> None:
        self.looks.append(device_id)
        if self.look_error is not None:
            raise self.look_error
        self.on_look()

    def listen(self, device_id: str, listener: EventListener) -> Callable[[], None]:
        listeners = self.listeners.setdefault(device_id, [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def report(
        self, thing: Thing, capability: str, attribute: str, value: Any, component: str = "main"
    ) -> None:
        """Let a device report an attribute."""
        self.set(thing, capability, attribute, value, component)
        event = RawEvent(
            device_id=thing.id,
            component_id=component,
            capability=capability,
            attribute=attribute,
            value=value,
        )
        for listener in list(self.listeners.get(thing.id, ())):
            listener(event)

    def set(
        self, thing: Thing, capability: str, attribute: str, value: Any, component: str = "main"
    ) -> None:
        """Let an attribute change without a word."""
        thing.values[component][capability][attribute] = value

    # ------------------------------------------------------------- cloud

    async def async_command(
        self,
        entry_id: str,
        device_id: str,
        component_id: str,
        capability: str,
        command: str,
        arguments: list[object],
    ) -> str:
        assert entry_id == "entry"
        self.posted.append((device_id, component_id, capability, command, arguments))
        self.effect()
        answer = await self.answer() if callable(self.answer) else self.answer
        if isinstance(answer, CloudError):
            raise answer
        return str(answer)

    # ------------------------------------------------------------- documents, definitions

    def known(self, capability: str) -> Definition:
        return self.definition(capability)

    def definition(self, capability: str) -> Definition:
        found = definition_of(capability)
        if capability not in self.incomplete:
            return found
        return Definition(
            id=capability,
            commands=tuple(type(each)(name=each.name) for each in found.commands),
            is_complete=False,
        )

    async def async_document(
        self, device: Device, component: Component, capability: str
    ) -> Documentation:
        return Documentation(
            device_id=device.id,
            device_name=device.name,
            component_id=component.id,
            capability=capability,
            commands=tuple(
                Command(name=each.name, arguments=tuple(map(self._argument, each.arguments)))
                for each in self.definition(capability).commands
            ),
        )

    def _argument(self, told: ArgumentDefinition) -> Argument:
        schema: Mapping[str, Any] = told.schema
        known = {
            "type": _TYPES.get(schema.get("type", "string"), schema.get("type", "string")),
            "required": not told.optional,
            "minimum": schema.get("minimum"),
            "maximum": schema.get("maximum"),
            "values": tuple(str(each) for each in schema.get("enum", ())),
        }
        return Argument(name=told.name, **known | self.narrowed.get(told.name, {}))

    # ------------------------------------------------------------- exposure

    def may_command(
        self, person: Person, device_id: str, component_id: str, capability: str
    ) -> bool:
        return device_id not in self.denied

    def may_read(
        self, person: Person, device_id: str, component_id: str, capability: str, attribute: str
    ) -> bool:
        return attribute not in self.unreadable

    # ------------------------------------------------------------- doing

    async def async_prepare(
        self,
        thing: Thing,
        command: str,
        arguments: Mapping[str, object] | None = None,
        *,
        component: str = "main",
        capability: str | None = None,
    ) -> RawCommand:
        return await self.finder.async_find(
            thing.device,
            thing.component(component),
            CommandRequest(
                device_id=thing.device.id,
                command=command,
                component_id=component,
                capability=capability,
                arguments=arguments or {},
            ),
        )

    async def async_do(
        self,
        thing: Thing,
        command: str,
        arguments: Mapping[str, object] | None = None,
        *,
        component: str = "main",
        authority: Asking | None = None,
    ) -> Outcome:
        prepared = await self.async_prepare(thing, command, arguments, component=component)
        (outcome,) = await self.pipeline.async_execute(authority or Asking(), [prepared])
        return outcome
