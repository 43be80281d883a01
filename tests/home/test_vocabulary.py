"""Vocabulary: the words of a language for kinds and states."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from custom_components.sage.home.vocabulary import Vocabulary
from custom_components.sage.text.tokens import fold


@pytest.fixture
async def vocabulary(hass: HomeAssistant) -> Vocabulary:
    for domain in ("cover", "light", "vacuum"):
        assert await async_setup_component(hass, domain, {})
    return Vocabulary(hass)


def test_everyday_words_are_known_without_any_language(hass):
    synonyms = Vocabulary(hass).synonyms("xx")
    assert "light" in synonyms["lampe"]
    assert "light" in synonyms[fold("lumière")]
    assert "media_player.tv" in synonyms["fernseher"]
    assert synonyms["aus"] == {"state:off"}


async def test_words_come_from_the_translations_of_home_assistant(vocabulary):
    await vocabulary.async_prepare("de")
    german = vocabulary.synonyms("de")
    assert "cover.awning" in german["markise"]
    assert "light" in german["leuchte"]
    assert "vacuum" in german["staubsauger"]
    assert "state:open" in german[fold("geöffnet")]
    assert "cover.awning" in german["awning"]  # people mix in English
    assert "markise" not in vocabulary.synonyms("fr")


async def test_other_languages_work_without_code_of_ours(vocabulary):
    await vocabulary.async_prepare("it")
    assert "light" in vocabulary.synonyms("it")["luce"]


async def test_new_kinds_of_entities_are_learnt(hass, vocabulary):
    await vocabulary.async_prepare("de")
    before = vocabulary.synonyms("de")
    await vocabulary.async_prepare("de")
    assert vocabulary.synonyms("de") is before
    assert await async_setup_component(hass, "water_heater", {})
    await vocabulary.async_prepare("de")
    assert "warmwasserbereiter" not in before
    assert "water_heater" in vocabulary.synonyms("de")["warmwasserbereiter"]
