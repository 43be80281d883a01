"""The wide commands of `benchmark.risk`: what happens at once, and what the one question asks.

Each command runs in a house of 322 entities, in several states of the classification:

- *none*: nothing is classified, and the model is away.
- *unclear*: the model calls everything unclear.
- *classified*: the model has classified each entity correctly, or does so when asked.
- *automation*: as *unclear*, with an automation that any change triggers and whose target is made
  at run time.

Bounds: at most one question, under 300 characters, that names or counts exactly the risky devices;
all harmless ones are done before it; a yes does exactly the rest, and a no nothing more.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er

from custom_components.sage.home.commands.confirmation_text import confirmation_question
from custom_components.sage.home.commands.pipeline import CommandWaits, Pipeline, ValidatedCommand
from custom_components.sage.home.entities.entity_backend import EntityBackend
from custom_components.sage.home.home_types import DONE, ENTITIES, CommandDescription, Outcome
from custom_components.sage.home.safety.authority import Confirmation, RiskyAction
from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.home.safety.risk_levels import RISK_LEVELS, levels_of
from custom_components.sage.people.person import HOUSEHOLD
from custom_components.sage.text.speech import Sentences, async_load_sentences

from .wide_home import Thing, WideCommand, things, wide_commands

LONGEST: Final = 300
"""Upper limit of the length of a question, in characters."""

AUTOMATION: Final = {
    "alias": "wide",
    "initial_state": False,
    "triggers": [{"trigger": "event", "event_type": "state_changed"}],
    # Without a condition, it would trigger itself.
    "conditions": [{"condition": "template", "value_template": "{{ false }}"}],
    "actions": [{"action": "homeassistant.turn_on", "target": {"entity_id": "{{ 'light.' }}"}}],
}
_COUNTED: Final = re.compile(r"(\d+) (?:devices|Geräte|appareils)")
_LANGUAGES: Final = ("en", "de", "fr", "it")
_STATES: Final = ("none", "unclear", "classified", "automation")
_AFTER: Final[Mapping[str, str]] = {
    "turn_on": "on",
    "turn_off": "off",
    "open_cover": "open",
    "close_cover": "closed",
    "open_valve": "open",
    "lock": "locked",
    "unlock": "unlocked",
    "alarm_disarm": "disarmed",
    "alarm_arm_away": "armed_away",
}
_OPENING: Final = {"unlock": "unlock", "alarm_disarm": "disarm", "open_cover": "open"}


class _Person:
    """Somebody who answers a question, and keeps it together with the state of the home."""

    room: str | None = None
    conversation_id = "wide"
    person = HOUSEHOLD

    def __init__(
        self, hass: HomeAssistant, sentences: Sentences, risks: Mapping[str, str | None] | None
    ) -> None:
        """Store the classification that the model makes, by entity id; None without a model."""
        self.language = "en"
        self.context = Context()
        self.questions: list[str] = []
        self.asked: list[RiskyAction] = []
        self.before: dict[str, str] = {}
        self.answer = Confirmation.GIVEN
        self._hass = hass
        self._sentences = sentences
        self._risks = risks

    async def async_classify(self, entity_ids: AbstractSet[str]) -> None:
        if self._risks is not None:
            await levels_of(self._hass).async_classify(sorted(entity_ids), self._async_ask)

    async def _async_ask(
        self, _prompt: str, _text: str, *, schema: Mapping[str, Any], **_: Any
    ) -> str:
        assert self._risks is not None
        risks = {each: self._risks[each] or "none" for each in schema["required"]}
        return json.dumps({each: {"risk": risk} for each, risk in risks.items()})

    async def async_confirm(self, actions: Sequence[RiskyAction]) -> Confirmation:
        self.questions.append(confirmation_question(self._sentences, actions))
        self.asked = [*actions]
        self.before = {each.entity_id: each.state for each in self._hass.states.async_all()}
        return self.answer


def is_risky(thing: Thing, service: str) -> bool | None:
    """Return whether a use of an entity needs a question; None if both are right."""
    if thing.domain != "switch":
        uses = {"open_valve": "open", **_OPENING}
        off = thing.risk == "security_off" and service == "turn_off"
        return off or (thing.risk is not None and uses.get(service) == thing.risk)
    if thing.risk is None or (thing.risk == "heat" and service == "turn_off"):
        return False
    if service == "turn_off" or thing.risk in {"heat", "unlock", "open"}:
        return True
    return None


class WideHome:
    """The house in a running Home Assistant; services set states and nothing else."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Call `async_furnish` before use."""
        self._hass = hass
        self._home = things()
        self._gate = Gate(hass)
        waits = CommandWaits(state_seconds=0.05)
        backend = EntityBackend(hass, self._gate, waits)
        self._pipeline = Pipeline(hass, self._gate, {ENTITIES: backend})

    async def async_furnish(self) -> None:
        """Add all areas, entities and services."""
        hass, registry, areas = self._hass, er.async_get(self._hass), ar.async_get(self._hass)
        for thing in self._home:
            area = areas.async_get_area_by_name(thing.area) or areas.async_create(thing.area)
            registry.async_get_or_create(
                thing.domain,
                "demo",
                thing.entity_id,
                suggested_object_id=thing.entity_id.partition(".")[2],
                original_name=thing.name,
                original_device_class=thing.kind,
            )
            registry.async_update_entity(thing.entity_id, area_id=area.id)
            async_expose_entity(hass, "conversation", thing.entity_id, True)
        services = {
            (domain, name) for each in wide_commands() for domain, name in each.services.items()
        }
        for domain, name in services:
            hass.services.async_register(domain, name, self._async_serve)
        self._begin()
        await self._gate.async_setup()
        await hass.async_block_till_done()

    def close(self) -> None:
        """Stop listening."""
        self._gate.close()

    async def _async_serve(self, call: ServiceCall) -> None:
        for entity_id in cv.ensure_list(call.data["entity_id"]):
            state = self._hass.states.get(entity_id)
            assert state is not None
            self._hass.states.async_set(
                entity_id, _AFTER[call.service], state.attributes, context=call.context
            )

    def _begin(self) -> None:
        for thing in self._home:
            attributes = {"friendly_name": f"{thing.name}"}
            attributes |= {"device_class": thing.kind} if thing.kind else {}
            self._hass.states.async_set(thing.entity_id, thing.starts_as, attributes)

    async def async_measure(self) -> dict[str, Any]:
        """Return the figures of all commands in all states of the classification."""
        commands = wide_commands()
        figures: dict[str, Any] = {
            "entities": len(self._home),
            "commands": len(commands),
            "failures": [],
            "longest_question": 0,
        }
        for state in _STATES:
            switch = "turn_on" if state == "automation" else "turn_off"
            await self._hass.services.async_call(
                "automation", switch, {"entity_id": "automation.wide"}, blocking=True
            )
            questions = 0
            for number, command in enumerate(commands):
                if state != "classified" or number % 2 or not number:
                    # Every second time, the model classifies only when it is asked.
                    self._hass.data.pop(RISK_LEVELS, None)
                person, wrong = await self._async_run(
                    command, state, _LANGUAGES[number % 4], says_no=number % 3 == 2
                )
                questions += len(person.questions)
                lengths = [len(each) for each in person.questions]
                figures["longest_question"] = max([figures["longest_question"], *lengths])
                figures["failures"] += [f"{state}: {command.says}: {each}" for each in wrong]
            figures[f"questions_{state}"] = questions
        return figures

    async def _async_run(
        self, command: WideCommand, state: str, language: str, *, says_no: bool
    ) -> tuple[_Person, list[str]]:
        """Run a command; return the person and what was wrong."""
        hass, calls = self._hass, command.calls(self._home)
        self._begin()
        sentences = await async_load_sentences(hass, language)
        risks: dict[str, str | None] | None = {each.entity_id: each.risk for each in self._home}
        if state in {"unclear", "automation"}:
            risks = dict.fromkeys(risks or {}, "unclear")
        person = _Person(hass, sentences, None if state == "none" else risks)
        person.answer = Confirmation.DECLINED if says_no else Confirmation.GIVEN
        outcomes = await self._pipeline.async_execute(
            person, [_step(thing, service) for thing, service in calls], record=lambda *_: None
        )
        return person, [*_wrong(hass, state, calls, person, outcomes)]


def _step(thing: Thing, service: str) -> ValidatedCommand:
    return ValidatedCommand(
        device_id=thing.entity_id,
        device_name=thing.name,
        component_id=thing.entity_id,
        capability=thing.domain,
        arguments={},
        area=thing.area,
        description=CommandDescription(name=service),
    )


def _wrong(
    hass: HomeAssistant,
    state: str,
    calls: Sequence[tuple[Thing, str]],
    person: _Person,
    outcomes: Sequence[Outcome],
) -> Iterator[str]:
    """Yield what one execution did wrong."""
    asked = {action.thing for action in person.asked}
    question = " ".join(person.questions)
    if len(person.questions) > 1:
        yield "several questions"
    if len(question) >= LONGEST:
        yield f"a question of {len(question)} characters"
    unnamed = sum(action.device_name not in question for action in person.asked)
    if unnamed > sum(int(count) for count in _COUNTED.findall(question)):
        yield f"a question that hides devices: {question}"
    for (thing, service), outcome in zip(calls, outcomes, strict=True):
        risky, asks = is_risky(thing, service), thing.entity_id in asked
        is_unknown = state != "classified" and thing.domain == "switch"
        if risky is True and not asks:
            yield f"{thing.entity_id} did not ask"
        if risky is False and asks and not is_unknown:
            yield f"{thing.entity_id} asked"
        wanted = _AFTER[service]
        was_done = not asked or person.before[thing.entity_id] == wanted
        if was_done == asks and wanted != thing.starts_as:
            yield f"{thing.entity_id} was {'done' if was_done else 'not done'} before the reply"
        agreed = not asks or person.answer is Confirmation.GIVEN
        is_done = hass.states.is_state(thing.entity_id, wanted)
        if (is_done != agreed and wanted != thing.starts_as) or (outcome.kind in DONE) != agreed:
            yield f"{thing.entity_id} ended as {outcome.kind}: {outcome.detail}"
