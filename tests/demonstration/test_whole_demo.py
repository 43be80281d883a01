"""`scripts/demo` from the outside: a real headless Home Assistant, with its built-in agent."""

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from .running import contents, output_of, start

BUILT_IN = ("--agent", "conversation.home_assistant")


async def anybody_at(url: str) -> bool:
    try:
        async with aiohttp.ClientSession() as http, http.get(url):
            return True
    except aiohttp.ClientError:
        return False


@pytest.mark.slow
async def test_a_command_is_said_judged_and_nothing_stays(
    socket_enabled: None, unused_tcp_port: int, workspace: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    said_as = ("--as", "alex", "--say", "turn on the kitchen light", "--json", str(report))
    # A port of its own: another demo of this machine may take the usual one right after.
    process = await start(workspace, *BUILT_IN, *said_as, "--port", str(unused_tcp_port))
    output = await output_of(process)
    said: list[dict[str, Any]] = json.loads(report.read_text())
    assert [one["command"] for one in said] == ["turn on the kitchen light"]
    assert {"light.kitchen_light"} == {change["entity_id"] for change in said[0]["changes"]}
    # Only SAGE can prove what it did.
    assert (process.returncode, said[0]["passed"]) == (1, False)
    assert "light.kitchen_light: off → on" in output
    assert "Failed: 'turn on the kitchen light': there is no trace" in output
    url = next(word for word in output.split() if word.startswith("http://127.0.0.1:"))
    assert not await anybody_at(url)
    assert contents(workspace) == []


@pytest.mark.slow
async def test_the_login_is_shown_as_soon_as_home_assistant_answers(
    socket_enabled: None, unused_tcp_port: int, workspace: Path
) -> None:
    given = ("--password", "a-password", "--port", str(unused_tcp_port))
    process = await start(workspace, *BUILT_IN, *given)
    assert process.stdout is not None
    lines = []
    async with asyncio.timeout(120):
        async for line in process.stdout:
            lines.append(line.decode())
            if "Ctrl-C stops everything" in lines[-1]:
                break
    process.send_signal(signal.SIGINT)
    await output_of(process)
    runs = next(at for at, line in enumerate(lines) if "Home Assistant runs at" in line)
    assert "user name owner, password a-password" in lines[runs + 1]
    assert "user name alex, password a-password" in lines[runs + 2]
    assert any("is ready" in line for line in lines[runs + 3 :])
    assert process.returncode == 130
