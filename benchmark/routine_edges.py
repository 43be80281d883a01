"""Compares the edges that were carried out with those of the script."""

from collections.abc import Sequence
from typing import Any, Final

from custom_components.sage.routines.routine_types import EdgeKind

from .routine_script import Edge, Plan

COUNTS: Final = ("routines", "edges", "found", "missing", "too_many")

_EARLY: Final = 0.4
"""Seconds; minutes in conditions are rounded to hundredths."""


def edge_figures(
    script: Sequence[Plan], carried_out: Sequence[tuple[str, EdgeKind, float]], seconds: int
) -> dict[str, Any]:
    """Return the counts by kind of condition, and in `wrong` what does not agree.

    Times are seconds from when the hour began; it ended after `seconds`.
    """
    by_routine: dict[str, list[Edge]] = {}
    for routine_id, kind, at in carried_out:
        by_routine.setdefault(routine_id, []).append((at, kind))
    kinds: dict[str, dict[str, Any]] = {}
    wrong: list[str] = []
    for plan in script:
        row = kinds.setdefault(plan.kind, {**dict.fromkeys(COUNTS, 0), "latest_s": 0.0})
        late, missing, too_many = _matched(plan, by_routine.get(plan.routine.id, []), seconds)
        row["routines"] += 1
        row["edges"] += len(late) + len(missing)
        row["found"] += len(late)
        row["missing"] += len(missing)
        row["too_many"] += len(too_many)
        row["latest_s"] = round(max([row["latest_s"], *late]), 2)
        wrong += [f"{plan.kind}: missing {kind} at {at:.2f}" for at, kind in missing]
        wrong += [f"{plan.kind}: {kind} at {at:.2f} is none" for at, kind in too_many]
    total = {name: sum(row[name] for row in kinds.values()) for name in COUNTS}
    return {**total, "kinds": kinds, "wrong": wrong}


def _matched(
    plan: Plan, got: Sequence[Edge], seconds: int
) -> tuple[list[float], list[Edge], list[Edge]]:
    """Return how late each edge was that was found, those that were not, and what is none."""
    left = sorted(got)
    late: list[float] = []
    missing: list[Edge] = []
    for at, kind in plan.edges:
        until = at + plan.tolerance
        match = next(
            (each for each in left if each[1] is kind and at - _EARLY <= each[0] <= until), None
        )
        if match is not None:
            left.remove(match)
            late.append(match[0] - at)
        elif until < seconds:
            missing.append((at, kind))
    # The script has no edges after its end, but the routines may run a moment longer.
    return late, missing, [each for each in left if each[0] < seconds]
