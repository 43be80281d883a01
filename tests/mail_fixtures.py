"""Fixtures of the mail servers on loopback."""

from collections.abc import Generator
from typing import Final

import pytest
from pytest_socket import enable_socket

from benchmark.mail_servers import Dovecot, SmtpServer, certificate

NAMES: Final = ("anna", "ben")

# The certificate is kept; it must not be made while a test has stopped the clock.
certificate()


@pytest.fixture(scope="session")
def dovecot(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dovecot]:
    """An IMAP server for all tests."""
    enable_socket()
    with Dovecot(tmp_path_factory.mktemp("dovecot"), NAMES) as server:
        yield server


@pytest.fixture(scope="session")
def smtp_server() -> Generator[SmtpServer]:
    """An SMTP server for all tests."""
    enable_socket()
    with SmtpServer(NAMES) as server:
        yield server


@pytest.fixture
def imap(dovecot: Dovecot, socket_enabled: None) -> Dovecot:
    """The IMAP server without mail."""
    dovecot.clear()
    return dovecot


@pytest.fixture
def smtp(smtp_server: SmtpServer, socket_enabled: None) -> SmtpServer:
    """The SMTP server before any message."""
    smtp_server.accepted.clear()
    smtp_server.refused.clear()
    return smtp_server
