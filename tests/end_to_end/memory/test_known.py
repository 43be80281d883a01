"""What do you know about me? The code answers, whatever a model would have searched for."""

import json
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.util import dt as dt_util

from benchmark.model_script import Completion
from custom_components.sage.memory.memories import Origin
from tests.decisions import FORMATS, NATIVE, Decides
from tests.end_to_end.conftest import MakeSage, Sage
from tests.end_to_end.doors.decided import turn_on_the_kitchen_light
from tests.end_to_end.routine_tools.test_not_yet import OF_OTHERS, waits_for, wants
from tests.end_to_end.test_untrusted_text import ALONE, RECALLS

from .said import HOCKEY, MOTHER, NOTED, REMEMBER, TEA
from .story import asked_of_memory, give_profile, kept, plant

ASKED = {"en": "what do you know about me?", "de": "was weißt du über mich?"}
TOLD = {"en": "You told me: ", "de": "Du hast mir gesagt: "}


def asks_for_everything(decides: Decides = NATIVE) -> Any:
    """Return the decision that everything is meant, with search words that find nothing."""
    return decides.call("personalization", question="holiday plans for Norway", everything=True)


async def hear_everything(sage: Sage, user_id: str | None, language: str = "en") -> str:
    """Ask for everything that is known, in a new conversation."""
    sage.model_says(asks_for_everything())
    return await sage.hear(
        ASKED[language], user_id=user_id, language=language, conversation_id=None
    )


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("decision_format", FORMATS)
async def test_fact_told_a_moment_before_is_known(sage: Sage, language, user) -> None:
    decides = sage.decides
    await plant(sage, user.id, HOCKEY[language], origin=Origin.TOLD)
    sage.model_says(
        decides.call("memory", action="remember", text=MOTHER[language]),
        decides.finish("acted", NOTED[language]),
        asks_for_everything(decides),
    )
    more: dict[str, Any] = {"user_id": user.id, "language": language}
    await sage.hear(REMEMBER[language], **more)
    heard = await sage.hear(ASKED[language], **more)
    assert heard == f'{TOLD[language]}"{MOTHER[language]}"; "{HOCKEY[language]}".'
    assert sage.model_calls == 3, "the model only says that everything is meant"
    assert asked_of_memory(sage) == []


async def test_fact_told_by_the_way_is_known_until_the_profile_has_it(sage: Sage, user) -> None:
    sage.model_says(NATIVE.finish("answered", "How nice."))
    await sage.hear(TEA["en"], user_id=user.id)
    assert TEA["en"] in await hear_everything(sage, user.id)
    await give_profile(sage, user.id, "- Drinks tea in the morning (2026-11-20)")
    heard = await hear_everything(sage, user.id)
    assert TEA["en"] not in heard
    assert heard == "From what you said, I concluded: Drinks tea in the morning."


async def test_all_kinds_are_named_the_latest_first(sage: Sage, user) -> None:
    now = dt_util.utcnow()
    said = {"I like jazz": Origin.TOLD, "jazz bores me": Origin.CORRECTED}
    for age, (text, origin) in enumerate(said.items(), start=-2):
        await plant(sage, user.id, text, at=now + timedelta(days=age), origin=origin)
    await give_profile(
        sage, user.id, "- Gets up at six (2026-11-18, 2026-11-19)\n- Has a dog (2026-11-20)"
    )
    await plant(sage, user.id, "the Canadiens", question="Which team do you follow?")
    assert await hear_everything(sage, user.id) == (
        'You told me: "jazz bores me"; "I like jazz". '
        'You also said recently: "Which team do you follow? the Canadiens". '
        "From what you said, I concluded: Has a dog; Gets up at six."
    )


async def test_many_are_counted(sage: Sage, user) -> None:
    now = dt_util.utcnow()
    for number in range(20):
        at = now - timedelta(days=number)
        await plant(sage, user.id, f"fact {number}", at=at, origin=Origin.TOLD)
    await plant(sage, user.id, "long " * 500, origin=Origin.TOLD)
    heard = await hear_everything(sage, user.id)
    assert '"fact 0"; "fact 1"' in heard
    assert '"fact 11"' not in heard
    assert heard.endswith("More memories: 9. The action “List memories” shows all of them.")
    assert len(heard) < 1_000


async def test_household_hears_what_is_the_households(sage: Sage, user) -> None:
    await plant(sage, user.id, HOCKEY["en"], origin=Origin.TOLD)
    await plant(sage, None, TEA["en"], origin=Origin.TOLD)
    heard = await hear_everything(sage, None)
    assert TEA["en"] in heard
    assert HOCKEY["en"] not in heard


async def test_requests_are_left_out(hass, sage: Sage, user) -> None:
    sage.model_says(*turn_on_the_kitchen_light())
    await sage.hear("turn on the kitchen light", user_id=user.id)
    assert hass.states.get("light.kitchen_light").state == "on"
    await kept(sage, user.id)
    assert await hear_everything(sage, user.id) == "I know nothing about you yet."


async def test_what_was_done_is_told_with_it(sage: Sage, user) -> None:
    await plant(sage, user.id, TEA["en"], origin=Origin.TOLD)
    both = "I will remember that you like Tom. And you drink tea."
    sage.model_says(
        NATIVE.call("memory", action="remember", text="I like Tom"),
        asks_for_everything(),
        NATIVE.finish("acted", both, about="memory"),
    )
    asked = "remember that I like Tom. What do you know about me?"
    assert await sage.hear(asked, user_id=user.id) == both
    assert TEA["en"] in sage.server.completions[-1].prompt


async def test_untrusted_text_taints_the_run_that_names_it(sage: Sage, user) -> None:
    await plant(sage, user.id, "the mail is from Tom", origin=Origin.TOLD, tainted=True)
    assert "Tom" in await hear_everything(sage, user.id)
    sage.model_says(
        RECALLS,
        NATIVE.call("memory", action="remember", text="I like Tom"),
        ALONE,
        NATIVE.finish("could_not", "Then I do not keep it."),
    )
    heard = await sage.hear("remember that I like Tom", user_id=user.id)
    assert "Shall I store the memory? “I like Tom”" in heard


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("what do you know about me?", f'You told me: "{TEA["en"]}"; "{MOTHER["en"]}".'),
        ("where does my mother live?", f'You told me: "{MOTHER["en"]}".'),
    ],
)
@pytest.mark.parametrize("calls", [True, False])
async def test_a_small_model_has_to_do_little(
    make_sage: MakeSage, user, said, heard, calls
) -> None:
    """It calls the tool with an example of its prompt, or takes the question for small talk."""
    sage = await make_sage(
        "constrained", model="test-model", formats=["constrained"], confuses_later=True
    )
    await plant(sage, user.id, MOTHER["en"], origin=Origin.TOLD)
    await plant(sage, user.id, TEA["en"], origin=Origin.TOLD)
    decides, question = Decides("constrained"), "Which team or sport does the person follow?"
    about = Completion(text=json.dumps({"about": "speaker"}))
    called = [decides.call("personalization", question=question, kind="x")]
    sage.model_says(
        wants("tell"), waits_for("nothing"), *([OF_OTHERS, *called] if calls else [about])
    )
    assert await sage.hear(said, user_id=user.id) == heard
    assert sage.model_calls == 3 + calls
