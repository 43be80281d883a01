"""What the worker may do, and how it is started."""

import os
import subprocess
from pathlib import Path

import pydantic_monty
import pytest

from custom_components.sage.routines.sandbox import launcher
from custom_components.sage.routines.sandbox.contract import SandboxError
from custom_components.sage.routines.sandbox.launcher import drops, find_binary, write_launcher

from .workshop import Engine, children


def test_the_worker_has_no_rights(tmp_path: Path):
    binary = find_binary()
    launcher = write_launcher(tmp_path, binary, next(drops(binary)))
    limits = launcher.read_text().split("exec ")[0]
    told = subprocess.run(
        ["/bin/sh", "-c", limits + "ulimit -c; ulimit -f; ulimit -n; ulimit -v"],
        capture_output=True,
        text=True,
        check=True,
        env={},
    )
    version = subprocess.run(
        [str(launcher), "--version"], capture_output=True, text=True, check=True, env={}
    )

    assert told.stdout.split() == ["0", "0", "16", "393216"]
    assert version.stdout.startswith("monty")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_the_worker_of_root_is_nobody():
    before = children()
    engine = Engine()
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


def test_without_a_way_to_give_up_rights_the_limits_stay(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    binary = find_binary()

    assert list(drops(binary)) == [()]
    assert "ulimit -v" in write_launcher(tmp_path, binary, ()).read_text()


def test_a_drop_that_does_not_work_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    broken = tmp_path / "setpriv"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda *_, **__: str(broken))

    assert list(drops(find_binary())) == [()]


def test_the_program_beside_the_package_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path / "nowhere"))
    monkeypatch.setattr(pydantic_monty, "__file__", str(tmp_path / "pydantic_monty" / "x.py"))
    with pytest.raises(SandboxError, match="pydantic-monty-runtime was not found"):
        find_binary()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "monty").touch()
    assert find_binary() == tmp_path / "bin" / "monty"


def test_a_program_that_is_no_worker_is_no_sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    impostor = tmp_path / "monty"
    impostor.write_text("#!/bin/sh\nexit 0\n")
    impostor.chmod(0o755)
    monkeypatch.setattr(launcher, "find_binary", lambda: impostor)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    engine = Engine()

    with pytest.raises(SandboxError, match="The worker of Monty does not work"):
        engine.start()
    engine.close()
    assert list(tmp_path.iterdir()) == [impostor]
