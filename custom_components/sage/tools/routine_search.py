"""Finding the routines that a person speaks of, by words."""

from collections.abc import Sequence
from typing import Final

from ..home.words import content_words, forms
from ..routines.routines import Watched

_ALL: Final = frozenset({"all", "everything", "*"})
_NEARLY: Final = 0.75
"""What fits nearly as well as the best is meant as well as that one."""

_FILLER_TEXT: Final = """
remind reminding reminder reminders tell telling watch watching stop notify when whenever
routine routines thing things about
erinner erinnere erinnern erinnerung erinnerungen achte achten stopp wenn sobald sache
rappelle rappeler rappel rappels surveille surveiller quand chose
"""
_FILLERS: Final = frozenset(_FILLER_TEXT.split())
"""Words of a request that name no routine."""


def means_all(which: str) -> bool:
    """Tell whether all routines are meant."""
    return which.strip().casefold() in _ALL


def find_routines(watched: Sequence[Watched], which: str) -> list[Watched]:
    """Return the routines that are meant, several if it is not clear.

    `which` is a number in the list, from 1, or words of what is watched for, of the command
    or of the request; with no words it is the only one there is, or all of them.
    """
    if which.strip().isdigit():
        number = int(which)
        return [watched[number - 1]] if 1 <= number <= len(watched) else []
    if means_all(which):
        return list(watched)
    wanted = [word for word in content_words(which) if word not in _FILLERS]
    if not wanted:
        return list(watched)
    scores = [_score(wanted, each) for each in watched]
    best = max(scores, default=0.0)
    if best <= 0:
        return []
    return [each for each, score in zip(watched, scores, strict=True) if score >= best * _NEARLY]


def _score(wanted: Sequence[str], watched: Watched) -> float:
    """Return how many of the words a routine has."""
    routine = watched.routine
    text = f"{routine.when} {routine.command} {routine.request}"
    own = {form for word in content_words(text) for form in forms(word)}
    return sum(_worth(word, own) for word in wanted)


def _worth(word: str, own: set[str]) -> float:
    if not forms(word).isdisjoint(own):
        return 1.0
    if len(word) < 4:
        return 0.0
    # Compounds and other forms: `fridge` in `fridges`, `Müll` in `Mülltonne`.
    return 0.7 if any(word in other or (len(other) > 3 and other in word) for other in own) else 0.0
