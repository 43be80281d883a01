"""Commands and arguments are validated against the documentation; errors say how to fix them."""

import pytest

from custom_components.sage.home.commands.validation import command_named, validated
from custom_components.sage.home.home_types import (
    Argument,
    CommandDescription,
    Documentation,
    HomeError,
)

TURN_ON = CommandDescription(
    name="turn_on",
    arguments=(
        Argument(name="brightness_pct", type="number", minimum=0, maximum=100, unit="%"),
        Argument(name="volume_level", type="number", minimum=0, maximum=1),
        Argument(name="steps", type="integer"),
        Argument(name="effect", type="string", values=("Rainbow", "fan_only", "on", "off")),
        Argument(name="loud", type="boolean"),
        Argument(name="rgb_color", type="list"),
        Argument(name="modes", type="list", values=("a", "b")),
        Argument(name="extra", type="object"),
        Argument(name="note", type="string"),
        Argument(name="players", type="string", is_reference=True),
    ),
)
SET = CommandDescription(
    name="set_value", arguments=(Argument(name="value", type="number", required=True, minimum=1),)
)
PLAIN = CommandDescription(name="stop")
DOCUMENT = Documentation(
    device_id="lamp",
    device_name="Lamp",
    component_id="light.lamp",
    capability="light",
    commands=(TURN_ON, SET, PLAIN, CommandDescription(name="hue.blink")),
)


@pytest.mark.parametrize("name", ["turn_on", "Turn On", "turnOn", "light.turn_on", "TURN-ON"])
def test_commands_are_found_by_their_name(name):
    assert command_named(DOCUMENT, name) is TURN_ON


def test_commands_of_integrations_keep_their_domain():
    assert command_named(DOCUMENT, "hue.blink").name == "hue.blink"
    with pytest.raises(HomeError):
        command_named(DOCUMENT, "lock.unlock")
    with pytest.raises(HomeError):
        command_named(DOCUMENT, "switch.turn_on")


def test_an_unknown_command_names_the_nearest():
    with pytest.raises(HomeError, match=r"no command turn_onn\. Nearest: turn_on\. It has: .*stop"):
        command_named(DOCUMENT, "turn_onn")
    with pytest.raises(HomeError, match="It has none: it can only be read"):
        command_named(
            Documentation(device_id="s", device_name="S", component_id="s.s", capability="s"), "go"
        )


@pytest.mark.parametrize(
    ("given", "fitted"),
    [
        ({"brightness_pct": "30"}, {"brightness_pct": 30}),
        ({"brightness_pct": "30%"}, {"brightness_pct": 30}),
        ({"brightness_pct": "30,5 percent"}, {"brightness_pct": 30.5}),
        ({"brightness_pct": 30.0}, {"brightness_pct": 30}),
        ({"Brightness Pct": 30}, {"brightness_pct": 30}),
        ({"volume_level": 30}, {"volume_level": 0.3}),
        ({"volume_level": "1 %"}, {"volume_level": 0.01}),
        ({"volume_level": 1}, {"volume_level": 1}),
        ({"steps": "3"}, {"steps": 3}),
        ({"effect": "rainbow"}, {"effect": "Rainbow"}),
        ({"effect": "fan only"}, {"effect": "fan_only"}),
        ({"effect": True}, {"effect": "on"}),
        ({"effect": False}, {"effect": "off"}),
        ({"loud": "true"}, {"loud": True}),
        ({"loud": "Off"}, {"loud": False}),
        ({"loud": True}, {"loud": True}),
        ({"loud": 1}, {"loud": True}),
        ({"rgb_color": "[255, 0, 12.5]"}, {"rgb_color": [255, 0, 12.5]}),
        ({"rgb_color": (1, 2, 3)}, {"rgb_color": [1, 2, 3]}),
        ({"rgb_color": "a, 1"}, {"rgb_color": ["a", 1]}),
        ({"rgb_color": "inf, nan"}, {"rgb_color": ["inf", "nan"]}),
        ({"modes": "A"}, {"modes": ["a"]}),
        ({"modes": 7.0}, None),
        ({"extra": {"a": 1}}, {"extra": {"a": 1}}),
        ({"note": 5}, {"note": "5"}),
        ({"note": True}, {"note": "on"}),
        ({"note": None}, {}),
        ({"players": ["a", "b"]}, {"players": ["a", "b"]}),
    ],
)
def test_values_are_brought_into_their_type(given, fitted):
    if fitted is None:
        with pytest.raises(HomeError):
            validated(TURN_ON, given)
    else:
        assert validated(TURN_ON, given) == fitted


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"brightness_pct": 101}, r"101 is out of range: brightness_pct \(number, 0\.\.100 %\)"),
        ({"brightness_pct": -1}, "out of range"),
        ({"brightness_pct": "bright"}, r"brightness_pct \(number, 0\.\.100 %\) is wanted"),
        ({"brightness_pct": float("nan")}, "is wanted"),
        ({"brightness_pct": True}, "is wanted"),
        ({"brightness_pct": 10**400}, "is wanted"),
        ({"brightness_pct": float("inf")}, "is wanted"),
        ({"brightness_pct": [1]}, "is wanted"),
        ({"steps": 1.5}, "no fraction"),
        ({"effect": "rainbo"}, r"Nearest: Rainbow|must be one of: Rainbow"),
        ({"loud": "maybe"}, r"loud \(boolean\)"),
        ({"rgb_color": {"r": 1}}, "rgb_color"),
        ({"note": {"a": 1}}, "note"),
        ({"brightnes_pct": 1}, r"no argument brightnes_pct\. Nearest: brightness_pct"),
        ({"confirmed": True}, r"no argument confirmed"),
        ({"entity_id": "light.other"}, r"no argument entity_id"),
        ({"note": "a", "Note": "b"}, "twice"),
    ],
)
def test_what_does_not_fit_names_the_mend(given, told):
    with pytest.raises(HomeError, match=told):
        validated(TURN_ON, given)


def test_required_arguments_and_none_at_all():
    with pytest.raises(HomeError, match=r"set_value needs value \(number, 1\.\.\)"):
        validated(SET, {})
    with pytest.raises(HomeError, match="is wanted"):
        validated(SET, {"value": None})
    with pytest.raises(HomeError, match="stop takes no arguments; leave confirmed out"):
        validated(PLAIN, {"confirmed": True})


def test_long_lists_are_shortened():
    many = CommandDescription(
        name="c",
        arguments=(Argument(name="o", type="string", values=tuple(f"v{n}" for n in range(50))),),
    )
    with pytest.raises(HomeError, match="and 20 more"):
        validated(many, {"o": "zzz"})


def test_options_that_only_a_sign_tells_apart_are_not_mixed_up():
    command = CommandDescription(
        name="c", arguments=(Argument(name="o", type="string", values=("-1", "+1", "Auto")),)
    )
    assert validated(command, {"o": "-1"}) == {"o": "-1"}
    assert validated(command, {"o": "+1"}) == {"o": "+1"}
    assert validated(command, {"o": " AUTO "}) == {"o": "Auto"}
    with pytest.raises(HomeError):
        validated(command, {"o": "1"})


def test_of_a_number_only_the_listed_values_are_taken():
    hours = Argument(name="hours", type="integer", required=True, values=("180", "300", "700"))
    command = CommandDescription(name="set_hours", arguments=(hours,))

    assert validated(command, {"hours": "300"}) == {"hours": 300}
    with pytest.raises(HomeError, match="one of 180, 300, 700"):
        validated(command, {"hours": 200})
