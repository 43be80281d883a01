"""Routines in Home Assistant: creates, loads and starts the `Routines` object.

A routine whose owner may not read a device any more stops, and SAGE notifies the owner. When the
device can be read again, for example because it is exposed again, the routine continues, and SAGE
notifies the owner again.
"""

import logging
from collections.abc import Collection
from pathlib import Path
from typing import Final

from homeassistant.core import CoreState, Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.debounce import Debouncer
from homeassistant.util import dt as dt_util

from ...const import CONF_SATELLITES, DOMAIN
from ...delivery import AnswerDeliverer
from ...external import External
from ...home import Home
from ...run import SageConfigEntry
from ...storage import async_read_store
from ...text import async_load_sentences
from ...tools import RoutineWords
from ..api import async_forget_strange_switches
from ..conditions import ConditionFunctions
from ..evaluation import Evaluator
from ..firing_queue import FiringQueue
from ..registry import RoutineEvent, RoutineEventKind, RoutineRegistry
from ..routine_types import Routine, RoutineError, Status
from ..routines import Routines
from ..sandbox.sandbox import Sandbox
from ..sandbox.sandbox_types import Fault
from .code_repair import CodeRepair
from .firing_runs import RoutineRuns

FILE: Final = ".storage/sage/routines.db"
_SOME_UNREADABLE: Final = "routines_some_unreadable"


@callback
def async_make_routines(
    hass: HomeAssistant, entry: SageConfigEntry, home: Home, external: External
) -> Routines:
    """Create the `Routines` object.

    Then call `async_load_routines` and `async_start_routines`.
    """
    functions, runs = ConditionFunctions(hass, home, external), RoutineRuns(hass, entry)
    deliverer = AnswerDeliverer(hass, entry.options.get(CONF_SATELLITES, {}))
    registry = RoutineRegistry(hass, Path(hass.config.path(FILE)))
    return Routines(
        hass,
        queue=FiringQueue(
            registry,
            run=runs.async_run,
            undo=runs.async_undo,
            deliver=deliverer.async_deliver,
            interrupted=deliverer.async_interrupted,
            now=dt_util.utcnow,
        ),
        evaluator=Evaluator(Sandbox(hass, functions.functions), functions.async_answer),
        watch=functions.watch,
        chain_of=runs.chain_of,
        rewrite=CodeRepair(
            home, lambda: entry.runtime_data.agents, lambda: functions.functions
        ).async_rewrite,
    )


async def async_load_routines(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Read the routines from their file.

    If this fails, creates a repair issue and retries in the background. No routine runs until a
    retry succeeds.
    """
    routines = entry.runtime_data.routines

    async def async_load() -> None:
        await routines.async_load()
        _show_unreadable(hass, routines.unreadable)
        there = {each.routine.id for each in routines.list_all()}
        async_forget_strange_switches(hass, entry, there | set(routines.unreadable))

    async def async_start() -> None:
        # While Home Assistant starts, `async_start_routines` will start the routines.
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


async def async_start_routines(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Start to watch all routines."""
    await entry.runtime_data.routines.async_start()
    deliverer = AnswerDeliverer(hass, entry.options.get(CONF_SATELLITES, {}))
    WithheldRoutines(hass, entry, deliverer).start()


@callback
def _show_unreadable(hass: HomeAssistant, unreadable: Collection[str]) -> None:
    """Create a repair issue if some stored routines cannot be read; otherwise delete the issue."""
    if not unreadable:
        ir.async_delete_issue(hass, DOMAIN, _SOME_UNREADABLE)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _SOME_UNREADABLE,
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key=_SOME_UNREADABLE,
        translation_placeholders={"count": str(len(unreadable))},
    )


_LOGGER = logging.getLogger(__name__)

COOLDOWN: Final = 5.0
"""Seconds from a change of exposure to the test of the routines that stopped."""


class WithheldRoutines:
    """Notifies owners of routines with the status NOT_EXPOSED, and resumes these routines."""

    def __init__(
        self, hass: HomeAssistant, entry: SageConfigEntry, deliverer: AnswerDeliverer
    ) -> None:
        self._hass = hass
        self._entry = entry
        self._deliverer = deliverer
        self._routines = entry.runtime_data.routines
        self._withheld = {
            each.routine.id
            for each in self._routines.list_all()
            if each.routine.status is Status.NOT_EXPOSED
        }
        self._test = Debouncer(
            hass,
            _LOGGER,
            cooldown=COOLDOWN,
            immediate=False,
            function=self._async_test,
            background=True,
        )

    @callback
    def start(self) -> None:
        """Watch routines and the exposure of entities until the config entry is unloaded."""
        for stop in (
            self._routines.listen(self._handle_event),
            self._entry.runtime_data.home.gate.listen_to_exposure(self._changed),
            self._hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self._changed),
            self._test.async_shutdown,
        ):
            self._entry.async_on_unload(stop)
        self._changed()

    @callback
    def _changed(self, _: Event[er.EventEntityRegistryUpdatedData] | None = None) -> None:
        if self._withheld:
            self._test.async_schedule_call()

    @callback
    def _handle_event(self, event: RoutineEvent) -> None:
        routine = event.routine
        is_news = event.kind is RoutineEventKind.CHANGED
        if routine.status is Status.NOT_EXPOSED and event.kind is not RoutineEventKind.REMOVED:
            if routine.id not in self._withheld and is_news:
                self._notify(routine, "routine_is_not_exposed")
            self._withheld.add(routine.id)
        elif routine.id in self._withheld:
            self._withheld.discard(routine.id)
            if routine.status is Status.WATCHING and is_news:
                self._notify(routine, "routine_goes_on")

    def _notify(self, routine: Routine, key: str) -> None:
        self._entry.async_create_background_task(
            self._hass, self._async_notify(routine, key), "SAGE notifies the owner of a routine"
        )

    async def _async_notify(self, routine: Routine, key: str) -> None:
        sentences = await async_load_sentences(self._hass, routine.language)
        gist = RoutineWords(sentences, dt_util.now()).gist(routine)
        text = f"{gist} {sentences.say(key)}"
        await self._deliverer.async_send(routine, text, f"sage_routine_{routine.id}")

    async def _async_test(self) -> None:
        """Resume the routines whose condition can be read again."""
        for routine_id in tuple(self._withheld):
            try:
                if await self._async_can_read(routine_id):
                    await self._routines.async_resume(routine_id)
            except RoutineError as err:
                _LOGGER.debug("A routine cannot be resumed yet: %s", err)

    async def _async_can_read(self, routine_id: str) -> bool:
        """Return whether the condition of a stopped routine can be read; may raise RoutineError."""
        watched = self._routines.get(routine_id)
        if watched is None:
            return False
        if (condition := watched.routine.condition(watched.memo)) is None:
            return False
        person, bindings = watched.routine.person, watched.routine.bindings
        outcome = await self._routines.async_try(condition, person, bindings, watched.memo.state)
        return outcome.error is None or outcome.error.fault is not Fault.WITHHELD
