"""The entity, its agents, and what a household may change of them."""

from types import MappingProxyType

import pytest
from homeassistant.components.conversation import async_converse
from homeassistant.config_entries import ConfigEntryState, ConfigSubentry
from homeassistant.core import Context
from homeassistant.helpers import device_registry as dr

from benchmark.model_script import Fault, FaultKind
from tests.decisions import NATIVE, step

from .conftest import MakeSage, Sage, device_of, spoken

JOKE = "Why did the chicken cross the road? To get to the other side!"


def another_agent(title: str, **data: object) -> ConfigSubentry:
    return ConfigSubentry(
        subentry_type="agent",
        title=title,
        unique_id=None,
        data=MappingProxyType({"decision_format": "native", **data}),
    )


async def test_entity(hass, sage: Sage) -> None:
    state = hass.states.get("conversation.sage")
    assert state.attributes["supported_features"] == 1
    device = dr.async_get(hass).async_get(device_of(hass, "conversation.sage"))
    assert isinstance(device, dr.DeviceEntry)
    assert (device.name, device.manufacturer, device.model) == ("SAGE", "SAGE", "test-model")
    entity = hass.data["conversation"].get_entity("conversation.sage")
    assert entity.supported_languages == "*"
    assert entity.supports_streaming


async def test_every_language_is_taken(sage: Sage) -> None:
    """A language without translations is the model's business; code speaks English then."""
    sage.model_says(*[NATIVE.finish("acted", "chenmoH")] * 2)
    heard = await sage.hear("So' 'oH", language="tlh")
    assert heard == "I have not changed anything."
    assert "Their language: tlh" in sage.server.completions[0].prompt


async def test_language_with_a_country(sage: Sage) -> None:
    sage.model_says(*[NATIVE.finish("acted", "Erledigt.")] * 2)
    assert await sage.hear("mach das", language="de-CH") == "Ich habe nichts geändert."


async def test_several_agents_with_instructions_of_their_own(hass, make_sage: MakeSage) -> None:
    sage = await make_sage(instructions="Speak like a pirate.")
    hass.config_entries.async_add_subentry(
        sage.entry, another_agent("Butler", instructions="Speak like a butler.")
    )
    await hass.async_block_till_done()
    assert sage.entry.state is ConfigEntryState.LOADED
    for agent, own in (("sage", "pirate"), ("butler", "butler")):
        sage.model_says(NATIVE.finish("answered", JOKE))
        result = await async_converse(
            hass, "tell me a joke", None, Context(), "en", f"conversation.{agent}"
        )
        assert spoken(result) == JOKE
        assert f"Speak like a {own}." in sage.server.completions[0].messages[0]["content"]


async def test_agent_that_is_removed_is_gone(hass, sage: Sage) -> None:
    subentry = another_agent("Butler")
    hass.config_entries.async_add_subentry(sage.entry, subentry)
    await hass.async_block_till_done()
    assert hass.states.get("conversation.butler")
    hass.config_entries.async_remove_subentry(sage.entry, subentry.subentry_id)
    await hass.async_block_till_done()
    assert hass.states.get("conversation.butler") is None
    assert hass.states.get("conversation.sage")


async def test_setup_does_not_need_the_model(hass, sage: Sage) -> None:
    await sage.server.async_stop()
    assert await hass.config_entries.async_reload(sage.entry.entry_id)
    assert sage.entry.state is ConfigEntryState.LOADED
    await sage.server.async_start()


async def test_extra_prompt_of_a_started_conversation(sage: Sage) -> None:
    sage.model_says(NATIVE.finish("answered", JOKE))
    await sage.say("tell me a joke", extra_system_prompt="The washing machine has finished.")
    assert "The washing machine has finished." in sage.server.completions[0].prompt


async def test_removed_user_is_forgotten(hass, sage: Sage, user, other) -> None:
    sage.model_says(NATIVE.finish("answered", JOKE))
    await sage.say("tell me a joke", user_id=other.id)
    assert sage.traces(other.id)
    await hass.auth.async_remove_user(other)
    await hass.async_block_till_done()
    assert not sage.traces(other.id)
    assert sage.entry.runtime_data.runs.earlier(sage.conversation_id, _person(other)) == ()


@pytest.mark.parametrize("kind", ["answered", "could_not"])
async def test_answer_that_is_not_the_streamed_one(sage: Sage, kind) -> None:
    """What was streamed before a fault is not repeated; what was not is said."""
    sage.model_says(
        *NATIVE.planned("is the hallway light on?", step("read", "hallway_light")),
        Fault(kind=FaultKind.EMPTY),
        NATIVE.finish(kind, "Yes, the hallway light is on."),
    )
    assert await sage.hear("is the hallway light on?") == "Yes, the hallway light is on."


def _person(user):
    from custom_components.sage.people.person import Person  # noqa: PLC0415

    return Person(user_id=user.id, name=user.name)
