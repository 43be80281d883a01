"""Sends one message over SMTP, once, and returns whether it was accepted, refused or unknown."""

import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import aiosmtplib

from .letter import Letter
from .mail_account import MailAccount, Security
from .mail_error import MailRefusedError, MailServerAwayError, SignInRefusedError

_SECONDS: Final = 20.0
_DATA_SECONDS: Final = 120.0
"""Servers may check a message before they accept it."""


class UnknownResultError(Exception):
    """The connection broke before the answer: the message may have been sent."""


async def async_test_sign_in(account: MailAccount, context: ssl.SSLContext | None) -> None:
    """Sign in and out. Raises MailServerAwayError and SignInRefusedError."""
    client = await _async_signed_in(account, context)
    await _async_quit(client)


async def async_send_letter(
    account: MailAccount,
    context: ssl.SSLContext | None,
    letter: Letter,
    begin: Callable[[], Awaitable[None]],
) -> None:
    """Send a message.

    `begin` is awaited before the first byte of the message is sent; if it raises, nothing is sent.
    Raises ExternalError if the message was certainly not sent, and UnknownResultError if it may
    have been.
    """
    client = await _async_signed_in(account, context)
    try:
        await _async_envelope(client, account, letter)
        await begin()
        await _async_data(client, account, letter)
    except BaseException:
        client.close()
        raise
    await _async_quit(client)


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
        # Without the cause: the text of the library may contain parts of the message.
        raise MailServerAwayError(server.host) from None
    except BaseException:
        client.close()
        raise
    return client


async def _async_envelope(client: aiosmtplib.SMTP, account: MailAccount, letter: Letter) -> None:
    """Name the sender and all recipients; a message goes to all of them or to nobody."""
    try:
        await client.mail(letter.sender)
        for recipient in letter.recipients:
            await client.rcpt(recipient)
    except aiosmtplib.SMTPRecipientRefused as err:
        raise MailRefusedError(
            f"The mail server does not accept the recipient {err.recipient}. Nothing was sent, "
            "to nobody."
        ) from err
    except aiosmtplib.SMTPResponseException as err:
        raise MailRefusedError(
            f"The mail server refused to send from {letter.sender} (code {err.code}). Nothing "
            "was sent."
        ) from err
    except (aiosmtplib.SMTPException, OSError) as err:
        raise MailServerAwayError(account.smtp.host) from err


async def _async_data(client: aiosmtplib.SMTP, account: MailAccount, letter: Letter) -> None:
    try:
        await client.data(letter.as_bytes(), timeout=_DATA_SECONDS)
    except aiosmtplib.SMTPResponseException as err:
        raise MailRefusedError(
            f"The mail server did not accept the message (code {err.code}). It was not sent."
        ) from err
    except (aiosmtplib.SMTPException, OSError, TimeoutError) as err:
        raise UnknownResultError from err


async def _async_quit(client: aiosmtplib.SMTP) -> None:
    # The message is accepted: what happens now changes nothing.
    with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
        await client.quit()
    client.close()
