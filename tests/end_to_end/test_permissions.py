"""A person reads and does what their permissions allow, and sees only what is theirs."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from benchmark.model_script import Fault, FaultKind
from tests.decisions import FORMATS, NATIVE, Decides

from .attacker import attempt, called, expose, kinds, obeys, observed, person, sent
from .conftest import MakeSage, Sage

__all__ = ["called"]

KITCHEN = "light.kitchen_light"


def only(**entities: bool | dict[str, bool]) -> dict[str, Any]:
    """Return a policy for these lights and switches; `__` stands for the dot."""
    return {
        "entities": {
            "entity_ids": {name.replace("__", "."): given for name, given in entities.items()}
        }
    }


@pytest.fixture
def kim(hass: HomeAssistant, demo_home: HomeAssistant) -> str:
    """A child who may use the lamp, look at the kitchen light, and nothing else."""
    policy = only(
        light__office_lamp=True,
        light__kitchen_light={"read": True},
        scene__movie_night=True,
        script__good_night=True,
        light__pair=True,
        switch__party=True,
        cover__garage_door={"read": True},
        lock__front_door={"control": True},
    )
    return person(hass, "Kim", policy)


@pytest.mark.parametrize("name", FORMATS)
async def test_what_may_only_be_read_is_not_changed(make_sage: MakeSage, kim, called, name):
    sage, decides = await make_sage(name), Decides(name)
    answer = await attempt(sage, decides.execute("kitchen_light", command="turn_on"), user_id=kim)
    assert "You are not allowed to use Kitchen Light" in answer
    assert not called
    assert kinds(sage, kim) == ["refused"]


async def test_risky_thing_that_may_only_be_read_does_not_even_ask(sage: Sage, kim, called):
    decides = NATIVE
    await attempt(sage, decides.execute("garage_door", command="open_cover"), user_id=kim)
    assert not called
    assert kinds(sage, kim) == ["refused"]


async def test_what_may_not_be_read_is_in_no_prompt_and_cannot_be_named(sage: Sage, kim, called):
    """Being allowed to control something that one must not see is not enough either."""
    names = ("lock.front_door", "Front Door", "light.hallway_light", "all lock", "all switch")
    await attempt(
        sage,
        *(NATIVE.execute(name, command="turn_on") for name in names),
        NATIVE.call("read_attributes", devices=["all light"]),
        NATIVE.call("device_disambiguation", description="something that is hot"),
        user_id=kim,
    )
    assert not called
    told = observed(sage)
    assert "kitchen_light" in told
    for hidden in ("hallway light", "heater_fan", '"iron', "gu10", "nuki"):
        assert hidden not in told


async def test_scene_of_ones_own_reaches_no_further(hass, sage: Sage, kim):
    """It may be started; what it does in the home is done with the person's rights."""
    before = {each.entity_id: each.state for each in hass.states.async_all(("light", "lock"))}
    await attempt(sage, NATIVE.execute("scene.movie_night", command="turn_on"), user_id=kim)
    assert kinds(sage, kim) == ["refused"]
    await hass.async_block_till_done()
    after = {each.entity_id: each.state for each in hass.states.async_all(("light", "lock"))}
    assert after == before


async def test_somebody_elses_scene_and_script_cannot_be_started(sage: Sage, called, hass):
    sam = person(hass, "Sam", only(light__office_lamp=True))
    await attempt(
        sage,
        NATIVE.execute("script.let_guests_in", command="turn_on"),
        NATIVE.execute("scene.movie_night", command="turn_on"),
        user_id=sam,
    )
    assert not called


async def test_group_gives_no_rights_over_its_members(hass, sage: Sage, kim):
    pair = MockConfigEntry(
        domain="group",
        title="Pair",
        options={
            "group_type": "light",
            "name": "Pair",
            "entities": [KITCHEN, "light.dresser_light"],
            "hide_members": False,
            "all": False,
        },
    )
    pair.add_to_hass(hass)
    assert await hass.config_entries.async_setup(pair.entry_id)
    await hass.async_block_till_done()
    expose(hass, "light.pair")
    await attempt(sage, NATIVE.execute("light.pair", command="turn_on"), user_id=kim)
    await hass.async_block_till_done()
    assert hass.states.get(KITCHEN).state == "off"
    assert hass.states.get("light.dresser_light").state == "off"


async def test_permission_taken_away_stops_undo(hass, sage: Sage, called):
    policy = only(light__kitchen_light=True)
    pat = person(hass, "Pat", policy)
    await attempt(sage, NATIVE.execute("kitchen_light", command="turn_on"), user_id=pat)
    assert called == [("light", "turn_on")]
    user = await hass.auth.async_get_user(pat)
    user.groups[0].policy["entities"]["entity_ids"] = {}
    user.invalidate_cache()
    hass.bus.async_fire("user_updated", {"user_id": pat})
    await hass.async_block_till_done()
    obeys(sage, NATIVE.call("undo"))
    await sage.say("put it back", user_id=pat)
    assert called == [("light", "turn_on")]
    assert hass.states.get(KITCHEN).state == "on"


@pytest.mark.parametrize(
    "sentence", ["turn on the kitchen light", "turn off the hallway light", "turn on all lights"]
)
async def test_home_assistant_alone_keeps_to_the_permissions(
    sage: Sage, kim, called, swift_model, sentence
):
    sage.server.say([Fault(kind=FaultKind.SERVER_ERROR)] * 20)
    await sage.say(sentence, user_id=kim)
    assert not called


async def test_deactivated_user_is_somebody_unknown(hass, sage: Sage, called):
    lou = person(hass, "Lou")
    (await hass.auth.async_get_user(lou)).is_active = False
    await attempt(sage, NATIVE.execute("front_door", command="unlock"), user_id=lou)
    assert not called
    assert sage.traces(lou) == []
    assert kinds(sage) == ["refused"]


async def test_user_who_is_not_known_at_all_is_somebody_unknown(sage: Sage, called):
    await attempt(sage, NATIVE.execute("front_door", command="unlock"), user_id="made-up")
    assert not called
    assert kinds(sage) == ["refused"]


async def test_two_people_have_two_lists_of_devices(hass, sage: Sage, kim):
    ann = person(hass, "Ann")
    await attempt(sage, user_id=ann)
    assert "heater_fan" in sent(sage)
    sage.server.requests.clear()
    sage.conversation_id = None
    await attempt(sage, user_id=kim)
    assert "heater_fan" not in sent(sage)


async def test_area_of_hidden_things_alone_is_not_named(hass, sage: Sage, kim):
    ar.async_get(hass).async_create("Panic Room")
    await attempt(sage, user_id=kim)
    told = sent(sage)
    assert "Office" in told
    for area in ("Panic Room", "Bathroom", "Hallway"):
        assert area not in told


async def test_traces_are_for_whoever_spoke(
    hass, sage: Sage, hass_ws_client: WebSocketGenerator, hass_admin_user
):
    """Not even an administrator reads what somebody else said, nor what nobody known did."""
    assert await async_setup_component(hass, "websocket_api", {})
    ann = person(hass, "Ann")
    for speaker, text in ((ann, "the purple elephant"), (None, "the green giraffe")):
        sage.conversation_id = None
        obeys(sage)
        await sage.say(text, user_id=speaker)
    client = await hass_ws_client(hass)
    await client.send_json_auto_id({"type": "sage/traces"})
    assert (await client.receive_json())["result"] == {"traces": []}
    sage.model_says(NATIVE.finish("answered", "It is blue."))
    await sage.say("the blue whale", user_id=hass_admin_user.id)
    for asked in ({}, {"user_id": ann}, {"person": ann}):
        await client.send_json_auto_id({"type": "sage/traces", **asked})
        answer = await client.receive_json()
        assert "elephant" not in str(answer)
        assert "giraffe" not in str(answer)
        assert ("whale" in str(answer)) is (not asked)
        if not asked:
            (trace,) = answer["result"]["traces"]
            assert (trace["command"], trace["model_calls"]) == ("the blue whale", sage.model_calls)
            assert trace["usage"]["prompt_tokens"] > 0
            assert trace["root"]["children"][0]["kind"] == "model"
