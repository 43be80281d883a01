"""Processes that send one message each, to be killed while they do.

`python -m tests.external.sending_process` reads a line with a folder and a port, starts a process
and writes its id. After another line, the process sends; then its exit code is written.
"""

import asyncio
import os
import sys
from pathlib import Path

from benchmark.mail_servers import HOST, PASSWORD
from custom_components.sage.external.mail.mail_account import MailAccount, MailServer, Security
from custom_components.sage.external.mail.mailbox import Mailbox
from custom_components.sage.external.mail.message import Letter, write_letter
from custom_components.sage.external.mail.outbox import Outbox, OutboxFile, SendState
from custom_components.sage.storage.async_file import AsyncFile
from tests.routines.executor import Executor

RUN = "run 1"


def the_letter() -> Letter:
    """Return the message; the same each time, but for its id."""
    return write_letter(
        sender="anna@example.com",
        to=["tom@example.com", "ida@example.com"],
        subject="Lunch",
        text="At one?\n.\nAnna\n" + "Bring bread. " * 40,
    )


def open_outbox(folder: Path) -> Outbox:
    """Return the journal in a folder."""
    return AsyncFile(Executor(), folder / "outbox.db", OutboxFile, on_replaced=lambda *_: None)


def anna_account(port: int) -> MailAccount:
    """Return an account that can only send."""
    server = MailServer(host=HOST, port=port, security=Security.NONE)
    return MailAccount(
        user_id="anna",
        address="anna@example.com",
        user_name="anna",
        password=PASSWORD.format(name="anna"),
        imap=server,
        smtp=server,
        keeps_sent=True,
    )


def anna(outbox: Outbox, port: int) -> Mailbox:
    """Return a mailbox that can only send."""
    return Mailbox([anna_account(port)], outbox, lambda: None, lambda *_: None)


async def async_send(folder: Path, port: int) -> SendState:
    """Send the message once."""
    outbox = open_outbox(folder)
    try:
        return await anna(outbox, port).async_send(the_letter(), RUN)
    finally:
        await outbox.async_close()


def main() -> None:
    """Start a process for each pair of lines; they share what is imported."""
    while line := sys.stdin.readline():
        folder, port = line.split()
        wait, go = os.pipe()
        if (process := os.fork()) == 0:
            os.read(wait, 1)
            asyncio.run(async_send(Path(folder), int(port)))
            os._exit(0)
        print(process, flush=True)
        sys.stdin.readline()
        os.write(go, b"!")
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
        os.close(wait)
        os.close(go)


if __name__ == "__main__":
    main()
