"""Whose memory it is at a voice satellite, and what nobody may do there without the PIN."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from custom_components.sage.const import CONF_PIN_HASH
from custom_components.sage.people.pin import hash_pin
from tests.decisions import NATIVE
from tests.end_to_end.conftest import MakeSage, Sage
from tests.end_to_end.doors.pipeline import make_pipeline, set_up_assist
from tests.end_to_end.doors.voice import VoiceBox

from .story import asked_of_memory, knows, observed, plant, words

PIN = "4711"
MORNING = NATIVE.finish("answered", "The very same to you, and have a pleasant day!")
HOCKEY = "I like ice hockey a lot"
TEA = "I drink tea in the morning"
QUESTION = f'Shall I forget this: "{HOCKEY}"? To confirm, please say the PIN.'
DONE = "That is forgotten for ever."
SORRY = "I am afraid that did not work out."


@pytest.fixture
async def box(hass: HomeAssistant, demo_home, hass_ws_client) -> VoiceBox:
    """A voice box in the kitchen."""
    await set_up_assist(hass, Path(hass.config.path()))
    made = VoiceBox(hass)
    kitchen = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert kitchen is not None
    await made.async_setup(kitchen.id)
    return made


@pytest.fixture(scope="module")
def pin_hash() -> str:
    """The stored PIN of the household."""
    return hash_pin(PIN)


type Speak = Callable[[str], Any]


@pytest.fixture
async def sage(make_sage: MakeSage, box: VoiceBox, hass_ws_client, hass) -> Sage:
    """SAGE as the preferred pipeline of the box, in a household without a PIN."""
    return await speaking(hass, box, await make_sage(), hass_ws_client)


@pytest.fixture
async def guarded(make_sage: MakeSage, box: VoiceBox, hass_ws_client, hass, pin_hash) -> Sage:
    """The same in a household with a PIN."""
    options = {CONF_PIN_HASH: pin_hash}
    return await speaking(hass, box, await make_sage(options=options), hass_ws_client)


async def speaking(hass: HomeAssistant, box: VoiceBox, sage: Sage, hass_ws_client) -> Sage:
    socket = await hass_ws_client(hass)
    await make_pipeline(socket, stt=box.ears.entity_id, tts=box.mouth.entity_id)
    return sage


async def hear(box: VoiceBox, text: str) -> str:
    """Say something to the box; return what it says."""
    output = (await box.satellite.hear(text))["intent-end"]["intent_output"]
    return str(output["response"]["speech"]["plain"]["speech"])


async def give_box_to(
    sage: Sage, box: VoiceBox, user_id: str | None, of: str | None = None
) -> None:
    """Say in the options whose the satellite is; None takes it from the user `of`."""
    flows = sage.hass.config_entries.options
    flow = await flows.async_init(sage.entry.entry_id)
    flow = await flows.async_configure(flow["flow_id"], {"next_step_id": "satellites"})
    flow = await flows.async_configure(flow["flow_id"], {"user": user_id or of})
    chosen = [] if user_id is None else [box.satellite.entity_id]
    await flows.async_configure(flow["flow_id"], {"satellites": chosen})
    await sage.hass.async_block_till_done()


async def test_what_is_said_at_a_satellite_is_its_owners(
    sage: Sage, box: VoiceBox, user, other
) -> None:
    sage.model_says(MORNING)
    await hear(box, "nobody owns this yet")
    await give_box_to(sage, box, user.id)
    await plant(sage, user.id, HOCKEY)
    await plant(sage, other.id, TEA)
    sage.model_says(
        NATIVE.call("personalization", question="What does the person like?"),
        knows("Ice hockey.", 1),
        NATIVE.finish("answered", "You like ice hockey, as you said."),
    )
    assert await hear(box, "what do I like?") == "You like ice hockey, as you said."
    (given,) = asked_of_memory(sage)
    assert HOCKEY in given
    assert TEA not in given
    assert f"Person: {user.name}." in sage.server.completions[0].prompt
    assert await words(sage) == ["nobody owns this yet"]
    assert await words(sage, user.id) == [HOCKEY, "what do I like?"]
    assert [each["command"] for each in sage.traces(user.id)] == ["what do I like?"]


async def test_satellite_of_somebody_deactivated_is_the_households(
    hass: HomeAssistant, sage: Sage, box: VoiceBox, user
) -> None:
    await hass.auth.async_create_user("Owner")
    await give_box_to(sage, box, user.id)
    await plant(sage, user.id, HOCKEY)
    await hass.auth.async_deactivate_user(user)
    sage.model_says(
        NATIVE.call("personalization", question="What does the person like?"),
        NATIVE.call("memory", action="forget_everything"),
        MORNING,
    )
    await hear(box, "who am I")
    prompts = "\n".join(each.prompt for each in sage.server.completions)
    assert "Nothing is known about that." in observed(sage, 1)
    assert "Person: not known." in prompts
    assert HOCKEY not in prompts
    assert user.name not in prompts
    assert await words(sage) == ["who am I"]
    await hass.auth.async_activate_user(user)
    sage.model_says(MORNING)
    await hear(box, "here I am again")
    assert await words(sage, user.id) == [HOCKEY, "here I am again"]


async def test_satellite_of_somebody_removed_is_the_households(
    hass: HomeAssistant, sage: Sage, box: VoiceBox, user
) -> None:
    await give_box_to(sage, box, user.id)
    await hass.auth.async_remove_user(user)
    await hass.async_block_till_done()
    sage.model_says(MORNING)
    await hear(box, "who am I")
    assert await words(sage) == ["who am I"]


def forgets(*after: Any, action: str = "forget", **more: Any) -> tuple[Any, ...]:
    """Return the decision to forget, and what the model decides then."""
    return (NATIVE.call("memory", action=action, **more), *after)


@pytest.mark.parametrize(
    "wish",
    [
        {"action": "forget", "text": "ice hockey"},
        {"action": "forget_everything"},
        {"action": "forget_period", "first_day": "2020-01-01", "last_day": "2090-01-01"},
    ],
)
async def test_without_a_pin_nothing_of_a_person_is_forgotten_there(
    sage: Sage, box: VoiceBox, user, wish
) -> None:
    await give_box_to(sage, box, user.id)
    await plant(sage, user.id, HOCKEY)
    sage.model_says(*forgets(NATIVE.finish("could_not", SORRY), **wish))
    assert await hear(box, "forget it") == SORRY
    assert "nobody can confirm it here" in observed(sage)
    sage.model_says(MORNING)
    await hear(box, "yes")
    assert await words(sage, user.id) == [HOCKEY, "forget it", "yes"]


async def test_pin_lets_its_owner_forget_at_a_satellite(guarded: Sage, box: VoiceBox, user) -> None:
    sage = guarded
    await give_box_to(sage, box, user.id)
    await plant(sage, user.id, HOCKEY)
    await plant(sage, user.id, TEA)
    sage.model_says(*forgets(NATIVE.finish("acted", DONE), text="ice hockey"))
    assert await hear(box, "forget about the hockey") == QUESTION
    assert await hear(box, "yes") == "Please say just the PIN, or say no."
    assert (await hear(box, "4712")).startswith("That was not the right PIN.")
    assert HOCKEY in await words(sage, user.id)
    assert await hear(box, "four seven one one") == DONE
    assert await words(sage, user.id) == [TEA]
    prompts = "\n".join(each.prompt for each in sage.server.completions)
    for secret in (PIN, "4712", "four seven"):
        assert secret not in prompts
        assert secret not in repr(sage.traces(user.id))


async def test_pin_of_an_unknown_speaker_reaches_nobodys_memory(
    guarded: Sage, box: VoiceBox, user
) -> None:
    """At a satellite of the household, a yes is enough for the household's own memories."""
    sage = guarded
    await plant(sage, user.id, HOCKEY)
    await plant(sage, None, TEA)
    sage.model_says(*forgets(NATIVE.finish("acted", DONE), action="forget_everything"))
    question = await hear(box, "forget it all")
    assert question == "Number of memories: 1. Shall I forget all of them?"
    assert await hear(box, "yes") == DONE
    assert await words(sage) == []
    assert await words(sage, user.id) == [HOCKEY]


async def test_what_only_holds_a_pin_is_no_memory(guarded: Sage, box: VoiceBox, user) -> None:
    sage = guarded
    await give_box_to(sage, box, user.id)
    sage.server.say(lambda _: MORNING)
    for said in (PIN, "four seven one one", "my PIN is 4711"):
        await hear(box, said)
    sage.model_says(NATIVE.call("human_interaction", question="What is the PIN?"), MORNING)
    await hear(box, "let me in")
    await hear(box, PIN)
    assert await words(sage, user.id) == ["my PIN is [PIN]", "let me in"]
