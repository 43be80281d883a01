"""Whether figures of a process grow: slopes with their 95 % intervals, and bounds on growth."""

import itertools
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any, Final

BLOCKS: Final = 20
"""Blocks that samples are averaged in: neighbouring samples are alike, blocks hardly."""

FEWEST_BLOCKS: Final = 6
_CONFIDENCE: Final = 0.95

ALLOWED: Final[Mapping[str, float]] = {
    "memory": 8e6,
    "threads": 2,
    "descriptors": 4,
    "tasks": 6,
    "objects": 40_000,
}
"""Growth over the whole run that is tolerated: noise, and sentences that are new in a short run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The least-squares line through a figure; `low` and `high` bound the slope (95 %)."""

    first: float
    """Mean of the first block."""

    last: float
    slope: float
    """Per minute."""

    low: float
    high: float
    minutes: float
    """What the samples span."""

    @property
    def at_least(self) -> float:
        """Growth over the run that is there with 97.5 % confidence."""
        return self.low * self.minutes

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: round(value, 3) for name, value in asdict(self).items()}


def growth_of(samples: Sequence[tuple[float, float]], *, blocks: int = BLOCKS) -> Growth:
    """Return the growth of a figure from evenly spaced, ordered samples (minutes, value).

    The interval is that of a regression through block means, widened by the autocorrelation
    that is left between neighbouring blocks. Raises ValueError for too few samples.
    """
    number = min(blocks, len(samples) // 2)
    if number < FEWEST_BLOCKS:
        raise ValueError(f"{len(samples)} samples are too few")
    means = [_mean_of(block) for block in _split(samples, number)]
    times, values = [at for at, _ in means], [value for _, value in means]
    slope, start = statistics.linear_regression(times, values)
    residuals = [value - start - slope * at for at, value in means]
    middle = statistics.fmean(times)
    spread = sum((at - middle) ** 2 for at in times)
    error = math.sqrt(sum(each**2 for each in residuals) / (number - 2) / spread)
    half = _student(number - 2) * error * _widening(residuals)
    return Growth(
        first=values[0],
        last=values[-1],
        slope=slope,
        low=slope - half,
        high=slope + half,
        minutes=samples[-1][0] - samples[0][0],
    )


def grown(growths: Mapping[str, Growth]) -> list[str]:
    """Return the figures that grew by more than is allowed, beyond doubt."""
    return [name for name, growth in growths.items() if growth.at_least > ALLOWED[name]]


def _split[T](samples: Sequence[T], number: int) -> list[Sequence[T]]:
    size = len(samples) / number
    return [samples[round(each * size) : round((each + 1) * size)] for each in range(number)]


def _mean_of(block: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return statistics.fmean(at for at, _ in block), statistics.fmean(value for _, value in block)


def _widening(residuals: Sequence[float]) -> float:
    """Return the factor for the standard error where neighbours are alike (lag 1)."""
    total = sum(each**2 for each in residuals)
    if not total:
        return 1.0
    alike = sum(a * b for a, b in itertools.pairwise(residuals)) / total
    # The line takes some of it away: an estimate from so few blocks is too low.
    alike = min(max(alike + 1 / len(residuals), 0.0), 0.8)
    return math.sqrt((1 + alike) / (1 - alike))


def _student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t (Cornish and Fisher's expansion)."""
    z = NormalDist().inv_cdf(1 - (1 - _CONFIDENCE) / 2)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
