"""Nothing is sent twice, whatever breaks and whenever."""

import asyncio
import os
import signal
import ssl
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from freezegun.api import FrozenDateTimeFactory

from benchmark.mail_servers import HOST, SmtpServer, trusting_context
from custom_components.sage.external import External
from custom_components.sage.external.external_error import ExternalError, SignInRefusedError
from custom_components.sage.external.mail.mail_account import MailServer, Security
from custom_components.sage.external.mail.message import write_letter
from custom_components.sage.external.mail.outbox import OutboxFile, SendState, async_test_sign_in
from tests.external.breaking_proxy import BreakingProxy
from tests.external.sending_process import (
    RUN,
    anna,
    anna_account,
    async_send,
    open_outbox,
    the_letter,
)

BREAKS = 50
KILLS = 50


async def whole_length(folder: Path, proxy: BreakingProxy, smtp: SmtpServer) -> int:
    """Return the number of bytes of a complete dialogue."""
    proxy.start(None)
    assert await async_send(folder, proxy.port) is SendState.SENT
    assert len(smtp.accepted) == 1
    smtp.accepted.clear()
    return proxy.passed


async def test_a_message_arrives_as_it_was_written(tmp_path: Path, smtp: SmtpServer):
    assert await async_send(tmp_path, smtp.port) is SendState.SENT

    (sent,) = smtp.accepted
    assert sent.recipients == ("tom@example.com", "ida@example.com")
    assert sent.message.get_content().replace("\r\n", "\n") == the_letter().text
    assert sent.message["To"] == "tom@example.com, ida@example.com"


async def test_the_same_message_of_the_same_run_is_refused(tmp_path: Path, smtp: SmtpServer):
    outbox = open_outbox(tmp_path)
    mailbox = anna(outbox, smtp.port)
    await mailbox.async_send(the_letter(), RUN)

    with pytest.raises(ExternalError, match="not sent twice"):
        await mailbox.async_send(the_letter(), RUN)
    await mailbox.async_send(the_letter(), "another run")

    assert len(smtp.accepted) == 2
    await outbox.async_close()


async def test_a_recipient_that_is_refused(tmp_path: Path, smtp: SmtpServer):
    smtp.refused.add("ida@example.com")
    outbox = open_outbox(tmp_path)
    mailbox = anna(outbox, smtp.port)

    with pytest.raises(ExternalError, match=r"ida@example\.com"):
        await mailbox.async_send(the_letter(), RUN)
    assert not smtp.accepted
    smtp.refused.clear()
    assert await mailbox.async_send(the_letter(), RUN) is SendState.SENT

    assert len(smtp.accepted) == 1
    await outbox.async_close()


async def test_a_sent_message_is_sent_even_if_its_result_cannot_be_stored(
    tmp_path: Path, smtp: SmtpServer, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise ExternalError("The disk is full.")

    outbox = open_outbox(tmp_path)
    mailbox = anna(outbox, smtp.port)
    with monkeypatch.context() as patched:
        patched.setattr(OutboxFile, "end", full)
        assert await mailbox.async_send(the_letter(), RUN) is SendState.SENT
    with pytest.raises(ExternalError, match="not sent twice"):
        await mailbox.async_send(the_letter(), RUN)
    assert len(smtp.accepted) == 1
    await outbox.async_close()


async def test_the_connection_breaks_at_every_step(tmp_path: Path, smtp: SmtpServer):
    results: Counter[str] = Counter()
    async with BreakingProxy(smtp.port) as proxy:
        (tmp_path / "whole").mkdir()
        whole = await whole_length(tmp_path / "whole", proxy, smtp)
        for number in range(BREAKS):
            folder = tmp_path / str(number)
            folder.mkdir()
            outbox = open_outbox(folder)
            mailbox = anna(outbox, proxy.port)
            proxy.start(1 + number * (whole - 1) // (BREAKS - 1))
            try:
                result = str(await mailbox.async_send(the_letter(), RUN))
            except ExternalError:
                result = "not sent"
            accepted = len(smtp.accepted)
            proxy.start(None)
            if result == "not sent":
                assert accepted == 0
                assert await mailbox.async_send(the_letter(), RUN) is SendState.SENT
            else:
                assert result == "unknown" or accepted == 1
                with pytest.raises(ExternalError, match="not sent twice"):
                    await mailbox.async_send(the_letter(), RUN)
            assert bool(await mailbox.async_unreported()) == (result == "unknown")
            assert len(smtp.accepted) <= 1
            smtp.accepted.clear()
            results[result] += 1
            await outbox.async_close()
    assert results.keys() >= {"not sent", "unknown"}


class Sender:
    """Starts processes that send the message."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.external.sending_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._process = 0

    async def async_send(self, folder: Path, port: int) -> int:
        """Send in a process of its own; return its exit code."""
        self._write(f"{folder} {port}")
        self._process = await self._async_number()
        self._write("go")
        return await self._async_number()

    def kill(self) -> None:
        """Kill the process that sends."""
        assert self._process
        os.kill(self._process, signal.SIGKILL)

    def close(self) -> None:
        """End the server."""
        self._server.communicate(timeout=30)

    def _write(self, line: str) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(f"{line}\n")
        self._server.stdin.flush()

    async def _async_number(self) -> int:
        assert self._server.stdout is not None
        return int(await asyncio.to_thread(self._server.stdout.readline))


@pytest.fixture
def sender(socket_enabled: None) -> Generator[Sender]:
    sender = Sender()
    yield sender
    sender.close()


async def test_the_process_is_killed_at_every_step(
    tmp_path: Path, smtp: SmtpServer, sender: Sender
):
    results: Counter[str] = Counter()
    async with BreakingProxy(smtp.port) as proxy:
        (tmp_path / "whole").mkdir()
        whole = await whole_length(tmp_path / "whole", proxy, smtp)
        for number in range(KILLS):
            folder = tmp_path / str(number)
            folder.mkdir()
            proxy.broke = sender.kill
            proxy.start(1 + number * (whole - 1) // (KILLS - 1))
            # At the last step, it may be done before it is killed.
            assert await sender.async_send(folder, proxy.port) in (-signal.SIGKILL, 0)

            # After the restart.
            proxy.broke = lambda: None
            proxy.start(None)
            outbox = open_outbox(folder)
            mailbox = anna(outbox, proxy.port)
            untold = await mailbox.async_unreported()
            before = len(smtp.accepted)
            if untold or before:
                with pytest.raises(ExternalError, match="not sent twice"):
                    await mailbox.async_send(the_letter(), RUN)
                assert len(smtp.accepted) == before
                assert [each.subject for each in untold] in ([], ["Lunch"])
                results["unknown" if untold else "sent"] += 1
            else:
                assert await mailbox.async_send(the_letter(), RUN) is SendState.SENT
                results["not sent"] += 1
            assert len(smtp.accepted) <= 1
            smtp.accepted.clear()
            await outbox.async_close()
    assert results["not sent"] + results["unknown"] >= KILLS - 2
    assert results["unknown"]


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
async def test_tls_with_a_certificate_that_is_checked(socket_enabled: None, security: Security):
    with SmtpServer(("anna",), security) as server:
        at = MailServer(host=HOST, port=server.port, security=security)
        account = replace(anna_account(server.port), smtp=at)
        await async_test_sign_in(account, trusting_context())
        with pytest.raises(ExternalError):
            await async_test_sign_in(account, ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))


async def test_the_wrong_password_is_not_in_the_error(tmp_path: Path, socket_enabled: None):
    with SmtpServer(("ben",)) as server:
        outbox = open_outbox(tmp_path)
        mailbox = anna(outbox, server.port)
        with pytest.raises(SignInRefusedError) as refused:
            await mailbox.async_send(the_letter(), RUN)
        assert "word" not in str(refused.value).replace("password", "")
        await outbox.async_close()


@pytest.mark.parametrize(
    "address",
    ["Tom", "tom@", "a b@x.example", "tom@x.example\r\nBcc: eve@x.example", "tom@x.example, e@x"],
)
def test_what_is_no_address_is_refused(address: str):
    with pytest.raises(ExternalError, match="no mail address"):
        write_letter(sender="a@example.com", to=[address], subject="x", text="x")


def test_a_header_cannot_be_added_by_a_subject():
    letter = write_letter(
        sender="a@example.com", to=["b@example.com"], subject="x\r\nBcc: e@x.example", text="x"
    )

    assert "Bcc" not in {line.split(b":")[0].decode() for line in letter.as_bytes().splitlines()}
    assert letter.subject == "x Bcc: e@x.example"


def test_what_is_sent_has_no_invisible_characters():
    letter = write_letter(
        sender="a@example.com", to=["b@example.com"], subject="a\u202eb", text="c\u200bd\U000e0041"
    )

    assert (letter.subject, letter.text) == ("ab", "cd\n")


async def test_rows_of_a_removed_person_go_without_an_account(tmp_path: Path) -> None:
    letter, outbox = the_letter(), open_outbox(tmp_path)
    assert await outbox.async_run(OutboxFile.begin, letter, "anna", RUN)
    await outbox.async_close()

    outbox = open_outbox(tmp_path)
    await External(outbox=outbox).async_forget("anna")
    assert await outbox.async_run(OutboxFile.begin, letter, "anna", RUN)
    await outbox.async_close()


async def test_old_rows_go_when_the_next_message_is_sent(
    tmp_path: Path, freezer: FrozenDateTimeFactory
) -> None:
    outbox = open_outbox(tmp_path)
    first, second = the_letter(), replace(the_letter(), message_id="<second@example.com>")
    assert await outbox.async_run(OutboxFile.begin, first, "anna", "first")
    freezer.tick(timedelta(days=31))
    assert await outbox.async_run(OutboxFile.begin, second, "anna", "second")
    await outbox.async_run(OutboxFile.end, second, SendState.SENT)
    assert await outbox.async_run(OutboxFile.begin, first, "anna", "first")
    await outbox.async_close()
