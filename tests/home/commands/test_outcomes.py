"""The outcomes, each by its evidence and each with its true sentence."""

import pytest
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.device_registry import DeviceInfo

from custom_components.sage.home.commands.outcome_text import describe_for_model
from custom_components.sage.home.commands.undo_history import outcomes_of, undo_record
from custom_components.sage.home.home_types import Outcome, OutcomeKind

from ..entity_home import Asking, EntityHome
from ..entity_kinds import (
    Alarm,
    BlindPlug,
    BrokenPlug,
    DeadLight,
    Fan,
    Firmware,
    Light,
    Number,
    Player,
    Plug,
    Thermostat,
)


async def test_a_plug_that_guesses_its_state_is_only_sent(house):
    plug = BlindPlug("Old Plug")
    await house.async_furnish(plug)
    outcome = await house.async_do("Old Plug", "turn_on")
    assert plug.calls == [("turn_on", {})]
    assert outcome.kind is OutcomeKind.SENT


async def test_a_light_that_is_on_but_keeps_its_brightness_is_not_confirmed(house):
    light = DeadLight("Hall Light")
    light.begin(is_on=True)
    await house.async_furnish(light)
    outcome = await house.async_do("Hall Light", "turn_on", {"brightness_pct": 80})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    outcome = await house.async_do("Hall Light", "turn_on", {"color_temp_kelvin": 2700})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (
            ServiceValidationError("Too early."),
            OutcomeKind.FAILED,
            "Home Assistant says: Too early.",
        ),
        (ValueError("no such wire"), OutcomeKind.FAILED, "Home Assistant says: no such wire."),
        (KeyError(), OutcomeKind.FAILED, "Home Assistant says: KeyError."),
        (Unauthorized(), OutcomeKind.REFUSED, "You are not allowed to use Plug"),
    ],
)
async def test_every_error_becomes_an_outcome(house, error, kind, told):
    plug = BrokenPlug("Plug")
    plug.error = error
    await house.async_furnish(plug)
    outcome = await house.async_do("Plug", "turn_on")
    assert outcome.kind is kind
    assert told in await house.async_say(outcome)


async def test_several_devices_share_a_sentence(house):
    await house.async_furnish(Light("Kitchen Light"), Light("Hall Light"), DeadLight("Bed Light"))
    outcomes = [
        await house.async_do(name, "turn_on")
        for name in ("Kitchen Light", "Hall Light", "Bed Light")
    ]
    assert await house.async_say(*outcomes) == (
        "Kitchen Light and Hall Light are now on. "
        "I sent the command to Bed Light, but saw no effect. "
        "Its state is: off."
    )


async def strips(house: EntityHome, *areas: str | None, **lit: bool) -> list[Outcome]:
    """Furnish light strips that are all called the same, and turn them on."""
    made = [Light("Light Strip") for _ in areas]
    for each, number in zip(made, range(1, 9), strict=False):
        each.begin(unique_id=f"strip {number}")
        each.begin(device_info=DeviceInfo(identifiers={("test", str(number))}, name="Light Strip"))
        each.begin(is_on=lit.get(f"strip_{number}", True))
    await house.async_furnish(*made)
    devices = dr.async_get(house.hass)
    for each, area in zip(made, areas, strict=True):
        if area is not None:
            row = er.async_get(house.hass).async_get(each.entity_id)
            assert row is not None
            assert row.device_id is not None
            area_id = ar.async_get(house.hass).async_get_or_create(area).id
            devices.async_update_device(row.device_id, area_id=area_id)
    await house.hass.async_block_till_done()
    return [await house.async_do(each.entity_id, "turn_on") for each in made]


async def test_devices_of_one_name_are_told_apart_by_their_areas(house):
    outcomes = await strips(house, "Bedroom", "Dining Room", "Hall")
    assert await house.async_say(*outcomes) == (
        "Light Strip (Bedroom), Light Strip (Dining Room) and Light Strip (Hall) were already on."
    )
    # Alone its name says enough.
    assert await house.async_say(outcomes[1]) == "Light Strip was already on."


@pytest.mark.parametrize(
    ("areas", "words"),
    [
        (("Hall", "Hall"), "2 × Light Strip were already on."),
        ((None, None), "2 × Light Strip were already on."),
        (
            ("Hall", "Hall", "Bedroom"),
            "2 × Light Strip (Hall) and Light Strip (Bedroom) were already on.",
        ),
        (("Hall", None), "Light Strip (Hall) and Light Strip were already on."),
    ],
)
async def test_what_no_area_tells_apart_is_counted(house, areas, words):
    assert await house.async_say(*await strips(house, *areas)) == words


async def test_the_area_is_known_where_it_is_put_back(house):
    outcomes = await strips(house, "Bedroom", "Hall", strip_1=False, strip_2=False)
    record = undo_record(house.hass, outcomes)
    assert record is not None
    back = await house.undo.async_put_back(Asking(), outcomes_of(house.hass, record))
    assert await house.async_say(*back) == (
        "Light Strip (Bedroom) and Light Strip (Hall) are now off."
    )


async def test_values_and_modes_are_told(house):
    await house.async_furnish(Thermostat("Heating"), Player("Radio"), Fan("Fan"), Number("Level"))
    warm = await house.async_do("Heating", "set_temperature", {"temperature": "22.5 °C"})
    assert warm.kind is OutcomeKind.VERIFIED
    assert await house.async_say(warm) == "Heating is now at 22.5 degrees."
    loud = await house.async_do("Radio", "volume_set", {"volume_level": 0.2})
    assert await house.async_say(loud) == "Radio is now at 20 percent volume."
    louder = await house.async_do("Radio", "volume_up")
    assert louder.kind is OutcomeKind.VERIFIED
    assert await house.async_say(louder) == "Radio is now at 30 percent volume."
    fast = await house.async_do("Fan", "set_percentage", {"percentage": 50})
    assert fast.kind is OutcomeKind.VERIFIED
    assert await house.async_say(fast) == "Fan is now at 66 percent speed."
    level = await house.async_do("Level", "set_value", {"value": 42})
    assert level.kind is OutcomeKind.VERIFIED
    assert "is now set to 42" in await house.async_say(level)
    mode = await house.async_do("Heating", "set_hvac_mode", {"hvac_mode": "off"})
    assert await house.async_say(mode) == "Heating is now off."
    mode = await house.async_do("Heating", "set_hvac_mode", {"hvac_mode": "HEAT"})
    assert await house.async_say(mode) == "Heating is now set to Heat."


async def test_an_update_and_an_alarm_are_under_way(house):
    firmware = Firmware("Hub Firmware")
    await house.async_furnish(firmware, Alarm("Alarm"))
    house.waits.call_seconds = 0.2
    outcome = await house.async_do("Hub Firmware", "install")
    assert outcome.kind is OutcomeKind.UNDER_WAY
    assert await house.async_say(outcome) == (
        "Hub Firmware has started; I have not seen it finish yet."
    )
    # A call that takes long is not cut off.
    firmware.done.set()
    await house.hass.async_block_till_done()
    assert house.hass.states.get(firmware.entity_id).state == "off"
    outcome = await house.async_do("Alarm", "alarm_arm_home")
    assert outcome.kind is OutcomeKind.VERIFIED
    outcome = await house.async_do("Alarm", "alarm_arm_away")
    assert outcome.kind is OutcomeKind.UNDER_WAY
    assert await house.async_say(outcome) == "Alarm is arming; I have not seen it finish yet."


async def test_a_plug_switched_by_somebody_else_before_the_call_is_followed(house):
    plug = Plug("Plug")
    await house.async_furnish(plug)
    first = await house.async_do("Plug", "turn_on")
    second = await house.async_do("Plug", "turn_off")
    assert (first.kind, second.kind) == (OutcomeKind.VERIFIED, OutcomeKind.VERIFIED)
    assert describe_for_model([first]).startswith(
        "- Plug (switch.plug) turn_on(): verified; state off -> on"
    )
    assert describe_for_model([]) == ""
