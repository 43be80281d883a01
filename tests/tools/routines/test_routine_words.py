"""How times and ends of routines are said, in three languages."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.routines.routine_types import (
    Commands,
    Decide,
    RoutineAction,
    StoredCommand,
    Words,
)
from custom_components.sage.routines.sandbox.contract import Value
from custom_components.sage.text.speech import Sentences
from custom_components.sage.tools.routines.routine_words import RoutineWords
from tests.routine_house import a_routine

TRANSLATIONS = Path(__file__).parents[3] / "custom_components/sage/translations"
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 22, 10, tzinfo=BERLIN)  # a Sunday


@pytest.fixture(autouse=True)
async def berlin(hass: HomeAssistant) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")


def words_in(language: str) -> RoutineWords:
    texts = json.loads((TRANSLATIONS / f"{language}.json").read_text(encoding="utf-8"))
    return RoutineWords(Sentences(texts["common"]), NOW)


@pytest.mark.parametrize(
    ("hour", "said"), [(0, "12:05 AM"), (9, "9:05 AM"), (12, "12:05 PM"), (21, "9:05 PM")]
)
def test_times_of_a_12_hour_clock(hour, said) -> None:
    words = replace(words_in("en"), has_twelve_hours=True)
    assert words.time(NOW.replace(hour=hour, minute=5)) == f"today at {said}"


@pytest.mark.parametrize(
    ("language", "last_day", "said"),
    [
        ("en", "2026-11-22", "This routine is active until the end of today."),
        ("en", "2026-11-23", "This routine is active until the end of tomorrow."),
        ("en", "2026-11-27", "This routine is active until the end of Friday."),
        ("en", "2026-12-24", "This routine is active until the end of December 24."),
        ("en", "2027-01-01", "This routine is active until the end of January 1, 2027."),
        ("de", "2026-11-22", "Diese Routine gilt bis einschließlich heute."),
        ("de", "2026-11-27", "Diese Routine gilt bis einschließlich Freitag."),
        ("de", "2026-12-24", "Diese Routine gilt bis einschließlich 24. Dezember."),
        ("fr", "2026-11-23", "Cette routine vaut jusqu'à demain inclus."),
        ("fr", "2026-11-27", "Cette routine vaut jusqu'à vendredi inclus."),
        ("fr", "2026-12-01", "Cette routine vaut jusqu'au 1er décembre inclus."),
        ("fr", "2027-02-03", "Cette routine vaut jusqu'au 3 février 2027 inclus."),
    ],
)
def test_end_of_a_day(language, last_day, said) -> None:
    expires = datetime.fromisoformat(last_day).replace(tzinfo=BERLIN) + timedelta(days=1)
    assert words_in(language).gist(a_routine(None, expires=expires)).endswith(f" {said}")


def test_end_at_a_time() -> None:
    routine = a_routine(None, expires=datetime(2026, 11, 27, 18, tzinfo=BERLIN))
    assert words_in("en").gist(routine).endswith(" This routine ends on Friday at 18:00.")


@pytest.mark.parametrize(
    ("language", "at", "said"),
    [
        ("fr", datetime(2026, 12, 1, 9, tzinfo=BERLIN), "le 1er décembre à 09:00"),
        ("fr", datetime(2026, 12, 21, 9, tzinfo=BERLIN), "le 21 décembre à 09:00"),
        ("de", datetime(2026, 12, 1, 9, tzinfo=BERLIN), "am 1. Dezember um 09:00 Uhr"),
        ("en", datetime(2026, 12, 1, 9, tzinfo=BERLIN), "on December 1 at 09:00"),
    ],
)
def test_first_of_a_month(language, at, said) -> None:
    assert words_in(language).time(at) == said


def sent(name: str, command: str, **arguments: Value) -> StoredCommand:
    """Return a command that is stored for a device of this name."""
    return StoredCommand(target=f"entity:{name}", name=name, command=command, arguments=arguments)


LIGHTS = Commands(
    commands=(
        sent("Lamp", "turn_on", brightness_pct=40),
        sent("Strip", "turn_on", brightness_pct=40),
        sent("Door", "lock", code="1234"),
    )
)
HEAT = Commands(commands=(sent("Stove", "set_temperature", temperature=21.5),))
CLOUD = Commands(commands=(sent("TV", "setVolume", volume=30), sent("Plug", "off")))
MANY = Commands(commands=tuple(sent(f"L{n}", "turn_off") for n in range(12)))
MILK = Words(text="Throw out the milk.")


@pytest.mark.parametrize(
    ("language", "action", "said"),
    [
        ("en", LIGHTS, "I'll turn on Lamp and Strip with 40 percent brightness and lock Door."),
        ("en", HEAT, "I'll set Stove to 21.5 degrees."),
        ("en", CLOUD, "I'll set TV to volume 30 and turn off Plug."),
        ("en", MANY, "I'll turn off L0, L1, L2, L3, L4, L5, L6 and 5 more."),
        ("en", MILK, "I'll tell you “Throw out the milk.”"),
        ("en", Decide(), "say that the Zwetschgenmus is on."),
        ("de", HEAT, "Ich werde Stove auf 21.5 Grad stellen."),
        ("de", MILK, "Ich sage dir „Throw out the milk.“"),
        ("fr", HEAT, "je vais régler Stove sur 21.5 degrés."),
        ("fr", MILK, "je vous dis « Throw out the milk. »"),
    ],
)
def test_what_will_happen_is_said_exactly(language: str, action: RoutineAction, said: str) -> None:
    gist = words_in(language).gist(a_routine(None, action=action))
    assert gist.endswith(f": {said}")
    assert "1234" not in gist
