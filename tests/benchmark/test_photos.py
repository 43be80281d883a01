"""The measurement of photos runs, and its bounds can be missed."""

import json
from typing import Any

import pytest

from benchmark.photos.__main__ import Asked, figures_of_path, missed_bounds
from benchmark.photos.descriptions import DESCRIPTIONS, NONE_FIT, Description
from benchmark.photos.photographed_home import Answer, read_answer
from tests.benchmark.running import run_benchmark

_DEVICES = {"light_5": "house_bedroom_light", "light_9": "house_study_light"}


@pytest.mark.slow
def test_captions_are_found_and_without_them_nothing_is_guessed() -> None:
    run = run_benchmark("photos", "--only", "neither,captions")

    assert run.returncode == 0, run.stdout + run.stderr
    table, told = run.stdout.strip().rsplit("\n", 1)
    paths = json.loads(told)["paths"]
    assert set(paths) == {"neither", "captions"}
    assert paths["captions"]["right"] >= 51
    assert paths["captions"]["clear_right"] > 30 > paths["captions"]["clear_wrong"]
    assert (paths["neither"]["clear_right"], paths["neither"]["none_right"]) == (0, 15)
    assert "95 % interval" in table


def test_a_reply_with_an_unknown_device_is_an_error() -> None:
    with pytest.raises(KeyError):
        read_answer("1. light_77, score 0.40, off", _DEVICES)


def asked(description: Description, device_id: str | None, *, clear: bool, by: str) -> Asked:
    text = f"1. light_1, {by} 0.90"
    answer = Answer(device_id=device_id, is_clear=clear, text=text)
    return Asked(description=description, answer=answer, seconds=0.02)


def figures(path: str, *, wrong: int = 0, clear: bool = True, by: str = "") -> dict[str, Any]:
    """Return the figures of a path on which the first `wrong` descriptions find another device."""
    said = by or {"neither": "There are no photos of these devices to compare with."}.get(
        path, path
    )
    return figures_of_path(
        path,
        [
            *(asked(each, "light_other", clear=clear, by=said) for each in DESCRIPTIONS[:wrong]),
            *(asked(each, each.device_id, clear=clear, by=said) for each in DESCRIPTIONS[wrong:]),
            *(asked(each, "light_other", clear=False, by=said) for each in NONE_FIT),
        ],
    )


def test_figures_count_right_clear_and_refused_descriptions() -> None:
    found = figures("photos", wrong=6)

    assert (found["right"], found["of"], found["interval"]) == (54, 60, [0.799, 0.953])
    assert (found["clear_right"], found["clear_wrong"]) == (54, 6)
    assert (found["none_right"], found["none_wrong"], found["silent"]) == (15, 0, 0)
    assert found["ms"] == 20


@pytest.mark.parametrize(
    ("paths", "missed"),
    [
        ({"photos": figures("photos", wrong=6)}, []),
        ({"photos": figures("photos", wrong=7)}, ["photos: at least 90% right"]),
        ({"captions": figures("captions", wrong=9)}, []),
        ({"captions": figures("captions", wrong=10)}, ["captions: at least 85% right"]),
        ({"neither": figures("neither", wrong=50, clear=False)}, []),
        ({"neither": figures("neither")}, ["neither: no match is clear"]),
        (
            {"photos": figures("photos", by="captions")},
            ["photos: each reply names what was compared"],
        ),
    ],
)
def test_each_bound_can_be_missed(paths: dict[str, Any], missed: list[str]) -> None:
    assert missed_bounds(paths) == missed
