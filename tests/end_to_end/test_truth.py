"""Whatever the model says, a person hears only what the record of the home shows."""

from itertools import product

import pytest

from benchmark.model_script import verification
from tests.decisions import FORMATS, Decides, claim, in_turn, plan, step

from .conftest import MakeSage, Sage, commanded, impatient, spoken

NOT_SEEN = {
    "en": ("I sent the command to Kitchen Light, but saw no effect. Its state is: off."),
    "de": (
        "Ich habe den Befehl an Kitchen Light geschickt, konnte aber keine Wirkung sehen. Der "
        "Zustand ist: aus."
    ),
}
NOTHING = {"en": "I have not changed anything.", "de": "Ich habe nichts geändert."}
NOTHING_LOOKED_UP = {
    "en": "I have not changed or looked up anything.",
    "de": "Ich habe nichts geändert und nichts nachgesehen.",
}
REQUEST = {"en": "turn on the kitchen light", "de": "schalte das Küchenlicht ein"}
IS_ON = claim("kitchen_light", "on")
CLAIMING = [
    (name, *said)
    for name, said in in_turn(product(("acted", "answered", "could_not"), ("en", "de")))
]
"""Decision formats, kinds of the answer and languages."""
CLAIM = {"en": "The kitchen light is on.", "de": "Das Küchenlicht ist an."}


@pytest.fixture
def stubborn(hass, thing) -> None:
    """The kitchen light takes commands and does nothing."""

    async def nothing(**_: object) -> None:
        return

    thing("light.kitchen_light").async_turn_on = nothing


def turn_on(decides: Decides):
    return decides.call("execute_command", devices=["kitchen_light"], command="turn_on")


@pytest.mark.parametrize(("name", "kind", "language"), CLAIMING)
async def test_command_without_effect_is_never_told_as_done(
    hass, make_sage: MakeSage, stubborn, name, kind, language
) -> None:
    sage, decides = impatient(await make_sage(name)), Decides(name)
    claims = [decides.finish(kind, CLAIM[language], IS_ON)] * 2
    heard = await commanded(
        sage, REQUEST[language], decides, turn_on(decides), *claims, language=language
    )
    assert heard == NOT_SEEN[language]
    assert hass.states.get("light.kitchen_light").state == "off"
    assert [each["kind"] for each in sage.trace["outcomes"]] == ["not_confirmed"]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_claim_in_the_decision_of_the_command_itself(sage: Sage, stubborn, language) -> None:
    decides = Decides("native")
    act = (
        "execute_command",
        {"devices": ["kitchen_light"], "command": "turn_on"},
    )
    said = {"kind": "acted", "about": ["home"], "claims": [IS_ON], "answer": CLAIM[language]}
    heard = await commanded(
        impatient(sage),
        REQUEST[language],
        decides,
        decides.calls(act, ("finish", said)),
        decides.calls(act, ("finish", said)),
        language=language,
    )
    assert heard == NOT_SEEN[language]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_claim_dressed_up_as_a_question(sage: Sage, stubborn, language) -> None:
    decides = Decides("native")
    question = {
        "en": "The kitchen light is on. Anything else?",
        "de": "Das Licht ist an. Noch etwas?",
    }
    heard = await commanded(
        impatient(sage),
        REQUEST[language],
        decides,
        turn_on(decides),
        *[decides.finish("asked", question[language], IS_ON)] * 2,
        language=language,
    )
    assert heard == NOT_SEEN[language]


@pytest.mark.parametrize("tool", ["finish", "human_interaction"])
async def test_question_claims_what_no_command_did(sage: Sage, tool) -> None:
    decides = Decides("native")
    question = "I turned on the kitchen light. Anything else?"
    arguments = (
        {"kind": "asked", "about": ["home"], "answer": question}
        if tool == "finish"
        else {"question": question}
    )
    sage.model_says(*[decides.call(tool, claims=[IS_ON], **arguments)] * 2)
    assert (await sage.hear("turn on the kitchen light")).startswith(NOTHING["en"])


async def test_model_mends_its_claim(hass, sage: Sage, thing) -> None:
    """Sent back once, it tries again; the second command works."""
    decides = Decides("native")
    light = thing("light.kitchen_light")
    real = light.async_turn_on

    async def once(**_: object) -> None:
        light.async_turn_on = real

    light.async_turn_on = once
    heard = await commanded(
        impatient(sage),
        REQUEST["en"],
        decides,
        turn_on(decides),
        decides.finish("acted", "Done.", IS_ON),
        turn_on(decides),
        decides.finish("acted", "The kitchen light is on now."),
    )
    assert heard == "The kitchen light is on now."
    assert hass.states.get("light.kitchen_light").state == "on"
    sent_back = sage.server.completions[4].prompt
    assert "more or other than the record shows" in sent_back
    assert "NOT CONFIRMED" in sent_back


@pytest.mark.parametrize(("name", "kind", "language"), CLAIMING)
async def test_claim_with_no_command_at_all(
    hass, make_sage: MakeSage, name, kind, language
) -> None:
    sage, decides = await make_sage(name), Decides(name)
    sage.model_says(*[decides.finish(kind, CLAIM[language], IS_ON)] * 2)
    heard = await sage.hear(REQUEST[language], language=language)
    assert heard.startswith(NOTHING[language])
    assert hass.states.get("light.kitchen_light").state == "off"
    assert sage.model_calls == 2


@pytest.mark.parametrize("name", FORMATS)
async def test_claim_with_no_command_is_mended(hass, make_sage: MakeSage, name) -> None:
    sage, decides = await make_sage(name), Decides(name)
    sage.model_says(
        decides.finish("acted", CLAIM["en"], IS_ON),
        decides.call("device_interaction", timing="now", command=REQUEST["en"], final=True),
        plan(step("command", "kitchen_light")),
        turn_on(decides),
        decides.finish("acted", CLAIM["en"], IS_ON),
    )
    assert await sage.hear(REQUEST["en"]) == CLAIM["en"]
    assert hass.states.get("light.kitchen_light").state == "on"
    assert "no command was executed" in sage.server.completions[1].prompt


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", ["acted", "answered"])
async def test_plan_to_command_and_no_command(hass, sage: Sage, kind, language) -> None:
    decides = Decides("native")
    heard = await commanded(
        sage,
        REQUEST[language],
        decides,
        *[decides.finish(kind, CLAIM[language], IS_ON)] * 2,
        language=language,
    )
    assert heard.startswith(NOTHING[language])
    assert hass.states.get("light.kitchen_light").state == "off"


async def test_could_not_after_a_plan_to_command(sage: Sage) -> None:
    decides = Decides("native")
    heard = await commanded(
        sage, REQUEST["en"], decides, decides.finish("could_not", "It has no such colour.")
    )
    assert heard == "It has no such colour."


async def test_claim_after_a_claim_was_sent_back_in_another_agent(sage: Sage) -> None:
    """Once is once in a run: the agent-tool's claim counts for SAGE's, too."""
    decides = Decides("native")
    sage.model_says(
        decides.finish("acted", CLAIM["en"], IS_ON),
        decides.call("device_interaction", timing="now", command=REQUEST["en"], final=False),
        plan(step("command", "kitchen_light")),
        decides.finish("acted", CLAIM["en"], IS_ON),
        decides.finish("acted", CLAIM["en"], IS_ON),
    )
    assert (await sage.hear(REQUEST["en"])).startswith(NOTHING["en"])
    assert sage.model_calls == 5


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("kind", "result"),
    [
        ("acted", "not_confirmed"),
        ("answered", "failed"),
        ("could_not", "not_confirmed"),
        ("could_not", "refused"),
    ],
)
async def test_true_claim_of_a_failure_does_not_carry_other_words(
    make_sage: MakeSage, stubborn, name, kind, result
) -> None:
    sage, decides = impatient(await make_sage(name)), Decides(name)
    failed = claim("kitchen_light", "", result)
    heard = await commanded(
        sage, REQUEST["en"], decides, turn_on(decides), decides.finish(kind, CLAIM["en"], failed)
    )
    assert heard == NOT_SEEN["en"]
    assert sage.model_calls == 4


@pytest.mark.parametrize(
    ("kind", "about"),
    [("could_not", "home"), ("asked", "home"), ("asked", "other"), ("could_not", "later")],
)
async def test_refused_claim_does_not_return_under_another_label(
    sage: Sage, kind: str, about: str
) -> None:
    decides, lie = Decides("native"), "I locked the front door."
    sage.model_says(
        decides.finish("acted", lie, claim("front_door", "locked")),
        decides.finish(kind, lie, about=about),
    )
    assert "locked" not in await sage.hear("lock the front door")


async def test_failure_is_told_before_the_question_of_the_model(sage: Sage, stubborn) -> None:
    decides, question = Decides("native"), "Shall I try the hallway light?"
    heard = await commanded(
        impatient(sage),
        REQUEST["en"],
        decides,
        turn_on(decides),
        decides.finish("asked", question, claim("kitchen_light", "", "not_confirmed")),
    )
    assert heard == f"{NOT_SEEN['en']} {question}"


async def test_state_that_changed_during_a_question_is_read_again(hass, sage: Sage, thing) -> None:
    decides = Decides("native")
    is_off = claim("kitchen_light", "off", "read")
    sage.model_says(
        decides.call("device_interaction", timing="now", command="is it on?", final=False),
        plan(step("read", "kitchen_light")),
        decides.finish("answered", "Off.", is_off),
        decides.call("human_interaction", question="Which room?"),
        decides.finish("answered", "The kitchen light is off.", is_off),
        decides.finish("answered", "It is on now.", claim("kitchen_light", "on", "read")),
    )
    await sage.hear("is it on?")
    thing("light.kitchen_light").become(is_on=True)
    await hass.async_block_till_done()
    assert await sage.hear("kitchen") == "It is on now."


async def test_code_does_not_repeat_what_changed_during_a_question(hass, sage: Sage, thing) -> None:
    decides, done = Decides("native"), Decides("native").finish("acted", CLAIM["en"], IS_ON)
    sage.model_says(
        decides.call("device_interaction", timing="now", command=REQUEST["en"], final=False),
        plan(step("command", "kitchen_light")),
        turn_on(decides),
        done,
        decides.call("human_interaction", question="Shall I dim it, too?"),
        done,
        done,
    )
    await sage.hear(REQUEST["en"])
    thing("light.kitchen_light").become(is_on=False)
    await hass.async_block_till_done()
    assert await sage.hear("no") == "Kitchen Light: off."


@pytest.mark.parametrize(
    ("kind", "pool"),
    [("could_not", claim("pool", "", "failed")), ("answered", claim("pool", "none", "read"))],
)
async def test_claim_about_a_device_that_does_not_exist(sage: Sage, kind, pool) -> None:
    answer = "There is no pool in this home."
    sage.model_says(Decides("native").finish(kind, answer, pool))
    assert await sage.hear("warm up the pool") == answer
    lie = "The pool is warm now."
    again = (Decides("native").finish(kind, lie, pool), verification(lie))
    sage.model_says(*again, *again)
    assert "warm" not in await sage.hear("warm up the pool")


@pytest.mark.parametrize("text", ["The kitchen light is on.", "Done.", "Erledigt."])
@pytest.mark.parametrize("claims", [(), (claim("kitchen_light", "on", "read"),)])
async def test_answer_from_nothing_about_the_home_is_sent_back(sage: Sage, text, claims) -> None:
    decides = Decides("native")
    answered = decides.finish("answered", text, *claims, about="home")
    checked = () if claims else (verification(text),)
    sage.model_says(answered, *checked, answered, *checked)
    said = "Kitchen Light: off." if claims else NOTHING_LOOKED_UP["en"]
    assert await sage.hear("I would like some light in the kitchen") == said
    sent_back = sage.server.completions[1 + len(checked)].prompt
    assert "That is more or other than the record shows" in sent_back


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("is there a pool?", "There is no pool in this home."),
        ("gibt es einen Pool?", "In diesem Zuhause gibt es keinen Pool."),
        ("what can you do?", "I can control your lights."),
        ("what time is it?", "It is a quarter to five."),
    ],
)
async def test_devices_and_time_are_known_without_a_tool(sage: Sage, request_, answer) -> None:
    sage.model_says(Decides("native").finish("answered", answer, about="home"))
    assert await sage.hear(request_) == answer
    verified = sage.server.completions[1].prompt
    assert "kitchen_light" in verified
    assert "Time: " in verified


@pytest.mark.parametrize(
    ("language", "answer"),
    [("en", "There is no new mail in the home."), ("de", "Es gibt zu Hause keine neue Post.")],
)
@pytest.mark.parametrize("name", FORMATS)
async def test_answer_does_not_pass_because_it_only_leaves_out_the_home(
    make_sage: MakeSage, name, language, answer
) -> None:
    """It spoke of the home and nothing was read; the same words with another subject are checked.

    A second check finds them unproven; then code says that nothing was looked up.
    """
    sage, decides = await make_sage(name), Decides(name)
    sage.model_says(
        decides.finish("answered", answer, about="home"),
        verification(answer),
        decides.finish("answered", answer, about="other"),
        verification(answer),
    )
    assert await sage.hear("is there mail?", language=language) == NOTHING_LOOKED_UP[language]


async def test_claimed_act_does_not_pass_as_an_answer_about_something_else(sage: Sage) -> None:
    """Nothing was done; the same words with another kind and subject are checked."""
    decides, answer = Decides("native"), "The kitchen light is on now."
    sage.model_says(
        decides.finish("acted", answer, about="home"),
        decides.finish("answered", answer, about="other"),
        verification(answer),
    )
    assert await sage.hear("turn on the kitchen light") == NOTHING_LOOKED_UP["en"]


async def test_general_knowledge_passes_after_it_was_called_the_home(sage: Sage) -> None:
    decides, answer = Decides("native"), "Leonardo da Vinci painted it."
    sage.model_says(
        decides.finish("answered", answer, about="home"),
        verification(answer),
        decides.finish("answered", answer, about="other"),
        verification(),
    )
    assert await sage.hear("who painted the Mona Lisa?") == answer
    assert sage.model_calls == 4


@pytest.mark.parametrize("empty", ["", "none", "None."])
async def test_empty_statement_of_a_verification_is_none(sage: Sage, empty: str) -> None:
    answer = "I can control your lights."
    sage.model_says(Decides("native").finish("answered", answer, about="home"), verification(empty))
    assert await sage.hear("what can you do?") == answer


async def test_small_talk_is_left_alone(sage: Sage) -> None:
    decides = Decides("native")
    answer = "Why did the chicken cross the road? To get to the other side!"
    sage.model_says(decides.finish("answered", answer))
    assert await sage.hear("tell me a joke") == answer
    assert sage.model_calls == 1


async def test_question_before_anything_is_left_alone(sage: Sage) -> None:
    sage.model_says(Decides("native").finish("asked", "Which lamp do you mean?"))
    assert await sage.hear("turn on the lamp") == "Which lamp do you mean?"


@pytest.mark.parametrize("name", FORMATS)
async def test_words_of_the_model_stand_when_the_command_is_verified(
    make_sage: MakeSage, name
) -> None:
    sage, decides = await make_sage(name), Decides(name)
    words = "Let there be light: it shines in the kitchen."
    heard = await commanded(
        sage, REQUEST["en"], decides, turn_on(decides), decides.finish("acted", words)
    )
    assert heard == words


async def test_one_of_two_commands_fails(hass, sage: Sage, stubborn) -> None:
    decides = Decides("native")
    heard = await commanded(
        impatient(sage),
        "turn on the kitchen light and the office lamp",
        decides,
        decides.call(
            "execute_command",
            devices=["kitchen_light", "light.office_lamp"],
            command="turn_on",
        ),
        *[decides.finish("acted", "Both are on.", IS_ON, claim("light.office_lamp", "on"))] * 2,
    )
    assert heard == f"{NOT_SEEN['en']} Lamp is now on."
    assert hass.states.get("light.office_lamp").state == "on"


async def test_question_about_states_keeps_the_words_of_the_model(sage: Sage) -> None:
    decides = Decides("native")
    sage.model_says(
        decides.call(
            "device_interaction", timing="now", command="is the hallway light on?", final=True
        ),
        plan(step("read", "hallway_light")),
        decides.finish("answered", "Yes, the hallway light is on."),
    )
    assert spoken(await sage.say("is the hallway light on?")) == "Yes, the hallway light is on."
    assert sage.trace["reads"] == 1


async def test_claim_after_a_plan_that_only_reads(hass, sage) -> None:
    """The request begins as an order; reading is no ground for saying that it was done."""
    decides = Decides("native")
    sage.model_says(
        decides.call("device_interaction", timing="now", command=REQUEST["en"], final=True),
        plan(step("read", "kitchen_light")),
        decides.finish("answered", CLAIM["en"], IS_ON),
        decides.finish("answered", CLAIM["en"], IS_ON),
    )
    assert await sage.hear(REQUEST["en"]) == f"{NOTHING['en']} Kitchen Light: off."
    assert hass.states.get("light.kitchen_light").state == "off"
