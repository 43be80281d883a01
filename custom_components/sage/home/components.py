"""The components of a device by id, name, capability or request, and names in arguments."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from ..text import content_words, key
from .home_types import CommandDescription, Component, Device, Documentation, HomeError
from .listing import TELLING_ONLY, Listing
from .matching import component_indexes, kinds_meant, kinds_of
from .vocabulary import NO_SYNONYMS, Synonyms


def component_of(
    device: Device, component_id: str | None = None, capability: str | None = None
) -> Component:
    """Return a component of the device by its id, name, alias or capability.

    Without arguments, return the only component. Raises HomeError unless exactly one matches.
    """
    found = device.components if component_id is None else _components_named(device, component_id)
    if capability is not None and len(found) != 1:
        found = tuple(each for each in found if capability in each.capabilities)
    if len(found) == 1:
        return found[0]
    parts = ", ".join(
        (f'{each.id} "{each.name}"' if each.name else each.id)
        + f" ({', '.join(each.capabilities)})"
        for each in (*device.components, *device.more_components)
    )
    if component_id is not None and not found:
        raise HomeError(f'{device.id} has no component "{component_id}". It has: {parts}.')
    if capability is not None and not found:
        raise HomeError(f"{device.id} has no capability {capability}. It has: {parts}.")
    raise HomeError(f"{device.id} has several components; name one of: {parts}.")


def _components_named(device: Device, text: str) -> tuple[Component, ...]:
    wanted = key(text)
    for matches in (
        lambda each: each.id == text,
        lambda each: wanted in {key(each.id), key(each.name), *map(key, each.aliases)},
        lambda each: wanted == key(f"{device.name} {each.name}"),
        lambda each: text in each.capabilities or text == each.kind,
    ):
        if found := tuple(each for each in device.components if matches(each)):
            return found
    return device.components if wanted in {key(device.id), key(device.name), "main"} else ()


def main_component(device: Device) -> Component | None:
    """Return the main entity of a device; None if there is none.

    The main entity is the only entity, else the only one with the name of the device, else the only
    one outside the domains in `TELLING_ONLY`.
    """
    for group in (
        device.components,
        [part for part in device.components if part.name == device.name],
        [part for part in device.components if TELLING_ONLY.isdisjoint(part.capabilities)],
    ):
        if len(group) == 1:
            return group[0]
    return None


def with_entity_ids(
    hass: HomeAssistant,
    listing: Listing,
    command: CommandDescription,
    domain: str,
    arguments: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the arguments with names of entities, devices and areas replaced by ids.

    A device name becomes the id of its only entity, or of its only entity in `domain`. Unknown and
    ambiguous names stay unchanged.
    """
    references = {each.name for each in command.arguments if each.is_reference}
    return {
        name: _resolved(hass, listing, domain, name, value) if name in references else value
        for name, value in arguments.items()
    }


def _resolved(hass: HomeAssistant, listing: Listing, domain: str, name: str, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_resolved(hass, listing, domain, name, each) for each in value]
    if not isinstance(value, str):
        return value
    if "area" in name:
        area = ar.async_get(hass).async_get_area_by_name(value)
        return area.id if area is not None else value
    try:
        found = listing.find(value)
    except HomeError:
        return value
    components = found.device.components if found.component is None else (found.component,)
    fitting = [each for each in components if domain in each.capabilities] or components
    return fitting[0].id if len(fitting) == 1 else value


def asked_components(
    listing: Listing, device: Device, question: str, synonyms: Synonyms = NO_SYNONYMS
) -> tuple[Component, ...]:
    """Return the components of a device that a question is about, or all if it names none.

    Each word means, of the components whose name or kind it matches, those that match the whole
    question best: "the freezer temperature" is neither the freezer's door nor the temperature of
    the fridge. The component with the name of the device always belongs to them, and if a word
    matches nothing, those whose state is one of a list.
    """
    parts = device.components
    names, kinds = component_indexes(parts)
    hits: list[set[int]] = []
    for word in content_words(question):
        wanted = kinds_meant(listing, word, synonyms)
        hits.append({number for number, part in enumerate(parts) if wanted & kinds_of(part)})
        hits[-1] |= names.hits(word).keys() | kinds.hits(word).keys()
    scores = Counter(number for found in hits for number in found)
    asked = {
        number
        for found in hits
        for number in found
        if scores[number] == max(scores[each] for each in found)
    }
    if not asked:
        return parts
    if not all(hits):
        # The name of a state, such as that of a washing cycle, is often another word.
        asked |= {number for number, part in enumerate(parts) if part.kind == "enum"}
    return tuple(
        part for number, part in enumerate(parts) if number in asked or part.name == device.name
    )


def needed(
    documents: Sequence[Documentation], asked: Sequence[Component], is_question: bool
) -> tuple[Documentation, ...]:
    """Return what a question or a command about these components of a device needs."""
    ids = {each.id for each in asked}
    if not is_question:
        return tuple(each for each in documents if each.commands or each.component_id in ids)
    return tuple(
        replace(each, commands=())
        for each in documents
        if each.attributes and each.component_id in ids
    )


def only_values(document: Documentation) -> Documentation:
    """Return a documentation without the possible values."""
    plain = (replace(fact, values=()) for fact in document.attributes)
    return replace(document, attributes=tuple(plain))
