"""Put it back: raw attributes get their earlier values, where a command sets them."""

import pytest

from custom_components.sage.home.commands.changed_since import FAILED_NO_UNDO
from custom_components.sage.home.home_types import Outcome, OutcomeKind, RiskClass

from ..house import Asking
from .raw_house import RawHouse, Thing


@pytest.fixture
def things() -> dict[str, Thing]:
    return {
        "tv": Thing(
            "TV",
            {
                "main": {
                    "tvChannel": {"tvChannel": "5"},
                    "audioVolume": {"volume": 10},
                    "custom.launchapp": {},
                }
            },
        ),
        "lamp": Thing(
            "Lamp",
            {
                "main": {
                    "switch": {"switch": "on"},
                    "colorControl": {"hue": 10, "saturation": 20},
                }
            },
        ),
        "dishwasher": Thing(
            "Dishwasher",
            {
                "main": {
                    "samsungce.dishwasherOperation": {"operatingState": "ready"},
                    "samsungce.dishwasherWashingOptions": {
                        "sanitize": {"value": False, "settable": [False, True]}
                    },
                }
            },
        ),
        "shade": Thing("Shade", {"main": {"windowShade": {"windowShade": "open"}}}),
    }


@pytest.fixture
def house(things: dict[str, Thing]) -> RawHouse:
    return RawHouse(*things.values())


async def change(
    house: RawHouse, thing: Thing, command: str, arguments: dict[str, object], **values: object
) -> Outcome:
    """Do something that works, so that these attributes have these values."""
    prepared = await house.async_prepare(thing, command, arguments)

    def effect() -> None:
        for name, value in values.items():
            house.report(thing, prepared.capability, name, value)

    house.effect = effect
    (outcome,) = await house.pipeline.async_execute(Asking(), [prepared])
    assert outcome.kind is OutcomeKind.VERIFIED
    house.effect = lambda: None
    house.posted.clear()
    return outcome


async def put_back(house: RawHouse, *outcomes: Outcome, run: Asking | None = None):
    return await house.put_back.async_put_back(run or Asking(), outcomes)


async def test_the_channel_goes_back(house, things):
    tv = things["tv"]
    done = await change(house, tv, "setTvChannel", {"tvChannel": 7}, tvChannel="7")
    house.effect = lambda: house.report(tv, "tvChannel", "tvChannel", "5")
    (back,) = await put_back(house, done)
    assert (back.kind, back.command, back.arguments) == (
        OutcomeKind.VERIFIED,
        "put_back",
        {"tvChannel": "5"},
    )
    assert house.posted == [("id-tv", "main", "tvChannel", "setTvChannel", ["5"])]
    house.effect = lambda: house.report(tv, "tvChannel", "tvChannel", "7")
    (again,) = await put_back(house, back)
    assert (again.kind, again.after) == (OutcomeKind.VERIFIED, {"tvChannel": "7"})


async def test_the_area_of_the_device_is_known(house, things):
    tv = things["tv"]
    tv.area = "Bedroom"
    done = await change(house, tv, "setTvChannel", {"tvChannel": 7}, tvChannel="7")
    (back,) = await put_back(house, done)
    assert (done.area, back.area) == ("Bedroom", "Bedroom")


async def test_a_relative_change_goes_back_to_the_value(house, things):
    tv = things["tv"]
    louder = [
        await change(house, tv, "volumeUp", {}, volume=11),
        await change(house, tv, "volumeUp", {}, volume=12),
    ]
    await put_back(house, *louder)
    assert house.posted == [("id-tv", "main", "audioVolume", "setVolume", [10])]


async def test_what_was_set_together_goes_back_by_the_setter_of_each(house, things):
    lamp = things["lamp"]
    color = {"hue": 66, "saturation": 100}
    done = await change(house, lamp, "setColor", {"color": color}, **color)
    backs = await put_back(house, done)
    assert [each[3:] for each in house.posted] == [("setHue", [10]), ("setSaturation", [20])]
    assert [each.arguments for each in backs] == [{"hue": 10}, {"saturation": 20}]


async def test_the_last_change_goes_back_first(house, things):
    lamp, tv = things["lamp"], things["tv"]
    off = await change(house, lamp, "switch.off", {}, switch="off")
    channel = await change(house, tv, "setTvChannel", {"tvChannel": 7}, tvChannel="7")
    outcomes = await put_back(house, off, channel)
    assert [each[3] for each in house.posted] == ["setTvChannel", "on"]
    assert [each.device_name for each in outcomes] == ["TV", "Lamp"]


async def test_what_was_started_is_set_to_what_it_was(house, things):
    dishwasher = things["dishwasher"]
    done = await change(
        house, dishwasher, "samsungce.dishwasherOperation.start", {}, operatingState="running"
    )
    await put_back(house, done)
    assert house.posted[0][3:] == ("setOperatingState", ["ready"])


async def test_a_value_that_no_command_takes_stays(house, things):
    dishwasher = things["dishwasher"]
    house.set(dishwasher, "samsungce.dishwasherOperation", "operatingState", "idle")
    done = await change(
        house, dishwasher, "samsungce.dishwasherOperation.start", {}, operatingState="running"
    )
    (back,) = await put_back(house, done)
    assert (back.kind, back.reason, back.command) == (
        OutcomeKind.FAILED,
        FAILED_NO_UNDO,
        "put_back",
    )
    assert not house.posted


async def test_what_the_definition_declares_no_command_for_stays(house, things):
    dishwasher = things["dishwasher"]
    done = await change(
        house,
        dishwasher,
        "setSanitize",
        {"sanitize": True},
        sanitize={"value": True, "settable": [False, True]},
    )
    assert (done.before, done.after) == ({"sanitize": False}, {"sanitize": True})
    (back,) = await put_back(house, done)
    assert back.reason == FAILED_NO_UNDO
    assert not house.posted


async def test_a_shade_that_stood_halfway_cannot_be_put_back(house, things):
    shade = things["shade"]
    house.set(shade, "windowShade", "windowShade", "partially open")
    done = await change(house, shade, "close", {}, windowShade="closed")
    (back,) = await put_back(house, done)
    assert back.reason == FAILED_NO_UNDO
    assert not house.posted


async def test_what_left_no_trace_cannot_be_put_back(house, things):
    sent = await house.async_do(things["tv"], "launchApp", {"appId": "1"})
    (back,) = await put_back(house, sent)
    assert back.reason == FAILED_NO_UNDO
    assert "What launchApp did cannot be put back" in back.detail


async def test_what_is_back_already_is_not_sent(house, things):
    tv = things["tv"]
    done = await change(house, tv, "setTvChannel", {"tvChannel": 7}, tvChannel="7")
    house.set(tv, "tvChannel", "tvChannel", "5")
    (back,) = await put_back(house, done)
    assert (back.kind, back.after) == (OutcomeKind.ALREADY, {"tvChannel": "5"})
    assert not house.posted


async def test_putting_back_passes_the_gate_and_asks_where_it_is_risky(house, things):
    lamp = things["lamp"]
    done = await change(house, lamp, "switch.off", {}, switch="off")
    house.risks["on"] = RiskClass.HEAT
    run = Asking()
    await put_back(house, done, run=run)
    ((action,),) = run.asked
    assert (action.command, action.arguments) == ("put_back", {"switch": "on"})
    house.denied.add(lamp.id)
    house.posted.clear()
    (back,) = await put_back(house, done)
    assert back.kind is OutcomeKind.REFUSED
    assert not house.posted
