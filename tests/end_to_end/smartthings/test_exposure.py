"""What is not exposed to Assist of a SmartThings home is neither read nor written, by no name."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Answer, Fault, FaultKind, Json
from tests.decisions import FORMATS, NATIVE, Decides, claim, step
from tests.end_to_end.attacker import attempt, hide, kinds, person, sent
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.exposing import expose, hide_all
from tests.smartthings_home import SmartThings

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

PORCH = "input_boolean.porch_light"
TV = "Samsung 8 Series"
TUNED = claim("samsung_8_series", "7", attribute="tvChannel")
BACK = claim("samsung_8_series", "4711", attribute="tvChannel")


@pytest.fixture
async def porch(hass: HomeAssistant, smart_sage: Sage, smartthings: SmartThings) -> Sage:
    """SAGE where only a lamp of another make is exposed, with all cloud values outdated."""
    rename_rooms(smartthings)
    assert await async_setup_component(
        hass, "input_boolean", {"input_boolean": {"porch_light": {}}}
    )
    expose(hass, PORCH)
    await async_rested(smart_sage, smartthings)
    for device_id in smartthings.cloud.home.devices:
        smartthings.cloud.stream.publish_lifecycle(device_id, "UPDATE")
    await smartthings.async_settle()
    smartthings.cloud.forget_requests()
    return smart_sage


GUESSES = (
    "all media_player",
    "all lights",
    "all switch in Living room Wing",
    "all sensor in Kitchen Wing",
    "Living room Wing",
    "samsng 8 seris",
    "televsion",
    "the fridge",
    "freezer",
    "cooler",
    "main",
    "tvChannel",
    "main.tvChannel",
    "smartthings",
    "smartthings main (television)",
    "custom.launchapp",
    "simulated home",
    "all",
    "*",
    "",
)


@pytest.mark.parametrize("device", ["tv_credenza", "fridge", "dishwasher", "light_bed"])
async def test_no_name_reaches_a_hidden_device(porch: Sage, device: str) -> None:
    secrets, attack = secrets_of(porch.smartthings), Attack(NATIVE)
    for name in dict.fromkeys(names_of(porch.smartthings, device)):
        porch.conversation_id = None
        porch.model_says()
        await attempt(porch, attack.at(name), planned=(name,))
        assert kinds(porch) == [], name
        assert told(porch, secrets, name) == set(), name
        assert requests_for_devices(porch.smartthings) == [], name


async def test_no_guess_reaches_a_hidden_device(porch: Sage, smartthings: SmartThings) -> None:
    secrets, attack = secrets_of(smartthings), Attack(NATIVE)
    for name in GUESSES:
        porch.conversation_id = None
        porch.model_says()
        await attempt(porch, attack.at(name), planned=(name,))
        assert told(porch, secrets, name) == set(), name
        assert requests_for_devices(smartthings) == [], name


async def test_component_of_a_visible_device_cannot_be_a_hidden_one(porch: Sage) -> None:
    parts = ("main", "freezer", porch.cloud.device_id(TV), *porch.smartthings.entities(TV))
    await attempt(
        porch,
        NATIVE.calls(
            *(
                ("execute_command", {"devices": ["porch_light"], "component": part, **command})
                for part in parts
                for command in (
                    {"command": "turn_on", "arguments": {}},
                    {"command": "setTvChannel", "arguments": {"tvChannel": "7"}},
                    {"command": "tvChannel.setTvChannel", "arguments": {"tvChannel": "7"}},
                    {"command": f"{part}.tvChannel.channelUp", "arguments": {}},
                )
            )
        ),
    )
    assert told(porch, secrets_of(porch.smartthings)) == set()
    assert requests_for_devices(porch.smartthings) == []


async def test_planner_hears_nothing_of_what_is_hidden_whatever_is_said(porch: Sage) -> None:
    said = ("turn everything off", "put channel 7 on the TV", "is the cooler door open", "help me")
    for sentence in said:
        porch.conversation_id = None
        porch.model_says()
        await attempt(porch, wish=sentence)
        assert "- porch_light" in sent(porch)
        assert "smartthings" not in sent(porch).casefold()
        assert told(porch, secrets_of(porch.smartthings), sentence) == set(), sentence


@pytest.mark.parametrize("name", FORMATS)
async def test_hidden_channel_stays_in_every_format(
    hass: HomeAssistant, smartthings: SmartThings, model_server: FakeModelServer, name: str
) -> None:
    hide_all(hass)
    hass.states.async_set("sensor.rain", "3", {"friendly_name": "Rain"})
    expose(hass, "sensor.rain")
    sage, decides = await async_make_sage(hass, model_server, name), Decides(name)
    await async_rested(sage, smartthings)
    tv = smartthings.cloud.device_id(TV)
    for device in ("samsung_8_series", TV, tv, *smartthings.entities(TV)):
        sage.conversation_id = None
        await attempt(
            sage,
            decides.execute(device, command="tvChannel.setTvChannel", arguments={"tvChannel": "7"}),
            decides.call("read_attributes", devices=[device], attributes=["tvChannel"]),
        )
        assert kinds(sage) == []
    assert requests_for_devices(smartthings) == []


async def test_where_nothing_is_exposed_the_planner_is_not_even_asked(smart_sage: Sage) -> None:
    rename_rooms(smart_sage.smartthings)
    hide_all(smart_sage.hass)
    await async_rested(smart_sage, smart_sage.smartthings)
    smart_sage.model_says(
        NATIVE.call("device_interaction", timing="now", command="put channel 7 on", final=True),
        Attack(NATIVE).at("samsung_8_series"),
        *[NATIVE.finish("acted", "Channel 7 is on.", TUNED)] * 3,
    )
    assert "Channel 7 is on" not in await smart_sage.hear("put channel 7 on")
    assert told(smart_sage, secrets_of(smart_sage.smartthings), "put channel 7 on") == set()
    assert requests_for_devices(smart_sage.smartthings) == []


WITHOUT_MODEL = (
    "turn on the Samsung 8 Series",
    "turn off The Frame",
    "turn off all lights",
    "turn on the lights in the kitchen wing",
    "turn on the outlet",
    "turn on power freeze",
    "set the freezer temperature to -20",
    "start the dishwasher",
    "turn on film night",
)


async def test_home_assistant_alone_reaches_nothing_hidden(swift_model: None, porch: Sage) -> None:
    porch.server.say(lambda _: Fault(kind=FaultKind.SERVER_ERROR))
    for sentence in WITHOUT_MODEL:
        porch.conversation_id = None
        result = await porch.say(sentence)
        assert not result.continue_conversation, sentence
        assert requests_for_devices(porch.smartthings) == [], sentence


@pytest.fixture
async def watching(smart_sage: Sage, smartthings: SmartThings) -> Sage:
    """SAGE in a home where everything is exposed, with a TV channel that nobody would guess."""
    await smartthings.async_change(TV, "main", "tvChannel", "tvChannel", "4711")
    await async_rested(smart_sage, smartthings)
    return smart_sage


COMMANDED = (
    ("setTvChannel", {"tvChannel": "7"}),
    ("tvChannel.setTvChannel", {"tvChannel": "7"}),
    ("volume_set", {"volume_level": 0.1}),
)


@pytest.mark.parametrize(("command", "arguments"), COMMANDED)
@pytest.mark.parametrize("domains", [("",), ("media_player",)])
async def test_hiding_takes_effect_while_the_model_thinks(
    watching: Sage, domains: tuple[str, ...], command: str, arguments: dict[str, object]
) -> None:
    """Its sensors alone, which stay in the second case, do not make it obey."""
    watching.model_says()
    script = [
        *NATIVE.planned(
            "channel 7", step("command", "samsung_8_series", capabilities=("tvChannel",))
        ),
        NATIVE.execute("samsung_8_series", command=command, arguments=arguments),
        NATIVE.call("read_attributes", devices=["samsung_8_series"], attributes=["volume_level"]),
    ]

    def says(_: Json) -> Answer:
        if len(script) == 2:
            hide(
                watching.hass,
                *(each for domain in domains for each in watching.smartthings.entities(TV, domain)),
            )
        return script.pop(0) if script else NATIVE.finish("acted", "Channel 7 is on.", TUNED)

    watching.server.say(says)
    assert "Channel 7 is on" not in await watching.hear("put channel 7 on the TV")
    assert not script
    assert watching.cloud.count(*COMMANDS) == 0
    assert set(kinds(watching)) <= {"refused"}


async def test_hiding_takes_effect_while_the_person_thinks(
    hass: HomeAssistant, large_sage: Sage, large_smartthings: SmartThings
) -> None:
    anna = person(hass, "Anna")
    large_smartthings.cloud.set_remote_control("Oven", enabled=True)
    await large_smartthings.async_settle()
    await async_rested(large_sage, large_smartthings)
    large_sage.model_says(
        *NATIVE.planned("start the oven", step("command", "oven", capabilities=("ovenMode",))),
        NATIVE.execute("oven", command="ovenMode.setOvenMode", arguments={"mode": "Bake"}),
        *[NATIVE.finish("acted", "The oven is heating.", claim("oven", "Bake"))] * 2,
    )
    question = await large_sage.say("start the oven", user_id=anna)
    assert question.continue_conversation
    hide(hass, *large_smartthings.entities("Oven"))
    assert "heating" not in await large_sage.hear("yes", user_id=anna)
    assert kinds(large_sage, anna) == ["refused"]
    assert large_smartthings.cloud.count(*COMMANDS) == 0


async def test_undo_does_not_reach_what_was_hidden_meanwhile(watching: Sage) -> None:
    await attempt(
        watching,
        NATIVE.execute("samsung_8_series", command="setTvChannel", arguments={"tvChannel": "7"}),
    )
    assert kinds(watching) == ["verified"]
    hide(watching.hass, *watching.smartthings.entities(TV))
    watching.model_says(
        NATIVE.call("undo"), *[NATIVE.finish("acted", "It is as it was.", BACK)] * 2
    )
    assert "as it was" not in await watching.hear("put it back")
    assert kinds(watching) == ["refused"]
    assert [each.arguments for each in watching.cloud.commands] == [["7"]]


async def test_what_is_hidden_is_gone_from_the_next_prompt(
    watching: Sage, smartthings: SmartThings
) -> None:
    watching.model_says()
    await attempt(watching, wish="what is on")
    assert "tvChannel" in sent(watching)
    hide(watching.hass, *smartthings.entities(TV), *smartthings.entities("The Frame"))
    watching.model_says()
    watching.conversation_id = None
    await attempt(watching, wish="what is on")
    assert "refrigerator" in sent(watching)
    names = {*names_of(smartthings, TV), *names_of(smartthings, "The Frame"), "tvChannel"}
    assert told(watching, {each.casefold() for each in names}) == set()
