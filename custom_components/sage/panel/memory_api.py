"""Websocket commands of the panel's Memory view, for the memory of the signed-in user.

To change memories, the view calls service actions, such as `forget`, through `sage/action`.
"""

from collections.abc import Mapping
from typing import Any, Final

import probatio
from homeassistant.core import ServiceResponse

from ..memory import LongTermMemory, Origin, PersonMemory
from ..run import ActionRequest, SageAction

_PAGE: Final = 50
_MOST_LISTED: Final = 500
_HIGHEST_ID: Final = 2**63 - 1
_LONGEST_SEARCH: Final = 4_000
_GROUPS: Final = {
    "told": (Origin.TOLD, Origin.CORRECTED),
    "said": (Origin.SAID, Origin.REQUEST),
}


async def _async_overview(request: ActionRequest) -> ServiceResponse:
    return await request.memory.async_do(request.person, _overview, request.memory)


def _overview(memory: PersonMemory, memories: LongTermMemory) -> dict[str, Any]:
    days = memory.summaries.days().items()
    return {
        "settings": memory.settings().as_json(memories.household),
        "profile": memory.summaries.as_json(),
        "days": [{"date": day.isoformat(), "text": text} for day, text in reversed(days) if text],
        "total": memory.count(),
        "commands": memory.commands.count(),
    }


async def _async_list(request: ActionRequest) -> ServiceResponse:
    return await request.memory.async_do(request.person, _page, request.data)


def _page(memory: PersonMemory, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a page of a group; `found` is the number of memories on all pages of the search."""
    words, origins = data.get("search"), _GROUPS[data["group"]]
    page = memory.page_json(data["count"], before=data.get("before"), words=words, origins=origins)
    return {**page, "found": memory.count(words=words, origins=origins)}


MEMORY_COMMANDS: Final[Mapping[str, SageAction]] = {
    "memory/overview": SageAction(handle=_async_overview),
    "memory/list": SageAction(
        handle=_async_list,
        fields={
            probatio.Required("group"): probatio.In(list(_GROUPS)),
            probatio.Optional("count", default=_PAGE): probatio.All(
                int, probatio.Range(min=1, max=_MOST_LISTED)
            ),
            probatio.Optional("before"): probatio.All(int, probatio.Range(min=1, max=_HIGHEST_ID)),
            probatio.Optional("search"): probatio.All(str, probatio.Length(max=_LONGEST_SEARCH)),
        },
    ),
}
