"""Generate the documentation of entities from Home Assistant's actions and states."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from operator import is_
from typing import Any, Final

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.util import dt as dt_util

from ...helpers import async_in_slices
from ..home_types import Attribute, CommandDescription, Device, Documentation, HomeError
from ..prompt_text import is_free_text
from ..safety.risk_levels import integration_of
from ..values import STATE, current, is_possibility, type_of, values_of_state
from ..vocabulary import Texts
from .actions import Action, ActionTable, Subject, applicable, script_documentation, tabulate
from .narrowing import attributes_of, command_of, variable_of, without_toggles

_MAX_CACHED: Final = 2000  # maximum cached templates and cached documents; a home needs fewer
_LONGEST_TEXT: Final = 160
_LONGEST_SCRIPT: Final = 400  # maximum length of the description of a script, in characters


class Documenter:
    """Generates the documentation of entities: their attributes, current values and commands."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._texts = Texts(hass)
        self._descriptions: Mapping[str, Mapping[str, Any]] | None = None
        self._table: ActionTable = {}
        self._templates: dict[Hashable, Documentation] = {}
        """Documentation without values and names, shared by entities of the same kind."""

        self._filled: dict[str, tuple[tuple[object, ...], Documentation, Documentation]] = {}
        """Entity id -> what its documentation was made from, its template and the documentation.

        It was made from the state, registry entry, units and time zone, compared by identity.
        """

    async def async_warm(self) -> None:
        """Load action descriptions and translations, to make the first command faster."""
        await self.async_refresh()
        registry = er.async_get(self._hass)
        integrations = {split_entity_id(each)[0] for each in self._hass.states.async_entity_ids()}
        integrations |= {entry.platform for entry in registry.entities.values()}
        await self._texts.async_load(integrations & self._hass.config.top_level_components)

    async def async_document(self, device: Device, component_id: str) -> Documentation:
        """Return the documentation of the entity `component_id`, with current values.

        Call `async_refresh` first, and check the person's permission. Raises HomeError if the
        entity was deleted.
        """
        parts = (each.id for each in device.components)
        others = (split_entity_id(each)[0] for each in parts if each != component_id)
        return replace(
            await self._async_filled(component_id),
            device_id=device.id,
            device_name=device.name,
            area=device.area,
            is_alone=self._table.keys().isdisjoint(others),
            caption=device.caption,
        )

    async def _async_filled(self, entity_id: str) -> Documentation:
        """Return the documentation of an entity, from the cache if nothing has changed."""
        state = self._hass.states.get(entity_id)
        # A value that runs on makes a new state object, which is not in the cache.
        state = None if state is None else current(state)
        made_from = (
            state,
            er.async_get(self._hass).async_get(entity_id),
            self._hass.config.units,
            dt_util.get_default_time_zone(),
        )
        cached = self._filled.get(entity_id)
        if cached and all(map(is_, cached[0], made_from, strict=True)):
            return cached[2]
        subject, template = await self._async_template(entity_id)
        available = state is not None and state.state != STATE_UNAVAILABLE
        values = values_of_state(state, everything=True) if state and available else {}
        before = cached[2] if cached and cached[1] is template else template
        document = replace(
            template,
            component_id=entity_id,
            available=available,
            attributes=tuple(
                self._attribute(each, old, subject, values)
                for each, old in zip(template.attributes, before.attributes, strict=True)
            ),
        )
        if len(self._filled) >= _MAX_CACHED:
            self._filled.clear()
        self._filled[entity_id] = made_from, template, document
        return document

    async def async_refresh(self) -> None:
        """Reload the descriptions of actions if they have changed."""
        descriptions = await async_get_all_descriptions(self._hass)
        if descriptions is not self._descriptions:
            table = await async_in_slices(tabulate(descriptions))
            self._descriptions, self._table = descriptions, table
            self._templates.clear()
            self._filled.clear()

    async def _async_template(self, entity_id: str) -> tuple[Subject, Documentation]:
        subject = _subject_of(self._hass, entity_id)
        wanted = {subject.domain, subject.integration} & self._hass.config.top_level_components
        await self._texts.async_load(wanted)
        key = (
            subject.domain,
            subject.integration,
            subject.device_class,
            subject.features,
            subject.translation_key,
            subject.unit,
            subject.temperature_unit,
            entity_id if subject.domain == "script" else None,
            tuple(
                (name, str(value) if is_possibility(subject.domain, name) else None)
                for name, value in subject.attributes.items()
            ),
        )
        if (template := self._templates.get(key)) is None:
            if len(self._templates) >= _MAX_CACHED:
                self._templates.clear()
            template = self._templates[key] = self._make(subject)
        return subject, template

    def _make(self, subject: Subject) -> Documentation:
        commands = [
            self._worded(command, action)
            for action in applicable(self._table, subject)
            if (command := command_of(action, subject)) is not None
        ]
        if subject.domain == "script":
            commands = [self._with_fields(command, subject) for command in commands]
        described = without_toggles(commands)
        kind = self._texts.of("entity_component", subject.domain, f"{subject.device_class}.name")
        attributes = tuple(attributes_of(subject, described, self._texts))
        return Documentation(
            device_id="",
            device_name="",
            component_id="",
            capability=subject.domain,
            summary=kind,
            attributes=attributes,
            commands=_choices_first(described, attributes),
        )

    def _worded(self, command: CommandDescription, action: Action) -> CommandDescription:
        text = partial(self._texts.of, "services", action.domain, action.name)
        return replace(
            command,
            description=_sentence(text("description") or command.description),
            arguments=tuple(
                each
                if each.description
                else replace(each, description=_sentence(text("fields", each.name, "description")))
                for each in command.arguments
            ),
        )

    def _with_fields(self, command: CommandDescription, subject: Subject) -> CommandDescription:
        """Return the command that runs a script with the script's own description and fields."""
        if command.name != "turn_on":
            return command
        text, fields = script_documentation(self._descriptions or {}, subject.own_action)
        return replace(
            command,
            description=" ".join(text.split())[:_LONGEST_SCRIPT] or command.description,
            arguments=tuple(variable_of(each, subject) for each in fields),
        )

    def _attribute(
        self,
        attribute: Attribute,
        before: Attribute,
        subject: Subject,
        values: Mapping[str, object],
    ) -> Attribute:
        """Return the attribute with its current value; reuse `before` if the value is unchanged."""
        value = values.get(attribute.name)
        is_simple = not isinstance(value, list | dict) and type(value) is type(before.value)
        if before is not attribute and is_simple and value == before.value:
            return before
        meaning: str | None = None
        if isinstance(value, str) and value not in {STATE_UNAVAILABLE, STATE_UNKNOWN}:
            name = "" if attribute.name == STATE else attribute.name
            meaning = self._texts.of_value(subject, name, value) or None
        return replace(
            attribute,
            value=value,
            meaning=meaning,
            type=attribute.type or type_of(value),
            is_free_text=attribute.is_free_text
            or (
                not meaning
                and is_free_text(subject.domain, attribute.name, value, attribute.values)
            ),
        )


def _choices_first(
    commands: Iterable[CommandDescription], attributes: Iterable[Attribute]
) -> tuple[CommandDescription, ...]:
    """Return the commands, with commands that select the state, such as `select_option`, first."""
    states = next((each.values for each in attributes if each.name == STATE), ())

    def chooses(command: CommandDescription) -> bool:
        return any(each.required and each.values == states for each in command.arguments)

    return tuple(sorted(commands, key=lambda each: not (states and chooses(each))))


def _sentence(text: str) -> str:
    first = text.split(". ", 1)[0].split("\n", 1)[0].strip()
    return first if len(first) <= _LONGEST_TEXT else f"{first[:_LONGEST_TEXT].rstrip()}…"


def _subject_of(hass: HomeAssistant, entity_id: str) -> Subject:
    """Return the properties of an entity, from its state and its registry entry.

    The registry entry contains the capabilities of an unavailable entity. Raises HomeError if the
    entity has neither a state nor a registry entry.
    """
    state = hass.states.get(entity_id)
    entry = er.async_get(hass).async_get(entity_id)
    if state is None and entry is None:
        raise HomeError(f"{entity_id} no longer exists. List the devices again.")
    domain, object_id = split_entity_id(entity_id)
    attributes: Mapping[str, Any] = state.attributes if state else {}
    if entry is not None:
        registered: dict[str, Any] = {
            **(entry.capabilities or {}),
            "device_class": entry.device_class or entry.original_device_class,
            "supported_features": entry.supported_features,
            "unit_of_measurement": entry.unit_of_measurement,
        }
        registered = {name: value for name, value in registered.items() if value is not None}
        attributes = {**registered, **attributes}
    return Subject(
        entity_id=entity_id,
        domain=domain,
        integration=integration_of(hass, entity_id) or domain,
        own_action=entry.unique_id if entry else object_id,
        device_class=attributes.get("device_class"),
        features=int(attributes.get("supported_features") or 0),
        attributes=attributes,
        translation_key=entry.translation_key if entry else None,
        unit=attributes.get("unit_of_measurement"),
        temperature_unit=hass.config.units.temperature_unit,
    )
