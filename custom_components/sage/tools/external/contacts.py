"""The tools that find and change contacts; sub-tools of `email_and_calendar`."""

from typing import Final, override

import probatio
from homeassistant.helpers import llm

from ...agent import error_result, text_result
from ...home import RunEventKind
from ...text import Verbatim, verbatim, visible
from ..sage_tool import Arguments
from .external_tool import ExternalText, ExternalTool, PersonalTool

_MOST: Final = 10
_MOST_NAMED: Final = 100
_LONGEST: Final = 200
_FIELDS: Final = ("email", "phone", "relation", "birthday")


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
    async def async_look(self, given: Arguments) -> ExternalText:
        name, relation = (given.get("name") or "").strip(), (given.get("relation") or "").strip()
        books, owner = self.situation.external.own_books(self.situation.run.person)
        contacts = await books.async_find(owner, name, relation)
        notes = [f"Contacts that may be meant: {len(contacts)}."]
        is_whole = bool(name or relation)
        if not contacts and is_whole:
            # "Mom" is a relation that only the model recognizes, in every language.
            contacts = await books.async_find(owner, "", "")
            is_whole = len(contacts) <= _MOST
            notes.append("None has this name or relation; one of these may be meant:")
        shown = contacts[: _MOST if is_whole else _MOST_NAMED]
        if len(shown) < len(contacts):
            notes.append(f"Only {len(shown)} are shown; give a name.")
        text = "\n".join(
            contact.line if is_whole else ", ".join((contact.name, *contact.nicknames))
            for contact in shown
        )
        return ExternalText(text=text, note=" ".join(notes))


class ChangeContacts(PersonalTool):
    """Adds, changes and deletes contacts in the address book of the person."""

    name = "sage__change_contacts"
    title = "Change contacts"
    description = (
        "Add a contact, change what is known about one, or delete one, only if the person asks "
        "for exactly that."
    )
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
    async def async_use(self, given: Arguments) -> llm.ToolResult:
        name = " ".join(given["name"].split())[:_LONGEST]
        if not name:
            return error_result("`name` must not be empty.")
        situation, say = self.situation, self.situation.sentences.say
        books, owner = situation.external.own_books(situation.run.person)
        if given["action"] == "delete":
            if not (same := await books.async_named(owner, name)):
                return error_result(
                    f"The address book has no contact of exactly this name: {name}."
                )
            question = visible(say("contact_delete", name=name))
            if (no := await self.async_declined(question)) is not None:
                return no
            await books.async_remove(owner, [contact.uid for contact in same])
            text = say("contact_deleted", name=name)
        else:
            fields = {field: (given.get(field) or "").strip() for field in _FIELDS}
            contact = await books.async_changed(owner, name, **fields)
            values = (*contact.emails, *contact.phones, contact.relation, contact.birthday)
            shown = {
                "name": contact.name,
                "values": Verbatim(", ".join(map(verbatim, filter(None, values)))) or "-",
            }
            text = say("contact_kept", **shown)
            if no := await self.async_unwanted(given, say("contact_tainted", **shown)):
                return no
            await books.async_put(owner, [contact])
        self.done(RunEventKind.DONE, text)
        return text_result("Stored. Finish with kind `acted`.")
