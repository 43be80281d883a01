"""Which entity, or attribute of an extension, the condition code of a routine means."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from homeassistant.helpers.translation import async_get_translations

from ..people import Person
from ..text import id_key, nearest
from .components import main_component
from .extension import MAIN, MoreAttribute
from .home import Home
from .home_types import Component, Device, HomeError
from .values import STATE, is_secret, item_attributes

_PERCENT: Final = "brightness_pct"


class CodeAttributes:
    """Finds the components of devices that have an attribute."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._hass = home.hass

    @staticmethod
    def name_of(attribute: str) -> str:
        """Return an attribute name in Home Assistant's spelling: lower case with underscores."""
        return attribute.strip().casefold().replace(" ", "_")

    async def async_find(
        self,
        person: Person,
        device: Device,
        attribute: str,
        *,
        component: str = "",
        entity_id: str | None = None,
    ) -> str | None:
        """Return the id of the entity, or the key of the extension, that provides an attribute.

        - `component`: an id, name or capability; empty for any
        - `entity_id`: the only entity of `device` to look at

        None if it cannot be known now. Raises HomeError if none or several are possible.
        """
        extension = self._home.extension if entity_id is None else None
        more: Sequence[MoreAttribute] = ()
        if extension is not None:
            more = await extension.async_attributes(person, device)
        parts = [each for each in device.components if entity_id in (None, each.id)]
        if component:
            parts, more = _of_component(device, parts, more, component)
        having = await self._async_having(device, parts, self.name_of(attribute))
        if len(having) == 1:
            return having[0].id
        if having:
            names = ", ".join(part.id for part in having)
            raise HomeError(
                f"Several components of {device.id} have {attribute}. Name one as component: "
                f"{names}."
            )
        spelled = _spelled(more)
        if (only := _only(device, spelled, attribute)) is not None:
            return only.key
        if extension is not None and not extension.is_current(device):
            return None
        others = [_distinct(spelled, each) for each in more if each.value is not None]
        error = await self._async_missing(person, device, parts, others, attribute)
        if extension is not None and others:
            error = f"{error} In {extension.title}: {', '.join(others)}."
        raise HomeError(error)

    def main_of(self, device: Device) -> Component:
        """Return the main entity of a device, such as the lock, not its battery.

        Raises HomeError if there is none.
        """
        if (main := main_component(device)) is None:
            parts = ", ".join(f'{c.id} "{c.name}"' if c.name else c.id for c in device.components)
            raise HomeError(
                f"{device.id} has several components; give the id of one as device: {parts}."
            )
        return main

    async def _async_having(
        self, device: Device, parts: Sequence[Component], attribute: str
    ) -> Sequence[Component]:
        """Return the entities in `parts` that have `attribute`.

        If there are none, return those that can have it in another state, such as the volume of a
        TV that is off. If the main entity of `device` is among several, return only the main
        entity.
        """
        if is_secret(attribute):
            return ()
        having = [part for part in parts if self._has(part.id, attribute)]
        if not having:
            having = [part for part in parts if await self._async_may_have(part.id, attribute)]
        if len(having) > 1:
            main = main_component(device)
            having = [part for part in having if part is main] or having
        return having

    def _has(self, entity_id: str, attribute: str) -> bool:
        state = self._hass.states.get(entity_id)
        if attribute == STATE or state is None:
            return attribute == STATE
        if attribute == _PERCENT and state.domain == "light":
            return "brightness" in state.attributes
        return attribute in state.attributes

    async def _async_may_have(self, entity_id: str, attribute: str) -> bool:
        """Return whether the entity can have the attribute in another state."""
        domain = entity_id.partition(".")[0]
        texts = await async_get_translations(self._hass, "en", "entity_component", {domain})
        prefix = f"component.{domain}.entity_component._.state_attributes.{attribute}."
        return any(name.startswith(prefix) for name in texts)

    async def _async_missing(
        self,
        person: Person,
        device: Device,
        parts: Sequence[Component],
        others: Sequence[str],
        attribute: str,
    ) -> str:
        """Return the error for an attribute that the device does not have."""
        if any(part.id == attribute for part in device.components):
            return f'{attribute} is a component, no attribute: get_state("{attribute}") reads it.'
        entries = {name for part in parts for name in item_attributes(part.id.partition(".")[0])}
        if attribute in entries:
            return (
                f"A condition cannot read {attribute}. Use get_calendar for the events of a "
                "calendar, and get_state for the number of items that are left on a list."
            )
        view = self._home.of(person)
        names: dict[str, None] = {}
        for document in await view.async_document([part.id for part in parts]):
            names |= dict.fromkeys(a.name for a in document.attributes if a.name not in entries)
        near = nearest(attribute, [*names, *others], likeness=0.7)
        return (
            f"{device.id} has no attribute {attribute}."
            + (f" The nearest: {', '.join(near)}." if near else "")
            + (f" It has: {', '.join(names)}." if names else "")
        )


def _of_component(
    device: Device, parts: Sequence[Component], more: Sequence[MoreAttribute], component: str
) -> tuple[list[Component], list[MoreAttribute]]:
    """Return the entities (`parts`) and other attributes (`more`) that belong to a component.

    `component`: an id, name or capability, as written in condition code. Raises HomeError if there
    are none.
    """
    wanted = id_key(component)

    def is_meant(*names: str) -> bool:
        return wanted in map(id_key, names)

    entities = [
        part
        for part in parts
        if is_meant(part.id, part.name, *part.aliases, *part.capabilities, MAIN)
    ]
    values = [
        each
        for each in more
        if is_meant(each.component, *(name.rpartition(".")[0] for name in each.spellings[:3]))
    ]
    if not entities and not values:
        names = ", ".join(
            dict.fromkeys([*(p.id for p in parts), *(each.component for each in more)])
        )
        raise HomeError(f'{device.id} has no component "{component}". It has: {names}.')
    return entities, values


def _spelled(attributes: Sequence[MoreAttribute]) -> Mapping[str, list[MoreAttribute]]:
    """Return for each spelling the attributes that it may mean."""
    spelled: defaultdict[str, list[MoreAttribute]] = defaultdict(list)
    for attribute in attributes:
        for name in dict.fromkeys(map(id_key, attribute.spellings)):
            spelled[name].append(attribute)
    return spelled


def _only(
    device: Device, spelled: Mapping[str, Sequence[MoreAttribute]], attribute: str
) -> MoreAttribute | None:
    """Return the attribute with this spelling; None if there is none.

    The main component has priority. Raises HomeError if several are possible.
    """
    matches = spelled.get(id_key(attribute), ())
    if len(matches) > 1:
        matches = [each for each in matches if each.component == MAIN] or matches
    if len(matches) > 1:
        names = ", ".join(repr(_distinct(spelled, each)) for each in matches)
        raise HomeError(
            f"Several values of {device.id} are called {attribute}. Give one of these as "
            f"attribute: {names}."
        )
    return matches[0] if matches else None


def _distinct(spelled: Mapping[str, Sequence[MoreAttribute]], attribute: MoreAttribute) -> str:
    """Return the shortest spelling of an attribute that no other one has."""
    names = attribute.spellings
    return next((name for name in reversed(names) if len(spelled[id_key(name)]) == 1), names[0])
