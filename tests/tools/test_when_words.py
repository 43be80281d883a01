"""The condition in a person's words."""

import json
from pathlib import Path

import pytest

from custom_components.sage.speech import Sentences
from custom_components.sage.tools.when_words import (
    condition_in,
    wait_in,
    without_condition,
    without_conjunction,
)

TRANSLATIONS = Path(__file__).parents[2] / "custom_components/sage/translations"


def sentences(language: str) -> Sentences:
    """Return the real sentences of a language."""
    texts = json.loads((TRANSLATIONS / f"{language}.json").read_text(encoding="utf-8"))
    return Sentences(texts["common"])


@pytest.mark.parametrize(
    ("language", "when", "bare"),
    [
        ("en", "the door opens", "the door opens"),
        ("en", "When the door opens.", "the door opens"),
        ("en", "the next time the door opens", "the door opens"),
        ("en", "whenever  the door opens", "the door opens"),
        ("en", "once", "once"),
        ("en", "Whenn it rains", "Whenn it rains"),
        ("de", "sobald die Tür aufgeht", "die Tür aufgeht"),
        ("de", "jedes Mal, wenn die Tür aufgeht", "die Tür aufgeht"),
        ("fr", "chaque fois qu'il pleut", "il pleut"),
        ("fr", "quand la porte s'ouvre", "la porte s'ouvre"),
        ("fr", "la prochaine fois que la porte s'ouvre", "la porte s'ouvre"),
        ("fr", "chaque fois qu’il pleut", "il pleut"),
        ("fr", "s'il pleut", "il pleut"),
        ("fr", "S’ils rentrent", "ils rentrent"),
        ("fr", "lorsqu’on rentre", "on rentre"),
        ("fr", "si la porte s’ouvre", "la porte s’ouvre"),
        ("en", "the next time that it rains", "it rains"),
        ("en", "everytime it rains", "it rains"),
        ("en", "as long as it rains", "it rains"),
        ("en", "after the door opens", "the door opens"),
        ("de", "solange es regnet", "es regnet"),
        ("de", "nachdem die Tür aufgeht", "die Tür aufgeht"),
    ],
)
def test_conjunction_goes(language, when, bare) -> None:
    assert without_conjunction(when, sentences(language)) == bare


@pytest.mark.parametrize(
    ("language", "request_text", "command", "condition"),
    [
        ("en", "turn on the light when the door opens", "turn on the light", "the door opens"),
        ("en", "when the TV turns off turn on the light", "turn on the light", "the TV turns off"),
        ("en", "If it rains, close the window", "close the window", "it rains"),
        ("en", "tell me the next time it rains!", "tell me", "it rains"),
        ("en", "turn on the light", "turn on the light", ""),
        ("en", "the whenever thing", "x", "thing"),
        ("de", "mach Licht, sobald es dunkel wird", "mach Licht", "es dunkel wird"),
        ("fr", "allume dès qu'il fait nuit", "allume", "il fait nuit"),
        ("fr", "allume dès qu’il fait nuit", "allume", "il fait nuit"),
        ("fr", "ferme la fenêtre s'il pleut", "ferme la fenêtre", "il pleut"),
        ("fr", "allume la lampe s’il te plaît", "allume la lampe", ""),
        ("fr", "S'il vous plaît, ferme s'il pleut", "ferme", "il pleut"),
        ("en", "turn on the light if possible", "turn on the light", ""),
        ("de", "mach Licht, wenn möglich", "mach Licht", ""),
        ("en", "heat if it is below 19.5 degrees. Thanks", "heat", "it is below 19.5 degrees"),
        ("en", "tell me when it is 7.30", "tell me", "it is 7.30"),
        ("en", "light on if it is after 9 p.m", "light on", "it is after 9 p.m"),
        ("en", "if it is below 19, heat", "heat", "it is below 19"),
        ("de", "heize, wenn es unter 19,5 Grad ist", "heize", "es unter 19,5 Grad ist"),
        ("fr", "chauffe si c'est sous 19,5 degrés", "chauffe", "c'est sous 19,5 degrés"),
    ],
)
def test_condition_of_a_request(language, request_text, command, condition) -> None:
    assert condition_in(request_text, command, sentences(language)) == condition


@pytest.mark.parametrize(
    ("language", "command", "when", "bare"),
    [
        ("en", "turn on the light when the door opens", "the door opens", "turn on the light"),
        ("en", "when the door opens, turn on the light", "the door opens", "turn on the light"),
        ("en", "tell me when the fridge is open", "I open the fridge", "tell me"),
        ("en", "tell me if a window is open", "I leave home", "tell me if a window is open"),
        ("en", "turn on the light", "the door opens", "turn on the light"),
        ("de", "mach Licht, sobald die Tür aufgeht", "die Tür aufgeht", "mach Licht"),
        (
            "en",
            "turn on the heating when the bedroom is below 19.5 degrees",
            "the bedroom is below 19.5 degrees",
            "turn on the heating",
        ),
        ("de", "heize, wenn es unter 19,5 Grad ist", "es ist unter 19,5 Grad", "heize"),
        (
            "fr",
            "chauffe dès qu’il fait moins de 19,5 degrés",
            "il fait moins de 19,5 degrés",
            "chauffe",
        ),
        ("en", "say hello for 10 minutes when it rains", "it rains", "say hello for 10 minutes"),
        ("en", "say hello after it rains", "it rains", "say hello"),
        # The wait belongs to what is to be done.
        (
            "en",
            "fan off 20 minutes after it rains",
            "it rains",
            "fan off 20 minutes after it rains",
        ),
    ],
)
def test_condition_goes_out_of_the_command(language, command, when, bare) -> None:
    assert without_condition(command, when, sentences(language)) == bare


@pytest.mark.parametrize(
    ("language", "request_text", "minutes"),
    [
        ("en", "in 20 minutes turn off the light", 20),
        ("en", "turn it off in 1 hour", 60),
        ("en", "wait 30 seconds", 0.5),
        ("en", "in 1.5 hours", 90),
        ("en", "in 20 minutes for 10 minutes", None),
        ("en", "tell me if it is open for 10 minutes", None),
        ("en", "turn off 20 lights", None),
        ("en", "in a minute", None),
        ("de", "mach in 20 Minuten das Licht aus", 20),
        ("de", "in 2 Stunden", 120),
        ("fr", "dans 20 minutes", 20),
        ("fr", "dans 1 heure", 60),
        ("fr", "éteins dans 20 minutes s'il te plaît", 20),
        ("de", "in 1,5 Stunden", 90),
        ("de", "in 1 Stunde das Licht aus", 60),
        ("en", "in 20 minutes and 10 seconds", None),
        ("en", "in 1 hour turn on 2 lights", 60),
        ("en", "in 1/2 hour", None),
        ("en", "in 2 1/2 hours", None),
        ("de", "in 1 1/2 Stunden", None),
        ("de", "in 1 Stunde 30", None),
        ("de", "in 1 Stunde und dreißig Minuten", None),
        ("fr", "dans 1 heure 30", None),
        ("fr", "dans 1 heure et demie", None),
        ("fr", "dans 2 heures et demie", None),
        ("en", "in 1 hour and a half", None),
        ("en", "in 1,500 seconds", None),
        ("en", "every 20 minutes", None),
        ("de", "alle 20 Minuten", None),
        ("en", "turn it on for 20 minutes", None),
        ("en", "fan off 20 minutes after the dishwasher is done", None),
        ("de", "Lüfter aus 20 Minuten nachdem es regnet", None),
        ("fr", "éteins s'il pleut depuis 10 minutes", None),
        ("fr", "éteins lorsqu'il pleut depuis 10 minutes", None),
        ("fr", "éteins dès qu’il pleut depuis 10 minutes", None),
    ],
)
def test_wait_of_a_request(language, request_text, minutes) -> None:
    assert wait_in(request_text, sentences(language)) == minutes


def test_a_very_long_request_is_read_at_its_beginning() -> None:
    english = sentences("en")
    long = "when the door opens, do it. " + "when " * 8000 + "\nx"
    assert condition_in(long, "", english) == "the door opens"
    assert len(condition_in("when " * 8000 + "\nx", "", english)) < 1000
    assert wait_in("now " * 1000 + "in 20 minutes", english) is None
