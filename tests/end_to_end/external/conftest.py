"""People with mail accounts on real servers on loopback."""

from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigSubentryData

from benchmark.mail_servers import HOST, PASSWORD, Dovecot, SmtpServer
from benchmark.model_script import Completion
from tests.decisions import NATIVE, Decides
from tests.end_to_end.conftest import MakeSage, Sage


def account(
    user_id: str, name: str, imap_port: int, smtp_port: int, **data: Any
) -> ConfigSubentryData:
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


def mail(request: str, decides: Decides = NATIVE, *, final: bool = True, **more: Any) -> Completion:
    """Return the call that gives a request to the agent for mail and calendars."""
    return decides.call("email_and_calendar", request=request, final=final, **more)


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
