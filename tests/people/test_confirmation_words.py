"""Yes and no, in many languages."""

import json
from pathlib import Path

import pytest

from custom_components.sage.people import confirmation_words as module
from custom_components.sage.people.confirmation_words import Said, confirmation_words, normalized

FILE = Path(module.__file__).with_suffix(".json")

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


EVERYWHERE = frozenset(
    {"el", "en", "fi", "fr", "he", "hi", "ja", "ko", "lt", "ta", "th", "tr", "vi", "zh"}
)
"""Languages in which the yes of `YES_AND_NO` is a word of no other language."""


@pytest.mark.parametrize("language", YES_AND_NO)
def test_yes_and_no_count_in_a_language_that_is_spoken_here(language: str) -> None:
    words = confirmation_words()
    yes, no = YES_AND_NO[language]
    for spoken in ((language,), ("is", language), ("lb", "is", language)):
        assert words.meaning(yes, *spoken) is Said.YES
        assert words.meaning(no, *spoken) is Said.NO
        assert words.meaning(f"{yes.rstrip('.。!')}?", *spoken) is Said.NEITHER
        assert words.meaning(f"{yes} {no}", *spoken) is Said.NEITHER


@pytest.mark.parametrize("language", YES_AND_NO)
def test_no_counts_in_any_language_and_yes_if_it_is_yes_everywhere(language: str) -> None:
    words = confirmation_words()
    yes, no = YES_AND_NO[language]
    for spoken in {"de", "is", "nl", "ro"} - {language}:
        assert words.meaning(no, spoken) is Said.NO
        if language in EVERYWHERE:
            assert words.meaning(yes, spoken) is Said.YES


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
        ("ja", "es", Said.NEITHER),
        ("ja ja ja", "es", Said.NEITHER),
        ("ja", "lb", Said.NEITHER),
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


def test_phrase_has_one_meaning_in_a_language() -> None:
    sections = json.loads(FILE.read_text(encoding="utf-8"))
    for language in sections["yes"]:
        listed = [
            normalized(phrase)
            for said in Said
            for phrase in sections[said].get(language, "").split(",")
            if phrase
        ]
        assert sorted(set(listed)) == sorted(listed), language


NATURAL_YES = {
    "en": (
        "of course",
        "For sure!",
        "please do",
        "sure thing",
        "yes of course",
        "Sure, go ahead.",
        "absolutely",
        "Oh yes, please do it",
        "yeah, do that",
        "alright",
        "yes yes",
        "by all means",
        "I'm sure",
        "go for it",
        "OK, do it please",
    ),
    "de": (
        "na klar",
        "mach das",
        "Ja, mach das bitte.",
        "natürlich",
        "Ja, natürlich!",
        "auf jeden Fall",
        "gern",
        "sehr gerne",
        "jawohl",
        "Jo, mach mal",
        "selbstverständlich",
        "okay, mach",
        "ja bitte, danke",
        "alles klar",
        "einverstanden",
    ),
    "fr": (
        "ouais",
        "bien sûr",
        "Oui, bien sûr !",
        "vas-y",
        "ok vas-y",
        "tout à fait",
        "volontiers",
        "oui oui",
        "d'accord, merci",
        "évidemment",
        "absolument",
        "ça marche",
        "oui, fais-le s'il te plaît",
        "c'est bon",
        "Mais oui !",
        "bah oui",
    ),
    "es": ("claro", "claro que sí", "por supuesto", "dale", "sí, claro", "venga, hazlo", "vale"),
    "it": ("certo", "sì certo", "va bene", "certamente", "sì, fallo pure", "volentieri", "vai"),
    "nl": ("natuurlijk", "jazeker", "doe maar", "prima", "ja, natuurlijk", "is goed", "oké"),
    "sv": ("jo", "javisst", "självklart", "absolut", "ja, gör det", "okej", "visst"),
    "da": ("jo", "ja tak", "selvfølgelig", "gør det bare", "ja, gerne", "jo da", "okay"),
    "nb": ("jo", "ja, gjerne", "selvfølgelig", "greit", "helt klart", "ok, gjør det"),
    "pl": ("jasne", "oczywiście", "tak, proszę", "pewnie", "tak, zrób to", "dobrze"),
    "pt": ("claro", "claro que sim", "com certeza", "pode", "sim, por favor", "tudo bem"),
    "cs": ("jasně", "samozřejmě", "určitě", "ano, prosím", "jo"),
    "fi": ("joo", "totta kai", "tietysti", "kyllä kiitos", "tee niin"),
    "tr": ("tabii ki", "elbette", "evet, lütfen", "tamam"),
    "ru": ("конечно", "да, конечно", "давай", "ладно", "хорошо, сделай"),
    "uk": ("звичайно", "так, звісно", "добре"),
    "hu": ("persze", "igen, kérem", "természetesen"),
    "ro": ("sigur că da", "desigur", "bineînțeles"),
    "el": ("φυσικά", "βεβαίως", "ναι, παρακαλώ"),
    "ja": ("もちろん", "はい、お願いします", "いいよ"),
    "ko": ("물론이죠", "네, 해 주세요"),
    "zh": ("当然", "好的，可以", "没问题"),
}

NATURAL_NO = {
    "en": (
        "nope",
        "never mind",
        "no way",
        "please don't",
        "not now",
        "I'd rather not",
        "of course not",
        "no no no",
        "forget it",
        "no, leave it",
        "Oh no, stop!",
    ),
    "de": (
        "lieber nicht",
        "Nein, lieber nicht.",
        "auf keinen Fall",
        "lass mal",
        "nein danke",
        "jetzt nicht",
        "vergiss es",
        "bitte nicht",
        "natürlich nicht",
        "nee, lass es",
        "bloß nicht",
    ),
    "fr": (
        "laisse tomber",
        "surtout pas",
        "non non",
        "pas question",
        "bien sûr que non",
        "pas maintenant",
        "non merci",
        "plutôt pas",
        "nan",
    ),
    "es": ("claro que no", "mejor no", "déjalo", "no, gracias", "ahora no"),
    "it": ("lascia stare", "certo che no", "meglio di no", "no grazie", "niente affatto"),
    "nl": ("liever niet", "laat maar", "nee, bedankt", "zeker niet", "natuurlijk niet"),
    "sv": ("helst inte", "låt bli", "nej tack", "absolut inte", "inte nu"),
    "da": ("helst ikke", "lad være", "nej tak", "glem det"),
    "nb": ("helst ikke", "la være", "nei, takk", "glem det"),
    "pl": ("lepiej nie", "nie, dziękuję", "nie trzeba", "oczywiście że nie"),
    "pt": ("melhor não", "deixa pra lá", "claro que não", "agora não"),
    "cs": ("raději ne", "nech to být", "určitě ne"),
    "fi": ("ei kiitos", "mieluummin ei", "anna olla"),
    "ru": ("лучше не надо", "ни в коем случае", "нет, спасибо", "конечно нет"),
    "ja": ("やめて", "いいえ、結構です"),
    "zh": ("不用了", "算了"),
}


@pytest.mark.parametrize(
    ("said", "replies"), [(Said.YES, NATURAL_YES), (Said.NO, NATURAL_NO)], ids=["yes", "no"]
)
def test_everyday_replies_count_in_their_language(said, replies) -> None:
    words = confirmation_words()
    judged = {
        (language, reply): words.meaning(reply, language)
        for language, listed in replies.items()
        for reply in listed
    }
    assert {reply for reply, meaning in judged.items() if meaning is not said} == set()


FALSE_FRIENDS = {
    "es": "¡Ya!|ya, ya|ja|¡Ja, ja, ja!|jo|da|prima|Prima Donna|sim|fallo|ano|tak|oo|visst|vai",
    "it": "da|vale|vale la pena|prima|prima o poi|po|ano|ja|dai|ma dai|Absolut|tak|mach|boh",
    "de": "da|Da!|prima|Po|ano|sim|vale|oo|ya|bai|si|tak|claro|Nivea|iste|adelante",
    "fr": "si|da|sim|ja|vale|ano|prima|tak|claro|mach|po|oo|ah bon|euh",
    "en": "da|si|sim|ja|ya|vale|Dale|tak|mach 2|prima|bai|Absolut|jo|oo|Gern|ano|haha|huh",
    "pt": "já|ja|da|ano|prima|si|ya|po|tak|vai|oo|dale",
    "pl": "ja|da|po|jo|si|ano|prima|mach|no to|ojej",
    "nl": "tak|po|da|mach|si|ano|sim|bai|vale|claro",
    "sv": "tak|igen|klar|si|da|vale|prima|ano|oj",
    "da": "tak|igen|klar|da|si|po|vale|prima|nå",
    "nb": "tak|klar|da|si|igen|prima",
    "fi": "ja|vale|tak|da|si|niin",
    "tr": "ya|da|ok|ha ha|si|ja|tak|bai",
    "cs": "tak|po|da|si|já|ja|prima",
    "hr": "ja|po|si|tak|ano",
    "hu": "da|si|tak|jo napot|vale",
    "ro": "si|vale|ja|ano|tak|bai mare",
    "id": "prima|ja|da|si",
    "ru": "так|ну|ха-ха|па",
    "fil": "ano|po|ya",
}
"""Language of the sentence -> words that mean yes in other languages, and words for no answer."""


def test_yes_of_a_language_that_nobody_speaks_here_is_none() -> None:
    words = confirmation_words()
    heard = [
        (language, reply)
        for language, listed in FALSE_FRIENDS.items()
        for reply in listed.split("|")
    ]
    assert len(heard) >= 92
    assert [said for said in heard if words.meaning(said[1], said[0], "en") is Said.YES] == []


@pytest.mark.parametrize(
    ("word", "language", "household"),
    [
        ("ja", "es", "de"),
        ("vale", "it", "es"),
        ("ya", "es", "id"),
        ("da", "de", "ro"),
        ("po", "nl", "sq"),
        ("si", "fr", "it"),
        ("igen", "sv", "hu"),
        ("ja", "pl", "de"),
    ],
)
def test_the_language_of_the_sentence_comes_before_that_of_the_household(
    word: str, language: str, household: str
) -> None:
    words = confirmation_words()
    assert words.meaning(word, language, household) is Said.NEITHER
    assert words.meaning(word, household) is Said.YES


MIXED = (
    ("en", "yes but only the front door"),
    ("en", "no wait yes"),
    ("en", "yes, if it is not raining"),
    ("en", "yes no"),
    ("en", "sure, why not the garage"),
    ("en", "ok, never mind"),
    ("en", "yeah right"),
    ("en", "not sure"),
    ("en", "please"),
    ("en", "oh well"),
    ("de", "ja, aber nur kurz"),
    ("de", "ja nein"),
    ("de", "na ja"),
    ("de", "ja, wenn niemand da ist"),
    ("de", "bitte"),
    ("de", "nicht sicher"),
    ("de", "ich bin nicht sicher"),
    ("de", "ja bitte nicht"),
    ("fr", "oui mais pas le garage"),
    ("fr", "oui, si tu veux"),
    ("fr", "oui non"),
    ("fr", "ah oui"),
    ("fr", "pas sûr, oui"),
    ("es", "sí, pero no"),
    ("es", "si no"),
    ("it", "sì, ma solo oggi"),
    ("nl", "ja maar niet nu"),
    ("sv", "ja men inte nu"),
    ("pl", "tak, ale nie teraz"),
    ("ru", "да нет"),
    ("ru", "да нет, наверное"),
)


@pytest.mark.parametrize(("language", "reply"), MIXED)
def test_yes_with_other_words_is_no_plain_yes(language: str, reply: str) -> None:
    assert confirmation_words().meaning(reply, language, "en") is Said.NEITHER
