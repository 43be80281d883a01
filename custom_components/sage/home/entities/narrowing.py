"""The commands, arguments and attributes that one entity supports, without current values.

Most rules follow naming conventions of Home Assistant: the attribute `fan_modes` lists the values
of `fan_mode`, and `min_temp` limits `temperature`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from ..commands.expectation import NUMBERS
from ..home_types import Argument, Attribute, CommandDescription
from ..values import STATE, TEXTS, is_shown, item_attributes, names_in
from ..vocabulary import Texts
from .actions import Action, Field, Subject, accepts, shape_of

_STATE_LISTS: Final = {
    "climate": "hvac_modes",
    "input_select": "options",
    "select": "options",
    "sensor": "options",
    "water_heater": "operation_list",
}
"""Domain -> attribute that lists all states."""

TEMPERATURES: Final = frozenset({"temperature", "target_temp_high", "target_temp_low"})

_LEFT_OUT_COMMANDS: Final = frozenset({"scene.delete", "input_select.set_options"})
"""Commands that change the configuration of the home, not its state."""

_LEFT_OUT_ARGUMENTS: Final = names_in(
    "brightness brightness_step brightness_step_pct hs_color xy_color rgbw_color rgbww_color "
    "profile"
)
"""Arguments of lights that duplicate brightness_pct, color_name and rgb_color."""

_NAMED_COLORS: Final = 50  # instead of a longer list of colour names, "CSS3 colour name" stands

_TOGGLED: Final = {
    "toggle": ("turn_on", "open_"),
    "toggle_cover_tilt": ("open_cover_tilt",),
    "media_play_pause": ("media_play",),
}
"""Toggle command -> prefixes of commands that make it unnecessary."""


def values_of(subject: Subject, name: str) -> tuple[str, ...]:
    """Return all possible values of an attribute; empty if not listed. No `name`: the state."""
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


def command_of(action: Action, subject: Subject) -> CommandDescription | None:
    """Return the description of an action for this entity; None if it must not be offered.

    It describes only the arguments, values and ranges that the entity supports. None if the action
    changes the configuration of the home.
    """
    if f"{action.domain}.{action.name}" in _LEFT_OUT_COMMANDS:
        return None
    arguments: list[Argument] = []
    for field in action.fields:
        if not accepts(field.condition, subject) or _is_left_out(action, field, subject):
            continue
        arguments.append(argument_of(field, subject))
    if (action.domain, action.name) == ("calendar", "create_event"):
        arguments.append(Argument(name="rrule", description="such as FREQ=WEEKLY;BYDAY=MO"))
    name = action.name
    if action.domain != subject.domain:
        name = f"{action.domain}.{action.name}"
    return CommandDescription(name=name, description=action.description, arguments=tuple(arguments))


def without_toggles(commands: Iterable[CommandDescription]) -> tuple[CommandDescription, ...]:
    """Remove toggles that other commands replace, e.g. `toggle` if there is `turn_on`."""
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
    """Convert an action's field to an argument with the values and ranges of `subject`."""
    argument = _narrowed(shape_of(field.name, field.selector), subject)
    description = argument.description or field.description
    return replace(argument, description=description, required=field.required)


def variable_of(field: Field, subject: Subject) -> Argument:
    """Return the argument for a field of a script, with its example and default."""
    argument = argument_of(field, subject)
    shape = shape_of(field.name, field.selector)
    known = (
        field.description,
        shape.description,
        "" if field.example is None else f"such as {field.example}",
        "" if field.default is None else f"default {field.default}",
    )
    return replace(
        argument,
        # Without a selector, any value is allowed.
        type=argument.type if field.selector else "object",
        description="; ".join(each.strip().rstrip(".") for each in known if each),
        default=field.default,
    )


def _is_left_out(action: Action, field: Field, subject: Subject) -> bool:
    if action.domain == "light":
        return field.name in _LEFT_OUT_ARGUMENTS
    if action.domain in {"lock", "alarm_control_panel"} and field.name == "code":
        return subject.attributes.get("code_format") is None
    return False


def _narrowed(argument: Argument, subject: Subject) -> Argument:
    name, kind, attributes = argument.name, argument.type, subject.attributes
    if argument.state_of is not None:
        return replace(argument, values=values_of(subject, argument.state_of))
    if name == "value" and subject.domain in NUMBERS:
        argument = Argument(name=name, type="number", unit=subject.unit)
        return _ranged(argument, ("min", "max", "step"), attributes)
    if name == "value" and subject.domain in TEXTS:
        return replace(argument, description=_text_format(attributes))
    if kind in {"number", "integer"}:
        limits = (f"min_{name}", f"max_{name}", f"target_{name}_step")
        if name in TEMPERATURES:
            argument = replace(argument, unit=subject.temperature_unit or argument.unit)
            limits = ("min_temp", "max_temp", "target_temp_step")
        return _ranged(argument, limits, attributes)
    is_open = not (argument.values or argument.is_reference or argument.description)
    if kind == "string" and is_open:
        return replace(argument, values=values_of(subject, name))
    # Selectors describe colours poorly.
    if name == "color_name" and len(argument.values) > _NAMED_COLORS:
        return Argument(name=name, description="CSS3 colour name")
    return argument


def _ranged(
    argument: Argument, limits: tuple[str, str, str], attributes: Mapping[str, Any]
) -> Argument:
    """Return the argument with the entity's limits, by `limits`: minimum, maximum, step."""
    minimum, maximum, width = (only_number(attributes.get(each)) for each in limits)
    return replace(
        argument,
        minimum=argument.minimum if minimum is None else minimum,
        maximum=argument.maximum if maximum is None else maximum,
        step=argument.step if width is None else width,
    )


def only_number(value: Any) -> float | None:
    """Return an int or float unchanged, and None for all other types, including bool."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text_format(attributes: Mapping[str, Any]) -> str:
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


SET_BY: Final = {"current_position": "position", "current_tilt_position": "tilt_position"}
"""Attribute -> argument that sets it, if the names differ."""

_PERCENT: Final = names_in(
    "battery_level brightness_pct cloud_coverage current_humidity current_position "
    "current_tilt_position humidity percentage update_percentage"
)
_SECONDS: Final = frozenset({"media_duration", "media_position"})
_WARMTHS: Final = TEMPERATURES | {"current_temperature", "apparent_temperature", "dew_point"}

_OPEN_STATES: Final = frozenset({"sensor", "number", "input_number", "counter", "event", "todo"})
"""Domains whose state can have any value, even if translations list some."""

_MOST_LABELS: Final = 8


def attributes_of(
    subject: Subject, commands: Iterable[CommandDescription], texts: Texts
) -> Iterator[Attribute]:
    """Yield the attributes of an entity, without values; the first is `state`.

    Ranges come from `commands`. `Attribute.type` is empty if it depends on the current value.
    """
    arguments = {each.name: each for command in commands for each in command.arguments}
    yield _state(subject, texts)
    if subject.domain == "light" and "brightness" in subject.attributes:
        yield Attribute(name="brightness_pct", type="number", unit="%", minimum=0, maximum=100)
    # Attribute names may be members of an enumeration, so convert them to str.
    for name in map(str, subject.attributes):
        if is_shown(subject.domain, name):
            yield _attribute(name, subject, arguments.get(SET_BY.get(name, name)), texts)
    for name in item_attributes(subject.domain):
        yield Attribute(name=name, type="list", is_free_text=True)


def _state(subject: Subject, texts: Texts) -> Attribute:
    if subject.domain in NUMBERS:
        return Attribute(
            name=STATE,
            type="number",
            unit=subject.unit,
            minimum=only_number(subject.attributes.get("min")),
            maximum=only_number(subject.attributes.get("max")),
        )
    if subject.unit or "state_class" in subject.attributes:
        return Attribute(name=STATE, type="number", unit=subject.unit)
    values = values_of(subject, "")
    if not values and subject.domain not in _OPEN_STATES:
        values = texts.states(subject)
    meanings = _meanings(values, subject, "", texts)
    return Attribute(name=STATE, type="string", values=values, meanings=meanings)


def _attribute(name: str, subject: Subject, argument: Argument | None, texts: Texts) -> Attribute:
    values = values_of(subject, name)
    attribute = Attribute(
        name=name,
        type="",
        unit=unit_of(name, subject.attributes, subject.temperature_unit),
        values=values,
        meanings=_meanings(values, subject, name, texts),
    )
    if argument is None:
        return attribute
    return replace(
        attribute,
        type=argument.type,
        unit=argument.unit or attribute.unit,
        minimum=argument.minimum,
        maximum=argument.maximum,
        values=values or argument.values,
    )


def unit_of(name: str, attributes: Mapping[str, Any], temperature_unit: str | None) -> str | None:
    """Return the unit of an attribute, or None; `temperature_unit`: of the home."""
    if unit := attributes.get("unit_of_measurement" if name == STATE else f"{name}_unit"):
        return str(unit)
    if name in _WARMTHS:
        return temperature_unit
    if name in _PERCENT:
        return "%"
    if name in _SECONDS:
        return "s"
    return "K" if name == "color_temp_kelvin" else None


def _meanings(values: tuple[str, ...], subject: Subject, name: str, texts: Texts) -> dict[str, str]:
    """Return the translated values: `heat_cool` -> `Heat/Cool`; empty if there are too many."""
    meanings = {value: label for value in values if (label := texts.of_value(subject, name, value))}
    return meanings if len(meanings) <= _MOST_LABELS else {}
