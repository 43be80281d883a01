"""The entities of the demo home, which a measurement puts into the state that it needs."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.components.todo.const import TodoItemStatus
from homeassistant.components.todo.entity import TodoItem
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import async_get_platforms

from scripts.demonstration.furnish import DOMAIN

_AT_REST: Final[Mapping[str, Mapping[str, Any]]] = {
    "light": {"hs_color": None},
    "lock": {"is_locking": False, "is_unlocking": False},
    "cover": {"is_opening": False, "is_closing": False},
    "media_player": {
        "media_content_type": None,
        "media_content_id": None,
        "media_track": None,
    },
}


class DemoThings:
    """The entities by id."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Find them; the home must be furnished."""
        self.by_id: Final[Mapping[str, Any]] = {
            entity_id: thing
            for platform in async_get_platforms(hass, DOMAIN)
            for entity_id, thing in platform.entities.items()
        }

    def become(self, entity_id: str, **values: Any) -> None:
        """Give an entity these properties; `position` is that of a cover."""
        thing = self.by_id[entity_id]
        if (position := values.pop("position", None)) is not None:
            _move(thing, position)
            values["is_closed"] = position == 0
        thing.become(**values)

    def restart(self, entity_id: str) -> None:
        """Put an entity into the state in which the home starts."""
        thing = self.by_id[entity_id]
        thing.cancel()
        start = dict(thing.thing.start)
        if (position := start.pop("current_cover_position", None)) is not None:
            _move(thing, position)
            start["is_closed"] = position == 0
        if (entries := start.pop("entries", None)) is not None:
            start["todo_items"] = [_entry(each) for each in entries]
        thing.become(available=True, **_AT_REST.get(thing.thing.domain, {}), **start)


def _entry(summary: str) -> TodoItem:
    return TodoItem(summary=summary, uid=summary.lower(), status=TodoItemStatus.NEEDS_ACTION)


def _move(cover: Any, position: float) -> None:
    cover._position = cover._goal = position  # noqa: SLF001
