"""The agent-tool for mail, calendars and contacts: with a model loop (SAGE paper, Table I)."""

from functools import partial
from typing import Final

import probatio
from homeassistant.helpers import llm

from ...agent import About, Agent, Finish, FinishKind, error_result, final_result, text_result
from ...text import fenced
from ..personalization import Personalization
from ..sage_tool import FINAL, WRITES, Arguments, SageTool, Situation
from .calendar_events import CalendarEventCreation, CalendarEventList
from .contacts import ChangeContacts, GetContacts
from .external_tool import MAIL_AGENT
from .mail_tools import DRAFT, CreateEmailDraft, GetMessage, GetThread, SearchEmail, SendMessage

_REQUEST: Final = probatio.Required(
    "request",
    description="the whole request as the person said it, with what earlier turns and tools add",
)

_NOTHING: Final = (
    "This person has no mail, calendars or contacts here. They can be connected in Home Assistant, "
    "on the page of SAGE under Devices & services. Say so: finish with kind `could_not`."
)
_UNKNOWN_PERSON: Final = (
    "It is not known who speaks, so no mail, calendars or contacts can be read. Say so: finish "
    "with kind `could_not`."
)
_NOTHING_READ: Final = (
    "Nothing was read in this request. Call the tool that reads it, and answer from its result."
)


def inner_tools(situation: Situation) -> tuple[SageTool, ...]:
    """Return the tools for the person's mail, calendars and contacts, and for personalization.

    The personalization tool looks up facts about the person, for example who "my mother" is.
    """
    person, external, tools = situation.run.person, situation.external, list[type[SageTool]]()
    if external.mail_of(person) is not None:
        tools += (SearchEmail, GetMessage, GetThread, CreateEmailDraft, SendMessage)
    if situation.home.entities_of("calendar"):
        tools += (CalendarEventList, CalendarEventCreation)
    if external.books is not None and person.user_id is not None:
        tools += (GetContacts, ChangeContacts)
    return tuple(tool(situation) for tool in (*tools, Personalization))


class EmailAndCalendar(SageTool):
    """Reads and writes mail, calendars and contacts of the person who gave the command."""

    name = "sage__email_and_calendar"
    title = "Mail and calendar"
    description = (
        "The person's own mail, calendars and contacts: search, read and summarize mail, draft "
        "and send it; list and create events; look up addresses and numbers of people."
    )
    annotations = WRITES
    parameters = probatio.Schema({_REQUEST: str, FINAL: bool})

    def __init__(self, situation: Situation) -> None:
        """Offer the argument `draft` to the model if any person in the home has a mail account."""
        super().__init__(situation)
        if situation.external.mail:
            self.parameters = probatio.Schema({_REQUEST: str, DRAFT: bool, FINAL: bool})

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Handle the request in a loop of model decisions.

        Returns one of these:
        - the final answer for the person, if the argument `final` is True
        - otherwise a text for the calling agent
        - an error, if the person has no mail, calendars or contacts
        """
        final, situation, run = bool(given["final"]), self.situation, self.situation.run
        has_calendar = bool(situation.home.entities_of("calendar"))
        if not has_calendar and not situation.external.has_mail_or_contacts(run.person):
            return error_result(_NOTHING if run.person.user_id else _UNKNOWN_PERSON)
        agent = self.agent(answers_person=final)
        if run.own_decisions:
            words = situation.task_text(run.utterance.text)
            run.own_decisions.setdefault(agent.name, partial(agent.async_own_calls, run, words))
        task = situation.task_text(given["request"])
        finish = await agent.async_run(situation.hass, run, task, situation.llm_context)
        if final:
            return final_result(finish)
        report = [f"{finish.kind.value}:", fenced(finish.answer)]
        report += [each.text for each in situation.evidence.external_actions]
        return text_result("\n".join(report))

    def agent(self, *, answers_person: bool) -> Agent:
        """Return the agent for requests; `answers_person`: the person, not an agent."""
        situation = self.situation
        return Agent(
            name=MAIL_AGENT,
            task_info=situation.prompt("email_and_calendar"),
            tools=inner_tools(situation),
            finish_description=situation.prompt("finish"),
            answer_description=situation.prompt("finish_claims"),
            depth=1,
            answers_person=answers_person,
            # Its tools neither read nor change the home, so small models must not say so.
            subjects=(About.OTHER, About.PERSON),
            objection=self._unread,
            examples=situation.run.settings.turns["mail_turns"],
        )

    def _unread(self, finish: Finish) -> str | None:
        """Return an objection to an answer if the run has read and done nothing for it."""
        is_unknown = finish.kind is FinishKind.ANSWERED and self.situation.evidence.is_empty
        return _NOTHING_READ if is_unknown else None
