"""What SAGE says about a message is true, wherever the connection breaks."""

import ssl
from collections import Counter
from dataclasses import replace

import pytest

from benchmark.mail_servers import HOST, SmtpServer, trusting_context
from custom_components.sage.external import ExternalError
from custom_components.sage.external.mail_account import MailServer, Security, SignInRefusedError
from custom_components.sage.external.mailbox import Mailbox
from custom_components.sage.external.outgoing_mail import Letter, async_test_sign_in
from tests.external.breaking_proxy import BreakingProxy
from tests.mail_fixtures import account

BREAKS = 50


def the_letter() -> Letter:
    return Letter.written(
        sender="anna@example.com",
        to=["tom@example.com", "ida@example.com"],
        subject="Lunch",
        text="At one?\n.\nAnna\n" + "Bring bread. " * 40,
    )


def anna(port: int) -> Mailbox:
    return Mailbox([account(port)], lambda: None, lambda *_: None)


async def test_a_message_with_a_recipient_that_is_refused_goes_to_nobody(smtp: SmtpServer):
    smtp.refused.add("ida@example.com")
    mailbox = anna(smtp.port)

    with pytest.raises(ExternalError, match=r"ida@example\.com"):
        await mailbox.async_send(the_letter())
    assert not smtp.accepted
    smtp.refused.clear()
    assert await mailbox.async_send(the_letter())

    assert len(smtp.accepted) == 1


async def test_the_connection_breaks_at_every_step(smtp: SmtpServer):
    results: Counter[str] = Counter()
    async with BreakingProxy(smtp.port) as proxy:
        mailbox = anna(proxy.port)
        proxy.start(None)
        assert await mailbox.async_send(the_letter())
        whole = proxy.passed
        smtp.accepted.clear()
        for number in range(BREAKS):
            proxy.start(1 + number * (whole - 1) // (BREAKS - 1))
            try:
                result = "sent" if await mailbox.async_send(the_letter()) else "unknown"
            except ExternalError:
                result = "not sent"
            allowed = {"sent": {1}, "not sent": {0}, "unknown": {0, 1}}
            assert len(smtp.accepted) in allowed[result]
            smtp.accepted.clear()
            results[result] += 1
    assert results.keys() >= {"not sent", "unknown"}


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
async def test_tls_with_a_certificate_that_is_checked(socket_enabled: None, security: Security):
    with SmtpServer(("anna",), security) as server:
        at = MailServer(host=HOST, port=server.port, security=security)
        secured = replace(account(server.port), smtp=at)
        await async_test_sign_in(secured, trusting_context())
        with pytest.raises(ExternalError):
            await async_test_sign_in(secured, ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))


async def test_the_wrong_password_is_not_in_the_error(socket_enabled: None):
    with SmtpServer(("ben",)) as server:
        with pytest.raises(SignInRefusedError) as refused:
            await anna(server.port).async_send(the_letter())
        assert "word" not in str(refused.value).replace("password", "")


@pytest.mark.parametrize(
    "address",
    ["Tom", "tom@", "a b@x.example", "tom@x.example\r\nBcc: eve@x.example", "tom@x.example, e@x"],
)
def test_what_is_no_address_is_refused(address: str):
    with pytest.raises(ExternalError, match="no mail address"):
        Letter.written(sender="a@example.com", to=[address], subject="x", text="x")


def test_a_header_cannot_be_added_by_a_subject():
    letter = Letter.written(
        sender="a@example.com", to=["b@example.com"], subject="x\r\nBcc: e@x.example", text="x"
    )

    assert "Bcc" not in {line.split(b":")[0].decode() for line in letter.as_bytes().splitlines()}
    assert letter.subject == "x Bcc: e@x.example"


def test_what_is_sent_has_no_invisible_characters():
    letter = Letter.written(
        sender="a@example.com", to=["b@example.com"], subject="a\u202eb", text="c\u200bd\U000e0041"
    )

    assert (letter.subject, letter.text) == ("ab", "cd\n")
