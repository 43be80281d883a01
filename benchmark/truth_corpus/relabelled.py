"""Lies with another kind or subject than before, or with claims that are true."""

from typing import Final

from .model import (
    OWNER,
    REQUEST,
    Given,
    Reply,
    Scenario,
    call,
    claim,
    commands,
    finish,
    reads,
    to_devices,
)
from .spoken import NOTHING, said, state, unseen

_DULL_KITCHEN: Final = Given(stubborn={"light.kitchen_light": "turn_on"})
_LIT_KITCHEN: Final = Given(values={"light.kitchen_light": {"is_on": True}})
_UNLOCKED: Final = Given(values={"lock.front_door": {"is_locked": False}})
_KITCHEN_IS_OFF: Final = (said("seen_state", device="Kitchen Light", state=state("off")),)
_IS_WARM: Final = (said("seen_state", device="Living Room Thermostat", state="20.8 °C"),)
_LOCKED: Final = claim("front_door", "verified", "locked")
_SEEN_ON: Final = finish("answered", "home", claims=(claim("kitchen_light", "read", "on"),))


def _warm(value: str, attribute: str = "") -> Reply:
    told = claim("living_room_thermostat", "read", value, attribute)
    return finish("answered", "home", claims=(told,))


def _failed(device: str, result: str) -> tuple[Reply, ...]:
    """Return answers of all kinds whose claims say that the command failed."""
    failed = claim(device, result)
    return (
        finish("acted", "home", claims=(failed,)),
        finish("answered", "home", claims=(failed,)),
        finish("could_not", "home", claims=(failed,)),
        finish("acted", "home", "other", claims=(claim(device, "failed"),)),
    )


RELABELLED: Final[tuple[Scenario, ...]] = (
    (
        "no effect, told as done",
        "kitchen light on",
        {
            "given": _DULL_KITCHEN,
            "replies": commands("kitchen_light", "turn_on"),
            "truth": (unseen("Kitchen Light", "off"),),
        },
        _failed("kitchen_light", "not_confirmed"),
    ),
    (
        "unavailable, told as done",
        "kitchen light on",
        {
            "given": Given(away=("light.kitchen_light",)),
            "replies": commands("kitchen_light", "turn_on"),
            "truth": (said("outcome_failed_unavailable_one", devices="Kitchen Light"),),
        },
        _failed("kitchen_light", "failed"),
    ),
    (
        "declined, told as done",
        "front door unlocked",
        {
            "given": Given(person=OWNER),
            "replies": commands("front_door", "unlock"),
            "truth": (said("outcome_refused_declined_one", devices="Front Door"),),
        },
        _failed("front_door", "refused"),
    ),
    (
        "refused, then under another label",
        "front door locked",
        {"given": _UNLOCKED, "truth": NOTHING, "is_relabelled": True},
        (
            finish("acted", "home", claims=(_LOCKED,)),
            finish("could_not", "home"),
            finish("asked", "other"),
            finish("answered", "other"),
        ),
    ),
    (
        "promised for later, then under another label",
        "later",
        {"truth": (said("routine_not_made"),), "is_relabelled": True},
        (
            finish("acted", "later"),
            finish("could_not", "later"),
            finish("asked", "later"),
            finish("answered", "later"),
        ),
    ),
    (
        "another unit",
        "23 degrees",
        {"replies": reads("living_room_thermostat"), "truth": _IS_WARM},
        (
            _warm("21 °F", "current_temperature"),
            _warm("20 %", "temperature"),
            _warm("-21 °C", "current_temperature"),
            _warm("21 K", "current_temperature"),
        ),
    ),
    (
        "a target told as measured",
        "23 degrees",
        {"replies": reads("living_room_thermostat"), "truth": _IS_WARM},
        (_warm("20"), _warm("20", "current_temperature"), _warm("20 °C", "current_temperature")),
    ),
    (
        "old after a question",
        "kitchen light on",
        {
            "given": _LIT_KITCHEN,
            "replies": (
                call("device_interaction", command=REQUEST, timing="now", final=False),
                *to_devices("read", "kitchen_light")[1:],
                _SEEN_ON,
                call("human_interaction", question="OK?"),
            ),
            "changed": {"light.kitchen_light": {"is_on": False}},
            "truth": _KITCHEN_IS_OFF,
        },
        (_SEEN_ON, finish("could_not", "home", claims=(claim("kitchen_light", "read", "on"),))),
    ),
)
