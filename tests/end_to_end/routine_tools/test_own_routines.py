"""What is watched for a person: told, ended, paused and resumed, by words, never anybody else's."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from custom_components.sage.routines.model import Status
from tests.decisions import FORMATS, Decides
from tests.end_to_end.conftest import MakeSage, Sage

from .setting_up import at_a_time, routines_of

NATIVE = Decides("native")

MILK: Mapping[str, Any] = {"at": "2099-03-01 09:00", "action": "tell me to throw out the milk"}
LIGHT: Mapping[str, Any] = {"at": "2099-03-01 10:00", "action": "turn off the kitchen light"}
LAMP: Mapping[str, Any] = {"at": "2099-03-01 11:00", "action": "turn on the office light"}


def does(action: str, **more: Any) -> Any:
    """Return what the model decides to do with routines."""
    return NATIVE.call("routines", action=action, **({"final": True} | more))


async def set_up(sage: Sage, user: User | None, *given: Mapping[str, Any]) -> None:
    """Have routines made for somebody."""
    for each in given:
        sage.model_says(at_a_time(**each))
        await sage.hear("later", user_id=user.id if user else None, conversation_id=None)


def statuses(sage: Sage, user: User) -> list[Status]:
    return [each.status for each in routines_of(sage, user)]


@pytest.mark.parametrize("name", FORMATS)
async def test_what_is_watched_is_told_in_one_call(
    make_sage: MakeSage, user: User, other: User, name: str
) -> None:
    sage, decides = await make_sage(name), Decides(name)
    listing = decides.call("routines", action="list", final=True)
    sage.model_says(listing)
    heard = await sage.hear("what are you watching for?", user_id=user.id)
    assert heard == "I am not watching for anything, and nothing is planned."
    for each, person in ((MILK, user), (LIGHT, other)):
        sage.model_says(decides.call("condition_polling", final=True, **each))
        await sage.hear("later", user_id=person.id, conversation_id=None)
    sage.model_says(listing)
    heard = await sage.hear("what are you watching for?", user_id=user.id)
    assert heard == "On March 1, 2099, at 09:00: tell me to throw out the milk."
    assert sage.model_calls == 1
    # The household has none of theirs.
    sage.model_says(listing)
    heard = await sage.hear("what are you watching for?", conversation_id=None)
    assert heard == "I am not watching for anything, and nothing is planned."


async def test_many_are_counted(sage: Sage, user: User) -> None:
    await set_up(sage, user, *[MILK] * 8)
    sage.model_says(does("list"))
    heard = await sage.hear("what are you watching for?", user_id=user.id)
    assert heard.count("milk") == 6
    assert heard.endswith("And 2 more.")


async def test_one_is_stopped_by_its_words(sage: Sage, user: User) -> None:
    await set_up(sage, user, MILK, LIGHT)
    sage.model_says(does("delete", which="the milk"))
    heard = await sage.hear("stop reminding me about the milk", user_id=user.id)
    assert heard == (
        "I have stopped this for good. On March 1, 2099, at 09:00: tell me to throw out the milk."
    )
    (left,) = routines_of(sage, user)
    assert left.command == LIGHT["action"]


async def test_nothing_of_anybody_else_is_touched(sage: Sage, user: User, other: User) -> None:
    await set_up(sage, other, MILK)
    await set_up(sage, user, LIGHT)
    sage.model_says(does("delete", which="the milk"))
    heard = await sage.hear("stop reminding me about the milk", user_id=user.id)
    assert heard == (
        "I am not watching for anything like that. "
        "On March 1, 2099, at 10:00: turn off the kitchen light."
    )
    assert sage.model_calls == 1
    assert len(routines_of(sage, user)) == 1
    assert len(routines_of(sage, other)) == 1


async def test_what_is_not_clear_is_asked_by_number(sage: Sage, user: User) -> None:
    await set_up(sage, user, MILK, LIGHT, LAMP)
    sage.model_says(does("delete", which="the light"), does("delete", which="3"))
    await sage.hear("stop that with the light", user_id=user.id)
    told = sage.server.completions[1].prompt
    assert "2. On March 1, 2099, at 10:00: turn off the kitchen light." in told
    assert "3. On March 1, 2099, at 11:00: turn on the office light." in told
    assert "throw out" not in told.rpartition("not clear")[2]
    assert [each.command for each in routines_of(sage, user)] == [
        MILK["action"],
        LIGHT["action"],
    ]


async def test_all_are_stopped_after_a_yes(sage: Sage, user: User) -> None:
    await set_up(sage, user, MILK, LIGHT)
    sage.model_says(does("delete", which="all"), NATIVE.finish("could_not", "I kept them."))
    asked = await sage.hear("stop everything", user_id=user.id)
    assert asked.startswith("Shall I stop all 2 for good?")
    await sage.hear("no", user_id=user.id)
    assert len(routines_of(sage, user)) == 2
    sage.model_says(does("delete", which="all"))
    await sage.hear("stop everything", user_id=user.id)
    heard = await sage.hear("yes", user_id=user.id)
    assert heard.count("stopped this for good") == 2
    assert not routines_of(sage, user)


async def test_pause_until_a_day_and_resume(
    hass: HomeAssistant, sage: Sage, user: User, freezer: Any
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    await set_up(sage, user, MILK)
    freezer.move_to("2026-11-21 09:00:00+00:00")
    sage.model_says(does("pause", which="", until="Monday"))
    heard = await sage.hear("pause it until Monday", user_id=user.id)
    assert heard.startswith("Paused; it resumes on Monday at 00:00.")
    (routine,) = routines_of(sage, user)
    assert routine.status is Status.PAUSED
    assert routine.paused_until == datetime(2026, 11, 22, 23, tzinfo=UTC)
    sage.model_says(does("list"))
    heard = await sage.hear("what are you watching for?", user_id=user.id)
    assert "It is paused" in heard
    sage.model_says(does("resume", which="milk"))
    heard = await sage.hear("go on with the milk", user_id=user.id)
    assert heard.startswith("I am watching this again.")
    assert statuses(sage, user) == [Status.WATCHING]


async def test_pause_with_no_end_or_a_past_one(sage: Sage, user: User) -> None:
    await set_up(sage, user, MILK)
    sage.model_says(does("pause", until="2020-01-01"), does("pause"))
    heard = await sage.hear("pause that", user_id=user.id)
    assert "is past" in sage.server.completions[1].prompt
    assert heard.startswith("Paused until you want it back.")
    assert statuses(sage, user) == [Status.PAUSED]


async def test_claim_to_have_stopped_is_sent_back(sage: Sage, user: User) -> None:
    await set_up(sage, user, MILK)
    sage.model_says(
        NATIVE.finish("acted", "I will not remind you any more."),
        does("delete", which="milk", final=False),
        NATIVE.finish("acted", "Everything is deleted."),
    )
    heard = await sage.hear("stop reminding me about the milk", user_id=user.id)
    assert "Nothing was changed in this request" in sage.server.completions[1].prompt
    assert heard.startswith("I have stopped this for good.")
    assert "Everything" not in heard


@pytest.mark.parametrize("action", ["delete", "pause"])
async def test_what_only_resembles_is_left(sage: Sage, user: User, action: str) -> None:
    await set_up(sage, user, LIGHT)
    sage.model_says(
        does(action, which="the kitchen window reminder"),
        NATIVE.finish("could_not", "I only know of the kitchen light."),
    )
    heard = await sage.hear("enough of the kitchen window", user_id=user.id)
    told = sage.server.completions[1].prompt
    assert 'Nothing fits all of "the kitchen window reminder"' in told
    assert "1. On March 1, 2099, at 10:00: turn off the kitchen light." in told
    assert "I only know of the kitchen light." in heard
    assert statuses(sage, user) == [Status.WATCHING]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I am not watching for anything like that. On March 1, 2099,"),
        ("de", "Auf so etwas achte ich nicht. Am 1. März 2099"),
        ("fr", "Je ne surveille rien de tel. Le 1er mars 2099"),
    ],
)
@pytest.mark.parametrize("action", ["list", "delete", "pause", "resume"])
async def test_what_is_not_there_is_told_at_once(
    sage: Sage, user: User, action: str, language: str, said: str
) -> None:
    await set_up(sage, user, MILK)
    sage.model_says(does(action, which="garage"))
    heard = await sage.hear("garage", user_id=user.id, language=language)
    assert heard.startswith(said)
    assert sage.model_calls == 1
    assert statuses(sage, user) == [Status.WATCHING]


async def test_what_is_not_there_is_told_to_the_model_that_has_more_to_do(
    sage: Sage, user: User
) -> None:
    await set_up(sage, user, MILK)
    sage.model_says(
        does("delete", which="garage", final=False), NATIVE.finish("could_not", "There is none.")
    )
    heard = await sage.hear("forget the garage and tell me", user_id=user.id)
    assert 'Nothing fits "garage". There is:' in sage.server.completions[1].prompt
    assert "There is none." in heard
