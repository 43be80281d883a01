"""The simulated cloud runs alone."""

import asyncio
from pathlib import Path

import aiohttp
import pytest
from homeassistant.core import HomeAssistant

from benchmark.simulator.__main__ import announce, async_run, options
from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.home import load_home


async def test_it_serves_until_it_is_stopped(
    hass: HomeAssistant, socket_enabled: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cloud.pem"
    chosen = options(
        ["--port", "0", "--tls-port", "0", "--token", "secret", "--certificate", str(file)]
    )
    stop = asyncio.Event()
    started: asyncio.Future[SimulatedCloud] = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(async_run(chosen, stop, started.set_result))
    cloud = await started
    announce(cloud)

    headers = {"Authorization": "Bearer secret"}
    async with aiohttp.ClientSession(cloud.url, headers=headers) as session:
        body = await (await session.get("/v1/devices")).json()
    stop.set()
    await running

    assert len(body["items"]) == len(load_home("paper").devices)
    assert b"BEGIN CERTIFICATE" in file.read_bytes()
    printed = capsys.readouterr().out
    assert cloud.url in printed
    assert "Bearer secret" in printed


def test_a_home_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        options(["--home", "castle"])
    assert "castle" in capsys.readouterr().err
