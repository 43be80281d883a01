"""SAGE with routines that are really stored and watched, though nobody carries them out."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.lent.lent import Lent
from custom_components.sage.routine_repair import RoutineRepairer
from custom_components.sage.routines.async_store import AsyncRoutineStore
from custom_components.sage.routines.model import Firing, Routine, RunReport
from custom_components.sage.routines.routines import Routines
from custom_components.sage.routines.sandbox.choose import async_make_sandbox
from tests.end_to_end.conftest import MakeSage, Sage


class NobodyRuns:
    """Carries out nothing."""

    async def async_run(self, routine: Routine, firing: Firing) -> RunReport:
        return RunReport(answer="")

    async def async_undo(self, routine: Routine, fired: Firing) -> RunReport:
        return RunReport(answer="")

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        return ()

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        return

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        return ""


@pytest.fixture
async def make_watching(
    hass: HomeAssistant, make_sage: MakeSage, tmp_path: Path
) -> AsyncGenerator[MakeSage]:
    """Set SAGE up with any settings of its agent, and routines beside it."""
    made: list[Routines] = []

    async def make(decision_format: str = "native", **agent: Any) -> Sage:
        sage: Sage = await make_sage(decision_format, **agent)
        runtime = sage.entry.runtime_data
        lent = Lent(hass, runtime.home)
        routines = Routines(
            hass,
            store=AsyncRoutineStore(hass, tmp_path / "routines.db", noted=lambda _: None),
            make_sandbox=async_make_sandbox,
            answers=lent,
            runner=NobodyRuns(),
            deliverer=NobodyRuns(),
            repairer=RoutineRepairer(runtime.home, lambda: runtime.agents, lambda: lent.functions),
        )
        await routines.async_load()
        await routines.async_start()
        made.append(routines)
        sage.entry.runtime_data = replace(runtime, routines=routines)
        return sage

    yield make
    for routines in made:
        await routines.async_close()


@pytest.fixture
async def watching(make_watching: MakeSage) -> Sage:
    """Return SAGE with native decisions and routines."""
    made: Sage = await make_watching()
    return made
