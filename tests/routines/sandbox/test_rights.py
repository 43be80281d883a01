"""What workers may do, how they are started, and what is believed of what they say."""

import os
import subprocess
from pathlib import Path

import pydantic_monty
import pytest

from custom_components.sage.routines.sandbox import monty
from custom_components.sage.routines.sandbox.launcher import Launcher, drops, find_binary
from custom_components.sage.routines.sandbox.model import Fault, SandboxError
from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.restricted import RestrictedEngine, clock_rule
from custom_components.sage.routines.sandbox.restricted_process import WorkerProcess

from .workshop import ENGINES, FUNCTIONS, GOOD, children, run


def test_the_worker_has_no_rights():
    binary = find_binary()
    drop = next(drops(binary))
    launcher = Launcher(binary, drop)
    script = launcher.path.read_text()
    try:
        told = subprocess.run(
            [
                "/bin/sh",
                "-c",
                script.split("exec ")[0] + "ulimit -c; ulimit -f; ulimit -n; ulimit -v",
            ],
            capture_output=True,
            text=True,
            check=True,
            env={},
        )
        version = subprocess.run(
            [str(launcher.path), "--version"], capture_output=True, text=True, check=True, env={}
        )
    finally:
        launcher.remove()

    assert told.stdout.split() == ["0", "0", "16", "393216"]
    assert version.stdout.startswith("monty")
    assert not launcher.path.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("name", sorted(ENGINES))
def test_the_worker_of_root_is_nobody(name: str):
    before = children()
    engine = ENGINES[name](FUNCTIONS, lambda: "UTC")
    engine.start()
    try:
        (worker,) = children() - before
        status = Path(f"/proc/{worker}/status").read_text()
        environment = Path(f"/proc/{worker}/environ").read_bytes()
    finally:
        engine.close()

    users = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
    assert users == ["65534"] * 4
    assert environment.strip(b"\0") == b""


def test_without_a_way_to_give_up_rights_the_limits_stay(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    binary = find_binary()

    assert list(drops(binary)) == [()]
    launcher = Launcher(binary, ())
    try:
        assert "ulimit -v" in launcher.path.read_text()
    finally:
        launcher.remove()


def test_a_drop_that_does_not_work_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    broken = tmp_path / "setpriv"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda *_, **__: str(broken))

    assert list(drops(find_binary())) == [()]


def test_the_program_beside_the_package_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path / "nowhere"))
    monkeypatch.setattr(pydantic_monty, "__file__", str(tmp_path / "pydantic_monty" / "x.py"))
    with pytest.raises(SandboxError, match="install that package anew"):
        find_binary()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "monty").touch()
    assert find_binary() == tmp_path / "bin" / "monty"


def test_a_program_that_is_no_worker_is_no_sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    impostor = tmp_path / "monty"
    impostor.write_text("#!/bin/sh\nexit 0\n")
    impostor.chmod(0o755)
    monkeypatch.setattr(monty, "find_binary", lambda: impostor)
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")

    with pytest.raises(SandboxError, match="Monty does not work on this machine"):
        engine.start()
    assert engine._launcher is None


def test_a_process_that_does_not_start_is_no_sandbox(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.executable", "/bin/false")
    engine = RestrictedEngine(FUNCTIONS, lambda: "UTC")
    with pytest.raises(SandboxError, match="does not start"):
        engine.start()

    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(SandboxError, match="does not start"):
        engine.start()


@pytest.mark.parametrize(
    "reply",
    [
        b"[]\n",
        b"no json\n",
        b"",
        b'{"report": 5}\n',
        b'{"report": ["value"]}\n',
        b'{"report": ["value", "yes", false, [], [], null, "", 1.0]}\n',
        b'{"report": ["value", true, false, [99], [], null, "", 1.0]}\n',
        b'{"report": ["value", true, false, [], [["f", [{"@": "x"}]]], null, "", 1.0]}\n',
        b'{"report": ["value", true, false, [], [["f", [[1]]]], null, "", 1.0]}\n',
        b'{"report": ["value", true, false, 5, [], null, "", 1.0]}\n',
        b'{"report": ["other", true, false, [], [], null, "", 1.0]}\n',
        b"x" * 2_100_000,
    ],
)
def test_a_process_that_answers_nonsense_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reply: bytes
):
    (tmp_path / "reply").write_bytes(reply)
    liar = tmp_path / "liar"
    liar.write_text(
        f"#!/bin/sh\nread x\necho '{{\"ready\": true}}'\nread x\ncat {tmp_path}/reply\n"
    )
    liar.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(liar))
    engine = RestrictedEngine(FUNCTIONS, lambda: "UTC")
    try:
        outcome = run(engine, GOOD)
    finally:
        engine.close()

    assert outcome.value is None
    assert outcome.error
    assert outcome.error.fault is Fault.CRASH


def test_a_large_request_reaches_a_process():
    source = "def check():\n    return len(state['x']) == 15000\n"
    engine = RestrictedEngine(FUNCTIONS, lambda: "UTC")
    try:
        assert run(engine, source, state={"x": "x" * 15_000}).value is True
        assert run(engine, GOOD + "# more\n" * 2500).value is True
    finally:
        engine.close()


def test_a_process_imports_nothing_of_home_assistant():
    process = WorkerProcess()
    try:
        begin = {"lent": [], "zone": "Europe/Berlin", "clock_rule": clock_rule("Europe/Berlin")}
        assert process.ask(begin, 15) == {"ready": True}
        maps = Path(f"/proc/{process.pid}/maps").read_text()
        files = list(Path(f"/proc/{process.pid}/fd").iterdir())
    finally:
        process.kill()

    assert "homeassistant" not in maps
    assert len(files) == 3


def test_the_rule_of_a_time_zone():
    assert clock_rule("Europe/Berlin") == "CET-1CEST,M3.5.0,M10.5.0/3"
    assert clock_rule("UTC") == "UTC0"
    assert clock_rule("Nowhere/At_All") == "UTC0"
