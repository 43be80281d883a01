"""The entry agent, which receives the utterance and calls all other tools (SAGE paper, Table I)."""

import logging
from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from homeassistant.exceptions import TemplateError
from homeassistant.helpers import llm
from homeassistant.helpers.template import Template, is_template_string

from ..agent import FINISH, Agent, Call, Finish, short_name, talk_questions
from ..model import ModelRequest, ToolSpec
from ..text import fenced, quoted
from .device_disambiguation import DeviceDisambiguation
from .device_interaction import DeviceInteraction, PaperDeviceInteraction
from .execute_command import (
    CHANGE,
    EVENT,
    TELL,
    DirectCommand,
    async_wish,
    timing_question,
    wish_of,
    wish_question,
)
from .external.email_and_calendar import EmailAndCalendar
from .external.tv_schedule import TvSchedule
from .external.weather_report import WeatherReport
from .human_interaction import HumanInteraction
from .memory import MemoryTool
from .personalization import Personalization, async_known_about_person
from .planner import Planner
from .routines.condition_code_writing import ConditionCodeWriting
from .routines.condition_polling import ConditionPolling
from .routines.routines_tool import RoutinesTool
from .sage_tool import NOT_SHOWN, SageTool, Situation, short
from .undo import Undo

_LOGGER = logging.getLogger(__name__)

_EXCHANGES = 4  # number of earlier conversation turns in the prompt
_RECENT = 2  # number of latest turns whose devices a request such as "switch it off" may mean
_MEANT = "Devices the request may mean, read just now:"
_MORE = "{number} more fit. A group holds them, too; for single ones of them `device_interaction`."
_DIRECT = (
    "If these are all it means and it is for now: `execute_command`, final true, and `finish` in "
    "one reply, `finish` alone for a question."
)
"""Repeats the rule for direct commands at the end, without which small models ignore it."""
_DIRECT_SHORT = "For now: `execute_command`. A question: `finish`."
"""Short form of `_DIRECT`, for models that get examples as chat messages."""
_ONLY: Final = {CHANGE: "For now: `execute_command`.", TELL: "A question: `finish`."}
"""The same, after such a model has said what the request wants."""
_CHANGING: Final = frozenset(
    {
        *("execute_command", "device_interaction", "device_disambiguation", "personalization"),
        *("human_interaction", "search_tv_schedule", "undo", FINISH),
    }
)
"""The tools that such a model may then call; others, such as those of routines, mislead it."""
_NOT_AGAIN: Final = frozenset({"personalization", "search_tv_schedule", "undo"})
"""Those of `_CHANGING` that have nothing to do with an error of a command."""

_WRITES_CONDITION: Final = "condition_code_writing"
_WATCHES: Final = "condition_polling"

_ROUTINES = 8  # maximum number of routines in the prompt; the tool `routines` lists all
_MESSAGE = (
    "The moment to say it has come: `finish` with kind `answered` and the words for the person. "
    "Only if it asks for something, find that out first."
)
"""Input for a due reminder. Without this text, a model would set the reminder up again."""

_UNREADABLE = "What is set up for later cannot be read now, is not known and not watched."

_ANY_INPUT: Final = "Person:"
"""The first characters of every run's input; the constant part of the prompt ends before them."""


async def async_run_sage(situation: Situation, foreign: Sequence[llm.Tool] = ()) -> Finish:
    """Let the entry agent process the command, and return its final answer.

    `foreign`: tools of other integrations, wrapped by `foreign.py`. Raises the errors of
    `agent.run.RUN_ENDING`.
    """
    run, agent = situation.run, _agent(situation, foreign)
    # The command of a tainted routine may come from untrusted text, not from the person.
    if not run.record.is_tainted:
        run.own_decisions[agent.name] = partial(_async_own_calls, situation, agent)
    wish = await async_wish(situation) if run.settings.misjudges_timing else ""
    if wish == TELL and (known := await async_known_about_person(situation)) is not None:
        return known
    given = await _async_request_text(situation, run.utterance.text, wish)
    # Other formats would show other tools, whose prompt the server has not cached.
    if run.settings.shows_turns:
        agent = replace(agent, narrowed=partial(_narrowed, situation, agent.specs()))
    return await agent.async_run(situation.hass, run, given, situation.llm_context)


def _narrowed(situation: Situation, specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
    """Return the tools for what the request wants (`JudgedTiming.wish`).

    - An event that comes first: what writes its condition, then what has it watched.
    - A command to devices that the prompt shows: those of `_CHANGING`.

    Devices stay free: limited to those that are shown, the model would take one of these for a
    device that the home does not have.
    """
    wish = wish_of(situation.run)
    allowed: Container[str] = [each.name for each in specs]
    if wish == EVENT and not situation.evidence.routines:
        record, tool = situation.run.record, _WRITES_CONDITION
        was_in_vain = any(each.tool == tool for each in record.own_calls())
        if situation.routines.written:
            # The person may have refused it: then only an answer is left.
            tool, was_in_vain = _WATCHES, record.has_failed(_WATCHES)
        allowed = (tool, FINISH) if was_in_vain else (tool,)
    elif wish == CHANGE and situation.evidence.seen:
        failed = situation.run.record.has_failed("execute_command")
        allowed = _CHANGING - _NOT_AGAIN if failed else _CHANGING
    return [each for each in specs if each.name in allowed]


async def _async_own_calls(situation: Situation, agent: Agent) -> Sequence[Call]:
    """Return the tool calls that the entry agent's model decides without untrusted text."""
    utterance = situation.run.utterance
    earlier = tuple(each.without_outside_text for each in utterance.earlier)
    run = replace(situation.run, utterance=replace(utterance, earlier=earlier))
    given = await _async_request_text(replace(situation, run=run), utterance.text)
    return await agent.async_own_calls(situation.run, given)


async def async_prefixes(
    situation: Situation, foreign: Sequence[llm.Tool] = ()
) -> tuple[ModelRequest, ...]:
    """Return model requests that fill the prompt cache of the model server.

    Each request contains the constant start of one prompt and asks for one token. The first request
    is that of the entry agent, which receives the person's command first.
    """
    settings = situation.run.settings
    agents, planned = [_agent(situation, foreign)], list[ModelRequest]()
    if not settings.paper_flow:
        planned += await Planner(situation).async_prefix(_ANY_INPUT)
        devices = (each for each in agents[0].tools if isinstance(each, DeviceInteraction))
        agents += [each.agent(answers_person=True) for each in devices]
    mail = (each for each in _external_tools(situation) if isinstance(each, EmailAndCalendar))
    agents += [each.agent(answers_person=True) for each in mail]
    agents.append(ConditionCodeWriting(situation).agent())
    if settings.misjudges_timing:
        planned += (wish_question(situation, ""), timing_question(situation, ""))
        planned += talk_questions(settings) if settings.shows_turns else ()
    first, *others = (agent.request(settings, _ANY_INPUT) for agent in agents)
    return tuple(replace(each, max_tokens=1) for each in (first, *planned, *others))


def _agent(situation: Situation, foreign: Sequence[llm.Tool]) -> Agent:
    """Return the entry agent with its tools; `foreign` are tools of other integrations.

    Its instructions are the rules, examples and the text in its options.
    """
    settings = situation.run.settings
    is_paper = settings.paper_flow
    about_devices = situation.prompt("devices_by_tool" if is_paper else "devices_direct")
    rules, _, examples = about_devices.rpartition("\n\n")
    task_info = settings.task_infos["sage"].replace("{devices}", rules)
    task_info = task_info.replace("{device_examples}", examples)
    if settings.instructions and (own := _owner_instructions(situation)):
        task_info += f"\n\nThe owner's instructions, which go before these rules:\n{own}"
    devices = PaperDeviceInteraction if is_paper else DeviceInteraction
    direct: tuple[SageTool, ...] = () if is_paper else (DirectCommand(situation),)
    if direct and situation.home.has_photos:
        direct = (*direct, DeviceDisambiguation(situation))
    return Agent(
        task_info=task_info,
        tools=(
            *direct,
            devices(situation),
            Personalization(situation),
            MemoryTool(situation),
            ConditionCodeWriting(situation),
            ConditionPolling(situation),
            RoutinesTool(situation),
            HumanInteraction(situation),
            Undo(situation),
            *_external_tools(situation),
            *foreign,
        ),
        finish_description=situation.prompt("finish"),
        answer_description=situation.prompt("finish_claims"),
        answers_person=True,
        examples=situation.run.settings.turns["sage_turns"],
    )


def _owner_instructions(situation: Situation) -> str:
    """Return the agent's own instructions, rendered; empty if that fails."""
    text = situation.run.settings.instructions
    if not is_template_string(text):
        return text.strip()
    known = {
        "ha_name": situation.hass.config.location_name,
        "user_name": situation.run.person.name or None,
    }
    try:
        rendered = Template(text, situation.hass).async_render(known, parse_result=False)
    except TemplateError as err:
        _LOGGER.warning("The instructions of the agent are left out: %s", err)
        return ""
    return str(rendered).strip()


async def _async_request_text(situation: Situation, request: str, wish: str = "") -> str:
    fired = situation.run.utterance.routine
    routines = [] if fired or situation.run.settings.paper_flow else _set_up(situation)
    is_message = fired is not None and fired.tells
    has_direct = not (situation.run.settings.paper_flow or is_message)
    matching = await _async_matching_devices(situation, request, wish) if has_direct else []
    outside = _outside(situation) if has_direct and not matching else []
    lines = [
        *situation.here_and_now(),  # person, room and time
        *routines,
        *_earlier(situation),
        *matching,
        *outside,
        f"Request: {request}",
    ]
    # If the routine executes a command, the prompt omits the condition: a small model would set the
    # condition up again.
    if fired is not None and is_message:
        lines.append(f"{_MESSAGE} Just now: {fired.when}.")
    return "\n".join(lines)


async def _async_matching_devices(situation: Situation, request: str, wish: str) -> list[str]:
    """Return prompt lines with the devices that the request may mean; empty if there are none.

    One block for each kind of device: ids with values, then attributes and commands with arguments
    and ranges. Only what the `wish` needs, if that is known.
    """
    latest = situation.run.utterance.earlier[-_RECENT:]
    recent = [name for turn in latest for name in turn.devices]
    # What other speakers meant, and turns with outside text, is known by the words only.
    others = (turn for turn in latest if not turn.devices and (turn.speaker or turn.tainted))
    words = " ".join(f"{turn.said} {turn.answered}" for turn in others)
    shown, more, around = await situation.home.async_document_matching(
        request, recent, words, is_question={TELL: True, CHANGE: False}.get(wish)
    )
    is_short = situation.run.settings.shows_turns
    # Small models would take what is missing for the answer to anything.
    near = [around] if around and not is_short else []
    if not shown:
        return near
    left_out = [_MORE.format(number=more)] if more else []
    rule = _ONLY.get(wish) or (_DIRECT_SHORT if is_short else _DIRECT)
    return [_MEANT, shown, *left_out, *near, rule]


def _external_tools(situation: Situation) -> tuple[SageTool, ...]:
    """Return the tools for sources outside the home that have a source.

    The tool for mail is offered if any person has mail, calendars or contacts: with the same tools,
    the prompts of all people share the prompt cache.
    """
    external = situation.external
    has_contacts = external.books is not None and bool(external.books.books)
    tools: tuple[tuple[type[SageTool], object], ...] = (
        (EmailAndCalendar, external.mail or has_contacts or external.any_calendar()),
        (WeatherReport, external.place_weather or situation.home.entities_of("weather")),
        (TvSchedule, external.guides),
    )
    return tuple(tool(situation) for tool, source in tools if source)


def _outside(situation: Situation) -> list[str]:
    """Return a line with the topics of outside tools: small models take mail for a device.

    Without the weather: they would take it for what any talk is about, and examples show it.
    """
    tools = _external_tools(situation) if situation.run.settings.shows_turns else ()
    shown = (each for each in tools if not isinstance(each, WeatherReport))
    topics = " ".join(f"{each.title}: `{short_name(each)}`." for each in shown)
    return [topics] if topics else []


def _set_up(situation: Situation) -> list[str]:
    """Return prompt lines with the person's latest routines, or that they cannot be read."""
    if situation.routines.trouble is not None:
        return [_UNREADABLE]
    if not situation.routines.has_some:
        return []
    listed, more = situation.routines.listed(_ROUTINES)
    if not listed and not more:
        return []
    lines = [f"{number}. {short(words)}" for number, words in listed.items()]
    if more:
        lines.append(f"and {more} more: `routines`, action list, final false")
    return ["Set up for later by the person:", *lines]


def _earlier(situation: Situation) -> list[str]:
    exchanges = situation.run.utterance.earlier[-_EXCHANGES:]
    if not exchanges:
        return []
    lines = ["Earlier in this conversation:"]
    for exchange in exchanges:
        if exchange.said:
            lines.append(f"- Person: {short(exchange.said)}")
        if exchange.done:
            lines.append(f"  Done: {short(exchange.done)}")
        if exchange.is_cut:
            lines.append(f"  {exchange.speaker or 'SAGE'}: {NOT_SHOWN}")
        elif exchange.speaker:
            mark = fenced if exchange.tainted else quoted
            lines.append(f"- {exchange.speaker} said:\n{mark(short(exchange.answered))}")
        else:
            lines.append(f"  SAGE: {short(exchange.answered)}")
    return lines
