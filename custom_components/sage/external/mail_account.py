"""Mail accounts, the server settings of large providers, and the errors of mail servers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

from homeassistant.const import CONF_HOST, CONF_PASSWORD, CONF_PORT, CONF_USERNAME

from ..const import CONF_ADDRESS, CONF_IMAP, CONF_KEEPS_SENT, CONF_SECURITY, CONF_SMTP, CONF_USER
from .bounded import ExternalError


class SignInRefusedError(ExternalError):
    """A mail server rejected the user name or the password."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"The mail server does not accept the password of {address}. Finish with `could_not`: "
            "the person can enter a new app password in the settings of SAGE."
        )


def server_away(host: str) -> ExternalError:
    """Return the error for a mail server that cannot be reached, or closed the connection."""
    return ExternalError(
        f"The mail server {host} cannot be reached right now. Finish with `could_not` and say "
        "that it may work later."
    )


class Security(StrEnum):
    """The encryption of a connection to a mail server."""

    TLS = "tls"  # the connection is encrypted from the first byte
    STARTTLS = "starttls"  # encryption starts with a command; fails if the server refuses it
    NONE = "none"  # no encryption: only for a server on this machine or in a trusted network


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """The address of a mail server."""

    host: str
    port: int
    security: Security

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the server that the settings of an account describe."""
        security = Security(data[CONF_SECURITY])
        return cls(host=data[CONF_HOST].strip(), port=int(data[CONF_PORT]), security=security)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAccount:
    """One mail account of one person."""

    user_id: str  # the id of the Home Assistant user; only this person can use the account
    address: str
    user_name: str  # the user name for both servers, usually the address
    password: str = field(repr=False)
    imap: MailServer
    smtp: MailServer
    keeps_sent: bool  # whether the server itself stores sent messages in the sent folder

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the account that the data of a subentry describe."""
        return cls(
            user_id=data[CONF_USER],
            address=data[CONF_ADDRESS],
            user_name=data[CONF_USERNAME],
            password=data[CONF_PASSWORD],
            imap=MailServer.from_dict(data[CONF_IMAP]),
            smtp=MailServer.from_dict(data[CONF_SMTP]),
            keeps_sent=data[CONF_KEEPS_SENT],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A large mail provider."""

    name: str
    help_url: str  # its page about app passwords
    settings: Mapping[str, Any]
    """What an account at the provider has in its subentry: the servers, and `keeps_sent`."""


PROVIDERS: Final[Mapping[str, Provider]] = {
    key: Provider(**provider)
    for key, provider in json.loads(
        Path(__file__).with_name("mail_providers.json").read_text(encoding="utf-8")
    ).items()
}
"""Key in the config flow, such as "gmail" -> provider."""
