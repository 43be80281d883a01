"""What a request waits for is not done at once, whatever tool the model takes first."""

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from benchmark.model_script import Completion
from tests.decisions import plan, step
from tests.end_to_end.conftest import Sage

from .setting_up import NATIVE, REQUEST, polls, routines_of, writes

ON = "light.kitchen_light"


def operates() -> list[Completion]:
    """Return the decisions that turn on the light now."""
    return [
        plan(step("command", "kitchen_light")),
        NATIVE.call("execute_command", devices=["kitchen_light"], command="turn_on", arguments={}),
        NATIVE.finish("acted", "The kitchen light is on."),
    ]


def now(command: str = "turn on the kitchen light") -> Completion:
    return NATIVE.call("device_interaction", command=command, final=True)


async def test_a_model_that_does_it_now_is_told_to_wait(
    hass: HomeAssistant, sage: Sage, user: User
) -> None:
    sage.model_says(now(), *writes(), polls())
    heard = await sage.hear(REQUEST, user_id=user.id)
    assert heard == "All right. Whenever the garage door opens: turn on the kitchen light."
    told = sage.server.completions[1].prompt
    assert "the request waits for" in told
    assert "the garage door opens" in told
    assert hass.states.is_state(ON, "off")
    assert len(routines_of(sage, user)) == 1


async def test_a_model_that_knows_better_does_it(
    hass: HomeAssistant, sage: Sage, user: User
) -> None:
    sage.model_says(now(), now(), *operates())
    heard = await sage.hear("if the garage is closed turn on the kitchen light", user_id=user.id)
    assert heard == "The kitchen light is on."
    assert hass.states.is_state(ON, "on")


@pytest.mark.parametrize(
    "request_text", ["turn on the kitchen light", "could you turn on the light when it is dark?"]
)
async def test_what_waits_for_nothing_is_done(
    hass: HomeAssistant, sage: Sage, user: User, request_text: str
) -> None:
    sage.model_says(now(), *operates())
    await sage.hear(request_text, user_id=user.id)
    assert hass.states.is_state(ON, "on")
