"""The action of a routine is settled when it is made: commands, words, or what is decided then."""

from typing import Any
from unittest.mock import Mock

import pytest
from homeassistant.auth.const import GROUP_ID_READ_ONLY
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.agent.tool import spec_of
from custom_components.sage.routines.routine_types import (
    Commands,
    Decide,
    RoutineKind,
    StoredCommand,
    Words,
)
from custom_components.sage.tools.memory import MemoryTool
from custom_components.sage.tools.routines.condition_polling import ConditionPolling
from custom_components.sage.tools.routines.routines_tool import RoutinesTool
from tests.decisions import FORMATS, NATIVE
from tests.end_to_end.conftest import MakeSage, Sage

from .setting_up import at_a_time, commands, routines_of

TOMORROW = {"at": "2099-03-04T07:00"}
WHEN = "All right. On March 4, 2099, at 07:00: "


def reference(hass: HomeAssistant, entity_id: str) -> str:
    row = er.async_get(hass).async_get(entity_id)
    assert row is not None
    return f"entity:{row.id}"


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_commands_are_validated_and_stored_by_registry_id(
    hass: HomeAssistant, sage: Sage, user: User
) -> None:
    given = [
        *commands("turn_on", "Kitchen Light", arguments={"brightness_pct": "40 %"}),
        *commands("lock", "front_door"),
    ]
    sage.model_says(
        sage.decides.call(
            "condition_polling",
            kind="do",
            action="light and lock",
            commands=given,
            final=True,
            **TOMORROW,
        )
    )
    heard = await sage.hear("tomorrow light and lock", user_id=user.id)
    assert heard == (
        f"{WHEN}I'll turn on Kitchen Light with 40 percent brightness and lock Front Door."
    )
    (routine,) = routines_of(sage, user)
    assert routine.action == Commands(
        commands=(
            StoredCommand(
                target=reference(hass, "light.kitchen_light"),
                name="Kitchen Light",
                command="turn_on",
                arguments={"brightness_pct": 40},
            ),
            StoredCommand(
                target=reference(hass, "lock.front_door"), name="Front Door", command="lock"
            ),
        )
    )
    assert hass.states.is_state("light.kitchen_light", "off")


async def test_reminder_is_stored_in_the_words_that_are_told(sage: Sage, user: User) -> None:
    sage.model_says(at_a_time(kind="tell", action="Throw out the milk.", **TOMORROW))
    heard = await sage.hear("remind me to throw out the milk", user_id=user.id)
    assert heard == f"{WHEN}I'll tell you “Throw out the milk.”"
    (routine,) = routines_of(sage, user)
    assert (routine.action, routine.kind) == (Words(text="Throw out the milk."), RoutineKind.TELL)


async def test_what_depends_on_the_home_then_is_decided_then(sage: Sage, user: User) -> None:
    action = "tell me if a window is open"
    sage.model_says(at_a_time(kind="decide", action=action, **TOMORROW))
    assert await sage.hear("at seven tell me", user_id=user.id) == f"{WHEN}{action}."
    assert routines_of(sage, user)[0].action == Decide()


async def test_wrong_device_is_sent_back_with_the_nearest_one(sage: Sage, user: User) -> None:
    sage.model_says(
        at_a_time(commands=commands("turn_on", "kitchen_lihgt"), **TOMORROW), at_a_time(**TOMORROW)
    )
    await sage.hear("tomorrow turn off the kitchen light", user_id=user.id)
    assert "The nearest: kitchen_light" in sage.server.completions[1].messages[-1]["content"]
    assert len(routines_of(sage, user)) == 1


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        (commands("shine"), "has no command shine"),
        (commands("turn_on", arguments={"brightnes": 3}), "has no argument brightnes"),
        (commands("turn_on", arguments={"brightness_pct": 400}), "out of range"),
        ([], "needs `commands`"),
    ],
)
async def test_wrong_command_is_sent_back_with_the_documentation(
    sage: Sage, user: User, given: list[Any], wrong: str
) -> None:
    sage.model_says(at_a_time(commands=given, **TOMORROW), at_a_time(**TOMORROW))
    heard = await sage.hear("tomorrow turn off the kitchen light", user_id=user.id)
    assert heard == f"{WHEN}I'll turn off Kitchen Light."
    told = sage.server.completions[1].messages[-1]["content"]
    assert wrong in told
    assert "commands:" in told
    assert "brightness_pct" in told
    assert len(routines_of(sage, user)) == 1


async def test_person_is_asked_which_of_two_is_meant(sage: Sage, user: User) -> None:
    doubt = commands("turn_on", "bedroom_light", "hallway_light", doubt=True)
    sage.model_says(
        at_a_time(commands=doubt, **TOMORROW),
        at_a_time(commands=commands("turn_on", "hallway_light"), **TOMORROW),
    )
    asked = await sage.hear("tomorrow turn on the light", user_id=user.id)
    assert asked == "Which of these do you mean: Bedroom Light and Hallway Light?"
    assert routines_of(sage, user) == []
    heard = await sage.hear("the one in the hall", user_id=user.id)
    assert heard == f"{WHEN}I'll turn on Hallway Light."
    assert "the one in the hall" in sage.server.completions[1].prompt


async def test_group_becomes_the_devices_that_are_in_it(sage: Sage, user: User) -> None:
    sage.model_says(at_a_time(commands=commands("turn_off", "all light in Kitchen"), **TOMORROW))
    heard = await sage.hear("tomorrow turn off the kitchen", user_id=user.id)
    assert "Kitchen Light" in heard
    action = routines_of(sage, user)[0].action
    assert isinstance(action, Commands)
    assert all(each.target.startswith("entity:") for each in action.commands)


async def test_what_would_be_refused_is_not_promised(make_sage: MakeSage, user: User) -> None:
    sage = await make_sage(options={"risk_levels": {"light.kitchen_light": "never"}})
    guest = await sage.hass.auth.async_create_user("Guest", group_ids=[GROUP_ID_READ_ONLY])
    for somebody, why in ((user, "never done"), (guest, "may not control")):
        device = "kitchen_light" if somebody is user else "bedroom_light"
        sage.model_says(
            at_a_time(commands=commands("turn_off", device), **TOMORROW),
            NATIVE.finish("could_not", "I may not do that.", about="later"),
        )
        heard = await sage.hear("tomorrow turn it off", user_id=somebody.id, conversation_id=None)
        assert heard == "I may not do that."
        assert why in sage.server.completions[1].prompt
        assert routines_of(sage, somebody) == []


async def test_who_wants_to_hear_of_it_is_told_so(sage: Sage, user: User) -> None:
    sage.model_says(at_a_time(notify=True, **TOMORROW))
    heard = await sage.hear("tomorrow, and tell me when it is done", user_id=user.id)
    assert heard.endswith("I will notify you when the action is done.")
    assert routines_of(sage, user)[0].notify


async def test_owner_sees_what_it_does(hass: HomeAssistant, sage: Sage, user: User) -> None:
    sage.model_says(at_a_time(**TOMORROW))
    await sage.hear("tomorrow turn off the kitchen light", user_id=user.id)
    listed: Any = await hass.services.async_call(
        "sage",
        "list_routines",
        blocking=True,
        return_response=True,
        context=Context(user_id=user.id),
    )
    (shown,) = listed["routines"]
    assert shown["does"] == {
        "commands": [{"device": "Kitchen Light", "command": "turn_off", "arguments": {}}]
    }


def test_texts_say_what_is_once_and_what_is_a_routine() -> None:
    """No guess decides which word of a person belongs to which field."""
    told = spec_of(ConditionPolling(Mock())).parameters["properties"]["repeat"]["description"]
    assert '"as soon as"' in told
    assert "forget about that reminder" in RoutinesTool.description
    assert "`routines`" in MemoryTool.description
