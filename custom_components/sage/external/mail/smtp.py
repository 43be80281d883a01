"""Send mail over SMTP."""

import ssl
from contextlib import suppress
from typing import Final

import aiosmtplib

from ..external_error import ExternalError, SignInRefusedError, server_away
from .mail_account import MailAccount, Security
from .message import Letter

_SECONDS: Final = 20.0
_DATA_SECONDS: Final = 120.0
"""Timeout in seconds for the message itself; servers may scan it before they accept it."""


async def async_test_sign_in(account: MailAccount, context: ssl.SSLContext | None) -> None:
    """Test the account by signing in. Raises ExternalError and SignInRefusedError."""
    client = await _async_signed_in(account, context)
    await _async_quit(client)


async def async_send_letter(
    account: MailAccount, context: ssl.SSLContext | None, letter: Letter
) -> bool:
    """Send a message once; return False if the connection broke before the server answered.

    Raises ExternalError if the message was certainly not sent.
    """
    client = await _async_signed_in(account, context)
    try:
        await _async_envelope(client, account, letter)
        is_answered = await _async_data(client, letter)
    except BaseException:
        client.close()
        raise
    await _async_quit(client)
    return is_answered


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


async def _async_data(client: aiosmtplib.SMTP, letter: Letter) -> bool:
    try:
        await client.data(letter.as_bytes(), timeout=_DATA_SECONDS)
    except aiosmtplib.SMTPResponseException as err:
        raise ExternalError(
            f"The mail server did not accept the message (code {err.code}). It was not sent."
        ) from err
    except aiosmtplib.SMTPException, OSError, TimeoutError:
        return False
    return True


async def _async_quit(client: aiosmtplib.SMTP) -> None:
    # The result is known, or cannot be known, so errors no longer matter.
    with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
        await client.quit()
    client.close()
