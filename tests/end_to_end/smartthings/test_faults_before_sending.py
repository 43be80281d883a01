"""Raw commands that are not even sent, and what is tried again for a good reason."""

from tests.decisions import NATIVE, claim, step

from .failing_home import CHANNEL, COURSE, KANAL, PROGRAMM, FailingHome

UNREACHABLE = (
    "FAILED. The device is offline in SmartThings, so nothing was sent: tell the person to look at "
    "its power and its network."
)


async def test_a_device_that_is_offline(home: FailingHome) -> None:
    for wish in (CHANNEL, KANAL, COURSE):
        home.cloud.set_online(wish.label, False)
    await home.smartthings.async_settle()
    before = home.everything()
    heard = await home.hear(CHANNEL, tries=2)
    assert heard == "Samsung 8 Series is unavailable right now, so I did not change it."
    assert home.observation() == home.observation(2) == CHANNEL.observed(UNREACHABLE)
    heard = await home.hear(KANAL, tries=2, language="de")
    assert heard == "The Frame ist gerade nicht verfügbar, deshalb habe ich dort nichts geändert."
    heard = await home.hear(COURSE, kind="answered")
    assert heard == "Dishwasher is unavailable right now, so I did not change it."
    assert home.observation() == COURSE.observed(UNREACHABLE)
    assert home.posts == 0
    assert home.everything() == before
    await home.assert_serves()

    home.cloud.set_online(CHANNEL.label, True)
    await home.smartthings.async_settle()
    assert await home.hear(CHANNEL) == CHANNEL.claim


SWITCHED_OFF = (
    "FAILED. Remote control of this device is switched off, so it takes no such "
    "command: ask the person to switch on Smart Control (remote start) at the device itself, then "
    "try again."
)
SWITCHED_OFF_SAID = {
    "en": "Remote control of Dishwasher is turned off. Please turn on Smart Control on the device "
    "first.",
    "de": "Die Fernsteuerung von Dishwasher ist ausgeschaltet. Bitte schalte zuerst am Gerät "
    "Smart Control ein.",
}


async def test_an_appliance_whose_remote_control_is_switched_off(home: FailingHome) -> None:
    home.cloud.set_remote_control("Dishwasher", False)
    await home.smartthings.async_settle()
    before = home.everything()
    for language, wish in (("en", COURSE), ("de", PROGRAMM)):
        heard = await home.hear(wish, language=language)
        assert heard == SWITCHED_OFF_SAID[language]
        assert home.observation() == wish.observed(SWITCHED_OFF)
    assert home.posts == 2
    assert home.everything() == before
    await home.assert_serves()

    home.cloud.set_remote_control("Dishwasher", True)
    await home.smartthings.async_settle()
    assert await home.hear(COURSE) == COURSE.claim


async def test_a_cloud_that_is_gone(home: FailingHome) -> None:
    for wish in (CHANNEL, COURSE):
        assert await home.hear(wish) == wish.claim
    posts = home.posts
    await home.cloud.stop()
    told = (
        "FAILED. There is no connection to SmartThings, so nothing was sent: use an entity of the "
        "device if a local one does it, or tell the person to check the internet connection."
    )
    heard = await home.hear(CHANNEL, tries=2)
    assert heard == (
        "There is no connection to SmartThings, so I sent nothing to Samsung 8 Series."
    )
    assert home.observation() == home.observation(2) == CHANNEL.observed(told)
    heard = await home.hear(PROGRAMM, language="de")
    assert (
        heard == "Es gibt keine Verbindung zu SmartThings, deshalb habe ich nichts an Dishwasher "
        "gesendet."
    )
    assert home.posts == posts
    await home.cloud.start()
    await home.assert_serves()


# ------------------------------------------------------------- recovery


async def test_what_was_refused_is_sent_again_when_the_device_has_changed(
    home: FailingHome,
) -> None:
    """The television was asleep; it is switched on, and then the same command works."""
    await home.smartthings.async_change(CHANNEL.label, "main", "switch", "switch", "off")
    home.cloud.faults.refuse_state(times=1)
    heard = await home.hear(
        CHANNEL, NATIVE.execute(CHANNEL.device, command="turn_on"), CHANNEL.decision()
    )
    assert heard == CHANNEL.claim
    assert home.observation(3) == CHANNEL.observed("verified; tvChannel 4 -> 7.")
    assert [(each.capability, each.command) for each in home.cloud.commands] == [
        ("tvChannel", "setTvChannel"),
        ("switch", "on"),
        ("tvChannel", "setTvChannel"),
    ]


async def test_an_entity_whose_command_the_client_library_loses(home: FailingHome) -> None:
    """Home Assistant's own action returns without an error; the light is not on."""
    home.sage.entry.runtime_data.home.waits.state_seconds = 0.2
    home.cloud.faults.limit_rate()
    said = "turn off the light in the dining room"
    home.sage.model_says(
        *NATIVE.planned(said, step("command", "dining_room_light_strip")),
        *[NATIVE.execute("dining_room_light_strip", command="turn_off")],
        *[NATIVE.finish("acted", "The light is off.", claim("dining_room_light_strip", "off"))] * 2,
    )
    assert await home.sage.hear(said, language="en") == (
        "I sent the command to Light strip, but saw no effect. Its state is: on."
    )
    assert home.posts == 1
