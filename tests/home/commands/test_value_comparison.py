"""A value that was changed after a routine set it is kept; all others are restored."""

import json
from typing import Any

import pytest
from homeassistant.components.light.const import LightEntityFeature
from homeassistant.components.media_player.const import MediaPlayerState

from custom_components.sage.home.commands.expectation import Expectation, Goal
from custom_components.sage.home.commands.undo_history import outcomes_of, undo_record
from custom_components.sage.home.home_types import Command, Outcome, OutcomeKind

from ..entity_home import Asking, EntityHome
from ..entity_kinds import Cover, DeadLight, FastCover, Light, Player, Thermostat


class FadingLight(Light):
    """Has only begun when it reports."""

    _attr_supported_features = LightEntityFeature.TRANSITION

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on", **kwargs)
        self.set(is_on=True, brightness=50)


def after_a_restart(house: EntityHome, *outcomes: Outcome) -> tuple[Outcome, ...]:
    record = undo_record(house.hass, outcomes)
    assert record is not None
    return outcomes_of(house.hass, json.loads(json.dumps(record)))


async def put_back(house: EntityHome, *outcomes: Outcome) -> tuple[Outcome, ...]:
    stored = after_a_restart(house, *outcomes)
    return await house.undo.async_put_back_unless_changed(Asking(), stored)


async def left(house: EntityHome, *outcomes: Outcome) -> str:
    """Put back, see that nothing was, and return what is said of it."""
    (outcome,) = await put_back(house, *outcomes)
    assert (outcome.kind, outcome.command) == (OutcomeKind.REFUSED, "put_back")
    return await house.async_say(outcome)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "Jemand hat Radio nach mir geändert, deshalb habe ich dort nichts geändert."),
        ("fr", "Quelqu'un a changé Radio après moi, je n'y ai donc pas touché."),
    ],
)
async def test_it_is_said_in_the_language_of_the_person(house, language, words):
    radio = Player("Radio")
    await house.async_furnish(radio)
    done = await house.async_do("Radio", "volume_set", {"volume_level": 0.31})
    radio.set(volume_level=0.7)

    assert await house.async_say(*await put_back(house, done), language=language) == words


async def test_who_says_put_it_back_gets_it_back_all_the_same(house):
    radio = Player("Radio")
    await house.async_furnish(radio)
    await house.async_do("Radio", "volume_set", {"volume_level": 0.31})
    radio.set(volume_level=0.7)

    (outcome,) = await house.undo.async_undo(Asking())

    assert outcome.kind is OutcomeKind.VERIFIED
    assert radio.calls[-1] == ("volume", {"volume": 0.5})


async def test_a_light_that_is_off_already_is_told_to_be(house):
    lamp = Light("Lamp")
    await house.async_furnish(lamp)
    done = await house.async_do("Lamp", "turn_on")
    lamp.set(is_on=False)

    assert await house.async_say(*await put_back(house, done)) == "Lamp was already off."


@pytest.mark.parametrize("now", [50, 130, 255])
async def test_a_light_that_still_fades_is_put_back(house, now):
    lamp = FadingLight("Lamp")
    await house.async_furnish(lamp)
    fade = {"brightness_pct": 100, "transition": 0.05}
    done = await house.async_do("Lamp", "turn_on", fade)
    assert (done.kind, done.after["brightness"]) == (OutcomeKind.REACHED, 50)
    lamp.set(brightness=now)

    (outcome,) = await put_back(house, done)

    assert outcome.kind is OutcomeKind.VERIFIED
    assert house.hass.states.is_state("light.lamp", "off")


async def test_a_fading_light_that_somebody_took_elsewhere_stays(house):
    lamp = FadingLight("Lamp")
    await house.async_furnish(lamp)
    done = await house.async_do("Lamp", "turn_on", {"brightness_pct": 50, "transition": 0.05})
    lamp.set(brightness=250)

    assert "Somebody changed Lamp after I did" in await left(house, done)


async def test_a_cover_that_has_arrived_meanwhile_is_put_back(house):
    blind = Cover("Blind")
    await house.async_furnish(blind)
    done = await house.async_do("Blind", "open_cover")
    assert done.kind is OutcomeKind.UNDER_WAY
    blind.arrive()

    await put_back(house, done)

    assert blind.calls[-1] == ("set_cover_position", {"position": 0})


async def test_a_cover_that_somebody_lowered_stays(house):
    blind = FastCover("Blind")
    await house.async_furnish(blind)
    done = await house.async_do("Blind", "open_cover")
    blind.set(current_cover_position=40)

    assert "Somebody changed Blind after I did" in await left(house, done)


async def test_what_changes_by_itself_is_nobodys_doing(house):
    heating, radio = Thermostat("Heating"), Player("Radio")
    heating.begin(current_temperature=18)
    await house.async_furnish(heating, radio)
    warm = await house.async_do("Heating", "set_temperature", {"temperature": 25})
    paused = await house.async_do("Radio", "media_pause")
    heating.set(current_temperature=24)
    radio.set(media_title="the next song")

    outcomes = await put_back(house, warm, paused)

    assert [each.kind for each in outcomes] == [OutcomeKind.VERIFIED] * 2
    assert heating.calls[-1][1]["temperature"] == 20


async def test_only_what_the_routine_has_set_counts(house):
    radio = Player("Radio")
    await house.async_furnish(radio)
    done = await house.async_do("Radio", "volume_set", {"volume_level": 0.31})
    radio.set(source="TV", state=MediaPlayerState.PAUSED)

    (outcome,) = await put_back(house, done)

    assert outcome.kind is OutcomeKind.VERIFIED
    assert ("volume", {"volume": 0.5}) in radio.calls


async def test_of_several_commands_the_last_one_counts(house):
    lamp = Light("Lamp")
    lamp.begin(is_on=True)
    await house.async_furnish(lamp)
    requests = [
        Command(device_id="Lamp", name="turn_on", arguments={"brightness_pct": 40}),
        Command(device_id="Lamp", name="turn_off"),
    ]
    done = await house.async_do_all(requests, Asking())

    (outcome,) = await put_back(house, *done)

    assert outcome.kind is OutcomeKind.VERIFIED
    assert house.hass.states.get("light.lamp").attributes["brightness"] == 200


async def test_a_command_without_effect_is_nobodys_change(house):
    lamp = DeadLight("Lamp")
    lamp.begin(is_on=True)
    await house.async_furnish(lamp)
    done = await house.async_do("Lamp", "turn_on", {"brightness_pct": 40})
    assert done.kind is OutcomeKind.NOT_CONFIRMED

    (outcome,) = await put_back(house, done)

    assert outcome.kind is OutcomeKind.ALREADY


def test_no_secret_that_was_set_is_kept():
    goals = (Goal(name="brightness", values=(102.0,)), Goal(name="access_token", values=("4711",)))
    assert Expectation(goals=goals).wanted == {"brightness": (102.0,)}
