"""Switches of routines, one for each routine.

A switch is on while its routine waits for its condition or its time. All users can read the
switches, so states and attributes contain only a status, a count and times.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.components.switch import SwitchEntity
from homeassistant.const import EntityCategory
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util.language import Dialect

from ...people import async_all_users, async_user
from ...run import SageConfigEntry, refusal
from ...text import LANGUAGES, async_load_sentences
from ...tools import RoutineWords
from ..registry import RoutineEvent, RoutineEventKind
from ..routine_types import Routine, RoutineError, Status, Watched
from .public_routines import async_forget_switch, async_switch_of, device_info

_LONG_AGO: Final = datetime(1, 1, 1, tzinfo=UTC)
"""Time of the sentences in names, so that they contain dates instead of "today"."""

_RESUMABLE: Final = (Status.PAUSED, Status.WATCHING)

_LONGEST_NAME: Final = 100  # maximum length of a name in characters


async def async_set_up_switches(
    hass: HomeAssistant, entry: SageConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add a switch for each routine, now and whenever a routine is created.

    If exactly one person can sign in, the switches are named after the triggers and actions of
    their routines: all users can read the names, and Home Assistant records them.
    """
    routines = entry.runtime_data.routines
    added: dict[str, RoutineSwitchEntity] = {}
    words = {
        language: RoutineWords(await async_load_sentences(hass, language), _LONG_AGO)
        for language in LANGUAGES
    }
    is_alone = len(await async_all_users(hass)) == 1

    def switch(watched: Watched) -> RoutineSwitchEntity:
        routine = watched.routine
        entity_id = async_switch_of(hass, entry, routine)
        name = _name(routine, words if is_alone else {})
        return RoutineSwitchEntity(entry, routine, entity_id, added, name=name)

    @callback
    def handle_event(event: RoutineEvent) -> None:
        routine_id = event.routine.id
        if event.kind is RoutineEventKind.CREATED:
            if (watched := routines.get(routine_id)) is not None:
                async_add_entities([switch(watched)])
        elif event.kind is RoutineEventKind.REMOVED:
            # Remove the switch later, because other listeners still need its name.
            hass.loop.call_soon(async_forget_switch, hass, routine_id)
        elif (entity := added.get(routine_id)) is not None:
            entity.async_write_ha_state()

    async def users_changed(_: Event) -> None:
        nonlocal is_alone
        is_alone = len(await async_all_users(hass)) == 1
        for entity in tuple(added.values()):
            entity.async_rename(words if is_alone else {})

    for event_type in (EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED):
        entry.async_on_unload(hass.bus.async_listen(event_type, users_changed))
    entry.async_on_unload(routines.listen(handle_event))
    async_add_entities(map(switch, routines.list_all()))


def _name(routine: Routine, words: Mapping[str, RoutineWords]) -> str | None:
    """Return trigger and action in the routine's language, cut; None, its number, without words."""
    if not words:
        return None
    language = Dialect.parse(routine.language).language
    name = words.get(language, words["en"]).name(routine)
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


class RoutineSwitchEntity(SwitchEntity):
    """Switch that pauses and resumes one routine."""

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_translation_key = "routine"
    # By default, Assist does not expose configuration entities. Area and device targets leave them
    # out. SAGE itself never treats these switches as devices (`home/safety/gate.py`).
    _attr_entity_category = EntityCategory.CONFIG

    def __init__(
        self,
        entry: SageConfigEntry,
        routine: Routine,
        entity_id: str,
        added: dict[str, RoutineSwitchEntity],
        *,
        name: str | None,
    ) -> None:
        """Create the switch of a routine.

        `added` maps the ids of routines to the switches that exist in Home Assistant; each switch
        adds and removes itself. If `name` is None, the switch is named after its number.
        """
        self._routines = entry.runtime_data.routines
        self._routine_id = routine.id
        self._added = added
        self._attr_unique_id = routine.id
        self._attr_device_info = device_info(entry)
        self._attr_translation_placeholders = {"number": str(routine.number)}
        if name is not None:
            self._attr_name = name
        self.entity_id = entity_id

    async def async_added_to_hass(self) -> None:
        """Start state updates, or remove the switch if its routine has been deleted already."""
        if self._watched is None:
            self.hass.loop.call_soon(async_forget_switch, self.hass, self._routine_id)
            return
        self._added[self._routine_id] = self

    async def async_will_remove_from_hass(self) -> None:
        """Stop state updates."""
        self._added.pop(self._routine_id, None)

    @property
    def available(self) -> bool:
        """Return whether the routine exists."""
        return self._watched is not None

    @property
    def is_on(self) -> bool:
        """Return whether the routine waits for its condition or its time."""
        watched = self._watched
        return watched is not None and watched.status is Status.WATCHING

    @property
    def extra_state_attributes(self) -> Mapping[str, Any] | None:
        """Return the attributes; None if the routine does not exist.

        - `status`: e.g. `watching` or `paused`
        - `fired`: number of executions
        - `last_fired`: time of the last execution, in UTC
        - `next_check`: when the routine is due, or when its pause ends (UTC)
        """
        if (watched := self._watched) is None:
            return None
        return {
            "status": watched.status.value,
            "last_fired": watched.memo.last_fired,
            "next_check": _next_check(watched),
            "fired": watched.memo.fired,
        }

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Resume the routine. Raises a translated error without permission, or if uncheckable."""
        routine = await self._async_checked(resumes=True)
        if routine.status is not Status.WATCHING:
            await self._async_do(self._routines.async_resume)
        watched = self._watched
        if watched is not None and watched.status is Status.UNCHECKABLE:
            raise refusal("routine_uncheckable")

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Pause the routine, if on. Raises a translated error without permission."""
        routine = await self._async_checked(resumes=False)
        # A routine that stopped by itself keeps its status, which says why.
        if routine.status is not Status.WATCHING:
            return
        await self._async_do(self._routines.async_pause)

    @callback
    def async_rename(self, words: Mapping[str, RoutineWords]) -> None:
        """Name the switch after trigger and action, or without words after its number."""
        watched = self._watched
        if (name := _name(watched.routine, words) if watched is not None else None) is not None:
            self._attr_name = name
        elif hasattr(self, "_attr_name"):
            del self._attr_name
        er.async_get(self.hass).async_update_entity(self.entity_id, original_name=self.name)

    @property
    def _watched(self) -> Watched | None:
        return self._routines.get(self._routine_id)

    async def _async_do(self, operate: Callable[[str], Awaitable[object]]) -> None:
        try:
            await operate(self._routine_id)
        except RoutineError as err:
            raise refusal("routine_refused", error=str(err)) from err

    async def _async_checked(self, *, resumes: bool) -> Routine:
        """Return the routine; raises a translated error unless the caller may switch it.

        Its owner and administrators may pause and resume it. Automations may pause every routine,
        and resume those that were paused, but no routine that SAGE stopped.
        """
        # Read the context before any await: the next call replaces it.
        context = self._context
        person = await async_user(self.hass, context.user_id if context is not None else None)
        if (watched := self._watched) is None:
            raise refusal("unknown_routine")
        routine = watched.routine
        if person.user_id is not None and person.user_id != routine.owner:
            user = await self.hass.auth.async_get_user(person.user_id)
            if user is None or not user.is_admin:
                raise refusal("routine_of_others")
        if person.user_id is None and resumes and routine.status not in _RESUMABLE:
            raise refusal("routine_needs_person")
        return routine


def _next_check(watched: Watched) -> datetime | None:
    """Return the end of a pause, or a set time (UTC): the recorder would store each check."""
    if watched.routine.status is Status.PAUSED:
        return watched.routine.paused_until
    return watched.memo.next_due if watched.routine.status is Status.WATCHING else None
