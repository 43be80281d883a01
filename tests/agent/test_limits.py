"""What a run may use, and that waiting for a person costs nothing."""

import pytest

from custom_components.sage.agent import port as module
from custom_components.sage.agent.port import Ending, Port, RunEnded
from custom_components.sage.agent.run import Limits, Run
from custom_components.sage.model.language_model import Usage
from tests.run.test_run_registry import a_run


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


class Settings:
    """As much of the settings as the limits need."""

    def __init__(self, **limits: float) -> None:
        self.limits = Limits(**limits)  # type: ignore[arg-type]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def limited(**limits: float) -> Run:
    """Return a run with these limits."""
    run = a_run()
    run.settings = Settings(**limits)  # type: ignore[assignment]
    run.port = Port(run.settings.limits.max_seconds)
    return run


def reached(run: Run, *, steps: int = 0, depth: int = 0) -> Ending | None:
    try:
        run.check(steps=steps, depth=depth)
    except RunEnded as err:
        return err.why
    return None


async def test_fresh_run_goes_on() -> None:
    assert reached(limited()) is None


async def test_steps_and_depth() -> None:
    run = limited(max_steps=2, max_depth=1)
    assert reached(run, steps=1, depth=1) is None
    assert reached(run, steps=2) is Ending.STEPS
    assert reached(run, depth=2) is Ending.DEPTH


async def test_tokens_of_prompts_and_completions() -> None:
    run = limited(max_tokens=10)
    run.record.end("", usage=Usage(prompt_tokens=7, completion_tokens=2))
    assert reached(run) is None
    run.record.end("", usage=Usage(completion_tokens=1))
    assert reached(run) is Ending.TOKENS


async def test_seconds(clock: Clock) -> None:
    run = limited(max_seconds=10)
    clock.now += 9
    assert run.port.seconds_left() == 1
    clock.now += 2
    assert run.port.seconds_left() == 0
    assert reached(run) is Ending.SECONDS


async def test_clock_stands_still_while_a_person_is_waited_for(clock: Clock) -> None:
    port = Port(10)
    with port.paused():
        clock.now += 5
        with port.paused():
            clock.now += 100
        assert port.seconds_left() == 10
        clock.now += 5
    assert port.seconds_left() == 10
    clock.now += 4
    assert port.seconds_left() == 6
