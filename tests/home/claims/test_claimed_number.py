"""Claimed numbers, with units, signs and words, compared with actual numbers."""

import pytest

from custom_components.sage.home.claims.claimed_value import SHARE, is_same_number
from custom_components.sage.home.claims.number_words import load_numbers

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "ru", "ja", "ar")


@pytest.fixture(autouse=True, scope="module")
def words() -> None:
    for language in LANGUAGES:
        load_numbers(language)


@pytest.mark.parametrize(
    ("claimed", "actual", "unit"),
    [
        ("19.4 °F", 19.4, "°C"),
        ("19.4 F", 19.4, "°C"),
        ("19.4℉", 19.4, "°C"),
        ("19.4 degrees Fahrenheit", 19.4, "°C"),
        ("20 K", 20, "°C"),
        ("63 °C", 63, "%"),
        ("%63", 63, "°C"),
        ("63 %", 63, None),
        ("500 mW", 500, "W"),
        ("500 kW", 500, "W"),
        ("500 Wh", 500, "W"),
        ("1 kW", 500, "W"),
        ("0 kW", 450, "W"),
        ("5", -5, "°C"),
        ("-5", 5, "°C"),
        ("−5 °C", 5, "°C"),
        ("minus 5", 5, "°C"),
        ("fünf", -5, "°C"),
        ("19 - 20", 19.4, "°C"),
        ("20 °C (78 °F)", 20, "°C"),
        ("0", 0.3, SHARE),
        ("1", 0.3, SHARE),
        ("3 %", 0.3, SHARE),
        ("0.3 %", 0.3, SHARE),
        ("", 0, None),
        ("no number", 0, None),
        ("28.11.2026", 28, None),
    ],
)
def test_other_unit_or_sign_is_another_value(claimed, actual, unit) -> None:
    assert not is_same_number(claimed, actual, unit, "de")


@pytest.mark.parametrize(
    ("claimed", "actual", "unit"),
    [
        ("−5", -5, "°C"),
        ("-5 °C", -5, "°C"),
        ("minus 5", -5, "°C"),
        ("minus fünf Grad", -5, "°C"),
        ("67 °F", 19.4, "°C"),
        ("67 Fahrenheit", 19.4, "°C"),
        ("20.0 °C (68 °F)", 20, "°C"),
        ("293 K", 20, "°C"),
        ("19.4C", 19.4, "°C"),
        ("19.4℃", 19.4, "°C"),
        ("19,4", 19.4, "°C"),
        ("0.5 kW", 500, "W"),
        ("0.5 kw", 500, "W"),
        ("500 w", 500, "W"),
        ("1.013 bar", 1013, "hPa"),
        ("2 min", 120, "s"),
        ("12 m3", 12, "m³"),
        ("1,234 W", 1234, "W"),
        ("1.234,5 W", 1234.5, "W"),
        ("1 234 W", 1234, "W"),
        ("1.234", 1.234, None),
        ("30 %", 0.3, SHARE),
        ("30", 0.3, SHARE),
        ("0.3", 0.3, SHARE),
        ("thirty percent", 0.3, SHARE),
        ("%63", 63, "%"),
        # Words that are no unit of Home Assistant are ignored.
        ("63 Prozent", 63, "%"),
        ("19.4 Grad", 19.4, "°C"),
        ("20 Würfel", 20, None),
        ("about 20", 20.3, "°C"),
        ("ca. 20 °C", 20, "°C"),
        ("≈20", 20, "°C"),
        ("PM2.5: 12", 12, None),
    ],
)
def test_same_value_in_another_form(claimed, actual, unit) -> None:
    assert is_same_number(claimed, actual, unit, "de")


_TWENTY = {
    "en": "twenty degrees",
    "de": "zwanzig Grad",
    "fr": "vingt degrés",
    "es": "veinte grados",
    "it": "venti gradi",
    "nl": "twintig graden",
    "pl": "dwadzieścia stopni",
    "ru": "двадцать градусов",
    "ja": "二十度",
    "ar": "عشرون درجة",
}
_TWENTY_FIVE = {
    "en": "twenty-five degrees",
    "de": "fünfundzwanzig Grad",
    "fr": "vingt-cinq degrés",
    "es": "veinticinco grados",
    "it": "venticinque gradi",
    "nl": "vijfentwintig graden",
    "pl": "dwadzieścia pięć stopni",
    "ru": "двадцать пять градусов",
    "ja": "二十五度",
    "ar": "خمسة وعشرون درجة",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_number_in_words(language: str) -> None:
    twenty, more = _TWENTY[language], _TWENTY_FIVE[language]
    assert is_same_number(twenty, 20, "°C", language)
    assert is_same_number(more, 25, "°C", language)
    assert not is_same_number(twenty, 25, "°C", language)
    assert not is_same_number(more, 20, "°C", language)
    assert not is_same_number(twenty, -20, "°C", language)


@pytest.mark.parametrize(
    ("claimed", "actual", "is_same"),
    [
        ("nineteen point four", 19.4, True),
        ("nineteen", 19.4, True),
        ("twenty", 19.4, False),
        ("minus twenty", 20, False),
        ("one hundred twenty", 20, False),
        ("twenty °F", 20, False),
        ("twenty °C", 20, True),
    ],
)
def test_words_of_other_numbers(claimed: str, actual: float, is_same: bool) -> None:
    assert is_same_number(claimed, actual, "°C", "en") is is_same


@pytest.mark.parametrize("claimed", ["٢٠", "２０ 度", "٢٠٫٠ °C", "20度"])
def test_digits_of_other_scripts(claimed: str) -> None:
    assert is_same_number(claimed, 20, "°C", "ja")
    assert not is_same_number(claimed, 25, "°C", "ja")
