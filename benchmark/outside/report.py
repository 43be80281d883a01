"""The table, the figures and the bounds."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any, Final

from .case import GRADES, OPTIMAL, SIZES, Kind, OutsideCase, layout
from .measure import Result
from .methods import IDEAL, IDLE, INSTANT

_Z: Final = 1.959964
"""Quantile of the normal distribution for intervals of 95 %."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the Wilson interval of 95 % for a share, as two shares; (0, 1) of nothing."""
    if not total:
        return 0.0, 1.0
    share, square = count / total, _Z**2
    middle = share + square / (2 * total)
    half = _Z * sqrt(share * (1 - share) / total + square / (4 * total**2))
    scale = 1 + square / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def figures(results: Sequence[Result]) -> dict[str, Any]:
    """Return the figures of some results as JSON data; tokens and calls are means."""
    right = sum(each.is_right for each in results)
    low, high = wilson(right, len(results))
    return {
        "sentences": len(results),
        "right": right,
        "share": round(right / len(results), 4) if results else 0.0,
        "interval": [round(low, 4), round(high, 4)],
        "grades": {
            grade: sum(each.is_right and each.grade == grade for each in results)
            for grade in GRADES
        },
        "acted_wrongly": sum(each.acted_wrongly for each in results),
        "confirmations": sum(each.confirmations for each in results),
        "without_model": sum(not each.calls for each in results),
        "calls": _mean(results, lambda each: each.calls),
        "new_tokens": _mean(results, lambda each: each.new_tokens),
        "cached_tokens": _mean(results, lambda each: each.cached_tokens),
        "output_tokens": _mean(results, lambda each: each.output_tokens),
        "median_seconds": round(statistics.median([each.seconds for each in results] or [0.0]), 3),
        "failures": sum(bool(each.failure) for each in results),
    }


def _mean(results: Sequence[Result], of: Callable[[Result], float]) -> float:
    return round(statistics.fmean(map(of, results)), 2) if results else 0.0


def rows(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Return the results of each row of the table: all, by home, by kind, without a call."""
    found = {"all": [*results]}
    for size in SIZES:
        name = f"{size} ({len(layout(size).entities)} entities)"
        found[name] = [each for each in results if each.size == size]
    for kind in Kind:
        found[f"{kind}"] = [each for each in results if each.kind == kind]
    found["no call is right"] = [each for each in results if each.wants_no_call]
    return {name: some for name, some in found.items() if some}


def table(results: Sequence[Result]) -> str:
    """Return a line for each row."""
    names = ("right", "%", "95 %", "optimal", "acted wrongly", "confirmed", "calls", "new tok")
    head = (*names, "cached", "output", "median s")
    widths = (7, 7, 14, 9, 15, 11, 7, 9, 8, 8, 10)
    titles = "".join(f"{name:>{width}}" for name, width in zip(head, widths, strict=True))
    lines = [f"{'':24}{'n':>5}{titles}"]
    for name, some in rows(results).items():
        found = figures(some)
        low, high = found["interval"]
        cells = (
            found["right"],
            f"{found['share']:.1%}",
            f"{low:.1%}-{high:.1%}",
            found["grades"][OPTIMAL],
            found["acted_wrongly"],
            found["confirmations"],
            f"{found['calls']:.2f}",
            f"{found['new_tokens']:.0f}",
            f"{found['cached_tokens']:.0f}",
            f"{found['output_tokens']:.0f}",
            f"{found['median_seconds']:.2f}",
        )
        shown = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(f"{name:24}{len(some):>5}{shown}")
    return "\n".join(lines)


def over_action(results: Sequence[Result]) -> dict[str, Any]:
    """Return how often something was done where no call is right, with its interval."""
    some = [each for each in results if each.wants_no_call]
    count = sum(each.acted_wrongly for each in some)
    low, high = wilson(count, len(some))
    return {
        "sentences": len(some),
        "acted": count,
        "interval": [round(low, 4), round(high, 4)],
    }


def mistakes(results: Sequence[Result]) -> str:
    """Return a line for each sentence that went wrong."""
    return "\n".join(
        f"WRONG  {each.case} {each.said!r}: {each.failure or each.wrong} - {each.answer!r}"
        for each in results
        if not each.is_right
    )


def missed(method: str, known: Mapping[str, OutsideCase], results: Sequence[Result]) -> list[str]:
    """Return the bounds that do not hold, one sentence each; `known`: the cases by id."""
    if method == IDEAL:
        return [f"ideal: {each.case} is wrong" for each in results if not each.is_right]
    if method == IDLE:
        return [
            f"idle: {each.case} is {'right' if each.is_right else 'wrong'}"
            for each in results
            if each.is_right != accepts_nothing(known[each.case])
        ]
    if method == INSTANT:
        return [f"instant: {each.case} acts wrongly" for each in results if each.acted_wrongly]
    return []


def accepts_nothing(case: OutsideCase) -> bool:
    """Return whether it is right to do and to say nothing."""
    return any(all(call.name == "HassNevermind" for call in each.calls) for each in case.accepted)
