"""The tools that find and change contacts; sub-tools of `email_and_calendar`."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, override

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ...agent import error_result, text_result
from ...external import AddressBooks, Contact
from ...home import ExternalAction, ExternalActionKind
from ...text import Verbatim, fold, verbatim, visible
from ..sage_tool import WRITES, SageTool, Situation
from .external_tool import MAIL_AGENT, ExternalText, ExternalTool

_MOST: Final = 10
_MOST_NAMED: Final = 100
_LONGEST_NOTE: Final = 300
_LONGEST: Final = 200


def _own(situation: Situation) -> tuple[AddressBooks, str]:
    """Return the address books and the person's id; without them, the tools are not offered."""
    books, owner = situation.external.books, situation.run.person.user_id
    assert books is not None
    assert owner is not None
    return books, owner


class GetContacts(ExternalTool):
    """Finds contacts of the person by name or relation."""

    name = "sage__get_contacts"
    title = "Contacts"
    description = (
        "Find mail addresses, phone numbers and birthdays of the people whom the person knows, by "
        "name or by relation."
    )
    details = "details_contacts"
    parameters = probatio.Schema(
        {
            probatio.Optional("name", description="name or nickname, or a part of it"): str,
            probatio.Optional(
                "relation",
                description="English, what they are to the person: mother, spouse, colleague",
            ): str,
        }
    )

    @override
    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        name, relation = (given.get("name") or "").strip(), (given.get("relation") or "").strip()
        books, owner = _own(self.situation)
        found = await books.async_find(owner, name, relation)
        notes = [f"Contacts that may be meant: {len(found)}."]
        if not found and relation and not name:
            # Return all contacts: one may be saved as "Mom", a relation that only the model
            # recognizes in every language.
            relation = ""
            found = await books.async_find(owner, name, relation)
            notes.append("None has this relation; one of these names may say it:")
        is_whole = bool(name or relation)
        shown = found[: _MOST if is_whole else _MOST_NAMED]
        if len(shown) < len(found):
            notes.append(f"Only {len(shown)} are shown; give a name.")
        text = "\n".join(
            _line(each) if is_whole else ", ".join((each.name, *each.nicknames)) for each in shown
        )
        return ExternalText(text=text, note=" ".join(notes))


class ChangeContacts(SageTool):
    """Adds, changes and deletes contacts in the address book of the person."""

    name = "sage__change_contacts"
    title = "Change contacts"
    description = (
        "Add a contact, change what is known about one, or delete one, only if the person asks "
        "for exactly that."
    )
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Required("action"): probatio.In(["put", "delete"]),
            probatio.Required("name", description="full name"): str,
            probatio.Optional("email"): str,
            probatio.Optional("phone"): str,
            probatio.Optional(
                "relation", description="English, one word: mother, spouse, colleague"
            ): str,
            probatio.Optional("birthday", description="ISO date"): str,
        }
    )

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        given = self.arguments(tool_input)
        name = " ".join(given["name"].split())[:_LONGEST]
        if not name:
            return error_result("`name` must not be empty.")
        books, owner = _own(self.situation)
        stored = await books.async_contacts(owner)
        known = [each for each in stored if fold(each.name) == fold(name)]
        if given["action"] == "delete":
            return await self._async_delete(known, name)
        return await self._async_put(known, name, given)

    async def _async_put(
        self, known: list[Contact], name: str, given: Mapping[str, Any]
    ) -> llm.ToolResult:
        before = known[0] if known else Contact(name=name)
        names = ("email", "phone", "relation", "birthday")
        contact = before.changed(**{each: (given.get(each) or "").strip() for each in names})
        text = self._say("contact_kept", contact)
        is_own = partial(self.is_same_call, given)
        if not await self.situation.run.async_asked_for(is_own, MAIL_AGENT) and (
            no := await self.async_declined(self._say("contact_tainted", contact))
        ):
            return no
        books, owner = _own(self.situation)
        await books.async_put(owner, [contact])
        return self._done(text)

    async def _async_delete(self, known: list[Contact], name: str) -> llm.ToolResult:
        if not known:
            return error_result(f"The address book has no contact of exactly this name: {name}.")
        question = self.situation.sentences.say("contact_delete", name=name)
        if (no := await self.async_declined(visible(question))) is not None:
            return no
        books, owner = _own(self.situation)
        await books.async_remove(owner, [each.uid for each in known])
        return self._done(self.situation.sentences.say("contact_deleted", name=name))

    def _done(self, text: str) -> llm.ToolResult:
        self.situation.run.record.add(ExternalAction(kind=ExternalActionKind.DONE, text=text))
        return text_result("Stored. Finish with kind `acted`.")

    def _say(self, key: str, contact: Contact) -> str:
        values = (*contact.emails, *contact.phones, contact.relation, contact.birthday)
        return self.situation.sentences.say(
            key,
            name=contact.name,
            values=Verbatim(", ".join(map(verbatim, filter(None, values)))) or "-",
        )


def _line(contact: Contact) -> str:
    return " | ".join((contact.name, *_fields(contact)))


def _fields(contact: Contact) -> Iterator[str]:
    single = {
        "nicknames": ", ".join(contact.nicknames),
        "relation to the person": contact.relation,
        "mail": ", ".join(contact.emails),
        "phone": ", ".join(contact.phones),
        "address": contact.address,
        "birthday": contact.birthday,
        "organization": contact.organization,
        "note": contact.note[:_LONGEST_NOTE],
    }
    yield from (f"{name}: {text}" for name, text in single.items() if text)
