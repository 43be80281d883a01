"""SAGE uses only the listed names that Home Assistant does not promise to keep.

A name is internal if it begins with `_` or `DATA_`, or if a component has it in a file of its own
only. Each is looked up in the sources of both installed versions of Home Assistant, so that a
release that moves it fails here, with the reason why SAGE needs it.
"""

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import homeassistant
import pytest

ROOT = Path(__file__).parent.parent
SAGE = ROOT / "custom_components" / "sage"
HOMES = {
    "2026.10.4": Path(homeassistant.__file__).parent,
    "next": ROOT / ".venv-next/lib/python3.14/site-packages/homeassistant",
}
IMPORTED = {
    (
        "components.calendar.const",
        "DATA_COMPONENT",
    ): "events are read as the owner, not by an action",
    ("components.conversation.const", "METADATA_CUSTOM_SENTENCE"): "sentences of the household",
    ("components.frontend", "DATA_EXTRA_MODULE_URL"): "the card is added once",
    ("components.frontend", "DATA_PANELS"): "the page is added once",
    ("components.frontend.storage", "async_user_store"): "the language of a user",
    (
        "components.homeassistant.exposed_entities",
        "async_listen_entity_updates",
    ): "exposure changes",
    ("components.mobile_app.util", "get_notify_service"): "the phone of a person",
    ("helpers.entity_platform", "DATA_ENTITY_PLATFORM"): "configurations of templates",
    ("helpers.recorder", "DATA_INSTANCE"): "whether there is a recorder",
}
REACHED = {
    (
        "components.ai_task.const",
        "DATA_COMPONENT",
    ): "prompts that can be cached; else the public way",
    ("components.ai_task.entity", "internal_async_generate_data"): "the same",
    ("components.conversation.chat_log", "current_chat_log"): "the same",
    ("components.conversation.chat_log", "async_provide_llm_data"): "the same",
    ("components.conversation.chat_log", "async_trace"): "tokens that an AI Task entity reports",
    ("components.conversation.chat_log", "delta_listener"): "an AI Task entity streams",
    ("components.assist_pipeline.pipeline", "pipeline_store"): "a new assistant; changes of one",
    ("components.assist_pipeline.pipeline", "async_get_pipeline"): "the preferred assistant",
    ("helpers.script", "sequence"): "what a script or an automation does",
    ("components.automation", "action_script"): "the script of an automation",
}
"""Names that no import shows, as attributes."""


@pytest.mark.parametrize("version", HOMES)
@pytest.mark.parametrize(("module", "name"), IMPORTED | REACHED)
def test_home_assistant_has_the_name(version: str, module: str, name: str):
    path = HOMES[version].joinpath(*module.split("."))
    files = [*path.glob("*.py")] if path.is_dir() else [path.with_suffix(".py")]

    reason = (IMPORTED | REACHED)[module, name]
    assert any(name in names_in(file) for file in files), f"{module} has no {name}: {reason}"


def test_no_other_internal_name_is_imported():
    used = {use for path in SAGE.rglob("*.py") for use in internal_imports(path)}

    assert used == set(IMPORTED)


@cache
def names_in(file: Path) -> set[str]:
    """Return what a file imports, defines, assigns and reads by name."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    keys = ("name", "id", "attr")
    return {getattr(node, key) for node in ast.walk(tree) for key in keys if hasattr(node, key)}


def internal_imports(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(
            "homeassistant."
        ):
            continue
        assert node.module is not None
        parts = node.module.split(".")
        # What the component itself offers may be imported from the file that defines it.
        component = importlib.import_module(".".join(parts[:3]))
        module = importlib.import_module(node.module)
        for name in (each.name for each in node.names):
            is_offered = getattr(component, name, None) is getattr(module, name)
            if name.startswith(("_", "DATA_")) or (parts[1] == "components" and not is_offered):
                yield ".".join(parts[1:]), name
