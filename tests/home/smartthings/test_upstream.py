"""Given pysmartthings as it is installed, when our change is applied, then its tests pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pysmartthings

PATCH = Path(__file__).parents[3] / "docs/upstream/pysmartthings-command-result.patch"


def test_the_change_to_pysmartthings_does_what_its_tests_say(tmp_path: Path):
    package = Path(pysmartthings.__file__).parent
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, tmp_path / "src" / package.name, ignore=skipped)
    subprocess.run(["git", "apply", "--ignore-whitespace", PATCH], cwd=tmp_path, check=True)

    options = ["-q", "-p", "no:homeassistant", "-o", "asyncio_mode=auto", "tests"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src")},
        check=False,
    )
    assert done.returncode == 0
