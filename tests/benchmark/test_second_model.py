"""The benchmark of the second model breaks the first one in each way, and reports a miss."""

import json

import pytest

from .running import run_benchmark


@pytest.mark.parametrize("more", [(), ("--pause",)])
def test_each_command_is_answered_and_executed_once(more: tuple[str, ...]):
    done = run_benchmark("second_model", "--requests", "20", *more)

    figures = json.loads(done.stdout.splitlines()[-1])
    assert done.returncode == 0, figures
    assert (figures["answered"], figures["twice"], figures["lost"]) == (20, 0, 0)
    assert figures["told"] == 1
    assert figures["kinds"] == {"killed": 5, "slow": 5, "limited": 5, "garbage": 5}
