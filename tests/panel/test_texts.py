"""Every value that the page shows as a sentence has one."""

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path

import pytest

from custom_components import sage
from custom_components.sage.home.home_types import OutcomeKind, RiskClass
from custom_components.sage.home.safety.authority import Confirmation
from custom_components.sage.home.safety.entity_level import DecidedBy
from custom_components.sage.home.safety.risk_levels import Level
from custom_components.sage.routines.conditions.last_day import ReplayProblem
from custom_components.sage.routines.routine_types import Status
from custom_components.sage.routines.sandbox.contract import Fault
from custom_components.sage.tools.sage_tool import SageTool

TEXTS = json.loads(
    (Path(sage.__file__).parent / "translations" / "en.json").read_text(encoding="utf-8")
)["config_panel"]


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (TEXTS["activity"]["risk"], RiskClass),
        (TEXTS["activity"]["outcome"], OutcomeKind),
        (TEXTS["activity"]["reply"], (*Confirmation, "unclear")),
        (TEXTS["routines"]["status"], Status),
        (TEXTS["routines"]["problem"], ReplayProblem),
        (TEXTS["routines"]["fault"], (*Fault, "no_sandbox")),
        (TEXTS["devices"]["level"], Level),
        (TEXTS["devices"]["by"], DecidedBy),
    ],
)
def test_every_value_has_a_sentence(texts: dict[str, str], values: Iterable[StrEnum | str]):
    assert set(texts) == {str(value) for value in values}


def test_every_tool_has_a_name():
    source = (Path(__file__).parents[2] / "frontend" / "src" / "timeline.ts").read_text("utf-8")
    tools = {name.removeprefix("sage__") for name in _tool_names(SageTool)}
    assert set(TEXTS["activity"]["tool"]) == tools
    assert all(f"  {tool}: " in source for tool in tools)


def _tool_names(of: type[SageTool]) -> Iterator[str]:
    for kind in of.__subclasses__():
        if name := kind.__dict__.get("name"):
            yield name
        yield from _tool_names(kind)
