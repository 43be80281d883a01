"""What a person is told of an outcome: no value that they may not read (DESIGN 5, the gate).

Who may set a channel need not be allowed to see which one is on.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from ..home_types import PUT_BACK, Outcome

type MayTell = Callable[[str], bool]
"""Tells of an attribute whether its value may be told."""


def tells_all(_attribute: str) -> bool:
    """Hold nothing back."""
    return True


def disclosed(outcome: Outcome, may_tell: MayTell) -> Outcome:
    """Return the outcome without values that may not be told.

    What putting it back needs stays in `restore`, which nobody is shown.
    """
    wanted = outcome.arguments if outcome.command == PUT_BACK else {}
    hidden = {name for name in (*outcome.before, *outcome.after, *wanted) if not may_tell(name)}
    if not hidden:
        return outcome
    return replace(
        outcome,
        before=_without(outcome.before, hidden),
        after=_without(outcome.after, hidden),
        wanted={name: each for name, each in outcome.wanted.items() if name not in hidden},
        arguments=_without(wanted, hidden) if wanted else outcome.arguments,
    )


def _without(values: Mapping[str, object], hidden: Container[str]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name not in hidden}
