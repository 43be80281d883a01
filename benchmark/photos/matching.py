"""Find the candidate that matches a description best, and compute thresholds for "none fits"."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .descriptions import DESCRIPTIONS, Description


@dataclass(frozen=True, slots=True)
class Match:
    """A description, and the cosine of each of its candidates, in their order."""

    description: Description
    cosines: tuple[float, ...]

    @property
    def found(self) -> str:
        """The id of the best candidate."""
        best = max(range(len(self.cosines)), key=self.cosines.__getitem__)
        return self.description.candidates()[best][1].id

    @property
    def is_right(self) -> bool:
        return self.found == self.description.device_id

    def share(self, scale: float) -> float:
        """Return the softmax of the best candidate, with the cosines times `scale`."""
        best = max(self.cosines)
        return 1 / sum(math.exp(scale * (each - best)) for each in self.cosines)

    @property
    def margin(self) -> float:
        """Return the distance of the two best cosines."""
        second, best = sorted(self.cosines)[-2:]
        return best - second


@dataclass(frozen=True, slots=True)
class Threshold:
    """The value of a quantity that separates descriptions that fit from those that do not."""

    value: float
    refused: float
    """Part of the fitting descriptions that are below it."""
    accepted: float
    """Part of the others that reach it."""

    @property
    def error(self) -> float:
        """Both kinds of error count the same."""
        return (self.refused + self.accepted) / 2


def best_threshold(fitting: Sequence[float], others: Sequence[float]) -> Threshold:
    """Return the threshold with the least error: the middle between two neighbours."""
    values = sorted({*fitting, *others})
    middles = [(low + high) / 2 for low, high in pairwise(values)]
    return min(
        (
            Threshold(
                middle,
                sum(each < middle for each in fitting) / len(fitting),
                sum(each >= middle for each in others) / len(others),
            )
            for middle in (values[0], *middles)
        ),
        key=lambda each: each.error,
    )


def quantities(matches: Sequence[Match], scales: Sequence[float]) -> dict[str, list[float]]:
    """Return the values for which a threshold is possible, by name; one value for each match."""
    by_name: dict[str, Callable[[Match], float]] = {
        "cosine": lambda each: max(each.cosines),
        "margin": lambda each: each.margin,
    }
    found = {name: [value(each) for each in matches] for name, value in by_name.items()}
    return found | {
        f"softmax x{scale:g}": [each.share(scale) for each in matches] for scale in scales
    }


def wilson(right: int, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a proportion (Wilson 1927)."""
    z = 1.96
    middle = (right + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * math.sqrt(right * (total - right) / total + z * z / 4)
    return middle - half, middle + half


def chance() -> float:
    """Return the share of the held-out descriptions that a guess finds."""
    return sum(1 / len(each.candidates()) for each in DESCRIPTIONS) / len(DESCRIPTIONS)
