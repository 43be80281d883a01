"""Words: what counts as the same word, and what names nothing."""

import pytest

from custom_components.sage.text.tokens import (
    content_words,
    fold,
    forms,
    id_key,
    id_words,
    key,
    nearest,
    related,
    words,
)


def test_case_accents_and_separators_make_no_difference():
    assert key("Kitchen-Light") == key("kitchen_light") == key("  KITCHEN light ")
    assert fold("Küche Éclairage Straße") == "kuche eclairage strasse"
    assert fold("Łódź, Køkken, œuvre") == "lodz, kokken, oeuvre"
    assert key("…") == "…"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("客厅 灯", ["客厅", "灯"]),
        ("snow_plough", ["snow", "plough"]),
        ("ﬁlm ＡＢＣ", ["film", "abc"]),
        ("Любимая команда — «Динамо»", ["любимая", "команда", "динамо"]),
        ("मेरी चाय में चीनी नहीं", ["मेरी", "चाय", "में", "चीनी", "नहीं"]),
        ("がぎ", ["がぎ"]),
        ("l'été à la plage", ["l", "ete", "a", "la", "plage"]),
        ("😀 …", []),
        ("", []),
    ],
)
def test_a_word_consists_of_letters_digits_and_marks(text: str, expected: list[str]):
    assert list(words(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Turn on the lamp next to the sofa, please", ["lamp", "sofa"]),
        ("Schalte bitte das Licht in der Küche ein", ["licht", "kuche"]),
        ("Greta's birthday, don't forget!", ["greta", "birthday", "forget"]),
        ("the class of 1953 is in Paris", ["class", "1953", "paris"]),
        ("Was gibt's in der Küche? Weißwürste!", ["gibt", "kuche", "weisswurste"]),
        ("l'été à la plage, qu'est-ce que c'est", ["ete", "plage"]),
        ("the bin, my son's hat and the car", ["bin", "son", "hat", "car"]),
        ("What do you want me to do?", ["want"]),
        ("bus B at 7", ["bus", "7"]),
        ("lamp 2 near lamp 3", ["lamp", "2", "lamp", "3"]),
        ("猫", ["猫"]),
    ],
)
def test_words_that_name_nothing_are_left_out(text: str, expected: list[str]):
    assert list(content_words(text)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lights", "light"),
        ("switches", "switch"),
        ("batteries", "battery"),
        ("lampen", "lampe"),
        ("lichter", "licht"),
        ("kueche", "kuche"),
        ("fenetres", "fenetre"),
        ("tvs", "tv"),
    ],
)
def test_a_plural_and_its_singular_are_related(one: str, other: str):
    assert not forms(one).isdisjoint(forms(other))
    assert one in related(other)
    assert other in related(one)


@pytest.mark.parametrize(("one", "other"), [("fan", "van"), ("bed", "bedroom"), ("tv", "tve")])
def test_different_words_are_not_related(one: str, other: str):
    assert forms(one).isdisjoint(forms(other))
    assert one not in related(other)


def test_the_nearest_names_have_a_similar_spelling_whatever_their_case():
    assert nearest("SETLEVEL", ["setColor", "setLevel", "on"])[0] == "setLevel"
    assert nearest("waesche", ["Wäsche", "Baumwolle"]) == ("Wäsche",)
    assert nearest("abcabc", ["abcabd", "abcabe", "abcabf"], 2) != ()
    assert len(nearest("abcabc", ["abcabd", "abcabe", "abcabf"], 2)) == 2
    assert nearest("oven", ["light", "fan"]) == ()


def test_identifiers_are_split_into_words():
    assert id_words("samsungce.dishwasherWashingCourse") == ("dishwasher", "washing", "course")
    assert id_words("TVChannel_2") == ("tv", "channel", "2")


def test_the_spelling_of_an_identifier_makes_no_difference():
    assert id_key("setTvChannel") == id_key("set_tv_channel") == id_key("Set TV channel")
    assert id_key("main.switch") != id_key("mainswitch")
    assert id_key("温度") != id_key("湿度")
