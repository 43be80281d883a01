"""Mail, events and contacts are what the question before them showed, character by character."""

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from benchmark.ical_text import event_text as event
from benchmark.mail_servers import Dovecot, SmtpServer
from benchmark.model_script import Answer
from tests.calendar_house import async_add_calendar
from tests.decisions import NATIVE
from tests.end_to_end.attacker import endlessly
from tests.end_to_end.conftest import Sage, impatient
from tests.end_to_end.test_questions import TEXTS
from tests.end_to_end.test_untrusted_text import ALONE

from .conftest import mail

LETTER = " ".join(f"Line {number} of a letter." for number in range(400))
LETTERS = [*TEXTS, pytest.param(LETTER, id="letter")]
DAY = "2036-11-30"


def after_reading(*decisions: Answer) -> Any:
    """Return a script: the model searches mail, then decides this."""
    return endlessly(NATIVE, [mail("do it"), NATIVE.call("search_email"), *decisions])


def short(text: str, longest: int) -> str:
    return " ".join(text[:longest].split())


@pytest.mark.parametrize("text", LETTERS)
async def test_a_mail(sage: Sage, smtp: SmtpServer, anna: User, text: str) -> None:
    subject = short(text, 80)
    sage.model_says(
        mail("write to Tom"),
        NATIVE.call("send_message", to=["tom@example.com"], subject=subject, text=text),
        NATIVE.finish("acted", "Tom has it.", about="other"),
    )
    asked = await sage.hear("write to Tom", user_id=anna.id)
    assert text in asked
    assert subject in asked
    await sage.hear("yes", user_id=anna.id)
    (sent,) = smtp.accepted
    assert sent.message.get_content().strip().replace("\r\n", "\n") == text
    assert sent.message["Subject"] == subject


@pytest.mark.parametrize("text", LETTERS)
async def test_a_draft(sage: Sage, imap: Dovecot, anna: User, text: str) -> None:
    subject = short(text, 80)
    draft = NATIVE.call("create_email_draft", to=["tom@example.com"], subject=subject, text=text)
    impatient(sage).server.say(after_reading(draft))
    asked = await sage.hear("write a draft", user_id=anna.id)
    assert text in asked
    assert subject in asked
    assert "tom@example.com" in asked
    await sage.hear("yes", user_id=anna.id)
    (saved,) = imap.read("anna", "Entw&APw-rfe")
    assert saved.get_content().strip().replace("\r\n", "\n") == text
    assert (saved["Subject"], saved["To"]) == (subject, "tom@example.com")


@pytest.mark.parametrize("text", TEXTS)
async def test_an_event(hass: HomeAssistant, make_mail_sage: Any, anna: User, text: str) -> None:
    own = await async_add_calendar(hass, "Anna")
    row = er.async_get(hass).async_get(own)
    assert row is not None
    sage = impatient(await make_mail_sage(options={"calendars": {row.id: anna.id}}))
    title, place = short(text, 80), short(text, 200)
    create = NATIVE.call(
        "create_calendar_event", title=title, start=DAY, location=place, description=text
    )
    sage.server.say(after_reading(create))
    asked = await sage.hear("add it", user_id=anna.id)
    assert asked.count(title) >= (2 if "\n" in text else 3)
    assert place in asked
    assert text in asked
    assert "30" in asked
    await sage.hear("yes", user_id=anna.id)
    response: Any = await hass.services.async_call(
        "calendar",
        "get_events",
        {"start_date_time": f"{DAY}T00:00:00", "end_date_time": f"{DAY}T23:00:00"},
        target={"entity_id": own},
        blocking=True,
        return_response=True,
    )
    (event,) = response[own]["events"]
    assert (event["summary"], event["location"]) == (title, place)
    assert event["description"] == text


@pytest.mark.parametrize("text", TEXTS)
async def test_a_contact(sage: Sage, anna: User, text: str) -> None:
    name, phone, relation = short(text, 90), short(text, 50), short(text, 60)
    put = NATIVE.call(
        "change_contacts",
        action="put",
        name=name,
        phone=phone,
        email="eve@example.com",
        relation=relation,
        birthday=phone,
    )
    impatient(sage).server.say(after_reading(put))
    asked = await sage.hear("note it", user_id=anna.id)
    for shown in (name, phone, relation, "eve@example.com"):
        assert shown in asked
    await sage.hear("yes", user_id=anna.id)
    (contact,) = await sage.entry.runtime_data.external.books.async_contacts(anna.id)
    assert (contact.name, contact.phones, contact.relation) == (name, (phone,), relation)
    assert (contact.emails, contact.birthday) == (("eve@example.com",), phone)


@pytest.mark.parametrize("text", ["Pay 1\u3164 now", "Bring bread" + "\U000e0141" * 20])
async def test_what_a_question_cannot_show_is_not_sent(
    sage: Sage, smtp: SmtpServer, anna: User, text: str
) -> None:
    sage.model_says(
        mail("write to Tom"),
        NATIVE.call("send_message", to=["tom@example.com"], subject="x", text=text),
        NATIVE.finish("acted", "Tom has it.", about="other"),
    )
    asked = await sage.hear("write to Tom", user_id=anna.id)
    await sage.hear("yes", user_id=anna.id)
    (sent,) = smtp.accepted
    shown = sent.message.get_content().strip()
    assert shown != text
    assert asked.endswith(shown)


async def test_an_event_holds_nothing_that_the_question_does_not_show(
    make_mail_sage: Any, hass: HomeAssistant, anna: User
) -> None:
    """Letters of the block of tags, which nobody sees, could carry a secret into a calendar."""
    start = dt_util.now().replace(microsecond=0)
    own = await async_add_calendar(hass, "Anna", [event("News", start)], is_exposed=False)
    row = er.async_get(hass).async_get(own)
    assert row is not None
    sage = await make_mail_sage(options={"calendars": {row.id: anna.id}})
    hidden = "".join(chr(0xE0000 + ord(each)) for each in "alarm code 4711")
    sage.model_says(
        NATIVE.call("email_and_calendar", request="dinner on the 30th", final=True),
        NATIVE.call("list_calendar_events", first=f"{start:%Y-%m-%d}"),
        NATIVE.call(
            "create_calendar_event",
            title=f"Dinner{hidden}",
            start="2036-11-30",
            location=f"Here{hidden}",
            description=f"Soup,\nbread{hidden}",
        ),
        ALONE,
        NATIVE.finish("acted", "It is in your calendar.", about="other"),
    )

    assert "“Dinner”" in await sage.hear("dinner on the 30th", user_id=anna.id)
    assert await sage.hear("yes", user_id=anna.id) == "It is in your calendar."

    response: Any = await hass.services.async_call(
        "calendar",
        "get_events",
        {"start_date_time": "2036-11-29T00:00:00", "end_date_time": "2036-12-02T00:00:00"},
        target={"entity_id": own},
        blocking=True,
        return_response=True,
    )
    (created,) = response[own]["events"]
    assert (created["summary"], created["location"]) == ("Dinner", "Here")
    assert created["description"] == "Soup,\nbread"
