"""The figures of the speakers' benchmark, for voices whose answer is known."""

import numpy as np
import pytest

from benchmark.speakers.households import (
    ENROLLED,
    Trial,
    best_threshold,
    equal_error_rate,
    right_and_taken,
    trials,
)
from benchmark.speakers.voices import RATE, VOICES, heard

PEOPLE = [f"person {number}" for number in range(6)]


def vectors(nearness: float, utterances: int) -> dict[str, list[np.ndarray]]:
    """Return utterances whose cosine to the axis of their speaker is `nearness`."""
    chance = np.random.default_rng(1)
    made: dict[str, list[np.ndarray]] = {}
    for place, name in enumerate(PEOPLE):
        others = chance.standard_normal((utterances, 64))
        others[:, : len(PEOPLE)] = 0
        others *= np.sqrt(1 - nearness**2) / np.linalg.norm(others, axis=1, keepdims=True)
        others[:, place] = nearness
        made[name] = list(others.astype(np.float32))
    return made


def enrolled() -> dict[str, np.ndarray]:
    return {name: np.eye(64, dtype=np.float32)[[place]] for place, name in enumerate(PEOPLE)}


def test_each_utterance_is_compared_once_and_everybody_is_a_stranger_to_some_household():
    all_trials = trials(enrolled(), vectors(0.9, 12))

    assert len(all_trials) == 12 * len(PEOPLE)
    for name in PEOPLE:
        own = [trial for trial in all_trials if trial.speaker == name]
        assert sum(trial.enrolled for trial in own) == 12 * ENROLLED // len(PEOPLE)
        assert all(trial.best == name for trial in own if trial.enrolled)
        assert all(trial.best != name for trial in own if not trial.enrolled)


def test_clear_voices_are_all_right_and_no_stranger_is_taken_for_anybody():
    all_trials = trials(enrolled(), vectors(0.9, 12))

    right, taken = right_and_taken(best_threshold(all_trials), all_trials)

    assert all(right)
    assert not any(taken)
    assert equal_error_rate(enrolled(), vectors(0.9, 12))[0] == 0


def test_a_refused_utterance_is_nobody():
    spoken: dict[str, list[np.ndarray | None]] = {name: [None] * 6 for name in PEOPLE}

    right, taken = right_and_taken(0.6, trials(enrolled(), spoken))

    assert not any(right)
    assert not any(taken)


def test_voices_that_say_nothing_of_the_speaker_have_an_equal_error_rate_of_a_half():
    chance = np.random.default_rng(2)
    spoken = {name: list(chance.random((200, 64)).astype(np.float32)) for name in PEOPLE}

    assert equal_error_rate(enrolled(), spoken)[0] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(("score", "is_right"), [(0.8, True), (0.79, False)])
def test_a_person_is_recognized_from_the_threshold_on(score, is_right):
    trial = Trial("a", enrolled=True, best="a", score=score)

    assert right_and_taken(0.8, [trial]) == ([is_right], [])


def test_two_people_near_each_other_are_the_household():
    spoken = {name: [*each] for name, each in vectors(0.7, 6).items()}
    between = np.zeros(64, np.float32)
    between[:2] = 0.707
    spoken[PEOPLE[0]] = [between] * 6

    own = [each for each in trials(enrolled(), spoken) if each.speaker == PEOPLE[0]]

    assert [each.score > 0 for each in own] == [False, True, False, True, False, False]


def test_the_noise_has_the_stated_power():
    tone = np.sin(np.arange(2 * RATE) / 5).astype(np.float32) * np.float32(0.1)

    clean, noisy = heard(tone, None, 3), heard(tone, 10.0, 3)

    assert 10 * np.log10(np.mean(tone**2) / np.mean((noisy - clean) ** 2)) == pytest.approx(
        10, abs=0.1
    )


def test_the_people_are_different_and_enough():
    assert len({voice.name for voice in VOICES}) == len(VOICES) >= 8
    assert len({voice.language for voice in VOICES}) >= 4
    assert len({(voice.package, voice.files) for voice in VOICES}) == len(VOICES)
