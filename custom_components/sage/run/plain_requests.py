"""Plain commands and questions that need no model.

Home Assistant's own sentences, in all its languages, propose what an utterance means. It counts
only if it is exact and unambiguous, and means entities that the person may see. SAGE then executes
it like a command of the model: with the same permissions, risks, confirmations and evidence.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hassil.intents import Intents, SlotList, TextSlotList
from hassil.recognize import RecognizeResult, recognize_all
from homeassistant.components.conversation import HOME_ASSISTANT_AGENT
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.components.conversation.const import METADATA_CUSTOM_SENTENCE
from homeassistant.exceptions import TemplateError
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

_OF_DOMAIN: Final[Mapping[tuple[str, ...], str]] = {
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

_VOLUME, _STATE, _TEMPERATURE = "HassSetVolume", "HassGetState", "HassClimateGetTemperature"
_ANSWERS: Final = frozenset({"one", "one_yesno", "any", "all", "which", "how_many"})
"""Answers to the intent `HassGetState` that tell states."""

_OF_SENSOR: Final = {"open": "on", "closed": "off"}
"""State of a cover -> state of a binary sensor of the same device class."""

_SENSORS: Final = frozenset({"sensor", "binary_sensor"})
_PLACES: Final = frozenset({"area", "floor"})
_TARGETS: Final = frozenset({"name", *_PLACES, "domain", "device_class"})
_REACHED: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRequest:
    """What an utterance means: a command for entities, or a question about their states."""

    entity_ids: tuple[str, ...]
    command: str
    """Name of the command; empty for a question."""

    arguments: Mapping[str, Any]
    """Arguments of the command; of a question, `state` if it asks for a state."""

    match: RecognizeResult
    is_of_room: bool
    """Whether it depends on the room of the person."""

    @property
    def name(self) -> str:
        """The name of an entity that the person said; empty for all entities of a kind."""
        name = self.match.entities.get("name")
        return name.text_clean if name else ""


async def async_plain_request(situation: Situation, utterance: Utterance) -> PlainRequest | None:
    """Return what the utterance means, or None if that is not exact or not certain.

    After earlier turns, a request is not certain if it names no device and no place: it may mean
    the devices of these turns. None also for a sentence that the household has written itself.
    """
    if len(utterance.text) > _LONGEST or (loaded := await _async_loaded(situation)) is None:
        return None
    listing = await situation.home.async_listing()
    work = situation.hass.async_add_executor_job
    return await work(_understand, utterance, loaded.intents, listing)


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
    answer = situation.say_outcomes(outcomes)
    if not situation.sentences.is_own_language and {each.kind for each in outcomes} <= _REACHED:
        # Home Assistant has sentences in more languages.
        answer = await _async_response(situation, request, request.entity_ids) or answer
    is_done = all(each.is_done for each in outcomes)
    return Finish(
        kind=FinishKind.ACTED if is_done else FinishKind.COULD_NOT,
        answer=answer,
        about=frozenset({About.HOME}),
        tells_run=True,
    )


async def async_execute_plainly(
    situation: Situation, request: PlainRequest
) -> tuple[Outcome, ...] | None:
    """Execute a plain command; return the outcomes, or None if it is invalid and was not sent."""
    command, arguments = request.command, request.arguments
    shown = {"devices": list(request.entity_ids), "command": command, "arguments": arguments}
    record = situation.run.record
    with record.steps("tool", ("execute_command", shown)) as (step,):
        try:
            outcomes = await situation.home.async_execute(
                [
                    Command(device_id=each, component_id=each, name=command, arguments=arguments)
                    for each in request.entity_ids
                ]
            )
        except HomeError as err:
            record.end(str(err), step=step, is_error=True)
            return None
        record.end(describe_for_model(outcomes), step=step)
    return outcomes


# ------------------------------------------------------------ answers


async def _async_answer(situation: Situation, request: PlainRequest) -> Finish | None:
    """Return the answer to a question about states; None if a value is unknown."""
    is_temperature = request.match.intent.name == _TEMPERATURE
    name = "current_temperature" if is_temperature and request.name else STATE
    record, shown = situation.run.record, {"devices": list(request.entity_ids)}
    with record.steps("tool", ("read_attributes", shown)) as (step,):
        try:
            readings = await situation.home.async_read(request.entity_ids, [name])
        except HomeError as err:
            record.end(str(err), step=step, is_error=True)
            return None
        # Text from outside is not spoken.
        facts = {each.component_id: each.fact(name) for each in readings if each.available}
        values = {
            part: each.value for part, each in facts.items() if each and not each.is_free_text
        }
        record.end(str(values), step=step)
    if values.keys() != {*request.entity_ids} or None in values.values():
        return None
    wanted = request.arguments.get(STATE)
    is_sensor = "binary_sensor." if wanted in _OF_SENSOR else "-"
    matched = [
        each
        for each, value in values.items()
        if wanted is None or value == (_OF_SENSOR[wanted] if each.startswith(is_sensor) else wanted)
    ]
    answer = await _async_response(situation, request, matched)
    if not answer:
        return None
    if is_temperature:
        device = readings[0].device_name
        answer = situation.sentences.say("seen_state", device=device, state=answer)
    claim = Claim(devices=request.entity_ids, result=ClaimResult.READ)
    about = frozenset({About.HOME})
    return Finish(kind=FinishKind.ANSWERED, answer=answer, about=about, claims=(claim,))


async def _async_response(
    situation: Situation, request: PlainRequest, matched: Sequence[str]
) -> str:
    """Return Home Assistant's response; empty if it has none.

    `matched`: the entities with the state that the question asks for.
    """
    hass, loaded, match = situation.hass, await _async_loaded(situation), request.match
    texts = loaded.intent_responses.get(match.intent.name, {}) if loaded else {}
    text = texts.get(match.response or "default")
    states = {each: hass.states.get(each) for each in request.entity_ids}
    shown = {each: TemplateState(hass, state) for each, state in states.items() if state}
    if not text or len(shown) < len(states):
        return ""
    others = [each for each in shown if each not in matched]
    known = {
        "slots": {each.name: each.text_clean or each.value for each in match.entities_list},
        "state": shown[[*matched, *others][0]],
        "query": {
            "matched": [shown[each] for each in matched],
            "unmatched": [shown[each] for each in others],
        },
    }
    try:
        said = str(Template(text, hass).async_render(known, parse_result=False))
    except TemplateError:
        return ""
    return plain(" ".join(said.split()))


# ------------------------------------------------------------ understanding


def _understand(utterance: Utterance, intents: Intents, listing: Listing) -> PlainRequest | None:
    """Return what the utterance means; runs in the executor."""
    said, room = utterance.text, None if utterance.earlier else utterance.room
    requests: list[PlainRequest] = []
    for match in recognize_all(
        said,
        intents,
        slot_lists=_slot_lists(listing, said),
        intent_context={"area": {"value": room, "text": room}} if room else None,
        language=utterance.language,
    ):
        if (match.intent_metadata or {}).get(METADATA_CUSTOM_SENTENCE):
            return None
        wildcards = [each.text_clean for each in match.entities_list if each.is_wildcard]
        is_known = match.intent.name in {*_COMMANDS, _STATE, _TEMPERATURE}
        if not wildcards and not is_known:
            return None
        is_certain = not utterance.earlier or match.entities.keys() & {"name", *_PLACES}
        if is_known and is_certain and all(map(_is_one_word, wildcards)):
            request = _request(listing, match, room)
            # A name alone is no request.
            if request and key(request.name) != key(said) and not _may_be_relative(match):
                requests.append(request)
    return _only(requests)


def _is_one_word(text: str) -> bool:
    """Return whether a text is one word with a meaning of its own; two may be two entries."""
    # Scripts with capital letters have spaces between words.
    return text.isalpha() and text.lower() != text.upper() and content_words(text) != ()


def _may_be_relative(match: RecognizeResult) -> bool:
    """Return whether a number may be a difference, as in "decrease the kitchen light 20 percent".

    In "to 20 percent", there is a word between the device and the number.
    """
    slots = [(each.value, each.text_span) for each in match.entities_list if each.text_span]
    for value, (start, _) in slots:
        if isinstance(value, int | float):
            ends = [end for _, (_, end) in slots if end <= start]
            # Home Assistant knows differences of a volume.
            is_absolute = bool(ends) or match.intent.name == _VOLUME
            between = match.original_text[max(ends, default=0) : start]
            if not is_absolute or not any(map(str.isalpha, between)):
                return True
    return False


def _only(requests: Sequence[PlainRequest]) -> PlainRequest | None:
    """Return the request that all mean; None if they differ.

    The longest name counts, because it may contain the name of a place. Of several entities with
    this name, the one in the room of the person is meant.
    """
    longest = max((len(each.name) for each in requests), default=0)
    best = [each for each in requests if len(each.name) == longest]
    if len({*map(_effect, best)}) > 1:
        best = [each for each in best if each.is_of_room]
    effects = {_effect(each) for each in requests if each.is_of_room and not each.name}
    return best[0] if len({*map(_effect, best), *effects}) == 1 and best else None


def _effect(request: PlainRequest) -> str:
    """Return a text that is equal for requests that mean the same."""
    arguments = sorted(request.arguments.items())
    return str((request.entity_ids, request.command, arguments, request.match.intent.name))


def _slot_lists(listing: Listing, said: str) -> dict[str, SlotList]:
    """Return the names that the words of the person may contain, for Home Assistant's sentences."""
    words = key(said)
    named: dict[str, set[tuple[str, str]]] = {name: set() for name in _PLACES}
    for area in listing.areas.values():
        named["area"] |= {(each, area.name) for each in (area.name, *area.aliases)}
        if floor := area.floor:
            named["floor"] |= {(each, floor) for each in (floor, *area.floor_aliases)}
    values: dict[str, list[tuple[Any, ...]]] = {name: [*named[name]] for name in _PLACES}
    values["name"] = [each for device in listing.devices for each in _names(device)]
    return {
        name: TextSlotList.from_tuples(
            (each for each in tuples if key(each[0]) in words), allow_template=False, name=name
        )
        for name, tuples in values.items()
    }


def _names(device: Device) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Yield the names of a device's entities: name, entity id, context, metadata.

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
            yield name, part.id, context, {}
            short = name[len(device.area) :].strip() if device.area else ""
            if short and key(name) == key(f"{device.area} {short}"):
                yield short, part.id, context, {"is_short": True}


def _request(listing: Listing, match: RecognizeResult, room: str | None) -> PlainRequest | None:
    """Return what one match means; None without a target, or if it is about other things."""
    intent, slots = match.intent.name, match.entities
    domain, command, fixed = _COMMANDS.get(intent, ("", "", {}))
    values = {name: each.value for name, each in slots.items()}
    is_of_room = any(slots[name].text_span is None for name in _PLACES & slots.keys())
    if name := slots.get("name"):
        targets, area = _named(listing, values, bool(name.metadata))
        is_of_room = is_of_room or (area is not None and area == room)
    elif intent == _TEMPERATURE:
        targets = _thermometer(listing, values.get("area"))
    else:
        targets = _of_kind(listing, values, domain or values.get("domain", "") if command else "")
    domains = {each.partition(".")[0] for each in targets}
    if not targets or (command and len(domains) > 1) or (domain and domain not in domains):
        return None
    if intent == _STATE and (match.response not in _ANSWERS or "person" in domains):
        return None
    command = _OF_DOMAIN.get((command, *domains), command) if command else ""
    arguments = {
        _ARGUMENTS.get((command, slot), slot): value
        for slot, value in values.items()
        if slot not in _TARGETS
    }
    if "volume_level" in arguments:
        arguments["volume_level"] /= 100
    return PlainRequest(
        entity_ids=targets,
        command=command,
        arguments={**fixed, **arguments},
        match=match,
        is_of_room=is_of_room,
    )


def _named(
    listing: Listing, values: Mapping[str, Any], is_short: bool
) -> tuple[tuple[str, ...], str | None]:
    """Return the named entity, if it is in the place that the person said, and its area."""
    area = listing.find(str(values["name"])).device.area
    place = listing.areas.get(area or "")
    floor = place.floor if place else None
    is_there = values.get("area") in (None, area) and values.get("floor") in (None, floor)
    is_meant = is_there and (not is_short or "area" in values)
    return (str(values["name"]),) if is_meant else (), area


def _of_kind(listing: Listing, values: Mapping[str, Any], domain: str) -> tuple[str, ...]:
    """Return the entities of a kind in a place; without a kind in the sentence, the only one.

    `domain`: that of the commands; empty for a question, which is about sensors, too.
    """
    kind = values.get("device_class") or values.get("domain")
    if domain and "device_class" in values:
        kind = f"{domain}.{kind}"
    if not (kind or domain) or values.keys() >= _PLACES:
        return ()
    place = values.get("area") or values.get("floor")
    targets = tuple(each.id for each in listing.of_kind(str(kind or domain), place))
    return targets if kind or len(targets) == 1 else ()


def _thermometer(listing: Listing, area: str | None) -> tuple[str, ...]:
    """Return the only sensor of temperature in an area, unless it is a part of e.g. a fridge."""
    found = listing.of_kind("sensor.temperature", area) if area else ()
    if len(found) != 1:
        return ()
    domains = {part.capabilities[0] for part in found[0].device.components}
    return (found[0].id,) if domains <= _SENSORS else ()
