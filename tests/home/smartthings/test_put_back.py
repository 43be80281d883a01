"""Put it back: raw attributes get their earlier values, where a command sets them."""

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.home.commands.changed_since import FAILED_NO_UNDO
from custom_components.sage.home.home_types import Outcome, OutcomeKind
from custom_components.sage.home.safety.risk_levels import levels_of
from tests.exposing import hide_all

from ..entity_home import Asking
from .raw_home import RawHome, async_raw_home, part_of_home

TV, LAMP, DISHWASHER = "Samsung 8 Series", "light_bed", "Dishwasher"
OPERATION = "samsungce.dishwasherOperation"


async def does(
    raw: RawHome, label: str, command: str, arguments: dict[str, object] | None = None
) -> Outcome:
    """Do something that works; what is counted later is what comes after it."""
    outcome = await raw.async_do(label, command, arguments)
    assert outcome.kind is OutcomeKind.VERIFIED
    raw.cloud.forget_requests()
    return outcome


async def channel(raw: RawHome) -> Outcome:
    return await does(raw, TV, "setTvChannel", {"tvChannel": 7})


async def test_the_channel_goes_back(raw: RawHome) -> None:
    (back,) = await raw.async_put_back(await channel(raw))
    assert (back.kind, back.command, back.arguments) == (
        OutcomeKind.VERIFIED,
        "put_back",
        {"tvChannel": "4"},
    )
    assert raw.posted == [("setTvChannel", ["4"])]
    (again,) = await raw.async_put_back(back)
    assert (again.kind, again.after) == (OutcomeKind.VERIFIED, {"tvChannel": "7"})


async def test_a_relative_change_goes_back_to_the_value(raw: RawHome) -> None:
    louder = [await does(raw, TV, "volumeUp") for _ in range(2)]
    await raw.async_put_back(*louder)
    assert raw.posted == [("setVolume", [14])]


async def test_what_was_set_together_goes_back_by_the_setter_of_each(raw: RawHome) -> None:
    done = await does(raw, LAMP, "setColor", {"color": {"hue": 66, "saturation": 50}})
    backs = await raw.async_put_back(done)
    assert raw.posted == [("setHue", [0]), ("setSaturation", [100])]
    assert [each.arguments for each in backs] == [{"hue": 0}, {"saturation": 100}]


async def test_the_last_change_goes_back_first(raw: RawHome) -> None:
    off = await does(raw, LAMP, "switch.off")
    outcomes = await raw.async_put_back(off, await channel(raw))
    assert [command for command, _ in raw.posted] == ["setTvChannel", "on"]
    assert [each.device_name for each in outcomes] == [TV, "Light strip"]


async def test_what_was_started_is_set_to_what_it_was(raw: RawHome) -> None:
    raw.instead(lambda: raw.change(DISHWASHER, OPERATION, operatingState="running"))
    done = await does(raw, DISHWASHER, f"{OPERATION}.start")
    raw.instead()
    await raw.async_put_back(done)
    assert raw.posted == [("setOperatingState", ["ready"])]


async def test_a_value_that_no_command_takes_stays(raw: RawHome) -> None:
    await raw.async_report(DISHWASHER, OPERATION, operatingState="idle")
    raw.instead(lambda: raw.change(DISHWASHER, OPERATION, operatingState="running"))
    (back,) = await raw.async_put_back(await does(raw, DISHWASHER, f"{OPERATION}.start"))
    assert (back.kind, back.reason, back.command) == (
        OutcomeKind.FAILED,
        FAILED_NO_UNDO,
        "put_back",
    )
    assert raw.posts == 0


async def test_what_the_definition_declares_no_command_for_stays(raw: RawHome) -> None:
    done = await does(raw, DISHWASHER, "setSanitize", {"sanitize": True})
    assert (done.before, done.after) == ({"sanitize": False}, {"sanitize": True})
    (back,) = await raw.async_put_back(done)
    assert back.reason == FAILED_NO_UNDO
    assert raw.posts == 0


@pytest.mark.usefixtures("socket_enabled")
async def test_a_shade_that_stood_halfway_cannot_be_put_back(hass: HomeAssistant) -> None:
    home, shade = part_of_home("large", ["Left Shade"]), "Left Shade"
    home.device(shade).change("main", "windowShade", "windowShade", "partially open")
    async with async_raw_home(hass, home) as raw:
        raw.instead(lambda: raw.change(shade, "windowShade", windowShade="closed"))
        (back,) = await raw.async_put_back(await does(raw, shade, "windowShade.close"))
        assert back.reason == FAILED_NO_UNDO
        assert raw.posts == 0


async def test_what_left_no_trace_cannot_be_put_back(raw: RawHome) -> None:
    (back,) = await raw.async_put_back(await raw.async_do(TV, "launchApp", {"appId": "1"}))
    assert back.reason == FAILED_NO_UNDO
    assert "What launchApp did cannot be put back" in back.detail


async def test_what_is_back_already_is_not_sent(raw: RawHome) -> None:
    done = await channel(raw)
    await raw.async_report(TV, "tvChannel", tvChannel="4")
    (back,) = await raw.async_put_back(done)
    assert (back.kind, back.after) == (OutcomeKind.ALREADY, {"tvChannel": "4"})
    assert raw.posts == 0


async def test_putting_back_passes_the_gate_and_asks_where_it_is_risky(raw: RawHome) -> None:
    done = await channel(raw)
    (player,) = raw.smartthings.entities(TV, "media_player")
    levels_of(raw.hass).choose({player: "ask"})
    run = Asking()
    await raw.async_put_back(done, authority=run)
    ((action,),) = run.asked
    assert (action.command, action.arguments) == ("put_back", {"tv_channel": "4"})
    hide_all(raw.hass)
    raw.cloud.forget_requests()
    (back,) = await raw.async_put_back(done)
    assert back.kind is OutcomeKind.REFUSED
    assert raw.posts == 0
