"""Create the clients for mail, calendars, contacts, weather and TV guides."""

from collections import defaultdict
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

from homeassistant.components.calendar.const import DOMAIN as CALENDAR
from homeassistant.components.calendar.const import CalendarEntityFeature
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started
from homeassistant.util.ssl import client_context

from ..const import (
    CONF_BASE_URL,
    CONF_CHANNEL_NUMBERS,
    CONF_GEOCODING_URL,
    CONF_SOURCE,
    DOMAIN,
    SUBENTRY_MAIL,
    SUBENTRY_TV_GUIDE,
    SUBENTRY_WEATHER,
)
from ..external import Calendar, External, MailAccount, Mailbox, PlaceWeather, TvGuide, books_of
from ..helpers import show_issue
from ..home import Home
from ..people import Person
from ..storage import remove_files
from ..text import key
from .flow_parts import escaped

_FOLDER: Final = (DOMAIN, "guides")
"""Folder in Home Assistant's cache; excluded from backups, because guides are fetched again."""

_GUIDE_ISSUE: Final = "tv_guide_not_read"
_MAIL_ISSUE: Final = "mail_password_refused"


async def async_make_external(hass: HomeAssistant, entry: ConfigEntry, home: Home) -> External:
    """Return the clients for external services, such as mail and calendars; sends no request.

    `home`: decides which calendars a person may see. Unloading the entry closes the clients.
    """
    books = books_of(hass)
    await books.async_load()
    external = External(
        mail=_mailboxes(hass, entry),
        any_calendar=partial(home.gate.is_visible_to_anyone, CALENDAR),
        async_calendars=partial(async_calendars, hass, home),
        books=books,
        place_weather=_place_weather(hass, entry),
        guides=await _async_guides(hass, entry),
    )
    entry.async_on_unload(external.async_close)
    return external


async def async_calendars(hass: HomeAssistant, home: Home, person: Person) -> tuple[Calendar, ...]:
    """Return the calendars that a person may read now, own calendars first, then by name."""
    gate = home.gate
    await gate.async_load_rights(person)

    def calendar(entity_id: str) -> Calendar:
        state = hass.states.get(entity_id)
        attributes = {} if state is None else state.attributes
        features = int(attributes.get(ATTR_SUPPORTED_FEATURES) or 0)
        can_create = bool(features & CalendarEntityFeature.CREATE_EVENT)
        return Calendar(
            entity_id=entity_id,
            name=entity_id if state is None else state.name,
            is_own=gate.owner(entity_id) is not None,
            is_writable=can_create and gate.may_control(person, entity_id),
        )

    readable = map(calendar, gate.readable(person, CALENDAR))
    return tuple(sorted(readable, key=lambda each: (not each.is_own, each.name, each.entity_id)))


def refusal_issue(account: MailAccount) -> str:
    """Return the id of the repair issue that says that a server rejects the password."""
    return f"{_MAIL_ISSUE}_{account.user_id}_{account.address}"


def _subentries(entry: ConfigEntry, kind: str) -> list[ConfigSubentry]:
    return [each for each in entry.subentries.values() if each.subentry_type == kind]


def _mailboxes(hass: HomeAssistant, entry: ConfigEntry) -> dict[str, Mailbox]:
    owned: dict[str, list[MailAccount]] = defaultdict(list)
    for subentry in _subentries(entry, SUBENTRY_MAIL):
        account = MailAccount.from_dict(subentry.data)
        owned[account.user_id].append(account)
    known = {refusal_issue(account) for accounts in owned.values() for account in accounts}
    for domain, issue_id in list(ir.async_get(hass).issues):
        if domain == DOMAIN and issue_id.startswith(_MAIL_ISSUE) and issue_id not in known:
            show_issue(hass, issue_id, None)

    @callback
    def report(account: MailAccount, is_refused: bool) -> None:
        values = {"address": account.address, "server": account.imap.host}
        key = _MAIL_ISSUE if is_refused else None
        show_issue(hass, refusal_issue(account), key, values=values)

    return {
        user_id: Mailbox(accounts, client_context, report) for user_id, accounts in owned.items()
    }


def _place_weather(hass: HomeAssistant, entry: ConfigEntry) -> PlaceWeather | None:
    """Return the client for the weather away from home; None if it is not configured."""
    for subentry in _subentries(entry, SUBENTRY_WEATHER):
        # Only tests and the demo have other addresses.
        names = {"forecast_url": CONF_BASE_URL, "geocoding_url": CONF_GEOCODING_URL}
        urls = {name: subentry.data[at] for name, at in names.items() if at in subentry.data}
        return PlaceWeather(async_get_clientsession(hass), hass.config.units, **urls)
    return None


async def _async_guides(hass: HomeAssistant, entry: ConfigEntry) -> tuple[TvGuide, ...]:
    """Return the TV guides, refreshed at the start and each hour; delete removed guides' files."""
    subentries = _subentries(entry, SUBENTRY_TV_GUIDE)
    folder = Path(hass.config.cache_path(*_FOLDER))
    files = {f"{each.subentry_id}.db" for each in subentries}
    for removed in await hass.async_add_executor_job(_discard_others, folder, files):
        show_issue(hass, f"{_GUIDE_ISSUE}_{removed}", None)
    guides = tuple(_guide(hass, each, folder) for each in subentries)

    async def async_keep() -> None:
        for guide in guides:
            await guide.async_keep()

    @callback
    def keep(_: object = None) -> None:
        entry.async_create_background_task(hass, async_keep(), "TV guides of SAGE")

    if guides:
        entry.async_on_unload(async_at_started(hass, keep))
        entry.async_on_unload(async_track_time_interval(hass, keep, timedelta(hours=1)))
    return guides


def _guide(hass: HomeAssistant, subentry: ConfigSubentry, folder: Path) -> TvGuide:
    issue = f"{_GUIDE_ISSUE}_{subentry.subentry_id}"

    @callback
    def report(error: str) -> None:
        values = {"name": escaped(subentry.title), "error": escaped(error)}
        key = _GUIDE_ISSUE if error else None
        show_issue(hass, issue, key, ir.IssueSeverity.WARNING, values)

    return TvGuide(
        hass,
        async_get_clientsession(hass),
        folder / f"{subentry.subentry_id}.db",
        title=subentry.title,
        source=subentry.data[CONF_SOURCE],
        numbers=channel_numbers(subentry.data.get(CONF_CHANNEL_NUMBERS, "")) or {},
        report=report,
    )


def _discard_others(folder: Path, files: set[str]) -> list[str]:
    others = [path for path in folder.glob("*.db") if path.name not in files]
    for path in others:
        remove_files(path)
    return [path.stem for path in others]


def channel_numbers(text: str) -> dict[str, str] | None:
    """Parse lines: "BBC-One = 101" becomes {"bbc one": "101"}; None for other lines."""
    numbers: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        name, equals, number = line.rpartition("=")
        if not equals or not name.strip() or not number.strip():
            return None
        numbers[key(name)] = number.strip()
    return numbers
