"""Fixtures of Radicale on loopback."""

from collections.abc import Iterator, Mapping

import pytest

from benchmark.radicale_server import RadicaleServer

PASSWORDS: Mapping[str, str] = {"anna": "anna's secret", "ben": "ben's secret"}


@pytest.fixture(scope="session")
def radicale_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RadicaleServer]:
    """The server, one for all tests."""
    server = RadicaleServer(tmp_path_factory.mktemp("radicale"), PASSWORDS)
    yield server
    server.stop()


@pytest.fixture
def radicale(radicale_process: RadicaleServer, socket_enabled: None) -> RadicaleServer:
    """The server without any collection."""
    radicale_process.clear()
    return radicale_process
