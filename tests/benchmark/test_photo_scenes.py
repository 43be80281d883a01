"""The drawn photos show their devices, and what is held out from training is held out."""

import numpy as np
import pytest

from benchmark.photos.captions import BOUND, CAPTIONS, QUERIES, CaptionMatcher
from benchmark.photos.descriptions import DESCRIPTIONS, NONE_FIT, Description
from benchmark.photos.homes import FLAT, HOMES, HOUSE, PAPER, photo_of
from benchmark.photos.matching import Match, best_threshold, chance, wilson
from benchmark.photos.scenes import Device, Room, Thing, photo
from benchmark.photos.train import SCENES, sentences
from benchmark.photos.training_scenes import training_scene
from custom_components.sage.embeddings.minilm import MODEL_FILE, MiniLM

_LAMP = Device("lamp", "light", "table lamp", 0.0)


def pixels(room: Room, device: Device = _LAMP, seed: int = 3) -> np.ndarray:
    return np.asarray(photo(room, device, seed), np.float32)


def words_of(text: str) -> set[str]:
    return set(text.lower().replace(",", " ").replace(":", " ").split())


def test_a_photo_is_drawn_the_same_each_time_and_another_view_is_another_photo():
    room = Room("room", (Thing("bed", 1.2),), (_LAMP,))

    assert np.array_equal(pixels(room), pixels(room))
    assert np.abs(pixels(room) - pixels(room, seed=4)).mean() > 5


def test_no_two_devices_have_the_same_id_or_caption_or_photo():
    devices = [device for home in HOMES for room in home.rooms for device in room.devices]
    files = [photo_of(room, each) for home in HOMES for room in home.rooms for each in room.devices]

    assert len({device.id for device in devices}) == len(devices)
    assert len(set(files)) == len(devices)
    for home in HOMES:
        captions = [device.caption for room in home.rooms for device in room.devices]
        assert len(set(captions)) == len(captions)
        assert all(captions)


def test_sixty_descriptions_have_their_device_among_four_to_twelve_candidates():
    assert len(DESCRIPTIONS) == len({each.text for each in DESCRIPTIONS}) == 60
    assert {each.home for each in DESCRIPTIONS} == {PAPER, HOUSE, FLAT}
    for each in DESCRIPTIONS:
        candidates = [device.id for _, device in each.candidates()]
        assert 4 <= len(candidates) <= 12 or each.kind == "speaker"
        assert each.device_id in candidates
    assert chance() < 0.2


def test_what_fits_nothing_has_no_device():
    assert len(NONE_FIT) == 15
    assert all(each.device_id is None and each.candidates() for each in NONE_FIT)


def test_training_reads_no_held_out_sentence_but_knows_most_of_their_words():
    read = set(sentences(range(SCENES)))
    known = {word for said in read for word in words_of(said)}

    assert len(read) > 11_000
    assert not {each.text for each in (*DESCRIPTIONS, *NONE_FIT)} & read
    unknown = [len(words_of(each.text) - known) / len(words_of(each.text)) for each in DESCRIPTIONS]
    assert max(unknown) <= 0.5
    assert sum(unknown) / len(unknown) < 0.15


def test_no_room_of_the_homes_is_a_training_scene():
    arrangements = {
        tuple(thing.kind for thing in training_scene(seed).room.things) for seed in range(SCENES)
    }
    rooms = [tuple(thing.kind for thing in room.things) for home in HOMES for room in home.rooms]
    places = {
        tuple((thing.kind, thing.x) for thing in training_scene(seed).room.things)
        for seed in range(SCENES)
    }

    assert len(arrangements) > 1000
    assert len(rooms) == 23
    for home in HOMES:
        for room in home.rooms:
            assert tuple((thing.kind, thing.x) for thing in room.things) not in places


def test_captions_find_the_device_of_the_held_out_descriptions():
    matcher = CaptionMatcher(MiniLM.load(MODEL_FILE))

    matches = matcher.matches(DESCRIPTIONS, QUERIES["whole"], CAPTIONS["caption"])

    assert sum(each.is_right for each in matches) >= BOUND * len(DESCRIPTIONS)


def test_a_match_is_right_if_the_best_candidate_is_the_device():
    said = Description("the one", PAPER, "light", "light_fireplace")

    right, wrong = Match(said, (0.1, 0.5, 0.3, 0.2)), Match(said, (0.6, 0.5, 0.3, 0.2))

    assert (right.found, right.is_right) == ("light_fireplace", True)
    assert (wrong.found, wrong.is_right) == ("light_bed", False)
    assert right.margin == pytest.approx(0.2)
    assert right.share(0) == pytest.approx(0.25)
    assert right.share(100) == pytest.approx(1)


def test_intervals_and_thresholds_are_those_of_the_books():
    assert wilson(54, 60) == pytest.approx((0.7985, 0.9534), abs=1e-3)
    clean = best_threshold([0.7, 0.8, 0.9], [0.1, 0.6])
    assert (round(clean.value, 2), clean.refused, clean.accepted) == (0.65, 0, 0)
    mixed = best_threshold([0.3, 0.8, 0.9], [0.1, 0.6])
    assert mixed.error == pytest.approx(1 / 6)
