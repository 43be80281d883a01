"""Mail, events and contacts are what the question before them showed, character by character."""

import pytest
from homeassistant.auth.models import User

from benchmark.mail_servers import SmtpServer
from tests.end_to_end.conftest import Sage
from tests.end_to_end.test_questions import TEXTS

from .conftest import NATIVE, mail

LETTER = " ".join(f"Line {number} of a letter." for number in range(400))


@pytest.mark.parametrize("text", [*TEXTS, pytest.param(LETTER, id="letter")])
async def test_a_mail(sage: Sage, smtp: SmtpServer, anna: User, text: str) -> None:
    subject = " ".join(text[:80].split())
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
