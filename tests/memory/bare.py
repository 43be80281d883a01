"""Runs a module of this folder in a process that does not load the whole of SAGE.

    python -m tests.memory.bare tests.memory.crash_driver ...

The memory of a person needs little of it, and so begins quickly.
"""

import runpy
import sys
import types
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def import_bare() -> None:
    """Let `custom_components.sage.memory` be imported without what is above it."""
    for name in ("custom_components", "custom_components.sage"):
        package = types.ModuleType(name)
        package.__path__ = [str(ROOT.joinpath(*name.split(".")))]
        sys.modules[name] = package


if __name__ == "__main__":
    import_bare()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__")
