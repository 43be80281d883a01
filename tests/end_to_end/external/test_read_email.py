"""Mail: people ask for it, and read only their own."""

import json
from typing import Any

import pytest
from homeassistant.auth.models import User

from benchmark.fake_model_server import FakeModelServer, is_for_cache
from benchmark.mail_servers import Dovecot, SmtpServer, letter
from benchmark.model_script import Completion
from custom_components.sage.text.speech import has_fence
from tests.decisions import FORMATS, NATIVE, Decides
from tests.end_to_end.conftest import MakeSage, Sage
from tests.end_to_end.external.conftest import account, mail
from tests.end_to_end.memory.story import knows, plant
from tests.waiting import until


@pytest.mark.parametrize("name", FORMATS)
async def test_what_did_i_miss_means_what_the_person_said_before(
    make_mail_sage, imap: Dovecot, smtp: SmtpServer, anna: User, name: str
) -> None:
    sage, decides = await make_mail_sage(name), Decides(name)
    imap.put("anna", letter("Max <max@example.com>", "Old", "Long ago."))
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "The roof leaks since Monday."))
    imap.put("anna", letter("Tom <tom@example.com>", "Lunch", "Lunch at one tomorrow?"))
    imap.put("ben", letter("Eva <eva@example.com>", "Rent", "The rent is due."))
    await plant(sage, anna.id, "when I ask what I missed, summarize my 2 latest mails")
    answer = "Ida writes that her roof leaks, and Tom suggests lunch at one."
    sage.model_says(
        decides.call("personalization", question="What does the person mean by what they missed?"),
        knows("A summary of their 2 latest mails.", 1),
        mail("summarize the 2 latest mails", decides),
        decides.call("search_email", most=2),
        decides.calls(("get_message", {"id": "m1"}), ("get_message", {"id": "m2"})),
        decides.finish("answered", answer, about="other"),
    )

    assert await sage.hear("what did I miss?", user_id=anna.id) == answer

    seen = sage.server.completions[-1].prompt
    assert has_fence(seen)
    assert "Lunch at one tomorrow?" in seen
    assert "The roof leaks since Monday." in seen
    assert "Long ago." not in seen
    assert "Rent" not in seen
    assert not smtp.accepted


@pytest.mark.parametrize("name", FORMATS)
async def test_nobody_hears_the_id_of_a_message(
    make_mail_sage, imap: Dovecot, anna: User, name: str
) -> None:
    sage, decides = await make_mail_sage(name), Decides(name)
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "The roof leaks since Monday."))
    imap.put("anna", letter("Tom <tom@example.com>", "m2 reached", "The number m2 is on the box."))
    plain = "Ida writes about the roof, Tom about m2."
    sage.model_says(
        mail("do I have new mail? Not m2.", decides),
        decides.call("search_email", unread=True),
        decides.finish("answered", "Your new messages are m1 and m2.", about="other"),
        decides.finish("answered", plain, about="other"),
    )
    assert await sage.hear("do I have new mail? Not m2.", user_id=anna.id) == plain
    assert "nobody knows what m1 is" in sage.server.completions[-1].prompt


async def test_prompts_for_people_with_mail_are_evaluated_before_they_speak(
    make_mail_sage, model_server: FakeModelServer, anna: User
) -> None:
    ahead: list[dict[str, Any]] = []

    def keeps(body: dict[str, Any]) -> Completion | None:
        if not is_for_cache(body):
            return None
        ahead.append(body)
        return Completion(text="{", finish_reason="length")

    model_server.background = keeps
    sage = await make_mail_sage()
    await until(lambda: len(ahead) > 1 and "evaluating" not in states(sage))
    sage.model_says(
        mail("my mail?"),
        NATIVE.call("search_email"),
        NATIVE.finish("answered", "No mail.", about="other"),
    )
    assert await sage.hear("my mail?", user_id=anna.id) == "No mail."
    begun = [(each.get("tools"), each["messages"][0]) for each in ahead]
    for each in sage.server.completions:
        assert (each.body["tools"], each.body["messages"][0]) in begun
    # The household, Anna and Ben have the same prompts.
    different = {json.dumps(each) for each in begun}
    for tool in ("email_and_calendar", "search_email"):
        assert sum(f'"name": "{tool}"' in each for each in different) == 1


def states(sage: Sage) -> set[str]:
    return {each.state.value for each in sage.entry.runtime_data.prefixes.values()}


async def test_model_sees_that_messages_fit_only_in_another_period(
    sage: Sage, imap: Dovecot, anna: User
) -> None:
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "It leaks."))
    sage.model_says(
        mail("new mail?"),
        NATIVE.call("search_email", unread=True, since="2999-01-01"),
        NATIVE.call("search_email", unread=True),
        NATIVE.finish("answered", "Ida wrote about the roof.", about="other"),
    )
    assert await sage.hear("new mail?", user_id=anna.id) == "Ida wrote about the roof."
    seen = sage.server.completions[-2].prompt
    assert "No message fits. Without `since` and `before`: 1 messages." in seen


async def test_answer_that_only_reads_is_not_an_act(sage: Sage, imap: Dovecot, anna: User) -> None:
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "It leaks."))
    answer = "Ida wrote about the roof."
    sage.model_says(
        mail("new mail?"),
        NATIVE.call("search_email", unread=True),
        NATIVE.finish("acted", answer, about="other"),
        NATIVE.finish("answered", answer, about="other"),
    )
    assert await sage.hear("new mail?", user_id=anna.id) == answer
    assert "repeat it with kind `answered`" in sage.decisions[-1].prompt


async def test_others_do_not_reach_the_mail_of_a_person(
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


async def test_people_without_mail_have_the_same_prefix_and_hear_that_they_have_none(
    make_sage: MakeSage, imap: Dovecot, smtp: SmtpServer, anna: User, ben: User
) -> None:
    sage = await make_sage(subentries=[account(anna.id, "anna", imap.port, smtp.port)])
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "It leaks."))
    prefixes = set[str]()
    for user_id, reason in ((anna.id, ""), (ben.id, "has no mail"), (None, "who speaks")):
        sage.model_says(
            mail("my mail?"),
            *([NATIVE.call("search_email")] if user_id == anna.id else []),
            NATIVE.finish("could_not", "There is none.", about="other"),
        )
        await sage.hear("my mail?", user_id=user_id)
        first, *_, last = sage.server.completions
        prefixes.add(json.dumps([first.body["tools"], first.body["messages"][0]]))
        assert reason in last.prompt
        assert ("Roof" in last.prompt) == (user_id == anna.id)
    assert len(prefixes) == 1


async def test_a_wrong_password_is_said(
    make_sage, imap: Dovecot, smtp: SmtpServer, anna: User
) -> None:
    own = account(anna.id, "anna", imap.port, smtp.port, password="old")
    sage = await make_sage(subentries=[own])
    sage.model_says(
        mail("my mail?"),
        NATIVE.call("search_email"),
        NATIVE.finish("could_not", "Your mail needs a new password.", about="other"),
    )

    assert await sage.hear("my mail?", user_id=anna.id) == "Your mail needs a new password."

    assert "does not accept the password of anna@example.com" in sage.server.completions[-1].prompt


async def test_a_name_from_a_message_is_no_technical_name(
    sage: Sage, imap: Dovecot, anna: User
) -> None:
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "See the file roof_plan.pdf."))
    sage.model_says(
        mail("what does Ida write?"),
        NATIVE.call("search_email"),
        NATIVE.call("get_message", id="m1"),
        NATIVE.finish("answered", "Ida asks you to see roof_plan.pdf.", about="other"),
    )

    heard = await sage.hear("what does Ida write?", user_id=anna.id)

    assert heard == "Ida asks you to see roof_plan.pdf."
    assert sage.model_calls == 4


async def test_answer_about_mail_that_nobody_read_is_refused(
    sage: Sage, imap: Dovecot, anna: User
) -> None:
    imap.put("anna", letter("Ida <ida@example.com>", "Roof", "It leaks."))
    sage.model_says(
        mail("my mail?"),
        NATIVE.finish("answered", "You have no mail.", about="other"),
        NATIVE.call("search_email"),
        NATIVE.finish("answered", "Ida wrote to you.", about="other"),
    )
    assert await sage.hear("my mail?", user_id=anna.id) == "Ida wrote to you."
    assert "Nothing was read in this request" in sage.server.completions[2].prompt
