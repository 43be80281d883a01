"""People list, end, pause and resume their own routines by voice, never those of others."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.helpers import entity_registry as er

from custom_components.sage.routines.routine_types import Status
from tests.decisions import FORMATS, NATIVE
from tests.end_to_end.conftest import Sage

from .setting_up import at_a_time, commands, routines_of

MILK: Mapping[str, Any] = {
    "at": "2099-03-01T09:00",
    "kind": "tell",
    "action": "Throw out the milk.",
}
LIGHT: Mapping[str, Any] = {
    "at": "2099-03-01T10:00",
    "kind": "do",
    "action": "turn off the kitchen light",
    "commands": commands("turn_off"),
}
LAMP: Mapping[str, Any] = {
    "at": "2099-03-01T11:00",
    "kind": "do",
    "action": "turn on the office light",
}


def does(action: str, **more: Any) -> Any:
    return NATIVE.call("routines", action=action, **({"final": True} | more))


async def set_up(sage: Sage, user: User | None, *given: Mapping[str, Any]) -> None:
    for each in given:
        sage.model_says(at_a_time(**each))
        await sage.hear("later", user_id=user.id if user else None, conversation_id=None)


def statuses(sage: Sage, user: User) -> list[Status]:
    return [each.status for each in routines_of(sage, user)]


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_what_is_watched_is_told_in_one_call(sage: Sage, user: User, other: User) -> None:
    decides = sage.decides
    listing = decides.call("routines", action="list", final=True)
    sage.model_says(listing)
    heard = await sage.hear("what are you watching for?", user_id=user.id)
    assert heard == "You have no routines."
    for each, person in ((MILK, user), (LIGHT, other)):
        sage.model_says(decides.call("condition_polling", final=True, **each))
        await sage.hear("later", user_id=person.id, conversation_id=None)
    sage.model_says(listing)
    heard = await sage.hear("what are you watching for?", user_id=user.id)
    assert heard == "On March 1, 2099, at 09:00: I'll tell you “Throw out the milk.”"
    assert sage.model_calls == 1
    # The household has none of theirs.
    sage.model_says(listing)
    heard = await sage.hear("what are you watching for?", conversation_id=None)
    assert heard == "You have no routines."


async def test_many_are_counted(sage: Sage, user: User) -> None:
    await set_up(sage, user, *[MILK] * 8)
    sage.model_says(does("list"))
    heard = await sage.hear("what are you watching for?", user_id=user.id)
    assert heard.count("milk") == 6
    assert heard.endswith("More routines: 2.")


async def test_one_is_stopped_by_its_number_in_one_call(sage: Sage, user: User) -> None:
    """The numbers are in the prompt, in front of the request."""
    await set_up(sage, user, MILK, LIGHT)
    sage.model_says(does("delete", numbers=[1]))
    heard = await sage.hear("stop reminding me about the milk", user_id=user.id)
    prompt = sage.server.completions[0].prompt
    listed = prompt.rpartition("Set up for later by the person:")[2].partition("Request: ")[0]
    assert listed.splitlines()[1:3] == [
        "1. On March 1, 2099, at 09:00: I'll tell you “Throw out the milk.”",
        "2. On March 1, 2099, at 10:00: I'll turn off Kitchen Light.",
    ]
    assert heard == (
        "I have deleted this routine. It was: On March 1, 2099, at 09:00: "
        "I'll tell you “Throw out the milk.”"
    )
    assert sage.model_calls == 1
    (left,) = routines_of(sage, user)
    assert left.command == LIGHT["action"]


async def test_numbers_are_those_of_the_switches(sage: Sage, user: User, other: User) -> None:
    """The model uses the numbers that people see, also if others own the routines in between."""
    await set_up(sage, user, MILK)
    await set_up(sage, other, LAMP)
    await set_up(sage, user, LIGHT)
    (first, last) = routines_of(sage, user)
    number = er.async_get(sage.hass).async_get_entity_id("switch", "sage", last.id)
    assert number == "switch.sage_routine_3"
    sage.model_says(does("delete", numbers=[1]))
    await sage.hear("forget the milk", user_id=user.id)
    assert first not in routines_of(sage, user)
    sage.model_says(does("pause", numbers=[3]))
    await sage.hear("pause routine 3", user_id=user.id)
    assert "3. On March 1, 2099, at 10:00: I'll turn off" in sage.server.completions[0].prompt
    assert statuses(sage, user) == [Status.PAUSED]


NUMBERS: tuple[dict[str, list[int]], ...] = (
    {},
    *({"numbers": each} for each in ([], [2], [1, 2], [0], [-1], [99])),
)
"""Numbers, some of them not of routines of the person."""


@pytest.mark.parametrize("action", ["delete", "pause", "resume"])
async def test_nothing_of_anybody_else_is_touched(
    sage: Sage, user: User, other: User, action: str, subtests: pytest.Subtests
) -> None:
    await set_up(sage, user, LIGHT)
    await set_up(sage, other, MILK)
    for given in NUMBERS:
        with subtests.test(given=given):
            sage.conversation_id = None
            sage.model_says(
                does(action, **given),
                NATIVE.finish("could_not", "I only know of the kitchen light."),
            )
            heard = await sage.hear("stop reminding me about the milk", user_id=user.id)
            told = sage.server.completions[1].prompt.rpartition("Nothing was changed.")[2]
            assert "1. On March 1, 2099, at 10:00: I'll turn off Kitchen Light." in told
            assert "milk" not in told
            assert "I only know of the kitchen light." in heard
            assert statuses(sage, user) == statuses(sage, other) == [Status.WATCHING]


async def test_words_are_no_numbers(sage: Sage, user: User, subtests: pytest.Subtests) -> None:
    await set_up(sage, user, MILK)
    for numbers in ("the milk", ["all"], [1.5]):
        with subtests.test(numbers=numbers):
            sage.conversation_id = None
            sage.model_says(
                does("delete", numbers=numbers), NATIVE.finish("could_not", "Which one?")
            )
            await sage.hear("stop reminding me about the milk", user_id=user.id)
            assert "wrong arguments" in sage.server.completions[1].prompt
            assert statuses(sage, user) == [Status.WATCHING]


async def test_prompt_holds_the_newest_only(sage: Sage, user: User) -> None:
    await set_up(sage, user, *[MILK] * 10)
    sage.model_says(does("list", final=False), does("delete", numbers=[1]))
    await sage.hear("stop the first one", user_id=user.id)
    first, second = (each.prompt for each in sage.server.completions)
    assert "10. On March" in first
    assert "\n2. On March" not in first
    assert "and 2 more: `routines`" in first
    assert "1. On March" in second
    assert len(routines_of(sage, user)) == 9


async def test_all_are_stopped_after_a_yes(sage: Sage, user: User) -> None:
    await set_up(sage, user, MILK, LIGHT)
    sage.model_says(does("delete", numbers=[1, 2]), NATIVE.finish("could_not", "I kept them."))
    asked = await sage.hear("stop everything", user_id=user.id)
    assert asked.startswith("Shall I permanently delete all 2 routines?")
    await sage.hear("no", user_id=user.id)
    assert len(routines_of(sage, user)) == 2
    sage.model_says(does("delete", numbers=[1, 2]))
    await sage.hear("stop everything", user_id=user.id)
    heard = await sage.hear("yes", user_id=user.id)
    assert heard.count("deleted this routine") == 2
    assert not routines_of(sage, user)


async def test_pause_until_a_day_and_resume(sage: Sage, user: User, freezer: Any) -> None:
    await sage.hass.config.async_set_time_zone("Europe/Berlin")
    await set_up(sage, user, MILK)
    freezer.move_to("2026-11-21 09:00:00+00:00")
    sage.model_says(does("pause", numbers=[1], until="2026-11-23"))
    heard = await sage.hear("pause it until Monday", user_id=user.id)
    assert heard.startswith("This routine is paused and resumes on Monday at 00:00.")
    (routine,) = routines_of(sage, user)
    assert routine.status is Status.PAUSED
    assert routine.paused_until == datetime(2026, 11, 22, 23, tzinfo=UTC)
    sage.model_says(does("list"))
    heard = await sage.hear("what are you watching for?", user_id=user.id)
    assert "This routine is paused" in heard
    sage.model_says(does("resume", numbers=[1]))
    heard = await sage.hear("go on with the milk", user_id=user.id)
    assert heard.startswith("This routine is active again.")
    assert statuses(sage, user) == [Status.WATCHING]


async def test_pause_with_no_end_or_a_past_one(sage: Sage, user: User) -> None:
    await set_up(sage, user, MILK)
    sage.model_says(
        does("pause", numbers=[1], until="2020-01-01"),
        does("pause", numbers=[1], until="monday"),
        does("pause", numbers=[1]),
    )
    heard = await sage.hear("pause that", user_id=user.id)
    assert "is past" in sage.server.completions[1].prompt
    assert "YYYY-MM-DDTHH:MM" in sage.server.completions[2].prompt
    assert heard.startswith("This routine is paused until you resume it.")
    assert statuses(sage, user) == [Status.PAUSED]


async def test_claim_to_have_stopped_is_sent_back(sage: Sage, user: User) -> None:
    await set_up(sage, user, MILK)
    sage.model_says(
        NATIVE.finish("acted", "I will not remind you any more."),
        does("delete", numbers=[1], final=False),
        NATIVE.finish("acted", "Everything is deleted."),
    )
    heard = await sage.hear("stop reminding me about the milk", user_id=user.id)
    assert "Nothing was changed in this request" in sage.server.completions[1].prompt
    assert heard.startswith("I have deleted this routine.")
    assert "Everything" not in heard
