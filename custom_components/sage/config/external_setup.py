"""Create the clients for mail, calendars, contacts, weather and TV guides."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_HOST, CONF_PASSWORD, CONF_PORT, CONF_USERNAME
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.ssl import client_context

from ..const import (
    CONF_ADDRESS,
    CONF_IMAP,
    CONF_KEEPS_SENT,
    CONF_SECURITY,
    CONF_SMTP,
    CONF_USER,
    DOMAIN,
    SUBENTRY_MAIL,
)
from ..embeddings.embedder import Embedder
from ..external import External
from ..external.address_book import books_of
from ..external.calendars import Calendars
from ..external.mail.mail_account import MailAccount, MailServer, Security
from ..external.mail.mailbox import Mailbox
from ..home.safety.gate import Gate
from .weather_and_guide import async_keep_guides, async_make_guides, make_place_weather


async def async_make_external(
    hass: HomeAssistant, entry: ConfigEntry, rights: Gate, embedder: Embedder
) -> External:
    """Return the clients for external services, such as mail and calendars; sends no request.

    `rights`: decides which calendars a person may see. Unloading the entry closes the clients.
    """
    books = books_of(hass)
    await books.async_load()
    guides = await async_make_guides(hass, entry, embedder)
    external = External(
        mail=_mailboxes(hass, entry),
        calendars=Calendars(hass, rights),
        books=books,
        place_weather=make_place_weather(hass, entry),
        guides=guides,
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


def _mailboxes(hass: HomeAssistant, entry: ConfigEntry) -> dict[str, Mailbox]:
    """Return each person's mailbox by user id."""
    owned: dict[str, list[MailAccount]] = defaultdict(list)
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_MAIL:
            account = mail_account(subentry.data)
            owned[account.user_id].append(account)

    @callback
    def report(account: MailAccount, is_refused: bool) -> None:
        issue = f"mail_password_refused_{account.user_id}_{account.address}"
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
        user_id: Mailbox(accounts, client_context, report) for user_id, accounts in owned.items()
    }
