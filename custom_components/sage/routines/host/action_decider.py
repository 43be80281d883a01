"""Lets the model choose an action for each routine that was stored without one.

Such routines come from older versions, or from the Home Assistant action `sage.create_routine`.
"""

import logging
from datetime import timedelta
from typing import Final

import probatio
from homeassistant.core import HomeAssistant, callback

from ...agent.run import AgentSettings
from ...helpers.weakly import weakly
from ...home.home_types import HomeError
from ...home.rendering import render_documentation
from ...model.language_model import object_schema
from ...model.partial_json import first_object
from ...people.identity import async_user
from ...people.person import Person
from ...run.quiet_time import QuietTime
from ...run.runtime import SageConfigEntry
from ...tools.routines.routine_actions import COMMANDS, ActionKind, DoubtError, RoutineActions
from ..registry import RoutineEvent
from ..routine_types import (
    Commands,
    Decide,
    Routine,
    RoutineAction,
    RoutineError,
    RoutineKind,
    Status,
)
from ..routines import Routines
from .firing_runs import agent_of

_LOGGER = logging.getLogger(__name__)

QUIET_AFTER: Final = timedelta(seconds=30)
_TRIES: Final = 2
_MOST_TOKENS: Final = 1_500

_COMMAND: Final = object_schema(
    {
        "devices": {"type": "array", "items": {"type": "string"}},
        "command": {"type": "string"},
        "arguments": {"type": "object"},
        "component": {"type": "string"},
    },
    optional=("component",),
)
_SCHEMA: Final = object_schema(
    {
        "kind": {"type": "string", "enum": [each.value for each in ActionKind]},
        "commands": {"type": "array", "items": _COMMAND},
        "words": {"type": "string"},
    }
)
_REPLY: Final = probatio.Schema(
    {
        probatio.Required("kind"): probatio.In([each.value for each in ActionKind]),
        probatio.Optional("commands", default=[]): COMMANDS,
        probatio.Optional("words", default=""): str,
    },
    extra=probatio.REMOVE_EXTRA,
)


class ActionDecider:
    """While SAGE is idle, lets the model choose the actions of routines that have none."""

    def __init__(self, hass: HomeAssistant, entry: SageConfigEntry) -> None:
        """Store the inputs; the entry must be set up."""
        self._hass = hass
        self._entry = entry
        self._routines: Routines = entry.runtime_data.routines
        self._quiet = QuietTime(
            hass,
            entry,
            entry.runtime_data.runs,
            weakly(self._async_work),
            name="actions of routines",
            after=QUIET_AFTER,
        )

    @callback
    def start(self) -> None:
        """Start to choose actions in the background, also for routines that are created later.

        The work ends when the config entry is unloaded.
        """
        self._quiet.start()
        self._entry.async_on_unload(self._quiet.stop)
        self._entry.async_on_unload(self._routines.listen(self._handle_event))
        if self._pending():
            self._quiet.request()

    @callback
    def _handle_event(self, event: RoutineEvent) -> None:
        if event.routine.action is None:
            self._quiet.request()

    def _pending(self) -> list[Routine]:
        routines = [each.routine for each in self._routines.list_all()]
        return [
            each for each in routines if each.action is None and each.status is not Status.ENDED
        ]

    async def _async_work(self) -> None:
        """Choose actions for all routines without one.

        Raises ModelError if the model is unavailable.
        """
        for routine in self._pending():
            agent = agent_of(self._entry.runtime_data.agents, routine)
            person = await async_user(self._hass, routine.owner)
            if agent is None or agent.settings.paper_flow or person.user_id != routine.owner:
                continue
            action = await self._async_action(agent.settings, routine, person)
            try:
                await self._routines.async_set_action(routine, action)
            except RoutineError as err:
                _LOGGER.warning("The action of a routine could not be stored: %s", err)

    async def _async_action(
        self, settings: AgentSettings, routine: Routine, person: Person
    ) -> RoutineAction:
        """Ask the model to choose the action of the routine; return it.

        Returns `Decide` (the model decides each time what to do) if no valid action is found.
        """
        request = settings.json_request(
            settings.prompts["routine_action"],
            await self._async_given(routine, person),
            schema=_SCHEMA,
            max_tokens=_MOST_TOKENS,
        )
        for _ in range(_TRIES):
            reply = await settings.model.async_complete(request)
            try:
                action = await self._async_checked(reply.text, person)
            except DoubtError:
                break
            except (HomeError, probatio.Invalid) as err:
                request = request.after(reply, f"Not possible: {err}")
            else:
                may_run_now = routine.kind is RoutineKind.DO or not isinstance(action, Commands)
                return action if may_run_now else Decide()
        return Decide()

    async def _async_checked(self, reply: str, person: Person) -> RoutineAction:
        """Return the validated action in a reply of the model.

        Raises probatio.Invalid if the reply has a wrong form, HomeError for an invalid command,
        DoubtError if the person would have to choose one of several devices.
        """
        given = _REPLY(first_object(reply) or {})
        actions = RoutineActions(self._hass, self._entry.runtime_data.home.of(person))
        valid = await actions.async_validated(
            ActionKind(given["kind"]), given["words"], given["commands"]
        )
        return valid.action

    async def _async_given(self, routine: Routine, person: Person) -> str:
        """Return the prompt input: the request, and the devices that it may mean."""
        home = self._entry.runtime_data.home.of(
            person, language=routine.language, room=routine.room
        )
        documents, _ = await home.async_document_matching(routine.command)
        lines = [
            f"Waits for: {routine.when}",
            f"Kind so far: {routine.kind.value}",
            f"Language: {routine.language}",
            f"Devices the request may mean:\n{render_documentation(documents)}",
            f"Request: {routine.command}",
        ]
        return "\n".join(lines)
