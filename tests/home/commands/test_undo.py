"""Put it back: what a run changed, through the same gate, and only for who did it."""

from typing import Any

import pytest
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.setup import async_setup_component

from custom_components.sage.home.commands.undo_history import (
    LIFETIME_SECONDS,
    MOST_CHANGES,
    NoUndoError,
    UndoHistory,
)
from custom_components.sage.home.home_types import Command, OutcomeKind
from custom_components.sage.home.safety.authority import Confirmation
from custom_components.sage.people.person import HOUSEHOLD

from ..entity_home import CONVERSATION, Asking, EntityHome
from ..entity_kinds import (
    Button,
    CloudScene,
    DeadLight,
    FastCover,
    Light,
    Lock,
    Plug,
    Siren,
    Thermostat,
    Valve,
)


async def undo(house: EntityHome, authority: Asking | None = None, **more: Any):
    authority = authority or Asking()
    outcomes = await house.undo.async_undo(authority, **more)
    house.undo.record(authority.person, authority.conversation_id, outcomes)
    return outcomes


async def test_an_undo_can_be_undone(house):
    await house.async_furnish(Light("Lamp"))
    await house.async_do("Lamp", "turn_on")
    (off,) = await undo(house)
    assert house.hass.states.get("light.lamp").state == "off"
    assert await house.async_say(off) == "Lamp is now off."
    (on,) = await undo(house)
    assert on.kind is OutcomeKind.VERIFIED
    assert house.hass.states.get("light.lamp").state == "on"


async def test_all_devices_of_one_change_go_back_to_where_they_began(house):
    lamp, blind, heating = Light("Lamp"), FastCover("Blind"), Thermostat("Heating")
    await house.async_furnish(lamp, blind, heating, Valve("Water"))
    requests = [
        Command(device_id="Lamp", name="turn_on"),
        Command(device_id="Lamp", name="turn_on", arguments={"brightness_pct": 10}),
        Command(device_id="Blind", name="open_cover"),
        Command(device_id="Heating", name="set_temperature", arguments={"temperature": 25}),
        Command(device_id="Water", name="open_valve"),
    ]
    await house.async_do_all(requests, Asking())
    outcomes = await undo(house)
    assert {outcome.kind for outcome in outcomes} == {OutcomeKind.VERIFIED}
    states = house.hass.states
    assert states.get("light.lamp").state == "off"
    assert states.get("cover.blind").state == "closed"
    assert states.get("climate.heating").attributes["temperature"] == 20
    assert states.get("valve.water").state == "closed"


def of(*entity_ids: str):
    return lambda outcomes: [each for each in outcomes if each.component_id in entity_ids]


async def test_a_run_is_undone_when_nothing_of_it_is_left_until_something_is_done_again(house):
    await house.async_furnish(Light("Lamp"), Plug("TV"))
    both = [Command(device_id=name, name="turn_on") for name in ("Lamp", "TV")]
    talk = Asking()
    talk.conversation_id = "talk"
    house.undo.record(HOUSEHOLD, "talk", await house.async_do_all(both, Asking()), "run")

    async def undone(only=None) -> tuple[list[str], list[str]]:
        await undo(house, talk, only=only)
        return list(house.undo.undone_runs(HOUSEHOLD)), list(house.undo.last_runs(HOUSEHOLD))

    assert await undone(of("light.lamp")) == ([], [])
    assert await undone(of("switch.tv")) == (["run"], [])
    assert await undone() == ([], [])


async def test_each_device_goes_back_by_its_own_last_change(house):
    await house.async_furnish(Light("Lamp"), Plug("TV"))
    await house.async_do("Lamp", "turn_on", {"brightness_pct": 20})
    await house.async_do("Lamp", "turn_on", {"brightness_pct": 60})
    await house.async_do("TV", "turn_on")

    (lamp,) = await undo(house, only=of("light.lamp"))

    assert lamp.kind is OutcomeKind.VERIFIED
    assert house.hass.states.get("light.lamp").attributes["brightness"] == 51
    assert house.hass.states.get("switch.tv").state == "on"


async def test_what_was_refused_can_be_put_back_later(house):
    """The lamp went back, the door did not: only the door is left to be put back."""
    await house.async_furnish(Light("Lamp"), Lock("Front Door"))
    await house.async_do("Front Door", "unlock")
    both = [Command(device_id="Front Door", name="lock"), Command(device_id="Lamp", name="turn_on")]
    await house.async_do_all(both, Asking())
    await undo(house, Asking(answer=Confirmation.DECLINED))
    assert house.hass.states.get("light.lamp").state == "off"
    assert house.hass.states.get("lock.front_door").state == "locked"

    (door,) = await undo(house, only=of("lock.front_door"))

    assert door.kind is OutcomeKind.VERIFIED
    assert house.hass.states.get("lock.front_door").state == "unlocked"


async def test_the_gate_holds_for_undo(house):
    await house.async_furnish(Light("Lamp"), Light("Desk Lamp"))
    await house.async_do("Lamp", "turn_on")
    house.expose("light.lamp", exposed=False)
    (outcome,) = await undo(house)
    assert outcome.kind is OutcomeKind.REFUSED
    house.expose("light.lamp")
    house.hass.states.async_set("light.lamp", "unavailable")
    (outcome,) = await undo(house)
    assert outcome.kind is OutcomeKind.FAILED
    house.hass.states.async_remove("light.lamp")
    (outcome,) = await undo(house)
    assert outcome.reason == "outcome_failed_gone"


async def test_what_changes_while_asked_is_not_put_back(house):
    lock = Lock("Front Door")
    lock.begin(is_locked=False)
    await house.async_furnish(lock)
    await house.async_do("Front Door", "lock")
    sly = Asking(meanwhile=lambda: house.expose("lock.front_door", exposed=False))
    (outcome,) = await undo(house, sly)
    assert outcome.kind is OutcomeKind.REFUSED
    assert house.hass.states.get("lock.front_door").state == "locked"


async def test_what_cannot_be_put_back_is_named(house):
    await house.async_furnish(CloudScene("Evening"), Button("Gong"), Light("Lamp"))
    requests = [Command(device_id="Gong", name="press"), Command(device_id="Lamp", name="turn_on")]
    await house.async_do_all(requests, Asking())
    outcomes = await undo(house)
    assert await house.async_say(*outcomes) == (
        "I can't restore the previous state of Gong. Lamp is now off."
    )
    await house.async_do("Evening", "turn_on")
    (outcome,) = await undo(house)
    assert outcome.reason == "outcome_failed_no_undo"


async def test_a_siren_has_its_own_way_back(house):
    siren = Siren("Roof")
    await house.async_furnish(siren)
    await house.async_do("Roof", "turn_off")
    (outcome,) = await undo(house)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert siren.calls == [("turn_off", {}), ("turn_on", {})]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (HomeAssistantError("Fuse blown."), OutcomeKind.FAILED),
        (Unauthorized(), OutcomeKind.REFUSED),
    ],
)
async def test_errors_become_outcomes(house, error, kind):
    plug = Plug("Plug")
    await house.async_furnish(plug)
    await house.async_do("Plug", "turn_on")

    async def fail(**kwargs):
        raise error

    plug.async_turn_off = fail  # type: ignore[method-assign]
    (outcome,) = await undo(house)
    assert outcome.kind is kind


async def test_a_command_without_visible_effect_is_put_back_too(house):
    lamp = DeadLight("Lamp")
    await house.async_furnish(lamp)
    await house.async_do("Lamp", "turn_on")
    (outcome,) = await undo(house)
    assert outcome.kind is OutcomeKind.ALREADY


async def test_the_history_is_short_and_forgets(hass):
    now = 0.0
    house = EntityHome(hass)
    house.undo = UndoHistory(house.pipeline, now=lambda: now)
    await house.async_furnish(Plug("Plug"))
    for turn in range(MOST_CHANGES + 3):
        await house.async_do("Plug", "turn_off" if turn % 2 else "turn_on")
    assert len(house.undo.changed(HOUSEHOLD, CONVERSATION)) == MOST_CHANGES
    now += LIFETIME_SECONDS + 1
    with pytest.raises(NoUndoError) as error:
        await undo(house)
    assert (error.value.reason, error.value.devices) == ("undo_too_old", "Plug")
    house.close()


async def test_a_domain_that_is_not_there_cannot_be_restored(house):
    assert await async_setup_component(house.hass, "input_boolean", {"input_boolean": {"a": {}}})
    await house.async_furnish(Light("Lamp"))
    house.expose("input_boolean.a")
    outcome = await house.async_do("input_boolean.a", "turn_on")
    assert outcome.kind is OutcomeKind.VERIFIED
    (outcome,) = await undo(house)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert house.hass.states.get("input_boolean.a").state == "off"
