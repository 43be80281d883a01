"""Plain commands and questions that need no model.

Home Assistant's own sentences, in all its languages, propose what an utterance means. It counts
only if it is exact and unambiguous, and means entities that the person may see. SAGE then executes
it like a command of the model: with the same permissions, risks, confirmations and evidence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hassil.intents import Intents, TextSlotList, TextSlotValue
from hassil.recognize import RecognizeResult, recognize_all
from homeassistant.components.conversation import HOME_ASSISTANT_AGENT
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.components.conversation.const import METADATA_CUSTOM_SENTENCE
from homeassistant.exceptions import TemplateError
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers.template import Template, TemplateState

from ..agent import About, Claim, ClaimResult, Finish, FinishKind, Utterance
from ..home import (
    STATE,
    Command,
    Device,
    HomeError,
    Listing,
    Outcome,
    OutcomeKind,
    describe_for_model,
)
from ..text import content_words, key, plain
from ..tools import Situation

_LONGEST: Final = 120
"""Maximum length of a plain request in characters."""

_COMMANDS: Final[Mapping[str, tuple[str, str, Mapping[str, object]]]] = {
    "HassTurnOn": ("", "turn_on", {}),
    "HassTurnOff": ("", "turn_off", {}),
    "HassLightSet": ("light", "turn_on", {}),
    "HassSetPosition": ("", "set_cover_position", {}),
    "HassClimateSetTemperature": ("climate", "set_temperature", {}),
    "HassFanSetSpeed": ("fan", "set_percentage", {}),
    "HassSetVolume": ("media_player", "volume_set", {}),
    "HassMediaPlayerMute": ("media_player", "volume_mute", {"is_volume_muted": True}),
    "HassMediaPlayerUnmute": ("media_player", "volume_mute", {"is_volume_muted": False}),
    "HassMediaPause": ("media_player", "media_pause", {}),
    "HassMediaUnpause": ("media_player", "media_play", {}),
    "HassMediaNext": ("media_player", "media_next_track", {}),
    "HassMediaPrevious": ("media_player", "media_previous_track", {}),
    "HassVacuumStart": ("vacuum", "start", {}),
    "HassVacuumReturnToBase": ("vacuum", "return_to_base", {}),
    "HassLawnMowerStartMowing": ("lawn_mower", "start_mowing", {}),
    "HassLawnMowerDock": ("lawn_mower", "dock", {}),
    "HassListAddItem": ("todo", "add_item", {}),
    "HassListCompleteItem": ("todo", "update_item", {"status": "completed"}),
}
"""Intent -> domain, or empty for several; command; arguments that are always the same."""

_OF_DOMAIN: Final[Mapping[tuple[str, str], str]] = {
    ("turn_on", "cover"): "open_cover",
    ("turn_off", "cover"): "close_cover",
    ("turn_on", "valve"): "open_valve",
    ("turn_off", "valve"): "close_valve",
    ("set_cover_position", "valve"): "set_valve_position",
    ("turn_on", "lock"): "lock",
    ("turn_off", "lock"): "unlock",
}
"""Command and domain -> the command that it means there, as in Home Assistant's intents."""

_ARGUMENTS: Final[Mapping[tuple[str, str], str]] = {
    ("turn_on", "brightness"): "brightness_pct",
    ("turn_on", "color"): "color_name",
    ("turn_on", "temperature"): "color_temp_kelvin",
}
"""Command and slot -> argument; otherwise the argument is called like the slot."""

_VOLUME: Final = "HassSetVolume"
"""Intent for which Home Assistant has another one with differences."""

_STATE, _TEMPERATURE = "HassGetState", "HassClimateGetTemperature"
_ANSWERS: Final = frozenset({"one", "one_yesno", "any", "all", "which", "how_many"})
"""Answers of the intent `HassGetState` that tell states."""

_OF_SENSOR: Final = {"open": "on", "closed": "off"}
"""State of a cover -> state of a binary sensor of the same device class."""

_SCALES: Final = {"volume_level": 0.01}
"""Argument -> its value for 1 in Home Assistant's sentences."""

_SENSORS: Final = frozenset({"sensor", "binary_sensor"})

_PLACES: Final = ("area", "floor")
_TARGET_SLOTS: Final = frozenset({"name", *_PLACES, "domain", "device_class"})

_ITEM: Final = re.compile(r"[^\W\d_]+")
"""One word; an item of several words may be two items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRequest:
    """What an utterance means: a command for entities, or a question about their states."""

    entity_ids: tuple[str, ...]
    command: str = ""
    """Name of the command; empty for a question."""

    arguments: Mapping[str, Any]
    """Arguments of the command; of a question, `state` if it asks for a state."""

    intent: str
    response: str
    """Key of Home Assistant's response to the intent."""

    spoken: Mapping[str, str]
    """Slot -> the words of the person."""

    name: str
    """The name of an entity that the person said; empty for all entities of a kind."""

    is_of_room: bool
    """Whether it depends on the room of the person."""

    @property
    def effect(self) -> tuple[object, ...]:
        """What is equal if two requests mean the same."""
        return self.entity_ids, self.command, sorted(self.arguments.items()), self.intent


async def async_plain_request(situation: Situation, utterance: Utterance) -> PlainRequest | None:
    """Return what the utterance means, or None if that is not exact or not certain.

    After earlier turns, a request is not certain if it names no device and no place: it may mean
    the devices of these turns. None also for a sentence that the household has written itself.
    """
    if len(utterance.text) > _LONGEST or (loaded := await _async_loaded(situation)) is None:
        return None
    listing = await situation.home.async_listing()
    temperatures = {
        area.name: area.temperature_entity_id
        for area in ar.async_get(situation.hass).async_list_areas()
    }
    return await situation.hass.async_add_executor_job(
        _understand, utterance, loaded.intents, listing, temperatures
    )


async def _async_loaded(situation: Situation) -> Any | None:
    """Return Home Assistant's intents in the language of the utterance; None without any."""
    agent = async_get_agent(situation.hass, HOME_ASSISTANT_AGENT)
    load = getattr(agent, "async_get_or_load_intents", None)
    return None if load is None else await load(situation.run.utterance.language)


async def async_answer_plainly(situation: Situation) -> Finish | None:
    """Execute or answer a plain request without the model; return the final answer.

    None for any other request, and if nothing was sent.
    """
    utterance = situation.run.utterance
    is_follow_up = bool(utterance.earlier and utterance.earlier[-1].speaker)
    if utterance.routine or utterance.extra_prompt or is_follow_up or utterance.is_untrusted:
        return None
    if (request := await async_plain_request(situation, utterance)) is None:
        return None
    if not request.command:
        return await _async_answer(situation, request)
    if (outcomes := await async_execute_plainly(situation, request)) is None:
        return None
    is_done = all(each.is_done for each in outcomes)
    answer = situation.say_outcomes(outcomes)
    if not situation.sentences.is_own_language and {each.kind for each in outcomes} <= _REACHED:
        # Home Assistant has sentences in more languages.
        answer = await _async_response(situation, request, request.entity_ids) or answer
    return Finish(
        kind=FinishKind.ACTED if is_done else FinishKind.COULD_NOT,
        answer=answer,
        about=frozenset({About.HOME}),
        tells_run=True,
    )


_REACHED: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY})


async def async_execute_plainly(
    situation: Situation, request: PlainRequest
) -> tuple[Outcome, ...] | None:
    """Execute a plain command; return the outcomes, or None if it is invalid and was not sent."""
    arguments = {
        "devices": list(request.entity_ids),
        "command": request.command,
        "arguments": dict(request.arguments),
    }
    record = situation.run.record
    with record.steps("tool", ("execute_command", arguments)) as (step,):
        try:
            outcomes = await situation.home.async_execute(
                [
                    Command(device_id=each, name=request.command, arguments=request.arguments)
                    for each in request.entity_ids
                ]
            )
        except HomeError as err:
            record.end(str(err), step=step, is_error=True)
            return None
        record.end(describe_for_model(outcomes), step=step)
    return outcomes


async def _async_answer(situation: Situation, request: PlainRequest) -> Finish | None:
    """Return the answer to a question about states; None if a value is unknown."""
    is_thermostat = request.intent == _TEMPERATURE and "name" in request.spoken
    name = "current_temperature" if is_thermostat else STATE
    record, arguments = situation.run.record, {"devices": list(request.entity_ids)}
    with record.steps("tool", ("read_attributes", arguments)) as (step,):
        try:
            readings = await situation.home.async_read(request.entity_ids, [name])
        except HomeError as err:
            record.end(str(err), step=step, is_error=True)
            return None
        values = {each.component_id: each.values.get(name) for each in readings if each.available}
        record.end(str(values), step=step)
    if values.keys() != set(request.entity_ids) or None in values.values():
        return None
    wanted = request.arguments.get(STATE)
    matched = [
        entity_id
        for entity_id, value in values.items()
        if wanted is None or value == _state_of(entity_id, wanted)
    ]
    answer = await _async_response(situation, request, matched)
    if not answer:
        return None
    if request.intent == _TEMPERATURE:
        device = readings[0].device_name
        answer = situation.sentences.say("seen_state", device=device, state=answer)
    claim = Claim(devices=request.entity_ids, result=ClaimResult.READ)
    about = frozenset({About.HOME})
    return Finish(kind=FinishKind.ANSWERED, answer=answer, about=about, claims=(claim,))


def _state_of(entity_id: str, state: str) -> str:
    """Return the state of an entity that means `state`, e.g. `on` for an open window."""
    return _OF_SENSOR.get(state, state) if entity_id.startswith("binary_sensor.") else state


async def _async_response(
    situation: Situation, request: PlainRequest, matched: Sequence[str]
) -> str:
    """Return Home Assistant's response; empty if it has none.

    `matched`: the entities with the state that the question asks for.
    """
    hass, loaded = situation.hass, await _async_loaded(situation)
    text = loaded.intent_responses.get(request.intent, {}).get(request.response) if loaded else None
    states = {each: hass.states.get(each) for each in request.entity_ids}
    shown = {each: TemplateState(hass, state) for each, state in states.items() if state}
    if not text or len(shown) < len(states):
        return ""
    ordered = sorted(shown, key=lambda each: each not in matched)
    known = {
        "slots": request.spoken,
        "state": shown[ordered[0]],
        "query": {
            "matched": [shown[each] for each in ordered if each in matched],
            "unmatched": [shown[each] for each in ordered if each not in matched],
        },
    }
    try:
        said = str(Template(text, hass).async_render(known, parse_result=False))
    except TemplateError:
        return ""
    return plain(" ".join(said.split()))


# ------------------------------------------------------------ understanding


def _understand(
    utterance: Utterance,
    intents: Intents,
    listing: Listing,
    temperatures: Mapping[str, str | None],
) -> PlainRequest | None:
    """Return what the utterance means; runs in the executor.

    `temperatures`: area -> its temperature sensor in Home Assistant, or None.
    """
    room = None if utterance.earlier else utterance.room
    context = {"area": {"value": room, "text": room}} if room else None
    requests: list[PlainRequest] = []
    for result in recognize_all(
        utterance.text,
        intents,
        slot_lists=_slot_lists(listing, utterance.text),
        intent_context=context,
        language=utterance.language,
    ):
        metadata = result.intent_metadata or {}
        wildcards = [each.text_clean for each in result.entities_list if each.is_wildcard]
        if metadata.get(METADATA_CUSTOM_SENTENCE):
            return None
        is_known = result.intent.name in {*_COMMANDS, _STATE, _TEMPERATURE}
        if wildcards and not (is_known and all(map(_is_one_word, wildcards))):
            continue
        if not is_known:
            return None
        request = (
            None if _may_be_relative(result) else _request(listing, result, room, temperatures)
        )
        is_certain = not utterance.earlier or result.entities.keys() & {"name", *_PLACES}
        # A name alone is no request.
        if request and is_certain and key(request.name) != key(utterance.text):
            requests.append(request)
    return _only(requests)


def _may_be_relative(result: RecognizeResult) -> bool:
    """Return whether a number may be a difference, as in "decrease the kitchen light 20 percent".

    Only in "to 20 percent" there is a word between the device and the number.
    """
    spans = [each.text_span for each in result.entities_list if each.text_span]
    for each in result.entities_list:
        if isinstance(each.value, int | float) and each.text_span:
            start = each.text_span[0]
            ends = [end for _, end in spans if end <= start]
            between = result.original_text[max(ends, default=0) : start]
            if not (ends or result.intent.name == _VOLUME) or not any(map(str.isalpha, between)):
                return True
    return False


def _is_one_word(text: str) -> bool:
    """Return whether a text is a word with a meaning of its own, in a script with word spaces."""
    # Scripts with capital letters have word spaces.
    is_word = _ITEM.fullmatch(text) is not None and text.lower() != text.upper()
    return is_word and content_words(text) != ()


def _only(requests: Sequence[PlainRequest]) -> PlainRequest | None:
    """Return the request that all mean; None if they differ.

    The longest name counts, because it may contain the name of a place. Of several entities with
    this name, the one in the room of the person is meant.
    """
    longest = max((len(each.name) for each in requests), default=0)
    best = [each for each in requests if len(each.name) == longest]
    if len({str(each.effect) for each in best}) > 1:
        best = [each for each in best if each.is_of_room]
    best += [each for each in requests if each.is_of_room and not each.name]
    return best[0] if len({str(each.effect) for each in best}) == 1 else None


def _slot_lists(listing: Listing, said: str) -> dict[str, TextSlotList]:
    """Return the names that the words of the person may contain, for Home Assistant's sentences."""
    words = key(said)
    names = [
        TextSlotValue.from_tuple(
            (name, part_id, context, {"is_short": is_short}), allow_template=False
        )
        for device in listing.devices
        for name, part_id, context, is_short in _names(device)
        if key(name) in words
    ]
    areas, floors = dict[str, str](), dict[str, str]()
    for area in listing.areas.values():
        areas |= dict.fromkeys((area.name, *area.aliases), area.name)
        if area.floor:
            floors |= dict.fromkeys((area.floor, *area.floor_aliases), area.floor)
    return {
        "name": TextSlotList(name="name", values=names),
        **{
            name: TextSlotList.from_tuples(
                [(each, place) for each, place in places.items() if key(each) in words],
                allow_template=False,
                name=name,
            )
            for name, places in zip(_PLACES, (areas, floors), strict=True)
        },
    }


def _names(device: Device) -> Iterator[tuple[str, str, dict[str, Any], bool]]:
    """Yield the names of a device's entities: name, entity id, context, whether it is short.

    A short name lacks the area, e.g. "TV" for "Living Room TV"; only with the area it is a name.
    """
    for part in device.components:
        context: dict[str, Any] = {"domain": part.capabilities[0]}
        if part.kind:
            context["device_class"] = part.kind
        names = {device.spoken_name(part), *part.aliases}
        if len(device.components) == 1:
            names |= {device.name, *device.aliases}
        for name in names:
            yield name, part.id, context, False
            short = name[len(device.area) :].strip() if device.area else ""
            if short and key(name) == key(f"{device.area} {short}"):
                yield short, part.id, context, True


def _request(
    listing: Listing,
    result: RecognizeResult,
    room: str | None,
    temperatures: Mapping[str, str | None],
) -> PlainRequest | None:
    """Return what one match means; None without a target, or if it is about other things."""
    intent, slots = result.intent.name, {each.name: each for each in result.entities_list}
    domain, command, fixed = _COMMANDS.get(intent, ("", "", {}))
    values = {name: each.value for name, each in slots.items()}
    is_of_room = any(name in slots and slots[name].text_span is None for name in _PLACES)
    if name := slots.get("name"):
        targets, area = _named(listing, values, bool((name.metadata or {}).get("is_short")))
        is_of_room = is_of_room or (area is not None and area == room)
    elif intent == _TEMPERATURE:
        targets = _thermometer(listing, values.get("area"), temperatures)
    else:
        targets = _of_kind(listing, values, domain)
    domains = {each.partition(".")[0] for each in targets}
    if (len(domains) > 1 and command) or not targets or (domain and domain not in domains):
        return None
    if intent == _STATE and (result.response not in _ANSWERS or "person" in domains):
        return None
    command = _OF_DOMAIN.get((command, *domains), command) if command else ""
    return PlainRequest(
        entity_ids=targets,
        command=command,
        arguments={**fixed, **_arguments(command, values)},
        intent=intent,
        response=result.response or "default",
        spoken={name: each.text_clean or str(each.value) for name, each in slots.items()},
        name=name.text_clean if name else "",
        is_of_room=is_of_room,
    )


def _arguments(command: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of a command, or the state that a question asks for."""
    arguments = {
        _ARGUMENTS.get((command, name), name): value
        for name, value in values.items()
        if name not in _TARGET_SLOTS
    }
    for name in arguments.keys() & _SCALES.keys():
        arguments[name] = arguments[name] * _SCALES[name]
    return arguments


def _named(
    listing: Listing, values: Mapping[str, Any], is_short: bool
) -> tuple[tuple[str, ...], str | None]:
    """Return the named entity, if it is in the place that the person said, and its area."""
    entity_id = str(values["name"])
    area = listing.find(entity_id).device.area
    place = listing.areas.get(area or "")
    floor = place.floor if place else None
    is_there = values.get("area") in (None, area) and values.get("floor") in (None, floor)
    return (entity_id,) if is_there and (not is_short or "area" in values) else (), area


def _of_kind(listing: Listing, values: Mapping[str, Any], domain: str) -> tuple[str, ...]:
    """Return the entities of a kind in a place; without a kind in the sentence, the only one."""
    kind = values.get("device_class") or values.get("domain")
    place = values.get("area") or values.get("floor")
    if not (kind or domain) or ("area" in values and "floor" in values):
        return ()
    targets = tuple(each.id for each in listing.of_kind(str(kind or domain), place))
    return targets if kind or len(targets) == 1 else ()


def _thermometer(
    listing: Listing, area: str | None, temperatures: Mapping[str, str | None]
) -> tuple[str, ...]:
    """Return the entity that measures the temperature of an area.

    This is the one that Home Assistant has for the area, or else the only sensor of temperature
    there, unless it is a part of something else, such as a fridge.
    """
    sensors = listing.of_kind("sensor.temperature", area) if area else ()
    if area and (own := temperatures.get(area)) in [each.id for each in sensors]:
        return (str(own),)
    alone = [
        each.id
        for each in sensors
        if _SENSORS.issuperset(part.capabilities[0] for part in each.device.components)
    ]
    return tuple(alone) if len(sensors) == 1 else ()
