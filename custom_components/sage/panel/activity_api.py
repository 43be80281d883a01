"""Websocket commands of the panel's Commands view, which lists and undoes a user's commands.

For commands of unidentified speakers, administrators see devices, times and costs, but no texts.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import probatio
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.decorators import websocket_command
from homeassistant.core import Context, HomeAssistant, ServiceResponse, callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect

from ..agent import Run
from ..home import (
    Confirmation,
    HomeError,
    HomeView,
    RiskyAction,
    confirmation_question,
    say_outcomes,
)
from ..memory import MemoryStoreError
from ..people import HOUSEHOLD, Person
from ..run import RUN_CHANGED, ActionRequest, SageAction, refusal
from ..text import Sentences, async_load_sentences, known_language

_PAGE: Final = 50
_MOST_LISTED: Final = 500
_WAITING: Final = {"can_undo": False, "is_undone": False, "is_waiting": True}
_PUBLIC: Final = ("id", "at", "kind", "seconds", "model_calls", "usage")


async def _async_list(request: ActionRequest) -> ServiceResponse:
    listed, has_more = await _async_page(request, request.person)
    user_id, runtime = request.person.user_id, request.entry.runtime_data
    waiting = [] if "before" in request.data else runtime.runs.waiting_summaries(user_id)
    undo = runtime.home.undo
    undoable, undone = undo.last_runs(request.person), undo.undone_runs(request.person)
    return {
        "commands": [
            *({**each, **_WAITING} for each in reversed(waiting)),
            *(
                {
                    **each,
                    "can_undo": each["id"] in undoable,
                    "is_undone": each["id"] in undone,
                    "is_waiting": False,
                }
                for each in listed
            ),
        ],
        "has_more": has_more,
    }


async def _async_household(request: ActionRequest) -> dict[str, Any]:
    """Return the parts of commands that contain no text of the person.

    These are the time, kind, duration and costs of the command, and the names of the devices.
    """
    listed, has_more = await _async_page(request, HOUSEHOLD)
    commands = [
        {
            **{key: command[key] for key in _PUBLIC},
            "outcomes": [
                {key: outcome[key] for key in ("name", "kind")} for outcome in command["outcomes"]
            ],
        }
        for command in listed
    ]
    return {"commands": commands, "has_more": has_more}


async def _async_page(
    request: ActionRequest, person: Person
) -> tuple[Sequence[Mapping[str, Any]], bool]:
    """Return one page of a person's command summaries, latest first, and whether more exist.

    The first page also includes commands that are only in RAM, because the person switched memory
    off or the memory file cannot be written.
    """
    count, before = request.data["count"], request.data.get("before")
    commands: dict[str, Mapping[str, Any]] = {}
    if not before:
        latest = request.entry.runtime_data.runs.summaries(person.user_id)
        commands = {command["id"]: command for command in latest}
    with suppress(MemoryStoreError):
        logged = await request.memory.async_do(
            person, lambda memory: memory.commands.page(limit=count + 1, before=before)
        )
        commands |= {command["id"]: command for command in logged}
    page = sorted(commands.values(), key=lambda command: str(command["id"]), reverse=True)
    return page[:count], len(page) > count


@websocket_command({probatio.Required("type"): "sage/activity/watch"})
@callback
def watch_commands(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Send the user's commands while they run: each time, the command with its steps so far."""

    @callback
    def send(run: Run, is_over: bool) -> None:
        if run.person.user_id == connection.user.id:
            root, said = run.record.tree()[0], run.utterance
            live = {"id": run.id, "at": said.now.isoformat(), "command": said.text, "root": root}
            connection.send_event(msg["id"], live | {"is_over": is_over})

    connection.subscriptions[msg["id"]] = async_dispatcher_connect(hass, RUN_CHANGED, send)
    connection.send_result(msg["id"])


async def _async_traces(request: ActionRequest) -> ServiceResponse:
    """Return the traces of the caller's latest commands, newest last: all steps of a command."""
    user_id = request.call.context.user_id
    return {"traces": list(request.entry.runtime_data.runs.traces(user_id))}


async def _async_trace(request: ActionRequest) -> ServiceResponse:
    wanted = request.data["id"]
    for trace in request.entry.runtime_data.runs.traces(request.person.user_id):
        if trace["id"] == wanted:
            return trace
    logged = await request.memory.async_do(
        request.person, lambda memory: memory.commands.trace(wanted)
    )
    if logged is None:
        raise refusal("unknown_command")
    return logged


async def _async_undo(request: ActionRequest) -> ServiceResponse:
    home, language = request.entry.runtime_data.home, request.data["language"]
    await home.vocabulary.async_prepare(language)
    sentences = await async_load_sentences(request.hass, language)
    # Look this up last: another command could change the undo record meanwhile.
    conversation_id = home.undo.last_runs(request.person).get(request.data["id"])
    if conversation_id is None:
        raise refusal("no_undo")
    person, context, agreed = request.person, request.call.context, request.data.get("agreed")
    authority = _PageAuthority(person, context, language, conversation_id, sentences, agreed)
    try:
        outcomes = await HomeView(home, request.person, authority=authority).async_undo()
    except HomeError as err:
        raise refusal("no_undo") from err
    home.undo.record(request.person, conversation_id, outcomes)
    if authority.question is not None:
        return {"question": authority.question, "done": None}
    done = say_outcomes(request.hass, sentences, outcomes, language)
    return {"question": None, "done": done}


@dataclass(slots=True)
class _PageAuthority:
    """The authority of the panel user, who must agree to a question before a risky undo."""

    person: Person
    context: Context
    language: str
    conversation_id: str
    _sentences: Sentences
    _agreed: str | None  # the text of the question that the user agreed to
    room: str | None = None
    question: str | None = None
    """The question that the user has to agree to; None if no confirmation is needed."""

    async def async_classify(self, entity_ids: AbstractSet[str]) -> None:
        """Classify nothing: the panel asks about unclassified entities."""

    async def async_confirm(self, actions: Sequence[RiskyAction]) -> Confirmation:
        """Return GIVEN if the user agreed to the question for exactly these actions.

        Otherwise, store the question in `question`, for the panel to ask, and return DECLINED.
        Returns IMPOSSIBLE for a person who would need a PIN, because the panel does not ask for
        one.
        """
        if not self.person.is_certain:
            return Confirmation.IMPOSSIBLE
        question = confirmation_question(self._sentences, actions, longest=None)
        if question == self._agreed:
            return Confirmation.GIVEN
        self.question = question
        return Confirmation.DECLINED


_FIELDS: Final = {
    probatio.Optional("count", default=_PAGE): probatio.All(
        int, probatio.Range(min=1, max=_MOST_LISTED)
    ),
    probatio.Optional("before"): str,
}

ACTIVITY_COMMANDS: Final[Mapping[str, SageAction]] = {
    "traces": SageAction(handle=_async_traces),
    "activity/list": SageAction(handle=_async_list, fields=_FIELDS),
    "activity/household": SageAction(handle=_async_household, fields=_FIELDS, needs_admin=True),
    "activity/trace": SageAction(handle=_async_trace, fields={probatio.Required("id"): str}),
    "activity/undo": SageAction(
        handle=_async_undo,
        fields={
            probatio.Required("id"): str,
            probatio.Required("language"): probatio.All(str, known_language),
            probatio.Optional("agreed"): str,
        },
    ),
}
