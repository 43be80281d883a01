"""Given the zip of a release, when HACS has unpacked it, then SAGE starts and has kept all."""

import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from benchmark.fake_model_server import FakeModelServer
from scripts.demonstration.configure import leave_all_to_the_model

from .conftest import ROOT, StockHome, running
from .test_stock_home import answers, sets_sage_up, spoken
from .test_stock_memory import act

EARLIER = "2dd4199a"  # from before the first release
VERSION = "2026.10.4"
HELLO = "Hello to you on this fine and sunny day."
CODE = 'def is_lit():\n    return get_state("light.bed_light") == "on"\n'


def packed(commit: str, file: Path) -> Path:
    if subprocess.run(["git", "cat-file", "-e", commit], cwd=ROOT, check=False).returncode:
        pytest.skip(f"the clone has no {commit}")
    subprocess.run([ROOT / "scripts" / "release", "--pack", commit, file], check=True)
    return file


def install(file: Path, folder: Path) -> None:
    """Do what HACS does: remove the folder of the integration, and unpack the zip there."""
    target = folder / "custom_components" / "sage"
    shutil.rmtree(target, ignore_errors=True)
    with zipfile.ZipFile(file) as archive:
        archive.extractall(target)


def entry_of(folder: Path) -> dict[str, Any]:
    """Return the stored connection, options and agents of SAGE."""
    stored = json.loads((folder / ".storage/core.config_entries").read_text(encoding="utf-8"))
    (entry,) = [each for each in stored["data"]["entries"] if each["domain"] == "sage"]
    return {key: entry[key] for key in ("data", "options", "subentries", "version", "title")}


def test_a_release_has_the_files_of_the_integration_only_and_always_the_same_bytes(tmp_path: Path):
    file, again = packed("HEAD", tmp_path / "a.zip"), packed("HEAD", tmp_path / "again.zip")
    tree = ["git", "ls-tree", "-r", "--name-only", "HEAD:custom_components/sage"]
    committed = subprocess.run(tree, cwd=ROOT, capture_output=True, text=True, check=True)

    with zipfile.ZipFile(file) as archive:
        sizes = {each.filename: each.file_size for each in archive.infolist() if not each.is_dir()}
    assert sorted(sizes) == sorted(committed.stdout.splitlines())
    assert file.read_bytes() == again.read_bytes()
    # README and docs/setup.md say so.
    assert sum(sizes.values()) < 26.5e6
    assert file.stat().st_size < 23e6


@pytest.mark.slow
async def test_a_fresh_home_assistant_answers_with_the_released_sage(
    tmp_path: Path, model_server: FakeModelServer, unused_tcp_port: int
):
    install(packed("HEAD", tmp_path / "sage.zip"), tmp_path)

    async with running(tmp_path, VERSION, model_server, unused_tcp_port) as home:
        await sets_sage_up(home)

        assert spoken(await answers(home, HELLO)).startswith(HELLO)
        assert home.complaints() == []


@pytest.mark.slow
async def test_an_update_keeps_memories_routines_and_settings(
    tmp_path: Path, model_server: FakeModelServer, unused_tcp_port: int
):
    folder = tmp_path / "config"
    earlier, present = [packed(each, tmp_path / f"{each}.zip") for each in (EARLIER, "HEAD")]
    install(earlier, folder)
    async with running(folder, VERSION, model_server, unused_tcp_port) as home:
        await sets_sage_up(home)
        await leave_all_to_the_model(home.owner)
        await act(home.owner, "sage.remember", text="My team is the Canadiens.")
        await act(home.guest, "sage.remember", text="My mother lives in Quebec.")
        await act(home.owner, "sage.create_routine", action="tell me to rest", daily="22:00:00")
        await act(home.guest, "sage.create_routine", action="say it", when="it is lit", code=CODE)
        known = await what_is_known(home)
    settings = entry_of(folder)
    assert settings["options"]["plain_requests"] is False

    install(present, folder)

    async with running(folder, VERSION, model_server, unused_tcp_port) as home:
        assert await what_is_known(home) == known
        assert spoken(await answers(home, HELLO)).startswith(HELLO)
        assert home.complaints() == []
    assert entry_of(folder) == settings


async def what_is_known(home: StockHome) -> list[Any]:
    known: list[Any] = []
    for client in (home.owner, home.guest):
        memories = await act(client, "sage.list_memories")
        routines = (await act(client, "sage.list_routines"))["routines"]
        assert memories["total"] == 1
        assert len(routines) == 1
        known += [[(each["id"], each["text"]) for each in memories["memories"]]]
        known += [[(each["id"], each["action"], each["status"]) for each in routines]]
    return known
