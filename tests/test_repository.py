"""What HACS, hassfest and Home Assistant's installer will look at."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import homeassistant
import pytest
from awesomeversion import AwesomeVersion
from homeassistant.components.brands.const import ALLOWED_IMAGES
from homeassistant.const import __version__ as homeassistant_version
from homeassistant.util.yaml import load_yaml_dict
from PIL import Image
from uv import find_uv_bin

from custom_components.sage.model.language_model import ModelErrorKind
from custom_components.sage.routines.sandbox.requirements import MONTY
from scripts.check_integration import errors
from scripts.environment.core_requirements import requirements

ROOT = Path(__file__).parent.parent
INTEGRATION = ROOT / "custom_components" / "sage"
LANGUAGES = ("en", "de", "fr")
CONSTRAINTS = {
    "2026.10.4": Path(homeassistant.__file__).with_name("package_constraints.txt"),
    "2026.11.0": ROOT / ".venv-next/lib/python3.14/site-packages/homeassistant"
    "/package_constraints.txt",
}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def leaves(tree: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text with the path of its keys."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def translation(language: str) -> dict[str, str]:
    return dict(leaves(read(INTEGRATION / "translations" / f"{language}.json")))


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


def test_hassfest_and_hacs_find_nothing_wrong():
    assert list(errors(ROOT)) == []
    # With a model server in the house it needs no internet.
    assert read(INTEGRATION / "manifest.json")["iot_class"] == "local_polling"
    needed = read(ROOT / "hacs.json")["homeassistant"]
    assert AwesomeVersion(needed) <= AwesomeVersion(homeassistant_version)
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_there_is_one_version():
    version = read(INTEGRATION / "manifest.json")["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$", changes, re.MULTILINE)

    for project in (ROOT, ROOT / "sage_models"):
        with (project / "pyproject.toml").open("rb") as file:
            assert tomllib.load(file)["project"]["version"] == version
    assert load_yaml_dict(str(ROOT / "sage_models" / "config.yaml"))["version"] == version
    assert re.findall(r"^## \[(.*?)\]", changes, re.MULTILINE) == ["Unreleased", *released]
    assert released[:1] in ([version], [])


def test_uv_sync_installs_what_the_set_up_installs():
    with (ROOT / "pyproject.toml").open("rb") as file:
        group = set(tomllib.load(file)["dependency-groups"]["dev"])
    lines = (ROOT / "scripts/environment/stable.txt").read_text(encoding="utf-8").splitlines()

    stable = {line for line in lines if line and not line.startswith("#")}
    assert group == stable | set(requirements([INTEGRATION / "manifest.json"]))


def test_workflows_and_forms_are_yaml_and_call_what_is_there():
    files = [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml"]

    assert len(files) > 5
    for file in files:
        assert load_yaml_dict(str(file)), file
        for script in re.findall(r"(?:scripts/|\.ci/)[a-z_]+", file.read_text(encoding="utf-8")):
            assert (ROOT / script).exists(), f"{file}: {script}"


def test_no_requirement_is_pinned_beside_home_assistants_own_pins():
    for requirement in read(INTEGRATION / "manifest.json")["requirements"]:
        assert "==" not in requirement


def test_the_environment_has_what_home_assistant_pins():
    """Otherwise the first home that starts replaces packages that other tests have open."""
    constraints = Path(homeassistant.__path__[0]) / "package_constraints.txt"
    pins = re.findall(r"^([\w.-]+)==([\w.!+]+)$", constraints.read_text("utf-8"), re.MULTILINE)
    installed = {each.name.lower(): each.version for each in metadata.distributions()}

    wanted = {name: version for name, version in pins if name.lower() in installed}
    assert len(wanted) > 50
    assert {name: installed[name.lower()] for name in wanted} == wanted, "run scripts/setup"


def test_the_readme_is_short():
    assert 0 < len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 900


def test_links_between_pages_and_files_work():
    pages = [*ROOT.glob("*.md"), ROOT / "frontend" / "README.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, *link.partition("#")[::2])
        for page in pages
        for link in re.findall(r"\]\(([^)\s]+)", page.read_text(encoding="utf-8"))
        if not link.startswith("https://")
    ]

    assert len(links) > len(pages)
    for page, path, heading in links:
        target = page.parent / path if path else page
        assert target.exists(), f"{page}: {path}"
        assert not heading or heading in anchors(target), f"{page}: {path}#{heading}"


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub makes from the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize(("name", "size"), [("icon.png", 256), ("icon@2x.png", 512)])
def test_the_icon_has_the_size_of_the_brands(name: str, size: int):
    with Image.open(INTEGRATION / "brand" / name) as icon:
        assert icon.size == (size, size)
        assert icon.format == "PNG"
        assert icon.mode == "RGBA"


@pytest.mark.parametrize("name", sorted(ALLOWED_IMAGES))
def test_every_image_of_the_brand_is_there_for_both_resolutions(name: str):
    least, most = (256, 512) if "@2x" in name else (128, 256)
    with Image.open(INTEGRATION / "brand" / name) as image:
        assert least <= min(image.size) <= most
        assert image.getchannel("A").getpixel((0, 0)) == 0  # transparent around the house


def test_the_texts_are_there_in_all_languages():
    assert sorted(path.stem for path in (INTEGRATION / "translations").iterdir()) == sorted(
        LANGUAGES
    )


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_says_the_same(language: str):
    english, other = translation("en"), translation(language)

    assert set(other) == set(english)
    for key, text in english.items():
        assert placeholders(other[key]) == placeholders(text), key


def test_a_form_that_keeps_a_stored_key_says_what_a_new_address_needs():
    texts = [text for key, text in translation("en").items() if key.endswith("api_key")]
    keeping = [text for text in texts if "stored" in text]

    assert len(keeping) == 4
    for text in keeping:
        assert "If you change the address, enter the key again" in text


def test_the_form_of_the_embedding_server_says_what_is_sent_there():
    description = translation("en")["options.step.embedding_server.description"]

    assert "sends it the texts of memories" in description


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_spoken_has_flat_keys_and_nothing_that_cannot_be_spoken(language: str):
    common = read(INTEGRATION / "translations" / f"{language}.json")["common"]

    for key, text in common.items():
        assert re.fullmatch(r"[a-z0-9_]+", key), key
        assert not re.search(r"[\[\]()<>`*_#]", re.sub(r"{\w+}", "", text)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_a_form_is_described(language: str):
    found = read(INTEGRATION / "translations" / f"{language}.json")

    def forms(tree: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
        for key, value in tree.items():
            if isinstance(value, dict):
                if "data" in value:
                    yield path + key, value
                yield from forms(value, f"{path}{key}.")

    described = dict(forms(found))
    assert len(described) >= 8
    for path, form in described.items():
        assert set(form["data"]) == set(form["data_description"]), path


OF_EMBEDDINGS = {
    ModelErrorKind.NO_WEIGHTS: "no_weights",
    ModelErrorKind.NOT_AN_EMBEDDING_MODEL: "no_embeddings",
    ModelErrorKind.NOT_AN_IMAGE_MODEL: "not_an_image_model",
}
"""Failures that only embedding models have -> key of the text in the options."""


@pytest.mark.parametrize("kind", OF_EMBEDDINGS)
def test_every_failure_of_an_embedding_model_has_words(kind: ModelErrorKind):
    assert f"options.error.{OF_EMBEDDINGS[kind]}" in translation("en")


@pytest.mark.parametrize("kind", [kind for kind in ModelErrorKind if kind not in OF_EMBEDDINGS])
def test_every_failure_of_the_model_has_words(kind: ModelErrorKind):
    texts = translation("en")

    assert f"common.model_error_{kind}" in texts
    assert f"config.error.{kind}" in texts
    assert f"config_subentries.agent.error.{kind}" in texts


def package_index() -> dict[str, str]:
    """Return the environment that makes uv use the package index of this machine."""
    environment = os.environ | {"UV_SYSTEM_CERTS": "1"}
    index = environment.get("PIP_INDEX_URL")
    if index is None and (python := shutil.which("python3", path=os.defpath)):
        asked = subprocess.run(
            [python, "-m", "pip", "config", "get", "global.index-url"],
            capture_output=True,
            text=True,
            check=False,
        )
        index = asked.stdout.strip()
    if index:
        environment.setdefault("UV_DEFAULT_INDEX", index)
    return environment


@pytest.mark.parametrize("processor", ["aarch64", "x86_64"])
@pytest.mark.parametrize("version", CONSTRAINTS)
def test_home_assistant_os_can_install_the_requirements(
    tmp_path: Path, version: str, processor: str
):
    """Install like Home Assistant: its constraints, wheels only, for musl."""
    wanted = tmp_path / "requirements.txt"
    named = read(INTEGRATION / "manifest.json")["requirements"]
    wanted.write_text("\n".join((*named, *MONTY)))
    constraints = CONSTRAINTS[version]
    assert constraints.exists(), "run scripts/setup --next"

    resolved = subprocess.run(
        [
            find_uv_bin(),
            "pip",
            "compile",
            "--quiet",
            "--no-header",
            "--no-annotate",
            "--python",
            sys.executable,
            "--python-version=3.14",
            f"--python-platform={processor}-unknown-linux-musl",
            "--only-binary=:all:",
            f"--constraint={constraints}",
            str(wanted),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=package_index(),
    )

    assert resolved.returncode == 0, resolved.stderr
    pinned = set(constraints.read_text(encoding="utf-8").splitlines())
    (openai,) = [line for line in resolved.stdout.splitlines() if line.startswith("openai==")]
    assert openai in pinned
