"""The values of the home as Python objects, for the condition code of routines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, cast

from homeassistant.components.weather.const import DOMAIN as WEATHER
from homeassistant.const import ATTR_FRIENDLY_NAME, STATE_UNKNOWN
from homeassistant.core import State
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util import dt as dt_util

from ..people import Person
from ..text import id_key, nearest
from .components import main_component
from .entities.list_entries import async_entries, moment_of
from .entities.reading import ForecastEntry, ForecastKind, async_forecast, forecast_kinds
from .extension import MAIN, MoreAttribute
from .home import Home
from .home_types import Component, Device, HomeError
from .listing import Listing
from .prompt_text import answer_is_free_text, is_free_text, is_free_text_of
from .recorded import Recorded, changes
from .values import (
    PERCENT,
    STATE,
    TypedValue,
    current,
    is_known,
    is_secret,
    item_attributes,
    plain,
    value_of,
    values_of_state,
)

_MOST_ROWS: Final = 5_000  # maximum recorded states that are read for the values of an attribute


@dataclass(frozen=True, slots=True)
class CodeValue:
    """A value of the home as condition code gets it."""

    value: TypedValue
    is_free_text: bool
    runs_on: bool = False
    """Whether the value changes without a report, such as the remaining time of a timer."""


@dataclass(frozen=True, slots=True)
class CodeForecast:
    """The shortest kind of forecast of a weather entity, earliest entry first."""

    kind: ForecastKind
    entries: Sequence[ForecastEntry]

    def between(self, start: datetime, end: datetime) -> CodeValue:
        """Return the entries about a period."""
        chosen = [
            entry
            for entry in self.entries
            if entry["at"] < end and start < entry["at"] + self.kind.length
        ]
        is_free = answer_is_free_text(WEATHER, chosen)
        return CodeValue(cast("TypedValue", chosen), is_free_text=is_free)


class CodeValues:
    """Reads values as Python objects for condition code; the caller checks permissions."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._hass = home.hass
        self.recorded = Recorded(home.hass)

    # ------------------------------------------------------------- now

    def value(self, state: State, attribute: str = STATE) -> CodeValue | None:
        """Return an attribute in a state, or the state itself; None if it is unknown."""
        # A button that was never pressed is "unknown", but has attributes.
        has_attribute = attribute != STATE and attribute in state.attributes
        if not is_known(state) and not (state.state == STATE_UNKNOWN and has_attribute):
            return None
        now = current(state)
        value = value_of(now, attribute)
        return CodeValue(
            value,
            is_free_text=is_free_text_of(state, attribute, value),
            runs_on=now.attributes.get(attribute) != state.attributes.get(attribute),
        )

    def weather(self, state: State) -> CodeValue:
        """Return the values of a weather entity by name, such as `condition`."""
        values = values_of_state(state)
        values["condition"] = values.pop(STATE)
        is_free = any(is_free_text(WEATHER, *each) for each in values.items())
        return CodeValue(cast("TypedValue", values), is_free_text=is_free)

    def devices(self, listing: Listing, area: str, capability: str) -> list[TypedValue]:
        """Return devices, or parts with a capability; empty texts: all. Raises HomeError."""
        place = listing.place(area) if area else None
        if area and place is None:
            areas = ", ".join(listing.areas) or "none"
            raise HomeError(f'There is no area "{area}". There are: {areas}.')
        if capability:
            parts = listing.of_kind(capability.casefold(), area or None)
            return [_entry(each.device, each.component) for each in parts]
        there = None if place is None else {each.device.id for each in place.parts}
        devices = (each for each in listing.devices if there is None or each.id in there)
        return [_entry(device, None) for device in devices]

    # ------------------------------------------------------------- past and future

    async def async_history(
        self, state: State, attribute: str, start: datetime, most: int
    ) -> CodeValue:
        """Return the value at `start` and all changes until `state`: dicts of `at` and `value`.

        Only the newest `most` are returned. Raises HomeError if the entity is not recorded.
        """
        self.recorded.check(state.entity_id)
        # The recorder writes with a delay.
        await self.recorded.async_commit()
        rows = _MOST_ROWS if attribute != STATE else most
        points = await self.recorded.async_points(state, attribute, start, dt_util.utcnow(), rows)
        shown = changes(points, start.timestamp())[-most:]
        return CodeValue(
            [
                {"at": dt_util.as_local(dt_util.utc_from_timestamp(each.at)), "value": each.value}
                for each in shown
            ],
            is_free_text=is_free_text_of(state, attribute, [each.value for each in shown]),
        )

    async def async_forecast(self, state: State) -> CodeForecast:
        """Return the forecast of a weather entity, by the hour where that is known.

        Raises HomeError if it has no forecast; HomeAssistantError or TimeoutError.
        """
        if not (kinds := forecast_kinds(state)):
            raise HomeError(
                f"{state.entity_id} has no forecast. Use get_weather, or another entity."
            )
        return CodeForecast(kinds[0], await async_forecast(self._hass, state.entity_id, kinds[0]))

    async def async_events(self, entity_id: str, length: timedelta) -> list[dict[str, Any]] | None:
        """Return a calendar's events from now on for condition code; None if unreadable."""
        at = dt_util.utcnow()
        entries = await async_entries(self._hass, entity_id, (at, at + length))
        if entries is None:
            return None
        state = self._hass.states.get(entity_id)
        name = str(state.attributes.get(ATTR_FRIENDLY_NAME) or entity_id) if state else entity_id
        events = (_event(entry, name) for entry in entries)
        return [event for event in events if event is not None]

    # ------------------------------------------------------------- attributes

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
        if (only := _only(device, more, attribute)) is not None:
            return only.key
        if extension is not None and not extension.is_current(device):
            return None
        others = [each for each in more if each.value is not None]
        own = [*dict.fromkeys(each.name for each in others)]
        error = await self._async_missing(person, device, parts, own, attribute)
        if extension is not None and others:
            listed = ", ".join(each.spellings[2] for each in others)
            error = f"{error} In {extension.title}: {listed}."
        raise HomeError(error)

    def main_of(self, device: Device) -> Component:
        """Return a device's main entity, such as the lock, not its battery. Raises HomeError."""
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
        if attribute == PERCENT and state.domain == "light":
            return "brightness" in state.attributes
        return attribute in state.attributes

    async def _async_may_have(self, entity_id: str, attribute: str) -> bool:
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


def _entry(device: Device, part: Component | None) -> TypedValue:
    part = part if len(device.components) > 1 else None
    parts = (part,) if part else device.components
    title = f"{device.name} {part.name}" if part and part.name != device.name else device.name
    return {
        "id": part.id if part else device.id,
        "name": title,
        "area": device.area or "",
        "capabilities": list(dict.fromkeys(name for part in parts for name in part.capabilities)),
    }


def _event(entry: Mapping[str, Any], calendar: str) -> dict[str, Any] | None:
    start, end = moment_of(entry.get("start")), moment_of(entry.get("end"))
    if start is None or end is None:
        return None
    return {
        "summary": str(plain(str(entry.get("summary") or ""))),
        "start": start,
        "end": end,
        "all_day": "T" not in str(entry.get("start")),
        "calendar": calendar,
    }


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


def _only(
    device: Device, attributes: Sequence[MoreAttribute], attribute: str
) -> MoreAttribute | None:
    """Return the attribute with this spelling; None if there is none.

    The main component has priority. Raises HomeError if several are possible.
    """
    wanted = id_key(attribute)
    matches = [each for each in attributes if wanted in map(id_key, each.spellings)]
    if len(matches) > 1:
        matches = [each for each in matches if each.component == MAIN] or matches
    if len(matches) > 1:
        names = ", ".join(repr(each.spellings[0]) for each in matches)
        raise HomeError(
            f"Several values of {device.id} are called {attribute}. Give one of these as "
            f"attribute: {names}."
        )
    return matches[0] if matches else None
