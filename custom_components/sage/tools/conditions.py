"""The condition code that was written in one run, by the name of its function."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .condition_devices import ReadDevice


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCondition:
    """Condition code that ran without an error."""

    function: str
    words: str
    """The condition as a statement in the person's words: "the washer is done"."""

    source: str
    value: bool | None
    """Its value when it was run; None if that was unknown."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries."""

    devices: tuple[ReadDevice, ...] = ()
    """What it reads."""


class Conditions:
    """The code that was written in a run; later code of the same name replaces earlier code."""

    def __init__(self) -> None:
        """Start with none."""
        self._written: dict[str, WrittenCondition] = {}

    def keep(self, condition: WrittenCondition) -> None:
        """Keep it under the name of its function."""
        self._written[condition.function] = condition

    def get(self, function: str) -> WrittenCondition | None:
        """Return the condition with this function."""
        return self._written.get(function)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the functions, in the order in which they were written."""
        return tuple(self._written)
