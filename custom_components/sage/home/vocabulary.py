"""Words for kinds of devices and for states in a language, such as "lamp" for `light`."""

from collections.abc import Mapping
from typing import Final

from homeassistant.core import HomeAssistant, split_entity_id

from ..text.words import STOP_WORDS, words
from .entities.translations import ENGLISH, Texts

type Synonyms = Mapping[str, frozenset[str]]
"""Lower-case word -> capabilities (`light`, `cover.blind`) and states (`state:on`)."""

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
    """Words for kinds of devices and for states, by language.

    They come from Home Assistant's translations and from SAGE's own list of everyday words.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with the everyday words; `async_warm` adds the translations of a language."""
        self._hass = hass
        self._everyday = _everyday()
        self._known: dict[str, tuple[frozenset[str], Synonyms]] = {}

    async def async_warm(self, language: str) -> None:
        """Load Home Assistant's translations in a language for the domains in this home."""
        domains = frozenset(
            split_entity_id(each)[0] for each in self._hass.states.async_entity_ids()
        )
        if self._known.get(language, (None, {}))[0] == domains:
            return
        found = {word: set(meaning) for word, meaning in self._everyday.items()}
        for spoken in dict.fromkeys((ENGLISH, language)):
            texts = Texts(self._hass, spoken)
            await texts.async_load(domains & self._hass.config.top_level_components)
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
    for word in words(text):
        is_state = meaning.startswith("state:")
        if is_state or word in _SHORT_NAMES or (len(word) > 2 and word not in STOP_WORDS):
            found.setdefault(word, set()).add(meaning)
