"""The states and attributes that can be restored."""

from dataclasses import replace

import pytest
from homeassistant.core import HomeAssistant, State

from custom_components.sage.home.entities.restoring import async_can_restore, state_to_restore
from custom_components.sage.home.home_types import Outcome, OutcomeKind


def changed(component: str, before: dict[str, object], restore: dict[str, object]) -> Outcome:
    return Outcome(
        kind=OutcomeKind.VERIFIED,
        device_id="x",
        device_name="X",
        component_id=component,
        capability=component.partition(".")[0],
        command="c",
        before=before,
        restore=restore,
    )


def test_only_what_changed_comes_back_but_a_light_comes_back_whole():
    whole = {"state": "on", "volume_level": 0.5, "source": "Radio"}
    radio = state_to_restore(
        (changed("media_player.r", {"state": "on", "volume_level": 0.5}, whole),)
    )
    assert radio is not None
    assert radio.attributes == {"volume_level": 0.5}
    whole = {"state": "on", "brightness": 9, "color_mode": "hs", "effect": None}
    light = state_to_restore((changed("light.l", {"brightness": 9}, whole),))
    assert light is not None
    assert light.attributes == {"brightness": 9, "color_mode": "hs"}


@pytest.mark.parametrize(
    ("now", "state"), [("off", "off"), ("playing", "playing"), ("unavailable", "on"), (None, "on")]
)
def test_what_was_not_switched_is_left_as_somebody_switched_it_since(now, state):
    """The volume of a TV is put back; that does not bring the TV back."""
    whole = {"state": "on", "volume_level": 0.5}
    louder = {"state": "on", "volume_level": 0.6}
    player = replace(changed("media_player.tv", whole, whole), after=louder)
    restored = state_to_restore((player,), now and State("media_player.tv", now))
    assert restored is not None
    assert (restored.state, restored.attributes) == (state, {"volume_level": 0.5})


@pytest.mark.parametrize("after", ["off", "on"])
def test_what_was_switched_is_switched_back(after):
    """So it is where nothing was seen to change, and it may have."""
    lamp = changed("switch.s", {"state": "on"}, {"state": "on"})
    lamp = replace(lamp, after={"state": after})
    restored = state_to_restore((lamp,), State("switch.s", "off"))
    assert restored is not None
    assert restored.state == "on"


@pytest.mark.parametrize("state", ["unknown", "unavailable", None])
def test_an_unknown_state_cannot_come_back(state):
    assert state_to_restore((changed("light.l", {"state": state}, {}),)) is None


@pytest.mark.parametrize(
    ("entity_id", "state", "possible"),
    [
        ("light.l", "on", True),
        ("valve.v", "open", True),
        ("valve.v", "opening", False),
        ("button.b", "2026-01-01", False),
        ("made_up.x", "on", False),
    ],
)
async def test_which_domains_have_a_way_back(hass: HomeAssistant, entity_id, state, possible):
    assert await async_can_restore(hass, State(entity_id, state)) is possible
