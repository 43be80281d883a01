"""Home Assistant's translations, and everyday words for kinds of devices and for states."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_cached_translations, async_get_translations

from ..text import content_words, fold, words
from .claims.number_words import async_load_numbers
from .commands.spoken_values import async_load_state_names
from .entities.actions import Subject
from .values import ENTITY_DOMAINS

ENGLISH: Final = "en"


class Texts:
    """Looks up Home Assistant's translations; call `async_load` before use."""

    def __init__(self, hass: HomeAssistant, language: str = ENGLISH) -> None:
        self._hass = hass
        self._language = language
        self._loaded: set[str] = set()

    async def async_load(self, integrations: Iterable[str]) -> None:
        """Load the texts of these domains and integrations."""
        # Home Assistant merges texts on the event loop: loading all at once would block it.
        for integration in sorted(set(integrations) - self._loaded):
            await async_get_translations(
                self._hass, self._language, "entity_component", {integration}
            )
            self._loaded.add(integration)
            await asyncio.sleep(0)

    def of(self, category: str, integration: str, *place: str) -> str:
        """Return the text `component.<integration>.<category>.<place>`; empty if there is none."""
        texts = async_get_cached_translations(self._hass, self._language, category, integration)
        return texts.get(".".join(("component", integration, category, *place)), "")

    def of_value(self, subject: Subject, name: str, value: object) -> str:
        """Return a value's label; empty if it repeats the value. No `name`: the state."""
        place = f"state_attributes.{name}.state.{value}" if name else f"state.{value}"
        domain, own = subject.domain, str(subject.translation_key)
        text = (
            self.of("entity", subject.integration, domain, own, place)
            or self.of("entity_component", domain, str(subject.device_class), place)
            or self.of("entity_component", domain, "_", place)
        )
        raw, letters = ("".join(filter(str.isalnum, fold(each))) for each in (str(value), text))
        return "" if letters == raw else text

    def states(self, subject: Subject) -> tuple[str, ...]:
        """Return the state values, such as `on`, translated for the device class, or the domain."""
        own = self.below(subject.domain, f"{subject.device_class}.state.")
        return tuple(own or self.below(subject.domain, "_.state."))

    def below(self, domain: str, place: str) -> dict[str, str]:
        """Return the texts of a domain's entities whose keys begin with `place`; without it.

        For example, `{"open": "Open"}` for the place `_.state.`.
        """
        category, start = "entity_component", f"component.{domain}.entity_component.{place}"
        texts = async_get_cached_translations(self._hass, self._language, category, domain)
        return {
            name.removeprefix(start): text for name, text in texts.items() if name.startswith(start)
        }


type Synonyms = Mapping[str, frozenset[str]]
"""Lower-case word -> capabilities (`light`, `cover.blind`), states (`state:on`), rooms (`AREA`)."""

NO_SYNONYMS: Final[Synonyms] = {}

AREA: Final = "area:"
"""Begins the meaning of a word for a room: "salon" -> `area:living room`."""

_SHORT_NAMES: Final = frozenset({"tv", "ac", "on", "an"})

_EVERYDAY_WORDS: Final[Mapping[str, str]] = json.loads(
    Path(__file__).with_name("everyday_words.json").read_text(encoding="utf-8")
)
"""Everyday words that Home Assistant's translations lack.

In German, Home Assistant calls a light `Leuchte`, but people say `Licht`. A key is `capability`,
`capability.kind` or `state:value`.
"""


class Vocabulary:
    """Words for kinds of devices and states, from Home Assistant's translations and SAGE's list."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with the everyday words; `async_prepare` adds the translations of a language."""
        self._hass = hass
        self._everyday: dict[str, frozenset[str]] = {}
        for meaning, text in _EVERYDAY_WORDS.items():
            _add(self._everyday, text, meaning)
        self._known: dict[str, tuple[int, Synonyms]] = {}  # language -> components, words

    async def async_prepare(self, language: str) -> None:
        """Load the names of kinds, states and numbers in a language, if something is new."""
        components = len(self._hass.config.components)
        if self._known.get(language, (None, {}))[0] == components:
            return
        domains = self._hass.config.top_level_components & ENTITY_DOMAINS
        found = dict(self._everyday)
        for spoken in dict.fromkeys((ENGLISH, language)):
            texts = Texts(self._hass, spoken)
            await texts.async_load(domains)
            for domain in sorted(domains):
                _learn(found, domain, texts)
        await self._async_learn_rooms(found, language)
        await async_load_state_names(self._hass, language)
        await async_load_numbers(self._hass, language)
        self._known[language] = (components, found)

    async def _async_learn_rooms(self, found: dict[str, frozenset[str]], language: str) -> None:
        """Learn what other languages call the rooms that Home Assistant creates, in one word."""
        spoken = dict.fromkeys((ENGLISH, self._hass.config.language, language))
        names = [
            await async_get_translations(self._hass, each, "area", {"onboarding"})
            for each in spoken
        ]
        for room in names[0]:
            rooms = {f"{AREA}{' '.join(words(own[room]))}" for own in names if room in own}
            for word in (each.removeprefix(AREA) for each in rooms):
                if " " not in word:
                    found[word] = found.get(word, frozenset()) | rooms

    def synonyms(self, language: str) -> Synonyms:
        """Return a dict: word -> its meanings, such as "lamp" -> `light`, "open" -> `state:open`.

        Call `async_prepare` first; otherwise Home Assistant's translations are missing.
        """
        return self._known.get(language, (None, self._everyday))[1]


def _learn(found: dict[str, frozenset[str]], domain: str, texts: Texts) -> None:
    _add(found, texts.of("title", domain), domain)
    for name, text in texts.below(domain, "").items():
        kind, _, place = name.partition(".")
        if place == "name":
            _add(found, text, domain if kind == "_" else f"{domain}.{kind}")
    for state, text in texts.below(domain, "_.state.").items():
        if len(words(text)) == 1:
            _add(found, text, f"state:{state}")


def _add(found: dict[str, frozenset[str]], text: str, meaning: str) -> None:
    telling = content_words(text)
    for word in words(text):
        is_state = meaning.startswith("state:")
        if is_state or word in _SHORT_NAMES or (len(word) > 2 and word in telling):
            found[word] = found.get(word, frozenset()) | {meaning}
