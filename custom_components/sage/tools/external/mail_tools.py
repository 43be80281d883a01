"""The tools that read, draft and send mail, for the agent-tool `email_and_calendar` (Table I).

Reading a message never marks it as read. Before a message is sent, SAGE's code, not the model,
shows it to the person and asks for confirmation.
"""

import asyncio
import json
import re
from datetime import date, datetime
from functools import partial
from typing import Final

import probatio
from homeassistant.helpers import llm

from ...agent import Run, error_result, text_result
from ...external import ExternalError, Folder, Letter, Mailbox
from ...home import RunEventKind
from ..sage_tool import Arguments, Situation
from .external_tool import MAIL_AGENT, ExternalText, ExternalTool, PersonalTool

_MOST: Final = 10
_MOST_ALLOWED: Final = 30
_LONGEST_IN_THREAD: Final = 2_000
_NOTHING: Final = "No message fits."
_ID: Final = probatio.Required("id", description="such as m1, from a search or a thread")

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


def _mailbox(situation: Situation) -> Mailbox:
    """Return the mailbox of the person; without one, the tools are not offered."""
    mailbox = situation.external.mail_of(situation.run.person)
    assert mailbox is not None
    return mailbox


class SearchEmail(ExternalTool):
    """Searches the person's mail."""

    name = "sage__search_email"
    title = "Search mail"
    details = "details_mail"
    description = (
        "Find messages, the newest first: their ids, dates, senders and subjects. All arguments "
        "that are given must fit; without any, the newest messages."
    )
    parameters = probatio.Schema(
        {
            probatio.Optional(
                "words", description="words that all stand in the message, as few as possible"
            ): str,
            probatio.Optional("sender", description="a part of the name or address"): str,
            probatio.Optional("since", description="first day, YYYY-MM-DD"): str,
            probatio.Optional("before", description="day after the last one, YYYY-MM-DD"): str,
            probatio.Optional("unread", description="true: only unread messages"): bool,
            probatio.Optional("folder"): probatio.In([each.value for each in Folder]),
            probatio.Optional("most", description=f"{_MOST} unless given"): int,
        }
    )

    async def async_look(self, given: Arguments) -> ExternalText:
        """Return one line for each message found, the newest first."""
        async_search = partial(
            _mailbox(self.situation).async_search,
            words=given.get("words", "").split(),
            sender=given.get("sender", "").strip(),
            unread=bool(given.get("unread")),
            folder=Folder(given.get("folder", Folder.INBOX)),
        )
        most = min(max(given.get("most", _MOST), 1), _MOST_ALLOWED)
        since, before = _day(given.get("since")), _day(given.get("before"))
        mails, total, failed = await async_search(most, since=since, before=before)
        note = _NOTHING
        if mails:
            note = f"{len(mails)} of {total} messages that fit, the newest first."
        elif since or before:
            _, total, _ = await async_search(1)
            note += f" Without `since` and `before`: {total} messages."
        return ExternalText(
            text="\n".join(mail.line for mail in mails),
            ids=tuple(each.id for each in mails),
            note=" ".join((note, *failed)),
        )


class GetMessage(ExternalTool):
    """Reads one mail message."""

    name = "sage__get_message"
    title = "Read mail"
    details = "details_mail"
    description = "Read one message: header, text, and names of its attachments."
    parameters = probatio.Schema({_ID: str})

    async def async_look(self, given: Arguments) -> ExternalText:
        """Return the header, the text and the names of the attachments."""
        mail, body = await _mailbox(self.situation).async_read(given["id"])
        return ExternalText(text=mail.text(body), ids=(mail.id,), note=body.note)


class GetThread(ExternalTool):
    """Reads all messages of a mail thread."""

    name = "sage__get_thread"
    title = "Read thread"
    details = "details_mail"
    description = "Read the thread of a message: what was written before and after it."
    parameters = probatio.Schema({_ID: str})

    async def async_look(self, given: Arguments) -> ExternalText:
        """Return the messages of the thread, the oldest first, each cut to 2000 characters."""
        mailbox = _mailbox(self.situation)
        thread = await mailbox.async_thread(given["id"])
        messages = [await mailbox.async_read(mail.id) for mail in thread]
        texts = [mail.text(body)[:_LONGEST_IN_THREAD] for mail, body in messages]
        return ExternalText(
            text="\n\n".join(texts),
            ids=tuple(mail.id for mail in thread),
            note=f"{len(texts)} messages, the oldest first; long ones are cut.",
        )


def _day(text: str | None) -> date | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        raise ExternalError(f"`{text}` is no day: write YYYY-MM-DD.") from None


class _MailWriter(PersonalTool):
    """Base class of the tools that write mail."""

    parameters = probatio.Schema(_LETTER)

    async def _async_letter(self, given: Arguments, *, needs_recipient: bool) -> Letter:
        """Return the message; `needs_recipient`: or raise ExternalError without one."""
        mailbox = _mailbox(self.situation)
        sender = given.get("account", "").strip() or mailbox.addresses[0]
        to, references = list(given.get("to", ())), tuple[str, ...]()
        if given.get("reply_to"):
            # The header of the answered message is untrusted.
            self.situation.run.taint()
            answered, _ = await mailbox.async_read(given["reply_to"])
            head = answered.head
            references = tuple(filter(None, (*head.references, head.message_id)))
            to = to or [each.address for each in head.reply_to] or [head.sender.address]
            if not given.get("account"):
                sender = answered.place[0]
        if sender not in mailbox.addresses:
            own = ", ".join(mailbox.addresses)
            raise ExternalError(f"`account` must be an own address: {own}.")
        return Letter.written(
            sender=sender,
            to=to,
            cc=given.get("cc", ()),
            subject=given["subject"],
            text=given["text"],
            references=references,
            needs_recipient=needs_recipient,
        )

    def _say(self, key: str, letter: Letter) -> str:
        say, text = self.situation.sentences.say, letter.text.strip()
        return say(
            key,
            sender=letter.sender,
            recipients=", ".join(letter.recipients) or say("mail_no_recipient"),
            subject=letter.subject or "-",
            text=text,
            characters=str(len(text)),
        )


class CreateEmailDraft(_MailWriter):
    """Saves a message as a draft in the person's mailbox."""

    name = "sage__create_email_draft"
    title = "Draft"
    description = "Save a message in the drafts of the person, who can change and send it."

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Save the draft, even without recipients.

        If the model has read untrusted text, such as a mail, the person must confirm the draft,
        unless all of these conditions are true:
        - The person asked for a draft.
        - Each recipient was mentioned by the person or is in the person's contacts.
        - No memories of the person were recalled for this request.
        """
        letter = await self._async_letter(given, needs_recipient=False)
        if not await self._async_is_wanted(letter):
            question = f"{self.situation.sentences.say('outside_read')} "
            question += self._say("mail_draft_confirm", letter)
            if no := await self.async_declined(question, "No draft was saved"):
                return no
        await _mailbox(self.situation).async_save_draft(letter)
        text = self._say("mail_draft_saved", letter)
        self.done(RunEventKind.DONE, text)
        return text_result(f"Saved, not sent. Finish with kind `acted`: {text}")

    async def _async_is_wanted(self, letter: Letter) -> bool:
        """Return False if untrusted text can have caused the draft or added a recipient."""
        run, books = self.situation.run, self.situation.external.books
        if not await run.async_asked_for(
            lambda call: call.tool == MAIL_AGENT and call.arguments.get("draft") is True
        ):
            return False
        if not run.record.is_tainted:
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

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Show the message to the person and ask for confirmation; if confirmed, send it once."""
        letter = await self._async_letter(given, needs_recipient=True)
        not_sent = self._say("mail_not_sent", letter)
        recorded = {each.text for each in self.situation.evidence.external_actions}
        if recorded & {self._say("mail_sent", letter), self._say("mail_unknown", letter)}:
            return error_result("Sent in this request already, or maybe sent: do not repeat it.")
        if not_sent in recorded:
            return error_result("The person did not agree to this message. Do not try again.")
        question = self._say("mail_send_confirm", letter)
        if no := await self.async_declined(question, "The message was not sent"):
            self.done(RunEventKind.NOT_DONE, not_sent)
            return no
        return await self._async_send(letter)

    async def _async_send(self, letter: Letter) -> llm.ToolResult:
        """Send a confirmed message once; record the outcome and return it as a text.

        Returns an error if the connection broke before the server answered: the model must not try
        again. Raises ExternalError if the message was not sent.
        """
        unknown = self._say("mail_unknown", letter)
        try:
            is_sent = await _mailbox(self.situation).async_send(letter)
        except ExternalError:
            self.done(RunEventKind.NOT_DONE, self._say("mail_not_sent", letter))
            raise
        except asyncio.CancelledError:
            self.done(RunEventKind.UNKNOWN, unknown)
            raise
        if is_sent:
            text = self._say("mail_sent", letter)
            self.done(RunEventKind.DONE, text)
            return text_result(f"Sent. Finish with kind `acted`: {text}")
        self.done(RunEventKind.UNKNOWN, unknown)
        return error_result(
            "The connection broke before the server answered: the message may have been sent. Do "
            f"not send it again. Finish with kind `could_not` and exactly this answer: {unknown}"
        )


def _named_addresses(run: Run) -> set[str]:
    """Return the mail addresses that the person mentioned, in lower case.

    Includes the addresses in tool calls that the model made before it saw untrusted text.
    """
    said = [run.utterance.text, *(each.reply for each in run.replies)]
    calls = run.record.own_calls()
    said += [json.dumps(dict(each.arguments), ensure_ascii=False) for each in calls]
    return {address.strip(".") for text in said for address in _ADDRESS.findall(text.casefold())}
