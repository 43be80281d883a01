"""The contacts of a person: kept, found by name and relation, and out of reach for others."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store
from homeassistant.util.file import WriteError

from custom_components.sage.external import ExternalError
from custom_components.sage.external.address_book import (
    MOST_CONTACTS,
    STORAGE_KEY,
    AddressBooks,
    Contact,
)

ERIKA = Contact(uid="1", name="Erika Fox", relation="mother", emails=("erika@example.org",))
MAX = Contact(uid="2", name="Max Fox", nicknames=("Maxi",))
OWN = Contact(uid="3", name="Anna Fox", relation="Oma")
JURGEN = Contact(uid="4", name="Jürgen Müller", organization="Acme")


@pytest.fixture
async def books(hass: HomeAssistant) -> AddressBooks:
    return await loaded(hass)


async def loaded(hass: HomeAssistant) -> AddressBooks:
    books = AddressBooks(hass)
    await books.async_load()
    return books


async def names(books: AddressBooks, name: str = "", relation: str = "") -> list[str]:
    return [each.name for each in await books.async_find("anna", name, relation)]


async def test_contacts_are_kept_and_replaced_and_outlive_a_restart(
    hass: HomeAssistant, books: AddressBooks
) -> None:
    await books.async_put("anna", [MAX, ERIKA, OWN])
    await books.async_put("anna", [replace(MAX, name="Max Wolf")])

    again = await loaded(hass)

    assert await again.async_contacts("anna") == (OWN, ERIKA, replace(MAX, name="Max Wolf"))


async def test_contacts_are_deleted_for_good(
    books: AddressBooks, hass_storage: dict[str, Any]
) -> None:
    await books.async_put("anna", [ERIKA, MAX])
    await books.async_put("ben", [JURGEN])

    await books.async_remove("anna", [ERIKA.uid])
    assert await names(books) == ["Max Fox"]
    await books.async_forget("ben")
    assert books.books.keys() == {"anna"}

    text = str(hass_storage[STORAGE_KEY])
    assert "Max Fox" in text
    assert "erika" not in text
    assert "Acme" not in text


async def test_what_cannot_be_stored_is_no_contact(books: AddressBooks) -> None:
    full = patch.object(Store, "_async_write_data", side_effect=WriteError)

    with full, pytest.raises(ExternalError, match="Nothing was stored"):
        await books.async_put("anna", [ERIKA])

    assert await names(books) == []


async def test_too_many_contacts_change_nothing(books: AddressBooks) -> None:
    await books.async_put("anna", [ERIKA])

    with pytest.raises(ExternalError, match="at most"):
        await books.async_put("anna", [replace(MAX, uid=str(n)) for n in range(MOST_CONTACTS + 1)])

    assert await names(books) == ["Erika Fox"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Erika Fox", ["Erika Fox"]),
        ("maxi", ["Max Fox"]),
        ("fox", ["Anna Fox", "Erika Fox", "Max Fox"]),
        ("Juergen", ["Jürgen Müller"]),
        ("jurgen muller", ["Jürgen Müller"]),
        ("Acme", ["Jürgen Müller"]),
        ("Erica", ["Erika Fox"]),
        ("Xavier", []),
    ],
)
async def test_found_by_name(books: AddressBooks, name: str, found: list[str]) -> None:
    await books.async_put("anna", [ERIKA, MAX, OWN, JURGEN])

    assert await names(books, name) == found


@pytest.mark.parametrize(
    ("relation", "found"),
    [
        ("mother", ["Erika Fox"]),
        # Labels in the words of the owner are for the model to choose from.
        ("aunt", ["Anna Fox", "Erika Fox"]),
    ],
)
async def test_found_by_relation(books: AddressBooks, relation: str, found: list[str]) -> None:
    await books.async_put("anna", [ERIKA, MAX, OWN, JURGEN])

    assert await names(books, relation=relation) == found
