"""The answer reports the values that a device reaches, keeps or counts down."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.climate.const import ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player.const import MediaPlayerEntityFeature, MediaPlayerState
from homeassistant.components.vacuum import StateVacuumEntity
from homeassistant.components.vacuum.const import VacuumActivity, VacuumEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import async_get_platforms
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

from benchmark.model_script import Completion
from tests.decisions import NATIVE, claim
from tests.home.entity_kinds import Cover, Fan, Number, Player, TestEntity, Thermostat

from .conftest import MakeSage, Sage, impatient


class WholeDegrees(Thermostat):
    _attr_target_temperature = 18.0

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.set(target_temperature=float(round(kwargs["temperature"] + 0.01)))


class Ecobee(Thermostat):
    _attr_supported_features = ClimateEntityFeature.TARGET_TEMPERATURE_RANGE
    _attr_hvac_modes = [HVACMode.OFF, HVACMode.HEAT_COOL]  # noqa: RUF012
    _attr_hvac_mode = HVACMode.HEAT_COOL
    _attr_target_temperature_low = 19.0
    _attr_target_temperature_high = 24.0

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.set(
            target_temperature_low=kwargs["target_temp_low"],
            target_temperature_high=kwargs["target_temp_high"],
        )


class Blind(Cover):
    _attr_supported_features = (
        CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.SET_POSITION
    )
    _attr_is_closed = False
    _attr_current_cover_position = 100
    misses = 2

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        at = abs(kwargs["position"] - self.misses)
        self.set(current_cover_position=at, is_opening=False, is_closing=False)

    async def async_close_cover(self, **kwargs: Any) -> None:
        await self.async_set_cover_position(position=0)


class StuckBlind(Blind):
    misses = 20


class CeilingFan(Fan):
    async def async_set_percentage(self, percentage: int) -> None:
        self.set(percentage=33 if percentage < 51 else 66)


@pytest.fixture
def place(hass: HomeAssistant, demo_home: HomeAssistant) -> Callable[[TestEntity], Any]:
    """Return a function that adds an entity to the demo home and exposes it."""

    async def add(entity: TestEntity) -> TestEntity:
        platform = next(
            each
            for each in async_get_platforms(hass, "sage_demo_home")
            if each.domain == entity.domain
        )
        await platform.async_add_entities([entity])
        await hass.async_block_till_done()
        async_expose_entity(hass, "conversation", entity.entity_id, True)
        return entity

    return add


def act(command: str, device: str, *, final: bool = True, **arguments: Any) -> Completion:
    return NATIVE.execute(device, command=command, timing="now", final=final, arguments=arguments)


async def do(sage: Sage, said: str, *script: Any, language: str = "en") -> str:
    sage.model_says(*script)
    return await sage.hear(said, language=language)


# ------------------------------------------------------------ near is done, elsewhere is told


@pytest.mark.parametrize(
    ("thing", "command", "arguments", "said"),
    [
        # adaptive-cover-pro #507, #897, muart #65, homebridge-miot #240
        (Blind, "set_cover_position", {"position": 50}, "Gadget is now at 48 percent open."),
        (Blind, "close_cover", {}, "Gadget is now closed, at 2 percent open."),
        (Blind, "set_cover_position", {"position": 0}, "Gadget is now closed, at 2 percent open."),
        (CeilingFan, "set_percentage", {"percentage": 60}, "Gadget is now at 66 percent speed."),
    ],
)
async def test_near_value_needs_one_call_of_the_model(
    make_sage: MakeSage, place, thing, command, arguments, said
) -> None:
    await place(thing("Gadget"))
    sage = impatient(await make_sage())
    assert await do(sage, "set the gadget", act(command, "gadget", **arguments)) == said
    assert len(sage.server.completions) == 1
    assert sage.trace["outcomes"][0]["kind"] == "verified"


@pytest.mark.parametrize(
    ("thing", "command", "arguments", "said"),
    [
        # core #98578
        (WholeDegrees, "set_temperature", {"temperature": 21.5}, "22 degrees instead of 21.5"),
        (StuckBlind, "set_cover_position", {"position": 50}, "30 percent open instead of 50"),
        (StuckBlind, "close_cover", {}, "20 percent open instead of 0 percent open"),
    ],
)
async def test_another_value_is_told(
    make_sage: MakeSage, place, thing, command, arguments, said
) -> None:
    await place(thing("Gadget"))
    sage = impatient(await make_sage())
    wanted = next(iter(arguments.values()), "closed")
    lie = NATIVE.finish("acted", "Done.", claim("gadget", str(wanted)))
    heard = await do(sage, "set the gadget", act(command, "gadget", **arguments), lie, lie)
    assert heard.startswith("Gadget reacted, but not as asked: ")
    assert said in heard
    assert sage.trace["outcomes"][0]["kind"] == "reached"


@pytest.mark.parametrize("result", ["verified", "not_confirmed", "sent", "read"])
async def test_honest_answer_about_another_value(make_sage: MakeSage, place, result) -> None:
    await place(StuckBlind("Gadget"))
    sage = impatient(await make_sage())
    stated = claim("gadget", "30", result, attribute="current_position")
    done = claim("gadget", "50", "not_confirmed")
    claims = (stated, done) if result == "read" else (stated,)
    told = NATIVE.finish("acted", "It stopped at 30 percent.", *claims)
    heard = await do(
        sage, "half open", act("set_cover_position", "gadget", final=False, position=50), told
    )
    assert heard == "It stopped at 30 percent."


async def test_second_try_that_changes_nothing_does_not_hide_the_first(
    make_sage: MakeSage, place
) -> None:
    await place(StuckBlind("Gadget"))
    sage = impatient(await make_sage())
    again = act("set_cover_position", "gadget", position=50)
    lie = NATIVE.finish("acted", "Done.", claim("gadget", "50"))
    heard = await do(sage, "half open", again, again, lie, lie)
    assert "30 percent open instead of 50 percent open" in heard


async def test_other_value_is_put_back(hass, make_sage: MakeSage, place) -> None:
    blind = await place(StuckBlind("Gadget"))
    sage = impatient(await make_sage())
    told = NATIVE.finish("acted", "30 percent.", claim("gadget", "30"))
    await do(sage, "half open", act("set_cover_position", "gadget", position=50), told)
    blind.misses = 2
    back = NATIVE.finish("acted", "It is back.", claim("gadget", "open"))
    assert await do(sage, "put it back", NATIVE.call("undo"), back) == "It is back."
    assert hass.states.get("cover.gadget").attributes["current_position"] == 98


# ------------------------------------------------------------ what was set is told


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Ecobee is now at 20 to 23 degrees."),
        ("de", "Ecobee ist jetzt auf 20 bis 23 Grad."),
        ("fr", "Ecobee est maintenant à une plage de 20 à 23 degrés."),
    ],
)
async def test_range_is_told(make_sage: MakeSage, place, language, said) -> None:
    """core #118899: a thermostat with two set points."""
    await place(Ecobee("Ecobee"))
    sage = impatient(await make_sage())
    command = act("set_temperature", "ecobee", target_temp_low=20, target_temp_high=23)
    assert await do(sage, "between 20 and 23", command, language=language) == said


class HeatingOff(Thermostat):
    _attr_hvac_mode = HVACMode.OFF


class Slider(Number):
    _attr_native_step = 5.0
    _attr_native_unit_of_measurement = "W"

    async def async_set_native_value(self, value: float) -> None:
        self.set(native_value=round(value / 5 + 0.2) * 5.0 if value < 200 else 100.0)


class Moving(Cover):
    _attr_is_closed = False
    _attr_is_opening = True
    _attr_current_cover_position = 40

    async def async_stop_cover(self, **kwargs: Any) -> None:
        self.set(is_opening=False, current_cover_position=41)


class Tape(Player):
    _attr_supported_features = MediaPlayerEntityFeature.SEEK
    _attr_media_position = 10

    async def async_media_seek(self, position: float) -> None:
        self.set(media_position=min(position - 2, 300))


class Robot(TestEntity, StateVacuumEntity):
    domain = "vacuum"
    _attr_activity = VacuumActivity.CLEANING
    _attr_supported_features = VacuumEntityFeature.STATE | VacuumEntityFeature.LOCATE

    async def async_locate(self, **kwargs: Any) -> None:
        pass


@pytest.mark.parametrize(
    ("thing", "command", "arguments", "said"),
    [
        (HeatingOff, "set_temperature", {"temperature": 22}, "is now off, at 22 degrees."),
        (Slider, "set_value", {"value": 24}, "is now set to 25 W."),
        (Slider, "set_value", {"value": 230}, "reacted, but not as asked: 100 W instead of 230 W."),
        (Moving, "stop_cover", {}, "is now open, at 41 percent open."),
        (Tape, "media_seek", {"seek_position": 120}, "is now at 1 minute and 58 seconds."),
        (
            Tape,
            "media_seek",
            {"seek_position": 600},
            "reacted, but not as asked: 5 minutes instead of 10 minutes.",
        ),
    ],
)
async def test_value_is_told(make_sage: MakeSage, place, thing, command, arguments, said) -> None:
    await place(thing("Gadget"))
    sage = impatient(await make_sage())
    lie = NATIVE.finish("acted", "Done.", claim("gadget", "unseen"))
    heard = await do(sage, "set it", act(command, "gadget", **arguments), lie, lie)
    assert heard == f"Gadget {said}"


async def test_effect_that_no_state_shows(make_sage: MakeSage, place) -> None:
    """The person hears the robot; its state stays the same."""
    await place(Robot("Gadget"))
    sage = impatient(await make_sage())
    heard = await do(sage, "where is the robot?", act("locate", "gadget"))
    assert heard == "I sent the command to Gadget, but I can't see whether it worked."
    assert sage.model_calls == 1


# ------------------------------------------------------------ values that run on


@pytest.fixture
async def pizza(hass: HomeAssistant, demo_home: HomeAssistant) -> None:
    """A timer of twelve minutes."""
    timers = {"pizza": {"name": "Pizza", "duration": "00:12:00"}}
    assert await async_setup_component(hass, "timer", {"timer": timers})
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "timer.pizza", True)


@pytest.mark.parametrize("expected_lingering_timers", [True])
@pytest.mark.parametrize(
    ("value", "is_true"),
    [
        ("0:12:00", False),
        ("12 minutes", False),
        ("720", False),
        ("0:07:00", True),
        ("7 minutes", True),
        ("7 Minuten", True),
        ("420 s", True),
    ],
)
async def test_time_left_on_a_timer(
    make_sage: MakeSage,
    pizza,
    freezer: FrozenDateTimeFactory,
    expected_lingering_timers,
    value,
    is_true,
) -> None:
    """ha_voice_alarms #6, view_assist #213: `remaining` is written at the start only."""
    sage = await make_sage()
    await do(sage, "start the pizza timer", act("start", "pizza"))
    freezer.tick(timedelta(minutes=5))
    told = NATIVE.finish(
        "answered", "That much is left.", claim("pizza", value, "read", attribute="remaining")
    )
    heard = await do(sage, "how much is left on the pizza timer?", *[told] * 3)
    assert (heard == "That much is left.") == is_true
    prompt = sage.server.completions[0].prompt
    # Home Assistant writes the end of a timer in whole seconds.
    assert re.search(r"remaining 0:0(7:00|6:59)", prompt)
    assert "remaining 0:12:00" not in prompt


@pytest.mark.parametrize("expected_lingering_timers", [True])
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Pizza is now running, at 3 minutes."),
        ("de", "Pizza ist jetzt aktiv, auf 3 Minuten."),
        ("fr", "Pizza est maintenant actif, à 3 minutes."),
    ],
)
async def test_duration_of_a_timer_is_told(
    make_sage: MakeSage, pizza, expected_lingering_timers, language, said
) -> None:
    sage = await make_sage()
    start = act("start", "pizza", duration="00:03:00")
    assert await do(sage, "three minutes", start, language=language) == said
    assert "3" in await do(sage, "three minutes", start, language=language)


async def test_position_in_a_film(
    make_sage: MakeSage, place, freezer: FrozenDateTimeFactory
) -> None:
    player = await place(Player("Gadget"))
    player.set(
        state=MediaPlayerState.PLAYING,
        media_position=100,
        media_position_updated_at=dt_util.utcnow(),
        media_duration=3000,
    )
    sage = await make_sage()
    freezer.tick(timedelta(minutes=5))
    for value, heard in (("400", "There."), ("100", None)):
        told = NATIVE.finish(
            "answered", "There.", claim("gadget", value, "read", attribute="media_position")
        )
        answer = await do(sage, "where is the film on the gadget?", told, told, told)
        assert (answer == "There.") == (heard is not None)
