"""Mail: people ask for it, and send it after they have seen all of it."""

from typing import Any

import pytest
from homeassistant.auth.models import User

from custom_components.sage.text.fence import has_fence
from tests.decisions import FORMATS, Decides
from tests.end_to_end.conftest import Sage
from tests.mail_servers import Dovecot, SmtpServer, letter

DRAFTS = "Entw&APw-rfe"
SENT = "Gesendet"
NATIVE = Decides("native")


def mail(request: str, decides: Decides = NATIVE, *, final: bool = True) -> Any:
    return decides.call("email_and_calendar", request=request, final=final)


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


async def test_what_is_not_confirmed_is_not_sent(sage: Sage, smtp: SmtpServer, anna: User) -> None:
    sage.model_says(
        mail("write to Tom"), sends(), NATIVE.finish("could_not", "Then not.", about="other")
    )

    await sage.hear("write to Tom", user_id=anna.id)
    heard = await sage.hear("no", user_id=anna.id)

    assert heard == "Then not."
    assert not smtp.accepted


async def test_a_draft_goes_to_the_folder_of_drafts(
    sage: Sage, imap: Dovecot, smtp: SmtpServer, anna: User
) -> None:
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "It leaks.", message_id="<1@x>"))
    sage.model_says(
        mail("draft an answer to Ida"),
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


async def test_the_household_and_others_do_not_have_the_tool(
    sage: Sage, imap: Dovecot, ben: User
) -> None:
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "It leaks."))
    for user_id, request in ((None, "my mail?"), (ben.id, "the mail of Anna?")):
        sage.model_says(
            mail(request),
            NATIVE.call("search_email"),
            NATIVE.finish("answered", "Nothing.", about="other"),
        )
        await sage.hear(request, user_id=user_id)
        assert not any("Roof" in each.prompt for each in sage.server.completions)
        offered = {tool["function"]["name"] for tool in sage.server.completions[0].body["tools"]}
        assert ("email_and_calendar" in offered) == (user_id is not None)
