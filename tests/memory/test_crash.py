"""Kill -9 at any moment of writing loses nothing that was acknowledged."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from custom_components.sage.memory.person_memory import PersonMemory

from .bare import ROOT
from .conftest import said
from .crash_judge import Judge, JudgementError
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


def test_the_bare_process_has_no_home_assistant(tmp_path: Path):
    program = (
        "import sys; from tests.memory.bare import import_bare; import_bare();"
        "import custom_components.sage.memory.person_memory;"
        "assert not any(name.startswith('homeassistant') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


type Calls = list[tuple[str, dict[str, Any], dict[str, Any]]]

LIES: dict[str, Calls] = {
    "a memory that is not there": [("add", {"text": "#0-1# tea"}, {"id": 2})],
    "a correction that is not there": [("correct", {"id": 1, "text": "#0-1# tea"}, {})],
    "words that are still there": [("forget", {"ids": [1]}, {})],
    "a vector that is not there": [("set_vectors", {"ids": [1]}, {})],
}


@pytest.mark.parametrize("lie", LIES)
def test_the_judge_is_not_taken_in(path: Path, anna: PersonMemory, lie: str):
    text = "#00000000-0001# tea"
    anna.add(said(text))
    anna.close()
    judge = Judge(path)
    judge.follow(told([("add", {"text": text}, {"id": 1})]))

    with pytest.raises(JudgementError):
        judge.follow(told(LIES[lie]))


def test_the_judge_sees_half_a_call_and_words_in_other_files(path: Path, anna: PersonMemory):
    first, second = anna.add(said("#00000000-0001# tea")), anna.add(said("#00000000-0002# tea"))
    anna.close()
    lines = told(
        [
            ("add", {"text": first.text}, {"id": first.id}),
            ("add", {"text": second.text}, {"id": second.id}),
        ]
    )
    Judge(path).follow(lines)

    half = PersonMemory.open(path)
    half.forget([first.id])
    half.close()
    with pytest.raises(JudgementError, match="Half"):
        Judge(path).follow([*lines, {"begin": "forget", "ids": [first.id, second.id]}])

    path.with_name("leftover").write_text(first.text)
    with pytest.raises(JudgementError, match="still in a file"):
        Judge(path).follow([*lines, *told([("forget", {"ids": [first.id]}, {})])])


def told(calls: Calls) -> list[dict[str, Any]]:
    """Return the lines of a writer that began and acknowledged calls."""
    return [
        line
        for name, arguments, result in calls
        for line in ({"begin": name, **arguments}, {"done": True, **result})
    ]
