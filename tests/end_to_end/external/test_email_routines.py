"""Routines that send mail ask their owner; nobody's routine reaches the mail of others."""

import pytest
from homeassistant.auth.models import User

from benchmark.mail_servers import Dovecot, SmtpServer, letter
from tests.decisions import NATIVE
from tests.end_to_end.conftest import Sage
from tests.end_to_end.firing.routine import Fires, routine_of

COMMAND = "write Tom that the fridge is open"


@pytest.fixture
def fires(sage: Sage) -> Fires:
    return Fires(sage)


def sends(sage: Sage, kind: str, answer: str) -> None:
    sage.model_says(
        NATIVE.call("email_and_calendar", request=COMMAND, final=True),
        NATIVE.call("send_message", to=["tom@example.com"], subject="Fridge", text="It is open."),
        *[NATIVE.finish(kind, answer, about="other")] * 2,
    )


@pytest.mark.parametrize(
    ("reply", "kind", "answer"), [("yes", "acted", "Tom knows."), ("no", "could_not", "Not sent.")]
)
async def test_a_routine_that_sends_asks_its_owner(
    sage: Sage, fires: Fires, smtp: SmtpServer, anna: User, reply: str, kind: str, answer: str
) -> None:
    sends(sage, kind, answer)

    running = fires.begin(routine_of(anna, COMMAND))
    asked = await fires.async_asked("tom@example.com")
    assert "It is open." in asked.text
    assert not smtp.accepted
    asked.answer(reply)

    assert (await running).answer == answer
    assert len(smtp.accepted) == (reply == "yes")


@pytest.mark.parametrize("whose", ["ben", "household"])
async def test_a_routine_of_others_does_not_reach_it(
    sage: Sage, fires: Fires, imap: Dovecot, ben: User, whose: str
) -> None:
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "It leaks."))
    sage.model_says(
        NATIVE.call("email_and_calendar", request="the mail of Anna", final=True),
        NATIVE.call("search_email"),
        NATIVE.call("get_message", id="m1"),
        *[NATIVE.finish("answered", "There is none.", about="other")] * 2,
    )

    await fires.fire(routine_of(ben if whose == "ben" else None, "tell me the mail of Anna"))

    assert sage.server.completions
    assert not any("Roof" in each.prompt for each in sage.server.completions)
