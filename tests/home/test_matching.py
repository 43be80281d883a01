"""Matching: which device a description means."""

from dataclasses import replace

import pytest

from custom_components.sage.home.components import asked_components
from custom_components.sage.home.disambiguation import CLEAR_MARGIN, Match, Ranking, rank
from custom_components.sage.home.home_types import Device, Fact, Reading
from custom_components.sage.home.listing import Area
from custom_components.sage.home.matching import matching_devices, requested, requested_components
from custom_components.sage.home.vocabulary import Vocabulary

from .listings import plain_device, plain_listing, raw_part, reading_of, with_raw

SOFA = plain_device(
    "sofa_lamp", "Sofa Lamp", "light.sofa", area="Living Room", floor="Ground floor"
)
CEILING = plain_device(
    "ceiling", "Ceiling", "light.ceiling", area="Living Room", floor="Ground floor"
)
KITCHEN = plain_device(
    "kitchen_light", "Kitchen Light", "light.kitchen", area="Kitchen", floor="Ground floor"
)
STRIP = plain_device("kitchen_light_strip", "Kitchen Light Strip", "light.strip", area="Kitchen")
BED = plain_device("bed_light", "Bed Light", "light.bed", area="Bedroom", floor="First floor")
FAN = plain_device("fan", "Fan", "fan.fan", area="Bedroom", floor="First floor")
TV = plain_device("tv", "TV", "media_player.tv", area="Living Room", kind="tv")
BED_TV = plain_device("bedroom_tv", "TV", "media_player.bed_tv", area="Bedroom", kind="tv")
BLIND = plain_device("blind", "Blind", "cover.blind", area="Kitchen", kind="blind")
DOOR = plain_device("door", "Back Door", "lock.door", area="Kitchen")
FRIDGE = plain_device(
    "fridge", "Fridge", "sensor.f=Temperature", "switch.f=Ice Maker", area="Kitchen"
)
PLUG = plain_device("plug", "Deckenlicht", "switch.plug", area="Office")
HOME = plain_listing(
    SOFA,
    CEILING,
    KITCHEN,
    STRIP,
    BED,
    FAN,
    TV,
    BED_TV,
    BLIND,
    DOOR,
    FRIDGE,
    PLUG,
    areas=[
        Area(
            name="Living Room",
            aliases=("Lounge",),
            floor="Ground floor",
            floor_aliases=("downstairs",),
        )
    ],
)


@pytest.fixture
def synonyms(hass):
    return Vocabulary(hass).synonyms("de")


def margin(matches: tuple[Match, ...]) -> float:
    return Ranking(description="", matches=matches).margin


def reading(device: Device, state: str, meaning: str = "", **values: object) -> Reading:
    fact = Fact(name="state", value=state, meaning=meaning or None)
    return reading_of(device.components[0].id, {"state": fact, **values}, device_id=device.id)


def best(description: str, **options) -> str:
    matches = rank(HOME, options.pop("readings", ()), description, **options)
    return matches[0].device.id if matches else ""


@pytest.mark.parametrize(
    ("description", "device"),
    [
        ("the lamp by the sofa", "sofa_lamp"),
        ("sofa lamps", "sofa_lamp"),
        ("the sofla lamp", "sofa_lamp"),
        ("kitchen light", "kitchen_light"),
        ("the strip in the kitchen", "kitchen_light_strip"),
        ("the TV in the bedroom", "bedroom_tv"),
        ("TV in the lounge", "tv"),
        ("die Lampe am Sofa", "sofa_lamp"),
        ("der Fernseher im Bedroom", "bedroom_tv"),
        ("das Schloss", "door"),
        ("the shutter", "blind"),
        ("Deckenlicht", "plug"),
    ],
)
def test_the_device_is_found_by_what_people_call_it(description, device, synonyms):
    assert best(description, synonyms=synonyms) == device


@pytest.mark.parametrize(
    ("language", "description", "device"),
    [
        ("de", "das Licht in der Küche", "kitchen_light"),
        ("de", "der Fernseher im Schlafzimmer", "bedroom_tv"),
        ("fr", "la télé du salon", "tv"),
        ("it", "la TV in camera da letto", "bedroom_tv"),
        ("en", "the lock of the kitchen", "door"),
    ],
)
async def test_rooms_are_known_by_what_other_languages_call_them(
    hass, language: str, description: str, device: str
):
    vocabulary = Vocabulary(hass)
    await vocabulary.async_prepare(language)
    assert best(description, synonyms=vocabulary.synonyms(language)) == device


async def test_a_guest_may_name_a_room_in_the_guests_language(hass):
    hass.config.language = "de"
    vocabulary = Vocabulary(hass)
    await vocabulary.async_prepare("en")
    rooms = ("Küche", "Wohnzimmer", "Flur")
    lights = (plain_device(f"{each}_licht", "Licht", f"light.{each}", area=each) for each in rooms)
    listing, synonyms = plain_listing(*lights), vocabulary.synonyms("en")
    (match,) = rank(listing, (), "kitchen light", synonyms=synonyms)
    assert match.device.area == "Küche"


def test_a_name_said_in_full_is_certain():
    [first, second, *_] = rank(HOME, (), "Kitchen Light")
    assert (first.device, first.score) == (KITCHEN, 1.0)
    assert second.device is STRIP
    assert second.score < 1.0


def test_two_of_a_kind_are_not_told_apart_by_their_kind():
    matches = rank(HOME, (), "the TV")
    assert {each.device.id for each in matches[:2]} == {"tv", "bedroom_tv"}
    assert margin(matches) < CLEAR_MARGIN


def test_what_no_device_has_makes_the_match_less_sure():
    sure = rank(HOME, (), "the sofa lamp")
    unsure = rank(HOME, (), "the zebra striped sofa lamp")
    assert unsure[0].device is sure[0].device
    assert unsure[0].score < sure[0].score


@pytest.mark.parametrize(
    ("description", "state", "device"),
    [
        ("the TV", "on", "bedroom_tv"),
        ("the TV", "off", "tv"),
        ("the TV that is off", "off", "tv"),
        ("der Fernseher", "an", "bedroom_tv"),
        ("the TV", "playing Netflix", "bedroom_tv"),
        ("the one", "unlocked", "door"),
    ],
)
def test_states_tell_devices_apart(description, state, device, synonyms):
    readings = [
        reading(TV, "off"),
        reading(BED_TV, "on", app_name="Netflix"),
        reading(DOOR, "unlocked"),
        reading(BLIND, "closed"),
    ]
    assert best(description, readings=readings, state=state, synonyms=synonyms) == device


@pytest.mark.parametrize(
    "description", ["the TV that is on", "turn the TV on", "la télé allumée", "オンのテレビ tv"]
)
def test_no_words_of_a_description_are_taken_for_a_state(description, synonyms):
    readings = [reading(TV, "off"), reading(BED_TV, "on")]
    with_states = rank(HOME, readings, description, synonyms=synonyms)
    assert with_states == rank(HOME, (), description, synonyms=synonyms)
    assert margin(with_states) < CLEAR_MARGIN


def test_a_state_that_no_candidate_has_makes_the_match_less_sure(synonyms):
    readings = [reading(TV, "off"), reading(BED_TV, "off")]
    plain = rank(HOME, readings, "the bedroom TV", synonyms=synonyms)
    unsure = rank(HOME, readings, "the bedroom TV", state="playing", synonyms=synonyms)
    assert unsure[0].device is plain[0].device
    assert unsure[0].score < plain[0].score


def test_the_meaning_of_a_state_counts():
    doors = plain_listing(
        plain_device("front", "Front Door", "binary_sensor.front"),
        plain_device("rear", "Rear Door", "binary_sensor.rear"),
    )
    readings = [reading(doors.devices[0], "off", "Closed"), reading(doors.devices[1], "on", "Open")]
    assert rank(doors, readings, "the door", state="open")[0].device.id == "rear"


def test_the_room_of_the_speaker_decides_when_no_place_is_named(synonyms):
    assert best("the TV", room="Bedroom") == "bedroom_tv"
    assert best("the TV", room="Living Room") == "tv"
    assert best("the TV in the bedroom", room="Living Room") == "bedroom_tv"
    assert margin(rank(HOME, (), "the TV", room="Bedroom")) >= CLEAR_MARGIN


def test_only_the_candidates_are_ranked():
    matches = rank(HOME, (), "kitchen light", [STRIP, BED])
    assert {each.device.id for each in matches} == {"kitchen_light_strip"}
    assert rank(HOME, (), "zeppelin") == ()
    assert margin(()) == 0.0


def test_the_part_that_was_named_is_told():
    [first, *_] = rank(HOME, (), "the ice maker of the fridge")
    assert (first.device, first.component_id) == (FRIDGE, "switch.f")
    assert rank(HOME, (), "the fridge")[0].component_id is None


def test_the_full_name_of_a_room_is_one_word():
    rooms = plain_listing(
        plain_device("a", "Lamp 3", "light.a", area="Bedroom"),
        plain_device("b", "Lamp", "light.b", area="Bedroom 3"),
    )
    assert rank(rooms, (), "the lamp in bedroom 3")[0].device.id == "b"
    assert rank(rooms, (), "the lamp in the bedroom")[0].device.id == "a"
    assert [each.id for each in requested(rooms, "bedroom 3 lamp")] == ["b"]


def ids(request: str, **options) -> set[str]:
    return {each.id for each in requested(HOME, request, **options)}


def test_a_request_brings_what_it_speaks_of_and_no_more(synonyms):
    assert ids("turn on the kitchen light", synonyms=synonyms) == {
        "kitchen_light",
        "kitchen_light_strip",
    }
    assert ids("switch off the kitchen light and the bedroom fan", synonyms=synonyms) >= {
        "kitchen_light",
        "fan",
    }
    assert "sofa_lamp" not in ids(
        "switch off the kitchen light and the bedroom fan", synonyms=synonyms
    )
    assert ids("hello, how are you?", synonyms=synonyms) == set()


def test_a_device_named_in_full_selects_no_other_in_its_room(synonyms):
    lights = plain_listing(
        plain_device("dresser", "Dresser Light", "light.dresser", area="Bedroom"),
        plain_device("strip", "Bedroom Light Strip", "light.strip", area="Bedroom"),
        plain_device("main", "Bedroom Light", "light.main", area="Bedroom"),
    )

    def found(request: str) -> list[str]:
        return [each.id for each in requested(lights, request, synonyms)]

    assert found("dim the bedroom light") == ["main", "strip"]
    assert found("Bedroom light!") == ["main", "strip"]
    assert set(found("dim the bedroom lights")) == {"main", "strip", "dresser"}
    assert set(found("dim the bedroom light and the dresser light")) == {"main", "strip", "dresser"}
    assert set(found("the light in the bedroom")) == {"main", "strip", "dresser"}


def test_a_device_named_like_its_room_does_not_hide_the_room(synonyms):
    home = plain_listing(
        plain_device("speaker", "Living Room", "media_player.speaker", area="Living Room"),
        plain_device("lamp", "Sofa Lamp", "light.sofa", area="Living Room"),
        plain_device("other", "Desk Lamp", "light.desk", area="Office"),
        areas=[Area(name="Living Room", aliases=(), floor=None, floor_aliases=())],
    )
    found = {each.id for each in requested(home, "turn on the light in the living room", synonyms)}
    assert "lamp" in found
    assert "other" not in found


def test_a_device_that_fits_many_words_does_not_hide_those_that_have_one_as_name(synonyms):
    """A garage door is a cover like blinds and curtains, and has been named besides."""
    covers = plain_listing(
        plain_device("garage_door", "Garage Door", "cover.garage"),
        plain_device("blinds", "Living Room Blinds", "cover.blinds"),
        plain_device("curtain", "Bedroom Curtain", "cover.curtain"),
    )
    request = "close all blinds and curtains, but leave the garage door"
    found = {each.id for each in requested(covers, request, synonyms)}
    assert found == {"garage_door", "blinds", "curtain"}
    found = {each.id for each in requested(covers, "open the garage door", synonyms)}
    assert found == {"garage_door"}
    lights = plain_listing(
        plain_device("bed_light", "Bed Light", "light.bed", area="Bedroom"),
        plain_device("garden_lights", "Garden Lights", "light.garden", area="Garden"),
    )
    found = {each.id for each in requested(lights, "all lights in the bedroom", synonyms)}
    assert found == {"bed_light"}


def test_a_request_for_all_of_a_kind_brings_all_of_it(synonyms):
    lights = {"sofa_lamp", "ceiling", "kitchen_light", "kitchen_light_strip", "bed_light"}
    for request in (
        "which lights are on?",
        "Welche Lichter sind an?",
        "éteins toutes les lumières",
    ):
        assert lights <= ids(request, synonyms=synonyms), request


def test_places_and_floors_bring_what_is_there(synonyms):
    assert ids("everything downstairs", synonyms=synonyms) >= {"sofa_lamp", "ceiling", "tv"}
    assert ids("alles im First floor", synonyms=synonyms) >= {"bed_light", "fan"}


def told(request: str, home=HOME, **options) -> list[str]:
    """Return the ids of the devices that are documented before a request is decided on."""
    given = {"room": None, "recent": (), "most": 6} | options
    return [each.id for each in matching_devices(home, request, **given)[0]]


def test_named_devices_are_documented_those_in_the_room_first():
    assert told("turn on the kitchen light")[0] == "kitchen_light"
    assert told("turn on the tv", room="Bedroom")[0] == "bedroom_tv"
    assert told("turn on the tv", room="Living Room")[0] == "tv"


def test_a_place_that_is_named_counts_more_than_the_room():
    assert "bedroom_tv" not in told("turn on the tv in the lounge", room="Bedroom")


def test_devices_of_the_last_turns_come_after_those_that_are_named():
    assert told("a bit warmer", recent=(BED,)) == ["bed_light"]
    assert told("and the fan", recent=(BED,)) == ["fan", "bed_light"]
    assert told("no, the other one", recent=(STRIP,)) == ["kitchen_light_strip", "kitchen_light"]
    assert told("no, the other ones", recent=(STRIP, TV)) == ["kitchen_light_strip", "tv"]


def test_where_nothing_is_named_the_room_is_documented():
    assert told("it is too dark", room="Bedroom") == ["bed_light", "fan", "bedroom_tv"]


def test_words_of_raw_capabilities_name_no_device():
    washer = with_raw(
        plain_device("washer", "Laundry", "switch.washer"),
        raw_part("main", "samsungce.washerDelayStartTime"),
    )
    home = plain_listing(washer, TV)
    assert told("mail Adam the time of the train", home) == []
    assert told("when does the laundry start?", home) == ["washer"]
    assert [each.id for each in requested(home, "delay it")] == ["washer"]


DISHWASHER = plain_device(
    "dishwasher",
    "Dishwasher",
    "select.dishwasher",
    "select.dishwasher_cycle=Cycle",
    "switch.dishwasher_sanitize=Sanitize",
    "switch.dishwasher_boost=Speed booster",
    "button.dishwasher_start=Start",
    "sensor.dishwasher_energy=Energy",
    "binary_sensor.dishwasher_lock=Child lock",
)


@pytest.mark.parametrize(
    ("request_", "meant"),
    [
        ("are all lights and switches off?", ["dishwasher_sanitize", "dishwasher_boost"]),
        ("is every light switched on?", ["dishwasher_sanitize", "dishwasher_boost"]),
        ("which sensors are there?", ["dishwasher_energy", "dishwasher_lock"]),
        ("sanitize, please", []),
        ("start the dishwasher", []),
        ("start the dish cycle", []),
        ("start the dishwascher", []),
        ("is the blue one ready to start?", []),
        ("select something", []),
    ],
)
def test_of_a_large_device_that_is_not_named_only_what_is_meant_is_documented(request_, meant):
    dishwasher = replace(DISHWASHER, caption="blue dishes in a rack")
    home = plain_listing(dishwasher, TV)
    found = requested_components(home, home.device("dishwasher"), request_)
    assert [each.id.partition(".")[2] for each in found] == meant
    assert requested_components(home, TV, "are the switches off?") == ()


COLD = plain_device(
    "fridge",
    "Fridge",
    "sensor.fridge",
    "sensor.fridge_cooler=Cooler temperature",
    "sensor.fridge_freezer=Freezer temperature",
    "binary_sensor.fridge_door=Cooler door",
    "binary_sensor.freezer_door=Freezer door",
    "sensor.fridge_mode=Mode",
)
MODE = replace(COLD.components[5], kind="enum")
COLD = replace(COLD, components=(*COLD.components[:5], MODE))


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("freezer temperature?", ["fridge_freezer"]),
        ("temperature of the freezer and door of the cooler?", [1, 2, 3, 4]),
        ("freezer?", ["fridge_freezer", "freezer_door"]),
        ("programme of the freezer temperature?", ["fridge_freezer", "fridge_mode"]),
        ("how is the weather?", [1, 2, 3, 4, 5]),
    ],
)
def test_a_question_is_about_the_components_that_have_most_of_its_words(question, asked):
    home = plain_listing(COLD, TV)
    found = asked_components(home, home.device("fridge"), question)
    every = [each.id.partition(".")[2] for each in COLD.components]
    named = [every[each] if isinstance(each, int) else each for each in asked]
    assert [each.id.partition(".")[2] for each in found] == [every[0], *named]
