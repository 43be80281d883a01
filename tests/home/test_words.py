"""Words: what counts as the same word."""

import pytest

from custom_components.sage.helpers.slices import in_one_go
from custom_components.sage.home.words import (
    WordIndex,
    content_words,
    fold,
    forms,
    key,
    slips,
    weigh,
    words,
)


def index_of(*documents: str) -> WordIndex:
    return in_one_go(WordIndex.build([weigh([(1.0, [text])]) for text in documents]))


def test_case_accents_and_separators_make_no_difference():
    assert key("Kitchen-Light") == key("kitchen_light") == key("  KITCHEN light ")
    assert fold("Küche Éclairage Straße") == "kuche eclairage strasse"
    assert words("客厅 灯") == ("客厅", "灯")


def test_words_that_name_nothing_are_left_out():
    assert content_words("Turn on the lamp next to the sofa, please") == ("lamp", "sofa")
    assert content_words("Schalte bitte das Licht in der Küche ein") == ("licht", "kuche")
    assert content_words("lamp 2") == ("lamp", "2")


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
def test_plurals_meet_their_singular(one, other):
    assert not forms(one).isdisjoint(forms(other))


def test_different_words_have_no_form_in_common():
    assert forms("fan").isdisjoint(forms("van"))
    assert forms("bed").isdisjoint(forms("bedroom"))


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [("light", "light", 0), ("ligth", "light", 1), ("celing", "ceiling", 1), ("a", "abc", 2)],
)
def test_slips_are_counted(one, other, count):
    assert slips(one, other) == count


def test_the_same_word_is_worth_most_and_another_form_a_little_less():
    index = index_of("Ceiling lights", "Floor lamp")
    assert index.hits("lights") == {0: 1.0}
    assert 0.9 < index.hits("light")[0] < 1.0
    assert index.knows("lamps")
    assert not index.knows("tv")


def test_a_compound_is_found_by_its_last_part_and_by_its_whole():
    index = index_of("Deckenlicht", "Küche", "Heizung")
    assert 0 in index.hits("licht")
    assert set(index.hits("kuchenlicht")) == {1}
    assert set(index.hits("kuchenheizung")) == {1, 2}


def test_a_slip_of_the_keyboard_is_forgiven_but_not_in_short_words():
    index = index_of("Ceiling light", "Fan")
    assert set(index.hits("celing")) == {0}
    assert index.hits("fon") == {}
    assert index.hits("wardrobe") == {}


def test_a_document_keeps_the_heaviest_weight_of_a_word():
    weighed = weigh([(1.0, ["Kitchen light"]), (0.5, ["Kitchen"])])
    assert weighed == {"kitchen": 1.0, "light": 1.0}
    index = in_one_go(WordIndex.build([{"kitchen": 0.5}]))
    assert index.hits("kitchen") == {0: 0.5}
