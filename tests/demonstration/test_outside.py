"""Mail, calendars, contacts, TV guide and weather of the demo, on real servers of this machine."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.fake_model_server import FakeModelServer
from benchmark.mail_servers import HOST, PASSWORD
from benchmark.model_script import Answer
from custom_components.sage.external.mail_account import MailAccount, MailServer, Security
from custom_components.sage.external.mailbox import Mailbox
from scripts.demonstration.furnished_homes import DEMO, SMARTTHINGS
from scripts.demonstration.outside_servers import OutsideServers
from scripts.demonstration.outside_texts import OWNER, address
from tests.decisions import NATIVE

from .running import contents, output_of, start
from .scripted import decides


def account(servers: OutsideServers) -> MailAccount:
    server = MailServer(host=HOST, port=servers.imap_port, security=Security.NONE)
    return MailAccount(
        user_id=OWNER,
        address=address(OWNER),
        user_name=OWNER,
        password=PASSWORD.format(name=OWNER),
        imap=server,
        smtp=replace(server, port=servers.smtp.port if servers.smtp else 0),
        keeps_sent=True,
    )


async def unread(servers: OutsideServers) -> int:
    mailbox = Mailbox([account(servers)], lambda: None)
    try:
        return (await mailbox.async_search(10, unread=True))[1]
    finally:
        await mailbox.async_close()


NEW_MAIL = "do I have new mail?"
WEEK = "what do I have to do this week?"
REPLY = "tell Tom that I come"
FUNNY = "is there something funny on TV?"
RAIN = "does it rain today?"


def asks(request: str) -> Answer:
    return NATIVE.call("email_and_calendar", request=request, final=True)


@pytest.mark.slow
@pytest.mark.parametrize("home", [DEMO, SMARTTHINGS])
async def test_the_demo_reads_and_sends(
    model_server: FakeModelServer, unused_tcp_port: int, workspace: Path, tmp_path: Path, home: str
) -> None:
    report = tmp_path / "report.json"
    text = {"to": ["tom@example.com"], "subject": "Lunch", "text": "I come."}
    model_server.say(
        decides(
            [
                asks(NEW_MAIL),
                NATIVE.call("search_email", unread=True),
                NATIVE.finish("answered", "Two: of Ida and Tom.", about="other"),
                asks(WEEK),
                NATIVE.call("list_calendar_events", first="2020-01-01", last="2020-12-31"),
                NATIVE.finish("answered", "Nothing in 2020.", about="other"),
                NATIVE.call("weather"),
                NATIVE.finish("answered", "In the afternoon.", about="other"),
                NATIVE.call("search_tv_schedule", words="comedy"),
                NATIVE.finish("answered", "Stand-up Night.", about="other"),
                asks(REPLY),
                NATIVE.call("get_contacts", name="Mom"),
                NATIVE.call("send_message", **text),
                NATIVE.finish("acted", "Tom knows.", about="other"),
            ],
            (NEW_MAIL, WEEK, RAIN, FUNNY, REPLY),
        )
    )
    questions = ((NEW_MAIL, "Ida"), (WEEK, "2020"), (RAIN, "afternoon"), (FUNNY, "Stand-up"))
    process = await start(
        workspace,
        *("--home", home),
        *(each for said, held in questions for each in ("--say", said, "--expect", held)),
        *("--say", REPLY, "--say", "yes"),
        *("--port", str(unused_tcp_port), "--json", str(report)),
        server=model_server,
    )
    output = await output_of(process)
    said = json.loads(report.read_text(encoding="utf-8"))
    # Only the question before the message has no result of its own.
    assert [each["passed"] for each in said] == [True, True, True, True, False, True], output
    assert (
        "Shall I send this message from owner@example.com to tom@example.com?"
        in (said[4]["answer"])
    )
    assert "owner@example.com → tom@example.com: Lunch" in output
    seen = "\n".join(each.prompt for each in model_server.completions)
    for read in (
        "Ida Berg <ida@example.com> | The roof",
        "Weather at home:",
        "Giggle, channel 7: Stand-up Night (Comedy)",
        "Erika Winter | nicknames: Mom | mail: erika@example.com",
        "Events: 0.",
    ):
        assert read in seen
    assert "Nora" not in seen
    assert contents(workspace) == []
