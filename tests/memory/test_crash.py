"""Kill -9 at any moment of writing loses nothing that was acknowledged."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from .bare import ROOT
from .crash_points import FIRST_STATEMENTS, RETURNED, REWRITING, STATEMENTS

DRIVERS = 2


@pytest.mark.slow
def test_what_was_acknowledged_survives_200_kills(tmp_path: Path):
    drivers = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.memory.bare", "tests.memory.crash_driver"),
                *(str(tmp_path / str(seed)), str(seed)),
            ],
            cwd=ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(1, DRIVERS + 1)
    ]
    kills: Counter[str] = Counter()
    named: Counter[str] = Counter()
    acknowledged = 0
    for driver in drivers:
        told, errors = driver.communicate()
        assert driver.returncode == 0, errors
        result = json.loads(told)
        kills.update(result["ways"])
        named.update(result["named"])
        acknowledged += result["acknowledged"]

    assert kills.total() >= 200
    assert named.total() >= 100
    assert set(named) == {*STATEMENTS, *FIRST_STATEMENTS, RETURNED, REWRITING}
    assert set(kills) == {"point", "step", "torn", "outside"}
    assert acknowledged > 1000
