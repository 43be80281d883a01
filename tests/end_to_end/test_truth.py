"""Whatever the model says, a person hears only what the record of the home shows."""

from itertools import product

import pytest

from benchmark.model_script import verification
from tests.decisions import FORMATS, NATIVE, Decides, claim, in_turn, step

from .conftest import MakeSage, Sage, commanded, impatient

NOT_SEEN = {
    "en": ("I sent the command to Kitchen Light, but saw no effect. Its state is: off."),
    "de": (
        "Ich habe den Befehl an Kitchen Light geschickt, konnte aber keine Wirkung sehen. Der "
        "Zustand ist: aus."
    ),
}
NOTHING = {"en": "I have not changed anything.", "de": "Ich habe nichts geändert."}
NOTHING_LOOKED_UP = {"en": "I could not find that out.", "de": "Das konnte ich nicht herausfinden."}
REQUEST = {"en": "turn on the kitchen light", "de": "schalte das Küchenlicht ein"}
IS_ON = claim("kitchen_light", "on")
CLAIMING = [
    (name, *said)
    for name, said in in_turn(product(("acted", "answered", "could_not"), ("en", "de")))
]
"""Decision formats, kinds of the answer and languages."""
CLAIM = {"en": "The kitchen light is on.", "de": "Das Küchenlicht ist an."}


@pytest.fixture
def stubborn(thing) -> None:
    """The kitchen light takes commands and does nothing."""

    async def nothing(**_: object) -> None:
        return

    thing("light.kitchen_light").async_turn_on = nothing


def turn_on(decides: Decides):
    return decides.execute("kitchen_light", command="turn_on")


@pytest.mark.parametrize(("name", "kind", "language"), CLAIMING)
async def test_command_without_effect_is_never_told_as_done(
    hass, make_sage: MakeSage, stubborn, name, kind, language
) -> None:
    sage, decides = impatient(await make_sage(name)), Decides(name)
    claims = [decides.finish(kind, CLAIM[language], IS_ON)] * 2
    heard = await commanded(sage, REQUEST[language], turn_on(decides), *claims, language=language)
    assert heard == NOT_SEEN[language]
    assert hass.states.get("light.kitchen_light").state == "off"
    assert [each["kind"] for each in sage.trace["outcomes"]] == ["not_confirmed"]


async def test_model_mends_its_claim(hass, sage: Sage, thing) -> None:
    """Sent back once, it tries again; the second command works."""
    light = thing("light.kitchen_light")
    real = light.async_turn_on

    async def once(**_: object) -> None:
        light.async_turn_on = real

    light.async_turn_on = once
    heard = await commanded(
        impatient(sage),
        REQUEST["en"],
        turn_on(NATIVE),
        NATIVE.finish("acted", "Done.", IS_ON),
        turn_on(NATIVE),
        NATIVE.finish("acted", "The kitchen light is on now."),
    )
    assert heard == "The kitchen light is on now."
    assert hass.states.get("light.kitchen_light").state == "on"
    sent_back = sage.server.completions[4].prompt
    assert "more or other than the record shows" in sent_back
    assert "NOT CONFIRMED" in sent_back


@pytest.mark.parametrize(("decision_format", "kind", "language"), CLAIMING)
async def test_claim_with_no_command_at_all(sage: Sage, kind, language) -> None:
    sage.model_says(*[sage.decides.finish(kind, CLAIM[language], IS_ON)] * 2)
    heard = await sage.hear(REQUEST[language], language=language)
    assert heard.startswith(NOTHING[language])
    assert sage.state("light.kitchen_light") == "off"
    assert sage.model_calls == 2


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_claim_with_no_command_is_mended(hass, sage: Sage) -> None:
    sage.model_says(
        sage.decides.finish("acted", CLAIM["en"], IS_ON),
        *sage.decides.planned(REQUEST["en"], step("command", "kitchen_light")),
        turn_on(sage.decides),
        sage.decides.finish("acted", CLAIM["en"], IS_ON),
    )
    assert await sage.hear(REQUEST["en"]) == CLAIM["en"]
    assert hass.states.get("light.kitchen_light").state == "on"
    assert "no command was executed" in sage.server.completions[1].prompt


async def test_claim_after_a_claim_was_sent_back_in_another_agent(sage: Sage) -> None:
    """Once is once in a run: the agent-tool's claim counts for SAGE's, too."""
    sage.model_says(
        NATIVE.finish("acted", CLAIM["en"], IS_ON),
        *NATIVE.planned(REQUEST["en"], step("command", "kitchen_light"), final=False),
        NATIVE.finish("acted", CLAIM["en"], IS_ON),
        NATIVE.finish("acted", CLAIM["en"], IS_ON),
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
        sage, REQUEST["en"], turn_on(decides), decides.finish(kind, CLAIM["en"], failed)
    )
    assert heard == NOT_SEEN["en"]
    assert sage.model_calls == 4


async def test_failure_is_told_before_the_question_of_the_model(sage: Sage, stubborn) -> None:
    decides, question = NATIVE, "Shall I try the hallway light?"
    heard = await commanded(
        impatient(sage),
        REQUEST["en"],
        turn_on(decides),
        decides.finish("asked", question, claim("kitchen_light", "", "not_confirmed")),
    )
    assert heard == f"{NOT_SEEN['en']} {question}"


async def test_code_does_not_repeat_what_changed_during_a_question(hass, sage: Sage, thing) -> None:
    decides, done = NATIVE, NATIVE.finish("acted", CLAIM["en"], IS_ON)
    sage.model_says(
        *decides.planned(REQUEST["en"], step("command", "kitchen_light"), final=False),
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
    sage.model_says(NATIVE.finish(kind, answer, pool))
    assert await sage.hear("warm up the pool") == answer
    lie = "The pool is warm now."
    again = (NATIVE.finish(kind, lie, pool), verification(lie))
    sage.model_says(*again, *again)
    assert "warm" not in await sage.hear("warm up the pool")


@pytest.mark.parametrize("text", ["The kitchen light is on.", "Done.", "Erledigt."])
@pytest.mark.parametrize("claims", [(), (claim("kitchen_light", "on", "read"),)])
async def test_answer_from_nothing_about_the_home_is_replaced(sage: Sage, text, claims) -> None:
    """It is sent back if neither its claims nor its words name a device."""
    answered = NATIVE.finish("answered", text, *claims, about="home")
    checked = () if claims else (verification(text),)
    sage.model_says(answered, *checked, answered, *checked)
    is_named = claims or "kitchen" in text
    said = "Kitchen Light: off." if is_named else NOTHING_LOOKED_UP["en"]
    assert await sage.hear("I would like some light in the kitchen") == said
    assert sage.model_calls == (1 + len(checked)) * (1 if is_named else 2)


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
    sage.model_says(NATIVE.finish("answered", answer, about="home"))
    assert await sage.hear(request_) == answer
    verified = sage.server.completions[1].prompt
    assert "kitchen_light" in verified
    assert "Time: " in verified


@pytest.mark.parametrize("empty", ["", "none", "None."])
async def test_empty_statement_of_a_verification_is_none(sage: Sage, empty: str) -> None:
    answer = "I can control your lights."
    sage.model_says(NATIVE.finish("answered", answer, about="home"), verification(empty))
    assert await sage.hear("what can you do?") == answer


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_words_of_the_model_stand_when_the_command_is_verified(sage: Sage) -> None:
    decides = sage.decides
    words = "Let there be light: it shines in the kitchen."
    heard = await commanded(sage, REQUEST["en"], turn_on(decides), decides.finish("acted", words))
    assert heard == words
