"""Find the automations that a change of an entity triggers.

This includes triggers for an entity that is computed from it, such as a group or a template sensor,
trigger-based templates with actions, and scripts that run and wait for the change.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Self

from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.exceptions import TemplateError
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.entity_platform import async_get_platforms
from homeassistant.helpers.template import Template
from homeassistant.util.hass_dict import HassKey

from .trigger_sources import (
    ANY,
    EVENT,
    Listening,
    domains_of_trigger,
    followers,
    keys_of_entity,
    keys_of_trigger,
    states_of_trigger,
)

_STATES: Final[Mapping[str, str]] = {"turn_on": "on", "turn_off": "off"}


@dataclass(frozen=True, slots=True)
class Cause:
    """A change of an entity, which may trigger automations."""

    entity_id: str
    state: str | None
    """The new state; None if unknown."""

    is_of_any_change: bool = False
    """Whether any change of the home causes this one."""

    @classmethod
    def of(cls, entity_id: str, service: str) -> Self:
        """Return the change that a service call causes: `turn_on` -> state `on`.

        The state is None for services other than `turn_on` and `turn_off`.
        """
        return cls(entity_id, _STATES.get(service))

    @classmethod
    def of_event(cls, event_type: str) -> Self:
        """Return the cause that an event is which a sequence fires."""
        return cls(f"{EVENT}{event_type}", None)


@dataclass(frozen=True, slots=True)
class Automation:
    """An enabled automation and its actions."""

    entity_id: str
    sequence: Any
    is_of_any_change: bool = False
    """Whether the change triggers it only as any change of the home does."""


@dataclass(frozen=True, slots=True)
class _Trigger:
    """A trigger of an automation, of a trigger-based template, or of a script that waits."""

    owner: Any
    """The entity of the automation or script, or the coordinator of the template."""

    states: frozenset[str] | None
    """The states that fire the trigger; None means any state."""

    domains: frozenset[str] | None = None
    """The domains of the entities that fire the trigger; None means any domain."""

    templates: tuple[tuple[Template, str | None], ...] = ()
    """Templates that it listens to, with the entity id of their variable `state`, if any."""

    is_waiting: bool = False
    """Whether it belongs to a step of a running sequence."""

    def waits_for(self, cause: Cause) -> bool:
        if self.domains is not None and split_entity_id(cause.entity_id)[0] not in self.domains:
            return False
        return self.states is None or cause.state is None or cause.state in self.states


@dataclass(frozen=True, slots=True)
class _Index:
    """Triggers by the keys of `trigger_sources`."""

    configs: tuple[object, ...]
    """The trigger configurations of all owners at build time, compared by identity."""

    triggers: Mapping[str, tuple[_Trigger, ...]]
    rendered: tuple[_Trigger, ...]
    """The triggers with templates."""

    def is_of(self, configs: tuple[object, ...]) -> bool:
        return len(configs) == len(self.configs) and all(
            one is other for one, other in zip(configs, self.configs, strict=True)
        )


_INDEX: Final[HassKey[_Index]] = HassKey("sage_risk_triggers")


class TriggerSearch:
    """Finds the automations that changes of entities trigger, at one moment."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._automations = _entities(hass, "automation")
        self._coordinators = _coordinators(hass)

    def triggered_by(self, cause: Cause) -> list[Automation]:
        """Return the enabled automations that this change may trigger, without duplicates.

        They include trigger-based templates with actions, and scripts that wait for the change.
        """
        index = self._index
        if not index.triggers and not index.rendered and not self._waits:
            return []
        found: dict[str, Automation] = {}
        causes, seen = [cause], {cause.entity_id}
        for change in causes:
            for trigger, is_of_any in self._fired_by(change):
                new = self._automation(trigger, is_of_any)
                known = found.get(new.entity_id) if new else None
                if new and (known is None or known.is_of_any_change):
                    found[new.entity_id] = new
                causes += self._unseen(seen, self._fed_by(trigger.owner), is_of_any)
            causes += self._followers_of(change, seen)
        return list(found.values())

    # -------------------------------------------------- triggers

    def _fired_by(self, cause: Cause) -> Iterator[tuple[_Trigger, bool]]:
        """Yield the triggers that a change fires, and whether any change fires them."""
        for index in (self._index, self._waits):
            if index is None:
                continue
            for key in keys_of_entity(self._hass, cause.entity_id):
                for trigger in index.triggers.get(key, ()):
                    if self._is_active(trigger) and trigger.waits_for(cause):
                        yield trigger, key == ANY or cause.is_of_any_change
        for trigger, listening in self._listening:
            if listening.names(cause.entity_id):
                yield trigger, cause.is_of_any_change
            elif listening.is_of_any:
                yield trigger, True

    def _is_active(self, trigger: _Trigger) -> bool:
        entity_id = getattr(trigger.owner, "entity_id", None)
        if entity_id is None or trigger.is_waiting:
            return True
        return self._hass.states.is_state(entity_id, "on")

    def _automation(self, trigger: _Trigger, is_of_any: bool) -> Automation | None:
        owner = trigger.owner
        if owner not in self._coordinators:
            return Automation(owner.entity_id, _sequence_of(owner), is_of_any)
        if not (sequence := _configured(owner).get("actions")):
            return None
        return Automation(next(iter(self._fed_by(owner)), "template.it"), sequence, is_of_any)

    @cached_property
    def _index(self) -> _Index:
        """The triggers of automations and trigger-based templates."""
        owners = [*self._automations, *self._coordinators]
        configs = (
            *[getattr(owner, "_trigger_config", None) for owner in self._automations],
            *[_configured(owner).get("triggers") for owner in self._coordinators],
        )
        index = self._hass.data.get(_INDEX)
        if index is None or not index.is_of(configs):
            made = (self._made(*each) for each in zip(owners, configs, strict=True))
            index = _indexed(configs, (each for part in made for each in part))
            self._hass.data[_INDEX] = index
        return index

    @cached_property
    def _waits(self) -> _Index | None:
        """The triggers and templates that running sequences wait for."""
        made: list[tuple[set[str], _Trigger]] = []
        scripts = [
            *[(owner, getattr(owner, "action_script", None)) for owner in self._automations],
            *[(each, getattr(each, "script", None)) for each in _entities(self._hass, "script")],
        ]
        for owner, script in scripts:
            if not getattr(script, "is_running", False):
                continue
            for wait in _waits_in(getattr(script, "sequence", ())):
                if isinstance(wait, Template):
                    made.append((set(), _Trigger(owner, None, None, ((wait, None),), True)))
                else:
                    waits = self._made(owner, wait)
                    made += [(keys, replace(each, is_waiting=True)) for keys, each in waits]
        return _indexed((), made) if made else None

    def _made(self, owner: object, configs: object) -> Iterator[tuple[set[str], _Trigger]]:
        variables = self._variables(owner)
        for config in configs if isinstance(configs, list | tuple) else ():
            if not isinstance(config, Mapping) or config.get("enabled", True) is False:
                continue
            domains = domains_of_trigger(self._hass, config)
            trigger = _Trigger(
                owner, states_of_trigger(config), domains, tuple(_templates_of(config))
            )
            yield keys_of_trigger(config, variables), trigger

    # -------------------------------------------------- templates

    @cached_property
    def _listening(self) -> list[tuple[_Trigger, Listening]]:
        """What the templates of active triggers listen to now."""
        waits = self._waits.rendered if self._waits else ()
        return [
            (trigger, self._rendered(trigger, template, of))
            for trigger in (*self._index.rendered, *waits)
            if self._is_active(trigger)
            for template, of in trigger.templates
        ]

    def _rendered(self, trigger: _Trigger, template: Template, of: str | None) -> Listening:
        variables = self._variables(trigger.owner)
        if of is None:
            return Listening.of_template(template, variables, strict=trigger.is_waiting)
        variables["state"] = self._hass.states.get(of) or State(of, "unknown")
        # The trigger itself listens only to this entity.
        return replace(Listening.of_template(template, variables), is_of_any=False)

    def _variables(self, owner: object) -> dict[str, Any]:
        """Return the variables of an owner's triggers, as Home Assistant makes them."""
        entity_id = getattr(owner, "entity_id", None)
        state = self._hass.states.get(entity_id) if entity_id else None
        variables: dict[str, Any] = {"this": state.as_dict() if state else None}
        own = getattr(owner, "_trigger_variables", None)
        if own is None:
            return variables
        try:
            return dict(own.async_render(self._hass, variables, limited=True))
        except TemplateError:
            return variables

    # -------------------------------------------------- entities that are computed

    @cached_property
    def _followers(self) -> list[tuple[str, Listening]]:
        return followers(self._hass)

    def _followers_of(self, cause: Cause, seen: set[str]) -> list[Cause]:
        """Return the changes of entities that are computed from this one."""
        causes: list[Cause] = []
        for entity_id, listening in self._followers:
            if listening.names(cause.entity_id):
                causes += self._unseen(seen, [entity_id], cause.is_of_any_change)
            elif listening.is_of_any:
                causes += self._unseen(seen, [entity_id], is_of_any=True)
        return causes

    def _fed_by(self, owner: object) -> list[str]:
        """Return the ids of the entities of a trigger-based template."""
        if owner not in self._coordinators:
            return []
        return [
            entity_id
            for platform in async_get_platforms(self._hass, "template")
            for entity_id, entity in platform.entities.items()
            if getattr(entity, "coordinator", None) is owner
        ]

    def _unseen(self, seen: set[str], entity_ids: Iterable[str], is_of_any: bool) -> list[Cause]:
        new = [each for each in entity_ids if each not in seen]
        seen.update(new)
        return [Cause(each, None, is_of_any) for each in new]


def _indexed(configs: tuple[object, ...], made: Iterable[tuple[set[str], _Trigger]]) -> _Index:
    found: dict[str, list[_Trigger]] = {}
    rendered: list[_Trigger] = []
    for keys, trigger in made:
        for key in keys:
            found.setdefault(key, []).append(trigger)
        if trigger.templates:
            rendered.append(trigger)
    triggers = {key: tuple(each) for key, each in found.items()}
    return _Index(configs, triggers, tuple(rendered))


def _templates_of(trigger: Mapping[str, Any]) -> Iterator[tuple[Template, str | None]]:
    """Yield the templates that a trigger evaluates when a state changes."""
    template = trigger.get("value_template")
    if not isinstance(template, Template) or template.is_static:
        return
    match trigger.get("platform"):
        case "template":
            yield template, None
        case "numeric_state":
            yield from ((template, entity_id) for entity_id in trigger.get("entity_id", ()))


def _waits_in(value: object) -> Iterator[Any]:
    """Yield the templates and the lists of triggers that the steps of a sequence wait for."""
    if isinstance(value, Mapping):
        if isinstance(template := value.get("wait_template"), Template):
            yield template
        if triggers := value.get("wait_for_trigger"):
            yield triggers
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _waits_in(item)


def _entities(hass: HomeAssistant, domain: str) -> list[object]:
    component = hass.data.get(domain)
    return list(component.entities) if isinstance(component, EntityComponent) else []


def _coordinators(hass: HomeAssistant) -> list[object]:
    """Return the coordinators of the trigger-based templates."""
    coordinators = hass.data.get("template")
    return list(coordinators) if isinstance(coordinators, list | tuple) else []


def _configured(coordinator: object) -> Mapping[str, Any]:
    config = getattr(coordinator, "config", None)
    return config if isinstance(config, Mapping) else {}


def _sequence_of(owner: object) -> Any:
    script = getattr(owner, "action_script", None) or getattr(owner, "script", None)
    return getattr(script, "sequence", None)
