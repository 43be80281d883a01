"""Read the current values of entities, and the forecasts of weather entities."""

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from homeassistant.components.weather.const import SERVICE_GET_FORECASTS, WeatherEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError

from ...helpers import Breaks
from ...people import Person
from ..home_types import Component, Device, Documentation, Fact, HomeError, Reading
from ..prompt_text import is_free_text
from ..safety.gate import Gate
from ..values import STATE, current, item_attributes, plain, point_in_time, values_of_state
from .documentation import Documenter
from .list_entries import async_response, async_shown_entries

_TIMEOUT: Final = 15.0


@dataclass(frozen=True, slots=True)
class ForecastKind:
    """A kind of forecast, such as hourly, and the period that one entry covers."""

    name: str
    length: timedelta


_KINDS: Final = (
    (WeatherEntityFeature.FORECAST_HOURLY, ForecastKind("hourly", timedelta(hours=1))),
    (WeatherEntityFeature.FORECAST_TWICE_DAILY, ForecastKind("twice_daily", timedelta(hours=12))),
    (WeatherEntityFeature.FORECAST_DAILY, ForecastKind("daily", timedelta(hours=24))),
)

type ForecastEntry = Mapping[str, Any]
"""`at` (start, a local datetime) and the values under their Home Assistant names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeWeather:
    """The current weather and the forecasts of a weather entity."""

    reading: Reading
    forecasts: Mapping[ForecastKind, Sequence[ForecastEntry]]
    """The entries of each kind of forecast; a kind that cannot be read now is missing."""


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
        documents = [await self._documenter.async_document(device, c.id) for c in components]
        readings = [await self._async_one(each, wanted) for each in documents]
        found = tuple(each for each in readings if each is not None)
        if wanted and not found:
            names = dict.fromkeys(fact.name for each in documents for fact in each.attributes)
            raise HomeError(
                f"{device.id} has no attribute {', '.join(wanted)}. It has: {', '.join(names)}."
            )
        return found

    async def async_survey(self, person: Person, devices: Iterable[Device]) -> tuple[Reading, ...]:
        """Return values by component that the person may see, without entries of lists."""
        readings: list[Reading] = []
        breaks = Breaks()
        await self._documenter.async_refresh()
        for device in devices:
            visible = self._gate.visible(person)
            for component in device.components:
                if component.id in visible:
                    document = await self._documenter.async_document(device, component.id)
                    if reading := await self._async_one(document, None, is_survey=True):
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
        self, document: Documentation, wanted: Sequence[str] | None, *, is_survey: bool = False
    ) -> Reading | None:
        """Return the reading, or None without wanted attributes; `is_survey`: without entries."""
        chosen: Sequence[Fact]
        if wanted is None:
            chosen = [
                each
                for each in document.attributes
                if each.name == STATE or each.value not in (None, "", [])
            ]
        else:
            chosen = self._chosen(document, wanted)
            if not chosen and wanted:
                return None
        if document.available and not is_survey:
            chosen = await self._async_with_entries(document, chosen, everything=wanted is None)
        return document.reading(chosen, available=document.available)

    async def _async_with_entries(
        self, document: Documentation, chosen: Sequence[Fact], *, everything: bool
    ) -> Sequence[Fact]:
        """Return `chosen` with the current entries, if the component is a to-do list or calendar.

        Entries are the values of attributes, such as the open or the completed items. They are read
        only for the attributes in `chosen`. With `everything`, all such attributes are read and
        returned, except empty ones; the main attribute is returned even if it is empty.
        """
        domain = document.capability
        names = item_attributes(domain)
        asked = [each.name for each in chosen if each.name in names]
        if not names or not (everything or asked):
            return chosen
        entries = await async_shown_entries(self._hass, document.component_id)
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

    def _chosen(self, document: Documentation, wanted: Sequence[str]) -> list[Fact]:
        state = self._hass.states.get(document.component_id)
        hidden = values_of_state(current(state), everything=True) if state else {}
        options = frozenset(value for each in document.attributes for value in each.values)
        chosen: list[Fact] = []
        for text in wanted:
            name = text.strip().casefold().replace(" ", "_")
            if (documented := document.fact(name)) is not None:
                chosen.append(documented)
            elif name in hidden:
                is_free = is_free_text(document.capability, name, hidden[name], options)
                chosen.append(Fact(name=name, value=hidden[name], is_free_text=is_free))
        return chosen


def forecast_kinds(state: State) -> tuple[ForecastKind, ...]:
    """Return the kinds of forecasts that a weather entity has, shortest period first."""
    features = int(state.attributes.get(ATTR_SUPPORTED_FEATURES) or 0)
    return tuple(kind for feature, kind in _KINDS if features & feature)


async def async_home_weather(
    hass: HomeAssistant, readings: Iterable[Reading]
) -> HomeWeather | None:
    """Return the weather of the first available weather entity in `readings`, or None."""
    reading = next((each for each in readings if each.available), None)
    state = None if reading is None else hass.states.get(reading.component_id)
    if reading is None or state is None:
        return None
    forecasts: dict[ForecastKind, Sequence[ForecastEntry]] = {}
    for kind in forecast_kinds(state):
        with contextlib.suppress(HomeAssistantError, TimeoutError):
            forecasts[kind] = await async_forecast(hass, state.entity_id, kind)
    return HomeWeather(reading=reading, forecasts=forecasts)


async def async_forecast(
    hass: HomeAssistant, entity_id: str, kind: ForecastKind
) -> list[ForecastEntry]:
    """Return the entries of one kind of forecast, earliest first.

    The caller must check that the person may read the entity. Raises HomeAssistantError or
    TimeoutError.
    """
    given = {"type": kind.name}
    data = await async_response(hass, entity_id, SERVICE_GET_FORECASTS, given, _TIMEOUT)
    found = (_entry(each) for each in data.get("forecast") or ())
    return sorted((each for each in found if each is not None), key=lambda entry: entry["at"])


def _entry(data: Mapping[str, Any]) -> ForecastEntry | None:
    at = point_in_time(data.get("datetime"))
    if at is None:
        return None
    rest = {
        str(name): plain(value)
        for name, value in data.items()
        if name != "datetime" and value is not None
    }
    return {"at": at, **rest}
