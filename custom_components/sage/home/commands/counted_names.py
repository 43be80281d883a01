"""What devices are called in one answer: those of one name are told apart, or counted."""

from collections.abc import Iterable, Mapping, Sequence

from ..home_types import Outcome, Source


class CountedNames:
    """The names of the devices of several outcomes.

    An area is only told where devices of one name are in different ones.
    """

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        """Note which names need an area: `outcomes` are all that one answer is about."""
        areas: dict[str, set[str | None]] = {}
        for each in outcomes:
            areas.setdefault(each.device_name, set()).add(each.area)
        self._ambiguous = {name for name, found in areas.items() if len(found) > 1}

    def count(self, outcomes: Iterable[Outcome]) -> Mapping[str, int]:
        """Return name -> how many devices or parts some of the outcomes mean by it."""
        parts: dict[str, dict[str, set[str]]] = {}
        for each in outcomes:
            of_device = parts.setdefault(self._name(each), {}).setdefault(each.device_id, set())
            # A device and what its cloud tells of it beside are one.
            if each.source is Source.HOME_ASSISTANT:
                of_device.add(each.component_id)
        return {
            name: sum(max(1, len(found)) for found in devices.values())
            for name, devices in parts.items()
        }

    def _name(self, outcome: Outcome) -> str:
        name = outcome.device_name
        is_told = outcome.area and name in self._ambiguous
        return f"{name} ({outcome.area})" if is_told else name


def written(counted: Mapping[str, int]) -> Sequence[str]:
    """Return the names, each with its count where it stands for several."""
    return [name if count == 1 else f"{count} × {name}" for name, count in counted.items()]
