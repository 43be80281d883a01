"""The view Accounts: everybody's own mail accounts and calendars, without administrator rights."""

import json
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockUser

from benchmark.mail_servers import HOST, PASSWORD, Dovecot, SmtpServer
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from custom_components.sage.external import ExternalError
from tests.calendar_house import async_add_calendar
from tests.end_to_end.conftest import Sage
from tests.fake_model import model_server  # noqa: F401

from .conftest import Call, ask, send

SECRET = PASSWORD.format(name="anna")


def account(imap: Dovecot, smtp: SmtpServer, name: str = "anna", /, **other: Any) -> dict[str, Any]:
    """Return the answers for the form of a provider that SAGE does not know."""
    return {
        "address": f"{name}@example.com",
        "username": name,
        "password": PASSWORD.format(name=name),
        "keeps_sent": True,
        "imap": {"host": HOST, "port": imap.port, "security": "none"},
        "smtp": {"host": HOST, "port": smtp.port, "security": "none"},
        **other,
    }


async def add(call: Call, user: User, account: dict[str, Any]) -> str:
    answer = await ask(call, user, "accounts/add_mail", provider="other", account=account)
    return str(answer["error"])


async def addresses(call: Call, user: User) -> list[str]:
    return [each["address"] for each in (await ask(call, user, "accounts/list"))["mail"]]


def mail(sage: Sage) -> dict[str, tuple[str, ...]]:
    external = sage.entry.runtime_data.external
    return {user_id: mailbox.addresses for user_id, mailbox in external.mail.items()}


async def test_a_member_adds_an_account_and_nobody_else_sees_or_removes_it(
    sage: Sage, call: Call, anna: User, ben: User, admin: User, imap: Dovecot, smtp: SmtpServer
):
    assert await add(call, anna, account(imap, smtp)) == ""

    assert mail(sage) == {anna.id: ("anna@example.com",)}
    (shown,) = (await ask(call, anna, "accounts/list"))["mail"]
    assert shown == {
        "id": shown["id"],
        "address": "anna@example.com",
        "user_name": "anna",
        "provider": "other",
        "servers": [f"{HOST}:{imap.port}", f"{HOST}:{smtp.port}"],
        "is_refused": False,
    }
    assert (await sage.entry.runtime_data.external.mail[anna.id].async_search(1, unread=True))[
        1
    ] == 0
    for other in (ben, admin):
        assert await addresses(call, other) == []
        refused = await send(call, other, "accounts/remove_mail", id=shown["id"])
        assert refused["error"]["translation_key"] == "unknown_mail_account"
    assert await addresses(call, anna) == ["anna@example.com"]

    await ask(call, anna, "accounts/remove_mail", id=shown["id"])
    assert await addresses(call, anna) == []
    assert mail(sage) == {}


async def test_an_account_is_stored_only_after_a_sign_in(
    sage: Sage, call: Call, anna: User, imap: Dovecot, smtp: SmtpServer
):
    wrong = account(imap, smtp, password="wrong")
    assert await add(call, anna, wrong) == "error.mail_refused_imap"
    away = {"host": HOST, "port": 1, "security": "none"}
    assert await add(call, anna, account(imap, smtp, imap=away)) == "error.mail_unreachable_imap"
    assert await add(call, anna, account(imap, smtp, smtp=away)) == "error.mail_unreachable_smtp"
    assert await add(call, anna, account(imap, smtp, address="anna")) == "error.mail_address"
    assert await addresses(call, anna) == []
    assert sage.hass.config_entries.subentries.async_progress() == []

    assert await add(call, anna, account(imap, smtp)) == ""
    assert await add(call, anna, account(imap, smtp)) == "abort.already_configured"
    assert await addresses(call, anna) == ["anna@example.com"]


async def test_the_person_is_that_of_the_connection(
    sage: Sage, call: Call, anna: User, ben: User, imap: Dovecot, smtp: SmtpServer
):
    given = {"provider": "other", "account": account(imap, smtp)}
    for odd in (
        {**given, "user": ben.id},
        {**given, "account": account(imap, smtp, user=ben.id)},
        {**given, "account": account(imap, smtp, imap={"host": HOST, "port": "x"})},
        {**given, "provider": "none"},
    ):
        answer = await send(call, anna, "accounts/add_mail", **odd)
        assert answer["error"]["code"] == "invalid_format"
        assert "pass" not in json.dumps(answer).replace("'password'", "")
    assert mail(sage) == {}
    assert sage.hass.config_entries.subentries.async_progress() == []


async def test_two_people_may_have_the_same_account(
    sage: Sage, call: Call, anna: User, ben: User, imap: Dovecot, smtp: SmtpServer
):
    for user in (anna, ben):
        assert await add(call, user, account(imap, smtp)) == ""
    (of_ben,) = (await ask(call, ben, "accounts/list"))["mail"]

    await ask(call, ben, "accounts/remove_mail", id=of_ben["id"])

    assert mail(sage) == {anna.id: ("anna@example.com",)}


async def test_the_password_is_in_no_answer_and_no_diagnostics(
    sage: Sage,
    call: Call,
    anna: User,
    imap: Dovecot,
    smtp: SmtpServer,
    caplog: pytest.LogCaptureFixture,
):
    given = {"provider": "other", "account": account(imap, smtp)}
    answers = [
        await send(call, anna, "accounts/add_mail", provider="other", account=tried)
        for tried in (account(imap, smtp, address="anna"), account(imap, smtp, extra=1))
    ]
    answers += [await send(call, anna, "accounts/add_mail", **given) for _ in range(2)]
    answers.append(await send(call, anna, "accounts/list"))
    (shown,) = answers[-1]["result"]["mail"]
    answers.append(await send(call, anna, "accounts/remove_mail", id="none"))
    diagnostics = await async_get_config_entry_diagnostics(sage.hass, sage.entry)
    answers.append(await send(call, anna, "accounts/remove_mail", id=shown["id"]))

    assert diagnostics["mail_accounts"] == ["other"]
    # Home Assistant itself logs what browsers send if its websocket has the level "debug".
    log = [each.getMessage() for each in caplog.records if "websocket" not in each.name]
    assert len(log) > 10
    for text in (json.dumps(answers), json.dumps(diagnostics, default=str), "\n".join(log)):
        for secret in (SECRET, json.dumps(SECRET)[1:-1], 'pass\\\\\\"'):
            assert secret not in text
        assert "pass\\" not in text
    assert "anna@example.com" not in json.dumps(diagnostics, default=str)


async def test_a_password_that_is_refused_later_is_said_until_the_account_is_gone(
    sage: Sage, call: Call, anna: User, imap: Dovecot, smtp: SmtpServer
):
    assert await add(call, anna, account(imap, smtp)) == ""
    (subentry,) = (each for each in sage.entry.subentries.values() if each.subentry_type == "mail")
    sage.hass.config_entries.async_update_subentry(
        sage.entry, subentry, data={**subentry.data, "password": "old"}
    )
    await sage.hass.async_block_till_done()
    with pytest.raises(ExternalError):
        await sage.entry.runtime_data.external.mail[anna.id].async_search(1, unread=True)

    (shown,) = (await ask(call, anna, "accounts/list"))["mail"]
    assert shown["is_refused"]
    await ask(call, anna, "accounts/remove_mail", id=shown["id"])

    assert not any(each.startswith("mail_password") for _, each in ir.async_get(sage.hass).issues)
    assert await add(call, anna, account(imap, smtp)) == ""
    assert not (await ask(call, anna, "accounts/list"))["mail"][0]["is_refused"]


async def calendars(call: Call, user: User) -> dict[str, tuple[bool, bool]]:
    """Return the calendars of a person: name -> whether it is their own, and may be changed."""
    listed = (await ask(call, user, "accounts/list"))["calendars"]
    return {each["name"]: (each["is_own"], each["is_changeable"]) for each in listed}


async def test_a_member_takes_a_free_calendar_and_gives_it_back(
    hass: HomeAssistant, sage: Sage, call: Call, anna: User, ben: User, admin: User
):
    await async_add_calendar(hass, "Family")
    await async_add_calendar(hass, "Anna", is_exposed=False)
    row = er.async_get(hass).async_get("calendar.anna")
    assert row is not None
    runtime = sage.entry.runtime_data
    free = {"Anna": (False, True), "Family": (False, False)}
    assert await calendars(call, anna) == await calendars(call, ben) == free

    await ask(call, anna, "accounts/set_calendar", id="calendar.anna", is_own=True)

    assert sage.entry.options["calendars"] == {row.id: anna.id}
    assert await calendars(call, anna) == free | {"Anna": (True, True)}
    for other in (ben, admin):
        assert await calendars(call, other) == {"Family": (False, False)}
        for is_own in (True, False):
            wanted = {"id": "calendar.anna", "is_own": is_own}
            refused = await send(call, other, "accounts/set_calendar", **wanted)
            assert refused["error"]["translation_key"] == "calendar_of_others"
    wanted = {"id": "calendar.family", "is_own": True}
    refused = await send(call, anna, "accounts/set_calendar", **wanted)
    assert refused["error"]["translation_key"] == "calendar_of_others"
    assert sage.entry.options["calendars"] == {row.id: anna.id}

    await ask(call, anna, "accounts/set_calendar", id="calendar.anna", is_own=False)
    assert await calendars(call, ben) == free
    # Commands in progress went on.
    assert sage.entry.runtime_data is runtime


async def test_a_calendar_that_a_person_may_not_read_is_not_offered(sage: Sage, call: Call):
    await async_add_calendar(sage.hass, "Work", is_exposed=False)
    await async_add_calendar(sage.hass, "Club", is_exposed=False)
    guest = MockUser(name="Guest").add_to_hass(sage.hass)
    guest.mock_policy({"entities": {"entity_ids": {"calendar.club": {"read": True}}}})

    assert await calendars(call, guest) == {"Club": (False, True)}
    wanted = {"id": "calendar.work", "is_own": True}
    refused = await send(call, guest, "accounts/set_calendar", **wanted)
    assert refused["error"]["translation_key"] == "calendar_of_others"
