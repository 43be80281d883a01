"""An automation asks SAGE: nobody is logged in, and the answer is used further on."""

import pytest
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import async_capture_events

from tests.decisions import claim, plan, step

from .conftest import Sage
from .doors.decided import (
    DECIDES,
    KITCHEN_LIGHT,
    read_the_kitchen_light,
    turn_on_the_kitchen_light,
)

DOORBELL = {
    "id": "doorbell",
    "alias": "Light for the doorbell",
    "trigger": {"platform": "event", "event_type": "doorbell"},
    "action": [
        {
            "action": "conversation.process",
            "data": {
                "agent_id": "conversation.sage",
                "text": "{{ trigger.event.data.wish }}",
                "language": "en",
            },
            "response_variable": "sage",
        },
        {
            "event": "answered",
            "event_data": {
                "speech": "{{ sage.response.speech.plain.speech }}",
                "kind": "{{ sage.response.response_type }}",
                "again": "{{ sage.continue_conversation }}",
            },
        },
    ],
}


@pytest.fixture
async def doorbell(hass, sage: Sage):
    """A real automation; returns what it hears."""
    assert await async_setup_component(hass, "automation", {"automation": DOORBELL})
    await hass.async_block_till_done()
    assert hass.states.get("automation.light_for_the_doorbell").state == "on"
    heard = async_capture_events(hass, "answered")

    async def ring(wish: str) -> dict[str, object]:
        heard.clear()
        hass.bus.async_fire("doorbell", {"wish": wish})
        await hass.async_block_till_done(wait_background_tasks=True)
        (event,) = heard
        return dict(event.data)

    return ring


async def test_an_automation_turns_on_a_light_and_hears_the_answer(
    hass, sage: Sage, doorbell
) -> None:
    sage.model_says(*turn_on_the_kitchen_light())
    heard = await doorbell("turn on the kitchen light")
    assert heard == {
        "speech": "The kitchen light is on.",
        "kind": "action_done",
        "again": False,
    }
    light = hass.states.get(KITCHEN_LIGHT)
    assert light.state == "on"
    assert light.context.user_id is None
    # Nobody is known; the trace is the household's.
    assert "Person: not known." in sage.server.completions[0].prompt
    assert [trace["command"] for trace in sage.traces(None)] == ["turn on the kitchen light"]
    assert [outcome["kind"] for outcome in sage.trace["outcomes"]] == ["verified"]


async def test_an_automation_asks_about_the_home(sage: Sage, doorbell) -> None:
    sage.model_says(*read_the_kitchen_light("The kitchen light is off."))
    heard = await doorbell("is the kitchen light on?")
    assert heard["speech"] == "The kitchen light is off."


async def test_an_automation_cannot_unlock_the_door(hass, sage: Sage, doorbell) -> None:
    """Nobody is there to confirm it."""
    sage.model_says(
        DECIDES.call(
            "device_interaction", timing="now", command="unlock the front door", final=True
        ),
        plan(step("command", "front_door", capabilities=("lock",))),
        DECIDES.call("execute_command", devices=["front_door"], command="unlock"),
        *[DECIDES.finish("acted", "It is unlocked.", claim("front_door", "unlocked"))] * 2,
    )
    heard = await doorbell("unlock the front door")
    assert "is unlocked" not in str(heard["speech"])
    assert hass.states.get("lock.front_door").state == "locked"
