"""Find the entities whose state is computed from other entities, such as template sensors.

Templates are rendered, as Home Assistant does to find out what they listen to.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, Self

from homeassistant.core import HomeAssistant, split_entity_id, valid_entity_id
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import DATA_ENTITY_PLATFORM
from homeassistant.helpers.event import TrackTemplateResultInfo
from homeassistant.helpers.template import Template
from homeassistant.loader import IntegrationNotLoaded, async_get_loaded_integration

_DEEPEST: Final = 3
"""Nesting of an integration's own objects that are searched for entity ids."""


@dataclass(frozen=True, slots=True)
class Listening:
    """The changes that something listens to."""

    entities: AbstractSet[str] = frozenset()
    domains: AbstractSet[str] = frozenset()
    is_of_any: bool = False
    """Whether it listens to all entities."""

    @classmethod
    def of_template(
        cls, template: Template, variables: Mapping[str, Any], *, strict: bool = False
    ) -> Self:
        """Return what a template listens to; a template that fails listens to all entities.

        With `strict`, a template with an unknown variable fails.
        """
        if strict:
            template = Template(template.template, template.hass)
        info = template.async_render_to_info(dict(variables), strict=strict)
        is_of_any = info.all_states or info.exception is not None
        return cls(info.entities, info.domains | info.domains_lifecycle, is_of_any)

    def names(self, entity_id: str) -> bool:
        """Return whether it listens to this entity in particular, or to its domain."""
        return entity_id in self.entities or split_entity_id(entity_id)[0] in self.domains


def followers(hass: HomeAssistant) -> list[tuple[str, Listening]]:
    """Return the ids of all entities that are computed from others, with what they listen to.

    These are the entities of helper integrations and of other integrations that only calculate.
    """
    found: list[tuple[str, Listening]] = []
    for name, platforms in hass.data.get(DATA_ENTITY_PLATFORM, {}).items():
        if not _calculates(hass, name):
            continue
        for platform in platforms:
            found += [
                (entity_id, listening)
                for entity_id, entity in platform.entities.items()
                for listening in _listening_of(entity, name)
            ]
    return found


def _calculates(hass: HomeAssistant, name: str) -> bool:
    try:
        integration = async_get_loaded_integration(hass, name)
    except IntegrationNotLoaded:
        return False
    return integration.integration_type == "helper" or integration.iot_class == "calculated"


def _listening_of(entity: Entity, integration: str) -> Iterator[Listening]:
    attributes = vars(entity)
    for value in attributes.values():
        if isinstance(value, TrackTemplateResultInfo):
            listeners = value.listeners
            yield Listening(listeners["entities"], listeners["domains"], listeners["all"])  # type: ignore[arg-type]
    if integration == "template":
        # Its configuration contains its actions, too.
        return
    parts = list(_parts(attributes, type(entity).__module__.rpartition(".")[0]))
    ids = {each for each in parts if isinstance(each, str)} - {entity.entity_id}
    if ids:
        yield Listening(ids)
    for part in parts:
        if isinstance(part, Template) and not part.is_static:
            yield Listening.of_template(part, {})


def _parts(value: Any, package: str, depth: int = 0) -> Iterator[str | Template]:
    """Yield the entity ids and templates in a value, and in objects of the integration itself."""
    match value:
        case str():
            if "." in value and valid_entity_id(value):
                yield value
        case Template():
            yield value
        case Mapping():
            for name, item in value.items():
                yield from _parts(name, package, depth)
                yield from _parts(item, package, depth)
        case list() | tuple() | set() | frozenset():
            for item in value:
                yield from _parts(item, package, depth)
        case _ if depth < _DEEPEST and type(value).__module__.startswith(package):
            yield from _parts(getattr(value, "__dict__", {}), package, depth + 1)
            slots = getattr(type(value), "__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                yield from _parts(getattr(value, name, None), package, depth + 1)
