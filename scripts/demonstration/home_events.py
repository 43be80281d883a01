"""What may happen in the homes of the demo by itself, with the names for `--then`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingChange:
    """Change an entity of the demo home: `sage_demo_home.inject`."""

    entity_id: str
    values: Mapping[str, Any]
    """Properties of the entity's class, such as `is_on`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudChange:
    """A device reports something to the simulated SmartThings cloud."""

    device: str
    """Its key in the home at the cloud."""

    component: str
    capability: str
    attribute: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeEvent:
    """Something that happens, though nobody told the home to do it."""

    name: str
    story: str
    """Description of the event, as a person would say it."""

    changes: tuple[ThingChange | CloudChange, ...]


def _thing(name: str, story: str, entity_id: str, **values: Any) -> HomeEvent:
    return HomeEvent(
        name=name, story=story, changes=(ThingChange(entity_id=entity_id, values=values),)
    )


def _cloud(name: str, story: str, device: str, part: str, attribute: str, value: Any) -> HomeEvent:
    component, capability = part.split()
    change = CloudChange(
        device=device, component=component, capability=capability, attribute=attribute, value=value
    )
    return HomeEvent(name=name, story=story, changes=(change,))


def _by_name(events: Iterable[HomeEvent]) -> dict[str, HomeEvent]:
    return {event.name: event for event in events}


_FRONT_DOOR: Final = "binary_sensor.front_door_contact"
_FRIDGE: Final = "binary_sensor.fridge_door"
_WINDOW: Final = "binary_sensor.kitchen_window"
_MOTION: Final = "binary_sensor.hallway_motion"
_TV: Final = "media_player.living_room_tv"
_DISHWASHER: Final = "sensor.dishwasher_phase"
_WASHING_MACHINE: Final = "sensor.washing_machine_phase"
_GARDEN: Final = "sensor.garden_temperature"

AT_THE_DEMO_HOME: Final = _by_name(
    (
        _thing("open-front-door", "the front door is opened", _FRONT_DOOR, is_on=True),
        _thing("close-front-door", "the front door is closed", _FRONT_DOOR, is_on=False),
        _thing("open-fridge", "the fridge is opened", _FRIDGE, is_on=True),
        _thing("close-fridge", "the fridge is closed", _FRIDGE, is_on=False),
        _thing("open-kitchen-window", "the kitchen window is opened", _WINDOW, is_on=True),
        _thing("close-kitchen-window", "the kitchen window is closed", _WINDOW, is_on=False),
        _thing("walk-through-hallway", "somebody is in the hallway", _MOTION, is_on=True),
        _thing("leave-hallway", "nobody is in the hallway any more", _MOTION, is_on=False),
        _thing("tv-on", "the living room TV is switched on at its button", _TV, state="on"),
        _thing("tv-off", "the living room TV is switched off at its button", _TV, state="off"),
        _thing("dishwasher-running", "the dishwasher washes", _DISHWASHER, native_value="washing"),
        _thing("dishwasher-done", "the dishwasher is done", _DISHWASHER, native_value="finished"),
        _thing(
            "washing-machine-running",
            "the washing machine washes",
            _WASHING_MACHINE,
            native_value="washing",
        ),
        _thing(
            "washing-machine-done",
            "the washing machine is done",
            _WASHING_MACHINE,
            native_value="finished",
        ),
        _thing("frost", "it freezes in the garden", _GARDEN, native_value=-2.0),
        _thing("thaw", "it is 11 degrees in the garden", _GARDEN, native_value=11.0),
    )
)

_COOLER: Final = ("fridge", "cooler contactSensor", "contact")
_FREEZER: Final = ("fridge", "freezer contactSensor", "contact")
_CREDENZA: Final = ("tv_credenza", "main switch", "switch")
_MACHINE: Final = ("dishwasher", "main dishwasherOperatingState", "dishwasherJobState")
_PASSAGE: Final = ("motion_sensor", "main motionSensor", "motion")

AT_THE_CLOUD: Final = _by_name(
    (
        _cloud("open-fridge", "the refrigerator is opened", *_COOLER, "open"),
        _cloud("close-fridge", "the refrigerator is closed", *_COOLER, "closed"),
        _cloud("open-freezer", "the freezer is opened", *_FREEZER, "open"),
        _cloud("close-freezer", "the freezer is closed", *_FREEZER, "closed"),
        _cloud("tv-on", "the TV in the living room is switched on", *_CREDENZA, "on"),
        _cloud("tv-off", "the TV in the living room is switched off", *_CREDENZA, "off"),
        _cloud("dishwasher-running", "the dishwasher washes", *_MACHINE, "wash"),
        _cloud("dishwasher-done", "the dishwasher is done", *_MACHINE, "finish"),
        _cloud("walk-through-hallway", "somebody is in the hallway", *_PASSAGE, "active"),
        _cloud("leave-hallway", "nobody is in the hallway any more", *_PASSAGE, "inactive"),
    )
)
