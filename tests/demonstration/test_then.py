"""`scripts/demo --say ... --then ...` from the outside, with a scripted model."""

import json
from pathlib import Path

import pytest

from benchmark.fake_model_server import FakeModelServer
from tests.decisions import NATIVE, plan, step

from .running import contents, output_of, start
from .scripted import decides

SAID = "turn on the hall light when the front door opens"
ACTION = "turn on the hall light"
CODE = 'def is_front_door_open():\n    return get_state("front_door_contact") == "on"\n'
DECISIONS = (
    NATIVE.call("condition_code_writing", condition="the front door opens"),
    plan(step("read", "front_door_contact")),
    NATIVE.call("code_execution", function="is_front_door_open", code=CODE),
    NATIVE.call(
        "condition_polling",
        function="is_front_door_open",
        kind="do",
        action=ACTION,
        commands=[{"devices": ["hallway_light"], "command": "turn_on"}],
        repeat="always",
        final=True,
    ),
)


@pytest.mark.slow
async def test_what_comes_of_an_event_is_shown_and_judged(
    model_server: FakeModelServer, unused_tcp_port: int, workspace: Path, tmp_path: Path
) -> None:
    model_server.say(decides(DECISIONS, [ACTION, "Task: the front door opens"]))
    report = tmp_path / "report.json"
    process = await start(
        workspace,
        *("--as", "alex", "--say", SAID, "--then", "open-front-door", "--expect", "Hallway Light"),
        *("--then", "open-front-door", "--expect-nothing", "--then", "close-front-door"),
        *("--port", str(unused_tcp_port), "--json", str(report)),
        server=model_server,
    )
    output = await output_of(process)
    said, opened, still_open, closed = json.loads(report.read_text())
    assert (said["passed"], said["complaints"]) == (True, [])
    assert "Whenever the front door opens: I'll turn on Hallway Light." in said["answer"]
    assert (opened["passed"], len(opened["fired"]), len(opened["traces"])) == (True, 1, 1)
    assert [each["kind"] for each in opened["traces"][0]["outcomes"]] == ["verified"]
    assert {each["entity_id"] for each in opened["changes"]} >= {
        "light.hallway_light",
        "binary_sensor.front_door_contact",
    }
    assert opened["traces"][0]["model_calls"] == 0
    assert opened["delivered"] == []
    assert (still_open["passed"], still_open["traces"]) == (True, [])
    assert (closed["passed"], closed["complaints"]) == (False, ["no routine fired"])
    for line in (
        f"alex: {SAID}",
        "(the front door is opened)",
        f"SAGE, of itself: {ACTION}",
        "SAGE: Hallway Light is now on.",
        "outcome verified: hallway_light light.hallway_light turn_on",
        "light.hallway_light: off → on",
        "Failed: '(the front door is closed)': no routine fired.",
    ):
        assert line in output
    assert process.returncode == 1
    assert contents(workspace) == []
