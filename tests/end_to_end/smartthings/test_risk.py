"""Raw commands that heat or open ask before anything is sent, and are sent once after a yes."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from benchmark.model_script import Answer
from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.home import SimulatedHome, load_home
from custom_components.sage.const import CONF_PIN_HASH
from custom_components.sage.people.pin import hash_pin
from tests.decisions import NATIVE, claim, step
from tests.end_to_end.attacker import kinds, person
from tests.end_to_end.conftest import Sage, spoken
from tests.smartthings_home import SmartThings, async_connected

from .conftest import MakeSmartSage
from .story import begun, changed, executed, posted, values

PIN = "4711"
OVEN = "ovenOperatingState"
START = executed("oven", command=f"{OVEN}.start")
HOT = NATIVE.finish("acted", "The oven is heating.")
LIE = NATIVE.finish(
    "acted", "The oven is heating.", claim("oven", "running", attribute="machineState")
)
ASKS = "Shall I really run the command “start” on Oven?"


def kitchen() -> SimulatedHome:
    """Return a kitchen's machines, and a lock that takes raw commands at its loudspeaker."""
    home = load_home("large")
    kept = {"oven", "microwave", "dishwasher", "front_door_lock"}
    home.devices = {key: each for key, each in home.devices.items() if each.key in kept}
    lock = home.device("front_door_lock")
    (main,) = lock.description["components"]
    main["capabilities"].append({"id": "audioVolume", "version": 1})
    lock.status["main"]["audioVolume"] = {"volume": {"value": 30, "unit": "%"}}
    return home


@pytest.fixture
async def smartthings(hass: HomeAssistant, socket_enabled: None) -> AsyncGenerator[SmartThings]:
    """The kitchen; the oven may be started from afar."""
    async with SimulatedCloud(kitchen()) as cloud, async_connected(hass, cloud) as connected:
        for machine in ("oven", "microwave"):
            cloud.set_remote_control(machine, True)
        await connected.async_settle()
        yield connected


@pytest.fixture
async def sage(make_smart_sage: MakeSmartSage) -> Sage:
    """SAGE in a household with a PIN."""
    return await make_smart_sage(options={CONF_PIN_HASH: hash_pin(PIN)})


@pytest.fixture
def anna(hass: HomeAssistant) -> str:
    return person(hass, "Anna")


async def asked(sage: Sage, *decisions: Answer, device: str = "oven", **say: Any) -> str:
    """Ask for something risky; return the question that comes before it."""
    planned = [step("command", device)]
    result = await begun(sage, "please do it", planned, *decisions, **say)
    assert result.continue_conversation, spoken(result)
    return spoken(result)


async def test_oven_of_the_large_home(large_sage: Sage, large_smartthings: SmartThings) -> None:
    """It asks with the device and the command; a yes sends it once."""
    cloud, user_id = large_smartthings.cloud, person(large_smartthings.hass, "Anna")
    cloud.set_remote_control("oven", True)
    await large_smartthings.async_settle()
    before = values(cloud)
    assert await asked(large_sage, START, HOT, user_id=user_id) == ASKS
    assert cloud.commands == []
    assert changed(before, cloud) == {}
    assert await large_sage.hear("yes", user_id=user_id) == "The oven is heating."
    assert kinds(large_sage, user_id) == ["verified"]
    assert posted(cloud) == [f"oven main {OVEN}.start()"]
    assert changed(before, cloud) == {
        f"oven main {OVEN}.machineState": "running",
        f"oven main {OVEN}.ovenJobState": "cooking",
        "oven main samsungce.ovenOperatingState.operatingState": "running",
        "oven main samsungce.ovenOperatingState.ovenJobState": "cooking",
    }


@pytest.mark.parametrize(
    ("language", "reply", "heard"),
    [("en", "no", "I have left Oven as it is."), ("de", "nein", "Oven habe ich so gelassen.")],
)
async def test_no_sends_nothing(sage: Sage, anna, language, reply, heard) -> None:
    before = values(sage.cloud)
    await asked(sage, START, LIE, LIE, user_id=anna, language=language)
    assert await sage.hear(reply, user_id=anna, language=language) == heard
    assert kinds(sage, anna) == ["refused"]
    assert sage.cloud.commands == []
    assert changed(before, sage.cloud) == {}


@pytest.mark.parametrize(
    ("decision", "question", "command"),
    [
        (
            executed("oven", command="ovenMode.setOvenMode", mode="Bake"),
            "Shall I really run the command “set oven mode” on Oven with mode Bake?",
            "oven main ovenMode.setOvenMode('Bake')",
        ),
        (
            executed("oven", command="setOvenSetpoint", setpoint=180),
            "Shall I really run the command “set oven setpoint” on Oven with setpoint 180?",
            "oven main ovenSetpoint.setOvenSetpoint(180)",
        ),
        (
            executed("microwave", command="setPowerLevel", power="50%"),
            "Shall I really run the command “set power level” on Microwave with power 50%?",
            "microwave main samsungce.microwavePower.setPowerLevel('50%')",
        ),
        (
            executed("front_door_lock", command="unlock", component="main"),
            "Shall I really unlock Front Door Lock?",
            "front_door_lock main lock.unlock()",
        ),
        (
            executed("front_door_lock", command="main.lock.unlock"),
            "Shall I really unlock Front Door Lock?",
            "front_door_lock main lock.unlock()",
        ),
    ],
    ids=["mode", "setpoint", "microwave", "lock by its part", "lock by its capability"],
)
async def test_risky_commands_ask(sage: Sage, anna, decision, question, command) -> None:
    """Whatever way it is written: never before a yes, and once after it."""
    answer = NATIVE.finish("acted", "It is done.")
    assert await asked(sage, decision, answer, user_id=anna) == question
    assert sage.cloud.commands == []
    assert await sage.hear("yes", user_id=anna) == "It is done."
    assert kinds(sage, anna) == ["verified"]
    assert posted(sage.cloud) == [command]


async def test_one_question_for_several_devices(sage: Sage, smartthings: SmartThings, anna) -> None:
    both = executed("oven", "microwave", command="ovenMode.setOvenMode", mode="ConvectionBake")
    question = await asked(sage, both, HOT, user_id=anna)
    assert question == (
        "Shall I really run the command “set oven mode” on Oven and Microwave with mode "
        "ConvectionBake?"
    )
    assert smartthings.cloud.commands == []
    assert await sage.hear("yes", user_id=anna) == "The oven is heating."
    assert sorted(posted(smartthings.cloud)) == [
        "microwave main ovenMode.setOvenMode('ConvectionBake')",
        "oven main ovenMode.setOvenMode('ConvectionBake')",
    ]


async def test_a_yes_is_for_one_time(sage: Sage, smartthings: SmartThings, anna) -> None:
    """Asked for again in the same conversation, it asks again."""
    await asked(sage, START, HOT, user_id=anna)
    await sage.hear("yes", user_id=anna)
    smartthings.cloud.change("oven", "main", OVEN, "machineState", "ready")
    await smartthings.async_settle()
    assert await asked(sage, START, HOT, user_id=anna) == ASKS
    assert posted(smartthings.cloud) == [f"oven main {OVEN}.start()"]
    await sage.hear("no", user_id=anna)


async def test_nobody_unknown_without_the_pin(sage: Sage, smartthings: SmartThings) -> None:
    cloud = smartthings.cloud
    question = await asked(sage, START, HOT)
    assert question == f"{ASKS} To confirm, please say the PIN."
    assert cloud.commands == []
    assert await sage.hear(PIN) == "The oven is heating."
    assert posted(cloud) == [f"oven main {OVEN}.start()"]


@pytest.mark.parametrize(
    ("decision", "command"),
    [
        (
            executed("dishwasher", command="samsungce.dishwasherOperation.start"),
            "dishwasher main samsungce.dishwasherOperation.start()",
        ),
        (
            executed("oven", command="ovenOperatingState.stop"),
            "oven main ovenOperatingState.stop()",
        ),
        (
            executed("front_door_lock", command="lock", component="main"),
            "front_door_lock main lock.lock()",
        ),
    ],
    ids=["dishwasher", "stopping the oven", "locking"],
)
async def test_harmless_commands_do_not_ask(sage: Sage, anna, decision, command) -> None:
    planned = [step("command", "dishwasher", "front_door_lock")]
    done = NATIVE.finish("could_not", "Never mind.")
    result = await begun(sage, "please do it", planned, decision, done, user_id=anna)
    assert not result.continue_conversation
    assert posted(sage.cloud) == [command]
    # An oven that does not run has nothing to report.
    assert set(kinds(sage, anna)) <= {"verified", "already", "sent"}
