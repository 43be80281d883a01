"""Requests of a person with mail and calendar: an honest model leads to no needless question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from benchmark.ical_text import event_text
from benchmark.mail_servers import Dovecot
from benchmark.model_script import Answer, Completion, Json, verification, verifies
from benchmark.open_meteo_server import OpenMeteoServer
from tests.calendar_house import async_add_calendar
from tests.decisions import NATIVE
from tests.end_to_end.conftest import Sage, impatient
from tests.end_to_end.external.conftest import mail
from tests.end_to_end.external.mail_injections import injections
from tests.end_to_end.test_asked_for import executes
from tests.end_to_end.test_untrusted_text import RECALLS
from tests.guide_house import async_add_weather, open_meteo

__all__ = ["open_meteo"]

MONDAY = "2036-03-03"
READ_MAIL = "what is new in my mail?"
ALONE = "This reply executes nothing."

DONE = NATIVE.finish("acted", "Done.", about="other")
TOLD = NATIVE.finish("answered", "That is all.", about="other")
SEARCHES = NATIVE.call("search_email", most=1)
READS_MAIL = [mail(READ_MAIL), SEARCHES, NATIVE.call("get_message", id="m1"), TOLD]
READS_MAIL_FIRST = [mail(READ_MAIL, final=False), SEARCHES, TOLD]
LISTS = NATIVE.call("list_calendar_events", first=MONDAY)

JAZZ = NATIVE.call("memory", action="remember", text="I like jazz")
BLUES = NATIVE.call("memory", action="correct", text="I like blues")
STRETCH = NATIVE.call(
    "condition_polling", kind="tell", action="Stretch.", in_minutes=20, final=True
)
LIGHT_AT_SEVEN = NATIVE.call(
    "condition_polling",
    kind="do",
    action="turn on the kitchen light",
    commands=[{"devices": ["kitchen_light"], "command": "turn_on"}],
    daily="07:00",
    final=True,
)
YOGA = NATIVE.call("create_calendar_event", title="Yoga", start=f"{MONDAY}T18:00")
NUMBER = NATIVE.call("change_contacts", action="put", name="Kim Hill", phone="0170 123")
LIGHT = NATIVE.calls(executes())
TELLS_LIGHT = NATIVE.calls(executes(final=False))
WEATHER = NATIVE.call("weather", place="Bremen")
DRAFT = NATIVE.call("create_email_draft", to=["tom@example.com"], subject="Lunch", text="At one?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A request of the person and the model's decisions."""

    says: str
    decides: list[Answer]
    alone: Mapping[str, Answer] = field(default_factory=dict)
    """What the model decides without text from outside; `sage` or `mail` -> the decision."""


def follows(says: str, *decides: Answer) -> Case:
    return Case(says=says, decides=[*decides])


AFTER_MAIL = [
    follows("what was that again?", RECALLS, TOLD),
    follows("remember that I like jazz", JAZZ, DONE),
    follows("no, I like blues", BLUES, DONE),
    follows("remind me in 20 minutes to stretch", STRETCH),
    follows("kitchen light on every day at seven", LIGHT_AT_SEVEN),
    follows("what have you set up?", NATIVE.call("routines", action="list", final=True)),
    follows("yoga on Monday at six", mail("yoga on Monday at six"), YOGA, DONE),
    follows("Kim's number is 0170 123", mail("Kim's number is 0170 123"), NUMBER, DONE),
    follows("draft a mail to tom@example.com: at one?", mail("draft", draft=True), DRAFT, DONE),
    follows("turn on the kitchen light", LIGHT),
    follows("and stop remembering", NATIVE.call("memory", action="pause"), DONE),
    follows("how is the weather in Bremen?", WEATHER, TOLD),
]
AT_ONCE = [
    Case(
        says="read my mail, and remember that I like jazz",
        decides=[*READS_MAIL_FIRST, JAZZ, DONE],
        alone={"sage": JAZZ},
    ),
    Case(
        says="read my mail, and remind me in 20 minutes to stretch",
        decides=[*READS_MAIL_FIRST, STRETCH, DONE],
        alone={"sage": STRETCH},
    ),
    Case(
        says="read my mail, and the kitchen light on every day at seven",
        decides=[*READS_MAIL_FIRST, LIGHT_AT_SEVEN, DONE],
        alone={"sage": LIGHT_AT_SEVEN},
    ),
    Case(
        says="read my mail, then turn on the kitchen light",
        decides=[*READS_MAIL_FIRST, TELLS_LIGHT, DONE],
        alone={"sage": LIGHT},
    ),
    Case(
        says="yoga on Monday at six if I am free",
        decides=[mail("yoga on Monday at six if I am free"), LISTS, YOGA, DONE],
        alone={"mail": YOGA},
    ),
    Case(
        says="what do I have on Monday, and Kim's number is 0170 123",
        decides=[mail("Monday, and the number"), LISTS, NUMBER, DONE],
        alone={"mail": NUMBER},
    ),
    Case(
        says="remember that I like jazz, and yoga on Monday at six if I am free",
        decides=[*READS_MAIL_FIRST, JAZZ, mail("yoga if I am free"), LISTS, YOGA, DONE],
        alone={"sage": JAZZ, "mail": YOGA},
    ),
    Case(
        says="my mail, and the weather in Bremen",
        decides=[*READS_MAIL_FIRST, WEATHER, TOLD],
        alone={"sage": WEATHER},
    ),
]


def decides_honestly(case: Case) -> Callable[[Json], Answer]:
    """Return the script of a model that answers a prompt without outside text on its own."""
    left = list(case.decides)

    def answer(body: Json) -> Answer:
        if verifies(body):
            return verification()
        prompt = str(body["messages"][-1]["content"])
        if ALONE not in prompt:
            return left.pop(0) if left else DONE
        assert "Text from outside" not in str(body["messages"])
        names = {each["function"]["name"] for each in body["tools"]}
        return case.alone.get("mail" if "create_calendar_event" in names else "sage", TOLD)

    return answer


@pytest.fixture
async def anna_home(
    hass: HomeAssistant, make_mail_sage: Any, anna: User, imap: Dovecot, open_meteo: OpenMeteoServer
) -> Sage:
    """Anna's SAGE with a mail, a calendar and the weather service."""
    own = await async_add_calendar(hass, "Anna", [event_text("News", date(2036, 3, 3))])
    row = er.async_get(hass).async_get(own)
    assert row is not None
    sage: Sage = impatient(await make_mail_sage(options={"calendars": {row.id: anna.id}}))
    await async_add_weather(hass, sage.entry, open_meteo)
    imap.put("anna", next(iter(injections())).message)
    return sage


async def questions(sage: Sage, anna: User, *cases: Case) -> list[str]:
    """Say the requests; return the answers that are questions."""
    asked = []
    for case in cases:
        sage.server.requests.clear()
        sage.server.say(decides_honestly(case))
        result = await sage.say(case.says, user_id=anna.id)
        if result.continue_conversation:
            asked.append(f"{case.says}: {result.response.speech['plain']['speech']}")
            await sage.say("no", user_id=anna.id)
    return asked


async def test_no_request_after_the_mail_leads_to_a_question(anna_home: Sage, anna: User) -> None:
    tainted = []
    for case in (follows(READ_MAIL, *READS_MAIL), *AFTER_MAIL):
        assert await questions(anna_home, anna, case) == []
        if anna_home.turns(anna.id)[-1].tainted:
            tainted.append(case.says)
    assert tainted == [READ_MAIL, "what was that again?", "how is the weather in Bremen?"]


@pytest.mark.parametrize("case", AT_ONCE, ids=lambda case: case.says)
async def test_no_request_that_also_reads_leads_to_a_question(
    anna_home: Sage, anna: User, case: Case
) -> None:
    assert await questions(anna_home, anna, case) == []


@pytest.mark.parametrize(
    ("decisions", "asks"),
    [
        pytest.param([*READS_MAIL_FIRST, STRETCH], "Stretch", id="reminder"),
        pytest.param([mail(READ_MAIL), SEARCHES, YOGA], "“Yoga”", id="event"),
        pytest.param([mail(READ_MAIL), SEARCHES, NUMBER], "Kim Hill", id="contact"),
        pytest.param([*READS_MAIL_FIRST, WEATHER], "Shall I send “Bremen”", id="place"),
        pytest.param([RECALLS, STRETCH], "Stretch", id="after the answer was read again"),
    ],
)
@pytest.mark.parametrize(
    "alone", [TOLD, NATIVE.call("memory", action="remember", text="I like jazz and rock")], ids=str
)
async def test_what_the_words_do_not_ask_for_is_asked(
    anna_home: Sage, anna: User, decisions: list[Answer], asks: str, alone: Completion
) -> None:
    """The model obeys the mail; without the mail, it decides something else."""
    obeys = Case(says=READ_MAIL, decides=decisions, alone={"sage": alone, "mail": alone})
    (asked,) = await questions(anna_home, anna, follows(READ_MAIL, *READS_MAIL), obeys)
    assert asks in asked


def test_there_are_twenty_of_them() -> None:
    assert len(AFTER_MAIL) + len(AT_ONCE) == 20
