"""Contacts from a real CardDAV server."""

import logging
from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from benchmark.radicale_server import RadicaleServer
from custom_components.sage.external.carddav import (
    CardDavAccount,
    CardDavError,
    CardDavFailure,
)
from tests.external.cards import card
from tests.radicale_fixtures import PASSWORDS, radicale, radicale_process

__all__ = ["radicale", "radicale_process"]


def account(
    hass: HomeAssistant,
    server: RadicaleServer,
    person: str = "anna",
    password: str | None = None,
    path: str = "",
) -> CardDavAccount:
    return CardDavAccount(
        async_get_clientsession(hass),
        hass,
        url=f"{server.url}{path}",
        username=person,
        password=PASSWORDS[person] if password is None else password,
    )


async def async_add(hass: HomeAssistant, server: RadicaleServer, **cards: str) -> None:
    await hass.async_add_executor_job(server.add_book, "anna", "people", cards)


async def names(account: CardDavAccount) -> list[str]:
    return sorted(each.name for each in await account.async_contacts())


@pytest.mark.parametrize("path", ["", "anna/", "anna/people/"])
async def test_the_address_book_is_found_from_any_address(
    hass: HomeAssistant, radicale: RadicaleServer, path: str
) -> None:
    await async_add(hass, radicale, tom=card("Tom Fox", "EMAIL:tom@example.org"))

    (tom,) = await account(hass, radicale, path=path).async_contacts()

    assert (tom.name, tom.emails) == ("Tom Fox", ("tom@example.org",))


async def test_all_address_books_of_the_account_are_read(
    hass: HomeAssistant, radicale: RadicaleServer
) -> None:
    await async_add(hass, radicale, tom=card("Tom Fox"))
    await hass.async_add_executor_job(
        radicale.add_book, "anna", "family", {"erika": card("Erika Fox")}
    )
    await hass.async_add_executor_job(radicale.add_calendar, "anna", "dates", {})

    assert await names(account(hass, radicale)) == ["Erika Fox", "Tom Fox"]


async def test_changes_are_fetched_after_some_minutes(
    hass: HomeAssistant, radicale: RadicaleServer, freezer: FrozenDateTimeFactory
) -> None:
    await async_add(hass, radicale, tom=card("Tom Fox"), ann=card("Ann Fox"))
    book = account(hass, radicale)
    assert await names(book) == ["Ann Fox", "Tom Fox"]

    await hass.async_add_executor_job(
        radicale.put, "anna", "people/eve.vcf", card("Eve Fox"), "text/vcard"
    )
    await hass.async_add_executor_job(radicale.delete, "anna", "people/tom.vcf")
    assert await names(book) == ["Ann Fox", "Tom Fox"]

    freezer.tick(timedelta(minutes=6))
    assert await names(book) == ["Ann Fox", "Eve Fox"]


async def test_hundreds_of_contacts_are_read_in_batches(
    hass: HomeAssistant, radicale: RadicaleServer
) -> None:
    many = "".join(card(f"Contact {number}") for number in range(500))
    await hass.async_add_executor_job(radicale.add_book, "anna", "many", {})
    await hass.async_add_executor_job(radicale.put, "anna", "many/", many, "text/vcard")

    assert len(await account(hass, radicale).async_contacts()) == 500


async def test_a_wrong_password_is_named_and_never_logged(
    hass: HomeAssistant, radicale: RadicaleServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    book = account(hass, radicale, password="hunter2")

    with pytest.raises(CardDavError) as caught:
        await book.async_contacts()

    assert caught.value.failure is CardDavFailure.WRONG_PASSWORD
    assert "hunter2" not in caplog.text + str(caught.value) + repr(caught.value)


async def test_a_server_that_is_gone_leaves_what_was_read(
    hass: HomeAssistant, radicale: RadicaleServer, freezer: FrozenDateTimeFactory
) -> None:
    await async_add(hass, radicale, tom=card("Tom Fox"))
    book = account(hass, radicale)
    await book.async_contacts()

    await hass.async_add_executor_job(radicale.stop)
    freezer.tick(timedelta(minutes=6))
    with pytest.raises(CardDavError) as caught:
        await book.async_contacts()

    assert caught.value.failure is CardDavFailure.UNREACHABLE
    assert [each.name for each in book.known] == ["Tom Fox"]

    await hass.async_add_executor_job(radicale.start)
    assert await names(book) == ["Tom Fox"]
