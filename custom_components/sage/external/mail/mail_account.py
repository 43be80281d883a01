"""Mail accounts, and the server settings of large providers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Security(StrEnum):
    """The encryption of a connection to a mail server."""

    TLS = "tls"
    """The connection is encrypted from the first byte."""
    STARTTLS = "starttls"
    """Encryption starts with a command; the connection fails if the server refuses it."""
    NONE = "none"
    """No encryption: only for a server on this machine or in a trusted network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """The address of a mail server."""

    host: str
    port: int
    security: Security


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAccount:
    """One mail account of one person."""

    user_id: str
    """The id of the Home Assistant user; only this person can use the account."""

    address: str
    user_name: str
    """The user name for both servers, usually the address."""

    password: str = field(repr=False)
    imap: MailServer
    smtp: MailServer
    keeps_sent: bool
    """Whether the server itself stores sent messages in its folder for sent mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A large mail provider: its servers, and its help page about app passwords."""

    name: str
    imap: MailServer
    smtp: MailServer
    keeps_sent: bool
    help_url: str


def _servers(imap: str, smtp: str, smtp_port: int) -> tuple[MailServer, MailServer]:
    security = Security.TLS if smtp_port == 465 else Security.STARTTLS
    return (
        MailServer(host=imap, port=993, security=Security.TLS),
        MailServer(host=smtp, port=smtp_port, security=security),
    )


_GMAIL = _servers("imap.gmail.com", "smtp.gmail.com", 465)
_OUTLOOK = _servers("outlook.office365.com", "smtp-mail.outlook.com", 587)
_FASTMAIL = _servers("imap.fastmail.com", "smtp.fastmail.com", 465)
_ICLOUD = _servers("imap.mail.me.com", "smtp.mail.me.com", 587)

PROVIDERS: Final[Mapping[str, Provider]] = MappingProxyType(
    {
        "gmail": Provider(
            name="Gmail",
            imap=_GMAIL[0],
            smtp=_GMAIL[1],
            keeps_sent=True,
            help_url="https://support.google.com/accounts/answer/185833",
        ),
        "outlook": Provider(
            name="Outlook",
            imap=_OUTLOOK[0],
            smtp=_OUTLOOK[1],
            keeps_sent=True,
            help_url="https://support.microsoft.com/account-billing/5896ed9b-4263-e681-128a-a6f2979a7944",
        ),
        "fastmail": Provider(
            name="Fastmail",
            imap=_FASTMAIL[0],
            smtp=_FASTMAIL[1],
            keeps_sent=False,
            help_url="https://www.fastmail.help/hc/en-us/articles/360058752854",
        ),
        "icloud": Provider(
            name="iCloud",
            imap=_ICLOUD[0],
            smtp=_ICLOUD[1],
            keeps_sent=False,
            help_url="https://support.apple.com/102654",
        ),
    }
)
"""Key that the config flow stores -> provider."""
