"""REST: another program speaks for a person with a token."""

from typing import Any

import pytest
from homeassistant.setup import async_setup_component

from .conftest import Sage
from .doors.decided import KITCHEN_LIGHT, ask, read_the_kitchen_light, turn_on_the_kitchen_light


class Rest:
    """The REST door."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def say(self, text: str, **more: Any) -> dict[str, Any]:
        """Say something; return the result."""
        said = {"text": text, "agent_id": "conversation.sage", "language": "en"} | more
        response = await self._client.post("/api/conversation/process", json=said)
        assert response.status == 200, await response.text()
        result: dict[str, Any] = await response.json()
        return result


def spoken(result: dict[str, Any]) -> str:
    return str(result["response"]["speech"]["plain"]["speech"])


@pytest.fixture
async def rest(hass, sage: Sage, hass_client) -> Rest:
    assert await async_setup_component(hass, "api", {})
    return Rest(await hass_client())


async def test_a_question_carries_what_the_reply_needs(
    hass, rest: Rest, sage: Sage, hass_admin_user
) -> None:
    sage.model_says(ask("Which light do you mean?"), *turn_on_the_kitchen_light())
    asked = await rest.say("turn on the light")
    assert spoken(asked) == "Which light do you mean?"
    assert asked["continue_conversation"] is True
    assert asked["conversation_id"]
    assert hass.states.get(KITCHEN_LIGHT).state == "off"

    done = await rest.say("the kitchen one", conversation_id=asked["conversation_id"])
    assert spoken(done) == "The kitchen light is on."
    assert done["response"]["response_type"] == "action_done"
    assert done["conversation_id"] == asked["conversation_id"]
    assert done["continue_conversation"] is False
    assert hass.states.get(KITCHEN_LIGHT).state == "on"
    assert 'The person replied: "the kitchen one"' in sage.server.completions[1].prompt
    # One run, not two: the second turn went on where the first stood.
    (trace,) = sage.traces(hass_admin_user.id)
    assert trace["command"] == "turn on the light"


async def test_a_reply_without_the_conversation_is_a_new_request(rest: Rest, sage: Sage) -> None:
    sage.model_says(ask("Which light do you mean?"), *read_the_kitchen_light("It is off."))
    await rest.say("turn on the light")
    answered = await rest.say("is the kitchen light on?")
    assert spoken(answered) == "It is off."
    assert sage.state(KITCHEN_LIGHT) == "off"


async def test_a_conversation_of_the_callers_own_name_goes_on(rest: Rest, sage: Sage) -> None:
    sage.model_says(ask("Which light do you mean?"), *turn_on_the_kitchen_light())
    mine = {"conversation_id": "my-wall-tablet"}
    asked = await rest.say("turn on the light", **mine)
    assert asked["conversation_id"] == "my-wall-tablet"
    assert spoken(await rest.say("the kitchen one", **mine)) == "The kitchen light is on."


async def test_a_model_that_is_away_is_said_so(rest: Rest, sage: Sage) -> None:
    await sage.server.async_stop()
    result = await rest.say("turn on the kitchen light please, if that is at all possible today")
    assert result["response"]["response_type"] == "error"
    assert result["continue_conversation"] is False
    assert spoken(result)
