"""Fixtures of the mail servers on loopback."""

from collections.abc import Generator
from typing import Final

import pytest
from pytest_socket import enable_socket

from benchmark.mail_servers import HOST, PASSWORD, Dovecot, SmtpServer, certificate
from custom_components.sage.external.mail_account import MailAccount, MailServer, Security

NAMES: Final = ("anna", "ben")

# The certificate is kept; it must not be made while a test has stopped the clock.
certificate()


def account(port: int, name: str = "anna") -> MailAccount:
    """Return an account at a server of this machine, which reads and sends."""
    server = MailServer(host=HOST, port=port, security=Security.NONE)
    return MailAccount(
        user_id=name,
        address=f"{name}@example.com",
        user_name=name,
        password=PASSWORD.format(name=name),
        imap=server,
        smtp=server,
        keeps_sent=True,
    )


@pytest.fixture(scope="session")
def dovecot(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dovecot]:
    enable_socket()
    with Dovecot(tmp_path_factory.mktemp("dovecot"), NAMES) as server:
        yield server


@pytest.fixture(scope="session")
def smtp_server() -> Generator[SmtpServer]:
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
    smtp_server.accepted.clear()
    smtp_server.refused.clear()
    return smtp_server
