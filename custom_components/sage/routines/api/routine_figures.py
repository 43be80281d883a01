"""Statistics of routines for bug reports, without texts."""

from collections import Counter
from typing import Any

from ..routines import Routines


def routine_figures(routines: Routines) -> dict[str, Any]:
    """Return counts of all routines, and whether their code can run; None: not needed yet.

    Where the store cannot be read there is the reason in place of the counts.
    """
    if routines.trouble is not None:
        return {"error": routines.trouble}
    there = routines.list_all()
    sandbox = routines.sandbox
    return {
        "unreadable": len(routines.unreadable),
        "count": len(there),
        "by_status": dict(Counter(each.status.value for each in there)),
        "by_trigger": dict(Counter(type(each.routine.trigger).__name__.lower() for each in there)),
        "owners": len({each.routine.owner for each in there}),
        "fired": sum(each.memo.fired for each in there),
        "failing_checks": sum(each.memo.failures > 0 for each in there),
        "repaired": sum(each.routine.is_repaired for each in there),
        "sandbox": "running" if sandbox.is_running else sandbox.error and sandbox.error.cause.value,
    }
