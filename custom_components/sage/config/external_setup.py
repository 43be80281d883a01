"""Create the clients for mail, calendars, contacts, weather and TV guides."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_HOST, CONF_PASSWORD, CONF_PORT, CONF_URL, CONF_USERNAME
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util.ssl import client_context

from ..const import (
    CONF_ADDRESS,
    CONF_IMAP,
    CONF_KEEPS_SENT,
    CONF_SECURITY,
    CONF_SMTP,
    CONF_USER,
    DOMAIN,
    SUBENTRY_CONTACTS,
    SUBENTRY_MAIL,
)
from ..embeddings.embedder import Embedder
from ..external import External
from ..external.address_book import AddressBookFile, AddressBooks
from ..external.calendars import Calendars, Rights
from ..external.carddav import CardDavAccount
from ..external.external_error import FileFailedError
from ..external.mail.mail_account import MailAccount, MailServer, Security
from ..external.mail.mailbox import Mailbox
from ..external.mail.outbox import Outbox, OutboxFile
from ..storage.async_file import AsyncFile
from ..storage.store_state import async_read_store, damage_report, is_backup_under_way
from .weather_and_guide import async_keep_guides, async_make_guides, make_place_weather

FILE: Final = ".storage/sage/outbox.db"
_CONTACTS_FILE: Final = ".storage/sage/contacts.db"


async def async_make_external(
    hass: HomeAssistant, entry: ConfigEntry, rights: Rights, embedder: Embedder
) -> External:
    """Return the clients for external services, such as mail and calendars; sends no request.

    `rights`: decides which calendars a person may see. Unloading the entry closes the clients.
    """
    outbox, books = _outbox(hass), _address_books(hass)
    guides = await async_make_guides(hass, entry, embedder)
    external = External(
        mail=_mailboxes(hass, entry, outbox),
        outbox=outbox,
        calendars=Calendars(hass, rights),
        books=books,
        contact_accounts=_carddav_accounts(hass, entry),
        place_weather=make_place_weather(hass, entry),
        guides=guides,
    )
    await async_read_store(
        hass,
        entry,
        issue="contacts_unreadable",
        read=books.async_load,
        errors=FileFailedError,
    )
    entry.async_on_unload(external.async_close)
    async_keep_guides(hass, entry, guides)
    return external


def mail_account(data: Mapping[str, Any]) -> MailAccount:
    """Return the mail account that a subentry's data describes."""
    return MailAccount(
        user_id=data[CONF_USER],
        address=data[CONF_ADDRESS],
        user_name=data[CONF_USERNAME],
        password=data[CONF_PASSWORD],
        imap=_server(data[CONF_IMAP]),
        smtp=_server(data[CONF_SMTP]),
        keeps_sent=data[CONF_KEEPS_SENT],
    )


def _server(data: Mapping[str, Any]) -> MailServer:
    return MailServer(
        host=data[CONF_HOST], port=int(data[CONF_PORT]), security=Security(data[CONF_SECURITY])
    )


def _mailboxes(hass: HomeAssistant, entry: ConfigEntry, outbox: Outbox) -> dict[str, Mailbox]:
    """Return each person's mailbox by user id."""
    owned: dict[str, list[MailAccount]] = defaultdict(list)
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_MAIL:
            account = mail_account(subentry.data)
            owned[account.user_id].append(account)

    @callback
    def report(account: MailAccount, is_refused: bool) -> None:
        issue = _password_issue(account)
        if not is_refused:
            ir.async_delete_issue(hass, DOMAIN, issue)
            return
        ir.async_create_issue(
            hass,
            DOMAIN,
            issue,
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key="mail_password_refused",
            translation_placeholders={"address": account.address, "server": account.imap.host},
        )

    return {
        user_id: Mailbox(accounts, outbox, client_context, report)
        for user_id, accounts in owned.items()
    }


def _password_issue(account: MailAccount) -> str:
    return f"mail_password_refused_{account.user_id}_{account.address}"


def _outbox(hass: HomeAssistant) -> Outbox:
    path = Path(hass.config.path(FILE))
    on_replaced = damage_report(hass, "outbox")
    held = is_backup_under_way(hass)
    return AsyncFile(hass, path, OutboxFile, held=held, on_replaced=on_replaced)


def carddav_account(hass: HomeAssistant, data: Mapping[str, Any]) -> CardDavAccount:
    """Return the CardDAV account that a subentry's data describes; sends no request."""
    return CardDavAccount(
        async_get_clientsession(hass),
        hass,
        url=data[CONF_URL],
        username=data[CONF_USERNAME],
        password=data[CONF_PASSWORD],
    )


def _carddav_accounts(hass: HomeAssistant, entry: ConfigEntry) -> dict[str, list[CardDavAccount]]:
    """Return each person's CardDAV accounts by user id."""
    owned: dict[str, list[CardDavAccount]] = defaultdict(list)
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_CONTACTS:
            account = carddav_account(hass, subentry.data)
            owned[subentry.data[CONF_USER]].append(account)
    return owned


def _address_books(hass: HomeAssistant) -> AddressBooks:
    path = Path(hass.config.path(_CONTACTS_FILE))
    on_replaced = damage_report(hass, "contacts")
    held = is_backup_under_way(hass)
    return AddressBooks(hass, path, AddressBookFile, held=held, on_replaced=on_replaced)
