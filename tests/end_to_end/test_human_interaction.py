"""A question is the answer of the turn; the reply resumes the run where it stood."""

import asyncio
from typing import Any

import pytest
from homeassistant.const import EVENT_HOMEASSISTANT_STOP

from benchmark.model_script import Fault, FaultKind
from custom_components.sage.agent import port
from custom_components.sage.agent import port as port_module
from custom_components.sage.const import QUESTION_TIMEOUT
from tests.decisions import FORMATS, NATIVE, step

from .conftest import Clock, MakeSage, Sage, spoken

QUESTION = "Which lamp do you mean?"


@pytest.mark.parametrize("by", ["human_interaction", "finish"])
@pytest.mark.parametrize("decision_format", FORMATS)
async def test_reply_resumes_the_run(hass, sage: Sage, by) -> None:
    ask = (
        sage.decides.finish("asked", QUESTION)
        if by == "finish"
        else sage.decides.call("human_interaction", question=QUESTION)
    )
    sage.model_says(
        ask,
        *sage.decides.planned("turn on the office lamp", step("command", "light.office_lamp")),
        sage.decides.execute("light.office_lamp", command="turn_on"),
        sage.decides.finish("acted", "The lamp in the office is on."),
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


async def test_question_within_the_devices_agent(sage: Sage) -> None:
    sage.model_says(
        *NATIVE.planned(
            "turn on the lamp", step("command", "light.office_lamp", "light.living_room_lamp")
        ),
        NATIVE.finish("asked", QUESTION),
        NATIVE.execute("light.office_lamp", command="turn_on"),
        NATIVE.finish("acted", "The lamp in the office is on."),
    )
    assert await sage.hear("turn on the lamp") == QUESTION
    assert await sage.hear("the office") == "The lamp in the office is on."
    assert len(sage.decisions) == 5


async def test_two_questions_in_one_decision_queue(sage: Sage) -> None:
    sage.model_says(
        NATIVE.calls(
            ("human_interaction", {"question": "Which room?"}),
            ("human_interaction", {"question": "Which colour?"}),
        ),
        NATIVE.finish("could_not", "No."),
    )
    assert await sage.hear("paint the lamp") == "Which room?"
    assert await sage.hear("the attic") == "Which colour?"
    await sage.hear("purple")
    tools = [m["content"] for m in sage.decisions[1].messages if m["role"] == "tool"]
    assert "the attic" in tools[0]
    assert "purple" in tools[1]


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_unrelated_reply_is_a_request_of_its_own(sage: Sage) -> None:
    sage.model_says(
        sage.decides.call("human_interaction", question=QUESTION),
        sage.decides.call("finish", kind="new_request", answer=""),
        *sage.decides.planned("is the hallway light on?", step("read", "hallway_light")),
        sage.decides.finish("answered", "Yes, it is on."),
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
    sage.model_says(
        NATIVE.call("finish", kind="new_request", answer=""),
        NATIVE.finish("could_not", "I cannot fly."),
    )
    assert await sage.hear("fly to the moon") == "I cannot fly."


async def test_silence_ends_the_run(hass, sage: Sage, monkeypatch) -> None:
    assert QUESTION_TIMEOUT == 300
    monkeypatch.setattr(port_module, "QUESTION_TIMEOUT", 0.01)
    sage.model_says(NATIVE.call("human_interaction", question=QUESTION))
    await sage.say("turn on the lamp")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert sage.trace["kind"] == "failure"
    assert sage.trace["answer"] == "I got no reply to my question, so I stopped."
    sage.model_says(NATIVE.finish("could_not", "There is none."))
    assert await sage.hear("the one in the attic")
    assert len(sage.decisions[0].messages) == 2
    assert len(sage.traces(None)) == 2


async def test_silence_after_a_command_tells_it_to_the_next_turn(sage: Sage, monkeypatch) -> None:
    monkeypatch.setattr(port_module, "QUESTION_TIMEOUT", 0.01)
    sage.model_says(
        *NATIVE.planned("turn on the lamps", step("command", "light.office_lamp")),
        NATIVE.execute("light.office_lamp", command="turn_on"),
        NATIVE.finish("asked", "The other one, too?"),
    )
    await sage.say("turn on the lamp")
    await sage.hass.async_block_till_done(wait_background_tasks=True)
    assert sage.trace["answer"] == "Lamp is now on. I got no reply to my question, so I stopped."
    sage.model_says(NATIVE.finish("could_not", "There is none."))
    await sage.say("hello?")
    assert "turn_on(): verified" in sage.decisions[0].prompt


async def test_waiting_does_not_count_as_time(make_sage: MakeSage, monkeypatch) -> None:
    """The person takes four minutes; the run may take one."""

    clock = Clock()
    monkeypatch.setattr(port, "time", clock)
    sage, decides = await make_sage(max_seconds=60), NATIVE
    sage.model_says(
        decides.call("human_interaction", question=QUESTION),
        decides.finish("could_not", "There is none."),
    )
    await sage.say("turn on the lamp")
    clock.now += 240
    assert await sage.hear("the purple one") == "There is none."
    assert sage.trace["kind"] == "answer"


async def test_reply_of_somebody_else_is_no_reply(sage: Sage, user, other) -> None:
    sage.model_says(
        NATIVE.call("human_interaction", question=QUESTION),
        NATIVE.finish("asked", "What do you mean?"),
        NATIVE.finish("could_not", "There is none."),
    )
    await sage.say("turn on the lamp", user_id=user.id)
    conversation_id = sage.conversation_id
    assert await sage.hear("the office", user_id=other.id) == "What do you mean?"
    heard = await sage.hear("the attic", user_id=user.id, conversation_id=conversation_id)
    assert heard == "There is none."
    assert "the office" not in sage.decisions[2].prompt


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
    asked = asyncio.Event()
    script = iter(
        [
            *NATIVE.planned("turn on the light", step("command", "kitchen_light")),
            NATIVE.execute("kitchen_light", command="turn_on"),
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
