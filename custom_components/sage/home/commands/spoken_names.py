"""Unique names of devices for questions and answers.

If several devices have the same name, device and area are added, e.g. "Lamp (Shelf, Kitchen)". If
the name is still not unique, the id is added.
"""

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ...text.speech import is_hidden

_LONGEST: Final = 60
"""Maximum length of a name in a question, in characters."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_TAG: Final = re.compile(r"<[^<>]*>|://")
_MARKUP: Final = frozenset("<>*_`~|[]{}\\#")


@lru_cache(maxsize=8192)
def cleaned(text: str) -> str:
    """Return a text on one line, without markup and invisible characters, cut to 60 characters."""
    if not (len(text) <= _LONGEST and _PLAIN.fullmatch(text)):
        shown = _TAG.sub(" ", html.unescape(unicodedata.normalize("NFC", text)))
        text = " ".join("".join(map(_seen, shown)).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"


def _seen(sign: str) -> str:
    if sign in _MARKUP or sign.isspace() or unicodedata.category(sign) == "Cc":
        return " "
    return "" if is_hidden(sign) else sign


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thing:
    """An entity or device with a name."""

    id: str
    """Entity id or device id."""

    domain: str
    name: str
    device_id: str | None
    places: tuple[str, ...] = ()
    """Names of device and area, unless the name already contains them."""

    def is_apart_from(self, other: _Thing) -> bool:
        """Return whether two things of the same name need an addition to tell them apart.

        False for two entities of one device in different domains, such as a lock and its contact
        sensor: their common name cannot mean the wrong device.
        """
        if self.id == other.id:
            return False
        is_of_one = self.device_id is not None and self.device_id == other.device_id
        return not is_of_one or self.domain == other.domain


class ConfirmationNames:
    """Finds unique names of entities and devices for questions."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Index all entities by name."""
        self._hass = hass
        self._entities = er.async_get(hass)
        self._ids_by_name: dict[str, list[str]] = {}
        for state in hass.states.async_all():
            self._ids_by_name.setdefault(_key(state.name), []).append(state.entity_id)

    def of_entity(
        self, entity_id: str, registry_id: str | None, otherwise: str, alias: str = ""
    ) -> str:
        """Return the unique name of an entity, or `otherwise` if the entity no longer exists.

        With `registry_id`, an entity is found even if its entity id has changed. An `alias` stands
        before the name.
        """
        entry = self._entities.entities.get_entry(registry_id) if registry_id else None
        if entry is not None:
            entity_id = entry.entity_id
        elif registry_id is not None or self._hass.states.get(entity_id) is None:
            return cleaned(otherwise) or entity_id
        return self._unique_name(self._entity(entity_id), alias=alias)

    def of_device(self, device: dr.DeviceEntry, part: str, otherwise: str, alias: str = "") -> str:
        """Return a unique name for the component `part` of a SmartThings device.

        `otherwise` is the name of the device if its registry entry has none. An `alias` stands
        before the name.
        """
        whole = device.name_by_user or device.name or otherwise
        name = part if whole.casefold() in part.casefold() else f"{whole} {part}".strip()
        thing = self._device(device, name)
        same = (
            self._device(each, each.name_by_user or each.name or "")
            for each in dr.async_get(self._hass).devices
            if each.id != device.id and _key(each.name_by_user or each.name or "") == _key(whole)
        )
        return self._unique_name(thing, same, alias)

    def _unique_name(self, thing: _Thing, more: Iterable[_Thing] = (), alias: str = "") -> str:
        entities = (self._entity(each) for each in self._ids_by_name.get(_key(thing.name), ()))
        others = [each for each in (*entities, *more) if thing.is_apart_from(each)]
        details = list(thing.places) if others else []
        if others and (not details or any(each.places == thing.places for each in others)):
            details.append(thing.id)
        first, *details = filter(None, (cleaned(alias), cleaned(thing.name) or thing.id, *details))
        return f"{first} ({', '.join(details)})" if details else first

    def _entity(self, entity_id: str) -> _Thing:
        domain, object_id = split_entity_id(entity_id)
        entry = self._entities.async_get(entity_id)
        state = self._hass.states.get(entity_id)
        name = er.async_get_full_entity_name(self._hass, entry) if entry is not None else ""
        name = name or (state.name if state is not None else object_id)
        device = dr.async_get(self._hass).async_get(entry.device_id or "") if entry else None
        area_id = er.async_get_effective_area_id(self._hass, entry) if entry else None
        return _Thing(
            id=entity_id,
            domain=domain,
            name=name,
            device_id=device.id if device else None,
            places=self._places(name, device, area_id),
        )

    def _device(self, device: dr.DeviceEntry, name: str) -> _Thing:
        area_id = dr.async_get_effective_area_id(self._hass, device)
        places = self._places(name, device, area_id)
        return _Thing(id=device.id, domain="", name=name, device_id=device.id, places=places)

    def _places(
        self, name: str, device: dr.AnyDeviceEntry | None, area_id: str | None
    ) -> tuple[str, ...]:
        area = ar.async_get(self._hass).async_get_area(area_id) if area_id else None
        found = (
            (device.name_by_user or device.name) if device is not None else None,
            area.name if area is not None else None,
        )
        shown = (cleaned(each) for each in found if each)
        return tuple(each for each in shown if each and _key(each) not in _key(name))


def _key(name: str) -> str:
    return cleaned(name).casefold()
