"""Finding the routines that a person speaks of, by words."""

import re
from collections.abc import Sequence
from typing import Final

from ..home.words import content_words, forms, is_empty_word, words
from ..routines.routines import Watched

_ALL: Final = frozenset({"all", "everything", "alle", "alles", "tout", "tous", "toutes"})
_NUMBER: Final = re.compile(
    r"(?:(?:the )?number|no\.?|nr\.?|nummer|(?:le )?num[ée]ro|n°|#)?\s*(\d+)\s*[.)]?", re.IGNORECASE
)
_NEARLY: Final = 0.75
"""What fits nearly as well as the best is meant as well as that one."""

_FILLER_TEXT: Final = """
remind reminding reminder reminders tell telling watch watching stop notify when whenever
routine routines thing things about alert alerts alerting notification notifications message
messages task tasks rule rules automation automations delete cancel pause one ones them those
these any more anymore if
erinner erinnere erinnern erinnerung erinnerungen achte achten stopp stoppe wenn sobald sache
routinen hinweis hinweise meldung meldungen benachrichtigung benachrichtigungen aufgabe aufgaben
regel regeln losche loschen beende davon mehr
rappelle rappeler rappel rappels surveille surveiller quand chose alerte alertes tache taches
regle regles supprime supprimer arrete arreter annule annuler ca plus
"""
_FILLERS: Final = frozenset(_FILLER_TEXT.split())
"""Words of a request that name no routine, since any routine could have them."""

_WORDS_A_MISS: Final = 4
"""Of so many words one may be missing in a routine that is surely meant."""


def means_all(which: str) -> bool:
    """Tell whether all routines are meant: "all", "all of them", "alle Erinnerungen"."""
    said = words(which)
    if not said:
        return which.strip() == "*"
    rest = [word for word in said if word not in _ALL]
    return len(rest) < len(said) and not any(map(_names, rest))


def find_routines(watched: Sequence[Watched], which: str) -> list[Watched]:
    """Return the routines that may be meant, the best only, several if it is not clear.

    `which` is a number in the list, from 1, or words of what is watched for, of the command
    or of the request; with no words it is the only one there is, or all of them.
    """
    if (numbered := _NUMBER.fullmatch(which.strip())) is not None:
        number = int(numbered[1])
        return [watched[number - 1]] if 1 <= number <= len(watched) else []
    wanted = _wanted(which)
    if not wanted or means_all(which):
        return list(watched)
    scores = [sum(_worths(wanted, each)) for each in watched]
    best = max(scores, default=0.0)
    if best <= 0:
        return []
    return [each for each, score in zip(watched, scores, strict=True) if score >= best * _NEARLY]


def find_surely(watched: Sequence[Watched], which: str) -> list[Watched]:
    """Return those of `find_routines` that have nearly all of the words.

    So "the kitchen light" is not the only routine that there is for the kitchen window.
    """
    found = find_routines(watched, which)
    wanted = _wanted(which)
    if _NUMBER.fullmatch(which.strip()) or not wanted or means_all(which):
        return found
    misses = len(wanted) // _WORDS_A_MISS
    return [each for each in found if _worths(wanted, each).count(0.0) <= misses]


def _wanted(which: str) -> list[str]:
    return [word for word in content_words(which) if _names(word)]


def _names(word: str) -> bool:
    """Tell whether a word of a request may name a routine."""
    return not (word in _FILLERS or is_empty_word(word) or is_empty_word(_stem(word)))


def _worths(wanted: Sequence[str], watched: Watched) -> list[float]:
    """Return for each word how well the routine has it, from 0 to 1."""
    routine = watched.routine
    text = f"{routine.when} {routine.command} {routine.request}"
    own = {form for word in content_words(text) for form in forms(word)}
    return [max(_worth(word, own), _worth(_stem(word), own)) for word in wanted]


def _stem(word: str) -> str:
    """Return "water" for "watering": what one asks to stop is said so."""
    return word.removesuffix("ing") if len(word) > 4 else word


def _worth(word: str, own: set[str]) -> float:
    if not forms(word).isdisjoint(own):
        return 1.0
    if len(word) < 4:
        return 0.0
    # Compounds and other forms: `fridge` in `fridges`, `Müll` in `Mülltonne`.
    return 0.7 if any(word in other or (len(other) > 3 and other in word) for other in own) else 0.0
