"""The readable attributes of an entity: names, types, ranges, possible values, units.

Current values are not included.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ..home_types import Argument, Attribute, Command
from ..values import STATE, is_shown, item_attributes
from .actions import Subject
from .narrowing import NUMBERS, TEMPERATURES, only_number, possible_states, values_of
from .translations import Texts

SET_BY: Final = {"current_position": "position", "current_tilt_position": "tilt_position"}
"""Attribute -> argument that sets it, if the names differ."""

_PERCENT: Final = frozenset(
    {
        "battery_level",
        "brightness_pct",
        "cloud_coverage",
        "current_humidity",
        "current_position",
        "current_tilt_position",
        "humidity",
        "percentage",
        "update_percentage",
    }
)
_SECONDS: Final = frozenset({"media_duration", "media_position"})
_WARMTHS: Final = TEMPERATURES | {"current_temperature", "apparent_temperature", "dew_point"}

_OPEN_STATES: Final = frozenset({"sensor", "number", "input_number", "counter", "event", "todo"})
"""Domains whose state can have any value, even if translations list some."""

_MOST_LABELS: Final = 8


def attributes_of(
    subject: Subject, commands: Iterable[Command], texts: Texts
) -> tuple[Attribute, ...]:
    """Return the attributes of an entity, without values; the first is `state`.

    Ranges come from `commands`. `Attribute.type` is empty if it depends on the current value.
    """
    arguments = {each.name: each for command in commands for each in command.arguments}
    return tuple(_attributes(subject, arguments, texts))


def _attributes(
    subject: Subject, arguments: dict[str, Argument], texts: Texts
) -> Iterator[Attribute]:
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
        values = possible_states(subject, texts.states(subject))
    return Attribute(
        name=STATE,
        type="string",
        values=values,
        description=_labels(values, subject, "", texts),
    )


def _attribute(name: str, subject: Subject, argument: Argument | None, texts: Texts) -> Attribute:
    values = values_of(subject, name)
    label = texts.of_attribute(subject, name)
    meanings = _labels(values, subject, name, texts)
    described = "; ".join(filter(None, (label, meanings)))
    unit = unit_of(name, subject.attributes, subject.temperature_unit)
    if argument is None:
        return Attribute(name=name, type="", unit=unit, values=values, description=described)
    return Attribute(
        name=name,
        type=argument.type,
        unit=argument.unit or unit,
        minimum=argument.minimum,
        maximum=argument.maximum,
        values=values or argument.values,
        description=described,
    )


def unit_of(name: str, attributes: Mapping[str, Any], temperature_unit: str | None) -> str | None:
    """Return the unit of an attribute of an entity with these attributes; None if it has none.

    `temperature_unit`: of the home.
    """
    if unit := attributes.get("unit_of_measurement" if name == STATE else f"{name}_unit"):
        return str(unit)
    if name in _WARMTHS:
        return temperature_unit
    if name in _PERCENT:
        return "%"
    if name in _SECONDS:
        return "s"
    return "K" if name == "color_temp_kelvin" else None


def _labels(values: tuple[str, ...], subject: Subject, name: str, texts: Texts) -> str:
    """Return the translated values: `heat_cool = Heat/Cool`; empty if there are too many."""
    labels = [
        f"{value} = {label}" for value in values if (label := texts.of_value(subject, name, value))
    ]
    return ", ".join(labels) if len(labels) <= _MOST_LABELS else ""
