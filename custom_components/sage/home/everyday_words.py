"""What people call kinds of things and states, where translations of Home Assistant fall short.

Home Assistant calls a light `Leuchte` in German; people say `Licht`. The keys
are capabilities, with their kind after a dot, and states after `state:`.
"""

from collections.abc import Mapping
from typing import Final

EVERYDAY_WORDS: Final[Mapping[str, str]] = {
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
