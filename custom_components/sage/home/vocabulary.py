"""Home Assistant's translations, and everyday words for kinds of devices and for states."""

import asyncio
from collections.abc import Iterable, Mapping
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

    def is_loaded(self, integrations: Iterable[str]) -> bool:
        """Return whether the texts of these integrations are loaded."""
        return self._loaded.issuperset(integrations)

    def of_action(self, domain: str, action: str) -> str:
        """Return the description of an action; empty if there is none."""
        found = self._category("services", domain)
        return found.get(f"component.{domain}.services.{action}.description", "")

    def of_field(self, domain: str, action: str, field: str) -> str:
        """Return the description of a field of an action; empty if there is none."""
        found = self._category("services", domain)
        return found.get(f"component.{domain}.services.{action}.fields.{field}.description", "")

    def of_kind(self, domain: str, device_class: str | None) -> str:
        """Return the name of a device class, e.g. `Garage door`; for None, that of the domain."""
        found = self._category("entity_component", domain)
        return found.get(f"component.{domain}.entity_component.{device_class or '_'}.name", "")

    def of_title(self, domain: str) -> str:
        """Return the title of an integration; empty if there is none."""
        return self._category("title", domain).get(f"component.{domain}.title", "")

    def of_value(self, subject: Subject, name: str, value: object) -> str:
        """Return a value's label; empty if it repeats the value. No `name`: the state."""
        place = f"state_attributes.{name}.state" if name else "state"
        text = self._of_entity(subject, f"{place}.{value}")
        raw, letters = ("".join(filter(str.isalnum, fold(each))) for each in (str(value), text))
        return "" if letters == raw else text

    def states(self, subject: Subject) -> tuple[str, ...]:
        """Return the state values, such as `on`, translated for the device class, or the domain."""
        own = self._below(subject.domain, f"{subject.device_class}.state.")
        return tuple(own or self._below(subject.domain, "_.state."))

    def kinds(self, domain: str) -> dict[str, str]:
        """Return the names of device classes, `{"garage": "Garage door"}`; `_`: of the domain."""
        texts = self._below(domain, "")
        return {
            name.removesuffix(".name"): text
            for name, text in texts.items()
            if name.endswith(".name") and name.count(".") == 1
        }

    def labels_of_states(self, domain: str) -> dict[str, str]:
        """Return state labels without device class, e.g. `{"open": "Open"}`."""
        return self._below(domain, "_.state.")

    def _below(self, domain: str, place: str) -> dict[str, str]:
        """Return the texts of a domain's entities whose keys begin with `place`; without it."""
        start = f"component.{domain}.entity_component.{place}"
        found = self._category("entity_component", domain)
        return {
            name.removeprefix(start): text for name, text in found.items() if name.startswith(start)
        }

    def _of_entity(self, subject: Subject, place: str) -> str:
        if subject.translation_key:
            found = self._category("entity", subject.integration)
            start = f"component.{subject.integration}.entity.{subject.domain}"
            if text := found.get(f"{start}.{subject.translation_key}.{place}"):
                return text
        found = self._category("entity_component", subject.domain)
        start = f"component.{subject.domain}.entity_component"
        return (
            found.get(f"{start}.{subject.device_class}.{place}")
            or found.get(f"{start}._.{place}")
            or ""
        )

    def _category(self, category: str, integration: str) -> Mapping[str, str]:
        return async_get_cached_translations(self._hass, self._language, category, integration)


type Synonyms = Mapping[str, frozenset[str]]
"""Lower-case word -> capabilities (`light`, `cover.blind`) and states (`state:on`)."""

NO_SYNONYMS: Final[Synonyms] = {}

_SHORT_NAMES: Final = frozenset({"tv", "ac", "on", "an"})

_EVERYDAY_WORDS: Final[Mapping[str, str]] = {
    "alarm_control_panel": "alarm alarmanlage alarme",
    "binary_sensor.door": "door tür porte",
    "binary_sensor.motion": "motion movement bewegung bewegungsmelder mouvement",
    "binary_sensor.window": "window fenster fenêtre",
    "button": "button taste knopf bouton",
    "camera": "camera kamera caméra",
    "climate": (
        "thermostat heating heater heat radiator aircon hvac heizung klimaanlage heizkörper "
        "chauffage climatiseur radiateur"
    ),
    "cover": "blind shutter curtain shade rollo rollladen jalousie vorhang volet store rideau",
    "cover.garage": "garage garagentor",
    "fan": "fan ventilator ventilateur lüfter",
    "humidifier": "humidifier luftbefeuchter humidificateur",
    "input_select": "select mode auswahl",
    "lawn_mower": "mower lawnmower rasenmäher mähroboter tondeuse",
    "light": (
        "light lamp lighting bulb lantern licht lichter lampe leuchte beleuchtung birne "
        "lumière éclairage ampoule"
    ),
    "lock": "lock schloss türschloss serrure verrou",
    "media_player": "music musik musique player radio media",
    "media_player.speaker": "speaker lautsprecher box enceinte",
    "media_player.tv": "tv television telly fernseher fernsehen glotze télé télévision téléviseur",
    "scene": "scene szene stimmung scène ambiance",
    "script": "script skript routine",
    "sensor.battery": "battery batterie akku pile",
    "sensor.energy": "energy energie énergie",
    "sensor.humidity": "humidity feuchtigkeit luftfeuchtigkeit humidité",
    "sensor.power": "power consumption strom stromverbrauch verbrauch consommation",
    "sensor.temperature": "temperature warm cold temperatur température",
    "siren": "siren sirene sirène",
    "switch": "switch schalter interrupteur",
    "switch.outlet": "outlet socket plug steckdose prise",
    "todo": "list shopping todo liste einkaufsliste courses",
    "vacuum": "vacuum hoover robot staubsauger saugroboter sauger aspirateur",
    "valve": "valve ventil vanne",
    "water_heater": "boiler geyser warmwasser chauffe",
    "weather": "weather wetter météo",
    "state:closed": "closed shut zu geschlossen fermé fermée",
    "state:locked": "locked verschlossen abgeschlossen verrouillé",
    "state:off": "off aus ausgeschaltet abgeschaltet éteint éteinte",
    "state:on": "on lit an ein eingeschaltet angeschaltet allumé allumée",
    "state:open": "open offen geöffnet auf ouvert ouverte",
    "state:paused": "paused pausiert angehalten",
    "state:playing": "playing läuft spielt joue",
    "state:unlocked": "unlocked aufgeschlossen unverschlossen déverrouillé",
}
"""Everyday words that Home Assistant's translations lack.

In German, Home Assistant calls a light `Leuchte`, but people say `Licht`. A key is `capability`,
`capability.kind` or `state:value`.
"""


class Vocabulary:
    """Words for kinds of devices and states, from Home Assistant's translations and SAGE's list."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with the everyday words; `async_warm` adds the translations of a language."""
        self._hass = hass
        self._everyday = _everyday()
        self._known: dict[str, tuple[frozenset[str], Synonyms]] = {}
        self._prepared: dict[str, int] = {}  # language -> number of components when it was loaded

    async def async_prepare(self, language: str) -> None:
        """Load the names of kinds, states and numbers in a language, if something is new."""
        components = len(self._hass.config.components)
        if self._prepared.get(language) == components:
            return
        await self.async_warm(language)
        await async_load_state_names(self._hass, language)
        await async_load_numbers(self._hass, language)
        self._prepared[language] = components

    async def async_warm(self, language: str) -> None:
        """Load Home Assistant's translations in a language for the domains that are set up."""
        domains = frozenset(self._hass.config.top_level_components & ENTITY_DOMAINS)
        if self._known.get(language, (None, {}))[0] == domains:
            return
        found = {word: set(meaning) for word, meaning in self._everyday.items()}
        for spoken in dict.fromkeys((ENGLISH, language)):
            texts = Texts(self._hass, spoken)
            await texts.async_load(domains)
            for domain in sorted(domains):
                _learn(found, domain, texts)
        learnt = {word: frozenset(meaning) for word, meaning in found.items()}
        self._known[language] = (domains, learnt)

    def synonyms(self, language: str) -> Synonyms:
        """Return a dict: word -> its meanings, such as "lamp" -> `light`, "open" -> `state:open`.

        Call `async_warm` first; otherwise Home Assistant's translations are missing.
        """
        return self._known.get(language, (None, self._everyday))[1]


def _everyday() -> Synonyms:
    found: dict[str, set[str]] = {}
    for meaning, text in _EVERYDAY_WORDS.items():
        _add(found, text, meaning)
    return {word: frozenset(meaning) for word, meaning in found.items()}


def _learn(found: dict[str, set[str]], domain: str, texts: Texts) -> None:
    _add(found, texts.of_title(domain), domain)
    for kind, text in texts.kinds(domain).items():
        _add(found, text, domain if kind == "_" else f"{domain}.{kind}")
    for state, text in texts.labels_of_states(domain).items():
        if len(words(text)) == 1:
            _add(found, text, f"state:{state}")


def _add(found: dict[str, set[str]], text: str, meaning: str) -> None:
    telling = content_words(text)
    for word in words(text):
        is_state = meaning.startswith("state:")
        if is_state or word in _SHORT_NAMES or (len(word) > 2 and word in telling):
            found.setdefault(word, set()).add(meaning)
