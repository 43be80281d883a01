"""Imports point one way, and never in a circle."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SAGE = "custom_components.sage"

LAYERS = (
    ("const",),
    ("helpers",),
    ("storage",),
    ("text", "people", "model"),
    ("agent", "embeddings"),
    ("home", "memory", "routines", "photos", "external"),
    ("delivery", "routines.conditions"),
    ("tools",),
    ("run",),
    ("routines.api", "config"),
    ("routines.host", "panel"),
)
"""Packages of the integration, the lowest first; those of one layer do not know each other.

On top is what Home Assistant loads by name.
"""

SMARTTHINGS = "home.smartthings"  # a room in `home` that only the set-up enters
FOLDERS = {"sage_models": 0, "custom_components": 1, "benchmark": 2, "scripts": 2, "tests": 3}
"""Folder -> layer; a folder imports only from its own layer and from lower ones."""

FLOORS = {name: floor for floor, names in enumerate(LAYERS) for name in names}


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (ROOT / folder).rglob("*.py")


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path, name: str) -> Iterator[str]:
    """Yield what the module imports, also in functions, as names that may be modules."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            parts = (*(above if node.level else ()), *((node.module,) if node.module else ()))
            yield ".".join(parts)
            yield from (".".join((*parts, alias.name)) for alias in node.names)


@cache
def graph() -> Mapping[str, frozenset[str]]:
    paths = {module_name(path): path for path in sources()}
    return {
        name: frozenset(imported(path, name)) & paths.keys() - {name}
        for name, path in paths.items()
    }


def package_of(name: str) -> str | None:
    """Return the package of the integration that decides the layer; None: the top."""
    inner = name.removeprefix(SAGE).lstrip(".")
    found = [each for each in FLOORS if inner == each or inner.startswith(each + ".")]
    return max(found, key=len, default=None)


def room_of(name: str) -> str | None:
    """Return the room that a module belongs to; None: the top, and what is no room."""
    inner = name.removeprefix(SAGE).lstrip(".")
    if inner == SMARTTHINGS or inner.startswith(SMARTTHINGS + "."):
        return SMARTTHINGS
    room = package_of(name) if name.startswith(SAGE) else None
    return None if room == "const" else room


def packages() -> set[str | None]:
    return {package_of(name) for name in graph() if name.startswith(SAGE)}


def test_all_layers_exist():
    assert packages() == {*FLOORS, None}


def test_nothing_imports_from_above_or_from_its_neighbour():
    wrong = [
        f"{name} imports {other}"
        for name, others in graph().items()
        if name.startswith(SAGE) and (lower := package_of(name)) is not None
        for other in others
        if other.startswith(SAGE + ".")
        and (upper := package_of(other)) != lower
        and (upper is None or FLOORS[upper] >= FLOORS[lower])
    ]

    assert not wrong


def test_a_room_is_entered_by_its_front_door():
    """What a room shows to others stands in its `__init__.py`."""
    wrong = [
        f"{name} imports {other}"
        for name, others in graph().items()
        if name.startswith(SAGE)
        for other in others
        if (room := room_of(other)) not in (None, room_of(name))
        and other != f"{SAGE}.{room}"
        and not name.startswith(f"{SAGE}.{room}.")
    ]

    assert not wrong


def test_no_folder_imports_from_a_folder_above():
    wrong = [
        f"{name} imports {other}"
        for name, others in graph().items()
        for other in others
        if FOLDERS[other.partition(".")[0]] > FOLDERS[name.partition(".")[0]]
    ]

    assert not wrong


def test_only_what_home_assistant_loads_is_on_top():
    top = {path.name for path in (ROOT / "custom_components" / "sage").glob("*.py")}

    assert top == {
        "__init__.py",
        "backup.py",
        "config_flow.py",
        "const.py",
        "conversation.py",
        "diagnostics.py",
        "image.py",
        "logbook.py",
        "repairs.py",
        "services.py",
        "stt.py",
        "switch.py",
    }


def test_only_its_folder_and_the_set_up_name_smartthings():
    sage = ROOT / "custom_components" / "sage"
    own = {sage / "__init__.py", *(sage / "home" / "smartthings").glob("*.py")}

    naming = [
        f"{path.relative_to(sage)}:{number}"
        for path in sage.rglob("*.py")
        if path not in own
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "smartthings" in line.casefold()
    ]

    assert not naming


def test_there_is_no_circle():
    sorter = TopologicalSorter(graph())

    try:
        sorter.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_two_files_of_one_name_are_about_one_thing():
    """The backends have files of one name for the same step of the pipeline."""
    names: dict[str, set[str]] = {}
    for path in (ROOT / "custom_components" / "sage").rglob("*.py"):
        if path.name != "__init__.py":
            package, _, file = module_name(path).rpartition(".")
            names.setdefault(file, set()).add(package.removeprefix(SAGE).lstrip("."))
    backends = {"home.entities", "home.smartthings", "home.commands", "home.safety"}

    twice = {file: found for file, found in names.items() if len(found) > 1}

    assert {file: found for file, found in twice.items() if not found <= backends} == {}


def test_two_classes_of_one_name_are_about_one_thing():
    names: dict[str, list[str]] = {}
    for path in (ROOT / "custom_components" / "sage").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                names.setdefault(node.name, []).append(module_name(path))

    assert {name: found for name, found in names.items() if len(found) > 1} == {}
