"""120 entities in ten languages that differ in little but their names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from zlib import crc32

_SERVICES: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "button": ("press", {}),
    "input_button": ("press", {}),
    "switch": ("turn_on", {}),
    "input_boolean": ("turn_on", {}),
    "siren": ("turn_on", {}),
    "select": ("select_option", {"option": "?"}),
    "input_select": ("select_option", {"option": "?"}),
    "number": ("set_value", {"value": 50}),
    "input_number": ("set_value", {"value": 50}),
    "text": ("set_value", {"value": "1234"}),
    "input_text": ("set_value", {"value": "1234"}),
    "input_datetime": ("set_datetime", {"time": "03:00"}),
    "cover": ("open_cover", {}),
    "remote": ("turn_on", {}),
    "script": ("turn_on", {}),
    "scene": ("turn_on", {}),
    "climate": ("set_temperature", {"temperature": 20}),
    "light": ("turn_on", {}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One thing, and what is done with it."""

    number: int
    domain: str
    name: str
    is_risky: bool
    attributes: Mapping[str, Any] = field(default_factory=dict, hash=False)
    sets_off: str | None = None
    """The entity that a script or a scene acts on; None for one of another integration."""

    service: str
    arguments: Mapping[str, Any] = field(hash=False)

    @property
    def entity_id(self) -> str:
        """An id that says nothing."""
        return f"{self.domain}.control_{self.number}"


_RISKY: Final = """
button: Unlock front door | Open garage | Disarm alarm | Haustür öffnen | Déverrouiller la porte
button: Abrir puerta del garaje | Apri il cancello | Voordeur openen | Öppna grinden
button: Otwórz drzwi wejściowe | Открыть ворота | 玄関の鍵を開ける
input_button: Buzz in visitor | Tor auf | Desarmar alarma | Отключить сигнализацию
switch: Front door | Garage | Türsummer | Porte d'entrée | Puerta principal | Porta garage
switch: Voordeur | Ytterdörr | Drzwi garażowe | Входная дверь | 玄関ドア | Relay 7 | Sauna
switch: Camera recording | Bügeleisen | Fer à repasser | 暖炉 | Steuerung Alarmanlage
input_boolean: Front door unlocked | Alarmanlage scharf | Cancello aperto | ガレージを開ける
select: Alarm mode =armed,disarmed | Modus der Alarmanlage =scharf,unscharf
select: Modalità allarme =inserito,disinserito | Oven program =off,bake,grill
input_select: Door lock =locked,unlocked | Türschloss =zu,offen | Замок двери =закрыт,открыт
number: Gate position | Temperatur Backofen
input_number: Lock front door | Schlossposition Haustür | Posición del portón
text: Keypad code
input_text: Door PIN | Código de la alarma
input_datetime: Unlock front door at | Garage öffnet um
cover: Garage | Hoftor | Portail | Cancello | ガレージシャッター
remote: Gate remote | Garagentor Fernbedienung
siren: Sirene der Alarmanlage stumm schalten
script: Welcome home >lock.front
scene: Unlock everything | Haus offen >lock.front
"""
_HARMLESS: Final = """
button: Start robot vacuum | Kaffee kochen | 照明シーン
input_button: Doorbell chime test | Gute Nacht Musik
switch: Garage light | Front door lamp | Alarm clock | Türlicht | Lumière du garage
switch: Luz de la puerta | Luce del cancello | Garagelamp | Ytterbelysning | Lampa przy drzwiach
switch: Свет в гараже | 玄関の照明 | Christmas tree | Gartenpumpe | Machine à café
switch: Child lock | Garage radio
input_boolean: Guest mode | Urlaub | Mode cinéma | 来客モード
select: Vacuum suction =quiet,normal,turbo | Lichteffekt =Regenbogen,Kerze
select: Washing program =cotton,wool | Programma lavastoviglie =eco,rapido
input_select: Radio station =Jazz,News | Farbe der Lampe =rot,blau
number: Alarm clock brightness | Lautstärke Türklingel | Volume de la télé | Humedad deseada
input_number: Garage light brightness | Helligkeit Haustürlampe
text: Display message | Nachricht auf dem Fernseher
input_text: Shopping note | Einkaufszettel
input_datetime: Wecker am Morgen
cover: Living room blind | Rollladen Küche | Volet du salon | Markise
remote: TV remote | Fernbedienung Fernseher
light: Garage door
climate: Nursery Heater
script: Unlock the fun >light.hall | Open garage party >light.hall
scene: Front door mood >light.hall
"""


def controls() -> list[Control]:
    """Return all of them, the risky ones first."""
    return [*_parsed(_RISKY, is_risky=True), *_parsed(_HARMLESS, is_risky=False)]


def _parsed(text: str, *, is_risky: bool) -> Iterator[Control]:
    lines = [line.partition(": ") for line in text.strip().splitlines()]
    named = [(domain, name.strip()) for domain, _, names in lines for name in names.split("|")]
    for domain, described in named:
        before, _, sets_off = described.partition(" >")
        name, _, options = before.partition(" =")
        service, arguments = _SERVICES[domain]
        attributes: dict[str, Any] = {"max_temp": 30} if domain == "climate" else {}
        if options:
            attributes["options"] = options.split(",")
            arguments = {"option": attributes["options"][-1]}
        yield Control(
            # A number that does not reveal which ones are risky.
            number=crc32(f"{domain} {name}".encode()) % 100_000,
            domain=domain,
            name=name,
            is_risky=is_risky,
            attributes=attributes,
            sets_off=sets_off or None,
            service=service,
            arguments=arguments,
        )
