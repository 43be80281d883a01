"""A family house of 322 entities, and 60 commands that each reach many of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from homeassistant.util import slugify

FLOORS: Final = ("Cellar", "Ground floor", "First floor", "Outside")
_ROOMS: Final = {
    "Cellar": ("Laundry", "Hobby room", "Boiler room", "Store"),
    "Ground floor": ("Kitchen", "Living room", "Dining room", "Hall", "Grandpa's room", "Guest"),
    "First floor": ("Bedroom", "Nursery", "Office", "Bathroom", "Gallery"),
    "Outside": ("Garden", "Terrace", "Garage"),
}
_FURNITURE: Final = """
light: Ceiling light | Wall light | Floor lamp | Shelf light | Reading lamp
switch: Corner plug =outlet | Desk plug | Window plug =outlet
cover: Blind =blind | Curtain =curtain
media_player: Speaker
climate: Thermostat
sensor: Temperature | Humidity
binary_sensor: Motion =motion
"""
"""What stands in each room."""

_SPECIAL: Final = """
Laundry: switch Washing Machine | switch Tumble Dryer | switch Iron !heat
Laundry: switch Sump Pump !security_off | valve Main Water Valve !open
Store: switch Gefrierschrank !food | switch Congélateur =outlet !food | switch Wine Cooler !food
Store: switch Netzwerkschrank !network | switch Home Server =outlet !network
Hobby room: switch 3D Printer | switch Soldering Iron !heat | switch Treadmill =outlet
Hobby room: switch Sauna !heat | switch Aquariumpumpe =outlet !life
Kitchen: switch Fridge =outlet !food | switch Coffee Machine | switch Dishwasher
Kitchen: switch Backofen !heat | switch Toaster =outlet !heat | fan Hood
Living room: switch Router Plug =outlet !network | switch Fish Tank !life | media_player TV
Living room: switch Christmas Tree | switch Heater Fan =outlet !heat
Hall: lock Front Door !unlock | alarm_control_panel Alarm !disarm | camera Hall Camera !security_off
Hall: switch Door Buzzer !unlock | siren Hallway Siren !security_off | switch Modem !network
Grandpa's room: switch Oxygen Concentrator =outlet !life | switch Beatmungsgerät !life
Grandpa's room: switch Electric Blanket =outlet !heat | switch 酸素濃縮器 !life
Nursery: switch Baby Monitor !life | switch Night Light =outlet | fan Ceiling Fan
Bedroom: switch CPAP =outlet !life | switch Air Purifier | media_player Bedroom TV
Office: switch NAS =outlet !network | switch Printer
Garden: switch Fountain | switch Sprinkler | cover Garden Gate =gate !open
Terrace: lock Terrace Door !unlock | switch Patio Heater !heat | camera Terrace Camera !security_off
Garage: cover Garage Door =garage !open | lock Side Door !unlock
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """One entity; `risk` is the risk class of its worst use, None if it is harmless."""

    domain: str
    name: str
    area: str
    floor: str
    kind: str | None = None
    """Its device class."""

    risk: str | None = None

    @property
    def entity_id(self) -> str:
        """The id it is registered with."""
        return f"{self.domain}.{slugify(f'{self.area} {self.name}')}"

    @property
    def starts_as(self) -> str:
        """The state before each command: everything is on, shut and armed."""
        return {
            "lock": "locked",
            "cover": "closed",
            "valve": "closed",
            "alarm_control_panel": "armed_away",
            "climate": "heat",
            "media_player": "playing",
            "sensor": "20",
        }.get(self.domain, "on")


def things() -> list[Thing]:
    """Return the 322 entities, always the same."""
    floors = {room: floor for floor, rooms in _ROOMS.items() for room in rooms}
    furniture = [line.partition(": ") for line in _FURNITURE.strip().splitlines()]
    special = [line.partition(": ") for line in _SPECIAL.strip().splitlines()]
    return [
        *(
            _parsed(f"{domain} {name}", room, floor)
            for room, floor in floors.items()
            for domain, _, names in furniture
            for name in names.split(" | ")
        ),
        *(
            _parsed(text, room, floors[room])
            for room, _, texts in special
            for text in texts.split(" | ")
        ),
    ]


def _parsed(text: str, area: str, floor: str) -> Thing:
    rest, _, risk = text.partition(" !")
    rest, _, kind = rest.partition(" =")
    domain, _, name = rest.partition(" ")
    return Thing(
        domain=domain, name=name, area=area, floor=floor, kind=kind or None, risk=risk or None
    )


OFF: Final = dict.fromkeys(("light", "switch", "media_player", "fan", "climate"), "turn_off")
ALL_OFF: Final = {**OFF, "camera": "turn_off", "siren": "turn_off", "cover": "close_cover"}
ON: Final = dict.fromkeys(("light", "switch", "media_player", "fan"), "turn_on")
_LIGHTS_AND_PLUGS: Final = {"light": "turn_off", "switch": "turn_off"}
_KINDS: Final = (
    {"light": "turn_off"},
    {"light": "turn_on"},
    {"switch": "turn_off"},
    {"switch": "turn_on"},
    {"media_player": "turn_off"},
    {"fan": "turn_off", "climate": "turn_off"},
    {"cover": "close_cover"},
    {"cover": "open_cover", "valve": "open_valve"},
    {"lock": "lock", "alarm_control_panel": "alarm_arm_away", "cover": "close_cover"},
    {"lock": "unlock", "alarm_control_panel": "alarm_disarm"},
    {"camera": "turn_off", "siren": "turn_off"},
)


@dataclass(frozen=True, slots=True)
class WideCommand:
    """One command of a person: the services it calls, and the entities it means."""

    says: str
    services: dict[str, str]
    """Domain -> service, in the order in which the model calls them."""

    means: Callable[[Thing], bool]

    def calls(self, home: list[Thing]) -> list[tuple[Thing, str]]:
        """Return each entity with the service that the command calls for it."""
        return [
            (thing, service)
            for domain, service in self.services.items()
            for thing in home
            if thing.domain == domain and self.means(thing)
        ]


def wide_commands() -> list[WideCommand]:
    """Return the 60 commands: rooms, floors, kinds, everything, and everything but some."""
    return [*_of_rooms(), *_of_floors(), *_of_kinds(), *_with_exceptions()]


def _in_area(area: str) -> Callable[[Thing], bool]:
    return lambda thing: thing.area == area


def _on_floor(floor: str) -> Callable[[Thing], bool]:
    return lambda thing: thing.floor == floor


def _of_rooms() -> Iterator[WideCommand]:
    for room in (room for rooms in _ROOMS.values() for room in rooms):
        yield WideCommand(f"switch off the {room}", OFF, _in_area(room))


def _of_floors() -> Iterator[WideCommand]:
    for floor in FLOORS:
        for says, services in (
            ("lights and plugs off", _LIGHTS_AND_PLUGS),
            ("everything off", ALL_OFF),
            ("plugs first, then lights off", {"switch": "turn_off", "light": "turn_off"}),
            ("everything on", ON),
            ("open the covers", {"cover": "open_cover"}),
        ):
            yield WideCommand(f"{floor}: {says}", services, _on_floor(floor))


def _of_kinds() -> Iterator[WideCommand]:
    for services in _KINDS:
        says = ", ".join(f"{service} every {domain}" for domain, service in services.items())
        yield WideCommand(says, services, lambda _: True)


def _with_exceptions() -> Iterator[WideCommand]:
    food = {"Fridge", "Gefrierschrank", "Congélateur", "Wine Cooler"}
    yield WideCommand(
        "every light and every plug but the fridge",
        _LIGHTS_AND_PLUGS,
        lambda thing: thing.name != "Fridge",
    )
    yield WideCommand("every plug but the cold", ALL_OFF, lambda thing: thing.name not in food)
    yield WideCommand("all off but upstairs", ALL_OFF, lambda thing: thing.floor != "First floor")
    yield WideCommand("all off but Grandpa's", OFF, lambda thing: "Grandpa" not in thing.area)
    yield WideCommand("all on but the outside", ON, lambda thing: thing.floor != "Outside")
    yield WideCommand("all outlets off", OFF, lambda thing: thing.kind == "outlet")
    yield WideCommand("everything off", ALL_OFF, lambda _: True)
    yield WideCommand("everything on", ON, lambda _: True)
    yield WideCommand("all off, doors open", {**OFF, "lock": "unlock"}, lambda _: True)
    yield WideCommand("doors open, all off", {"lock": "unlock", **OFF}, lambda _: True)
    yield WideCommand("all but the harmless", OFF, lambda thing: thing.risk is not None)
