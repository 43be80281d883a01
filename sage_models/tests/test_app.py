"""The app of Home Assistant: its options and its texts."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from sage_models.server_settings import ServerSettings, read_settings

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
