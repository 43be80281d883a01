"""What one entity allows of what its domain allows: the only rules by domain.

Nothing here knows a device or an integration. Most is one convention of Home
Assistant: the values of `fan_mode` are in `fan_modes`, its range in
`min_...` and `max_...`. Where domains do not keep to it, a table says so.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from ..home_types import Argument, Command
from ..shape import Shape
from .actions import Action, Field, Subject
from .selectors import shape_of

_STATE_LISTS: Final = {
    "climate": "hvac_modes",
    "input_select": "options",
    "select": "options",
    "sensor": "options",
    "water_heater": "operation_list",
}
"""Domain -> the attribute with all values that the state may have."""

TEMPERATURES: Final = frozenset({"temperature", "target_temp_high", "target_temp_low"})
NUMBERS: Final = frozenset({"number", "input_number"})
_TEXTS: Final = frozenset({"text", "input_text"})

_LEFT_OUT_COMMANDS: Final = frozenset({"scene.delete", "input_select.set_options"})
"""These change how the home is set up, not what it does."""

_LEFT_OUT_ARGUMENTS: Final = frozenset(
    {"brightness", "brightness_step", "hs_color", "xy_color", "profile"}
)
"""Of lights: other ways to say what brightness_pct, color_name and rgb_color say."""

_NAMED_COLORS: Final = 50
"""A longer list of colours is the whole of CSS3."""

_COLOR_MODES: Final = {
    "rgbw_color": ("rgbw", "[red, green, blue, white], each 0..255"),
    "rgbww_color": ("rgbww", "[red, green, blue, cold white, warm white], each 0..255"),
}
"""Of lights: argument -> the colour mode it needs, and what a value looks like."""

_TOGGLED: Final = {
    "toggle": ("turn_on", "open_"),
    "toggle_cover_tilt": ("open_cover_tilt",),
    "media_play_pause": ("media_play",),
}
"""Command that depends on the state -> the start of those that do not."""


def values_of(subject: Subject, name: str) -> tuple[str, ...]:
    """Return all values that an attribute may have; empty when that is not told.

    The name of the state itself is empty.
    """
    if not name:
        return _strings(subject.attributes.get(_STATE_LISTS.get(subject.domain, "")))
    stem = name.removesuffix("_mode")
    for listed in (
        f"{name}s",
        f"{name}_list",
        f"available_{name}s",
        f"supported_{name}s",
        f"{name}_options",
        f"{stem}_list",
    ):
        if found := _strings(subject.attributes.get(listed)):
            return found
    return ()


def command_of(action: Action, subject: Subject) -> Command | None:
    """Return the command as this entity supports it; None when it does not.

    Texts are left empty where the translations of Home Assistant have them.
    """
    if f"{action.domain}.{action.name}" in _LEFT_OUT_COMMANDS:
        return None
    arguments: list[Argument] = []
    for field in action.fields:
        if not field.applies(subject) or _is_left_out(action, field, subject):
            continue
        argument = argument_of(field, subject)
        if _is_hollow(field, argument, subject) and not action.needs_feature(subject):
            return None
        arguments.append(argument)
    name = action.name
    if action.domain != subject.domain:
        name = f"{action.domain}.{action.name}"
    return Command(name=name, description=action.description, arguments=tuple(arguments))


def without_toggles(commands: Iterable[Command]) -> tuple[Command, ...]:
    """Return the commands less those that only switch to and fro between two others."""
    commands = tuple(commands)
    names = [command.name for command in commands]
    return tuple(
        command
        for command in commands
        if not any(
            name != command.name and name.startswith(start)
            for start in _TOGGLED.get(command.name, ())
            for name in names
        )
    )


def argument_of(field: Field, subject: Subject) -> Argument:
    """Return the argument with the values and the range that this entity allows."""
    shape = _narrowed(field.name, shape_of(field.name, field.selector), subject)
    return shape.argument(field.name, shape.note or field.description, required=field.required)


def variables_of(fields: tuple[Field, ...], subject: Subject) -> Argument:
    """Return the argument of a script that carries its fields."""
    arguments = [argument_of(field, subject) for field in fields]
    return Argument(
        name="variables",
        type="object",
        required=any(each.required for each in arguments),
        description="; ".join(
            f"{each.name}{'' if each.required else '?'}: "
            + (each.description or "|".join(each.values) or each.type)
            for each in arguments
        ),
        is_reference=any(each.is_reference for each in arguments),
    )


def _is_left_out(action: Action, field: Field, subject: Subject) -> bool:
    if action.domain == "light":
        mode, _ = _COLOR_MODES.get(field.name, (None, ""))
        modes = _strings(subject.attributes.get("supported_color_modes"))
        return field.name in _LEFT_OUT_ARGUMENTS or (mode is not None and mode not in modes)
    if action.domain in {"lock", "alarm_control_panel"} and field.name == "code":
        return subject.attributes.get("code_format") is None
    return False


def _is_hollow(field: Field, argument: Argument, subject: Subject) -> bool:
    """Tell whether the entity has nothing that this required argument could choose."""
    shape = shape_of(field.name, field.selector)
    return (
        field.required
        and bool(shape.state_of)
        and not argument.values
        and shape.state_of not in subject.attributes
        and bool(subject.attributes)
    )


def _narrowed(name: str, shape: Shape, subject: Subject) -> Shape:
    if shape.state_of is not None:
        return replace(shape, values=values_of(subject, shape.state_of))
    if name == "value" and subject.domain in NUMBERS:
        return _ranged(Shape(type="number", unit=subject.unit), "min", "max", "step", subject)
    if name == "value" and subject.domain in _TEXTS:
        return replace(shape, note=_text_note(subject.attributes))
    if shape.type in {"number", "integer"}:
        return _narrowed_number(name, shape, subject)
    if shape.type == "string" and not (shape.values or shape.is_reference or shape.note):
        return replace(shape, values=values_of(subject, name))
    return _color(name, shape)


def _color(name: str, shape: Shape) -> Shape:
    """Return the shape of a colour, which selectors tell at length or not at all."""
    if name == "color_name" and len(shape.values) > _NAMED_COLORS:
        return Shape(note="CSS3 colour name")
    if name in _COLOR_MODES and shape.type == "object":
        return Shape(type="list", note=_COLOR_MODES[name][1])
    return shape


def _narrowed_number(name: str, shape: Shape, subject: Subject) -> Shape:
    if name in TEMPERATURES:
        unit = subject.temperature_unit or shape.unit
        return _ranged(
            replace(shape, unit=unit), "min_temp", "max_temp", "target_temp_step", subject
        )
    return _ranged(shape, f"min_{name}", f"max_{name}", f"target_{name}_step", subject)


def _ranged(shape: Shape, low: str, high: str, step: str, subject: Subject) -> Shape:
    def told(attribute: str, otherwise: float | None) -> float | None:
        value = as_number(subject.attributes.get(attribute))
        return otherwise if value is None else value

    return replace(
        shape,
        minimum=told(low, shape.minimum),
        maximum=told(high, shape.maximum),
        step=told(step, shape.step),
    )


def as_number(value: Any) -> float | None:
    """Return a number as it is, and nothing for anything else."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text_note(attributes: Mapping[str, Any]) -> str:
    low, high = attributes.get("min", 0), attributes.get("max", 255)
    pattern = attributes.get("pattern")
    return f"{low}..{high} characters" + (f" matching {pattern}" if pattern else "")


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list | tuple | set | frozenset):
        return ()
    found = [str(getattr(each, "value", each)) for each in value if each is not None]
    return tuple(sorted(found) if isinstance(value, set | frozenset) else found)
