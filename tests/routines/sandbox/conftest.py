"""Monty, started once for the tests of a worker of pytest."""

from collections.abc import Iterator

import pytest

from custom_components.sage.routines.sandbox.monty import MontyEngine
from tests.waiting import stretch_sandbox

from .workshop import FUNCTIONS


@pytest.fixture(scope="session")
def engine() -> Iterator[MontyEngine]:
    """Monty for checks that end."""
    yield from started(100)


@pytest.fixture(scope="session")
def strict_engine() -> Iterator[MontyEngine]:
    """Monty for checks that do not end; `sandbox_patience` has to be 2."""
    yield from started(2)


def started(patience: float) -> Iterator[MontyEngine]:
    engine = MontyEngine(FUNCTIONS, lambda: "Europe/Berlin")
    with pytest.MonkeyPatch.context() as patch:
        stretch_sandbox(patch, patience)
        engine.start()
    yield engine
    engine.close()
