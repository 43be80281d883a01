"""Earlier turns of a conversation, whoever spoke: SAGE, another agent, or an announcement.

Home Assistant's chat log has the words of all speakers; SAGE's record has its own turns with each
person.
"""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    AssistantContent,
    ChatLog,
    ToolResultContent,
    UserContent,
)
from homeassistant.components.conversation.chat_log import Content
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ..agent import Exchange
from ..const import DOMAIN

_SATELLITE: Final = "assist_satellite."
_HOME_ASSISTANT: Final = (HOME_ASSISTANT_AGENT, "homeassistant", "sentence_trigger")
"""Ids under which Home Assistant itself answers, the last one for an automation."""

_LONGEST_CALL: Final = 200
"""Maximum length of a tool call of another agent in characters."""


async def async_earlier_turns(
    hass: HomeAssistant,
    chat_log: ChatLog,
    own: Sequence[Exchange],
    redact: Callable[[str], Awaitable[str]],
) -> tuple[Exchange, ...]:
    """Return the earlier turns of a conversation, oldest first, without the current utterance.

    - `own`: SAGE's turns with this person; its turns with other people are left out. Of a turn that
      may contain untrusted text, only the person's words remain
    - `redact`: removes a possible PIN from words that SAGE did not hear

    The words of other agents are tainted, except those of Home Assistant's own agent and
    announcements.
    """
    others = [
        replace(turn, said=await redact(turn.said), answered=await redact(turn.answered))
        for turn in _turns_of_others(hass, chat_log)
    ]
    shown = (turn.without_outside_text for turn in own)
    return tuple(sorted((*shown, *others), key=lambda turn: turn.at))


def has_other_spoken_last(hass: HomeAssistant, chat_log: ChatLog) -> bool:
    """Return whether another speaker spoke since the person's last words before the current ones.

    The current utterance is the last content.
    """
    for content in reversed(chat_log.content[:-1]):
        if isinstance(content, UserContent):
            break
        if isinstance(content, AssistantContent | ToolResultContent) and _is_of_other(
            hass, content
        ):
            return True
    return False


def _turns_of_others(hass: HomeAssistant, chat_log: ChatLog) -> Iterator[Exchange]:
    said: UserContent | None = None
    answers: list[AssistantContent | ToolResultContent] = []
    for content in chat_log.content:
        if isinstance(content, UserContent):
            yield from _turn(hass, said, answers)
            said, answers = content, []
        elif isinstance(content, AssistantContent | ToolResultContent):
            if _is_of_other(hass, content):
                answers.append(content)
            else:
                # The person's words were for SAGE, so they are in its own record.
                yield from _turn(hass, None, answers)
                said, answers = None, []


def _turn(
    hass: HomeAssistant,
    said: UserContent | None,
    answers: Sequence[AssistantContent | ToolResultContent],
) -> Iterator[Exchange]:
    written = list(filter(None, map(_written, answers)))
    if not written:
        return
    speaker = answers[-1].agent_id
    is_home = speaker in _HOME_ASSISTANT
    state = hass.states.get(HOME_ASSISTANT_AGENT if is_home else speaker)
    yield Exchange(
        said=said.content if said is not None else "",
        answered="\n".join(written),
        at=said.created if said is not None else answers[0].created,
        speaker=state.name if state is not None else speaker,
        devices=tuple(dict.fromkeys(name for content in answers for name in _changed(content))),
        tainted=not is_home and not speaker.startswith(_SATELLITE),
    )


def _is_of_other(hass: HomeAssistant, content: AssistantContent | ToolResultContent) -> bool:
    """Return whether a content is not SAGE's.

    SAGE adds no tool calls and results. Those under its id are from Home Assistant, which answered
    in its place, in a pipeline that prefers local commands.
    """
    entity = er.async_get(hass).async_get(content.agent_id)
    is_sage = entity is not None and entity.platform == DOMAIN
    return not is_sage or isinstance(content, ToolResultContent) or bool(content.tool_calls)


def _written(content: Content) -> str:
    """Return the words of an answer and its tool calls; empty for the result of a tool."""
    if not isinstance(content, AssistantContent):
        return ""
    calls = (
        f"{call.tool_name} {json.dumps(call.tool_args, ensure_ascii=False, default=str)}"
        for call in content.tool_calls or ()
    )
    return "\n".join(filter(None, (*(call[:_LONGEST_CALL] for call in calls), content.content)))


def _changed(content: Content) -> Iterator[str]:
    """Yield the ids of the entities that an intent of Home Assistant's own agent changed."""
    data = content.result.data if isinstance(content, ToolResultContent) else None
    done = data.get("data") if isinstance(data, Mapping) else None
    targets: Any = done.get("success") if isinstance(done, Mapping) else None
    for target in targets if isinstance(targets, list) else ():
        if isinstance(target, Mapping) and target.get("type") == "entity":
            yield str(target.get("id"))
