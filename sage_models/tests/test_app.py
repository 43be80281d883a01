"""The app of Home Assistant: its options, its texts, and how Home Assistant discovers it."""

import asyncio
import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from aiohttp import web

from sage_models.application import make_application
from sage_models.server_settings import ServerSettings, read_settings
from sage_models.supervisor import announce

from .conftest import serving

ROOT = Path(__file__).parent.parent
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
LANGUAGES = ("en", "de", "fr")


def test_the_app_has_the_version_of_the_program():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert CONFIG["version"] == project["version"]
    assert set(CONFIG["arch"]) == {"amd64", "aarch64"}
    assert yaml.safe_load((ROOT.parent / "repository.yaml").read_text(encoding="utf-8"))["name"]


def test_the_server_understands_every_option_of_the_app(tmp_path: Path):
    assert set(CONFIG["options"]) <= set(CONFIG["schema"])
    given = {**CONFIG["options"], "key": "the key", "offline": True, "log_level": "debug"}
    assert set(given) == set(CONFIG["schema"])
    file = tmp_path / "options.json"
    file.write_text(json.dumps(given), encoding="utf-8")

    settings = read_settings(["--options", str(file)], {})

    assert (settings.key, settings.offline, settings.log_level) == ("the key", True, "debug")
    levels = re.fullmatch(r"list\((.*)\)", CONFIG["schema"]["log_level"])
    assert levels
    for level in levels[1].split("|"):
        assert read_settings(["--log-level", level], {}).log_level == level


def test_the_options_as_installed_are_the_defaults(tmp_path: Path):
    file = tmp_path / "options.json"
    file.write_text(json.dumps(CONFIG["options"]), encoding="utf-8")

    assert read_settings([], {"SAGE_MODELS_OPTIONS": str(file)}) == ServerSettings()


def test_the_ports_of_the_app_are_the_one_of_the_server():
    port = ServerSettings().port

    assert list(CONFIG["ports"]) == [f"{port}/tcp"]
    assert f"[PORT:{port}]/health" in CONFIG["watchdog"]
    assert f"--port {port} " in (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_and_port_has_a_text(language: str):
    texts = yaml.safe_load((ROOT / "translations" / f"{language}.yaml").read_text("utf-8"))

    assert set(texts["configuration"]) == set(CONFIG["schema"])
    assert set(texts["network"]) == set(CONFIG["ports"])
    for option in texts["configuration"].values():
        assert option["name"]
        assert option["description"]


class FakeSupervisor:
    """Receives announcements; fails the first `failures` times."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.announced: asyncio.Future[dict[str, object]] = asyncio.Future()
        self.tokens: list[str] = []

    def application(self) -> web.Application:
        application = web.Application()
        application.router.add_post("/discovery", self.async_discovery)
        return application

    async def async_discovery(self, request: web.Request) -> web.Response:
        self.tokens.append(request.headers["Authorization"])
        if self.failures:
            self.failures -= 1
            return web.json_response({"result": "error"}, status=503)
        self.announced.set_result(await request.json())
        return web.json_response({"result": "ok", "data": {"uuid": "1"}})


@pytest.mark.parametrize("failures", [0, 2])
async def test_the_app_announces_itself_to_home_assistant(failures: int):
    supervisor = FakeSupervisor(failures)
    settings = ServerSettings(key="the key", port=7997)
    async with serving(supervisor.application()) as served:
        application = make_application(settings)
        environment = {
            "SUPERVISOR_TOKEN": "the token",
            "SUPERVISOR_ADDRESS": f"http://127.0.0.1:{served.port}",
        }
        announce(application, settings, environment, waits=(0.0, 0.0))
        async with serving(application):
            announced = await supervisor.announced

    config = announced["config"]
    assert isinstance(config, dict)
    assert CONFIG["discovery"] == [announced["service"]] == ["sage"]
    assert config.pop("host")
    assert config == {"port": 7997, "key": "the key"}
    assert supervisor.tokens == ["Bearer the token"] * (failures + 1)


async def test_a_supervisor_that_is_away_does_not_stop_the_server():
    settings = ServerSettings()
    application = make_application(settings)
    environment = {"SUPERVISOR_TOKEN": "the token", "SUPERVISOR_ADDRESS": "http://127.0.0.1:1"}
    announce(application, settings, environment, waits=(0.0,))

    async with serving(application) as served:
        assert (await served.get("/health")).status == 200


async def test_a_plain_program_announces_nothing():
    supervisor = FakeSupervisor()
    settings = ServerSettings()
    async with serving(supervisor.application()) as served:
        application = make_application(settings)
        announce(application, settings, {"SUPERVISOR_ADDRESS": f"http://127.0.0.1:{served.port}"})
        async with serving(application) as plain:
            assert (await plain.get("/health")).status == 200

    assert not supervisor.announced.done()
