"""What an utterance means if it is one of Home Assistant's sentences without any doubt."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hassil.intents import Intents, SlotList, TextSlotList
from hassil.recognize import RecognizeResult, is_match, recognize_all
from homeassistant.components.conversation.const import METADATA_CUSTOM_SENTENCE

from ..agent import Utterance
from ..home import Device, Listing, is_number
from ..people import has_question_mark
from ..text import LANGUAGES, content_words, forms, key

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

_VOLUME, _STATE, TEMPERATURE = "HassSetVolume", "HassGetState", "HassClimateGetTemperature"
CLOCK: Final[Mapping[str, str]] = {"HassGetCurrentTime": "time", "HassGetCurrentDate": "date"}
"""Intent -> slot of its response: what the clock shows, which no device tells."""

_ANSWERS: Final = frozenset({"one", "one_yesno", "any", "all", "which", "how_many"})
"""Answers to the intent `HassGetState` that tell states."""

_SENSORS: Final = frozenset({"sensor", "binary_sensor"})
_PLACES: Final = frozenset({"area", "floor"})
_TARGETS: Final = frozenset({"name", *_PLACES, "domain", "device_class"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRequest:
    """What an utterance means: a command, or a question about states or the clock."""

    entity_ids: tuple[str, ...]  # empty for a question about the clock
    command: str  # name of the command; empty for a question
    arguments: Mapping[str, Any]
    """Arguments of the command; of a question, `state` if it asks for a state."""

    match: RecognizeResult
    is_of_room: bool  # whether it depends on the room of the person

    @property
    def name(self) -> str:
        """The name of an entity that the person said; empty for all entities of a kind."""
        name = self.match.entities.get("name")
        return name.text_clean if name else ""


def understand(utterance: Utterance, intents: Intents, listing: Listing) -> PlainRequest | None:
    """Return what the utterance means; runs in the executor."""
    said, room = utterance.text, None if utterance.earlier else utterance.room
    language, requests = utterance.language.partition("-")[0], list[PlainRequest]()
    lists = _slot_lists(listing, said)
    for match in recognize_all(
        said,
        intents,
        slot_lists=lists,
        intent_context={"area": {"value": room, "text": room}} if room else None,
        language=utterance.language,
    ):
        if (match.intent_metadata or {}).get(METADATA_CUSTOM_SENTENCE):
            return None
        wildcards = [each.text_clean for each in match.entities_list if each.is_wildcard]
        is_known = match.intent.name in {*_COMMANDS, *CLOCK, _STATE, TEMPERATURE}
        if not wildcards and not is_known:
            return None
        names_own = match.intent.name in CLOCK or match.entities.keys() & {"name", *_PLACES}
        is_certain = not utterance.earlier or names_own
        # Only of these languages, the words are known that name nothing.
        are_items = all(
            language in LANGUAGES and _is_one_word(each, language) for each in wildcards
        )
        if is_known and is_certain and are_items:
            request = _request(listing, match, room)
            is_order = request and (not request.command or _is_order(match, intents, lists))
            if request and is_order and not _may_be_relative(match):
                requests.append(request)
    return _only(requests)


def _is_one_word(text: str, language: str) -> bool:
    """Return whether a text is one word with a meaning of its own; two may be two entries."""
    # Scripts with capital letters have spaces between words.
    is_word = text.isalpha() and text.lower() != text.upper()
    return is_word and content_words(text) != () and not is_number(text.lower(), language)


def _is_order(match: RecognizeResult, intents: Intents, lists: dict[str, SlotList]) -> bool:
    """Return whether a command is neither a mere name nor a question.

    "The kitchen light" is a mere name. "Kitchen light on?" is a question unless it begins with a
    phrase that Home Assistant skips, such as "can you".
    """
    said, template, data = match.original_text, match.intent_sentence, match.intent_data
    phrases = tuple(f"{words} " for words in map(key, intents.skip_words) if " " in words)
    if has_question_mark(said) and not key(said).startswith(phrases):
        return False
    slots = sorted((each.text_span, each.name) for each in match.entities_list if each.text_span)
    if template is None or not {name for _, name in slots} <= _TARGETS:
        return template is not None
    return not is_match(
        " ".join(said[start:end] for (start, end), _ in slots),
        template,
        slot_lists={**intents.slot_lists, **lists, **data.slot_lists},
        expansion_rules={**intents.expansion_rules, **data.expansion_rules},
        ignore_whitespace=intents.settings.ignore_whitespace,
        language=intents.language,
    )


def _may_be_relative(match: RecognizeResult) -> bool:
    """Return whether a number may be a difference: "decrease 20 percent", but not "to 20"."""
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
    if intent in CLOCK:
        return PlainRequest(entity_ids=(), command="", arguments={}, match=match, is_of_room=False)
    domain, command, fixed = _COMMANDS.get(intent, ("", "", {}))
    values = {name: each.value for name, each in slots.items()}
    is_of_room = any(slots[name].text_span is None for name in _PLACES & slots.keys())
    if name := slots.get("name"):
        targets, area = _named(listing, values, bool(name.metadata))
        is_of_room = is_of_room or (area is not None and area == room)
    elif intent == TEMPERATURE:
        targets = _thermometer(listing, values.get("area"))
    else:
        targets = _of_kind(listing, values, domain or values.get("domain", "") if command else "")
        if _others_named(listing, match, targets):
            return None
    domains = {each.partition(".")[0] for each in targets}
    if not targets or (command and len(domains) > 1) or (domain and domain not in domains):
        return None
    if domain == "vacuum" and values.keys() & _PLACES:
        # The place is what it should clean.
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
    """Return the entities of a kind there, else the only one; no `domain`: also sensors."""
    kind = values.get("device_class") or values.get("domain")
    if domain and "device_class" in values:
        kind = f"{domain}.{kind}"
    if not (kind or domain) or values.keys() >= _PLACES:
        return ()
    place = values.get("area") or values.get("floor")
    targets = tuple(each.id for each in listing.of_kind(str(kind or domain), place))
    return targets if kind or len(targets) == 1 else ()


def _others_named(listing: Listing, match: RecognizeResult, targets: Collection[str]) -> bool:
    """Return whether another device's name holds a word, as "doors" may mean the garage door."""
    places = [each for name, each in match.entities.items() if name in _PLACES]
    said = rest = f" {key(match.original_text)} "
    for each in places:
        rest = rest.replace(f" {key(each.text_clean)} ", " ")
    stems = {form for word in content_words(rest) for form in forms(word)}
    groups = [listing.place(str(each.value)) for each in places]
    there = {part.device.id for group in groups if group for part in group.parts}
    for device in listing.devices:
        names = {key(name) for name, _, _, short in _names(device) if not short}
        if any(f" {name} " in said and f" {name} " not in rest for name in names):
            # A "ground floor lamp" is perhaps the floor lamp.
            return True
        is_there = not places or device.id in there
        is_meant = any(part.id in targets for part in device.components)
        is_sensor = all(part.capabilities[0] == "sensor" for part in device.components)
        if is_there and not is_meant and not is_sensor:
            # A word may be a part of a longer one, as in German.
            text = " ".join(names)
            if any(each in (text if len(each) > 2 else text.split()) for each in stems):
                return True
    return False


def _thermometer(listing: Listing, area: str | None) -> tuple[str, ...]:
    found = listing.of_kind("sensor.temperature", area) if area else ()
    if len(found) != 1:
        return ()
    domains = {part.capabilities[0] for part in found[0].device.components}
    return (found[0].id,) if domains <= _SENSORS else ()
