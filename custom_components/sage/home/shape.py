"""The type and possible values of an argument or attribute."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .home_types import Argument

_LONGEST_CHOICE: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The type and possible values of an argument or attribute."""

    type: str = "string"
    """One of number, integer, string, boolean, list, object; object accepts any value."""

    unit: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    values: tuple[str, ...] = ()
    """The only allowed values; for a list, the allowed items. Empty if any value is allowed."""

    note: str = ""
    """Format of the value, if `type` does not show it: structure, pattern or example."""

    is_reference: bool = False
    """Whether the value refers to a part of the home, such as an entity or area."""

    state_of: str | None = None
    """Entity attribute, e.g. "fan_mode", whose possible values are the allowed values.

    "" stands for the state of the entity. None: the allowed values do not depend on an entity.
    """

    def argument(self, name: str, description: str, *, required: bool) -> Argument:
        """Return a command argument with this type, unit, range and values."""
        return Argument(
            name=name,
            type=self.type,
            required=required,
            description=description,
            unit=self.unit,
            minimum=self.minimum,
            maximum=self.maximum,
            step=self.step,
            values=self.values,
            is_reference=self.is_reference,
        )

    @property
    def said(self) -> str:
        """The possible values as a short text: `0..100 %`, `on|off`."""
        unit = f" {self.unit}" if self.unit else ""
        if self.values:
            shown = "|".join(self.values[:_LONGEST_CHOICE])
            more = len(self.values) - _LONGEST_CHOICE
            return shown + (f"|… {more} more" if more > 0 else "")
        if self.minimum is not None and self.maximum is not None:
            return f"{self.minimum:g}..{self.maximum:g}{unit}"
        if self.type == "boolean":
            return "true|false"
        return self.note or ("text" if self.type == "string" else f"{self.type}{unit}")


def type_of(value: object) -> str:
    """Return the JSON type of a Python value: boolean, number, list, object or string (default)."""
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case list():
            return "list"
        case Mapping():
            return "object"
        case _:
            return "string"
