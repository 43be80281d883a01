"""What people say is kept without their PIN, and without helping anybody to guess it."""

import math
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.people.pin import REDACTED, Pin, hash_pin
from custom_components.sage.people.spoken_digits import number_alone, numbers_within
from custom_components.sage.people.spoken_numbers import load_number_words


@pytest.fixture(scope="module")
def pin_hash() -> str:
    """A household with the PIN 4711."""
    return hash_pin("4711")


@pytest.fixture
def redaction(hass: HomeAssistant, pin_hash: str) -> Pin:
    """What takes it out."""
    return Pin(hass, pin_hash)


@pytest.mark.parametrize(
    ("text", "language", "kept"),
    [
        ("turn on the light", "en", "turn on the light"),
        ("set it to 2700 kelvin", "en", "set it to 2700 kelvin"),
        ("open up, 4711 please", "en", "open up, [PIN] please"),
        ("4711 at 7:30", "en", "[PIN] at [PIN]:[PIN]"),
        ("open up, 4 7 1 1", "en", "open up, [PIN]"),
        ("open up, four seven one one", "en", REDACTED),
        ("mach auf, siebenundvierzig elf", "de", REDACTED),
        ("ouvre, quarante-sept onze", "fr", REDACTED),
        ("abre, cuarenta y siete once", "es", REDACTED),
        ("turn it on only once", "en", "turn it on only once"),
        ("4711, four seven one one", "en", REDACTED),
        ("channel 47112", "en", "channel 47112"),
    ],
)
async def test_only_the_pin_is_taken_out(redaction, text, language, kept) -> None:
    assert await redaction.async_redact(text, language, "hall", expected=False) == kept


@pytest.mark.parametrize(
    "text",
    ["4711", "4712", "I think 471", "vier sieben eins zwei", "cztery siedem", "banana", "no"],
)
async def test_where_a_pin_is_expected_all_is_secret(redaction, text) -> None:
    assert await redaction.async_redact(text, "en", "hall", expected=True) == REDACTED


async def test_without_a_pin_everything_is_kept(hass) -> None:
    redaction = Pin(hass, None)
    assert await redaction.async_redact("4711", "en", "hall", expected=True) == "4711"


async def test_a_number_that_is_compared_with_the_pin_is_a_try(hass, pin_hash) -> None:
    now = [0.0]
    redaction = Pin(hass, pin_hash, tries=2, lock_seconds=60, clock=lambda: now[0])

    async def kept(text: str, speaker: str = "anna") -> str:
        return await redaction.async_redact(text, "en", speaker, expected=False)

    assert await kept("number 1111") == "number 1111"
    assert await kept("number 1111") == "number 1111"
    assert not redaction.locked("anna")
    assert await kept("number 2222") == "number 2222"
    # No try is left: right or wrong, all look alike. What was heard before stays harmless.
    assert redaction.locked("anna")
    assert await kept("number 3333") == "number [PIN]"
    assert await kept("number 4711") == "number [PIN]"
    assert await kept("number 1111") == "number 1111"
    assert await kept("number 3333", "bob") == "number 3333"
    now[0] = 61
    assert await kept("number 3333") == "number 3333"


async def test_dates_and_times_are_no_tries(hass, pin_hash) -> None:
    redaction = Pin(hass, pin_hash, tries=1)
    for text in ("at 19:30 or 20:15:10", "on 22.11.2026", "from 2026-11-22 to 11/30/2026"):
        assert await redaction.async_redact(text, "en", "hall", expected=False) == text
    assert not redaction.locked("hall")
    for text in ("4.711", "4,711", "4-7-1-1", "4.7.1.1", "47-11", "4.7.11"):
        assert await redaction.async_redact(text, "en", text, expected=False) == REDACTED
    for text in ("47:11", "4/7/11", "4–7–1–1"):
        kept = await redaction.async_redact(text, "en", text, expected=False)
        assert not any(map(str.isdigit, kept))


def test_words_that_stand_beside_a_number() -> None:
    beside = frozenset({"the", "pin", "is"})
    assert number_alone("The PIN is 4711.", ("en",), beside) == "4711"
    assert number_alone("The PIN is not 4711.", ("en",), beside) is None
    assert number_alone("The PIN is", ("en",), beside) is None


def steps(text: str, most: float) -> int:
    """Return how many lines run to find the numbers of a text; fails beyond `most`."""
    count = 0

    def count_line(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        assert count <= most, "it takes far more steps than the text is longer"
        return count_line

    load_number_words()  # not a part of what is counted
    before = sys.gettrace()
    sys.settrace(count_line)
    try:
        numbers_within(text, ("en",), shortest=4, longest=8)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("said", ["1 ", "12 ", "one ", "eins ", "99999999 ", "quatre vingt "])
def test_ten_times_the_digits_take_ten_times_the_steps(said: str) -> None:
    few = steps(said * 300, math.inf)

    assert few * 9 < steps(said * 3000, few * 11) < few * 11


@pytest.mark.parametrize("size", [18_000, 100_000])
def test_many_digits_are_heard_to_the_end(size: int) -> None:
    found = numbers_within("1 " * (size // 2 - 4) + "4 7 1 1", ("en",), shortest=4, longest=4)

    assert set(found) == {"1111", "1114", "1147", "1471", "4711"}


def test_numbers_within_a_text_are_all_that_neighbours_form() -> None:
    found = numbers_within("at 7 4 7 1 1 o'clock", ("en",), shortest=4, longest=5)
    assert {"7471", "4711", "74711"} <= set(found)
    assert not numbers_within("4 lamps 7 fans 1 door 1", ("en",), shortest=4, longest=8)
