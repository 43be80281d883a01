"""Fixtures of the benchmark's tests."""

import pytest
import pytest_socket


@pytest.fixture
def processes(socket_enabled: None) -> None:
    """Let tests start processes: Python asks for them through a Unix socket."""
    pytest_socket.socket_allow_hosts(["127.0.0.1"], allow_unix_socket=True)
