"""Kill -9 at any moment of writing loses nothing that was acknowledged."""

from collections import Counter
from pathlib import Path

import pytest

from .crash_points import FIRST_STATEMENTS, RETURNED, REWRITING, STATEMENTS, driven


@pytest.mark.slow
def test_what_was_acknowledged_survives_200_kills(tmp_path: Path):
    kills: Counter[str] = Counter()
    named: Counter[str] = Counter()
    acknowledged = 0
    for result in driven("tests.memory.crash_driver", tmp_path):
        kills.update(result["ways"])
        named.update(result["named"])
        acknowledged += result["acknowledged"]

    assert kills.total() >= 200
    assert named.total() >= 100
    assert set(named) == {*STATEMENTS, *FIRST_STATEMENTS, RETURNED, REWRITING}
    assert set(kills) == {"point", "step", "torn", "outside"}
    assert acknowledged > 1000
