"""Workers that are killed, hang, or must be closed; batches that break."""

import asyncio
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pydantic_monty
import pytest

from custom_components.sage.routines.sandbox import monty, monty_session, wrapping
from custom_components.sage.routines.sandbox.launcher import Launcher, drops, find_binary
from custom_components.sage.routines.sandbox.model import Fault, SandboxError
from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.restricted import RestrictedEngine, clock_rule
from custom_components.sage.routines.sandbox.restricted_process import WorkerProcess
from custom_components.sage.routines.sandbox.threaded import Engine, ThreadedSandbox

from .workshop import ENGINES, FUNCTIONS, check, run, values

GOOD = "def check():\n    return get_state('light.hall') == 'on'\n"
LOOP = "def check():\n    while True:\n        pass\n"
HANG = (
    "def check():\n    a = (1,)\n    b = (1,)\n    for i in range(60):\n"
    "        a = (a, a)\n        b = (b, b)\n    return a == b\n"
)
BOMB = "def check():\n    text = 'a'\n    while True:\n        text += text\n"


def children() -> set[int]:
    """Return the processes that this one started."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[1] == str(os.getpid()) and fields[0] != "Z":
            found.add(int(status.parent.name))
    return found


@pytest.fixture(params=sorted(ENGINES))
def fresh(request: pytest.FixtureRequest):
    engine = ENGINES[request.param](FUNCTIONS, lambda: "UTC")
    engine.start()
    yield engine
    engine.close()


def test_a_worker_that_was_killed_in_between_is_replaced(fresh: Engine):
    assert run(fresh, GOOD).value is True
    for _ in range(3):
        for worker in children():
            os.kill(worker, signal.SIGKILL)
        assert run(fresh, GOOD).value is True


def test_a_worker_that_is_killed_while_it_runs_loses_one_check_at_most(fresh: Engine):
    def kill_soon() -> None:
        time.sleep(0.1)
        for worker in children():
            os.kill(worker, signal.SIGKILL)

    before = run(fresh, GOOD)
    killer = threading.Thread(target=kill_soon)
    killer.start()
    outcomes = fresh.run([check(GOOD, "a"), check(LOOP, "loop"), check(GOOD, "b")])
    killer.join()

    assert before.value is True
    assert values(outcomes, ("a", "b")) == [True, True]
    assert outcomes["loop"].error
    assert outcomes["loop"].error.fault in {Fault.CRASH, Fault.TIME}


def test_many_culprits_do_not_stop_the_others(fresh: Engine):
    bad = {"loop": LOOP, "hang": HANG, "bomb": BOMB, "other": LOOP + "# again\n"}
    good = [check(GOOD, f"good {n}") for n in range(20)]
    batch = [*good[:10], *(check(source, name) for name, source in bad.items()), *good[10:]]

    for _ in range(2):
        outcomes = fresh.run(batch)
        assert values(outcomes, [each.id for each in good]) == [True] * 20
        faults = {name: outcomes[name].error.fault for name in bad}  # type: ignore[union-attr]
        assert faults["loop"] is faults["hang"] is faults["other"] is Fault.TIME
        assert faults["bomb"] in {Fault.MEMORY, Fault.TIME}


def test_the_culprit_is_found_by_its_place_and_not_by_its_age(fresh: Engine):
    fresh.run([check(GOOD + "# old", "old")])
    batch = [check(LOOP, "new"), check(GOOD + "# old", "old"), check(GOOD, "good")]

    outcomes = fresh.run(batch)

    assert values(outcomes, ("old", "good")) == [True, True]
    assert outcomes["new"].error
    assert outcomes["new"].error.fault is Fault.TIME
    assert outcomes["new"].milliseconds > 100


def test_a_source_that_is_mended_by_other_answers_comes_back(fresh: Engine):
    source = (
        "def check():\n    while get_state('light.hall') != 'on':\n        pass\n    return True\n"
    )
    stuck = run(fresh, source, answers={})

    assert stuck.error
    assert stuck.error.fault is Fault.TIME
    assert run(fresh, source).value is True
    assert run(fresh, source).value is True


def test_no_process_is_left_when_it_is_closed(engines: dict[str, Engine]):
    for make in ENGINES.values():
        before = children()
        engine = make(FUNCTIONS, lambda: "UTC")
        engine.start()
        assert children() - before
        run(engine, LOOP)
        engine.close()
        engine.close()
        assert children() - before == set()


def test_a_closed_monty_says_what_would_help():
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")

    with pytest.raises(SandboxError, match="reload SAGE"):
        engine.run([check(GOOD)])


def test_sessions_are_renewed(monkeypatch: pytest.MonkeyPatch):
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    try:
        monkeypatch.setattr(monty_session, "MOST_FEEDS", 6)
        sessions = []
        for n in range(20):
            assert run(engine, GOOD + f"# {n}\n").value is True
            sessions.append(engine._session)
        monkeypatch.setattr(monty_session, "LONGEST_LIFE", -1.0)
        old = engine._session
        assert run(engine, GOOD).value is True
        assert engine._session is not old
    finally:
        engine.close()
    assert len({id(session) for session in sessions}) > 2


def test_one_source_that_monty_does_not_take_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, engines: dict[str, Engine]
):
    monkeypatch.setattr(wrapping, "validate", lambda *_: None)
    wrapping.wrap.cache_clear()
    strange = "x = 1\n\nclass Mine(int):\n    pass\n\ndef check():\n    return True\n"
    try:
        for _ in range(2):
            batch = [check(GOOD + "# a", "a"), check(strange, "strange"), check(GOOD + "# b", "b")]
            outcomes = engines["monty"].run(batch)
            assert values(outcomes, ("a", "b")) == [True, True]
            error = outcomes["strange"].error
            assert error
            assert error.fault is Fault.SYNTAX
            assert str(error) == "line 3: Checks have no class inheritance and metaclasses"
    finally:
        wrapping.wrap.cache_clear()


def test_more_checks_than_a_batch_takes(
    monkeypatch: pytest.MonkeyPatch, engines: dict[str, Engine]
):
    monkeypatch.setattr(engines["monty"], "_batch_size", 3)
    outcomes = engines["monty"].run([check(GOOD, str(n)) for n in range(10)])

    assert values(outcomes, [str(n) for n in range(10)]) == [True] * 10


def test_a_slow_machine_gets_smaller_batches(monkeypatch: pytest.MonkeyPatch):
    busy = "def check():\n    return sum(n for n in range(20000)) > 5\n"
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    try:
        monkeypatch.setattr(monty, "BATCH", replace(monty.BATCH, seconds=0.03))
        engine._drop_session()
        outcomes = engine.run([check(f"{busy}# {n}\n", str(n)) for n in range(100)])
        assert values(outcomes, [str(n) for n in range(100)]) == [True] * 100
        assert engine._batch_size < monty.LARGEST_BATCH
        assert not engine._suspects
    finally:
        engine.close()


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


# In a thread of its own


async def lateness(work: Callable[[], Any]) -> float:
    """Return by how much the loop came late at most while something was awaited, in seconds."""
    worst = 0.0
    task = asyncio.ensure_future(work())
    while not task.done():
        before = time.perf_counter()
        await asyncio.sleep(0.01)
        worst = max(worst, time.perf_counter() - before - 0.01)
    await task
    return worst


@pytest.mark.parametrize("name", sorted(ENGINES))
async def test_the_event_loop_does_not_wait_for_a_check(name: str):
    sandbox = ThreadedSandbox(name, ENGINES[name](FUNCTIONS, lambda: "UTC"))
    await sandbox.async_start()
    try:
        batch = [check(LOOP, "loop"), check(HANG, "hang"), check(GOOD, "good")]
        worst = await lateness(lambda: sandbox.async_run(batch))
        assert await sandbox.async_run([]) == {}
    finally:
        await sandbox.async_close()

    # A blocked loop would come late by all of the limits; this much is a busy machine's.
    assert worst < 0.25
    assert sandbox.name == name
    assert sandbox.validate("def check():\n    return eval('1')\n", "check")
    assert not [t for t in threading.enumerate() if t.name.startswith("sage-sandbox")]


@pytest.mark.parametrize("name", sorted(ENGINES))
async def test_it_may_be_closed_while_it_runs(name: str):
    before = children()
    sandbox = ThreadedSandbox(name, ENGINES[name](FUNCTIONS, lambda: "UTC"))
    await sandbox.async_start()
    running = asyncio.ensure_future(sandbox.async_run([check(LOOP, "loop"), check(GOOD, "good")]))
    await asyncio.sleep(0)
    await sandbox.async_close()

    assert (await running)["good"].value is True
    assert children() - before == set()
