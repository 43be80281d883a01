"""Whenever something is so: it is done, and put back afterwards."""

import re
from dataclasses import replace

from tests.decisions import NATIVE

from .acts import asked_for, goes_off, starts_anew
from .clock import Clock
from .household import Household, Wish
from .stories import ENTITIES, HomeChange, Story, becomes, louder, reports

BACK = "media_player.volume_set media_player.living_room_tv(volume_level=0.2)"


def whenever(kind: str) -> Story:
    """Return the story of the noise, in which the TV is to be as loud as before afterwards."""
    story = louder(kind)
    wish = replace(
        story.wish,
        said=f"{story.wish.said} and put it back afterwards",
        polling={"undo_after": True},
    )
    return replace(story, wish=wish)


def without_a_reason(done: list[str]) -> list[str]:
    """Leave out that a TV is switched on which is on: Home Assistant restores players so."""
    return [each for each in done if not each.startswith("media_player.turn_on")]


async def puts_back(household: Household, story: Story, clock: Clock, command: str) -> None:
    """Raise the volume, and lower it again; once each, and again the next time."""
    await asked_for(household, story)
    for times in (1, 2):
        await goes_off(household, story, clock, times)
        await household.stays_calm(lambda: clock.pass_by(minutes=1))
        if times == 2:
            await starts_anew(household)
        done = household.done
        household.sage.model_says()
        await story.ends(household)
        await household.rest()
        assert household.sage.model_calls == 0
        assert without_a_reason(household.done) == [*without_a_reason(done), command]
        await household.stays_calm(lambda: clock.pass_by(minutes=2))


async def test_entities(household: Household, clock: Clock) -> None:
    await puts_back(household, whenever("entities"), clock, BACK)
    assert household.sage.attributes("media_player.living_room_tv")["volume_level"] == 0.2


async def test_smartthings(smart_household: Household, smart_clock: Clock) -> None:
    assert smart_household.smartthings is not None
    tv = smart_household.smartthings.cloud.device("tv_credenza")
    before = tv.value("main", "audioVolume", "volume")
    back = f"tv_credenza main audioVolume.setVolume({before})"
    await puts_back(smart_household, whenever("smartthings"), smart_clock, back)
    assert tv.value("main", "audioVolume", "volume") == before


async def test_once(household: Household, clock: Clock) -> None:
    """Who wanted it the next time has it put back that time, and it is over."""
    story = whenever("entities")
    wish = replace(story.wish, polling={"undo_after": True, "repeat": "once"})
    story = replace(story, wish=wish)
    await asked_for(household, story)
    await goes_off(household, story, clock, 1)
    await story.ends(household)
    await household.rest()
    assert without_a_reason(household.done)[1:] == [BACK]
    assert household.routines.list(None) == ()


async def leaves_it(household: Household, story: Story, clock: Clock, meant: HomeChange) -> None:
    """Raise the volume; somebody sets another one, which stays, also after a restart."""
    await asked_for(household, story)
    await goes_off(household, story, clock, 1)
    await household.stays_calm(lambda: meant(household))
    await starts_anew(household)
    done = household.done
    await story.ends(household)
    await household.rest()
    assert household.done == done
    assert re.fullmatch(
        r"Somebody changed .+ after I did, so I left it as it is\.", household.told[-1]
    )


async def test_a_volume_that_a_person_set_meanwhile_is_left(
    household: Household, clock: Clock
) -> None:
    meant = becomes("media_player.living_room_tv", volume_level=0.5)
    await leaves_it(household, whenever("entities"), clock, meant)
    assert household.sage.attributes("media_player.living_room_tv")["volume_level"] == 0.5


async def test_a_volume_at_the_cloud_that_a_person_set_meanwhile_is_left(
    smart_household: Household, smart_clock: Clock
) -> None:
    meant = reports("tv_credenza", "main", "audioVolume", "volume", 50)
    await leaves_it(smart_household, whenever("smartthings"), smart_clock, meant)
    assert smart_household.smartthings is not None
    tv = smart_household.smartthings.cloud.device("tv_credenza")
    assert tv.value("main", "audioVolume", "volume") == 50


async def test_a_volume_that_comes_back_rounded_is_put_back(
    household: Household, clock: Clock
) -> None:
    story = whenever("entities")
    await asked_for(household, story)
    await goes_off(household, story, clock, 1)
    await becomes("media_player.living_room_tv", volume_level=0.3100001)(household)
    await story.ends(household)
    await household.rest()
    assert without_a_reason(household.done)[1:] == [BACK]


async def test_what_a_person_changed_meanwhile_is_left(household: Household, clock: Clock) -> None:
    """A TV that was switched off while the dishwasher ran does not come on when it is done."""
    story = whenever("entities")
    await asked_for(household, story)
    await goes_off(household, story, clock, 1)
    await ENTITIES.tv_off(household)
    await story.ends(household)
    await clock.pass_by(minutes=1)
    assert household.hass.states.is_state("media_player.living_room_tv", "off")
    assert household.told[-1] == (
        "Somebody changed Living Room TV after I did, so I left it as it is."
    )
    assert not any("turn_on" in each for each in household.done)


COOLS = Wish(
    said="turn on the kitchen light whenever the bedroom is over 25 degrees until it is under 22",
    reads="sensor.bedroom_temperature",
    code='get_state("sensor.bedroom_temperature") > 25',
    when="the bedroom is over 25 degrees",
    action="turn on the kitchen light",
    commands=({"devices": ["kitchen_light"], "command": "turn_on"},),
    polling={"end_function": "is_it_over"},
)
ENDS = replace(
    COOLS, when="it is under 22 degrees", code='get_state("sensor.bedroom_temperature") < 22'
)


def measures(degrees: float) -> HomeChange:
    """Let the bedroom become that warm."""
    return becomes("sensor.bedroom_temperature", native_value=degrees)


async def test_over_one_threshold_until_under_another(household: Household, clock: Clock) -> None:
    """It is asked for in one sentence, outlives a restart, and ends under the second one."""
    begins, polls = COOLS.decisions()[:3], COOLS.decisions()[3]
    code = ENDS.source.replace(ENDS.function, "is_it_over")
    ends = (*ENDS.decisions()[:2], NATIVE.call("code_execution", function="is_it_over", code=code))
    heard = await household.hear(COOLS.said, *begins, *ends, polls)
    assert "When it is under 22 degrees, I undo my changes." in heard

    async def minutes_at(*measured: float) -> None:
        for degrees in measured:
            await household.stays_calm(
                lambda degrees=degrees: measures(degrees)(household),  # type: ignore[misc]
                lambda: clock.pass_by(minutes=1),
            )

    await minutes_at(24)
    await household.fires(happen=lambda: measures(26)(household))
    await minutes_at(24, 27)
    await starts_anew(household)
    await minutes_at(23)
    household.sage.model_says()
    await measures(21)(household)
    await household.rest()
    assert household.hass.states.is_state("light.kitchen_light", "off")
    await minutes_at(23)
    await household.fires(happen=lambda: measures(26)(household))
    assert household.hass.states.is_state("light.kitchen_light", "on")
