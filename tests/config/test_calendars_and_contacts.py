"""The options: whose a calendar is, and contacts from a vCard file."""

import io
import tempfile
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.sage.external import External
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.calendar_house import async_add_calendar
from tests.end_to_end.conftest import Sage
from tests.external.cards import card
from tests.options_dialog import Options, defaults


async def names(sage: Sage, person: Person) -> list[str]:
    external: External = sage.entry.runtime_data.external
    return [each.name for each in await external.async_calendars(person)]


def person(user: User) -> Person:
    return Person(user_id=user.id, name=user.name or "")


async def test_a_calendar_belongs_to_one_person(sage: Sage, anna: User, ben: User) -> None:
    await async_add_calendar(sage.hass, "Work")
    await async_add_calendar(sage.hass, "Family")
    row = er.async_get(sage.hass).async_get("calendar.work")
    assert row is not None
    options = Options(sage.hass, sage.entry)

    form = await options.enter(await options.open("calendars"), user=anna.id)
    assert form["description_placeholders"] == {"name": "Anna"}
    await options.enter(form, calendars=["calendar.work"])

    assert sage.entry.options["calendars"] == {row.id: anna.id}
    assert await names(sage, person(anna)) == ["Work", "Family"]
    assert await names(sage, person(ben)) == await names(sage, HOUSEHOLD) == ["Family"]

    form = await options.enter(await options.open("calendars"), user=ben.id)
    await options.enter(form, calendars=["calendar.work"])
    assert sage.entry.options["calendars"] == {row.id: ben.id}
    assert await names(sage, person(anna)) == ["Family"]

    form = await options.enter(await options.open("calendars"), user=ben.id)
    assert defaults(form)["calendars"] == ["calendar.work"]
    await options.enter(form, calendars=[])
    assert await names(sage, HOUSEHOLD) == ["Family", "Work"]


async def test_a_vcard_file_is_imported_for_a_person(
    sage: Sage,
    ben: User,
    anna: User,
    hass_client: ClientSessionGenerator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Uploads go to a folder that all tests of this machine would share.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    client = await hass_client()
    options = Options(sage.hass, sage.entry)

    async def upload(form: Any, content: str) -> Any:
        data = {"file": io.BytesIO(content.encode())}
        response = await client.post("/api/file_upload", data=data)
        found = (await response.json())["file_id"]
        return await options.enter(form, user=anna.id, file=found)

    form = await upload(await options.open("contacts"), "no card")
    assert form["errors"] == {"file": "no_contacts"}
    await upload(form, card("Tom Fox") + card("Eve Fox") + "BEGIN:VCARD\nEND:VCARD")

    books = sage.entry.runtime_data.external.books
    assert [each.name for each in await books.async_contacts(anna.id)] == ["Eve Fox", "Tom Fox"]
    assert await books.async_contacts(ben.id) == ()

    await sage.hass.auth.async_remove_user(anna)
    await sage.hass.async_block_till_done()
    assert await books.async_contacts(anna.id) == ()
