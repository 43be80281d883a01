"""What people say is kept without their PIN, and without helping anybody to guess it."""

import math
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.people.pin import hash_pin
from custom_components.sage.people.pin_redaction import REDACTED, PinRedaction
from custom_components.sage.people.spoken_digits import number_alone, numbers_within


@pytest.fixture(scope="module")
def pin_hash() -> str:
    """A household with the PIN 4711."""
    return hash_pin("4711")


@pytest.fixture
def redaction(hass: HomeAssistant, pin_hash: str) -> PinRedaction:
    """What takes it out."""
    return PinRedaction(hass, pin_hash)


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
        ("4711, four seven one one", "en", REDACTED),
        ("channel 47112", "en", "channel 47112"),
    ],
)
async def test_only_the_pin_is_taken_out(redaction, text, language, kept) -> None:
    assert await redaction.async_redact(text, language, None, expected=False) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("4712", REDACTED),
        ("I think 471", REDACTED),
        ("vier sieben eins zwei", REDACTED),
        ("12", REDACTED),
        ("turn on the light", "turn on the light"),
        ("set it to 30 percent", "set it to 30 percent"),
    ],
)
async def test_where_a_pin_is_expected_every_number_is_secret(redaction, text, kept) -> None:
    assert await redaction.async_redact(text, "en", None, expected=True) == kept


async def test_without_a_pin_everything_is_kept(hass) -> None:
    redaction = PinRedaction(hass, None)
    assert await redaction.async_redact("4711", "en", None, expected=True) == "4711"


async def test_only_few_numbers_of_a_person_are_told_from_the_pin(hass, pin_hash) -> None:
    now = [0.0]
    redaction = PinRedaction(hass, pin_hash, numbers=2, seconds=60, clock=lambda: now[0])

    async def kept(text: str, user_id: str | None = "anna") -> str:
        return await redaction.async_redact(text, "en", user_id, expected=False)

    assert await kept("number 1111") == "number 1111"
    assert await kept("number 2222") == "number 2222"
    assert await kept("number 3333") == "number [PIN]"
    assert await kept("number 1111") == "number 1111"
    assert await kept("number 3333", "bob") == "number 3333"
    now[0] = 61
    assert await kept("number 3333") == "number 3333"


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("4711", "en", "4711"),
        ("forty seven eleven", "en", "4711"),
        ("double four ninety nine", "en", "4499"),
        ("einundzwanzig dreißig", "de", "2130"),
        ("sechsundsiebzig fünfzehn", "de", "7615"),
        ("vingt et un trente-deux", "fr", "2132"),
        ("soixante et onze quatre-vingt-dix-neuf", "fr", "7199"),
        ("quatre-vingts quatre-vingt-deux", "fr", "8082"),
        ("soixante-seize dix-sept", "fr", "7617"),
        ("the number is 12", "en", None),
        ("turn it on", "en", None),
        ("", "en", None),
    ],
)
def test_a_number_alone_is_heard_in_words(text, language, number) -> None:
    assert number_alone(text, language) == number


def test_words_that_stand_beside_a_number() -> None:
    beside = frozenset({"the", "pin", "is"})
    assert number_alone("The PIN is 4711.", "en", beside) == "4711"
    assert number_alone("The PIN is not 4711.", "en", beside) is None
    assert number_alone("The PIN is", "en", beside) is None


def steps(text: str, most: float) -> int:
    """Return how many lines run to find the numbers of a text; fails beyond `most`."""
    count = 0

    def count_line(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        assert count <= most, "it takes far more steps than the text is longer"
        return count_line

    before = sys.gettrace()
    sys.settrace(count_line)
    try:
        numbers_within(text, "en", shortest=4, longest=8)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("said", ["1 ", "12 ", "one ", "eins ", "99999999 ", "quatre vingt "])
def test_ten_times_the_digits_take_ten_times_the_steps(said: str) -> None:
    few = steps(said * 300, math.inf)

    assert few * 9 < steps(said * 3000, few * 11) < few * 11


@pytest.mark.parametrize("size", [18_000, 100_000])
def test_many_digits_are_heard_to_the_end(size: int) -> None:
    found = numbers_within("1 " * (size // 2 - 4) + "4 7 1 1", "en", shortest=4, longest=4)

    assert set(found) == {"1111", "1114", "1147", "1471", "4711"}


def test_numbers_within_a_text_are_all_that_neighbours_form() -> None:
    found = numbers_within("at 7 4 7 1 1 o'clock", "en", shortest=4, longest=5)
    assert {"7471", "4711", "74711"} <= set(found)
    assert not numbers_within("4 lamps 7 fans 1 door 1", "en", shortest=4, longest=8)
