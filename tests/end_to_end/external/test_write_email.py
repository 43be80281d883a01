"""Mail: people draft and send it, after they have seen all of it."""

import base64
import dataclasses
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from benchmark.mail_servers import PASSWORD, Dovecot, SmtpServer, letter
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from custom_components.sage.external.address_book import Contact
from custom_components.sage.people.pin import hash_pin
from custom_components.sage.text.speech import has_fence
from tests.decisions import FORMATS, NATIVE, Decides
from tests.end_to_end.conftest import Sage
from tests.end_to_end.external.conftest import account, mail
from tests.end_to_end.memory.story import knows, plant
from tests.external.breaking_proxy import BreakingProxy

DRAFTS = "Entw&APw-rfe"
SENT = "Gesendet"


def sends(**more: Any) -> Any:
    given = {"to": ["tom@example.com"], "subject": "Lunch", "text": "At one?", **more}
    return NATIVE.call("send_message", **given)


@pytest.mark.parametrize("name", FORMATS)
async def test_the_last_mail_is_summarized_and_sent(
    make_mail_sage, imap: Dovecot, smtp: SmtpServer, anna: User, name: str
) -> None:
    sage, decides = await make_mail_sage(name), Decides(name)
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "The roof leaks since Monday."))
    request = "summarize the last mail I got and send the summary to tom@example.com"
    sage.model_says(
        mail(request, decides),
        decides.call("search_email", most=1),
        decides.call("get_message", id="m1"),
        decides.call(
            "send_message", to=["tom@example.com"], subject="Roof", text="Ida's roof leaks."
        ),
        decides.finish("acted", "I sent the summary to Tom.", about="other"),
    )

    asked = await sage.hear(request, user_id=anna.id)
    assert not smtp.accepted
    heard = await sage.hear("yes", user_id=anna.id)

    assert "tom@example.com" in asked
    assert "Ida's roof leaks." in asked
    assert heard == "I sent the summary to Tom."
    (sent,) = smtp.accepted
    assert sent.recipients == ("tom@example.com",)
    assert sent.sender == "anna@example.com"
    assert sent.message.get_content().strip() == "Ida's roof leaks."
    assert [each["Subject"] for each in imap.read("anna", SENT)] == ["Roof"]
    assert has_fence(sage.server.completions[3].prompt)
    assert "The roof leaks" in sage.server.completions[3].prompt


async def test_memory_knows_who_somebody_is_to_the_person(
    make_mail_sage, imap: Dovecot, anna: User
) -> None:
    sage = await make_mail_sage()
    imap.put("anna", letter("Laila <laila@example.com>", "Hello", "See you soon."))
    await plant(sage, anna.id, "my sister is called Laila")
    sage.model_says(
        mail("draft a mail to my sister: I come at noon", draft=True),
        NATIVE.call("personalization", question="Who is the sister of the person?"),
        knows("Laila.", 1),
        NATIVE.call("search_email", sender="Laila"),
        NATIVE.call(
            "create_email_draft", to=["laila@example.com"], subject="Noon", text="I come at noon."
        ),
        NATIVE.finish("acted", "The mail to Laila is in your drafts.", about="other"),
    )

    asked = await sage.hear("draft a mail to my sister: I come at noon", user_id=anna.id)
    assert "to laila@example.com in your drafts?" in asked
    assert "I come at noon." in asked
    heard = await sage.hear("yes", user_id=anna.id)

    assert heard == "The mail to Laila is in your drafts."
    (draft,) = imap.read("anna", DRAFTS)
    assert draft["To"] == "laila@example.com"


@pytest.mark.parametrize(
    ("language", "nobody"), [("en", "to nobody yet in"), ("de", "an noch niemanden in")]
)
async def test_a_draft_without_a_recipient_says_so(
    sage: Sage, imap: Dovecot, anna: User, language: str, nobody: str
) -> None:
    sage.model_says(
        mail("draft a mail: I come at noon", draft=True),
        NATIVE.call("create_email_draft", subject="Noon", text="I come at noon."),
        NATIVE.finish("acted", "It is sent.", about="home"),
        NATIVE.finish("acted", "It is sent.", about="home"),
    )

    heard = await sage.hear("draft a mail: I come at noon", user_id=anna.id, language=language)

    assert nobody in heard
    (draft,) = imap.read("anna", DRAFTS)
    assert not draft["To"]


async def test_a_draft_goes_to_the_folder_of_drafts(
    sage: Sage, imap: Dovecot, smtp: SmtpServer, anna: User
) -> None:
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "It leaks.", message_id="<1@x>"))
    books = sage.entry.runtime_data.external.books
    await books.async_put(anna.id, [Contact(uid="ida", name="Ida", emails=("Ida@example.com",))])
    sage.model_says(
        mail("draft an answer to Ida", draft=True),
        NATIVE.call("search_email", sender="ida"),
        NATIVE.call("create_email_draft", reply_to="m1", subject="Re: Roof", text="I come."),
        NATIVE.finish("acted", "It is in your drafts.", about="other"),
    )

    assert await sage.hear("draft an answer to Ida", user_id=anna.id) == "It is in your drafts."

    (draft,) = imap.read("anna", DRAFTS)
    assert draft["To"] == "ida@example.com"
    assert draft["In-Reply-To"] == "<1@x>"
    assert not smtp.accepted


async def test_what_was_not_sent_is_not_claimed(sage: Sage, anna: User) -> None:
    sage.model_says(
        mail("write to Tom"), *[NATIVE.finish("acted", "It is sent.", about="other")] * 2
    )

    assert "It is sent" not in await sage.hear("write to Tom", user_id=anna.id)


async def test_what_was_sent_is_not_concealed(sage: Sage, smtp: SmtpServer, anna: User) -> None:
    sage.model_says(
        mail("write to Tom"),
        sends(),
        *[NATIVE.finish("could_not", "It did not work.", about="other")] * 2,
    )

    await sage.hear("write to Tom", user_id=anna.id)
    heard = await sage.hear("yes", user_id=anna.id)

    assert heard == "The message “Lunch” was sent to tom@example.com."
    assert len(smtp.accepted) == 1


async def test_a_changed_message_asks_again(sage: Sage, smtp: SmtpServer, anna: User) -> None:
    sage.model_says(
        mail("write to Tom"),
        sends(),
        sends(to=["tom@example.com", "eve@example.com"]),
        NATIVE.finish("acted", "Sent to Tom.", about="other"),
    )

    await sage.hear("write to Tom", user_id=anna.id)
    asked = await sage.hear("yes", user_id=anna.id)
    assert "eve@example.com" in asked
    await sage.hear("no", user_id=anna.id)

    assert [each.recipients for each in smtp.accepted] == [("tom@example.com",)]


async def test_the_same_message_is_not_sent_twice_in_a_request(
    sage: Sage, smtp: SmtpServer, anna: User
) -> None:
    sage.model_says(
        mail("write to Tom"),
        sends(),
        sends(),
        NATIVE.finish("acted", "Sent to Tom.", about="other"),
    )

    await sage.hear("write to Tom", user_id=anna.id)
    heard = await sage.hear("yes", user_id=anna.id)

    assert heard == "Sent to Tom."
    assert len(smtp.accepted) == 1
    assert "do not repeat it" in sage.server.completions[-1].prompt


async def test_a_lost_answer_of_the_server_is_said(
    make_sage, imap: Dovecot, smtp: SmtpServer, anna: User
) -> None:
    async with BreakingProxy(smtp.port) as proxy:
        own = account(anna.id, "anna", imap.port, proxy.port, keeps_sent=True)
        sage = await make_sage(subentries=[own])
        sage.model_says(mail("write to Tom"), sends(), NATIVE.finish("acted", "x", about="other"))
        await sage.hear("write to Tom", user_id=anna.id)
        proxy.start(None)
        await sage.hear("yes", user_id=anna.id)
        whole = proxy.passed
        smtp.accepted.clear()
        # The message has arrived; the answer to it has not.
        proxy.start(whole - len("250 accepted\r\n") - len("QUIT\r\n221 Bye\r\n"))
        sage.conversation_id = None
        sage.model_says(
            mail("write to Tom"),
            sends(),
            *[NATIVE.finish("could_not", "It was not sent.", about="other")] * 2,
        )

        await sage.hear("write to Tom", user_id=anna.id)
        heard = await sage.hear("yes", user_id=anna.id)

    assert "I do not know whether the message “Lunch” to tom@example.com was sent" in heard
    assert "It was not sent." not in heard


@pytest.mark.parametrize("password", [PASSWORD.format(name="anna"), "hunter2-of-yesterday"])
async def test_passwords_are_in_no_prompt_trace_log_or_diagnostics(
    hass: HomeAssistant,
    make_sage,
    imap: Dovecot,
    smtp: SmtpServer,
    anna: User,
    caplog: pytest.LogCaptureFixture,
    password: str,
) -> None:
    caplog.set_level("DEBUG")
    sage = await make_sage(
        subentries=[account(anna.id, "anna", imap.port, smtp.port, password=password)]
    )
    sage.model_says(
        mail("my mail?"),
        NATIVE.call("search_email"),
        sends(),
        *[NATIVE.finish("could_not", "Then not.", about="other")] * 2,
    )
    await sage.hear("my mail?", user_id=anna.id)
    await sage.hear("yes", user_id=anna.id)

    diagnostics = await async_get_config_entry_diagnostics(hass, sage.entry)
    prompts = [each.body for each in sage.server.requests]
    seen = f"{prompts} {sage.traces(anna.id)} {diagnostics} {caplog.text}"
    assert "search_email" in seen
    assert "pass\\word" not in seen.replace("\\\\", "\\")
    assert "hunter2" not in seen
    for each in (password, f"\0anna\0{password}"):
        assert base64.b64encode(each.encode()).decode() not in seen


async def test_at_a_satellite_only_the_pin_sends(
    hass: HomeAssistant, make_mail_sage, smtp: SmtpServer, anna: User
) -> None:
    pin_hash = await hass.async_add_executor_job(hash_pin, "4711")
    sage = await make_mail_sage(options={"pin_hash": pin_hash})
    row = er.async_get(hass).async_get_or_create("assist_satellite", "test", "kitchen")
    runtime = sage.entry.runtime_data
    sage.entry.runtime_data = dataclasses.replace(runtime, satellites={row.id: anna.id})
    at = {"satellite_id": row.entity_id}
    sage.model_says(
        mail("write to Tom"),
        sends(text="At one? " + " ".join(["Bring bread."] * 31)),
        NATIVE.finish("acted", "Tom has it.", about="other"),
    )

    asked = await sage.hear("write to Tom", **at)
    await sage.hear("yes", **at)
    assert not smtp.accepted
    assert f"The text has 410 characters: At one? {' '.join(['Bring bread.'] * 31)}" in asked
    heard = await sage.hear("4711", **at)

    assert heard == "Tom has it."
    assert len(smtp.accepted) == 1
