"""What a run may use, and that waiting for a person costs nothing."""

import pytest

from custom_components.sage.agent import budget as module
from custom_components.sage.agent.budget import Budget, Limit, LimitReached, Limits


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def reached(budget: Budget, *, steps: int = 0, depth: int = 0) -> Limit | None:
    try:
        budget.check(steps=steps, depth=depth)
    except LimitReached as err:
        return err.limit
    return None


def test_fresh_budget_holds() -> None:
    assert reached(Budget(Limits())) is None


def test_steps_and_depth() -> None:
    budget = Budget(Limits(max_steps=2, max_depth=1))
    assert reached(budget, steps=1, depth=1) is None
    assert reached(budget, steps=2) is Limit.STEPS
    assert reached(budget, depth=2) is Limit.DEPTH


def test_tokens_of_prompts_and_completions() -> None:
    budget = Budget(Limits(max_tokens=10))
    budget.tokens += 9
    assert reached(budget) is None
    budget.tokens += 1
    assert reached(budget) is Limit.TOKENS


def test_seconds(clock: Clock) -> None:
    budget = Budget(Limits(max_seconds=10))
    clock.now += 9
    assert budget.seconds_left() == 1
    clock.now += 2
    assert budget.seconds_left() == 0
    assert reached(budget) is Limit.SECONDS


def test_clock_stands_still_while_a_person_is_waited_for(clock: Clock) -> None:
    budget = Budget(Limits(max_seconds=10))
    with budget.paused():
        clock.now += 5
        with budget.paused():
            clock.now += 100
        assert budget.seconds_left() == 10
        clock.now += 5
    assert budget.seconds_left() == 10
    clock.now += 4
    assert budget.seconds_left() == 6
