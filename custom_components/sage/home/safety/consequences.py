"""Find all entities that an action affects, also through scripts or groups, and their risks.

Entities that are not exposed count, too. A part that cannot be analysed, such as a step with a
template, counts as risky.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.script import Script

from ...const import LOOK
from ..home_types import RiskClass
from .action_sequence import (
    EVENT,
    HARMLESS_DOMAINS,
    KNOWN_DOMAINS,
    SequenceCall,
    calls_of,
    leaves_media_folders,
    targeted_entities,
)
from .risk import (
    Effects,
    needs_verdict,
    risk_of,
    risk_of_any,
    service_for_state,
    verdict_risk,
    worst_risk,
)
from .risk_levels import ChoiceOf, Level, levels_of
from .risk_triggers import Cause, TriggerSearch

_MAX_DEPTH: Final = 12  # maximum nesting of scripts; deeper scripts count as unresolved
_SCRIPTS: Final = {"script": "script", "automation": "action_script"}
"""Domain -> attribute of its entities with the sequence of actions."""

_NOT_AFFECTED: Final = frozenset({"update", "button", "input_button", "scene"})
"""Domains of entities that a button of the same device does not use."""

_STATES: Final = {"turn_on": "on", "turn_off": "off"}
_RUNNING: Final = frozenset({"turn_on", "toggle", "trigger", "activate"})
_STATES_ONLY: Final = frozenset({"turn_on", "turn_off", "toggle", "update_entity"})


_SILENT: Final = frozenset({("scene", "create"), ("scene", "delete"), ("group", "remove")})


def effects_of(
    hass: HomeAssistant,
    entity_id: str,
    domain: str,
    service: str,
    arguments: Mapping[str, Any],
    choice_of: ChoiceOf | None = None,
) -> Effects:
    """Return all entities that a service call on one entity affects, and their risks.

    `choice_of`: function that returns the level of an entity id: `free`, `ask` or `never`. None:
    the household's choices in the options of SAGE apply.
    """
    walk = _Walk(hass, choice_of or levels_of(hass).choice)
    walk.act(entity_id, domain, service, arguments)
    return walk.effects


def effects_of_state(
    hass: HomeAssistant, entity_id: str, state: str, attributes: Mapping[str, Any]
) -> Effects:
    """Return all entities that are affected if an entity is set to a state, and their risks."""
    walk = _Walk(hass, levels_of(hass).choice)
    walk.reach(State(entity_id, state, dict(attributes), validate_entity_id=False))
    return walk.effects


@dataclass
class _Walk:
    """A recursive search for all consequences of an action; the result is in `effects`.

    The same action with the same arguments is not followed twice for an entity, so that the search
    ends even if scripts or automations start each other.
    """

    _hass: HomeAssistant
    _choice_of: ChoiceOf
    effects: Effects = field(default_factory=Effects)
    _seen: set[tuple[object, ...]] = field(default_factory=set)
    _path: list[str] = field(default_factory=list)
    """Ids of the entities that are being visited, outermost first."""

    _is_trusted: bool = False
    """Whether the household set the level `free` for an entity that causes the current action.

    `free` means that no confirmation is needed. The risk of the action is then ignored, unless the
    risk is `NEVER`.
    """

    _severe: set[str] = field(default_factory=set)
    """Unresolved steps that need confirmation whatever their target is, e.g. `lock.unlock`."""

    @cached_property
    def _search(self) -> TriggerSearch:
        return TriggerSearch(self._hass)

    def act(
        self,
        entity_id: str,
        domain: str,
        service: str,
        arguments: Mapping[str, Any],
        state: State | None = None,
    ) -> None:
        """Visit a service call on one entity; `state` is the state that a scene sets with it."""
        details = sorted(arguments.items() if state is None else state.attributes, key=str)
        if not self._enter(entity_id, f"{domain}.{service}", f"{state and state.state} {details}"):
            return
        if len(self._path) >= _MAX_DEPTH:
            self._unresolved(f"{entity_id} lies too deep")
            return
        choice = self._choice_of(entity_id)
        self._add(entity_id, risk_of(self._hass, entity_id, domain, service, arguments, choice))
        if (domain, service) == LOOK:
            return
        if arguments and leaves_media_folders(self._hass, domain, arguments):
            self._add(entity_id, RiskClass.FILE)
        if needs_verdict(self._hass, entity_id):
            self._note_unclassified(entity_id)
        with self._inside(entity_id):
            self._follow(entity_id, domain, service, arguments, state)

    def reach(self, state: State) -> None:
        domain = split_entity_id(state.entity_id)[0]
        service = service_for_state(domain, state.state, state.attributes)
        self.act(state.entity_id, domain, service, {}, state)

    # -------------------------------------------------- collecting effects

    def _enter(self, entity_id: str, action: str, given: str) -> bool:
        once = (entity_id, action, given, self._is_trusted)
        if once in self._seen:
            return False
        self._seen.add(once)
        return True

    def _add(self, entity_id: str, risk: RiskClass | None) -> None:
        counted = None if self._is_trusted and risk is not RiskClass.NEVER else risk
        self.effects.add(entity_id, counted)

    def _unresolved(self, text: str) -> None:
        if not self._is_trusted:
            self.effects.unresolved.append(text)

    def _note_unclassified(self, entity_id: str) -> None:
        is_decided = self._is_trusted or self._choice_of(entity_id) is not None
        if not is_decided and not levels_of(self._hass).verdict(entity_id):
            self.effects.unclassified.add(entity_id)

    @contextmanager
    def _inside(self, entity_id: str) -> Iterator[None]:
        """Context manager around the visit of an entity's consequences."""
        trusted = self._is_trusted
        self._is_trusted = trusted or self._choice_of(entity_id) is Level.FREE
        self._path.append(entity_id)
        try:
            yield
        finally:
            self._path.pop()
            self._is_trusted = trusted

    def _follow(
        self,
        entity_id: str,
        called: str,
        service: str,
        arguments: Mapping[str, Any],
        state: State | None,
    ) -> None:
        domain, object_id = split_entity_id(entity_id)
        component = self._hass.data.get(domain)
        entity: Entity | None = (
            component.get_entity(entity_id) if isinstance(component, EntityComponent) else None
        )
        is_run = service in _RUNNING or (domain == "script" and service == object_id)
        if domain in _SCRIPTS and is_run:
            script = getattr(entity, _SCRIPTS[domain], None)
            self._sequence(entity_id, getattr(script, "sequence", None))
        elif domain == "scene" and is_run and state is None:
            self._scene(entity_id, entity)
        elif domain == "button" and state is None:
            self._own_things(entity_id)
        else:
            for member in self._members(entity_id, entity):
                own = split_entity_id(member)[0]
                if state is not None:
                    self.reach(
                        State(member, state.state, state.attributes, validate_entity_id=False)
                    )
                elif domain != "group" or called in {own, "group", "homeassistant"}:
                    self.act(member, own, service, arguments)
                elif own == "group":
                    self.act(member, called, service, arguments)
        if entity is not None and domain not in {*_SCRIPTS, "scene"}:
            # A scene may set a state with several services.
            for sequence in _actions_of(entity, service if state is None else None, arguments):
                self._sequence(entity_id, sequence)
        self._shown_as_something_else(entity_id)
        self._triggered(Cause(entity_id, state.state if state else _STATES.get(service)))

    # -------------------------------------------------- contents of an entity

    def _scene(self, entity_id: str, entity: Entity | None) -> None:
        config = getattr(entity, "scene_config", None)
        states: Mapping[str, State] | None = getattr(config, "states", None)
        if isinstance(states, Mapping):
            for state in states.values():
                self.reach(state)
            return
        # The cloud of an integration stores the scene, so only the name of the scene is known.
        if self._choice_of(entity_id) is not Level.ASK:
            self._add(entity_id, verdict_risk(self._hass, entity_id))
        self._note_unclassified(entity_id)
        self._own_things(entity_id)

    def _own_things(self, entity_id: str) -> None:
        """Visit all entities that a button or a scene of another integration may affect.

        Those are the entities of the device of a button. If the device is a hub, without a device,
        and for a scene, those are the entities of the config entry.
        """
        registry, domain = er.async_get(self._hass), split_entity_id(entity_id)[0]
        entry = registry.async_get(entity_id)
        device = dr.async_get(self._hass).async_get(entry.device_id or "") if entry else None
        is_hub = getattr(device, "entry_type", None) is dr.DeviceEntryType.SERVICE
        others: Iterable[er.RegistryEntry] = ()
        if domain == "button" and device is not None and not is_hub:
            others = er.async_entries_for_device(registry, device.id)
        elif entry is not None and entry.config_entry_id is not None:
            others = er.async_entries_for_config_entry(registry, entry.config_entry_id)
        elif domain == "scene" or is_hub:
            self._unresolved(f"what {entity_id} does is not known")
        if entry is None or entry.platform != "template":
            self._worst(entity_id, others)

    def _worst(self, entity_id: str, entries: Iterable[er.RegistryEntry]) -> None:
        for other in entries:
            if other.entity_id != entity_id and other.domain not in _NOT_AFFECTED:
                risk = worst_risk(self._hass, other.entity_id, self._choice_of(other.entity_id))
                self._add(other.entity_id, risk)

    def _members(self, entity_id: str, entity: Entity | None) -> list[str]:
        """Return the members of a group, or the switch that is shown as this entity."""
        state = self._hass.states.get(entity_id)
        if state is None or split_entity_id(entity_id)[0] == "scene":
            return []
        row = er.async_get(self._hass).async_get(entity_id)
        if row is not None and row.platform == "switch_as_x" and row.config_entry_id:
            entry = self._hass.config_entries.async_get_entry(row.config_entry_id)
            wrapped = entry and _wrapped(er.async_get(self._hass), entry)
            return [wrapped] if wrapped else []
        members: set[str] = set()
        # A universal media player passes services to its children.
        children = getattr(entity, "_children", None)
        for value in (*map(state.attributes.get, (ATTR_ENTITY_ID, "group_entities")), children):
            if isinstance(value, list | tuple | set | frozenset):
                members |= {each for each in value if isinstance(each, str) and "." in each}
        return sorted(members - {entity_id})

    def _shown_as_something_else(self, entity_id: str) -> None:
        """Visit the lock, cover or lamp that a switch is shown as (integration switch_as_x)."""
        registry = er.async_get(self._hass)
        for entry in self._hass.config_entries.async_entries("switch_as_x"):
            if _wrapped(registry, entry) != entity_id:
                continue
            for twin in er.async_entries_for_config_entry(registry, entry.entry_id):
                # If this entity received the command, its risk is already known.
                if twin.entity_id not in self._path:
                    self._worst(entity_id, [twin])
                    self._triggered(Cause(twin.entity_id))

    def _triggered(self, cause: Cause) -> None:
        """Visit the automations that a change of an entity triggers.

        An automation may have steps that cannot be analysed. For an entity such as a switch or
        helper, which may exist only as a trigger, these steps are a risk. For others, such as
        lamps, they are ignored, because many homes have an automation for all lamps; also if any
        change of the home triggers the automation: a command adds nothing to it. A step that opens
        a lock or an entrance always counts.
        """
        states = self._hass.states
        # A script reacts only while it runs and waits.
        runs = (states.is_state(each, "on") for each in states.async_entity_ids("script"))
        has_templates = bool(self._hass.data.get("template"))
        if not (states.async_entity_ids_count("automation") or has_templates or any(runs)):
            return
        alone = needs_verdict(self._hass, cause.entity_id)
        for entity_id, (sequence, is_of_any) in self._search.triggered_by(cause).items():
            if not self._enter(entity_id, "triggered", f"{alone} {is_of_any}"):
                continue
            known = list(self.effects.unresolved)
            with self._inside(entity_id):
                self._sequence(entity_id, sequence)
                # Each run changes the automation itself, and fires an event.
                self._triggered(Cause(entity_id))
            new = self.effects.unresolved[len(known) :]
            if is_of_any or not alone:
                new = [step for step in new if step in self._severe]
            self.effects.unresolved = [*known, *new]

    # -------------------------------------------------- sequences of actions

    def _sequence(self, entity_id: str, sequence: Any) -> None:
        if not isinstance(sequence, list | tuple):
            self._unresolved(f"what {entity_id} does is not known")
            return
        for step in calls_of(sequence):
            if isinstance(step, str):
                self._unresolved(step)
            elif step.domain == EVENT:
                self._unresolved(f"the event {step.service} may set off anything")
                self._triggered(Cause(f"{EVENT}.{step.service}"))
            elif (step.domain, step.service) == ("scene", "apply"):
                self._apply(step.data.get("entities"))
            elif (step.domain, step.service) not in _SILENT:
                self._call(step)

    def _call(self, call: SequenceCall) -> None:
        domain, service = call.domain, call.service
        if domain == "script" and service not in {"turn_on", "turn_off", "toggle", "reload"}:
            self.act(f"script.{service}", "script", service, {})
            return
        is_known = domain in KNOWN_DOMAINS | HARMLESS_DOMAINS
        called = service if is_known and domain != "group" else ""
        targets = targeted_entities(self._hass, call.target, domain, called)
        if targets is None:
            if domain not in HARMLESS_DOMAINS:
                step = f"{domain}.{service} has a target made at run time"
                if risk_of_any(domain, service, call.data) is not None:
                    self._severe.add(step)
                self._unresolved(step)
            return
        if not is_known or not (targets or domain in HARMLESS_DOMAINS):
            self._unknown_call(call, targets)
        # homeassistant.turn_on calls the service of the entity's own domain.
        is_of_any = domain == "homeassistant" and service in _STATES_ONLY
        for entity_id in targets:
            if domain in {"scene", "script"} and self._hass.states.get(entity_id) is None:
                self._unresolved(f"{entity_id} does not exist yet")
            own = split_entity_id(entity_id)[0] if is_of_any else domain
            self.act(entity_id, own, service, call.data)
        if not targets:
            self._triggered(Cause(f"{domain}.{service}"))

    def _unknown_call(self, call: SequenceCall, targets: Iterable[str]) -> None:
        name = f"{call.domain}.{call.service}"
        risk = risk_of(self._hass, name, call.domain, call.service, {}, self._choice_of(name))
        if risk is RiskClass.MAINTENANCE and not tuple(targets):
            if not self._is_trusted:
                self.effects.risks.setdefault(RiskClass.MAINTENANCE, set())
            return
        if call.is_of_place and call.domain in KNOWN_DOMAINS:
            # The area or label is empty now, so nothing is affected.
            return
        self._unresolved(f"{name} is not known")

    def _apply(self, states: Any) -> None:
        if not isinstance(states, Mapping):
            self._unresolved("scene.apply has states made at run time")
            return
        for entity_id, wanted in states.items():
            if isinstance(wanted, State):
                self.reach(wanted)
                continue
            attributes = dict(wanted) if isinstance(wanted, Mapping) else {"state": wanted}
            state = attributes.get("state")
            text = ("on" if state else "off") if isinstance(state, bool) else str(state)
            self.reach(State(entity_id, text, attributes, validate_entity_id=False))


def _wrapped(registry: er.EntityRegistry, entry: ConfigEntry[Any]) -> str | None:
    return er.async_resolve_entity_id(registry, entry.options.get(ATTR_ENTITY_ID, ""))


def _actions_of(
    entity: Entity, service: str | None, arguments: Mapping[str, Any]
) -> Iterator[Sequence[Any]]:
    """Yield sequences that a service, or any, of a template or universal entity may run."""
    platform = entity.platform.platform_name if entity.platform is not None else ""
    actions: dict[str, Any] = {}
    for value in vars(entity).values():
        if isinstance(value, Script):
            yield value.sequence
        elif isinstance(value, dict):
            scripts = {name: item for name, item in value.items() if isinstance(item, Script)}
            actions |= {str(name): script.sequence for name, script in scripts.items()}
    if platform == "universal":
        actions |= {name: [action] for name, action in getattr(entity, "_cmds", {}).items()}
        if service not in {None, "toggle", *actions}:
            # The player passes all other services to its active child.
            return
    own = (service or "").removeprefix("alarm_")
    if service == "turn_on" and arguments:
        # Template lights and fans have a separate action for brightness or speed.
        actions.pop("turn_off", None)
    elif own in actions:
        actions = {own: actions[own]}
    yield from actions.values()
