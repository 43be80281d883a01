"""The routines of the household: what they are stored in, what they read, who acts for them."""

import logging
from collections.abc import Container
from pathlib import Path
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..backup import is_backup_under_way
from ..const import CONF_DELIVERY, CONF_SATELLITES, DOMAIN
from ..delivery.deliverer import AnswerDeliverer
from ..home.home import Home
from ..lent.lent import Lent
from ..routine_access.issues import reporting_sandbox
from ..routine_access.switches import async_forget_strange_switches
from ..routines.async_store import AsyncRoutineStore
from ..routines.model import RoutineError
from ..routines.routines import Routines
from ..routines.sandbox.choose import async_make_sandbox
from ..runtime import SageConfigEntry
from ..storage.recovery import SetAside
from .repair import RoutineRepairer
from .runs import RoutineRuns

_LOGGER = logging.getLogger(__name__)

FILE: Final = ".storage/sage/routines.db"
_UNREADABLE: Final = "routines_unreadable"


@callback
def async_make_routines(hass: HomeAssistant, entry: SageConfigEntry, home: Home) -> Routines:
    """Return the routines; nothing is read, watched or installed yet."""

    @callback
    def noted(aside: SetAside) -> None:
        ir.async_create_issue(
            hass,
            DOMAIN,
            f"routines_damaged_{aside.path.name}",
            is_fixable=False,
            is_persistent=True,
            severity=ir.IssueSeverity.ERROR,
            translation_key="routines_missing" if aside.is_missing else "routines_damaged",
            translation_placeholders=aside.placeholders,
        )

    lent = Lent(hass, home)
    entry.async_on_unload(lent.close)
    return Routines(
        hass,
        store=AsyncRoutineStore(
            hass, Path(hass.config.path(FILE)), held=is_backup_under_way(hass), noted=noted
        ),
        make_sandbox=reporting_sandbox(async_make_sandbox),
        answers=lent,
        runner=RoutineRuns(hass, entry),
        deliverer=AnswerDeliverer(
            hass, entry.options.get(CONF_DELIVERY, {}), entry.options.get(CONF_SATELLITES, {})
        ),
        repairer=RoutineRepairer(home, lambda: entry.runtime_data.agents, lambda: lent.functions),
    )


async def async_load_routines(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Read what is stored; what cannot be read costs routines, and nothing else."""
    try:
        await entry.runtime_data.routines.async_load()
    except RoutineError as err:
        _LOGGER.warning("The routines cannot be read, so none is watched: %s", err)
        ir.async_create_issue(
            hass,
            DOMAIN,
            _UNREADABLE,
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key=_UNREADABLE,
            translation_placeholders={"error": str(err)},
        )
    else:
        ir.async_delete_issue(hass, DOMAIN, _UNREADABLE)
        there = {each.routine.id for each in entry.runtime_data.routines.list_all()}
        async_forget_strange_switches(hass, entry, there)


async def async_start_routines(routines: Routines, known: Container[str]) -> None:
    """Begin to watch, but nothing of people who were removed; `known` are all user ids."""
    owners = {watched.routine.owner for watched in routines.list_all()}
    for owner in owners:
        if owner is not None and owner not in known:
            await routines.async_owner_gone(owner)
    await routines.async_start()
