"""Outgoing mail: messages are checked and written, then sent over SMTP."""

import re
import ssl
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from typing import Final, Self

import aiosmtplib

from ..text import visible
from .bounded import ExternalError
from .mail_account import MailAccount, Security, SignInRefusedError, server_away
from .message import one_line

MOST_RECIPIENTS: Final = 20
LONGEST_LETTER: Final = 20_000  # maximum length of the text in characters
_LONGEST_ADDRESS: Final = 254  # maximum length of an address in characters (RFC 5321)
_ADDRESS: Final = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[A-Za-z0-9.-]+\.[A-Za-z0-9-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An outgoing message; sent unchanged after the person has confirmed it."""

    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...] = ()
    subject: str
    text: str
    references: tuple[str, ...] = ()
    """Message ids of the thread; the last one is the message being answered."""

    message_id: str = field(default="", compare=False)
    at: datetime = field(default_factory=lambda: datetime.now(UTC), compare=False)

    @property
    def recipients(self) -> tuple[str, ...]:
        """All addresses in `to` and `cc`, without duplicates."""
        return tuple(dict.fromkeys((*self.to, *self.cc)))

    def as_bytes(self) -> bytes:
        """Return the message in Internet Message Format."""
        message = EmailMessage(policy=SMTP)
        message["From"] = Address(addr_spec=self.sender)
        message["To"] = [Address(addr_spec=each) for each in self.to]
        if self.cc:
            message["Cc"] = [Address(addr_spec=each) for each in self.cc]
        message["Subject"] = self.subject
        message["Date"] = format_datetime(self.at)
        message["Message-ID"] = self.message_id
        if self.references:
            message["In-Reply-To"] = self.references[-1]
            message["References"] = " ".join(self.references)
        message.set_content(self.text, cte="quoted-printable")
        return message.as_bytes()

    @classmethod
    def written(
        cls,
        *,
        sender: str,
        to: Iterable[str],
        cc: Iterable[str] = (),
        subject: str,
        text: str,
        references: tuple[str, ...] = (),
        needs_recipient: bool = True,
    ) -> Self:
        """Return a validated message with a new message id; invisible characters are removed.

        Raises ExternalError if a field is invalid; the error text says how to fix the field.
        """
        letter = cls(
            sender=sender,
            to=tuple(dict.fromkeys(map(_checked, to))),
            cc=tuple(dict.fromkeys(map(_checked, cc))),
            subject=one_line(subject),
            text=visible(text.replace("\r\n", "\n").replace("\r", "\n")).strip() + "\n",
            references=references,
            message_id=make_msgid(domain=sender.rpartition("@")[2]),
        )
        if needs_recipient and not letter.to:
            raise ExternalError("`to` needs at least one address.")
        if len(letter.recipients) > MOST_RECIPIENTS:
            raise ExternalError(f"At most {MOST_RECIPIENTS} recipients are possible.")
        if len(letter.text) > LONGEST_LETTER:
            raise ExternalError(f"The text must not be longer than {LONGEST_LETTER} characters.")
        return letter


def _checked(address: str) -> str:
    local, _, domain = address.strip()[: _LONGEST_ADDRESS + 1].rpartition("@")
    try:
        ascii_domain = domain.encode("idna").decode()
        checked = str(Address(addr_spec=f"{local}@{ascii_domain}"))
    except MessageError, ValueError, IndexError, RecursionError:
        checked = ""
    if not checked.isascii() or len(checked) > _LONGEST_ADDRESS or not _ADDRESS.fullmatch(checked):
        raise ExternalError(
            f"“{one_line(address)}” is no mail address. Give each as name@example.com, without "
            "a name."
        )
    return checked


_SECONDS: Final = 20.0
_DATA_SECONDS: Final = 120.0  # timeout for the message itself, which servers may scan first


async def async_test_sign_in(account: MailAccount, context: ssl.SSLContext | None) -> None:
    """Test the account by signing in. Raises ExternalError and SignInRefusedError."""
    async with _signed_in(account, context):
        pass


async def async_send_letter(
    account: MailAccount, context: ssl.SSLContext | None, letter: Letter
) -> bool:
    """Send a message once; return False if the connection broke before the server answered.

    If the server refuses one recipient, the message goes to nobody. Raises ExternalError if the
    message was certainly not sent.
    """
    async with _signed_in(account, context) as client:
        try:
            await client.mail(letter.sender)
            for recipient in letter.recipients:
                await client.rcpt(recipient)
        except aiosmtplib.SMTPRecipientRefused as err:
            raise ExternalError(
                f"The mail server does not accept the recipient {err.recipient}. Nothing was "
                "sent, to nobody."
            ) from err
        except aiosmtplib.SMTPResponseException as err:
            raise ExternalError(
                f"The mail server refused to send from {letter.sender} (code {err.code}). "
                "Nothing was sent."
            ) from err
        except (aiosmtplib.SMTPException, OSError) as err:
            raise server_away(account.smtp.host) from err
        try:
            await client.data(letter.as_bytes(), timeout=_DATA_SECONDS)
        except aiosmtplib.SMTPResponseException as err:
            raise ExternalError(
                f"The mail server did not accept the message (code {err.code}). It was not sent."
            ) from err
        except aiosmtplib.SMTPException, OSError, TimeoutError:
            return False
    return True


@asynccontextmanager
async def _signed_in(
    account: MailAccount, context: ssl.SSLContext | None
) -> AsyncGenerator[aiosmtplib.SMTP]:
    server = account.smtp
    client = aiosmtplib.SMTP(
        hostname=server.host,
        port=server.port,
        use_tls=server.security is Security.TLS,
        start_tls=server.security is Security.STARTTLS,
        tls_context=None if server.security is Security.NONE else context,
        timeout=_SECONDS,
    )
    try:
        try:
            await client.connect()
            await client.login(account.user_name, account.password)
        except aiosmtplib.SMTPAuthenticationError:
            raise SignInRefusedError(account.address) from None
        except aiosmtplib.SMTPException, OSError, TimeoutError, ValueError:
            # Hide the cause: the library's error text may contain parts of the message.
            raise server_away(server.host) from None
        yield client
        # The result is known, or cannot be known, so errors no longer matter.
        with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
            await client.quit()
    finally:
        client.close()
