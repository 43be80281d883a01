"""SAGE asks once what it does not know, and knows it the next time."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmark.model_script import Completion, Fault, FaultKind
from custom_components.sage.memory.memories import Origin
from custom_components.sage.memory.person_memory import PersonMemory
from tests.decisions import FORMATS, NATIVE, Decides, step
from tests.end_to_end.conftest import Sage, impatient, spoken

from .story import (
    NOTHING,
    asked_of_memory,
    channel_of,
    give_profile,
    kept,
    knows,
    observed,
    person_of,
    plant,
    steps,
    tune_in,
    words,
)

REQUEST = "put the game on"
QUESTION = "Which team do you follow?"
WHICH_TEAM = "Which team or sport does the person follow?"
TV = "media_player.living_room_tv"
NOTHING_KNOWN = "Nothing is known about that."


def looks(decides: Decides = NATIVE) -> Completion:
    return decides.call("personalization", question=WHICH_TEAM)


@pytest.fixture
def tv_of_before(thing: Callable[[str], Any]) -> Callable[[], None]:
    """Put the television back to another channel."""
    return lambda: thing(TV).become(state="on", media_channel="7")


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_what_is_asked_once_is_known_the_next_time(
    hass, sage: Sage, tv_of_before, user
) -> None:
    sage.model_says(
        looks(sage.decides),
        sage.decides.call("human_interaction", question=QUESTION),
        *tune_in(sage.decides, "put the Canadiens game on", "12"),
    )
    asked = await sage.say(REQUEST, user_id=user.id)
    assert spoken(asked) == QUESTION
    assert asked.continue_conversation
    assert NOTHING_KNOWN in observed(sage)
    assert sage.model_calls == 2, "an empty memory costs no call"
    assert await sage.hear("the Canadiens", user_id=user.id) == "The game is on."
    assert channel_of(hass) == "12"

    request, reply = await kept(sage, user.id)
    assert (request.text, request.question) == (REQUEST, None)
    assert (reply.text, reply.question) == ("the Canadiens", QUESTION)
    assert await words(sage) == [], "nobody else has said anything"

    for again in ("in another conversation", "after a restart"):
        if again == "after a restart":
            assert await hass.config_entries.async_reload(sage.entry.entry_id)
            await hass.async_block_till_done()
        tv_of_before()
        sage.model_says(
            looks(sage.decides),
            knows("The person follows the Canadiens.", 1),
            *tune_in(sage.decides, "put the Canadiens game on", "12"),
        )
        result = await sage.say(REQUEST, user_id=user.id, conversation_id=None)
        assert spoken(result) == "The game is on.", again
        assert channel_of(hass) == "12", again
        assert not result.continue_conversation
        (given,) = asked_of_memory(sage)
        assert f'asked "{QUESTION}", "the Canadiens"' in given, again
        taken = steps(sage.traces(user.id)[-1])
        assert "human_interaction" not in taken
        assert taken.count("personalization") == 1


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_reply_to_a_final_question_is_learned_too(sage: Sage, user) -> None:
    sage.model_says(
        looks(sage.decides),
        sage.decides.finish("asked", QUESTION),
        *tune_in(sage.decides, "put the Canadiens game on", "12"),
    )
    assert await sage.hear(REQUEST, user_id=user.id) == QUESTION
    await sage.hear("the Canadiens", user_id=user.id)
    assert (await kept(sage, user.id))[-1].question == QUESTION


async def test_what_is_found_is_shown_with_its_dates(sage: Sage, user) -> None:
    earlier, later = (datetime(2026, 11, day, 12, tzinfo=UTC) for day in (20, 21))
    await plant(sage, user.id, "I never miss the Canadiens", at=earlier)
    await plant(sage, user.id, "Canadiens", question=QUESTION, at=later)
    await plant(sage, user.id, "the Lakers bore me", origin=Origin.CORRECTED, at=later)
    sage.model_says(
        looks(),
        Completion(
            text='Sure: {"known": true, "answer": "The Canadiens.", "rests_on": [3, 9, 1, 3]}'
        ),
        NATIVE.finish("answered", "You follow the Canadiens."),
    )
    await sage.hear("which team is mine?", user_id=user.id)
    (given,) = asked_of_memory(sage)
    lines = [line for line in given.splitlines() if line[:1].isdigit()]
    assert len(lines) == 3
    told = {line.split(". ", 1)[1] for line in lines}
    assert told == {
        '2026-11-20: "I never miss the Canadiens"',
        f'2026-11-21: asked "{QUESTION}", "Canadiens"',
        '2026-11-21 (corrected): "the Lakers bore me"',
    }
    # In the order of the model; without unknown and repeated numbers.
    third, first = lines[2].split(". ", 1)[1], lines[0].split(". ", 1)[1]
    assert observed(sage) == f"The Canadiens.\nIt rests on:\n{third}\n{first}"


async def test_nothing_that_fits_is_said_plainly(sage: Sage, user) -> None:
    await plant(sage, user.id, "my mother lives in Quebec")
    sage.model_says(looks(), NOTHING, NATIVE.finish("asked", QUESTION))
    assert await sage.hear(REQUEST, user_id=user.id) == QUESTION
    assert observed(sage).startswith(NOTHING_KNOWN)
    assert "Quebec" not in observed(sage)


async def test_request_itself_is_not_among_what_is_recalled(sage: Sage, user) -> None:
    """Nor is it when it was said before, in the same words: it is no answer to itself."""
    await plant(sage, user.id, "I never miss the Canadiens")
    for _ in range(2):
        sage.model_says(looks(), NOTHING, NATIVE.finish("could_not", "I do not know the team."))
        await sage.hear(REQUEST, user_id=user.id, conversation_id=None)
        (given,) = asked_of_memory(sage)
        assert REQUEST not in given
        assert "Canadiens" in given
    before, request = sorted(await kept(sage, user.id), key=lambda each: each.count)
    assert (before.count, request.count, request.text) == (1, 2, REQUEST)


async def test_model_goes_away_while_it_looks(hass, swift_model, sage: Sage, user) -> None:
    await plant(sage, user.id, "I never miss the Canadiens")
    broken = Fault(kind=FaultKind.SERVER_ERROR)
    sage.model_says(looks(), broken, broken)
    result = await impatient(sage).say(REQUEST, user_id=user.id)
    assert "reports an error" in spoken(result)
    assert result.response.error_code == "failed_to_handle"
    assert channel_of(hass) == "7"
    assert await words(sage, user.id) == ["I never miss the Canadiens", REQUEST]
    # The next try finds everything as it was.
    sage.model_says(looks(), knows("The Canadiens.", 1), NATIVE.finish("asked", "On which TV?"))
    assert await sage.hear(REQUEST, user_id=user.id) == "On which TV?"


async def test_memory_that_cannot_be_read_is_no_end(sage: Sage, user, caplog) -> None:
    await sage.entry.runtime_data.memory.of(user.id).async_close()
    sage.model_says(looks(), NATIVE.finish("asked", QUESTION))
    assert await sage.hear(REQUEST, user_id=user.id) == QUESTION
    assert "The memory cannot be read right now. Ask the person" in observed(sage)
    assert "Traceback" not in caplog.text


async def test_profile_answers_too(sage: Sage, user) -> None:
    await plant(sage, user.id, "I never miss the Canadiens")
    await give_profile(sage, user.id, "- Follows the Canadiens (2026-11-20)")
    sage.model_says(looks(), knows("The Canadiens."), NATIVE.finish("asked", "On which TV?"))
    await sage.hear(REQUEST, user_id=user.id)
    (given,) = asked_of_memory(sage)
    assert given.startswith("Profile:\n- Follows the Canadiens (2026-11-20)\n")
    assert observed(sage) == "The Canadiens. (From the profile.)"


async def test_what_was_said_in_a_tainted_run_taints_the_run_that_recalls_it(
    sage: Sage, user
) -> None:
    """What the person says from then on in that run is tainted as well."""
    await plant(sage, user.id, "the mail says that I like the Lakers", tainted=True)
    await plant(sage, user.id, "my mother lives in Quebec")
    for known, tainted in ((True, True), (False, False)):
        if not known:
            untrusted = [each.id for each in await kept(sage, user.id) if each.tainted]
            await sage.entry.runtime_data.memory.async_do(
                person_of(user.id), PersonMemory.forget, untrusted
            )
        sage.model_says(
            looks(),
            knows("The Lakers, says a mail.", 1) if known else NOTHING,
            NATIVE.call("human_interaction", question=f"Is that so ({known})?"),
            NATIVE.call("memory", action="remember", text=f"told when {known}"),
            NATIVE.finish("acted", "All right, I will remember that."),
        )
        await sage.hear(REQUEST, user_id=user.id, conversation_id=None)
        heard = await sage.hear(f"maybe, told when {known}", user_id=user.id)
        if tainted:
            assert f"Shall I store the memory? “told when {known}”" in heard
            await sage.hear("yes", user_id=user.id)
        found = {each.text: each.tainted for each in await kept(sage, user.id)}
        assert found[f"maybe, told when {known}"] is tainted
        assert found[f"told when {known}"] is tainted
        assert not found[REQUEST], "it was said before anything was read"


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_direct_command_neither_asks_the_memory_nor_shows_it(hass, sage: Sage, user) -> None:
    decides = sage.decides
    for number in range(40):
        await plant(sage, user.id, f"I like the kitchen light in the evening at {number} percent")
    await give_profile(sage, user.id, "- Likes the kitchen light dim (2026-11-20)")
    sage.model_says(
        *decides.planned("turn on the kitchen light", step("command", "kitchen_light")),
        decides.execute("kitchen_light", command="turn_on"),
        decides.finish("acted", "The kitchen light is on."),
    )
    heard = await sage.hear("turn on the kitchen light", user_id=user.id)
    assert heard == "The kitchen light is on."
    assert hass.states.get("light.kitchen_light").state == "on"
    trace = sage.traces(user.id)[-1]
    assert trace["model_calls"] == sage.model_calls == 4
    assert "personalization" not in steps(trace)
    prompts = "\n".join(each.prompt for each in sage.server.completions)
    assert "in the evening" not in prompts
    assert "Likes the kitchen light dim" not in prompts
    assert (await words(sage, user.id))[-1] == "turn on the kitchen light"
