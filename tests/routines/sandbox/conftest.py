"""Both engines, started once for the tests of a worker of pytest."""

from collections.abc import Iterator

import pytest

from custom_components.sage.routines.sandbox.threaded import Engine

from .workshop import ENGINES, FUNCTIONS


@pytest.fixture(scope="session")
def engines() -> Iterator[dict[str, Engine]]:
    started: dict[str, Engine] = {}
    for name, make in ENGINES.items():
        started[name] = make(FUNCTIONS, lambda: "Europe/Berlin")
        started[name].start()
    yield started
    for engine in started.values():
        engine.close()


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest, engines: dict[str, Engine]) -> Engine:
    return engines[request.param]
