"""Read the current values of devices that the person may see."""

from collections.abc import Iterable, Mapping, Sequence

from homeassistant.core import HomeAssistant

from ...helpers.slices import Breaks
from ...people.person import Person
from ..home_types import Attribute, Component, Device, Fact, HomeError, Reading
from ..safety.free_text import is_free_text
from ..safety.gate import Gate
from ..values import STATE, current, item_attributes, values_of_state
from .documentation import Documenter
from .list_entries import async_shown_entries


class Reader:
    """Reads the current values of devices."""

    def __init__(self, hass: HomeAssistant, gate: Gate, documenter: Documenter) -> None:
        self._hass = hass
        self._gate = gate
        self._documenter = documenter

    async def async_read(
        self,
        person: Person,
        device: Device,
        component_ids: Iterable[str] | None = None,
        attributes: Iterable[str] | None = None,
    ) -> tuple[Reading, ...]:
        """Return the current values of a device, one reading for each component.

        - `component_ids`: None selects all components that the person may see
        - `attributes`: None selects all attributes with a value; otherwise, components without
          any of the `attributes` are left out

        Raises HomeError if a component is unknown, no attribute is found or nothing may be seen.
        """
        components = self._visible(person, device, component_ids)
        wanted = None if attributes is None else tuple(attributes)
        await self._documenter.async_refresh()
        readings = [await self._async_one(device, each, wanted) for each in components]
        if wanted is not None and len(components) > 1:
            # With several components, leave out those without the attributes.
            readings = [each for each in readings if each is not None]
        found = tuple(each for each in readings if each is not None)
        if wanted and not found:
            raise HomeError(await self._async_missing(device, components, wanted))
        return found

    async def async_survey(self, person: Person, devices: Iterable[Device]) -> tuple[Reading, ...]:
        """Return the values of devices, one reading for each component that the person may see.

        The entries of to-do lists and calendars are left out.
        """
        readings: list[Reading] = []
        breaks = Breaks()
        await self._documenter.async_refresh()
        for device in devices:
            visible = self._gate.visible(person)
            for component in device.components:
                if component.id in visible and (
                    reading := await self._async_one(device, component, None, is_survey=True)
                ):
                    readings.append(reading)
                await breaks.async_take()
        return tuple(readings)

    def _visible(
        self, person: Person, device: Device, component_ids: Iterable[str] | None
    ) -> Sequence[Component]:
        visible = self._gate.visible(person)
        shown = [each for each in device.components if each.id in visible]
        asked = None if component_ids is None else set(component_ids)
        found = [each for each in shown if asked is None or each.id in asked]
        if asked is not None and (unknown := asked - {each.id for each in found}):
            parts = ", ".join(each.id for each in shown) or "nothing that may be read"
            raise HomeError(
                f"{device.id} has no component {', '.join(sorted(unknown))}. It has: {parts}."
            )
        if not found:
            raise HomeError(f"{device.id} has nothing that may be read. Choose another device.")
        return found

    async def _async_one(
        self,
        device: Device,
        component: Component,
        wanted: Sequence[str] | None,
        *,
        is_survey: bool = False,
    ) -> Reading | None:
        """Return the reading; None if the component has none of the wanted attributes.

        With `is_survey`, the entries of lists and calendars are not read.
        """
        documentation = await self._documenter.async_document(device, component.id)
        documented = {each.name: each for each in documentation.attributes}
        if wanted is None:
            chosen: list[Fact] = [
                each
                for each in documented.values()
                if each.name == STATE or each.value not in (None, "", [])
            ]
        else:
            chosen = self._chosen(component, documented, wanted)
            if not chosen and wanted:
                return None
        if documentation.available and not is_survey:
            chosen = await self._async_with_contents(component, chosen, everything=wanted is None)
        return Reading(
            device_id=device.id,
            device_name=device.name,
            component_id=component.id,
            capability=documentation.capability,
            attributes=tuple(chosen),
            available=documentation.available,
            area=device.area,
        )

    async def _async_with_contents(
        self, component: Component, chosen: list[Fact], *, everything: bool
    ) -> list[Fact]:
        """Return `chosen` with the current entries, if the component is a to-do list or calendar.

        Entries are the values of attributes, such as the open or the completed items. They are read
        only for the attributes in `chosen`. With `everything`, all such attributes are read and
        returned, except empty ones; the main attribute is returned even if it is empty.
        """
        domain = component.id.partition(".")[0]
        names = item_attributes(domain)
        asked = [each.name for each in chosen if each.name in names]
        if not names or not (everything or asked):
            return chosen
        entries = await async_shown_entries(self._hass, component.id)
        shown = [name for name in names if entries.get(name) or name == names[0]]
        return [
            *(each for each in chosen if each.name not in names),
            *(
                Fact(
                    name=name,
                    value=entries[name],
                    is_free_text=is_free_text(domain, name, entries[name]),
                )
                for name in (shown if everything else asked)
                if name in entries
            ),
        ]

    def _chosen(
        self, component: Component, documented: Mapping[str, Attribute], wanted: Sequence[str]
    ) -> list[Fact]:
        state = self._hass.states.get(component.id)
        hidden = values_of_state(current(state), everything=True) if state else {}
        options = frozenset(value for each in documented.values() for value in each.values)
        domain = component.id.partition(".")[0]
        chosen: list[Fact] = []
        for text in wanted:
            name = text.strip().casefold().replace(" ", "_")
            if name in documented:
                chosen.append(documented[name])
            elif name in hidden:
                value = hidden[name]
                is_free = is_free_text(domain, name, value, options)
                chosen.append(Fact(name=name, value=value, is_free_text=is_free))
        return chosen

    async def _async_missing(
        self, device: Device, components: Sequence[Component], wanted: Sequence[str]
    ) -> str:
        names: dict[str, None] = {}
        for component in components:
            documentation = await self._documenter.async_document(device, component.id)
            names |= dict.fromkeys(each.name for each in documentation.attributes)
        return f"{device.id} has no attribute {', '.join(wanted)}. It has: {', '.join(names)}."
