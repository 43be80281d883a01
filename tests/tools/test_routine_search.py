"""Which routine is meant."""

import pytest

from custom_components.sage.routines.model import Memo
from custom_components.sage.routines.routines import Watched
from custom_components.sage.tools.routine_search import find_routines, means_all
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
        ("9", []),
        ("0", []),
        ("the garage", []),
        ("all", [0, 1, 2, 3]),
        ("Everything", [0, 1, 2, 3]),
        ("", [0, 1, 2, 3]),
        ("that thing", [0, 1, 2, 3]),
    ],
)
def test_find(which, found) -> None:
    assert [OWN.index(each) for each in find_routines(OWN, which)] == found


def test_none_to_find() -> None:
    assert find_routines([], "milk") == []
    assert find_routines([], "") == []


def test_all() -> None:
    assert means_all(" All ")
    assert not means_all("all lights")
