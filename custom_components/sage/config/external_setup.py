"""Create the clients for mail, calendars, contacts, weather and TV guides."""

import logging
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_HOST, CONF_PASSWORD, CONF_PORT, CONF_URL, CONF_USERNAME
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.start import async_at_started
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
from ..delivery.deliverer import apps_of, async_tell
from ..embeddings.embedder import Embedder
from ..external import External
from ..external.calendars import Calendars, Rights
from ..external.contacts.address_book import AddressBookError, AddressBooks
from ..external.contacts.carddav import CardDavAccount, CardDavSettings
from ..external.contacts.contact_search import Contacts
from ..external.external_error import ExternalError
from ..external.mail.mail_account import MailAccount, MailServer, Security
from ..external.mail.mailbox import Mailbox
from ..external.mail.outbox import Outbox
from ..storage.store_state import async_read_store, damage_report, is_backup_under_way
from ..text.speech import async_load_sentences
from ..tools.external.write_email import unknown_letter_text
from .weather_and_guide import async_keep_guides, async_make_guides, make_place_weather

_LOGGER = logging.getLogger(__name__)

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
        contacts=Contacts(books, _carddav_accounts(hass, entry)),
        place_weather=make_place_weather(hass, entry),
        guides=guides,
    )
    await async_read_store(
        hass,
        entry,
        issue="contacts_unreadable",
        read=books.async_load,
        errors=AddressBookError,
    )
    entry.async_on_unload(external.async_close)

    @callback
    def started(_: HomeAssistant) -> None:
        if external.mail:
            report = _async_report_unknown_letters(hass, external)
            entry.async_create_background_task(hass, report, "SAGE reports interrupted messages")

    entry.async_on_unload(async_at_started(hass, started))
    async_keep_guides(hass, entry, guides)
    return external


async def _async_report_unknown_letters(hass: HomeAssistant, external: External) -> None:
    """Notify each person about mail whose sending was interrupted.

    Such mail may or may not have been sent. If a person has no mobile app, SAGE reports the mail at
    the person's next mail request.
    """
    sentences = await async_load_sentences(hass, hass.config.language)
    for user_id, mailbox in external.mail.items():
        try:
            unreported = await mailbox.async_unreported()
        except ExternalError as err:
            _LOGGER.warning("The journal of sent mail cannot be used: %s", err)
            return
        for letter in unreported:
            report = unknown_letter_text(sentences, letter)
            title = sentences.say("mail_unknown_title")
            if await async_tell(hass, apps_of(hass, user_id), report, title):
                await mailbox.async_mark_reported(letter.message_id)


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
    return Outbox(hass, path, held=is_backup_under_way(hass), on_replaced=on_replaced)


def carddav_account(hass: HomeAssistant, name: str, data: Mapping[str, Any]) -> CardDavAccount:
    """Return the CardDAV account that a subentry's data describes; sends no request.

    `name`: display name of the account.
    """
    settings = CardDavSettings(
        name=name,
        url=data[CONF_URL],
        username=data[CONF_USERNAME],
        password=data[CONF_PASSWORD],
    )
    return CardDavAccount(async_get_clientsession(hass), hass, settings)


def _carddav_accounts(hass: HomeAssistant, entry: ConfigEntry) -> dict[str, list[CardDavAccount]]:
    """Return each person's CardDAV accounts by user id."""
    owned: dict[str, list[CardDavAccount]] = defaultdict(list)
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_CONTACTS:
            account = carddav_account(hass, subentry.title, subentry.data)
            owned[subentry.data[CONF_USER]].append(account)
    return owned


def _address_books(hass: HomeAssistant) -> AddressBooks:
    path = Path(hass.config.path(_CONTACTS_FILE))
    on_replaced = damage_report(hass, "contacts")
    return AddressBooks(hass, path, held=is_backup_under_way(hass), on_replaced=on_replaced)
