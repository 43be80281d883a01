"""The table, the chart and the progress bar, for people."""

import sys
from collections.abc import Mapping, Sequence
from typing import Final, TextIO

from .case import Kind
from .results import Result, SeriesKey, figures

_BAR: Final = 40
"""Characters of the longest bar."""

_COLUMNS: Final = (
    "right",
    "unwanted",
    "one call",
    "calls",
    "new tok",
    "cached",
    "output",
    "own ms",
    "p95",
    "held ms",
    "first s",
    "last s",
)


class Progress:
    """A bar on a terminal, a line for every tenth sentence elsewhere."""

    def __init__(self, total: int, out: TextIO | None = None, *, done: int = 0) -> None:
        self._total = total
        self._out = sys.stderr if out is None else out
        self._done = done

    def step(self, result: Result, *, is_new: bool) -> None:
        """Show that one more sentence is done."""
        self._done += 1
        filled = _BAR * self._done // self._total
        bar = f"[{'#' * filled:<{_BAR}}] {self._done}/{self._total}"
        mark = "right" if result.right else "WRONG"
        text = f"{bar} {' '.join(result.series)} {result.case}: {mark}"
        if self._out.isatty():
            end = "\n" if self._done == self._total else ""
            print(f"\r{text:<110}", end=end, file=self._out, flush=True)
        elif is_new and (self._done % 10 == 0 or self._done == self._total):
            print(text, file=self._out, flush=True)


def table(series: Mapping[SeriesKey, Sequence[Result]]) -> str:
    """Return a line for each series, and one for each kind of sentence in it."""
    head = f"{'home, method, format':<34}{'n':>4}" + "".join(f"{name:>10}" for name in _COLUMNS)
    lines = [head]
    for key, results in series.items():
        lines.append(_row(" ".join(key), results))
        kinds = {kind: [each for each in results if each.kind == kind] for kind in Kind}
        lines += [_row(f"  {kind}", some) for kind, some in kinds.items() if some]
    lines.append("calls, tokens: mean; own ms, seconds: median; held ms: longest")
    return "\n".join(lines)


def _row(name: str, results: Sequence[Result]) -> str:
    found = figures(results)
    cells = (
        found["right"],
        found["unwanted"],
        found["one_call"],
        f"{found['calls']['mean']:.2f}",
        f"{found['new_tokens']['mean']:.0f}",
        f"{found['cached_tokens']['mean']:.0f}",
        f"{found['output_tokens']['mean']:.0f}",
        f"{found['own_ms']['median']:.1f}",
        f"{found['own_ms']['p95']:.1f}",
        f"{found['held_ms']:.1f}",
        f"{found['first_word_s']['median']:.2f}",
        f"{found['last_word_s']['median']:.2f}",
    )
    return f"{name:<34}{len(results):>4}" + "".join(f"{cell:>10}" for cell in cells)


def chart(series: Mapping[SeriesKey, Sequence[Result]]) -> str:
    """Return bars: how many sentences took how many model calls."""
    lines = ["sentences by model calls"]
    for key, results in series.items():
        lines.append(" ".join(key))
        counted = [each.calls for each in results]
        most = max(counted.count(calls) for calls in counted)
        for calls in sorted(set(counted)):
            count = counted.count(calls)
            bar = "█" * max(1, round(_BAR * count / most))
            lines.append(f"  {calls:>2} {bar} {count}")
    return "\n".join(lines)


def mistakes(results: Sequence[Result]) -> str:
    """Return a line for each sentence that went wrong."""
    return "\n".join(
        f"WRONG  {' '.join(each.series)} {each.case}: {_why(each)} - {each.answer!r}"
        for each in results
        if not each.right
    )


def _why(result: Result) -> str:
    changed = [f"{each} changed" for each in result.unwanted]
    failure = [f"the model gave no reply: {result.failure}"] if result.failure else []
    return "; ".join((*result.wrong, *changed, *failure))
