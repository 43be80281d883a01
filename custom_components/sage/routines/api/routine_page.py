"""Websocket API of the panel's view of routines.

Permissions:

- Each person can read and change their own routines.
- Administrators can also read the routines of the household.
- Administrators see only the number and the status of other people's routines.
- Administrators can pause, resume and delete all routines.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import probatio
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.const import ERR_INVALID_FORMAT, ERR_NOT_FOUND
from homeassistant.components.websocket_api.decorators import async_response, websocket_command
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, ServiceResponse
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from ...const import DOMAIN
from ...delivery import async_answer, questions_for
from ...run import ActionRequest, SageAction
from ...text import async_load_sentences, known_language
from ...tools import RoutineWords
from .public_routines import routine_id_of
from .routine_services import LONGEST_WORDS, ROUTINE, as_json, may_change, may_read, named, owns

_ON_OPENING: Final = frozenset({"code", "end_code", "state", "bindings", "function"})
"""Fields that only `routines/get` returns, because they may be long."""

_WORDS: Final = {
    probatio.Optional("language", default="en"): probatio.All(str, known_language),
    probatio.Optional("has_twelve_hours", default=False): bool,
}


async def _async_list(request: ActionRequest) -> dict[str, Any]:
    """Return the routines that the caller may read or change, and their open questions."""
    words = await _async_words(request)
    registry, agents = er.async_get(request.hass), request.entry.runtime_data.agents
    entity_of = partial(registry.async_get_entity_id, Platform.CONVERSATION, DOMAIN)
    own: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for watched in request.routines.list_all():
        routine = watched.routine
        if may_read(request, routine):
            shown = as_json(request, watched)
            short = {key: value for key, value in shown.items() if key not in _ON_OPENING}
            is_household = not owns(request, routine)
            own.append({**short, "says": words.gist(routine), "is_household": is_household})
        elif may_change(request, routine):
            others.append(as_json(request, watched))
    return {
        "routines": own,
        "others": others,
        "questions": await _async_questions(request),
        # The conversation entity of the first agent, which creates routines.
        "agent": next((entity_id for entity_id in map(entity_of, agents) if entity_id), None),
        "unreadable": len(request.routines.unreadable),
    }


async def _async_questions(request: ActionRequest) -> list[dict[str, Any]]:
    """Return the open questions of the caller, with yes and no in the routine's language."""
    hass, user_id = request.hass, request.person.user_id
    shown: list[dict[str, Any]] = []
    for question in questions_for(hass, user_id) if user_id is not None else ():
        sentences = await async_load_sentences(hass, question.language)
        shown.append(
            {
                "id": question.id,
                "routine": question.routine_id,
                "firing": question.firing_id,
                "text": question.text,
                "wanted": question.wanted.value,
                "takes_pin": question.takes_pin,
                "yes": sentences.say("routine_yes"),
                "no": sentences.say("routine_no"),
            }
        )
    return shown


async def _async_get(request: ActionRequest) -> ServiceResponse:
    """Return all data of one routine."""
    watched = named(request, may_read)
    words = await _async_words(request)
    return {**as_json(request, watched), "says": words.gist(watched.routine)}


async def _async_words(request: ActionRequest) -> RoutineWords:
    sentences = await async_load_sentences(request.hass, request.data["language"])
    return RoutineWords(sentences, dt_util.now(), request.data["has_twelve_hours"])


ROUTINE_COMMANDS: Final[Mapping[str, SageAction]] = {
    "routines/list": SageAction(handle=_async_list, fields=_WORDS),
    "routines/get": SageAction(handle=_async_get, fields={**ROUTINE, **_WORDS}),
}
"""The websocket commands of the Routines view, by name."""


@websocket_command(
    {
        probatio.Required("type"): "sage/answer_routine",
        probatio.Required("routine"): str,
        # Accept any value: Home Assistant logs invalid values, and this may be a PIN.
        probatio.Required("answer"): object,
    }
)
@async_response
async def async_answer_routine(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Answer a question of a routine of the caller or household, perhaps by PIN."""
    routine_id, answer = routine_id_of(hass, msg["routine"]), str(msg["answer"])
    if len(answer) > LONGEST_WORDS:
        connection.send_error(msg["id"], ERR_INVALID_FORMAT, "The answer is too long.")
        return
    if await async_answer(hass, connection.user.id, routine_id, answer):
        connection.send_result(msg["id"])
    else:
        connection.send_error(msg["id"], ERR_NOT_FOUND, "No such question waits for your answer.")
