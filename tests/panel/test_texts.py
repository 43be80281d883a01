"""Every value that the page shows as a sentence has one."""

import json
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

import pytest

from custom_components import sage
from custom_components.sage.home.home_types import OutcomeKind, RiskClass
from custom_components.sage.home.safety.authority import Confirmation
from custom_components.sage.home.safety.risk_classification import DecidedBy
from custom_components.sage.home.safety.risk_levels import Level
from custom_components.sage.memory.memories import Origin
from custom_components.sage.routines.conditions.last_day import ReplayProblem
from custom_components.sage.routines.routine_types import Status
from custom_components.sage.routines.sandbox.contract import Fault

TEXTS = json.loads(
    (Path(sage.__file__).parent / "translations" / "en.json").read_text(encoding="utf-8")
)["config_panel"]


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (TEXTS["activity"]["risk"], RiskClass),
        (TEXTS["activity"]["outcome"], OutcomeKind),
        (TEXTS["activity"]["reply"], (*Confirmation, "unclear")),
        (TEXTS["memory"]["origin"], Origin),
        (TEXTS["routines"]["status"], Status),
        (TEXTS["routines"]["problem"], ReplayProblem),
        (TEXTS["routines"]["fault"], (*Fault, "no_sandbox")),
        (TEXTS["devices"]["level"], Level),
        (TEXTS["devices"]["by"], DecidedBy),
    ],
)
def test_every_value_has_a_sentence(texts: dict[str, str], values: Iterable[StrEnum | str]):
    assert set(texts) == {str(value) for value in values}
