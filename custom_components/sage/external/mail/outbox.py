"""Send mail over SMTP, and the journal of sent mail that prevents duplicates even after a crash.

SAGE writes a row before it sends a message, and completes the row after the server's answer. In an
incomplete row, the result is unknown.
"""

import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from sqlite3 import Connection
from typing import Final

import aiosmtplib

from ...storage.async_file import AsyncFile
from ...storage.database import Database, FileKind, StoreFile
from ..external_error import ExternalError, FileFailedError, SignInRefusedError, server_away
from .mail_account import MailAccount, Security
from .message import Letter

_RETENTION: Final = timedelta(days=30)

_FIRST: Final = """
CREATE TABLE letters (
    message_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    recipients TEXT NOT NULL,
    subject TEXT NOT NULL,
    begun REAL NOT NULL,
    state TEXT NOT NULL,
    is_told INTEGER NOT NULL
) STRICT;
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""


FILE: Final = FileKind(
    subject="journal of sent mail",
    error=FileFailedError,
    steps=(_FIRST,),
    counted="letters",
)


class SendState(StrEnum):
    """The state of an outgoing message."""

    SENDING = "sending"
    """The message is being sent; after a restart, the state becomes UNKNOWN."""
    SENT = "sent"
    """The server has accepted the message."""
    REFUSED = "refused"
    """The server has refused the message."""
    UNKNOWN = "unknown"
    """The server's answer was lost, so the message may have been sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownLetter:
    """A message with the state UNKNOWN: it may have been sent."""

    message_id: str
    recipients: str
    subject: str
    begun: datetime


class OutboxFile(StoreFile):
    """The open SQLite file of the journal of sent mail, with one row for each message."""

    kind = FILE

    def __init__(self, database: Database) -> None:
        """Change the state of interrupted messages from SENDING to UNKNOWN; delete old rows."""
        super().__init__(database)
        with database.writing() as connection:
            # SENDING in a new file object means that a crash or a stop interrupted the sending.
            connection.execute(
                "UPDATE letters SET state = ? WHERE state = ?",
                (SendState.UNKNOWN, SendState.SENDING),
            )
            self._delete_old(connection)

    def begin(self, letter: Letter, user_id: str, run_id: str) -> bool:
        """Record that the sending of a message begins; return whether sending is allowed.

        `run_id`: id of the run, the processing of one request of the person. Records nothing and
        returns False if an identical message was sent, or may have been sent, in this run.
        """
        with self._database.writing() as connection:
            same = connection.execute(
                "SELECT 1 FROM letters WHERE run_id = ? AND digest = ? AND state != ?",
                (run_id, letter.digest, SendState.REFUSED),
            )
            if same.fetchone() is not None:
                return False
            self._delete_old(connection)
            connection.execute(
                "INSERT INTO letters VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
                (
                    letter.message_id,
                    user_id,
                    run_id,
                    letter.digest,
                    ", ".join(letter.recipients),
                    letter.subject,
                    datetime.now(UTC).timestamp(),
                    SendState.SENDING,
                ),
            )
            return True

    def end(self, letter: Letter, state: SendState) -> None:
        """Record the result of sending a message: SENT, REFUSED or UNKNOWN."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE letters SET state = ? WHERE message_id = ?", (state, letter.message_id)
            )

    def unreported(self, user_id: str) -> tuple[UnknownLetter, ...]:
        """Return the person's messages with an unknown result that SAGE has not reported."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT message_id, recipients, subject, begun FROM letters"
                " WHERE user_id = ? AND state = ? AND NOT is_told ORDER BY begun",
                (user_id, SendState.UNKNOWN),
            )
            return tuple(
                UnknownLetter(
                    message_id=message_id,
                    recipients=recipients,
                    subject=subject,
                    begun=datetime.fromtimestamp(begun, UTC),
                )
                for message_id, recipients, subject, begun in rows
            )

    def mark_reported(self, message_id: str) -> None:
        """Record that the sender was informed about the unknown result of a message."""
        with self._database.writing() as connection:
            connection.execute("UPDATE letters SET is_told = 1 WHERE message_id = ?", (message_id,))

    def forget(self, user_id: str) -> None:
        """Delete the rows of a person, and erase their bytes from the file."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM letters WHERE user_id = ?", (user_id,))
            self._database.owe_scrub()
        self._database.scrub()

    def _delete_old(self, connection: Connection) -> None:
        """Delete rows older than 30 days; call this in a transaction."""
        oldest = (datetime.now(UTC) - _RETENTION).timestamp()
        if connection.execute("DELETE FROM letters WHERE begun < ?", (oldest,)).rowcount:
            self._database.owe_scrub()


type Outbox = AsyncFile[OutboxFile]
"""Asynchronous access to the journal of sent mail; all people share one journal."""


# ------------------------------------------------------------------- SMTP

_SECONDS: Final = 20.0
_DATA_SECONDS: Final = 120.0
"""Timeout in seconds for the message itself; servers may scan it before they accept it."""


async def async_test_sign_in(account: MailAccount, context: ssl.SSLContext | None) -> None:
    """Test the account by signing in. Raises ExternalError and SignInRefusedError."""
    client = await _async_signed_in(account, context)
    await _async_quit(client)


async def async_send_letter(
    account: MailAccount,
    context: ssl.SSLContext | None,
    letter: Letter,
    begin: Callable[[], Awaitable[None]],
) -> SendState:
    """Send a message once; return UNKNOWN if the connection broke before the server answered.

    `begin` is awaited before the first byte of the message is sent; if it raises, nothing is sent.
    Raises ExternalError if the message was certainly not sent.
    """
    client = await _async_signed_in(account, context)
    try:
        await _async_envelope(client, account, letter)
        await begin()
        state = await _async_data(client, letter)
    except BaseException:
        client.close()
        raise
    await _async_quit(client)
    return state


async def _async_signed_in(account: MailAccount, context: ssl.SSLContext | None) -> aiosmtplib.SMTP:
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
        await client.connect()
        await client.login(account.user_name, account.password)
    except aiosmtplib.SMTPAuthenticationError:
        client.close()
        raise SignInRefusedError(account.address) from None
    except aiosmtplib.SMTPException, OSError, TimeoutError, ValueError:
        client.close()
        # Hide the cause: the library's error text may contain parts of the message.
        raise server_away(server.host) from None
    except BaseException:
        client.close()
        raise
    return client


async def _async_envelope(client: aiosmtplib.SMTP, account: MailAccount, letter: Letter) -> None:
    """Send the envelope. If the server refuses one recipient, the message goes to nobody."""
    try:
        await client.mail(letter.sender)
        for recipient in letter.recipients:
            await client.rcpt(recipient)
    except aiosmtplib.SMTPRecipientRefused as err:
        raise ExternalError(
            f"The mail server does not accept the recipient {err.recipient}. Nothing was sent, "
            "to nobody."
        ) from err
    except aiosmtplib.SMTPResponseException as err:
        raise ExternalError(
            f"The mail server refused to send from {letter.sender} (code {err.code}). Nothing "
            "was sent."
        ) from err
    except (aiosmtplib.SMTPException, OSError) as err:
        raise server_away(account.smtp.host) from err


async def _async_data(client: aiosmtplib.SMTP, letter: Letter) -> SendState:
    try:
        await client.data(letter.as_bytes(), timeout=_DATA_SECONDS)
    except aiosmtplib.SMTPResponseException as err:
        raise ExternalError(
            f"The mail server did not accept the message (code {err.code}). It was not sent."
        ) from err
    except aiosmtplib.SMTPException, OSError, TimeoutError:
        return SendState.UNKNOWN
    return SendState.SENT


async def _async_quit(client: aiosmtplib.SMTP) -> None:
    # The result is known, or cannot be known, so errors no longer matter.
    with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
        await client.quit()
    client.close()
