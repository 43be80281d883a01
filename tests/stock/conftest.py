"""A stock Home Assistant with SAGE and an agent that uses its tools, as a separate process."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Answer
from scripts.demonstration.client import Client, connected
from scripts.demonstration.home_server import HomeServer, home_server

ROOT = Path(__file__).parents[2]
NEXT = next(
    (
        folder.name.removeprefix("homeassistant-").removesuffix(".dist-info")
        for folder in (ROOT / ".venv-next").glob("lib/*/site-packages/homeassistant-*.dist-info")
    ),
    "2026.11.0",
)
"""The version in .venv-next; `scripts/test --next` puts the newest one there."""

STOCK = {"2026.10.4": ROOT / ".venv", NEXT: ROOT / ".venv-next"}
CONFIGURATION = """\
homeassistant:
  time_zone: Europe/Berlin
frontend:
config:
repairs:
assist_pipeline:
backup:
demo:
diagnostics:
input_text:
  heard:
automation:
  - alias: Doorbell
    triggers:
      - trigger: event
        event_type: doorbell
    actions:
      - action: conversation.process
        data:
          agent_id: conversation.sage
          text: turn on the bed light
          language: en
        response_variable: sage
      - action: input_text.set_value
        target:
          entity_id: input_text.heard
        data:
          value: "{{ sage.response.speech.plain.speech }}"
logger:
  default: warning
  logs:
    custom_components.sage: debug
"""
PROCESS = "/api/conversation/process"


@dataclass(slots=True)
class StockHome:
    """A home as its owner sees it, with a scripted model."""

    version: str
    server: HomeServer
    owner: Client
    guest: Client
    model: FakeModelServer

    def model_says(self, *answers: Answer) -> None:
        """Script what the model decides, one answer after the other."""
        self.model.requests.clear()
        self.model.say(answers)

    async def say(self, text: str, by: Client | None = None, **more: Any) -> dict[str, Any]:
        """Say something over REST; return the result."""
        asked = {"text": text, "agent_id": "conversation.sage", "language": "en"}
        result: dict[str, Any] = await (by or self.owner).post(PROCESS, asked | more)
        return result

    async def state(self, entity_id: str) -> str:
        return str((await self.owner.get(f"/api/states/{entity_id}"))["state"])

    def complaints(self) -> list[str]:
        log = (self.server.folder / "home-assistant.log").read_text(encoding="utf-8")
        lines = [line for line in log.splitlines() if "sage" in line.lower()]
        # Ollama's integration reads the file of a picture in the event loop.
        lines = [line for line in lines if "blocking call" not in line or "ollama" not in line]
        # Home Assistant says so of every custom integration.
        untested = "has not been tested by Home Assistant"
        return [
            line
            for line in lines
            if untested not in line and (" WARNING " in line or " ERROR " in line)
        ]


@asynccontextmanager
async def running(
    folder: Path, version: str, model: FakeModelServer, port: int
) -> AsyncGenerator[StockHome]:
    """Run a Home Assistant of `version` in a folder that has SAGE in `custom_components`."""
    python = STOCK[version] / "bin" / "python"
    if not python.exists():
        pytest.fail(f"{python} is missing: run scripts/setup --next")
    (folder / "configuration.yaml").write_text(CONFIGURATION, encoding="utf-8")
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            home_server(folder, None, port, python=python, components=())
        )
        owner, guest = [
            await stack.enter_async_context(connected(server.url, account.token))
            for account in server.accounts
        ]
        yield StockHome(version, server, owner, guest, model)


@pytest.fixture(params=STOCK)
async def stock_home(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    model_server: FakeModelServer,
    unused_tcp_port: int,
) -> AsyncGenerator[StockHome]:
    """A home that runs, with `custom_components/sage` copied into it and not set up."""
    folder = tmp_path / "config"
    component = ROOT / "custom_components" / "sage"
    # With the compiled files, since compiling takes longer than the test; but without
    # those that another process is writing.
    ignored = shutil.ignore_patterns("*.pyc.*")
    shutil.copytree(component, folder / "custom_components" / component.name, ignore=ignored)
    async with running(folder, request.param, model_server, unused_tcp_port) as home:
        yield home
