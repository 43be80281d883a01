"""The result of each sentence, kept as JSON lines, and the figures and bounds over them."""

import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from .case import Kind

type SeriesKey = tuple[str, str, str]
"""Home, method and decision format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of the last sentence of a case."""

    case: str
    kind: str
    home: str
    method: str
    format: str
    model: str
    said: tuple[str, ...]
    """All sentences of the case."""

    answer: str
    wrong: tuple[str, ...]
    """What is not as it should be, one sentence each."""

    unwanted: tuple[str, ...]
    """Entities that changed and must not have."""

    calls: int
    new_tokens: int
    """Prompt tokens that the server had to evaluate."""

    cached_tokens: int
    output_tokens: int
    own_ms: float
    """Time that was not spent waiting for the model."""

    held_ms: float
    """Longest callback of the event loop, in time of the processor; 0 for under 2 ms."""

    first_word_s: float
    last_word_s: float
    failure: str = ""
    """Why the model gave no reply; such a case is measured again."""

    @property
    def right(self) -> bool:
        """All is as it should be, and nothing else changed."""
        return not (self.wrong or self.unwanted or self.failure)

    @property
    def series(self) -> SeriesKey:
        """The series of results that it belongs to."""
        return self.home, self.method, self.format

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes it the same measurement."""
        return (*self.series, self.model, self.case, self.said)


class ResultFile:
    """Results as JSON lines, appended one by one; an unfinished last line is ignored."""

    def __init__(self, path: Path) -> None:
        """Read what the file holds already."""
        self._path = path
        self._known: dict[tuple[Any, ...], Result] = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for line in text.splitlines():
            if (result := _parsed(line)) is not None:
                self._known[result.key] = result
        self._is_cut = bool(text) and not text.endswith("\n")

    def get(self, key: tuple[Any, ...]) -> Result | None:
        """Return a result that need not be measured again."""
        known = self._known.get(key)
        return None if known is None or known.failure else known

    def add(self, result: Result) -> None:
        """Append a result."""
        self._known[result.key] = result
        line = json.dumps(asdict(result), ensure_ascii=False)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n" if self._is_cut else f"{line}\n")
        self._is_cut = False


def _parsed(line: str) -> Result | None:
    try:
        data = json.loads(line)
        for name in ("said", "wrong", "unwanted"):
            data[name] = tuple(data[name])
        return Result(**data)
    except ValueError, TypeError, KeyError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a series has to reach."""

    right: float = 1.0
    """Share of the sentences."""

    one_call: float = 0.0
    """Share of the sentences that take exactly one model call."""

    mean_calls: float


SCRIPTED: Final = Bounds(one_call=45 / 60, mean_calls=1.5)
KEPT: Final = 0.9
"""Share of the sentences right with a server that must be right with an AI Task entity."""

REAL: Final = Bounds(right=57 / 60, mean_calls=1.6)


def by_series(results: Iterable[Result]) -> dict[SeriesKey, list[Result]]:
    """Return the results by home, method and format, in order."""
    found: dict[SeriesKey, list[Result]] = {}
    for each in results:
        found.setdefault(each.series, []).append(each)
    return found


def figures(results: Sequence[Result]) -> dict[str, Any]:
    """Return the figures of one series."""
    direct = [each for each in results if each.kind == Kind.COMMAND]
    return {
        "sentences": len(results),
        "right": sum(each.right for each in results),
        "unwanted": sum(bool(each.unwanted) for each in results),
        "failures": sum(bool(each.failure) for each in results),
        "one_call": sum(each.calls == 1 for each in results),
        "calls": _spread(results, lambda each: each.calls),
        "new_tokens": _spread(results, lambda each: each.new_tokens),
        "cached_tokens": _spread(results, lambda each: each.cached_tokens),
        "output_tokens": _spread(results, lambda each: each.output_tokens),
        "own_ms": _spread(results, lambda each: each.own_ms),
        "held_ms": max(each.held_ms for each in results),
        "first_word_s": _spread(results, lambda each: each.first_word_s),
        "last_word_s": _spread(results, lambda each: each.last_word_s),
        "direct_commands": _direct(direct) if direct else {},
        "wrong": [each.case for each in results if not each.right],
    }


def _direct(results: Sequence[Result]) -> dict[str, Any]:
    """Return the figures of plain commands; the first one, with a cold cache, left out of time."""
    later = results[1:] or results
    return {
        "sentences": len(results),
        "right": sum(each.right for each in results),
        "calls": _spread(results, lambda each: each.calls),
        "new_tokens": _spread(results, lambda each: each.new_tokens),
        "later_new_tokens": _spread(later, lambda each: each.new_tokens),
        "later_last_word_s": _spread(later, lambda each: each.last_word_s),
    }


def _spread(results: Sequence[Result], of: Callable[[Result], float]) -> dict[str, float]:
    values = sorted(map(of, results))
    return {
        "median": round(statistics.median(values), 3),
        "mean": round(statistics.fmean(values), 3),
        "p95": round(values[min(len(values) - 1, int(len(values) * 0.95))], 3),
        "total": round(sum(values), 3),
    }


def missed(series: Mapping[SeriesKey, Sequence[Result]], bounds: Bounds) -> list[str]:
    """Return the bounds that do not hold, one sentence each."""
    return [
        f"{' '.join(key)}: {bound}"
        for key, results in series.items()
        for bound, holds in _held(results, bounds).items()
        if not holds
    ]


def missed_against(
    series: Mapping[SeriesKey, Sequence[Result]], method: str, other: SeriesKey
) -> list[str]:
    """Return whether too few sentences are right that are right in the series `other`.

    `method` must be right for KEPT of them in the same home and format.
    """
    home, _, decides = other
    right = {each.case for each in series.get(other, ()) if each.right}
    found = series.get((home, method, decides))
    if found is None or not right:
        return []
    too = sum(each.right and each.case in right for each in found)
    if too >= KEPT * len(right):
        return []
    return [f"{home} {method} {decides}: {too} of {len(right)} right, at least {KEPT:.0%} wanted"]


def _held(results: Sequence[Result], bounds: Bounds) -> Mapping[str, bool]:
    count = len(results)
    found = figures(results)
    return {
        f"at least {bounds.right:.0%} right": found["right"] >= bounds.right * count,
        "no unwanted change": found["unwanted"] == 0,
        f"one call for at least {bounds.one_call:.0%}": found["one_call"]
        >= bounds.one_call * count,
        f"at most {bounds.mean_calls} calls on average": found["calls"]["mean"]
        <= bounds.mean_calls,
    }
