"""The same command for several devices: a call and an outcome for each of them."""

import asyncio
from typing import Any

from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.exceptions import HomeAssistantError
from pytest_homeassistant_custom_component.common import async_capture_events

from custom_components.sage.home.home_types import Command, OutcomeKind

from ..entity_home import Asking, EntityHome
from ..entity_kinds import BlindPlug, Light, Lock, TestEntity

FAILED, VERIFIED = OutcomeKind.FAILED, OutcomeKind.VERIFIED


class RefusingLight(Light):
    """Answers each command with an error."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on", **kwargs)
        raise HomeAssistantError(f"{self.name} is loose.")


class HangingLight(Light):
    """Never comes to an end by itself."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on", **kwargs)
        await self.free.wait()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.free = asyncio.Event()


class BlindRefusingPlug(BlindPlug):
    """Only guesses its state, and answers with an error."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        raise HomeAssistantError("No power.")


async def async_turn_on(
    house: EntityHome, *things: TestEntity, authority: Asking | None = None, **arguments
):
    requests = [
        Command(device_id=str(each.name), name="turn_on", arguments=arguments) for each in things
    ]
    return await house.async_do_all(requests, authority or Asking())


def calls_of(*things: TestEntity) -> list[int]:
    return [len(each.calls) for each in things]


async def test_each_has_its_own_evidence(house):
    lamps = [Light(f"Lamp {number}") for number in range(4)]
    lamps[3].begin(is_on=True)
    lamps[3].begin(brightness=51)
    await house.async_furnish(*lamps)
    outcomes = await async_turn_on(house, *lamps, brightness_pct=20)
    assert [each.component_id for each in outcomes] == [lamp.entity_id for lamp in lamps]
    assert [each.kind for each in outcomes] == [VERIFIED] * 3 + [OutcomeKind.ALREADY]
    assert [each.before["state"] for each in outcomes] == ["off"] * 3 + ["on"]
    assert [each.restore["state"] for each in outcomes] == ["off"] * 3 + ["on"]
    assert all(each.after["brightness"] == 51 for each in outcomes)
    assert calls_of(*lamps) == [1] * 4


async def test_one_that_is_away_and_one_that_refuses(house):
    away, refusing = Light("Away"), RefusingLight("Refusing")
    lamps = [Light("First"), away, refusing, Light("Middle"), Light("Last")]
    await house.async_furnish(*lamps)
    away.set(available=False)
    outcomes = await async_turn_on(house, *lamps)
    assert [each.kind for each in outcomes] == [VERIFIED, FAILED, FAILED, VERIFIED, VERIFIED]
    assert outcomes[1].reason == "outcome_failed_unavailable"
    assert outcomes[2].detail == "Home Assistant says: Refusing is loose."
    assert calls_of(*lamps) == [1, 0, 1, 1, 1]
    assert await house.async_say(outcomes[2], outcomes[3]) == (
        await house.async_say(outcomes[2]) + " " + await house.async_say(outcomes[3])
    )


async def test_an_error_of_a_call_that_an_entity_made_repeats_nothing(house):
    inner, plain = Light("Inner"), Light("Plain")

    async def turn_on(**kwargs: Any) -> None:
        inner.noted("turn_on")
        await house.hass.services.async_call(
            "light", "turn_on", {"brightness": 1, "brightness_pct": 2, "entity_id": "light.plain"},
            blocking=True,
        )  # fmt: skip

    inner.async_turn_on = turn_on  # type: ignore[method-assign]
    await house.async_furnish(inner, plain)
    outcomes = await async_turn_on(house, inner, plain)
    assert [each.kind for each in outcomes] == [FAILED, VERIFIED]
    assert calls_of(inner, plain) == [1, 1]


async def test_one_that_hangs_is_not_asked_twice(house):
    hanging, lamp = HangingLight("Hanging"), Light("Lamp")
    house.waits.call_seconds = 0.05
    await house.async_furnish(hanging, lamp)
    outcomes = await async_turn_on(house, hanging, lamp)
    assert [each.kind for each in outcomes] == [OutcomeKind.NOT_CONFIRMED, VERIFIED]
    assert calls_of(hanging, lamp) == [1, 1]
    hanging.free.set()
    await house.hass.async_block_till_done()
    assert calls_of(hanging, lamp) == [1, 1]


async def test_an_error_is_known_of_what_cannot_be_observed(house):
    plugs = [BlindPlug("Fan"), BlindRefusingPlug("Pump")]
    await house.async_furnish(*plugs)
    outcomes = await async_turn_on(house, *plugs)
    assert [each.kind for each in outcomes] == [OutcomeKind.SENT, FAILED]


async def test_the_risk_of_each_is_asked_and_the_gate_holds_for_each(house):
    locks = [Lock("Front"), Lock("Back"), Lock("Cellar")]
    await house.async_furnish(*locks)
    sly = Asking(meanwhile=lambda: house.expose("lock.back", exposed=False))
    requests = [Command(device_id=str(each.name), name="unlock") for each in locks]
    called = async_capture_events(house.hass, EVENT_CALL_SERVICE)
    outcomes = await house.async_do_all(requests, sly)
    assert [action.device_name for action in sly.asked[0]] == ["Front", "Back", "Cellar"]
    assert [each.kind for each in outcomes] == [VERIFIED, OutcomeKind.REFUSED, VERIFIED]
    entity_ids = [each.data["service_data"]["entity_id"] for each in called]
    assert entity_ids == ["lock.front", "lock.cellar"]
    assert locks[1].calls == []


async def test_undo_brings_each_of_them_back_to_its_own_state(house):
    lamps = [Light("Dark"), Light("Bright"), RefusingLight("Refusing")]
    for lamp, level in zip(lamps[1:], (200, 90), strict=True):
        lamp.begin(is_on=True)
        lamp.begin(brightness=level)
    await house.async_furnish(*lamps)
    await async_turn_on(house, *lamps, brightness_pct=20)
    outcomes = await house.undo.async_undo(Asking())
    assert [each.component_id for each in outcomes] == ["light.dark", "light.bright"]
    assert [each.kind for each in outcomes] == [VERIFIED, VERIFIED]
    assert house.hass.states.get("light.dark").state == "off"
    assert house.hass.states.get("light.bright").attributes["brightness"] == 200
    assert calls_of(lamps[2]) == [1]
