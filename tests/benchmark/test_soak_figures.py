"""The soak calls growth what grows, and does not call noise so."""

import random

import pytest

from benchmark.soak_figures import ALLOWED, grown, growth_of

SAMPLES = 120
MINUTES = 60.0


def samples(slope: float, *, noise: float, alike: float, seed: int) -> list[tuple[float, float]]:
    """Return a figure with a slope a minute, and noise whose neighbours are alike."""
    chance, offset, found = random.Random(seed), 0.0, []
    for number in range(SAMPLES):
        offset = alike * offset + chance.gauss(0, noise)
        at = number * MINUTES / SAMPLES
        found.append((at, 1000 + slope * at + offset))
    return found


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.8])
@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_the_interval_holds_the_slope_nineteen_times_in_twenty(slope: float, alike: float) -> None:
    found = [growth_of(samples(slope, noise=5, alike=alike, seed=seed)) for seed in range(300)]
    assert sum(each.low <= slope <= each.high for each in found) >= 0.93 * 300


def test_what_grows_is_told_from_what_only_wavers() -> None:
    leak, waver = 0.3e6, 0.0
    growths = {
        "memory": growth_of(samples(leak, noise=2e6, alike=0.5, seed=1)),
        "tasks": growth_of(samples(waver, noise=5, alike=0.5, seed=1)),
    }
    assert grown(growths) == ["memory"]
    assert growths["memory"].at_least > ALLOWED["memory"]


def test_a_figure_that_never_changes_has_no_slope() -> None:
    found = growth_of([(float(at), 7.0) for at in range(20)])
    assert (found.first, found.last, found.slope, found.low, found.high) == (7, 7, 0, 0, 0)


def test_few_samples_tell_nothing() -> None:
    with pytest.raises(ValueError, match="too few"):
        growth_of([(0.0, 1.0), (1.0, 2.0)])
