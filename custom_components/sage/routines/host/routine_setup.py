"""Routines in Home Assistant: creates and loads the `Routines` object."""

from pathlib import Path
from typing import Final

from homeassistant.core import CoreState, HomeAssistant, callback

from ...const import CONF_SATELLITES
from ...delivery import AnswerDeliverer
from ...external import External
from ...helpers import show_issue
from ...home import Home
from ...run import SageConfigEntry
from ...storage import async_read_store
from ..checker import Checker
from ..conditions import ConditionFunctions
from ..evaluation import Evaluator
from ..firing_queue import FiringQueue
from ..registry import RoutineRegistry
from ..routine_types import RoutineError
from ..routines import Routines
from ..sandbox.sandbox import Sandbox
from .firing_runs import RoutineRuns

FILE: Final = ".storage/sage/routines.db"
_SOME_UNREADABLE: Final = "routines_some_unreadable"


@callback
def async_make_routines(
    hass: HomeAssistant, entry: SageConfigEntry, home: Home, external: External
) -> Routines:
    """Create the `Routines` object. Then call `async_load_routines` and `Routines.async_start`."""
    functions, runs = ConditionFunctions(hass, home, external), RoutineRuns(hass, entry)
    deliverer = AnswerDeliverer(hass, entry.options.get(CONF_SATELLITES, {}))
    registry = RoutineRegistry(hass, Path(hass.config.path(FILE)))
    queue = FiringQueue(
        registry,
        run=runs.async_run,
        undo=runs.async_undo,
        deliver=deliverer.async_deliver,
        interrupted=deliverer.async_interrupted,
    )
    checker = Checker(
        hass,
        queue=queue,
        evaluator=Evaluator(Sandbox(hass, functions.functions), functions.async_answer),
        watch=functions.watch,
        rewrite=runs.async_rewrite,
    )
    return Routines(checker)


async def async_load_routines(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Read the routines; on failure create a repair issue and retry. No routine runs before."""
    routines = entry.runtime_data.routines

    async def async_load() -> None:
        await routines.async_load()
        key, values = _SOME_UNREADABLE, {"count": str(len(routines.unreadable))}
        show_issue(hass, key, key if routines.unreadable else None, values=values)

    async def async_start() -> None:
        # While Home Assistant starts, the set-up will start the routines.
        if hass.state is CoreState.running:
            await routines.async_start()

    await async_read_store(
        hass,
        entry,
        issue="routines_unreadable",
        read=async_load,
        errors=RoutineError,
        read_late=async_start,
    )
