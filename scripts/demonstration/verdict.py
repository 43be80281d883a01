"""When a command of the demo counts as done."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

VERIFIED: Final = "verified"
STORES: Final = "condition_polling"
"""The tool that stores a routine."""

_ASKS: Final = "it asks back, and waits for the answer"
_ONLY_READ: Final = "no command was executed; what a question should answer needs --expect"
_DONE: Final = "done"


def complaints(
    answer: str, trace: Mapping[str, Any] | None, expect: tuple[str, ...], *, asks: bool = False
) -> tuple[str, ...]:
    """Return why the command failed; empty when it did not.

    A command passes when everything it did was seen to have happened, or when it was stored as a
    routine; one with an expected text passes when the answer holds it and something was read.
    """
    if trace is None and asks:
        return (_ASKS,)
    if trace is None:
        return ("there is no trace of SAGE for it",)
    is_stored = _is_stored(trace)
    if (
        not expect
        and not is_stored
        and not (trace.get("outcomes") or trace.get("external_actions"))
    ):
        return (_ONLY_READ if trace.get("reads") else "no command was executed",)
    if not expect:
        return _not_verified(trace)
    found = [f"the answer does not hold {text!r}" for text in _missing(expect, answer)]
    if int(trace.get("reads") or 0) < 1 and not is_stored:
        found.append("nothing was read")
    return tuple(found)


def complaints_of_event(
    *,
    fired: int,
    traces: Sequence[Mapping[str, Any]],
    delivered: Sequence[str],
    asks: bool = False,
    expect: tuple[str, ...],
    expect_nothing: bool,
) -> tuple[str, ...]:
    """Return why an event did not lead to what it should; empty when it did.

    `fired` routines fired; `traces` are those of their runs, `delivered` the words that reached
    their person, who is asked something if `asks`. Words alone do only where a text was expected:
    "I could not" are words, too.
    """
    if expect_nothing:
        return ("something came of it",) if fired or traces or delivered else ()
    if asks and len(traces) < max(fired, 1):
        return (_ASKS,)
    if not traces:
        return ("a routine fired and did not come to an end" if fired else "no routine fired",)
    found = [complaint for trace in traces for complaint in _not_verified(trace)]
    if not expect and not any(trace.get("outcomes") for trace in traces):
        found.append("no command was executed")
    # What a routine did well is silent; its answer stands in the trace.
    words = "\n".join([*delivered, *(str(trace.get("answer", "")) for trace in traces)])
    found += [f"what was said does not hold {text!r}" for text in _missing(expect, words)]
    return tuple(found)


def _missing(expect: tuple[str, ...], text: str) -> list[str]:
    return [each for each in expect if each.casefold() not in text.casefold()]


def _is_stored(trace: Mapping[str, Any]) -> bool:
    return any(
        step.get("name") == STORES and not step.get("error")
        for step in _steps(trace.get("root") or {})
    )


def _steps(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for child in node.get("children") or ():
        yield from _steps(child)


def _not_verified(trace: Mapping[str, Any]) -> tuple[str, ...]:
    outcomes = trace.get("outcomes") or ()
    return (
        *(
            f"{outcome.get('command', 'a command')} is not verified: {outcome.get('kind', '?')}"
            for outcome in outcomes
            if outcome.get("kind") != VERIFIED
        ),
        *(
            f"outside the home: {kind}"
            for kind in trace.get("external_actions") or ()
            if kind != _DONE
        ),
    )
