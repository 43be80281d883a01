"""Reading mail from a real server: search, messages, threads, drafts, and what goes wrong."""

import asyncio
import ssl
import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import date

import pytest

from benchmark.mail_servers import HOST, Dovecot, letter, trusting_context
from custom_components.sage.external import ExternalError
from custom_components.sage.external import imap as imap_module
from custom_components.sage.external.mail_account import MailServer, Security, SignInRefusedError
from custom_components.sage.external.mailbox import Mailbox
from custom_components.sage.external.outgoing_mail import Letter
from tests.external.breaking_proxy import BreakingProxy
from tests.mail_fixtures import account
from tests.waiting import until


@pytest.fixture
async def mailbox(imap: Dovecot) -> AsyncGenerator[Mailbox]:
    mailbox = Mailbox([account(imap.port)], lambda: None)
    yield mailbox
    await mailbox.async_close()


async def subjects(mailbox: Mailbox, most: int = 10, **query) -> list[str]:
    mails, *_ = await mailbox.async_search(most, **query)
    return [each.head.subject for each in mails]


async def read(mailbox: Mailbox, **query):
    mails, *_ = await mailbox.async_search(1, **query)
    return await mailbox.async_read(mails[0].id)


async def test_a_search_by_words_sender_day_and_unread(imap: Dovecot, mailbox: Mailbox):
    ida, tom = "Ida Müller <ida@example.com>", "Tom <tom@example.com>"
    imap.put("anna", letter(ida, "Dach", "Das Dach ist undicht: 40 % Größe."), flags="S")
    imap.put("anna", letter(tom, 'A "quoted\\" {3} (subject', "Lunch?"))

    assert await subjects(mailbox) == ['A "quoted\\" {3} (subject', "Dach"]
    assert await subjects(mailbox, words=("undicht", "größe")) == ["Dach"]
    assert await subjects(mailbox, words=("undicht", "lunch")) == []
    assert await subjects(mailbox, sender="müller") == ["Dach"]
    assert len(await subjects(mailbox, sender="tom@example.com", unread=True)) == 1
    assert await subjects(mailbox, words=('"quoted\\"',)) == ['A "quoted\\" {3} (subject']
    assert await subjects(mailbox, before=date(2000, 1, 1)) == []
    assert len(await subjects(mailbox, since=date(2000, 1, 1))) == 2
    assert (await mailbox.async_search(1, unread=True))[1] == 1


async def test_reading_does_not_mark_a_message_as_read(imap: Dovecot, mailbox: Mailbox):
    imap.put("anna", letter("Tom <tom@example.com>", "Lunch", "At one?"))

    _, body = await read(mailbox)

    assert body.text == "At one?"
    assert (await mailbox.async_search(1, unread=True))[1] == 1


async def test_new_mail_is_found_on_an_open_connection(imap: Dovecot, mailbox: Mailbox):
    assert await subjects(mailbox) == []
    imap.put("anna", letter("Tom <tom@example.com>", "Lunch", "At one?"))
    assert await subjects(mailbox) == ["Lunch"]


async def test_a_thread_over_inbox_and_sent_mail(imap: Dovecot, mailbox: Mailbox):
    tom, anna = "Tom <tom@example.com>", "Anna <anna@example.com>"
    one = letter(tom, "Trip", "When?", message_id="<1@x>", date="Mon, 2 Nov 2026 10:00:00 +0000")
    two = letter(
        anna, "Re: Trip", "In May.", message_id="<2@x>", in_reply_to="<1@x>",
        date="Tue, 3 Nov 2026 10:00:00 +0000",
    )  # fmt: skip
    three = letter(
        tom, "Re: Trip", "Fine.", message_id="<3@x>", references="<1@x> <2@x>",
        date="Wed, 4 Nov 2026 10:00:00 +0000",
    )  # fmt: skip
    imap.put("anna", one, three, letter(tom, "Other", "Hm.", message_id="<4@x>"))
    imap.put("anna", two, folder="Gesendet")

    newest = (await mailbox.async_search(1, words=("Fine",)))[0][0]
    found = await mailbox.async_thread(newest.id)

    assert [each.head.message_id for each in found] == ["<1@x>", "<2@x>", "<3@x>"]


async def test_a_message_that_is_deleted_is_gone(imap: Dovecot, mailbox: Mailbox):
    imap.put("anna", letter("Tom <tom@example.com>", "Lunch", "At one?"))
    mail = (await mailbox.async_search(1))[0][0]
    imap.clear()
    await mailbox.async_close()

    with pytest.raises(ExternalError, match="Search again"):
        await mailbox.async_read(mail.id)


async def test_of_a_large_message_only_the_beginning_is_fetched(imap: Dovecot, mailbox: Mailbox):
    large = letter("Tom <tom@example.com>", "Photos", "Here they are.")
    large.add_attachment(b"\xff" * 15_000_000, "image", "jpeg", filename="zwei (ü.jpg")
    imap.put("anna", large)

    _, body = await read(mailbox)

    assert body.text == "Here they are."
    assert body.is_cut
    assert body.attachments == ("zwei (ü.jpg",)


async def test_search_in_many_messages_is_quick(imap: Dovecot, mailbox: Mailbox):
    text = "Nothing is new here. " * 40
    messages = (
        f"Subject: No. {each}\r\nFrom: a@example.com\r\n\r\n{text}".encode()
        for each in range(4_999)
    )
    imap.put("anna", b"Subject: Holidays\r\n\r\nThe zebra is in Z\xc3\xbcrich.", *messages)
    await subjects(mailbox)

    started = time.monotonic()
    mails, *_ = await mailbox.async_search(10, words=("zebra", "zürich"))
    seconds = time.monotonic() - started

    assert [each.head.subject for each in mails] == ["Holidays"]
    assert seconds < 2
    assert (await mailbox.async_search(30))[1] == 5_000


UTF_8 = b"Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
BROKEN = {
    "no header": (b"just text", "just text"),
    "unknown character set": (UTF_8.replace(b"utf-8", b"klingon") + "Grüße".encode(), "Grüße"),
    "latin-1 as utf-8": (UTF_8 + "Grüße".encode("latin-1"), "Grüße"),
    "shift-jis": (
        UTF_8.replace(b"utf-8", b"shift_jis") + "こんにちは".encode("shift_jis"),
        "こんにちは",
    ),
    "broken base64": (b"Content-Transfer-Encoding: base64\r\n\r\nSGVsbG8", "Hello"),
    "no end of the parts": (
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHello",
        "Hello",
    ),
    "parts without a boundary": (b"Content-Type: multipart/mixed\r\n\r\nHello", ""),
    "broken headers": (
        b"\r\n".join(
            (
                b"Subject: =?utf-8?b?!!!?=",
                b'From: "a',
                b"To: <>,,;:",
                b"Date: never",
                b"Content-Disposition: attachment; filename*=utf-8''%ff\"",
                b"",
                b"Hello",
            )
        ),
        "",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_a_broken_message_is_read_as_far_as_possible(
    imap: Dovecot, mailbox: Mailbox, name: str
):
    data, text = BROKEN[name]
    imap.put("anna", data)

    _, body = await read(mailbox)

    assert text in body.text


async def test_headers_in_other_character_sets(imap: Dovecot, mailbox: Mailbox):
    imap.put(
        "anna",
        b"Subject: =?iso-8859-1?q?Gr=FC=DFe?= an =?utf-8?b?w4RyenRl?=\r\n"
        b"From: =?koi8-r?b?6dfBzg==?= <ivan@example.com>\r\n\r\nx",
        "Subject: Rohe Grüße\r\nFrom: Jürgen <j@example.com>\r\n\r\nx".encode(),
    )

    found, *_ = await mailbox.async_search(5)

    assert [each.head.subject for each in found] == ["Rohe Grüße", "Grüße an Ärzte"]
    assert [each.head.sender.name for each in found] == ["Jürgen", "Иван"]


async def test_the_wrong_password(imap: Dovecot):
    mailbox = Mailbox([replace(account(imap.port), password="wrong")], lambda: None)

    with pytest.raises(SignInRefusedError) as refused:
        await mailbox.async_search(1, unread=True)

    assert "wrong" not in str(refused.value)
    await mailbox.async_close()


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
async def test_tls_with_a_certificate_that_is_checked(imap: Dovecot, security: Security):
    port = imap.tls_port if security is Security.TLS else imap.port
    server = MailServer(host=HOST, port=port, security=security)
    tls = replace(account(imap.port), imap=server)
    mailbox = Mailbox([tls], trusting_context)
    assert await subjects(mailbox) == []
    await mailbox.async_close()

    for context in (lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), lambda: None):
        doubting = Mailbox([tls], context)
        with pytest.raises(ExternalError, match="cannot be reached"):
            await doubting.async_search(1, unread=True)


async def test_a_server_that_is_not_there(socket_enabled: None, unused_tcp_port: int):
    mailbox = Mailbox([account(unused_tcp_port)], lambda: None)

    with pytest.raises(ExternalError):
        await mailbox.async_search(1, unread=True)


async def test_a_server_that_goes_away_in_the_middle(imap: Dovecot):
    imap.put("anna", letter("Tom <tom@example.com>", "Lunch", "At one?"))
    async with BreakingProxy(imap.port) as proxy:
        mailbox = Mailbox([account(proxy.port)], lambda: None)
        mail, _ = await read(mailbox)
        # The replies hold times, several of them on a busy machine: their length varies.
        whole = proxy.passed - 150
        await mailbox.async_close()
        for left in range(1, whole, max(1, whole // 12)):
            proxy.start(left)
            with pytest.raises(ExternalError):
                await read(mailbox)
            await mailbox.async_close()
        proxy.start(None)
        assert (await read(mailbox))[0].head == mail.head
        await mailbox.async_close()


async def test_a_connection_that_the_server_closed_is_opened_again(imap: Dovecot):
    imap.put("anna", letter("Tom <tom@example.com>", "Lunch", "At one?"))
    async with BreakingProxy(imap.port) as proxy:
        mailbox = Mailbox([account(proxy.port)], lambda: None)
        assert await subjects(mailbox) == ["Lunch"]
        proxy.close()
        assert await subjects(mailbox) == ["Lunch"]
        await mailbox.async_close()


@pytest.mark.parametrize("greets", [b"", b"* OK hello\r\n", b"* BYE too many connections\r\n"])
async def test_a_fresh_connection_that_the_server_drops_is_tried_once_more(
    imap: Dovecot, greets: bytes
):
    imap.put("anna", letter("Tom <tom@example.com>", "Lunch", "At one?"))
    async with BreakingProxy(imap.port) as proxy:
        proxy.drops = [greets]
        mailbox = Mailbox([account(proxy.port)], lambda: None)
        assert await subjects(mailbox) == ["Lunch"]
        await mailbox.async_close()
        proxy.drops = [greets, greets]
        with pytest.raises(ExternalError, match="cannot be reached"):
            await subjects(mailbox)


async def test_a_server_without_a_folder_for_drafts(socket_enabled: None):
    """It has a folder of that name, but only the special use counts."""

    async def serve(reader, writer) -> None:
        writer.write(b"* OK hello\r\n")
        while line := await reader.readline():
            tag, command, *_ = line.split()
            if command == b"CAPABILITY":
                writer.write(b"* CAPABILITY IMAP4rev1\r\n")
            if command == b"LIST":
                writer.write(b'* LIST (\\HasNoChildren) "/" Drafts\r\n')
            writer.write(tag + b" OK done\r\n")
        writer.close()

    server = await asyncio.start_server(serve, HOST, 0)
    mailbox = Mailbox([account(server.sockets[0].getsockname()[1])], lambda: None)
    draft = Letter.written(sender="anna@example.com", to=["tom@example.com"], subject="x", text="x")
    with pytest.raises(ExternalError, match="marks no folder"):
        await mailbox.async_save_draft(draft)
    await mailbox.async_close()
    server.close()
    await server.wait_closed()


async def test_an_idle_connection_is_closed_and_opened_again(
    imap: Dovecot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(imap_module, "IDLE_SECONDS", 0)
    async with BreakingProxy(imap.port) as proxy:
        mailbox = Mailbox([account(proxy.port)], lambda: None)
        await mailbox.async_search(1, unread=True)
        await until(lambda: not proxy.is_connected)
        assert await subjects(mailbox) == []
        await mailbox.async_close()
