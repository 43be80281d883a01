"""Starting a machine: somebody has to allow that at the machine itself."""

import pytest

from benchmark.model_script import Answer
from tests.decisions import NATIVE, claim, step
from tests.end_to_end.attacker import kinds
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

from .story import carried_out, changed, executed, given, hasty, observed, posted, values

START = "start the dishwasher"
RUNS = "The dishwasher is running."
RUNNING = claim("dishwasher", "running")
SMART_CONTROL = (
    "Remote control of Dishwasher is turned off. Please turn on Smart Control on the device first."
)
OFF = "remote control is off: commands may be refused until someone switches on Smart Control"
OPERATION = "samsungce.dishwasherOperation"
SELECT = "select.kitchen_dishwasher"
BUTTON = "button.kitchen_dishwasher_start"


async def start(sage: Sage, *decisions: Answer) -> str:
    """Ask for the dishwasher to be started; the plan names all that may start it."""
    return await carried_out(
        sage,
        START,
        [step("command", "dishwasher", capabilities=(OPERATION, "select", "button"))],
        *decisions,
    )


@pytest.mark.parametrize(
    ("decision", "told", "sent"),
    [
        (
            executed("dishwasher", command="start"),
            "(main) start(): verified; operatingState ready -> running",
            f"{OPERATION}.start()",
        ),
        (
            executed(SELECT, command="select_option", option="run"),
            "select_option(option=run): verified; state stop -> run",
            "dishwasherOperatingState.setMachineState('run')",
        ),
    ],
    ids=["raw", "entity"],
)
async def test_start_is_verified(smart_sage: Sage, decision, told, sent) -> None:
    cloud = smart_sage.cloud
    before = values(cloud)
    heard = await start(smart_sage, decision, NATIVE.finish("acted", RUNS))
    assert heard == RUNS
    assert "start(option?: object)" in given(smart_sage)
    assert "operatingState: ready|running|paused" in given(smart_sage)
    assert OFF not in given(smart_sage)
    assert told in observed(smart_sage)[0]
    assert kinds(smart_sage) == ["verified"]
    assert posted(cloud) == [f"dishwasher main {sent}"]
    after = changed(before, cloud)
    assert all(name.startswith("dishwasher main ") for name in after)
    assert after[f"dishwasher main {OPERATION}.operatingState"] == "running"
    assert after["dishwasher main dishwasherOperatingState.machineState"] == "run"
    assert after["dishwasher main samsungce.dishwasherJobState.dishwasherJobState"] == "preWashing"


async def test_button_that_nobody_sees_the_effect_of_is_told_as_sent(smart_sage: Sage) -> None:
    """A button has no state to look at: the claim gives way to what is known."""
    heard = await start(
        smart_sage,
        executed(BUTTON, command="press"),
        *[NATIVE.finish("acted", RUNS, RUNNING)] * 2,
    )
    assert heard == ("I sent the command to Dishwasher Start, but I can't see whether it worked.")
    assert kinds(smart_sage) == ["sent"]
    assert posted(smart_sage.cloud) == [f"dishwasher main {OPERATION}.start()"]


async def test_start_once_it_was_switched_on(smart_sage: Sage, smartthings: SmartThings) -> None:
    """The person goes to the machine and asks again in the same conversation."""
    cloud = smartthings.cloud
    cloud.set_remote_control("dishwasher", False)
    await smartthings.async_settle()
    decision = executed("dishwasher", command="start")
    refused = NATIVE.finish("could_not", "Switch on Smart Control at the machine, please.")
    heard = await start(smart_sage, decision, refused)
    assert heard == SMART_CONTROL
    assert OFF in given(smart_sage)
    cloud.set_remote_control("dishwasher", True)
    await smartthings.async_settle()
    assert await start(smart_sage, decision, NATIVE.finish("acted", RUNS)) == RUNS
    assert cloud.device("dishwasher").value("main", OPERATION, "operatingState") == "running"


async def test_start_of_which_nothing_is_heard(smart_sage: Sage, smartthings: SmartThings) -> None:
    """The cloud took it and the machine is silent: not confirmed, and sent once."""
    cloud = smartthings.cloud
    cloud.faults.delay_events(state_waits=True, device="dishwasher")
    heard = await start(
        hasty(smart_sage),
        executed("dishwasher", command="start"),
        *[NATIVE.finish("acted", RUNS, RUNNING)] * 2,
    )
    assert heard == "I sent the command to Dishwasher, but I can't see whether it worked."
    assert posted(cloud) == [f"dishwasher main {OPERATION}.start()"]
    cloud.release_events()
    await smartthings.async_settle()
    assert cloud.device("dishwasher").value("main", OPERATION, "operatingState") == "running"
