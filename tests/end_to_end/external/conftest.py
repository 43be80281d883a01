"""People with mail accounts on real servers on loopback."""

from collections.abc import Callable, Generator
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigSubentryData

from tests.end_to_end.conftest import MakeSage, Sage
from tests.mail_servers import HOST, PASSWORD, Dovecot, SmtpServer

NAMES = ("anna", "ben")


@pytest.fixture(scope="session")
def dovecot(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dovecot]:
    """An IMAP server for all tests."""
    with Dovecot(tmp_path_factory.mktemp("dovecot"), NAMES) as server:
        yield server


@pytest.fixture(scope="session")
def smtp_server() -> Generator[SmtpServer]:
    """An SMTP server for all tests."""
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


def account(
    user_id: str, name: str, imap_port: int, smtp_port: int, **data: Any
) -> ConfigSubentryData:
    """Return the subentry of a mail account."""
    return ConfigSubentryData(
        subentry_type="mail",
        title=f"{name}@example.com",
        unique_id=f"{user_id} {name}@example.com",
        data={
            "user": user_id,
            "provider": "other",
            "address": f"{name}@example.com",
            "username": name,
            "password": PASSWORD.format(name=name),
            "imap": {"host": HOST, "port": imap_port, "security": "none"},
            "smtp": {"host": HOST, "port": smtp_port, "security": "none"},
            "keeps_sent": False,
            **data,
        },
    )


@pytest.fixture
async def anna(user: User) -> User:
    """Anna, who has mail."""
    return user


@pytest.fixture
async def ben(other: User) -> User:
    """Ben, who has mail of his own."""
    return other


@pytest.fixture
def make_mail_sage(
    make_sage: MakeSage, imap: Dovecot, smtp: SmtpServer, anna: User, ben: User
) -> Callable[..., Any]:
    """Set up SAGE with the accounts of Anna and Ben."""

    async def make(decision_format: str = "native", **more: Any) -> Sage:
        accounts = [
            account(person.id, name, imap.port, smtp.port)
            for person, name in ((anna, "anna"), (ben, "ben"))
        ]
        made: Sage = await make_sage(decision_format, subentries=accounts, **more)
        return made

    return make


@pytest.fixture
async def sage(make_mail_sage: Callable[..., Any]) -> Sage:
    """SAGE with the accounts of Anna and Ben, and native decisions."""
    made: Sage = await make_mail_sage()
    return made
