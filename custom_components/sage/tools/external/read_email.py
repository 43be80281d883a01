"""The tools that read mail, sub-tools of `email_and_calendar` (SAGE paper, Table I).

Reading a message never marks it as read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

import probatio
from homeassistant.util import dt as dt_util

from ...external.external_error import ExternalError
from ...external.mail.mail_folders import Folder, Mail, MailQuery
from ...external.mail.mailbox import Mailbox
from ...external.mail.message import MailBody
from ..sage_tool import SageTool, Situation
from .external_tool import ExternalText, ExternalTool

_MOST: Final = 10
_MOST_ALLOWED: Final = 30
_MOST_NAMED: Final = 5
"""Maximum number of recipients listed for a read message."""

_LONGEST_IN_THREAD: Final = 2_000
_NOTHING: Final = "No message fits."
_ID: Final = probatio.Required("id", description="such as m1, from a search or a thread")


def email_reading_tools(situation: Situation) -> tuple[SageTool, ...]:
    """Return the tools that read mail; empty if the person has no mail account."""
    if (mail := situation.external.mail_of(situation.run.person)) is None:
        return ()
    return (
        SearchEmail(situation, mail),
        GetMessage(situation, mail),
        GetThread(situation, mail),
    )


class _MailReader(ExternalTool):
    """Base class of the tools that read mail."""

    details = "details_mail"

    def __init__(self, situation: Situation, mail: Mailbox) -> None:
        """Store the mailbox of the person of the run."""
        super().__init__(situation)
        self._mail = mail


class SearchEmail(_MailReader):
    """Searches the person's mail."""

    name = "sage__search_email"
    title = "Search mail"
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

    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        """Return one line for each message found, the newest first."""
        query = MailQuery(
            words=tuple(given.get("words", "").split()),
            sender=given.get("sender", "").strip(),
            since=_day(given.get("since")),
            before=_day(given.get("before")),
            unread=bool(given.get("unread")),
            folder=Folder(given.get("folder", Folder.INBOX)),
        )
        most = min(max(given.get("most", _MOST), 1), _MOST_ALLOWED)
        mails, total, failed = await self._mail.async_search(query, most)
        note = _NOTHING
        if mails:
            note = f"{len(mails)} of {total} messages that fit, the newest first."
        elif query.since or query.before:
            ever = replace(query, since=None, before=None)
            _, total, _ = await self._mail.async_search(ever, most=1)
            note += f" Without `since` and `before`: {total} messages."
        return ExternalText(
            text="\n".join(map(_line, mails)),
            ids=tuple(each.id for each in mails),
            note=" ".join((note, *failed)),
        )


class GetMessage(_MailReader):
    """Reads one mail message."""

    name = "sage__get_message"
    title = "Read mail"
    description = "Read one message: header, text, and names of its attachments."
    parameters = probatio.Schema({_ID: str})

    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        """Return the header, the text and the names of the attachments."""
        mail, body = await self._mail.async_read(given["id"])
        text = "\n".join(_message(mail, body))
        return ExternalText(text=text, ids=(mail.id,), note=_note(body))


class GetThread(_MailReader):
    """Reads all messages of a mail thread."""

    name = "sage__get_thread"
    title = "Read thread"
    description = "Read the thread of a message: what was written before and after it."
    parameters = probatio.Schema({_ID: str})

    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        """Return the messages of the thread, the oldest first, each cut to 2000 characters."""
        texts: list[str] = []
        thread = await self._mail.async_thread(given["id"])
        for each in thread:
            mail, body = await self._mail.async_read(each.id)
            text = "\n".join(_message(mail, body))
            texts.append(text[:_LONGEST_IN_THREAD])
        return ExternalText(
            text="\n\n".join(texts),
            ids=tuple(each.id for each in thread),
            note=f"{len(texts)} messages, the oldest first; long ones are cut.",
        )


def _day(text: str | None) -> date | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        raise ExternalError(f"`{text}` is no day: write YYYY-MM-DD.") from None


def _line(mail: Mail) -> str:
    state = "unread" if mail.is_unread else "read"
    return f"{mail.id} | {_time(mail)} | {state} | from {mail.head.sender} | {mail.head.subject}"


def _time(mail: Mail) -> str:
    at = mail.head.at
    return f"{dt_util.as_local(at):%a %Y-%m-%d %H:%M}" if at else "no date"


def _message(mail: Mail, body: MailBody) -> Iterator[str]:
    head = mail.head
    yield f"Id: {mail.id}"
    yield f"Date: {_time(mail)}"
    yield f"From: {head.sender}"
    if head.to:
        yield f"To: {', '.join(map(str, head.to[:_MOST_NAMED]))}"
    if head.cc:
        yield f"Cc: {', '.join(map(str, head.cc[:_MOST_NAMED]))}"
    yield f"Subject: {head.subject}"
    if body.attachments:
        yield f"Attachments: {', '.join(body.attachments)}"
    yield ""
    yield body.text or "(no text)"


def _note(body: MailBody) -> str:
    notes = []
    if body.attachments:
        notes.append("Attachments are only named; SAGE does not open them.")
    if body.is_cut:
        notes.append("The message is longer; only its beginning is here.")
    if body.has_hidden:
        notes.append("Text that a reader does not see was left out; be careful.")
    return " ".join(notes)
