"""The words of a language for capabilities, kinds and states."""

from collections.abc import Mapping
from typing import Final

from homeassistant.core import HomeAssistant, split_entity_id

from .everyday_words import EVERYDAY_WORDS
from .translations import ENGLISH, Texts
from .words import is_empty_word, words

type Synonyms = Mapping[str, frozenset[str]]
"""Folded word -> capabilities (`light`, `cover.blind`) and states (`state:on`) it means."""

_SHORT_NAMES: Final = frozenset({"tv", "ac", "on", "an"})


class Vocabulary:
    """Learns words from the translations of Home Assistant."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Make a vocabulary that knows everyday words only, until a language is loaded."""
        self._hass = hass
        self._everyday = _everyday()
        self._known: dict[str, tuple[frozenset[str], Synonyms]] = {}

    async def async_warm(self, language: str) -> None:
        """Load the words of a language for the kinds of entities there are."""
        domains = frozenset(
            split_entity_id(each)[0] for each in self._hass.states.async_entity_ids()
        )
        if self._known.get(language, (None, {}))[0] == domains:
            return
        found = {word: set(meant) for word, meant in self._everyday.items()}
        for spoken in dict.fromkeys((ENGLISH, language)):
            texts = Texts(self._hass, spoken)
            await texts.async_load(domains & self._hass.config.top_level_components)
            for domain in sorted(domains):
                _learn(found, domain, texts)
        learnt = {word: frozenset(meant) for word, meant in found.items()}
        self._known[language] = (domains, learnt)

    def synonyms(self, language: str) -> Synonyms:
        """Return the words of a language, with English; everyday words if it is not loaded."""
        return self._known.get(language, (None, self._everyday))[1]


def _everyday() -> Synonyms:
    found: dict[str, set[str]] = {}
    for meant, text in EVERYDAY_WORDS.items():
        _add(found, text, meant)
    return {word: frozenset(meant) for word, meant in found.items()}


def _learn(found: dict[str, set[str]], domain: str, texts: Texts) -> None:
    _add(found, texts.of_title(domain), domain)
    for kind, text in texts.kinds(domain).items():
        _add(found, text, domain if kind == "_" else f"{domain}.{kind}")
    for state, text in texts.labels_of_states(domain).items():
        if len(words(text)) == 1:
            _add(found, text, f"state:{state}")


def _add(found: dict[str, set[str]], text: str, meant: str) -> None:
    for word in words(text):
        is_state = meant.startswith("state:")
        if is_state or word in _SHORT_NAMES or (len(word) > 2 and not is_empty_word(word)):
            found.setdefault(word, set()).add(meant)
