"""Service actions on the caller's own contacts in SAGE, and the import of vCards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import probatio
from homeassistant.components.file_upload import process_uploaded_file
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv

from ..external import External
from ..external.contacts.address_book import MOST_CONTACTS, AddressBookError
from ..external.contacts.contact import (
    Contact,
    NoContactsError,
    is_email_address,
    read_cards,
)
from ..external.contacts.contact_search import PersonContacts, new_uid
from ..people.person import Person
from ..run.service_caller import ActionRequest, Handler, SageAction, failure, refusal

_LARGEST: Final = 20 * 1024 * 1024
"""Maximum size of a vCard file in bytes; cards can contain photos."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedContacts:
    """The result of importing contacts."""

    count: int
    unreadable: int
    """Number of vCards that could not be parsed."""


async def async_import_upload(
    hass: HomeAssistant, entry: ConfigEntry, user_id: str, upload: str
) -> ImportedContacts:
    """Import an uploaded vCard file into the contacts of a person.

    `upload`: id of the uploaded file. Raises NoContactsError, AddressBookError, or ValueError if no
    uploaded file has this id.
    """

    def read() -> tuple[list[Contact], int]:
        with process_uploaded_file(hass, upload) as path:
            if path.stat().st_size > _LARGEST:
                raise NoContactsError
            return read_cards(path.read_bytes())

    external: External = entry.runtime_data.external
    contacts = external.of(Person(user_id=user_id, name="")).contacts
    assert contacts is not None
    return await _async_keep(contacts, await hass.async_add_executor_job(read))


async def _async_keep(
    contacts: PersonContacts, read: tuple[Sequence[Contact], int]
) -> ImportedContacts:
    found, unreadable = read
    if not found or len(found) > MOST_CONTACTS:
        raise NoContactsError
    await contacts.async_keep(found)
    return ImportedContacts(count=len(found), unreadable=unreadable)


def _action(
    handle: Handler,
    fields: Mapping[Any, Any],
    response: SupportsResponse = SupportsResponse.OPTIONAL,
) -> SageAction:
    """Return a service action that converts the exceptions of `handle` to action errors."""

    async def async_handle(request: ActionRequest) -> ServiceResponse:
        try:
            return await handle(request)
        except NoContactsError as err:
            raise refusal("no_contacts") from err
        except AddressBookError as err:
            raise failure("contacts_not_stored", error=str(err)) from err

    return SageAction(handle=async_handle, fields=fields, response=response)


def _own(request: ActionRequest) -> PersonContacts:
    """Return the caller's contacts; raises ServiceValidationError for a call without a user."""
    contacts = request.entry.runtime_data.external.of(request.person).contacts
    if contacts is None:
        raise refusal("contacts_need_person")
    return contacts


async def _async_add(request: ActionRequest) -> ServiceResponse:
    data = request.data
    if "email" in data and not is_email_address(data["email"]):
        raise refusal("contact_email")
    contact = Contact(uid=new_uid(), name=data["name"], relation=data.get("relation", ""))
    contact = replace(
        contact,
        emails=tuple(filter(None, (data.get("email"),))),
        phones=tuple(filter(None, (data.get("phone"),))),
        birthday=data.get("birthday", ""),
        note=data.get("note", ""),
    )
    await _own(request).async_keep([contact])
    return {"uid": contact.uid}


async def _async_import(request: ActionRequest) -> ServiceResponse:
    contacts = _own(request)
    content = request.data["vcards"].encode("utf-8", "replace")
    read = await request.hass.async_add_executor_job(read_cards, content)
    imported = await _async_keep(contacts, read)
    return {"imported": imported.count, "unreadable": imported.unreadable}


async def _async_list(request: ActionRequest) -> ServiceResponse:
    return {"contacts": [each.as_dict() for each in await _own(request).async_own_contacts()]}


async def _async_delete(request: ActionRequest) -> ServiceResponse:
    contacts = _own(request)
    known = {each.uid for each in await contacts.async_own_contacts()}
    if request.data["uid"] not in known:
        raise refusal("contact_unknown")
    await contacts.async_remove([request.data["uid"]])
    return None


_TEXT: Final = probatio.All(cv.string, str.strip, probatio.Length(min=1, max=200))

CONTACT_SERVICES: Final[Mapping[str, SageAction]] = {
    "add_contact": _action(
        _async_add,
        {
            probatio.Required("name"): _TEXT,
            probatio.Optional("email"): _TEXT,
            probatio.Optional("phone"): _TEXT,
            probatio.Optional("relation"): _TEXT,
            probatio.Optional("birthday"): _TEXT,
            probatio.Optional("note"): probatio.All(cv.string, probatio.Length(max=1_000)),
        },
    ),
    "import_contacts": _action(
        _async_import,
        {probatio.Required("vcards"): probatio.All(cv.string, probatio.Length(max=_LARGEST))},
    ),
    "list_contacts": _action(_async_list, {}, SupportsResponse.ONLY),
    "delete_contact": _action(
        _async_delete, {probatio.Required("uid"): cv.string}, SupportsResponse.NONE
    ),
}
