"""Connect Home Assistant and SAGE with the servers outside the home, as a user does: by forms."""

from collections.abc import Mapping
from typing import Any, Final

from benchmark.mail_servers import HOST, PASSWORD

from .client import Client
from .configure import (
    FLOW,
    OPTIONS_FLOW,
    SUBENTRY_FLOW,
    SetUpError,
    complaint_of,
    sage_entry,
)
from .outside_servers import PASSWORDS, OutsideServers
from .outside_texts import PEOPLE, address, cards_of

_WEATHER: Final = "weather.home"


async def connect_outside(owner: Client, servers: OutsideServers) -> None:
    """Add mail, calendars, contacts, TV guide and weather, unless a kept home has them already.

    Raises SetUpError if a form is not accepted.
    """
    if await owner.call("config_entries/get", domain="caldav"):
        return
    entry = await sage_entry(owner)
    users = {each["username"]: each["id"] for each in await owner.call("config/auth/list")}
    for person in PEOPLE:
        cards = {"user": users[person], "file": await owner.upload(cards_of(person))}
        await fill_in(owner, OPTIONS_FLOW, entry, {"next_step_id": "contacts"}, cards)
        if servers.smtp is not None:
            mail = ({"user": users[person], "provider": "other"}, _account(servers, person))
            await fill_in(owner, SUBENTRY_FLOW, [entry, "mail"], *mail)
        calendars = await _add_calendars(owner, servers, person)
        assigned = ({"user": users[person]}, {"calendars": calendars})
        await fill_in(owner, OPTIONS_FLOW, entry, {"next_step_id": "calendars"}, *assigned)
    guide = {"name": "TV guide", "source": str(servers.guide)}
    await fill_in(owner, SUBENTRY_FLOW, [entry, "tv_guide"], guide)
    await _expose(owner, _WEATHER, is_exposed=True)
    await owner.post(f"/api/config/config_entries/entry/{entry}/reload", {})


def _account(servers: OutsideServers, person: str) -> Mapping[str, Any]:
    """Return the answers for the form of a person's mail account."""
    assert servers.smtp is not None
    return {
        "address": address(person),
        "username": person,
        "password": PASSWORD.format(name=person),
        "keeps_sent": False,
        "imap": {"host": HOST, "port": servers.imap_port, "security": "none"},
        "smtp": {"host": HOST, "port": servers.smtp.port, "security": "none"},
    }


async def _add_calendars(owner: Client, servers: OutsideServers, person: str) -> list[str]:
    """Add the CalDAV account of a person; return its calendars. Task lists stay hidden."""
    account = {
        "url": servers.dav_url,
        "username": person,
        "password": PASSWORDS[person],
        "verify_ssl": True,
    }
    added = await fill_in(owner, FLOW, "caldav", account)
    calendars = []
    for row in await owner.call("config/entity_registry/list"):
        if row["config_entry_id"] != added["result"]["entry_id"]:
            continue
        if row["entity_id"].startswith("calendar."):
            calendars.append(row["entity_id"])
        else:
            await _expose(owner, row["entity_id"], is_exposed=False)
    if not calendars:
        raise SetUpError(f"The calendars of {person} did not come up.")
    return calendars


async def _expose(owner: Client, entity_id: str, *, is_exposed: bool) -> None:
    await owner.call(
        "homeassistant/expose_entity",
        assistants=["conversation"],
        entity_ids=[entity_id],
        should_expose=is_exposed,
    )


async def fill_in(
    owner: Client, flow: str, handler: str | list[str], *answers: Mapping[str, Any]
) -> dict[str, Any]:
    """Give these answers to the forms of a flow, one after the other; return its last step."""
    step: dict[str, Any] = await owner.post(flow, {"handler": handler})
    for answer in answers:
        step = await owner.post(f"{flow}/{step['flow_id']}", answer)
        if step.get("errors"):
            raise SetUpError(await complaint_of(owner, step))
    if step["type"] != "create_entry":
        raise SetUpError(f"The form for {handler} ended with: {step.get('reason', step['type'])}")
    return step
