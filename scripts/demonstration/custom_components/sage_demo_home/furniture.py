"""The demo home: rooms, appliances, and the state in which it starts.

Everything that a reader may want to know or change about the home is in this file; what a kind of
thing can do is in `pieces.py`, and a scene and scripts are in `around.yaml`.
"""

from .model import Appliance
from .pieces import (
    COLOURS,
    DIMMABLE,
    ON_OFF,
    WHITES,
    alarm,
    appliance,
    boiler,
    button,
    contact,
    fan,
    garage_door,
    humidifier,
    light,
    lock,
    phase,
    program,
    sensor,
    shade,
    siren,
    speaker,
    switch,
    target,
    television,
    thermostat,
    todo,
    vacuum,
    valve,
)

ROOMS: dict[str, dict[str, str]] = {
    "Ground Floor": {
        "Kitchen": "mdi:silverware-fork-knife",
        "Living Room": "mdi:sofa",
        "Hallway": "mdi:door-open",
        "Garage": "mdi:garage",
        "Garden": "mdi:flower",
    },
    "First Floor": {
        "Bedroom": "mdi:bed-double",
        "Bathroom": "mdi:shower",
        "Office": "mdi:desk",
    },
}
"""Floor to its areas and their icons."""

APPLIANCES: tuple[Appliance, ...] = (
    appliance(
        "Kitchen", "Kitchen Light", "Signify", "LWB010", light("light.kitchen_light", DIMMABLE)
    ),
    appliance("Kitchen", "Coffee Maker", "Moccamaster", "KBG", switch("switch.coffee_maker")),
    appliance(
        "Kitchen",
        "Fridge",
        "Samsung",
        "RF28",
        contact("binary_sensor.fridge_door", "door", name="Door"),
        sensor("sensor.fridge_temperature", 4.2, name="Temperature"),
        target("number.fridge_target_temperature", 4, low=1, high=7),
    ),
    appliance(
        "Kitchen",
        "Dishwasher",
        "Bosch",
        "SMV6",
        program("select.dishwasher_program", "eco", "auto", "intensive", "quick", "glass"),
        phase("sensor.dishwasher_phase", "washing", "drying", "finished", "idle"),
    ),
    appliance(
        "Kitchen",
        "Kitchen Window",
        "Aqara",
        "P2",
        contact("binary_sensor.kitchen_window", "window"),
    ),
    appliance(
        "Kitchen", "Water Main", "Grohe", "Sense Guard", valve("valve.water_main", seconds=2)
    ),
    appliance(
        "Kitchen", "Shopping List", "SAGE", "List", todo("todo.shopping_list", "Milk", "Coffee")
    ),
    appliance(
        "Living Room",
        "Floor Lamp",
        "Signify",
        "Hue Go",
        light("light.floor_lamp", COLOURS, on=True, percent=60),
    ),
    appliance(
        "Living Room", "Lamp", "IKEA", "TRADFRI E27", light("light.living_room_lamp", DIMMABLE)
    ),
    appliance(
        "Living Room",
        "Living Room TV",
        "Samsung",
        "QE65",
        television("media_player.living_room_tv", "7", on=True),
    ),
    appliance("Living Room", "Speaker", "Sonos", "Era 100", speaker("media_player.speaker")),
    appliance(
        "Living Room",
        "Living Room Blinds",
        "Somfy",
        "Sunea",
        shade("cover.living_room_blinds", "blind", position=100, seconds=5),
    ),
    appliance(
        "Living Room",
        "Living Room Thermostat",
        "tado",
        "V3+",
        thermostat("climate.living_room_thermostat", current=20.8, target=20),
        sensor("sensor.living_room_humidity", 46, "humidity", name="Humidity"),
    ),
    appliance("Living Room", "Heater Fan", "DeLonghi", "HFS30", switch("switch.heater_fan")),
    appliance(
        "Hallway",
        "Hallway Light",
        "Shelly",
        "Plus 1",
        light("light.hallway_light", ON_OFF),
    ),
    appliance(
        "Hallway", "Front Door", "Nuki", "Smart Lock 4", lock("lock.front_door", exposed=True)
    ),
    appliance(
        "Hallway",
        "Front Door Contact",
        "Aqara",
        "P2",
        contact("binary_sensor.front_door_contact", "door"),
    ),
    appliance(
        "Hallway",
        "Home Alarm",
        "Ajax",
        "Hub 2",
        alarm("alarm_control_panel.home_alarm"),
        siren("siren.hallway_siren"),
    ),
    appliance(
        "Hallway",
        "Hallway Motion",
        "Signify",
        "SML003",
        contact("binary_sensor.hallway_motion", "motion"),
    ),
    appliance("Hallway", "Doorbell Chime", "Ring", "Chime Pro", button("button.doorbell_chime")),
    appliance(
        "Hallway", "Robot Vacuum", "Roborock", "S8", vacuum("vacuum.robot_vacuum", seconds=6)
    ),
    appliance(
        "Garage",
        "Garage Door",
        "Hörmann",
        "SupraMatic",
        garage_door("cover.garage_door", seconds=8),
    ),
    appliance("Garage", "Garage Light", "Shelly", "Plus 1", light("light.garage_light", ON_OFF)),
    appliance(
        "Garden",
        "Garden Lights",
        "Signify",
        "Lily",
        light("light.garden_lights", COLOURS, on=True),
    ),
    appliance("Garden", "Sprinkler", "Gardena", "9V", switch("switch.sprinkler")),
    appliance(
        "Garden", "Garden Climate", "Netatmo", "NWS", sensor("sensor.garden_temperature", 11.6)
    ),
    appliance(
        "Bedroom",
        "Bedroom Light",
        "Signify",
        "LTA001",
        light("light.bedroom_light", WHITES, percent=80, kelvin=4000),
    ),
    appliance(
        "Bedroom", "Dresser Light", "IKEA", "TRADFRI GU10", light("light.dresser_light", DIMMABLE)
    ),
    appliance("Bedroom", "Bedroom TV", "LG", "OLED42", television("media_player.bedroom_tv", "2")),
    appliance(
        "Bedroom",
        "Bedroom Curtain",
        "SwitchBot",
        "Curtain 3",
        shade("cover.bedroom_curtain", "curtain", position=0, seconds=4),
    ),
    appliance("Bedroom", "Bedroom Fan", "Dyson", "AM07", fan("fan.bedroom_fan")),
    appliance(
        "Bedroom",
        "Bedroom Humidifier",
        "Levoit",
        "LV600S",
        humidifier("humidifier.bedroom_humidifier", current=41, target=50),
    ),
    appliance("Bedroom", "Iron", "Philips", "PSG9040", switch("switch.iron")),
    appliance(
        "Bedroom", "Bedroom Climate", "Aqara", "T1", sensor("sensor.bedroom_temperature", 19.4)
    ),
    appliance(
        "Bedroom",
        "Bedroom Window",
        "Aqara",
        "P2",
        contact("binary_sensor.bedroom_window", "window", on=True),
    ),
    appliance(
        "Bathroom", "Bathroom Light", "IKEA", "STOFTMOLN", light("light.bathroom_light", DIMMABLE)
    ),
    appliance(
        "Bathroom",
        "Boiler",
        "Vaillant",
        "eloSTOR",
        boiler("water_heater.boiler", current=48, target=50),
    ),
    appliance(
        "Bathroom",
        "Washing Machine",
        "Miele",
        "WWD120",
        switch("switch.washing_machine"),
        phase("sensor.washing_machine_phase", "idle", "washing", "rinsing", "spinning", "finished"),
    ),
    appliance(
        "Bathroom",
        "Bathroom Climate",
        "Aqara",
        "T1",
        sensor("sensor.bathroom_humidity", 63, "humidity"),
    ),
    appliance("Office", "Lamp", "IKEA", "TRADFRI E27", light("light.office_lamp", DIMMABLE)),
    appliance("Office", "Office Safe", "Yale", "Assure", lock("lock.office_safe", exposed=False)),
    appliance(
        "Office", "Router", "AVM", "7590 AX", switch("switch.router", on=True, exposed=False)
    ),
)

EXPOSED = (
    "input_boolean.guest_mode",
    "scene.movie_night",
    "script.good_night",
    "script.let_guests_in",
)
"""Of `around.yaml`."""

AREA_OF = {"scene.movie_night": "Living Room"}
"""Of `around.yaml`."""
