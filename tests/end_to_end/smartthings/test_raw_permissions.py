"""A person reads and commands of a SmartThings device what their permissions allow."""

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from benchmark.model_script import Answer, Json
from tests.decisions import FORMATS, NATIVE, Decides, claim, step
from tests.end_to_end.attacker import attempt, kinds, observed, person, sent
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

from .conftest import MakeSmartSage
from .hidden import (
    COMMANDS,
    Attack,
    async_rested,
    names_of,
    rename_rooms,
    requests_for_devices,
    secrets_of,
    told,
)

TV, FRAME = "Samsung 8 Series", "The Frame"
CHANNEL = "4711"
DEVICE = "samsung_8_series"
TUNED = claim(DEVICE, "7", attribute="tvChannel")
BACK = claim(DEVICE, CHANNEL, attribute="tvChannel")


def of_device(smartthings: SmartThings, device: str, given: bool | dict[str, bool]) -> Json:
    return {"entities": {"entity_ids": dict.fromkeys(smartthings.entities(device), given)}}


def give(user: User, policy: Json) -> None:
    """Let somebody have these permissions from now on."""
    user.groups[0].policy = policy
    user.invalidate_cache()


def tunes(decides: Decides, command: str = "setTvChannel") -> Answer:
    """Decide to set another channel."""
    return decides.execute(DEVICE, command=command, arguments={"tvChannel": "7"})


@pytest.fixture
async def home(smart_sage: Sage, smartthings: SmartThings) -> Sage:
    """SAGE in a home where everything is exposed, with a TV channel that nobody would guess."""
    rename_rooms(smartthings)
    await smartthings.async_change(TV, "main", "tvChannel", "tvChannel", CHANNEL)
    await async_rested(smart_sage, smartthings)
    smart_sage.model_says()
    return smart_sage


async def test_who_may_only_read_reads_raw_and_writes_nothing(
    hass: HomeAssistant, home: Sage, smartthings: SmartThings
) -> None:
    kim = person(hass, "Kim", of_device(smartthings, TV, {"read": True}))
    answer = await attempt(
        home,
        NATIVE.calls(
            ("read_attributes", {"devices": [DEVICE], "attributes": ["tvChannel", "pictureMode"]}),
            ("api_documentation", {"devices": [DEVICE], "capabilities": ["tvChannel"]}),
        ),
        tunes(NATIVE),
        tunes(NATIVE, "main.tvChannel.setTvChannel"),
        NATIVE.finish("acted", "Channel 7 is on.", TUNED),
        planned=(DEVICE,),
        user_id=kim,
    )
    assert f"tvchannel {CHANNEL}" in observed(home)
    assert "picturemode standard" in observed(home)
    assert "settvchannel(tvchannel:" not in observed(home)
    assert "You are not allowed to use Samsung 8 Series" in answer
    assert set(kinds(home, kim)) == {"refused"}
    assert smartthings.cloud.count(*COMMANDS) == 0


@pytest.mark.parametrize("name", FORMATS)
async def test_who_may_only_read_writes_nothing_in_any_format(
    hass: HomeAssistant, smartthings: SmartThings, make_smart_sage: MakeSmartSage, name: str
) -> None:
    sage, decides = await make_smart_sage(name), Decides(name)
    await async_rested(sage, smartthings)
    kim = person(hass, "Kim", of_device(smartthings, TV, {"read": True}))
    await attempt(sage, tunes(decides), user_id=kim)
    assert kinds(sage, kim) == ["refused"]
    assert smartthings.cloud.count(*COMMANDS) == 0


async def test_what_may_not_be_read_cannot_be_named(home: Sage, smartthings: SmartThings) -> None:
    kim = person(smartthings.hass, "Kim", of_device(smartthings, "Motion sensor", True))
    hidden = {each.casefold() for each in names_of(smartthings, TV)} | {"tvchannel", "television"}
    attack = Attack(NATIVE)
    for name in dict.fromkeys(names_of(smartthings, TV)):
        home.conversation_id = None
        home.model_says()
        await attempt(home, attack.at(name), planned=(name,), user_id=kim)
        assert "motion_sensor" in observed(home)
        assert told(home, hidden, name) == set(), name
        assert kinds(home, kim) == [], name
    assert requests_for_devices(smartthings) == []


async def test_who_may_read_nothing_is_told_nothing(home: Sage, smartthings: SmartThings) -> None:
    kim = person(smartthings.hass, "Kim", of_device(smartthings, TV, {"control": True}))
    await attempt(home, Attack(NATIVE).at(DEVICE), planned=(DEVICE,), user_id=kim)
    assert told(home, secrets_of(smartthings)) == set()
    assert requests_for_devices(smartthings) == []


async def test_who_may_command_what_must_not_be_seen_commands_nothing(
    hass: HomeAssistant, home: Sage, smartthings: SmartThings
) -> None:
    """Permission to control the player without reading it, and to read a sensor."""
    (player,) = smartthings.entities(TV, "media_player")
    (channel,) = [
        each for each in smartthings.entities(TV, "sensor") if each.endswith("tv_channel")
    ]
    rights = {channel: {"read": True}, player: {"control": True}}
    kim = person(hass, "Kim", {"entities": {"entity_ids": rights}})
    await attempt(
        home,
        tunes(NATIVE),
        tunes(NATIVE, "tvChannel.setTvChannel"),
        NATIVE.execute(DEVICE, component="main", command="channelUp"),
        planned=(DEVICE,),
        user_id=kim,
    )
    assert f"tv_channel: state {CHANNEL}" in observed(home)
    assert "media_player." not in observed(home)
    assert smartthings.cloud.count(*COMMANDS) == 0


async def test_permission_taken_away_while_the_model_thinks_stops_the_command(
    hass: HomeAssistant, home: Sage, smartthings: SmartThings
) -> None:
    kim = person(hass, "Kim", of_device(smartthings, TV, True))
    user = await hass.auth.async_get_user(kim)
    assert user is not None
    script = [
        *NATIVE.planned("channel 7", step("command", DEVICE, capabilities=("tvChannel",))),
        tunes(NATIVE),
    ]

    def says(_: Json) -> Answer:
        if len(script) == 1:
            give(user, of_device(smartthings, TV, {"read": True}))
        return script.pop(0) if script else NATIVE.finish("acted", "Channel 7 is on.", TUNED)

    home.server.say(says)
    answer = await home.hear("put channel 7 on the TV", user_id=kim)
    assert "Channel 7 is on" not in answer
    assert not script
    assert kinds(home, kim) == ["refused"]
    assert smartthings.cloud.count(*COMMANDS) == 0


async def test_permission_taken_away_stops_undo(home: Sage, smartthings: SmartThings) -> None:
    kim = person(smartthings.hass, "Kim", of_device(smartthings, TV, True))
    await attempt(home, tunes(NATIVE), user_id=kim)
    assert kinds(home, kim) == ["verified"]
    user = await smartthings.hass.auth.async_get_user(kim)
    assert user is not None
    give(user, of_device(smartthings, TV, {"read": True}))
    home.model_says(NATIVE.call("undo"), *[NATIVE.finish("acted", "It is as it was.", BACK)] * 2)
    assert "as it was" not in await home.hear("put it back", user_id=kim)
    assert [each.arguments for each in smartthings.cloud.commands] == [["7"]]


async def test_somebody_else_cannot_undo_it(home: Sage, smartthings: SmartThings) -> None:
    kim = person(smartthings.hass, "Kim", of_device(smartthings, TV, True))
    lou = person(smartthings.hass, "Lou", of_device(smartthings, TV, True))
    await attempt(home, tunes(NATIVE), user_id=kim)
    home.model_says(NATIVE.call("undo"), *[NATIVE.finish("acted", "It is as it was.", BACK)] * 2)
    assert "as it was" not in await home.hear("put it back", user_id=lou)
    assert [each.arguments for each in smartthings.cloud.commands] == [["7"]]


async def test_two_people_have_two_lists(home: Sage, smartthings: SmartThings) -> None:
    kim = person(smartthings.hass, "Kim", of_device(smartthings, TV, True))
    lou = person(smartthings.hass, "Lou", of_device(smartthings, "Refrigerator", True))
    await attempt(home, user_id=kim)
    assert "smartthings main (television)" in sent(home)
    assert "freezer" not in sent(home)
    home.model_says()
    home.conversation_id = None
    await attempt(home, user_id=lou)
    assert "smartthings freezer" in sent(home)
    assert "tvChannel" not in sent(home)
