"""No field of a report is believed: the worker may have been taken over."""

import pytest

from custom_components.sage.routines.sandbox.outcomes import to_outcome
from custom_components.sage.routines.sandbox.sandbox_types import Fault

from .workshop import GOOD, check


@pytest.mark.parametrize(
    "report",
    [
        5,
        "value",
        [],
        ["value"],
        ["value", "yes", False, [], [], None, "", 1.0],
        ["value", True, False, [99], [], None, "", 1.0],
        ["value", True, False, ["x"], [], None, "", 1.0],
        ["value", True, False, [], [["f", [[1]]]], None, "", 1.0],
        ["value", True, False, [], [["f", [10**30]]], None, "", 1.0],
        ["value", True, False, 5, [], None, "", 1.0],
        ["other", True, False, [], [], None, "", 1.0],
    ],
)
def test_a_report_that_is_none_is_not_believed(report: object):
    outcome = to_outcome(check(GOOD), report)

    assert outcome.value is None
    assert outcome.error
    assert outcome.error.fault is Fault.CRASH


def test_a_state_that_cannot_be_kept_is_not_believed():
    report = ["value", True, False, [], [], {"x": float("nan")}, "", 1.0]

    outcome = to_outcome(check(GOOD), report)

    assert (outcome.value, outcome.state) == (None, None)
    assert outcome.error
    assert outcome.error.fault is Fault.STATE


def test_a_good_report_is_read():
    outcome = to_outcome(check(GOOD), ["value", True, False, [0], [], {"n": 1}, "x", 1.0])

    assert (outcome.value, outcome.state, outcome.printed) == (True, {"n": 1}, "x")
