"""SAGE uses only the listed names that Home Assistant does not promise to keep.

A name is internal if it begins with `_` or `DATA_`, or if a component does not offer it itself.
Each is looked up in both versions of Home Assistant, so that a release that moves it fails here.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import homeassistant
import pytest

ROOT = Path(__file__).parent.parent
SAGE = ROOT / "custom_components" / "sage"
HOMES = {
    "2026.10.4": Path(homeassistant.__file__).parent,
    "next": ROOT / ".venv-next/lib/python3.14/site-packages/homeassistant",
}
IMPORTED = """
    components.calendar.const DATA_COMPONENT
    components.conversation.const METADATA_CUSTOM_SENTENCE
    components.frontend DATA_EXTRA_MODULE_URL
    components.frontend DATA_PANELS
    components.frontend.storage async_user_store
    components.homeassistant.exposed_entities async_listen_entity_updates
    components.mobile_app.util get_notify_service
    helpers.entity_platform DATA_ENTITY_PLATFORM
    helpers.recorder DATA_INSTANCE
"""
# Attributes, which no import shows. Those of AI Task and the chat log keep prompts cacheable.
REACHED = """
    components.ai_task.const DATA_COMPONENT
    components.ai_task.entity internal_async_generate_data
    components.assist_pipeline.pipeline async_get_pipeline
    components.assist_pipeline.pipeline pipeline_store
    components.automation action_script
    components.conversation.chat_log async_provide_llm_data
    components.conversation.chat_log async_trace
    components.conversation.chat_log current_chat_log
    components.conversation.chat_log delta_listener
    components.stt internal_async_process_audio_stream
    helpers.script sequence
"""


@pytest.mark.parametrize("version", HOMES)
@pytest.mark.parametrize("line", [*IMPORTED.split("\n")[1:-1], *REACHED.split("\n")[1:-1]])
def test_home_assistant_has_the_name(version: str, line: str):
    module, name = line.split()
    path = HOMES[version].joinpath(*module.split("."))

    files = [*path.glob("*.py")] if path.is_dir() else [path.with_suffix(".py")]
    assert any(re.search(rf"\b{name}\b", file.read_text()) for file in files)


def test_no_other_internal_name_is_imported():
    used = {use for path in SAGE.rglob("*.py") for use in internal_imports(path)}

    assert used == {line.strip() for line in IMPORTED.split("\n")[1:-1]}


def internal_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.level or node.module is None:
            continue
        source = node.module
        if not source.startswith("homeassistant."):
            continue
        parts = source.split(".")
        # What the component itself offers may be imported from the file that defines it.
        component = importlib.import_module(".".join(parts[:3]))
        module = importlib.import_module(source)
        for name in (each.name for each in node.names):
            is_offered = getattr(component, name, None) is getattr(module, name)
            if name.startswith(("_", "DATA_")) or (parts[1] == "components" and not is_offered):
                yield f"{'.'.join(parts[1:])} {name}"
