"""The tools that save drafts and send mail, for the agent-tool `email_and_calendar`.

Before a message is sent, SAGE's code, not the model, shows it to the person and asks for
confirmation. See Table I of the SAGE paper.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ...agent.decision import Call
from ...agent.run import Run
from ...agent.tool import error_result, text_result
from ...external.external_error import ExternalError
from ...external.mail.mailbox import Mailbox
from ...external.mail.message import Letter, write_letter
from ...home.commands.evidence import ExternalAction, ExternalActionKind
from ..sage_tool import WRITES, SageTool, Situation
from .external_tool import async_declined

# Only from the beginning of a word, so that a long word is not read again from each letter.
_SIGN: Final = r"[^\s@<>,;:\"()\[\]\\]"
_ADDRESS: Final = re.compile(rf"(?<!{_SIGN}){_SIGN}++@[a-z0-9.-]+")
DRAFT: Final = probatio.Optional("draft", description="true: the person wants a draft of a mail")
"""Argument `draft` of the tool `email_and_calendar`: the person asked for a draft.

The model sets it before it reads mail, so the text of a mail cannot cause it.
"""

_LETTER: Final = {
    probatio.Optional(
        "to", description="addresses without names; leave out to answer the sender of `reply_to`"
    ): [str],
    probatio.Optional("cc", description="addresses without names"): [str],
    probatio.Required("subject"): str,
    probatio.Required(
        "text", description="the whole text, plain, as the person would write it"
    ): str,
    probatio.Optional("reply_to", description="id of the message that this answers"): str,
    probatio.Optional("account", description="own address to send from, if there are several"): str,
}


def email_writing_tools(situation: Situation) -> tuple[SageTool, ...]:
    """Return the tools that draft and send mail; empty if the person has no mail account."""
    if (mail := situation.external.mail_of(situation.run.person)) is None:
        return ()
    return CreateEmailDraft(situation, mail), SendMessage(situation, mail)


class _MailWriter(SageTool):
    """Base class of the tools that write mail."""

    annotations = WRITES
    parameters = probatio.Schema(_LETTER)

    def __init__(self, situation: Situation, mail: Mailbox) -> None:
        """Store the mailbox of the person of the run."""
        super().__init__(situation)
        self._mail = mail

    async def _async_letter(self, given: Mapping[str, Any], *, needs_recipient: bool) -> Letter:
        """Return the message for validated arguments. Raises ExternalError.

        `needs_recipient`: whether a message without a recipient is an error.
        """
        sender = given.get("account", "").strip() or self._mail.addresses[0]
        to, references = list(given.get("to", ())), tuple[str, ...]()
        if given.get("reply_to"):
            # The header of the answered message is untrusted.
            self.situation.run.taint()
            answered, _ = await self._mail.async_read(given["reply_to"])
            head = answered.head
            references = tuple(filter(None, (*head.references, head.message_id)))
            to = to or [each.address for each in head.reply_to] or [head.sender.address]
            if not given.get("account"):
                sender = answered.place.address
        if sender not in self._mail.addresses:
            own = ", ".join(self._mail.addresses)
            raise ExternalError(f"`account` must be an own address: {own}.")
        return write_letter(
            sender=sender,
            to=to,
            cc=given.get("cc", ()),
            subject=given["subject"],
            text=given["text"],
            references=references,
            needs_recipient=needs_recipient,
        )

    def _shown(self, key: str, letter: Letter) -> str:
        """Return a question that shows the whole message; `key` is the key of its translation."""
        text = letter.text.strip()
        return self.situation.sentences.say(
            key,
            sender=letter.sender,
            recipients=_recipients(self.situation, letter),
            subject=letter.subject or "-",
            text=text,
            characters=str(len(text)),
        )

    def _say(self, key: str, letter: Letter) -> str:
        return self.situation.sentences.say(
            key, recipients=_recipients(self.situation, letter), subject=letter.subject or "-"
        )

    def _record(self, kind: ExternalActionKind, text: str) -> None:
        self.situation.evidence.add(ExternalAction(kind=kind, text=text))


class CreateEmailDraft(_MailWriter):
    """Saves a message as a draft in the person's mailbox."""

    name = "sage__create_email_draft"
    title = "Draft"
    description = "Save a message in the drafts of the person, who can change and send it."

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Save the draft, even without recipients.

        If the model has read untrusted text, such as a mail, the person must confirm the draft,
        unless all of these conditions are true:
        - The person asked for a draft.
        - Each recipient was mentioned by the person or is in the person's contacts.
        - No memories of the person were recalled for this request.
        """
        letter = await self._async_letter(self.arguments(tool_input), needs_recipient=False)
        if not await self._async_is_wanted(letter):
            question = f"{self.situation.sentences.say('outside_read')} "
            question += self._shown("mail_draft_confirm", letter)
            if no := await async_declined(self.situation, question, "No draft was saved"):
                return no
        await self._mail.async_save_draft(letter)
        text = self._say("mail_draft_saved", letter)
        self._record(ExternalActionKind.DONE, text)
        return text_result(f"Saved, not sent. Finish with kind `acted`: {text}")

    async def _async_is_wanted(self, letter: Letter) -> bool:
        """Return False if untrusted text can have caused the draft or added a recipient."""
        run, books = self.situation.run, self.situation.external.books
        if not await run.async_asked_for(_asks_for_draft):
            return False
        if not run.tainted:
            return True
        if self.situation.evidence.recalled:
            return False
        unknown = {each.casefold() for each in letter.recipients} - _named_addresses(run)
        if unknown and books is not None and run.person.user_id is not None:
            known = await books.async_contacts(run.person.user_id)
            unknown -= {address.casefold() for each in known for address in each.emails}
        return not unknown


class SendMessage(_MailWriter):
    """Sends a message after the person has confirmed it."""

    name = "sage__send_message"
    title = "Send mail"
    description = (
        "Send a message. It shows the person the whole message and asks for confirmation itself."
    )

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Show the message to the person and ask for confirmation; if confirmed, send it once."""
        letter = await self._async_letter(self.arguments(tool_input), needs_recipient=True)
        not_sent = self._say("mail_not_sent", letter)
        recorded = {each.text for each in self.situation.evidence.external_actions}
        if recorded & {self._say("mail_sent", letter), self._say("mail_unknown", letter)}:
            return error_result("Sent in this request already, or maybe sent: do not repeat it.")
        if not_sent in recorded:
            return error_result("The person did not agree to this message. Do not try again.")
        question = self._shown("mail_send_confirm", letter)
        if no := await async_declined(self.situation, question, "The message was not sent"):
            self._record(ExternalActionKind.NOT_DONE, not_sent)
            return no
        return await self._async_send(letter)

    async def _async_send(self, letter: Letter) -> llm.ToolResult:
        """Send a confirmed message once; record the outcome and return it as a text.

        Returns an error if the connection broke before the server answered: the model must not try
        again. Raises ExternalError if the message was not sent.
        """
        unknown = self._say("mail_unknown", letter)
        try:
            is_sent = await self._mail.async_send(letter)
        except ExternalError:
            self._record(ExternalActionKind.NOT_DONE, self._say("mail_not_sent", letter))
            raise
        except asyncio.CancelledError:
            self._record(ExternalActionKind.UNKNOWN, unknown)
            raise
        if is_sent:
            text = self._say("mail_sent", letter)
            self._record(ExternalActionKind.DONE, text)
            return text_result(f"Sent. Finish with kind `acted`: {text}")
        self._record(ExternalActionKind.UNKNOWN, unknown)
        return error_result(
            "The connection broke before the server answered: the message may have been sent. Do "
            f"not send it again. Finish with kind `could_not` and exactly this answer: {unknown}"
        )


def _recipients(situation: Situation, letter: Letter) -> str:
    return ", ".join(letter.recipients) or situation.sentences.say("mail_no_recipient")


def _asks_for_draft(call: Call) -> bool:
    return call.tool == "email_and_calendar" and call.arguments.get("draft") is True


def _named_addresses(run: Run) -> set[str]:
    """Return the mail addresses that the person mentioned, in lower case.

    Includes the addresses in tool calls that the model made before it saw untrusted text.
    """
    said = [run.utterance.text, *(reply for _, reply in run.replies)]
    said += [json.dumps(dict(each.arguments), ensure_ascii=False) for each in run.own_calls]
    found = (_ADDRESS.findall(each.casefold()) for each in said)
    return {each.strip(".") for each in chain.from_iterable(found)}
