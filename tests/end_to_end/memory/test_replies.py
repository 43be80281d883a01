"""What a person replies is remembered with its question, and only what is a reply."""

import pytest
from homeassistant.const import EVENT_HOMEASSISTANT_STOP

from tests.decisions import NATIVE, step
from tests.end_to_end.conftest import Sage

from .story import kept, words

REQUEST = "put the game on"
QUESTION = "Which team do you follow?"


async def test_reply_is_kept_when_what_follows_is_a_request(sage: Sage, user) -> None:
    """The code asks for a yes, and hears something else: that is no memory of this run."""
    sage.model_says(
        NATIVE.call("human_interaction", question="Which door?"),
        *NATIVE.planned("unlock the front door", step("command", "front_door")),
        NATIVE.execute("front_door", command="unlock"),
        NATIVE.finish("answered", "It is five past seven in the evening."),
    )
    await sage.hear("unlock it", user_id=user.id)
    assert "really unlock" in await sage.hear("the one in the hall", user_id=user.id)
    assert "really unlock" in await sage.hear("what time is it", user_id=user.id)
    await sage.hear("what time is it", user_id=user.id)
    assert await words(sage, user.id) == ["unlock it", "the one in the hall", "what time is it"]


async def test_reply_that_is_a_request_is_remembered_once_and_as_one(sage: Sage, user) -> None:
    sage.model_says(
        NATIVE.call("human_interaction", question="Which room?"),
        NATIVE.call("human_interaction", question="Which colour?"),
        NATIVE.call("finish", kind="new_request", answer=""),
        NATIVE.finish("answered", "It is five past seven in the evening."),
    )
    for said in ("paint it", "the attic", "what time is it"):
        await sage.hear(said, user_id=user.id)
    found = {each.text: (each.question, each.count) for each in await kept(sage, user.id)}
    assert found == {
        "paint it": (None, 1),
        "the attic": ("Which room?", 1),
        "what time is it": (None, 1),
    }


async def test_yes_and_no_to_the_code_are_not_remembered(sage: Sage, user) -> None:
    for reply in ("yes", "no"):
        sage.model_says(
            *NATIVE.planned("unlock the front door", step("command", "front_door")),
            NATIVE.execute("front_door", command="unlock"),
            NATIVE.finish("acted", "It is unlocked."),
        )
        await sage.hear("unlock the front door", user_id=user.id, conversation_id=None)
        await sage.hear(reply, user_id=user.id)
    assert await words(sage, user.id) == ["unlock the front door"]


async def replies_and_is_asked_again(sage: Sage, user_id: str) -> None:
    sage.model_says(
        NATIVE.call("human_interaction", question=QUESTION),
        NATIVE.call("human_interaction", question="On which TV?"),
    )
    await sage.hear(REQUEST, user_id=user_id)
    await sage.hear("the Canadiens", user_id=user_id)


@pytest.mark.parametrize("expected_lingering_timers", [True])
async def test_what_was_replied_is_kept_when_home_assistant_stops(hass, sage: Sage, user) -> None:
    await replies_and_is_asked_again(sage, user.id)
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STOP)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert await words(sage, user.id) == [REQUEST, "the Canadiens"]


async def test_what_was_replied_is_kept_when_sage_is_reloaded(hass, sage: Sage, user) -> None:
    await replies_and_is_asked_again(sage, user.id)
    await hass.async_block_till_done(wait_background_tasks=False)
    assert await hass.config_entries.async_reload(sage.entry.entry_id)
    await hass.async_block_till_done()
    assert await words(sage, user.id) == [REQUEST, "the Canadiens"]
