"""Yes and no, in many languages."""

import pytest

from custom_components.sage.people.confirmation_words import (
    Said,
    confirmation_words,
    normalized,
)

YES_AND_NO = {
    "ar": ("نعم", "لا"),
    "bg": ("Да", "Не"),
    "bn": ("হ্যাঁ", "না"),
    "ca": ("Sí", "No"),
    "cs": ("Ano.", "Ne."),
    "da": ("Ja", "Nej tak"),
    "de": ("Ja, bitte!", "Nein."),
    "el": ("Ναι", "Όχι"),
    "en": ("Yes, please.", "No"),
    "es": ("Sí, por favor", "No, gracias"),
    "et": ("Jah", "Ei"),
    "fa": ("بله", "نه"),
    "fi": ("Kyllä", "Ei"),
    "fr": ("Oui, s\u2019il vous plaît !", "Non merci"),
    "he": ("כן", "לא"),
    "hi": ("हाँ", "नहीं"),
    "hr": ("Da", "Ne"),
    "hu": ("Igen", "Nem"),
    "id": ("Ya", "Tidak"),
    "it": ("Sì", "No"),
    "ja": ("はい。", "いいえ"),
    "ko": ("네", "아니요"),
    "lt": ("Taip", "Ne"),
    "lv": ("Jā", "Nē"),
    "nb": ("Ja takk", "Nei"),
    "nl": ("Ja, graag", "Nee"),
    "pt": ("Sim", "Não"),
    "ro": ("Da", "Nu"),
    "ru": ("Да", "Нет"),
    "sk": ("Áno", "Nie"),
    "sl": ("Da", "Ne"),
    "sr": ("Да", "Не"),
    "sv": ("Ja tack", "Nej"),
    "ta": ("ஆம்", "இல்லை"),
    "th": ("ใช่", "ไม่"),
    "tr": ("Evet", "Hayır"),
    "uk": ("Так", "Ні"),
    "vi": ("Vâng", "Không"),
    "zh": ("是的。", "不"),
}


@pytest.mark.parametrize("language", YES_AND_NO)
def test_yes_and_no_of_any_language_count_in_any(language: str) -> None:
    words = confirmation_words()
    yes, no = YES_AND_NO[language]
    for spoken in ("en", "de", "ja", "nl", language):
        assert words.meaning(yes, spoken) is Said.YES
        assert words.meaning(no, spoken) is Said.NO
        assert words.meaning(f"{yes.rstrip('.。!')}?", spoken) is Said.NEITHER
        assert words.meaning(f"{yes} {no}", spoken) is Said.NEITHER


@pytest.mark.parametrize(
    ("word", "language", "said"),
    [
        ("tak", "pl", Said.YES),
        ("tak", "ms", Said.NO),
        ("tak", "en", Said.NO),
        ("no", "pl", Said.NO),
        ("ne", "el", Said.NO),
        ("igen", "hu", Said.YES),
        ("igen", "sv", Said.NEITHER),
        ("jo", "lb", Said.YES),
        ("jo", "en", Said.NO),
        ("vale", "es", Said.YES),
        ("vale", "et", Said.NEITHER),
        ("nai", "el", Said.NEITHER),
    ],
)
def test_a_word_of_two_meanings_is_safe(word: str, language: str, said: Said) -> None:
    assert confirmation_words().meaning(word, language) is said


@pytest.mark.parametrize("text", ["है", "न हाँ", "हाथ", "ี", "", "bitte", "right", "-", "は い"])
def test_what_only_looks_like_a_yes_is_none(text: str) -> None:
    assert confirmation_words().meaning(text, "hi") is not Said.YES


def test_replies_are_compared_without_their_typography() -> None:
    assert normalized("  D\u2019ACCORD !! ") == "d'accord"
    assert normalized("Vas\u2011y") == "vas-y"
    assert normalized("\u2018Yes\u2019 \u200f") == "yes"
