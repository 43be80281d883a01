"""Given pysmartthings as it is installed, when our change is applied, then its tests pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pysmartthings
import pytest

PATCH = Path(__file__).parents[3] / "docs/upstream/pysmartthings-command-result.patch"


@pytest.mark.parametrize("is_applied", [False, True])
def test_the_change_to_pysmartthings_does_what_its_tests_say(tmp_path: Path, is_applied: bool):
    package = Path(pysmartthings.__file__).parent
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, tmp_path / "src" / package.name, ignore=skipped)
    apply = [
        "git",
        "apply",
        "--ignore-whitespace",
        PATCH,
        *(() if is_applied else ("--include=tests/*",)),
    ]
    subprocess.run(apply, cwd=tmp_path, check=True)

    options = ["-q", "-p", "no:homeassistant", "-o", "asyncio_mode=auto"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "tests"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=False,
    )

    # Without the change its tests cannot even be imported.
    assert (done.returncode == 0) is is_applied, done.stdout
