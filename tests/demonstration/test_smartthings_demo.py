"""`scripts/demo --home smartthings` from the outside, with a scripted model."""

import json
from pathlib import Path

import pytest

from benchmark.fake_model_server import FakeModelServer
from scripts.demonstration.client import ask_state
from tests.decisions import NATIVE, claim, step
from tests.end_to_end.test_direct_command import command, ending

from .running import contents, output_of, start
from .scripted import decides

COMMAND = "turn off the light in the library"
CHANNEL = "put channel 7 on the TV in the living room"
QUESTION = "is a door of the refrigerator open?"
BED = "turn on the light by the bed"
SPOKEN = (COMMAND, CHANNEL, QUESTION, BED)
BED_ID = "light_strip"
LIGHT, LIGHT_ID = "light.library_light_strip", "library_light_strip"
TV_ID = "samsung_8_series"


@pytest.mark.slow
async def test_commands_are_carried_out_in_the_cloud_and_judged(
    model_server: FakeModelServer, unused_tcp_port: int, workspace: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    model_server.say(
        decides(
            [
                *NATIVE.planned(CHANNEL, step("command", TV_ID, capabilities=("tvChannel",))),
                NATIVE.execute(TV_ID, command="setTvChannel", arguments={"tvChannel": "7"}),
                NATIVE.finish("acted", "It is on channel 7."),
                *NATIVE.planned(QUESTION, step("read", "refrigerator")),
                NATIVE.finish("answered", "No, all doors are closed."),
                NATIVE.calls(
                    command(BED_ID, "turn_on"),
                    ending("acted", "The light by the bed is on.", claim(BED_ID, "on")),
                ),
            ],
            SPOKEN,
        )
    )
    said_as = ("--as", "alex", "--say", COMMAND, "--say", CHANNEL)
    asked = ("--say", QUESTION, "--expect", "closed")
    process = await start(
        workspace,
        *("--home", "smartthings"),
        *(*said_as, *asked, "--say", BED),
        *("--port", str(unused_tcp_port), "--json", str(report)),
        server=model_server,
    )
    output = await output_of(process)
    assert process.returncode == 0, output
    prompts = [each.prompt for each in model_server.completions if BED in each.prompt]
    assert 'photo: "black lamp on the nightstand beside the bed"' in prompts[-1]
    for line in (
        f"alex: {COMMAND}",
        "SAGE: Light strip is now off.",
        "answer: 0 model calls",
        "answer: 4 model calls",
        f"└─ execute_command {json.dumps({'devices': [LIGHT], 'command': 'turn_off'})[:-1]}",
        "outcome verified:",
        f"{LIGHT}: on → off",
        "Light strip (Library) main switch.off(): HTTP 200",
        "Light strip (Library) main switch.switch: on → off",
        "Samsung 8 Series main tvChannel.setTvChannel(7): HTTP 200",
        "Samsung 8 Series main tvChannel.tvChannel: 4 → 7",
        "SAGE: No, all doors are closed.",
    ):
        assert line in output
    done, raw, answered, described = json.loads(report.read_text())
    for one in (done, raw):
        assert [outcome["kind"] for outcome in one["trace"]["outcomes"]] == ["verified"]
    assert {change["entity_id"] for change in done["changes"]} == {LIGHT}
    assert done["cloud"]["received"] == [
        {
            "target": "Light strip (Library) main",
            "command": "switch.off",
            "arguments": [],
            "status": 200,
        }
    ]
    assert all(one["passed"] for one in (done, raw, answered, described))
    assert {change["entity_id"] for change in described["changes"]} == {"light.bedroom_light_strip"}
    assert answered["trace"]["reads"] > 0
    assert answered["cloud"] == {"received": [], "changed": []}
    # Nothing stays.
    assert await ask_state(f"http://127.0.0.1:{unused_tcp_port}", "") is None
    assert contents(workspace) == []
