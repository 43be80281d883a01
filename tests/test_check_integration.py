"""Given a broken copy of the integration, when it is checked, then the broken rule is named."""

import io
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from scripts.check_integration import errors

ROOT = Path(__file__).parent.parent
EARLIER = "2dd4199a"  # a commit whose manifest and texts hassfest refuses
EN = "custom_components/sage/translations/en.json"
DE = "custom_components/sage/translations/de.json"
MANIFEST = "custom_components/sage/manifest.json"
ACTIONS = "custom_components/sage/services.yaml"
ICONS = "custom_components/sage/icons.json"
SCALE = "custom_components/sage/quality_scale.yaml"
CODE = "custom_components/sage/__init__.py"
BROKEN = [
    (MANIFEST, '"domain": "sage"', '"domain": "wise"', "not the name of the folder"),
    (MANIFEST, '"version": "0.1.0"', '"version": "soon"', "a version"),
    (MANIFEST, '"codeowners": []', '"codeowners": ["@someone"]', "integration-owner"),
    (MANIFEST, '"config_flow": true', '"config_flow": false', "config_flow.py"),
    (MANIFEST, '"service"', '"agent"', "integration_type"),
    (MANIFEST, '"documentation": "https:', '"documentation": "http:', "documentation"),
    (MANIFEST, '"single_config_entry"', '"only_one"', "only_one"),
    (MANIFEST, '"single_config_entry"', '"a_single_entry"', "order"),
    (MANIFEST, '"openai"', '"openai >= 1"', "requirements"),
    (MANIFEST, '"recorder"]', '"recorder", "homeassistant"]', "homeassistant is in"),
    (MANIFEST, '"recorder"]', '"recording"]', "no integration recording"),
    (MANIFEST, ', "recorder"]', "]", "recorded.py: recorder is imported"),
    (CODE, "import logging\n", "import homeassistant.components.mqtt\n", "mqtt is imported"),
    (CODE, "CONFIG_SCHEMA", "SCHEMA", "CONFIG_SCHEMA"),
    (EN, "{cloud}", "https://api.openai.com/v1", "placeholder"),
    (DE, "{guide}", "www.example.com", "placeholder"),
    (EN, "{local}", "'{local}'", "single quotes"),
    (EN, "{local}", "{local url}", "not a name"),
    (EN, "Address of the server", "<b>Address</b>", "HTML"),
    (EN, "Address of the server", "[%key:common::url%]", "reference"),
    (EN, '"no_such_agent"', '"noSuchAgent"', "lower case"),
    (EN, '"entry_type"', '"create_entry"', "entry_type"),
    (EN, '"title": "SAGE cannot reach', '"description": "SAGE cannot reach', "needs a title"),
    (EN, '"base_url": "For example {cloud}', '"url": "For example {cloud}', "not named"),
    (EN, '"correct_memory": {', '"correct_memories": {', "correct_memor"),
    (ACTIONS, "remember:\n", "memorize:\n", "memorize"),
    (ACTIONS, "    question:\n", "    asked:\n", "asked"),
    (ACTIONS, "multiline", "lines", "services.yaml"),
    (ACTIONS, "translation_key: memory_origin", "translation_key: source", "source"),
    (ICONS, "mdi:brain", "brain", "brain"),
    (ICONS, '"mdi:eye"', '"mdi:eye-off"', "default"),
    (SCALE, "brands: done", "brand: done", "brand"),
    ("hacs.json", '"filename"', '"file"', "filename"),
]
"""File, its text, what stands there instead, and a part of the sentence that says so."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A repository with the files that the rules look at."""
    for name in ("hacs.json", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    source, target = (root / "custom_components" / "sage" for root in (ROOT, tmp_path))
    for name in ("translations/en.json", "translations/de.json", "home/recorded.py"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, target / name)
    for path in source.iterdir():
        if path.is_file():
            shutil.copy(path, target)
    shutil.copytree(source / "brand", target / "brand")
    assert list(errors(tmp_path)) == []
    return tmp_path


@pytest.mark.parametrize(("name", "old", "new", "reason"), BROKEN)
def test_a_broken_rule_is_named(copy: Path, name: str, old: str, new: str, reason: str):
    file = copy / name
    text = file.read_text(encoding="utf-8")
    assert old in text

    file.write_text(text.replace(old, new, 1), encoding="utf-8")

    assert any(reason in problem for problem in errors(copy)), list(errors(copy))


def test_what_may_not_be_there_or_must_be_is_named(copy: Path):
    integration = copy / "custom_components" / "sage"
    (integration / "strings.json").write_text("{}", encoding="utf-8")
    (integration / "brand" / "icon.png").unlink()

    assert [each.split()[0] for each in errors(copy)] == ["strings.json:", "brand/icon.png"]


def test_an_earlier_commit_is_refused(tmp_path: Path):
    packed = subprocess.run(
        ["git", "archive", EARLIER, "custom_components", "hacs.json", "README.md", "LICENSE"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if packed.returncode:
        pytest.skip(f"the clone has no {EARLIER}")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(tmp_path, filter="data")

    problems = list(errors(tmp_path))

    undeclared = {each.split()[1] for each in problems if each.endswith("not declared")}
    assert undeclared == {"assist_pipeline", "http", "mobile_app", "recorder"}
    addresses = [each for each in problems if "en.json" in each and "address" in each]
    assert len(addresses) >= 5
