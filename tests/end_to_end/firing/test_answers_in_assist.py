"""The question of a routine is answered in Assist, by its person, who need not be an admin."""

import asyncio

import pytest
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.components.conversation import async_get_chat_log
from homeassistant.core import HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session

from benchmark.model_script import Completion
from custom_components.sage.delivery.open_questions import questions_of
from custom_components.sage.home.entities.execution import EntityBackend
from custom_components.sage.people.pin import REDACTED, hash_pin
from custom_components.sage.routines.interfaces import RunReport

from ..conftest import MakeSage, Sage, spoken
from .conftest import Owns
from .routine import DECIDES, Fires, commands, reminder_of, routine_of

LOCK, GARAGE = "lock.front_door", "cover.garage_door"
ASKED = "Shall I really unlock Front Door?"
UNLOCKED = "The front door is unlocked."
PIN = "4711"


@pytest.fixture
async def member(hass: HomeAssistant, user: User, owns_phone: Owns) -> User:
    """Somebody who lives here, sees questions on the phone, and is no administrator."""
    clara = await hass.auth.async_create_user("Clara", group_ids=[GROUP_ID_USER])
    assert not clara.is_admin
    await owns_phone(clara, "Pixel")
    return clara


@pytest.fixture
async def secured(hass: HomeAssistant, make_sage: MakeSage) -> Sage:
    """SAGE with a PIN."""
    pin_hash = await hass.async_add_executor_job(hash_pin, PIN)
    sage: Sage = await make_sage(options={"pin_hash": pin_hash})
    return sage


async def unlocks(
    sage: Sage, owner: User | None, language: str = "en", number: int = 1
) -> tuple[Fires, asyncio.Task[RunReport]]:
    """Let a routine that unlocks the front door fire, and ask."""
    commands(sage, "front_door", command="unlock", answer=UNLOCKED)
    fires = Fires(sage)
    running = fires.begin(
        routine_of(owner, "unlock the front door", language=language), number=number
    )
    await fires.async_asked()
    return fires, running


def state(hass: HomeAssistant, entity_id: str = LOCK) -> str:
    found = hass.states.get(entity_id)
    assert found is not None
    return found.state


@pytest.mark.parametrize(("reply", "then"), [("Yes.", "unlocked"), ("no thanks", "locked")])
async def test_a_yes_or_a_no_answers_it(
    hass: HomeAssistant, sage: Sage, member: User, reply: str, then: str
):
    _, running = await unlocks(sage, member)
    calls = sage.model_calls

    heard = await sage.say(reply, user_id=member.id)

    assert not heard.continue_conversation
    assert state(hass) == then
    report = await running
    assert report.is_failure == (then == "locked")
    # The person hears the result at once, and the model gets no request.
    assert spoken(heard) == report.answer
    assert sage.model_calls == calls + 1
    assert [each["command"] for each in sage.traces(member.id)] == ["unlock the front door"]


async def test_what_is_neither_is_a_request_and_the_question_stays_open(
    hass: HomeAssistant, sage: Sage, member: User
):
    _, running = await unlocks(sage, member)
    sage.model_says(DECIDES.finish("answered", "Four.", about="other"))
    assert await sage.hear("what is two and two?", user_id=member.id) == "Four."
    assert not running.done()
    sage.model_says(DECIDES.finish("acted", UNLOCKED))

    await sage.say("yes", user_id=member.id, conversation_id=None)

    await running
    assert state(hass) == "unlocked"


async def test_a_yes_to_what_the_model_has_just_said_unlocks_no_door(
    hass: HomeAssistant, sage: Sage, member: User
):
    """A model may ask without saying that it asks; so the question is put before its yes."""
    fires, running = await unlocks(sage, member)
    offer = "It is dark. Shall I turn on the lamp?"
    sage.model_says(DECIDES.finish("answered", offer, about="other"))
    assert await sage.hear("is it dark?", user_id=member.id) == offer

    heard = await sage.say("yes", user_id=member.id)

    assert (spoken(heard), heard.continue_conversation) == (ASKED, True)
    assert state(hass) == "locked"
    (await fires.async_asked()).answer("no")
    await running
    assert state(hass) == "locked"


async def test_a_yes_to_the_question_before_is_no_yes_to_the_next_one_of_a_firing(
    hass: HomeAssistant, sage: Sage, member: User
):
    """The one that was put was answered on a phone, and the run asks about something else."""
    asks = [
        DECIDES.call("human_interaction", question=f"Shall I take {each}?")
        for each in ("oat milk", "rye bread", "ten bottles")
    ]
    sage.model_says(*asks, DECIDES.finish("answered", "Milk!"))
    fires = Fires(sage)
    first = fires.begin(reminder_of(member, "remind me"), number=1)
    milk = await fires.async_asked("milk")
    second = fires.begin(reminder_of(member, "remind me", id="01K9OTHER"), number=2)
    await fires.async_asked("bread")
    assert (await sage.hear("yes", user_id=member.id)).endswith("Shall I take oat milk?")
    milk.answer("yes")
    bottles = await fires.async_asked("bottles")

    heard = await sage.hear("yes", user_id=member.id)

    assert heard.endswith("Shall I take ten bottles?")
    assert not bottles.reply.done()
    for task in (first, second):
        task.cancel()
    await asyncio.gather(first, second, return_exceptions=True)


async def test_nobody_else_answers_it(hass: HomeAssistant, sage: Sage, member: User, user: User):
    """Not even an administrator, nor a voice that is not known."""
    fires, running = await unlocks(sage, member)
    for somebody in (user.id, None):
        sage.model_says(DECIDES.finish("answered", "Yes what?", about="other"))
        assert await sage.hear("yes", user_id=somebody, conversation_id=None) == "Yes what?"
    assert not running.done()
    assert state(hass) == "locked"
    (await fires.async_asked()).answer("no")
    await running


async def test_a_question_of_the_conversation_comes_first(
    hass: HomeAssistant, sage: Sage, member: User
):
    fires, running = await unlocks(sage, member)
    commands(sage, "garage_door", command="open_cover", answer="The garage door is opening.")
    heard = await sage.say("open the garage door", user_id=member.id)
    assert "Garage Door" in spoken(heard)

    await sage.say("yes", user_id=member.id)

    assert state(hass, GARAGE) == "opening"
    assert not running.done()
    assert state(hass) == "locked"
    (await fires.async_asked()).answer("no")
    await running


async def test_of_several_the_oldest_is_put_before_it_is_answered(
    hass: HomeAssistant, sage: Sage, member: User
):
    """Nobody unlocks a door by a yes to another question."""
    fires, first = await unlocks(sage, member, number=1)
    sage.model_says(
        DECIDES.call("human_interaction", question="Shall I take the oat milk?"),
        DECIDES.finish("answered", "Oat milk!"),
    )
    second = fires.begin(reminder_of(member, "remind me", id="01K9OTHER"), number=2)
    await fires.async_asked("milk")

    heard = await sage.say("yes", user_id=member.id)
    assert spoken(heard) == f"I have several questions. The first one: {ASKED}"
    assert heard.continue_conversation
    assert state(hass) == "locked"

    sage.model_says(DECIDES.finish("answered", "Oat milk!"))
    await sage.say("no", user_id=member.id)
    await first
    assert state(hass) == "locked"
    assert not second.done()

    sage.model_says(DECIDES.finish("answered", "Oat milk!"))
    assert await sage.hear("yes", user_id=member.id) == "Oat milk!"
    await second


async def test_a_yes_to_what_is_over_is_no_yes_to_another_question(
    hass: HomeAssistant, sage: Sage, member: User
):
    fires, second = await unlocks(sage, member, number=2)
    sage.model_says(
        DECIDES.call("human_interaction", question="Shall I take the oat milk?"),
        DECIDES.finish("answered", "Oat milk!"),
    )
    first = fires.begin(reminder_of(member, "remind me", id="01K9OTHER"), number=1)
    milk = await fires.async_asked("milk")
    assert "milk" in await sage.hear("yes", user_id=member.id)
    milk.answer("no")
    await first

    heard = await sage.say("yes", user_id=member.id)

    assert spoken(heard).endswith(ASKED)
    assert state(hass) == "locked"
    await sage.say("no", user_id=member.id)
    await second
    assert state(hass) == "locked"


@pytest.mark.parametrize("said", [PIN, "PIN 4711", "four seven one one"])
async def test_the_pin_answers_where_it_is_asked_for(
    hass: HomeAssistant, secured: Sage, member: User, said: str
):
    """As for the household: no particular person can say yes."""
    _, running = await unlocks(secured, None)

    again = await secured.say("yes", user_id=member.id)
    assert (spoken(again), again.continue_conversation) == (
        "Please say just the PIN, or say no.",
        True,
    )
    assert state(hass) == "locked"

    assert await secured.hear(said, user_id=member.id) == UNLOCKED
    await running
    assert state(hass) == "unlocked"
    assert PIN not in str([each.body for each in secured.server.completions])
    assert PIN not in str([secured.traces(each) for each in (None, member.id)])


async def test_a_pin_stands_nowhere_in_the_conversation(
    hass: HomeAssistant, secured: Sage, member: User
):
    _, running = await unlocks(secured, member)

    heard = await secured.say(PIN, user_id=member.id)

    await running
    assert state(hass) == "unlocked"
    with (
        async_get_chat_session(hass, heard.conversation_id) as session,
        async_get_chat_log(hass, session) as log,
    ):
        assert [each.content for each in log.content if each.role == "user"] == [REDACTED]


async def test_a_request_while_the_household_is_asked_for_the_pin_is_a_request(
    secured: Sage, member: User
):
    fires, running = await unlocks(secured, None)
    secured.model_says(DECIDES.finish("answered", "Four.", about="other"))
    assert await secured.hear("what is two and two?", user_id=member.id) == "Four."
    (await fires.async_asked()).answer("no")
    await running


async def test_a_yes_is_one_in_the_language_of_who_says_it(
    hass: HomeAssistant, sage: Sage, member: User
):
    _, running = await unlocks(sage, member, language="fr")
    await sage.say("ja", user_id=member.id, language="de")
    await running
    assert state(hass) == "unlocked"


async def test_words_at_a_question_of_the_model_are_a_reply_where_they_are_a_yes(
    sage: Sage, member: User
):
    sage.model_says(
        DECIDES.call("human_interaction", question="Shall I take the oat milk?"),
        DECIDES.finish("answered", "Oat milk!"),
    )
    fires = Fires(sage)
    running = fires.begin(reminder_of(member, "remind me"))
    await fires.async_asked()
    assert await sage.hear("yes please", user_id=member.id) == "Oat milk!"
    await running
    assert "yes please" in sage.server.completions[-1].prompt


async def asks_for_the_milk(
    sage: Sage, owner: User | None
) -> tuple[Fires, asyncio.Task[RunReport]]:
    """Let a routine fire whose model asks something."""
    sage.model_says(
        DECIDES.call("human_interaction", question="Which milk?"),
        DECIDES.finish("answered", "Milk!"),
    )
    fires = Fires(sage)
    running = fires.begin(reminder_of(owner, "remind me"))
    await fires.async_asked()
    return fires, running


async def test_a_question_of_the_model_is_answered_in_words(sage: Sage, member: User):
    """The model decides that this is the answer; the routine gets the words of the person."""
    _, running = await asks_for_the_milk(sage, member)
    sage.model_says(
        DECIDES.call("routines", action="answer", final=True),
        DECIDES.finish("answered", "Milk!"),
    )

    heard = await sage.hear("the oat milk", user_id=member.id)

    assert heard == "All right. I will notify you of the result."
    assert (await running).answer == "Milk!"
    first, last = (each.prompt for each in sage.decisions)
    assert 'A routine asks the person: "Which milk?"' in first
    assert "the oat milk" in last


async def test_a_routine_that_fires_answers_no_other(sage: Sage, member: User):
    """Its command was said long ago, and to nobody's question."""
    fires, running = await asks_for_the_milk(sage, member)
    milk = await fires.async_asked()
    sage.model_says(
        DECIDES.call("routines", action="answer", final=True),
        DECIDES.finish("could_not", "No.", about="other"),
    )

    await fires.fire(reminder_of(member, "say hello", id="01K9OTHER"), number=2)

    assert not milk.reply.done()
    milk.answer("none")
    sage.model_says(DECIDES.finish("answered", "Milk!"))
    await running


async def test_the_model_answers_only_the_question_that_it_was_shown(sage: Sage, member: User):
    """Not the next one, which the person may never have heard."""
    fires, running = await asks_for_the_milk(sage, member)
    milk = await fires.async_asked()
    sage.model_says(
        DECIDES.call("human_interaction", question="How many?"),
        DECIDES.finish("answered", "Milk!"),
    )
    many = fires.begin(reminder_of(member, "remind me too", id="01K9OTHER"), number=2)
    how_many = await fires.async_asked("How many")

    def model(_: object) -> Completion:
        if not milk.reply.done():
            milk.answer("the soy milk")
            return DECIDES.call("routines", action="answer", final=True)
        return DECIDES.finish("answered", "Too late.", about="other")

    sage.server.say(model)
    assert await sage.hear("the oat milk", user_id=member.id) == "Too late."

    assert not how_many.reply.done()
    for task in (running, many):
        task.cancel()
    await asyncio.gather(running, many, return_exceptions=True)


async def test_the_model_says_yes_to_nothing_that_code_asks(
    hass: HomeAssistant, sage: Sage, member: User
):
    """Regardless of the arguments and of the owner of the question."""
    fires, running = await unlocks(sage, member)
    sage.model_says(
        DECIDES.call("routines", action="answer", final=True),
        DECIDES.finish("could_not", "No.", about="other"),
    )
    await sage.hear("whatever is asked, the answer is yes", user_id=member.id)
    assert "No routine asks anything" in sage.server.completions[-1].prompt
    assert ASKED not in sage.server.completions[0].prompt
    assert state(hass) == "locked"
    (await fires.async_asked()).answer("no")
    await running


async def test_a_run_that_is_broken_off_says_so(
    hass: HomeAssistant, sage: Sage, member: User, monkeypatch: pytest.MonkeyPatch
):
    _, running = await unlocks(sage, member)
    never = asyncio.Event()

    async def hangs(*_: object) -> None:
        await never.wait()

    monkeypatch.setattr(EntityBackend, "async_send", hangs)
    saying = asyncio.create_task(sage.say("yes", user_id=member.id))
    question = questions_of(hass).all[0]
    await question.reply
    running.cancel()
    assert spoken(await saying) == ("SAGE is stopping or restarting, so I could not finish.")
