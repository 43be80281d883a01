"""The figures of the report, computed from results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..case import Category, Suite
from ..home import CAPTIONS, CLIP, NONE
from ..method_table import BASELINES, VIEWS
from ..result import ResultKey, TaskResult

_REPORTED: Final = frozenset({CLIP, CAPTIONS, NONE})
"""Vision paths of the paper and of SAGE; results of other image models are left out."""


class Series(NamedTuple):
    """Results that are compared with others as one."""

    method: str
    model: str
    vision: str
    state_form: str

    @property
    def name(self) -> str:
        """Return the label in tables and charts."""
        parts = [self.method, self.model]
        if self.method in BASELINES:
            parts.append(f"{self.state_form} state")
        elif VIEWS[self.method].sees_photos and self.vision != CAPTIONS:
            parts.append(f"photos: {self.vision}")
        return ", ".join(part for part in parts if part)


def reported(results: Iterable[TaskResult]) -> list[TaskResult]:
    """Return the results that a report may show: none with another image model."""
    return [each for each in results if each.vision in _REPORTED]


def by_series(results: Iterable[TaskResult]) -> dict[Series, list[TaskResult]]:
    """Return the results by series; of equal measurements the last one counts."""
    last = {each.key: each for each in results}
    found: dict[Series, list[TaskResult]] = {}
    for each in last.values():
        series = Series(each.method, each.model, each.vision, each.state_form)
        found.setdefault(series, []).append(each)
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share of successes over repeats."""

    mean: float
    low: float
    """Of the worst repeat."""

    high: float
    cases: int
    repeats: int

    def __str__(self) -> str:
        """Return the percentages."""
        spread = f" ({self.low:.0%} to {self.high:.0%})" if self.repeats > 1 else ""
        return f"{self.mean:.0%}{spread}"


def rate(results: Sequence[TaskResult]) -> Rate | None:
    """Return the rate of success with the worst and the best repeat; None without results."""
    repeats = {each.repeat for each in results}
    shares = [
        sum(each.success for each in results if each.repeat == repeat)
        / sum(each.repeat == repeat for each in results)
        for repeat in repeats
    ]
    if not shares:
        return None
    return Rate(
        mean=sum(each.success for each in results) / len(results),
        low=min(shares),
        high=max(shares),
        cases=len({each.case for each in results}),
        repeats=len(repeats),
    )


def of_suite(results: Iterable[TaskResult], suite: Suite) -> list[TaskResult]:
    """Return the results of one suite."""
    return [each for each in results if each.suite == suite]


def category_rates(results: Sequence[TaskResult]) -> dict[Category, float]:
    """Return the rate of success by category, without categories that have no result."""
    found = {each: [one for one in results if each in one.categories] for each in Category}
    return {
        category: sum(each.success for each in some) / len(some)
        for category, some in found.items()
        if some
    }


def always_failed(results: Iterable[TaskResult]) -> dict[str, list[TaskResult]]:
    """Return the results of the cases that failed in every repeat, by case."""
    found: dict[str, list[TaskResult]] = {}
    for each in results:
        found.setdefault(each.case, []).append(each)
    return {
        case: sorted(some, key=lambda each: each.repeat)
        for case, some in found.items()
        if not any(each.success for each in some)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentFailures:
    """The failures of one component of SAGE (Fig. 9 of the text with 43 tasks)."""

    uses: int
    """Results of cases that need the component."""

    failed: int
    """Those that failed because of it."""

    @property
    def share(self) -> float:
        """Return failures over uses."""
        return self.failed / self.uses


def component_failures(
    results: Sequence[TaskResult], blamed: Mapping[ResultKey, str]
) -> dict[str, ComponentFailures]:
    """Return the failures by component; `blamed`: failed result -> component at fault."""
    names = sorted({name for each in results for name in each.components})
    return {
        name: ComponentFailures(
            uses=sum(name in each.components for each in results),
            failed=sum(
                not each.success and name in each.components and blamed.get(each.key) == name
                for each in results
            ),
        )
        for name in names
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Means for one command, and the sum of the prices."""

    calls: float
    new_tokens: float
    cached_tokens: float
    completion_tokens: float
    seconds: float
    price: float | None
    """US dollars for all results; None if the price of the model is unknown."""


def cost(results: Sequence[TaskResult]) -> Cost:
    """Return the cost of results, of which there is at least one."""
    count = len(results)
    prices = [each.price for each in results if each.price is not None]
    return Cost(
        calls=sum(each.calls for each in results) / count,
        new_tokens=sum(each.new_tokens for each in results) / count,
        cached_tokens=sum(each.cached_tokens for each in results) / count,
        completion_tokens=sum(each.completion_tokens for each in results) / count,
        seconds=sum(each.seconds for each in results) / count,
        price=sum(prices) if len(prices) == count else None,
    )
