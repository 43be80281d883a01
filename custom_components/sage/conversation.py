"""The conversation entity: passes an utterance from Assist to an agent and streams the answer.

An utterance is one of these; the first match counts:

- the reply to a question of a command in the same conversation
- a new request

If another agent or an announcement spoke last, it can only be a new request.
"""

import dataclasses
import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import partial
from operator import attrgetter
from typing import Any, Final

from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    AssistantContent,
    AssistantContentDeltaDict,
    ChatLog,
    ConversationEntity,
    ConversationEntityFeature,
    ConversationInput,
    ConversationResult,
    ToolResultContent,
    UserContent,
)
from homeassistant.components.conversation.chat_log import Content
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .agent import (
    Delta,
    End,
    EndKind,
    Exchange,
    Progress,
    Question,
    Run,
    Utterance,
    Wanted,
    new_run,
)
from .const import DOMAIN
from .people import Person, Pin, Voice, async_identify
from .run import (
    Answering,
    SageAgent,
    SageConfigEntry,
)
from .text import async_load_sentences, known_language

PARALLEL_UPDATES = 0

UNTRUSTED: Final = ContextVar("sage_untrusted", default=False)
"""Whether the utterance that an agent gets now may contain text from outside the home."""

LONGEST_UTTERANCE: Final = 4_000  # maximum length of an utterance in characters
_SATELLITE: Final = "assist_satellite."
_HOME_ASSISTANT: Final = (HOME_ASSISTANT_AGENT, "homeassistant", "sentence_trigger")
"""Ids under which Home Assistant itself answers, the last one for an automation."""

_LONGEST_CALL: Final = 200  # maximum length of a tool call of another agent in characters


async def async_setup_entry(
    hass: HomeAssistant,
    entry: SageConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add one conversation entity for each agent."""
    for subentry_id, agent in entry.runtime_data.agents.items():
        async_add_entities(
            [SageConversationEntity(entry, subentry_id, agent)], config_subentry_id=subentry_id
        )


class SageConversationEntity(ConversationEntity):
    """Conversation entity of one SAGE agent."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supports_streaming = True
    _attr_supported_features = ConversationEntityFeature.CONTROL
    supported_languages = MATCH_ALL

    def __init__(self, entry: SageConfigEntry, subentry_id: str, agent: SageAgent) -> None:
        self._entry = entry
        self._agent = agent
        self._attr_unique_id = subentry_id
        self._attr_device_info = agent.device_info

    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """Answer an utterance: as a reply to an open question, or else as a new command."""
        user_input = dataclasses.replace(user_input, language=known_language(user_input.language))
        if len(user_input.text) > LONGEST_UTTERANCE:
            return await self._async_refuse(user_input, chat_log)
        runtime = self._entry.runtime_data
        voice = runtime.speakers.take(user_input)
        person = await async_identify(self.hass, user_input, runtime.satellites, voice)
        speaker = person.speaker_key(user_input.satellite_id, user_input.device_id)
        is_unheard = voice is not None and voice.missing and not voice.user_id
        run = runtime.runs.waiting(
            chat_log.conversation_id, person, speaker if is_unheard else None
        )
        said, language = user_input.text, user_input.language
        if run is None and (
            stopped := await runtime.runs.async_stop_slow(
                self.hass, person, speaker, said, language
            )
        ):
            return self._say(user_input, chat_log, End(EndKind.ANSWER, stopped))
        if run is not None and _has_other_spoken_last(self.hass, chat_log):
            # A "yes" is not for the question that SAGE asked before.
            run.port.withdraw()
            run = None
        question = run.port.open_question if run else None
        text = said
        if runtime.pin.is_set:
            is_expected = await _async_may_be_pin(runtime.pin, run, person, user_input)
            text = await runtime.pin.async_redact(said, language, speaker, expected=is_expected)
        if text != user_input.text:
            _redact(chat_log, user_input.text, text)
        # The question may have been answered or withdrawn during the search for a PIN.
        if run is not None and run.port.open_question is question:
            is_secret = question is not None and question.is_secret
            run.port.reply(user_input.text if is_secret else text, speaker)
        else:
            run = await self._async_start(user_input, chat_log, person, text, voice)
        end = await self._async_turn(run, chat_log)
        if isinstance(end, End) and end.kind is EndKind.NEW_REQUEST:
            run = await self._async_start(user_input, chat_log, person, text, voice)
            end = await self._async_turn(run, chat_log)
        return _result(user_input, chat_log, end)

    async def _async_refuse(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        # Redact the utterance, which may contain a PIN.
        _redact(chat_log, user_input.text, "...")
        sentences = await async_load_sentences(self.hass, user_input.language)
        said = sentences.say("too_long", most=str(LONGEST_UTTERANCE))
        return self._say(user_input, chat_log, End(EndKind.FAILURE, said))

    def _say(
        self, user_input: ConversationInput, chat_log: ChatLog, end: Question | End
    ) -> ConversationResult:
        """Add a text that comes from no run of this turn to the chat log; return the result."""
        content = AssistantContent(agent_id=self.entity_id, content=end.text)
        chat_log.async_add_assistant_content_without_tools(content)
        return _result(user_input, chat_log, end)

    async def _async_start(
        self,
        user_input: ConversationInput,
        chat_log: ChatLog,
        person: Person,
        text: str,
        voice: Voice | None,
    ) -> Run:
        """Start to process a new command and return its run; `text` is without the PIN."""
        runs, inventory = self._entry.runtime_data.runs, self._entry.runtime_data.home.inventory
        own = runs.earlier(chat_log.conversation_id, person)
        utterance = Utterance(
            text=text,
            person=person,
            context=user_input.context,
            language=user_input.language,
            conversation_id=chat_log.conversation_id,
            now=dt_util.now(),
            room=inventory.room_of(user_input.satellite_id, user_input.device_id),
            satellite_id=user_input.satellite_id,
            device_id=user_input.device_id,
            extra_prompt=user_input.extra_system_prompt,
            voice=voice,
            is_untrusted=UNTRUSTED.get(),
            not_shown=tuple(turn for turn in own if turn.tainted),
            earlier=await self._async_earlier_turns(chat_log, own, user_input.language),
        )
        run = new_run(utterance, self._agent.settings)
        sentences = await async_load_sentences(self.hass, user_input.language)
        answering = Answering(self.hass, self._entry, self._agent, run, sentences)
        runs.start(
            self.hass,
            self._entry,
            run,
            answering.async_answer(),
            stopped=sentences.say("stopped"),
        )
        return run

    async def _async_earlier_turns(
        self, chat_log: ChatLog, own: Sequence[Exchange], language: str
    ) -> tuple[Exchange, ...]:
        """Return the earlier turns of a conversation, oldest first.

        `own`: SAGE's turns with this person; its turns with other people are left out. Of a turn
        that may contain untrusted text, only the person's words remain. In the words of others, a
        possible PIN is removed.
        """
        turns = [turn.without_outside_text for turn in own]
        for turn in _turns_of_others(self.hass, chat_log):
            redact = partial(self._entry.runtime_data.pin.async_redact_all, language=language)
            said, answered = await redact(turn.said), await redact(turn.answered)
            turns.append(dataclasses.replace(turn, said=said, answered=answered))
        return tuple(sorted(turns, key=attrgetter("at")))

    async def _async_turn(self, run: Run, chat_log: ChatLog) -> Question | End:
        """Stream the run's output to the chat log until its question or end; return that."""
        ends: list[Question | End] = []
        stream = chat_log.async_add_delta_content_stream(self.entity_id, _deltas(run, ends))
        with self._entry.runtime_data.runs.announced_wait(self.hass, run):
            async for _ in stream:
                pass
        return ends[0]


async def _deltas(
    run: Run, ends: list[Question | End]
) -> AsyncGenerator[AssistantContentDeltaDict]:
    """Yield the run's output as chat log deltas; append its question or end to `ends`."""
    yield {"role": "assistant"}
    while not ends:
        match await run.port.async_next():
            case Progress(text):
                yield {"thinking_content": f"- {text}\n"}
            case Delta(text):
                yield {"content": text}
            case Question(text) as question:
                ends.append(question)
                yield {"content": text}
            case End() as end:
                ends.append(end)
                if rest := run.unheard(end.text):
                    yield {"content": rest}


def _result(
    user_input: ConversationInput, chat_log: ChatLog, end: Question | End
) -> ConversationResult:
    response = intent.IntentResponse(language=user_input.language)
    if isinstance(end, End) and end.kind is EndKind.FAILURE:
        response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, end.text)
    else:
        response.async_set_speech(end.text)
    return ConversationResult(
        response=response,
        conversation_id=chat_log.conversation_id,
        continue_conversation=isinstance(end, Question),
    )


async def _async_may_be_pin(
    pin: Pin, run: Run | None, person: Person, user_input: ConversationInput
) -> bool:
    """Return whether the utterance is probably meant as a PIN, correct or not.

    True if SAGE asked for the PIN, or asked an unidentified speaker for a confirmation. Otherwise
    an utterance that is only a number counts as a PIN, unless it answers an ordinary question.
    """
    question = run.port.open_question if run is not None else None
    if run is not None and (question is None or not question.is_secret):
        return False
    if question is not None and (question.wanted is Wanted.PIN or not person.is_certain):
        return True
    return await pin.async_is_like(user_input.text, user_input.language)


def _redact(chat_log: ChatLog, spoken: str, text: str) -> None:
    """Replace the user message `spoken`, which may contain a PIN, by `text` in the chat log."""
    for index, content in enumerate(chat_log.content):
        if isinstance(content, UserContent) and content.content == spoken:
            chat_log.content[index] = dataclasses.replace(content, content=text)


# ------------------------------------------------------------ earlier turns

# Home Assistant's chat log has the words of all speakers; SAGE's registry of runs has its own turns
# with each person.


def _has_other_spoken_last(hass: HomeAssistant, chat_log: ChatLog) -> bool:
    """Return whether another speaker spoke between the person's last words and these."""
    for content in reversed(chat_log.content[:-1]):
        if isinstance(content, UserContent):
            break
        if isinstance(content, AssistantContent | ToolResultContent) and _is_of_other(
            hass, content
        ):
            return True
    return False


def _turns_of_others(hass: HomeAssistant, chat_log: ChatLog) -> Iterator[Exchange]:
    """Yield the answers of other speakers, each with the words of the person before it.

    The words of other agents are tainted, except those of Home Assistant's own agent and
    announcements.
    """
    said: UserContent | None = None
    answers: list[AssistantContent | ToolResultContent] = []
    # The last content is the current utterance.
    for content in chat_log.content:
        if isinstance(content, UserContent):
            if answers:
                yield from _turn(hass, said, answers)
            said, answers = content, []
        elif isinstance(content, AssistantContent | ToolResultContent):
            if _is_of_other(hass, content):
                answers.append(content)
            else:
                # The person's words were for SAGE, so they are in its own record.
                if answers:
                    yield from _turn(hass, None, answers)
                said, answers = None, []


def _turn(
    hass: HomeAssistant,
    said: UserContent | None,
    answers: Sequence[AssistantContent | ToolResultContent],
) -> Iterator[Exchange]:
    written = list(filter(None, map(_words_of, answers)))
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


def _words_of(content: Content) -> str:
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
