"""Monty, started once for the tests of a worker of pytest."""

from collections.abc import Iterator

import pytest

from custom_components.sage.routines.sandbox.monty import MontyEngine

from .workshop import FUNCTIONS


@pytest.fixture(scope="session")
def engine() -> Iterator[MontyEngine]:
    engine = MontyEngine(FUNCTIONS, lambda: "Europe/Berlin")
    engine.start()
    yield engine
    engine.close()
