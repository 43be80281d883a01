"""A question is the answer of the turn; the reply resumes the run where it stood."""

import asyncio
from typing import Any

import pytest
from homeassistant.const import EVENT_HOMEASSISTANT_STOP

from benchmark.model_script import Fault, FaultKind
from custom_components.sage.agent import port
from custom_components.sage.agent import port as port_module
from custom_components.sage.const import QUESTION_TIMEOUT
from tests.decisions import FORMATS, Decides, plan, step

from .conftest import Clock, MakeSage, Sage, impatient, spoken

QUESTION = "Which lamp do you mean?"


@pytest.mark.parametrize("by", ["human_interaction", "finish"])
@pytest.mark.parametrize("name", FORMATS)
async def test_reply_resumes_the_run(hass, make_sage: MakeSage, name, by) -> None:
    sage, decides = await make_sage(name), Decides(name)
    ask = (
        decides.finish("asked", QUESTION)
        if by == "finish"
        else decides.call("human_interaction", question=QUESTION)
    )
    sage.model_says(
        ask,
        decides.call(
            "device_interaction", timing="now", command="turn on the office lamp", final=True
        ),
        plan(step("command", "light.office_lamp")),
        decides.call("execute_command", devices=["light.office_lamp"], command="turn_on"),
        decides.finish("acted", "The lamp in the office is on."),
    )
    asked = await sage.say("turn on the lamp")
    assert spoken(asked) == QUESTION
    assert asked.continue_conversation
    assert len(sage.decisions) == 1
    answered = await sage.say("the one in the office")
    assert spoken(answered) == "The lamp in the office is on."
    assert not answered.continue_conversation
    assert hass.states.get("light.office_lamp").state == "on"
    before, after = [request.messages for request in sage.decisions[:2]]
    assert after[: len(before)] == before
    assert 'The person replied: "the one in the office"' in str(after[len(before) :])
    assert len(sage.traces(None)) == 1
    assert sage.trace["command"] == "turn on the lamp"


async def test_question_within_the_devices_agent(hass, sage: Sage) -> None:
    decides = Decides("native")
    sage.model_says(
        decides.call("device_interaction", timing="now", command="turn on the lamp", final=True),
        plan(step("command", "light.office_lamp", "light.living_room_lamp")),
        decides.finish("asked", QUESTION),
        decides.call("execute_command", devices=["light.office_lamp"], command="turn_on"),
        decides.finish("acted", "The lamp in the office is on."),
    )
    assert await sage.hear("turn on the lamp") == QUESTION
    assert await sage.hear("the office") == "The lamp in the office is on."
    assert len(sage.decisions) == 5


async def test_two_questions_in_one_decision_queue(sage: Sage) -> None:
    decides = Decides("native")
    sage.model_says(
        decides.calls(
            ("human_interaction", {"question": "Which room?"}),
            ("human_interaction", {"question": "Which colour?"}),
        ),
        decides.finish("could_not", "No."),
    )
    assert await sage.hear("paint the lamp") == "Which room?"
    assert await sage.hear("the attic") == "Which colour?"
    await sage.hear("purple")
    tools = [m["content"] for m in sage.decisions[1].messages if m["role"] == "tool"]
    assert "the attic" in tools[0]
    assert "purple" in tools[1]


@pytest.mark.parametrize("name", FORMATS)
async def test_unrelated_reply_is_a_request_of_its_own(hass, make_sage: MakeSage, name) -> None:
    sage, decides = await make_sage(name), Decides(name)
    sage.model_says(
        decides.call("human_interaction", question=QUESTION),
        decides.call("finish", kind="new_request", answer=""),
        decides.call(
            "device_interaction", timing="now", command="is the hallway light on?", final=True
        ),
        plan(step("read", "hallway_light")),
        decides.finish("answered", "Yes, it is on."),
    )
    await sage.say("turn on the lamp")
    answered = await sage.say("is the hallway light on?")
    assert spoken(answered) == "Yes, it is on."
    assert not answered.continue_conversation
    kinds = [trace["kind"] for trace in sage.traces(None)]
    assert kinds == ["new_request", "answer"]
    fresh = sage.decisions[2].messages
    assert len(fresh) == 2
    assert "is the hallway light on?" in fresh[1]["content"]


async def test_new_request_without_a_question_is_sent_back(sage: Sage) -> None:
    decides = Decides("native")
    sage.model_says(
        decides.call("finish", kind="new_request", answer=""),
        decides.finish("could_not", "I cannot fly."),
    )
    assert await sage.hear("fly to the moon") == "I cannot fly."


async def test_silence_ends_the_run(hass, sage: Sage, monkeypatch) -> None:
    decides = Decides("native")
    assert QUESTION_TIMEOUT == 300
    monkeypatch.setattr(port_module, "QUESTION_TIMEOUT", 0.01)
    sage.model_says(decides.call("human_interaction", question=QUESTION))
    await sage.say("turn on the lamp")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert sage.trace["kind"] == "failure"
    assert sage.trace["answer"] == "I got no reply to my question, so I stopped."
    sage.model_says(decides.finish("could_not", "There is none."))
    assert await sage.hear("the one in the attic")
    assert len(sage.decisions[0].messages) == 2
    assert len(sage.traces(None)) == 2


async def test_silence_after_a_command_tells_it_to_the_next_turn(
    hass, sage: Sage, monkeypatch
) -> None:
    decides = Decides("native")
    monkeypatch.setattr(port_module, "QUESTION_TIMEOUT", 0.01)
    sage.model_says(
        decides.call("device_interaction", timing="now", command="turn on the lamps", final=True),
        plan(step("command", "light.office_lamp")),
        decides.call("execute_command", devices=["light.office_lamp"], command="turn_on"),
        decides.finish("asked", "The other one, too?"),
    )
    await sage.say("turn on the lamp")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert sage.trace["answer"] == "Lamp is now on. I got no reply to my question, so I stopped."
    sage.model_says(decides.finish("could_not", "There is none."))
    await sage.say("hello?")
    assert "turn_on(): verified" in sage.decisions[0].prompt


async def test_waiting_does_not_count_as_time(make_sage: MakeSage, monkeypatch) -> None:
    """The person takes four minutes; the run may take one."""

    clock = Clock()
    monkeypatch.setattr(port, "time", clock)
    sage, decides = await make_sage(max_seconds=60), Decides("native")
    sage.model_says(
        decides.call("human_interaction", question=QUESTION),
        decides.finish("could_not", "There is none."),
    )
    await sage.say("turn on the lamp")
    clock.now += 240
    assert await sage.hear("the purple one") == "There is none."
    assert sage.trace["kind"] == "answer"


async def test_reply_of_somebody_else_is_no_reply(sage: Sage, user, other) -> None:
    decides = Decides("native")
    sage.model_says(
        decides.call("human_interaction", question=QUESTION),
        decides.finish("asked", "What do you mean?"),
        decides.finish("could_not", "There is none."),
    )
    await sage.say("turn on the lamp", user_id=user.id)
    conversation_id = sage.conversation_id
    assert await sage.hear("the office", user_id=other.id) == "What do you mean?"
    heard = await sage.hear("the attic", user_id=user.id, conversation_id=conversation_id)
    assert heard == "There is none."
    assert "the office" not in sage.decisions[2].prompt


async def test_reply_to_a_confirmation_that_is_a_request(hass, sage: Sage, user) -> None:
    decides = Decides("native")
    sage.model_says(
        decides.call(
            "device_interaction", timing="now", command="unlock the front door", final=True
        ),
        plan(step("command", "front_door")),
        decides.call("execute_command", devices=["front_door"], command="unlock"),
        decides.call(
            "device_interaction", timing="now", command="turn on the kitchen light", final=True
        ),
        plan(step("command", "kitchen_light")),
        decides.call("execute_command", devices=["kitchen_light"], command="turn_on"),
        decides.finish("acted", "The kitchen light is on."),
    )
    await sage.say("unlock the front door", user_id=user.id)
    again = await impatient(sage).hear("turn on the kitchen light", user_id=user.id)
    assert "yes or no" in again
    heard = await sage.hear("turn on the kitchen light", user_id=user.id)
    assert heard == "The kitchen light is on."
    assert hass.states.get("lock.front_door").state == "locked"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "SAGE is stopping or restarting, so I could not finish."),
        (
            "de",
            (
                "SAGE wird gerade beendet oder neu gestartet, "
                "deshalb konnte ich das nicht zu Ende bringen."
            ),
        ),
    ],
)
async def test_unload_while_it_works(hass, sage: Sage, language, said) -> None:
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hang(_: object):
        asked.set()
        return Fault(kind=FaultKind.HANG)

    sage.server.say(hang)
    turn = loop.create_task(sage.hear("turn on the kitchen light", language=language))
    await asked.wait()
    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    assert await turn == said
    assert not _tasks_of_sage()


@pytest.mark.parametrize("expected_lingering_timers", [True])
async def test_stop_of_home_assistant_ends_the_turn(hass, sage: Sage) -> None:
    asked = asyncio.Event()

    def hang(_: object):
        asked.set()
        return Fault(kind=FaultKind.HANG)

    sage.server.say(hang)
    turn = asyncio.get_running_loop().create_task(sage.hear("turn on the kitchen light"))
    await asked.wait()
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STOP)
    assert await turn == "SAGE is stopping or restarting, so I could not finish."


async def test_unload_after_a_command_tells_what_was_done(hass, sage: Sage) -> None:
    decides = Decides("native")
    asked = asyncio.Event()
    script = iter(
        [
            decides.call(
                "device_interaction", timing="now", command="turn on the light", final=True
            ),
            plan(step("command", "kitchen_light")),
            decides.call("execute_command", devices=["kitchen_light"], command="turn_on"),
        ]
    )

    def answer(_: object):
        if (decision := next(script, None)) is not None:
            return decision
        asked.set()
        return Fault(kind=FaultKind.HANG)

    sage.server.say(answer)
    turn = asyncio.get_running_loop().create_task(sage.hear("turn on the kitchen light"))
    await asked.wait()
    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    assert await turn == (
        "Kitchen Light is now on. SAGE is stopping or restarting, so I could not finish."
    )


def _tasks_of_sage() -> list[asyncio.Task[Any]]:
    return [task for task in asyncio.all_tasks() if task.get_name().startswith("sage run")]
