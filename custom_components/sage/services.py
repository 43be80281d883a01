"""Actions (services) that read and change the memory of the calling user, and `sage.process`.

A call without a user, e.g. by an automation, uses the memory of the household. With `forget`,
administrators can delete memories of other users, but no action reads them.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import probatio
from homeassistant.components.conversation import async_converse
from homeassistant.core import Context, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from .config import async_update_profile
from .conversation import UNTRUSTED
from .memory import RECALLED, Memory, Origin, PersonMemory, export, whole_days
from .people import Person
from .run import ActionRequest, SageAction, failure, refusal

_MOST_CHARACTERS: Final = 4_000  # maximum length of a memory in characters; no utterance is longer
_MOST_RECALLED: Final = 50
_MOST_IDS: Final = 10_000
_PAGE: Final = 20
_MOST_LISTED: Final = 500
_MOST_DAYS: Final = 36_500
_RETENTION: Final = ("retention_days", "request_days")

_WORDS: Final = probatio.All(cv.string, str.strip, probatio.Length(min=1, max=_MOST_CHARACTERS))
_ID: Final = probatio.All(probatio.Coerce(int), probatio.Range(min=1, max=2**63 - 1))


# Remembering and recalling


async def _async_remember(request: ActionRequest) -> ServiceResponse:
    new = Memory(
        text=request.data["text"],
        at=dt_util.utcnow(),
        origin=Origin(request.data["origin"]),
        question=request.data.get("question"),
        # An automation may pass text from an untrusted source.
        tainted=not request.person.is_known,
    )
    try:
        stored = await request.memory.of(request.person.user_id).async_remember(new)
    except ValueError as err:
        raise refusal("no_words") from err
    if stored is None:
        raise refusal("memory_off")
    return stored.as_json()


async def _async_recall(request: ActionRequest) -> ServiceResponse:
    own = request.memory.of(request.person.user_id)
    found = await own.async_recall(request.data["question"], request.data["count"])
    return {"memories": [each.as_json() | {"score": round(each.score, 4)} for each in found]}


async def _async_list(request: ActionRequest) -> ServiceResponse:
    data = request.data
    return await request.memory.async_do(
        request.person,
        PersonMemory.page_json,
        data["count"],
        before=data.get("before"),
        words=data.get("search"),
    )


async def _async_correct(request: ActionRequest) -> ServiceResponse:
    memory_id, text = request.data["id"], request.data["text"]
    try:
        corrected = await request.memory.async_do(
            request.person,
            PersonMemory.correct,
            memory_id,
            text,
            tainted=not request.person.is_known,
        )
    except ValueError as err:
        raise refusal("no_words") from err
    request.memory.of(request.person.user_id).embed_later()
    # Traces and earlier turns may contain the replaced text.
    request.entry.runtime_data.runs.forget(request.person.user_id)
    return corrected.as_json()


# Forgetting


async def _async_forget(request: ActionRequest) -> ServiceResponse:
    data = request.data
    given = [key for key in ("ids", "topic", "everything") if data.get(key)]
    if "first_day" in data or "last_day" in data:
        given.append("period")
    if len(given) != 1:
        raise refusal("forget_one_way")
    whose = await request.async_whose(data.get("user"))
    count = await _async_forget_of(request, whose, given[0])
    # Traces and earlier turns may contain the forgotten text. While memory is off, they exist
    # although no memory was deleted.
    if count or given[0] == "everything":
        request.entry.runtime_data.runs.forget(whose.user_id)
    return {"forgotten": count}


async def _async_forget_of(request: ActionRequest, whose: Person, way: str) -> int:
    """Delete memories by `way` (`ids`, `topic`, `period` or `everything`); return their number."""
    memory, data = request.memory, request.data
    match way:
        case "everything":
            return await memory.async_do(whose, PersonMemory.forget_all)
        case "period":
            days = (str(data[key]) if key in data else None for key in ("first_day", "last_day"))
            try:
                start, end = whole_days(*days)
            except ValueError as err:
                raise refusal("period") from err
            return await memory.async_do(whose, PersonMemory.forget_period, start, end)
        case "topic" if whose != request.person:
            # The number of matches would reveal what another person spoke about.
            raise refusal("topic_of_others")
        case "topic":
            found = await memory.of(whose.user_id).async_find(data["topic"])
            ids = [each.id for each in found]
        case _:
            ids = data["ids"]
    return await memory.async_do(whose, PersonMemory.forget, ids)


# The profile


async def _async_rebuild_profile(request: ActionRequest) -> ServiceResponse:
    built = await async_update_profile(request.entry, request.person)
    if built is None:
        raise refusal("no_agent")
    if built.error and not request.call.return_response:
        raise failure("profile_unfinished", error=built.error)
    return {
        "days": built.days,
        "days_left": built.days_left,
        "changed": built.has_changed,
        "error": built.error or None,
    }


# Export and settings


async def _async_set(request: ActionRequest) -> ServiceResponse:
    wanted: dict[str, Any] = {
        key: request.data[key] for key in ("enabled", *_RETENTION) if key in request.data
    }
    if request.data.get("household_retention"):
        if any(key in wanted for key in _RETENTION):
            raise refusal("retention_one_way")
        wanted |= dict.fromkeys(_RETENTION)
    settings = await request.memory.async_do(request.person, PersonMemory.change_settings, **wanted)
    return settings.as_json(request.memory.household)


def _number(least: int, most: int) -> Callable[[Any], int]:
    return probatio.All(probatio.Coerce(int), probatio.Range(min=least, max=most))


MEMORY_SERVICES: Final[Mapping[str, SageAction]] = {
    "remember": SageAction(
        handle=_async_remember,
        fields={
            probatio.Required("text"): _WORDS,
            probatio.Optional("question"): _WORDS,
            probatio.Optional("origin", default=Origin.TOLD.value): probatio.In(
                [Origin.TOLD.value, Origin.CORRECTED.value]
            ),
        },
    ),
    "recall": SageAction(
        handle=_async_recall,
        fields={
            probatio.Required("question"): _WORDS,
            probatio.Optional("count", default=RECALLED): _number(1, _MOST_RECALLED),
        },
        response=SupportsResponse.ONLY,
    ),
    "list_memories": SageAction(
        handle=_async_list,
        fields={
            probatio.Optional("search"): _WORDS,
            probatio.Optional("count", default=_PAGE): _number(1, _MOST_LISTED),
            probatio.Optional("before"): _ID,
        },
        response=SupportsResponse.ONLY,
    ),
    "correct_memory": SageAction(
        handle=_async_correct,
        fields={probatio.Required("id"): _ID, probatio.Required("text"): _WORDS},
    ),
    "forget": SageAction(
        handle=_async_forget,
        fields={
            probatio.Optional("ids"): probatio.All(
                cv.ensure_list, probatio.Length(max=_MOST_IDS), [_ID]
            ),
            probatio.Optional("topic"): _WORDS,
            probatio.Optional("first_day"): cv.date,
            probatio.Optional("last_day"): cv.date,
            probatio.Optional("everything"): cv.boolean,
            probatio.Optional("user"): cv.string,
        },
    ),
    "get_profile": SageAction(
        handle=lambda request: request.memory.async_do(
            request.person, lambda memory: memory.summaries.as_json()
        ),
        response=SupportsResponse.ONLY,
    ),
    "rebuild_profile": SageAction(handle=_async_rebuild_profile),
    "export_memory": SageAction(
        handle=lambda request: request.memory.async_do(request.person, export),
        response=SupportsResponse.ONLY,
    ),
    "set_memory": SageAction(
        handle=_async_set,
        fields={
            probatio.Optional("enabled"): cv.boolean,
            probatio.Optional("retention_days"): _number(0, _MOST_DAYS),
            probatio.Optional("request_days"): _number(0, _MOST_DAYS),
            probatio.Optional("household_retention"): cv.boolean,
        },
    ),
}


# Sentences of automations


async def _async_process(request: ActionRequest) -> ServiceResponse:
    """Pass the sentence to an agent; return the result like `conversation.process`.

    An untrusted sentence is processed for the household, in a conversation of its own. Raises
    ServiceValidationError if the agent is not one of SAGE.
    """
    hass, call, data = request.hass, request.call, request.data
    rows = er.async_entries_for_config_entry(er.async_get(hass), request.entry.entry_id)
    agents = [row.entity_id for row in rows if row.domain == "conversation"]
    agent = data.get("agent_id") or next(iter(agents), None)
    if agent not in agents:
        raise refusal("no_such_agent")
    is_untrusted = data["untrusted"]
    token = UNTRUSTED.set(is_untrusted)
    try:
        result = await async_converse(
            hass,
            data["text"],
            None,
            Context(parent_id=call.context.id) if is_untrusted else call.context,
            language=data.get("language"),
            agent_id=agent,
        )
    finally:
        UNTRUSTED.reset(token)
    return result.as_dict()


_LISTENING: Final = "listening"  # the value of `AssistSatelliteState.LISTENING`


async def _async_note_speaker(request: ActionRequest) -> None:
    """Note who speaks at a device, as another integration recognized it, for its next turn.

    A report has to come before the turn: while the satellite listens, or with the transcript. So a
    late one concerns no other turn.
    """
    data, hass = request.data, request.hass
    if (user := await request.async_named_user(data["user"])) is None:
        raise refusal("unknown_user")
    rows = er.async_entries_for_device(er.async_get(hass), data["device_id"])
    satellites = [row.entity_id for row in rows if row.domain == "assist_satellite"]
    if satellites and not any(hass.states.is_state(each, _LISTENING) for each in satellites):
        raise refusal("speaker_late")
    if not satellites and "text" not in data:
        raise refusal("speaker_without_text")
    speakers = request.entry.runtime_data.speakers
    speakers.report(data["device_id"], user.id, data.get("text"))


PROCESS_SERVICES: Final[Mapping[str, SageAction]] = {
    "process": SageAction(
        handle=_async_process,
        fields={
            probatio.Required("text"): cv.string,
            probatio.Optional("untrusted", default=False): cv.boolean,
            probatio.Optional("agent_id"): cv.entity_id,
            probatio.Optional("language"): cv.string,
        },
    ),
    "speaker_recognized": SageAction(
        handle=_async_note_speaker,
        fields={
            probatio.Required("device_id"): cv.string,
            probatio.Required("user"): cv.string,
            probatio.Optional("text"): cv.string,
        },
        response=SupportsResponse.NONE,
        needs_admin=True,
    ),
}
"""Actions about sentences: of an automation, maybe with text from outside; and who speaks one."""
