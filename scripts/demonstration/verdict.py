"""When a command of the demo counts as done."""

from collections.abc import Mapping
from typing import Any

VERIFIED = "verified"


def complaints(
    answer: str, trace: Mapping[str, Any] | None, expect: tuple[str, ...], *, asks: bool = False
) -> tuple[str, ...]:
    """Return why the command failed; empty when it did not.

    A command passes when everything it did was seen to have happened; one with an expected text
    passes when the answer holds it and the home was really read.
    """
    if trace is None and asks:
        return ("it asks back, and waits for the answer",)
    if trace is None:
        return ("there is no trace of SAGE for it",)
    if not expect:
        return _not_verified(trace)
    missing = [text for text in expect if text.casefold() not in answer.casefold()]
    found = [f"the answer does not hold {text!r}" for text in missing]
    if int(trace.get("reads") or 0) < 1:
        found.append("nothing was read in the home")
    return tuple(found)


def _not_verified(trace: Mapping[str, Any]) -> tuple[str, ...]:
    outcomes = trace.get("outcomes") or ()
    if not outcomes:
        return ("no command was executed",)
    return tuple(
        f"{outcome.get('command', 'a command')} is not verified: {outcome.get('kind', '?')}"
        for outcome in outcomes
        if outcome.get("kind") != VERIFIED
    )
