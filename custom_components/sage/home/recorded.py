"""Read earlier states of entities from Home Assistant's recorder."""

import asyncio
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.recorder import DATA_INSTANCE, get_instance

from .home_types import HomeError

if TYPE_CHECKING:
    from homeassistant.components.recorder.core import Recorder

_PIECE: Final = timedelta(hours=1)
"""Length of the first piece; each further piece is twice as long."""

_INSTANT: Final = timedelta(microseconds=1)

_MOST_ROWS: Final = 5_000
"""Maximum number of rows in one piece."""

_COMMIT_SECONDS: Final = 10.0


class Recorded:
    """Reads earlier states of entities. The caller must check the person's read permission."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass

    @property
    def is_there(self) -> bool:
        """Whether this Home Assistant has a recorder."""
        return DATA_INSTANCE in self._hass.data

    def check(self, entity_id: str) -> None:
        """Raise HomeError if the recorder is missing or does not record the entity."""
        if not self.is_there:
            raise HomeError("This Home Assistant has no recorder, so the past is unknown.")
        entity_filter = self._instance.entity_filter
        if entity_filter is not None and not entity_filter(entity_id):
            raise HomeError(f"The recorder of this Home Assistant leaves out {entity_id}.")

    @property
    def _instance(self) -> Recorder:
        return get_instance(self._hass)

    async def async_newest(
        self, like: State, start: datetime, end: datetime, most: int, *, attributes: bool
    ) -> list[State]:
        """Return up to `most` latest states of an entity between two times (UTC), oldest first.

        - `like`: current state of the entity
        - `attributes`: whether changes of attributes count; if not, all states get the attributes
          of `like`

        If all states fit, the first one is the state at `start`.
        """
        found: list[State] = []
        pieces = list(_pieces(start, end))
        for place, (since, until) in enumerate(pieces):
            # The last state of the earlier piece is the initial state of the later piece.
            is_first = place == len(pieces) - 1
            rows = await self._async_read(like, since, until, attributes, is_first)
            found[:0] = rows
            if len(found) > most:
                return found[-most:]
        return found

    async def async_held_since(self, state: State, oldest: datetime) -> datetime:
        """Return the time (UTC) when the entity entered its current state.

        The search ends at `oldest`. A time of unavailability, such as a restart, is not a change.
        """
        since = state.last_changed
        await self.async_commit()
        for start, end in _pieces(oldest, state.last_changed):
            rows = await self._async_read(state, start, end, attributes=False, first=True)
            for row in reversed(rows):
                if row.state == state.state:
                    since = row.last_updated
                elif row.state not in {"unavailable", "unknown"}:
                    return since
        return since

    async def _async_read(
        self, like: State, start: datetime, end: datetime, attributes: bool, first: bool
    ) -> list[State]:
        read = _read_with_attributes if attributes else _read_states
        # The recorder excludes changes exactly at the start.
        return await self._instance.async_add_executor_job(
            partial(read, self._hass, like, start - _INSTANT, end, first)
        )

    async def async_commit(self) -> None:
        """Wait up to 10 seconds until the recorder has stored recent changes."""
        try:
            async with asyncio.timeout(_COMMIT_SECONDS):
                await self._instance.async_block_till_done()
        except TimeoutError:
            # The recorder is busy: use the states that it has stored so far.
            return


def _pieces(start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield (start, end) of the pieces of a period, latest first.

    Each piece is twice as long as the one that was yielded before it.
    """
    length = _PIECE
    while end > start:
        since = max(start, end - length)
        yield since, end
        end, length = since, length * 2


def _read_states(
    hass: HomeAssistant, like: State, start: datetime, end: datetime, first: bool
) -> list[State]:
    from homeassistant.components.recorder import history  # noqa: PLC0415 - only with a recorder

    rows = history.state_changes_during_period(
        hass,
        start,
        end,
        like.entity_id,
        no_attributes=True,
        limit=_MOST_ROWS,
        include_start_time_state=first,
    )
    return [_whole(each, like.attributes) for each in rows.get(like.entity_id, ())]


def _read_with_attributes(
    hass: HomeAssistant, like: State, start: datetime, end: datetime, first: bool
) -> list[State]:
    from homeassistant.components.recorder import history  # noqa: PLC0415 - only with a recorder

    rows = history.get_significant_states(
        hass,
        start,
        end,
        [like.entity_id],
        include_start_time_state=first,
        significant_changes_only=False,
    )
    return [
        _whole(each, each.attributes)
        for each in rows.get(like.entity_id, ())
        if isinstance(each, State)
    ]


def _whole(row: State, attributes: Mapping[str, Any]) -> State:
    """Return a complete `State` for a recorder row; rows lack the domain."""
    return State(
        row.entity_id,
        row.state,
        attributes,
        last_changed=row.last_changed,
        last_updated=row.last_updated,
        validate_entity_id=False,
    )
