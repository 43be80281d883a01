"""Which routine is meant."""

import pytest

from custom_components.sage.routines.model import Memo
from custom_components.sage.routines.routines import Watched
from custom_components.sage.tools.routine_search import find_routines, find_surely, means_all
from tests.routine_house import a_routine


def watched(*texts: tuple[str, str, str]) -> list[Watched]:
    """Return routines of when, command and request."""
    return [
        Watched(routine=a_routine(None, when=when, command=command, request=said), memo=Memo())
        for when, command, said in texts
    ]


OWN = watched(
    ("the fridge is opened", "tell me to throw out the milk", "remind me about the milk"),
    ("the front door opens", "turn on the hall light", "turn on the hall light when it opens"),
    ("die Haustür aufgeht", "mach das Flurlicht an", "mach das Flurlicht an, wenn sie aufgeht"),
    ("the front door opens", "turn off the radio", "no radio when somebody comes"),
)


@pytest.mark.parametrize(
    ("which", "found"),
    [
        ("the milk", [0]),
        ("reminding me about the milk", [0]),
        ("Fridge!", [0]),
        ("fridges", [0]),
        ("hall light", [1]),
        ("the front door", [1, 3]),
        ("front door radio", [3]),
        ("Flurlicht", [2]),
        ("das Licht im Flur", [2]),
        ("2", [1]),
        ("2.", [1]),
        ("#2", [1]),
        ("number 2", [1]),
        ("The number 2", [1]),
        ("Nummer 2", [1]),
        ("numéro 2", [1]),
        ("9", []),
        ("0", []),
        ("the garage", []),
        ("all", [0, 1, 2, 3]),
        ("Everything", [0, 1, 2, 3]),
        ("all of them", [0, 1, 2, 3]),
        ("alle Erinnerungen", [0, 1, 2, 3]),
        ("", [0, 1, 2, 3]),
        ("that thing", [0, 1, 2, 3]),
    ],
)
def test_find(which, found) -> None:
    assert [OWN.index(each) for each in find_routines(OWN, which)] == found


WINDOW = watched(("it rains", "close the kitchen window", "close the kitchen window when it rains"))


@pytest.mark.parametrize(
    "which",
    [
        "the kitchen light reminder",
        "the milk in the kitchen",
        "the kitchen window light",
        "opening the kitchen window",
        "kitchen door",
    ],
)
def test_near_is_not_sure(which) -> None:
    """The only routine is not meant just because no other fits better."""
    assert find_routines(WINDOW, which) == WINDOW
    assert find_surely(WINDOW, which) == []


@pytest.mark.parametrize(
    "which",
    [
        "the kitchen window reminder",
        "the alert about the kitchen window",
        "the one that is closing the kitchen windows",
        "the kitchen window and the rain",
        "the rule to close the kitchen window today if it rains",
        "that one",
        "1",
        "all",
        "",
    ],
)
def test_sure(which) -> None:
    assert find_surely(WINDOW, which) == WINDOW


def test_compounds_are_sure() -> None:
    assert find_surely(OWN, "das Licht im Flur") == [OWN[2]]
    assert find_surely(OWN, "turning on the hall light") == [OWN[1]]
    assert find_surely(OWN, "the front door") == [OWN[1], OWN[3]]
    assert find_surely(OWN, "5") == []


def test_none_to_find() -> None:
    assert find_routines([], "milk") == []
    assert find_routines([], "") == []


@pytest.mark.parametrize(
    "which",
    [
        " All ",
        "*",
        "all of them",
        "all my reminders",
        "Alle",
        "alles",
        "alle meine Routinen",
        "alle davon",
        "tout",
        "toutes",
        "tous les rappels",
    ],
)
def test_all(which) -> None:
    assert means_all(which)


@pytest.mark.parametrize("which", ["all lights", "alle Lampen", "toutes les lampes", "", "them"])
def test_not_all(which) -> None:
    assert not means_all(which)
