"""The evidence of a run is complete whatever a tool does: no tool has to record anything."""

import ast
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import probatio
import pytest
from homeassistant.helpers import llm

from custom_components.sage import tools
from custom_components.sage.agent.tool import text_result
from custom_components.sage.home.commands.pipeline import Pipeline
from custom_components.sage.home.commands.undo_history import UndoHistory
from custom_components.sage.home.home import Home, HomeView
from custom_components.sage.home.home_types import Command
from custom_components.sage.memory.async_memory import AsyncPersonMemory
from custom_components.sage.memory.long_term_memory import LongTermMemory
from custom_components.sage.memory.memories import Origin
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.routines.routines import Routines
from custom_components.sage.tools.routines.run_routines import RunRoutines
from custom_components.sage.tools.run_memory import RunMemory
from custom_components.sage.tools.sage_tool import WRITES, SageTool, Situation
from tests.decisions import NATIVE, claim

from .conftest import Sage

LIGHT = "kitchen_light"
REQUEST = "is all as it should be?"  # means no device, so that the prompt shows no values
ANSWER = "It is as you wished."

type Work = Callable[[Situation], Awaitable[object]]


@pytest.fixture
def with_tool(monkeypatch: pytest.MonkeyPatch, sage: Sage) -> Callable[[Work], Sage]:
    """Return SAGE with a new tool `toy` that does nothing but this."""

    def make(work: Work) -> Sage:
        class Toy(SageTool):
            name = "sage__toy"
            title = "Toy"
            description = "Does what it does."
            annotations = WRITES
            parameters = probatio.Schema({})

            async def async_call(self, *_: object) -> llm.ToolResult:
                await work(self.situation)
                return text_result("Done.")

        monkeypatch.setattr("custom_components.sage.tools.sage.Undo", Toy)
        return sage

    return make


async def nothing(_: Situation) -> None:
    """Do nothing."""


async def read(situation: Situation) -> object:
    return await situation.home.async_read([LIGHT])


async def document(situation: Situation) -> object:
    return await situation.home.async_document([LIGHT])


async def find(situation: Situation) -> object:
    return await situation.home.async_rank("kitchen light", None)


async def turn_on(situation: Situation) -> object:
    return await situation.home.async_execute([Command(device_id=LIGHT, name="turn_on")])


async def turn_on_and_back(situation: Situation) -> object:
    return await situation.home.async_put_back_unless_changed(
        await situation.home.async_execute([Command(device_id=LIGHT, name="turn_on")])
    )


async def recollect(situation: Situation) -> object:
    return await situation.memory.async_recollect("what do they like?")


async def know(situation: Situation) -> object:
    return await situation.memory.async_look(PersonMemory.known)


async def count(situation: Situation) -> object:
    return await situation.memory.async_look(PersonMemory.count)


async def remember(situation: Situation) -> object:
    return await situation.memory.async_remember("I like tea.", Origin.TOLD, tainted=False)


async def forget(situation: Situation) -> None:
    await situation.memory.async_forget(PersonMemory.forget_all)


async def own_routines(situation: Situation) -> object:
    return situation.routines.own()


IS_OFF = claim(LIGHT, "off", "read")


@pytest.mark.parametrize(
    ("work", "kind", "about", "claims"),
    [
        (read, "answered", "home", [IS_OFF]),
        (document, "answered", "home", [IS_OFF]),
        (find, "answered", "home", [IS_OFF]),
        (turn_on, "acted", "home", [claim(LIGHT, "on")]),
        (turn_on_and_back, "acted", "home", [claim(LIGHT, "off")]),
        (recollect, "answered", "memory", []),
        (know, "answered", "memory", []),
        (count, "answered", "memory", []),
        (remember, "acted", "memory", []),
        (forget, "acted", "memory", []),
        (own_routines, "answered", "later", []),
    ],
)
async def test_what_a_new_tool_does_is_evidence(
    with_tool: Callable[[Work], Sage],
    work: Work,
    kind: str,
    about: str,
    claims: list[dict[str, Any]],
) -> None:
    """The answer passes after this tool, and only then."""
    finish = NATIVE.finish(kind, ANSWER, *claims, about=about)
    sage = with_tool(work)
    sage.model_says(NATIVE.call("toy"), finish)
    assert await sage.hear(REQUEST) == ANSWER

    if claims and kind == "answered":
        # Code reads what a claim names.
        return
    sage = with_tool(nothing)
    sage.conversation_id = None
    sage.model_says(NATIVE.call("toy"), finish, finish)
    assert await sage.hear(REQUEST) != ANSWER


UNRECORDED = (
    *(Home, Pipeline, Routines, UndoHistory),
    *(AsyncPersonMemory, LongTermMemory, PersonMemory),
)


def reachable(value: object, seen: dict[int, object]) -> Iterator[object]:
    """Yield the objects of SAGE that are public parts of `value`, and it itself."""
    if isinstance(value, dict | list | tuple | frozenset | set):
        for each in value.values() if isinstance(value, dict) else value:
            yield from reachable(each, seen)
    if not type(value).__module__.startswith("custom_components.sage") or id(value) in seen:
        return
    seen[id(value)] = value
    yield value
    for name in dir(value):
        if not name.startswith("_"):
            yield from reachable(getattr(value, name), seen)


async def test_a_tool_reaches_nothing_that_does_not_record(
    with_tool: Callable[[Work], Sage],
) -> None:
    found: set[type] = set()

    async def look_around(situation: Situation) -> None:
        found.update(map(type, reachable(situation, {})))

    sage = with_tool(look_around)
    sage.model_says(NATIVE.call("toy"), NATIVE.finish("could_not", "No.", about="other"))
    await sage.hear(REQUEST)

    assert {Situation, HomeView, RunMemory, RunRoutines} <= found
    assert not [each for each in found if issubclass(each, UNRECORDED)]


def test_only_what_acts_and_reads_records() -> None:
    folder = Path(tools.__file__).parent
    recording = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node).endswith("record.add")
    }

    assert recording == {
        "external/external_tool.py",
        "confirmation.py",
        "execute_command.py",
        "foreign.py",
        "planner.py",
        "routines/condition_code_writing.py",
        "routines/run_routines.py",
        "run_memory.py",
        "undo.py",
    }
