"""Monty, started once for the tests of a worker of pytest."""

from collections.abc import Iterator

import pytest

from tests.waiting import stretch_sandbox

from .workshop import Engine


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """Monty for checks that end."""
    yield from started(100)


@pytest.fixture(scope="session")
def strict_engine() -> Iterator[Engine]:
    """Monty for checks that do not end; `sandbox_patience` has to be 2."""
    yield from started(2)


def started(patience: float) -> Iterator[Engine]:
    engine = Engine()
    with pytest.MonkeyPatch.context() as patch:
        stretch_sandbox(patch, patience)
        engine.start()
    yield engine
    engine.close()
