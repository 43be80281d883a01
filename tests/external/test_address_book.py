"""The contacts of a person: kept, found by name and relation, and out of reach for others."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from benchmark.radicale_server import RadicaleServer
from custom_components.sage.external import External
from custom_components.sage.external.address_book import (
    AddressBookFile,
    AddressBooks,
    PersonContacts,
)
from custom_components.sage.external.carddav import CardDavAccount
from custom_components.sage.external.contact import Contact, Related
from custom_components.sage.people.person import Person
from tests.external.cards import card
from tests.radicale_fixtures import PASSWORDS, radicale, radicale_process

__all__ = ["radicale", "radicale_process"]


def _damaged(aside: Path, rows: int) -> None:
    pytest.fail(f"{aside} is damaged")


ANNA, BEN = (Person(user_id=name.casefold(), name=name) for name in ("Anna", "Ben"))

ERIKA = Contact(uid="1", name="Erika Fox", relation="mother", emails=("erika@example.org",))
MAX = Contact(uid="2", name="Max Fox", nicknames=("Maxi",))
OWN = Contact(
    uid="3",
    name="Anna Fox",
    related=(Related(relation="Father", name="Max Fox"), Related(relation="Mama", name="Erika")),
)
JURGEN = Contact(uid="4", name="Jürgen Müller", organization="Acme")


@pytest.fixture
async def books(hass: HomeAssistant, tmp_path: Path) -> AsyncGenerator[AddressBooks]:
    books = AddressBooks(hass, tmp_path / "contacts.db", AddressBookFile, on_replaced=_damaged)
    await books.async_load()
    yield books
    await books.async_close()


def of(books: AddressBooks, person: Person) -> PersonContacts:
    found = External(books=books).of(person).contacts
    assert found is not None
    return found


async def names(contacts: PersonContacts, name: str = "", relation: str = "") -> list[str]:
    return [each.name for each in (await contacts.async_find(name, relation))[0]]


async def test_contacts_are_kept_and_replaced(books: AddressBooks) -> None:
    anna = of(books, ANNA)
    await anna.async_keep([MAX, ERIKA])
    await anna.async_keep([Contact(uid="2", name="Max Wolf")])

    assert await names(anna) == ["Erika Fox", "Max Wolf"]


async def test_they_outlive_a_restart_and_are_deleted_for_good(
    hass: HomeAssistant, books: AddressBooks, tmp_path: Path
) -> None:
    await of(books, ANNA).async_keep([ERIKA, MAX])
    await books.async_close()
    again = AddressBooks(hass, tmp_path / "contacts.db", AddressBookFile, on_replaced=_damaged)
    await again.async_load()
    anna = of(again, ANNA)
    assert await names(anna) == ["Erika Fox", "Max Fox"]

    await anna.async_remove([ERIKA.uid])
    assert await names(anna) == ["Max Fox"]
    await again.async_close()

    assert not await hass.async_add_executor_job(_holds, tmp_path, b"erika")


def _holds(folder: Path, text: bytes) -> bool:
    return any(text in file.read_bytes() for file in folder.glob("contacts.db*"))


async def test_whose_book_is_used_follows_each_change(books: AddressBooks) -> None:
    anna, ben = of(books, ANNA), of(books, BEN)
    assert not anna.is_used

    await anna.async_keep([ERIKA])
    assert (anna.is_used, ben.is_used) == (True, False)

    await books.async_forget("anna")
    assert not anna.is_used


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
    anna = of(books, ANNA)
    await anna.async_keep([ERIKA, MAX, OWN, JURGEN])

    assert await names(anna, name) == found


@pytest.mark.parametrize(
    ("relation", "found"),
    [
        ("mother", ["Erika Fox"]),
        ("father", ["Anna Fox", "Max Fox"]),
        # Labels in the words of the owner are for the model to choose from.
        ("aunt", ["Anna Fox", "Erika Fox", "Max Fox"]),
    ],
)
async def test_found_by_relation(books: AddressBooks, relation: str, found: list[str]) -> None:
    anna = of(books, ANNA)
    await anna.async_keep([ERIKA, MAX, OWN, JURGEN])

    assert await names(anna, relation=relation) == found


def account_of(hass: HomeAssistant, server: RadicaleServer) -> CardDavAccount:
    return CardDavAccount(
        async_get_clientsession(hass),
        hass,
        url=server.url,
        username="anna",
        password=PASSWORDS["anna"],
    )


async def test_a_server_adds_its_contacts_and_its_failure_is_told(
    hass: HomeAssistant, books: AddressBooks, radicale: RadicaleServer
) -> None:
    await hass.async_add_executor_job(radicale.add_book, "anna", "people", {"tom": card("Tom Fox")})
    account = account_of(hass, radicale)
    external = External(books=books, contact_accounts={"anna": [account]})
    anna, ben = external.of(ANNA).contacts, external.of(BEN).contacts
    assert anna is not None
    assert ben is not None
    assert (anna.is_used, ben.is_used) == (True, False)
    await anna.async_keep([ERIKA])

    assert await names(anna) == ["Erika Fox", "Tom Fox"]
    assert await names(ben) == []

    await hass.async_add_executor_job(radicale.stop)
    away = PersonContacts(books, "anna", [account_of(hass, radicale)])
    found, failed = await away.async_all()
    assert [each.name for each in found] == ["Erika Fox"]
    assert failed == [
        "CardDAV account 1 cannot be read now (unreachable); its contacts are missing; say so."
    ]
