"""Routines that were stored without an action get one from the model, once, in the background."""

import json
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from benchmark.model_script import Completion, Fault, FaultKind
from custom_components.sage.routines.host.action_decider import QUIET_AFTER
from custom_components.sage.routines.routine_types import (
    Commands,
    Decide,
    Moment,
    RoutineAction,
    Words,
)

from ..conftest import Sage
from .routine import Fires, reminder_of, routine_of

LIGHT = "light.kitchen_light"
ON = {"devices": ["kitchen_light"], "command": "turn_on", "arguments": {}}


def says(kind: str, *commands: dict[str, Any], words: str = "") -> Completion:
    """Return what the model writes."""
    return Completion(text=json.dumps({"kind": kind, "commands": [*commands], "words": words}))


async def watches(sage: Sage, user: User, *, tells: bool = False) -> None:
    """Add a routine that an older version stored."""
    make = reminder_of if tells else routine_of
    words = "remind me to throw out the milk" if tells else "turn on the kitchen light"
    at = dt_util.utcnow() + timedelta(days=1)
    await sage.entry.runtime_data.routines.async_create(make(user, words, trigger=Moment(at=at)))


async def quiet_time(hass: HomeAssistant, times: int = 1) -> None:
    """Let time pass without requests."""
    after = QUIET_AFTER * (times + 1)
    async_fire_time_changed(hass, dt_util.utcnow() + after)
    await hass.async_block_till_done(wait_background_tasks=True)


def action(sage: Sage, user: User) -> RoutineAction | None:
    (watched,) = sage.entry.runtime_data.routines.list(user.id)
    found: RoutineAction | None = watched.routine.action
    return found


async def test_it_fires_without_the_model_from_then_on(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User
) -> None:
    sage.model_says(says("do", ON))
    await watches(sage, user)
    assert action(sage, user) is None
    await quiet_time(hass)
    found = action(sage, user)
    assert isinstance(found, Commands)
    assert sage.model_calls == 1
    asked = sage.server.completions[0].prompt
    assert "Request: turn on the kitchen light" in asked
    assert "brightness_pct" in asked

    await quiet_time(hass, 2)
    assert sage.model_calls == 1
    await sage.server.async_stop()
    (watched,) = sage.entry.runtime_data.routines.list(user.id)
    await fires.fire(watched.routine)
    assert hass.states.is_state(LIGHT, "on")


async def test_reminder_gets_its_words(hass: HomeAssistant, sage: Sage, user: User) -> None:
    sage.model_says(says("tell", words="Throw out the milk."))
    await watches(sage, user, tells=True)
    await quiet_time(hass)
    assert action(sage, user) == Words(text="Throw out the milk.")


async def test_wrong_command_is_sent_back_once_with_the_documentation(
    hass: HomeAssistant, sage: Sage, user: User
) -> None:
    sage.model_says(says("do", ON | {"command": "shine"}), says("do", ON))
    await watches(sage, user)
    await quiet_time(hass)
    assert isinstance(action(sage, user), Commands)
    assert "has no command shine" in sage.server.completions[1].prompt


@pytest.mark.parametrize(
    "said",
    [
        says("do", ON | {"command": "shine"}),
        says("do"),
        says("dance", ON),
        Completion(text="I would rather not."),
    ],
)
async def test_where_that_fails_the_model_decides_at_each_firing(
    hass: HomeAssistant, sage: Sage, user: User, said: Completion
) -> None:
    sage.model_says(said, said)
    await watches(sage, user)
    await quiet_time(hass)
    assert action(sage, user) == Decide()
    assert sage.model_calls == 2


async def test_message_never_becomes_a_command(hass: HomeAssistant, sage: Sage, user: User) -> None:
    sage.model_says(says("do", ON))
    await watches(sage, user, tells=True)
    await quiet_time(hass)
    assert action(sage, user) == Decide()


async def test_model_that_is_away_is_asked_later(
    hass: HomeAssistant, sage: Sage, user: User, swift_model: None
) -> None:
    sage.server.say(lambda _: Fault(kind=FaultKind.SERVER_ERROR))
    await watches(sage, user)
    await quiet_time(hass)
    assert action(sage, user) is None
    sage.model_says(says("do", ON))
    assert await hass.config_entries.async_reload(sage.entry.entry_id)
    await hass.async_block_till_done()
    await quiet_time(hass, 2)
    assert isinstance(action(sage, user), Commands)


async def test_routine_of_an_action_is_settled(hass: HomeAssistant, sage: Sage, user: User) -> None:
    sage.model_says(says("do", ON))
    await hass.services.async_call(
        "sage",
        "create_routine",
        {"action": "turn on the kitchen light", "in_minutes": 60, "notify": True},
        blocking=True,
        context=Context(user_id=user.id),
    )
    await quiet_time(hass)
    (watched,) = sage.entry.runtime_data.routines.list(user.id)
    assert isinstance(watched.routine.action, Commands)
    assert watched.routine.notify
