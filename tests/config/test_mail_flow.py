"""The dialog that adds a mail account: SAGE signs in before it stores anything."""

from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import User
from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER, SubentryFlowContext
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir

from benchmark.fake_model_server import FakeModelServer
from benchmark.mail_servers import HOST, PASSWORD, Dovecot, SmtpServer
from custom_components.sage.const import DOMAIN
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from custom_components.sage.external import ExternalError
from tests.end_to_end.conftest import async_make_sage

SECRET = PASSWORD.format(name="anna")


@pytest.fixture
async def entry(hass: HomeAssistant, model_server: FakeModelServer) -> Any:
    return (await async_make_sage(hass, model_server)).entry


@pytest.fixture
async def anna(hass: HomeAssistant) -> User:
    return await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_ADMIN])


def form(imap: Dovecot, smtp: SmtpServer, password: str = SECRET) -> dict[str, Any]:
    return {
        "address": "anna@example.com",
        "username": "anna",
        "password": password,
        "keeps_sent": True,
        "imap": {"host": HOST, "port": imap.port, "security": "none"},
        "smtp": {"host": HOST, "port": smtp.port, "security": "none"},
    }


async def add(hass: HomeAssistant, entry: Any, user: User, provider: str = "other") -> Any:
    flows = hass.config_entries.subentries
    flow = await flows.async_init((entry.entry_id, "mail"), context={"source": SOURCE_USER})
    return await flows.async_configure(flow["flow_id"], {"user": user.id, "provider": provider})


async def test_an_account_is_tested_then_stored(
    hass: HomeAssistant, entry: Any, anna: User, imap: Dovecot, smtp: SmtpServer
) -> None:
    flows = hass.config_entries.subentries
    flow = await add(hass, entry, anna)
    shown = await flows.async_configure(flow["flow_id"], form(imap, smtp, "wrong"))
    assert shown["errors"] == {"base": "mail_refused_imap"}
    unreachable = form(imap, smtp) | {"imap": {"host": HOST, "port": 1, "security": "none"}}
    shown = await flows.async_configure(flow["flow_id"], unreachable)
    assert shown["errors"] == {"base": "mail_unreachable_imap"}
    unreachable = form(imap, smtp) | {"smtp": {"host": HOST, "port": 1, "security": "none"}}
    shown = await flows.async_configure(flow["flow_id"], unreachable)
    assert shown["errors"] == {"base": "mail_unreachable_smtp"}
    with SmtpServer(("ben",)) as other:
        shown = await flows.async_configure(flow["flow_id"], form(imap, other))
    assert shown["errors"] == {"base": "mail_refused_smtp"}
    shown = await flows.async_configure(flow["flow_id"], form(imap, smtp) | {"address": "anna"})
    assert shown["errors"] == {"address": "mail_address"}

    done = await flows.async_configure(flow["flow_id"], form(imap, smtp))
    await hass.async_block_till_done()

    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert entry.runtime_data.external.mail[anna.id].addresses == ("anna@example.com",)
    again = await add(hass, entry, anna)
    again = await flows.async_configure(again["flow_id"], form(imap, smtp))
    assert again["reason"] == "already_configured"
    diagnostics = await async_get_config_entry_diagnostics(hass, entry)
    assert diagnostics["mail_accounts"] == ["other"]
    assert "pass\\" not in str(diagnostics)


async def test_a_known_provider_asks_only_for_address_and_password(
    hass: HomeAssistant, entry: Any, anna: User
) -> None:
    shown = await add(hass, entry, anna, "gmail")

    assert shown["step_id"] == "sign_in"
    assert shown["description_placeholders"]["help_url"].startswith("https://support.google.com/")
    assert {str(each) for each in shown["data_schema"].schema} == {"address", "password"}


async def test_a_password_that_is_refused_later(
    hass: HomeAssistant, entry: Any, anna: User, imap: Dovecot, smtp: SmtpServer
) -> None:
    flows = hass.config_entries.subentries
    flow = await add(hass, entry, anna)
    await flows.async_configure(flow["flow_id"], form(imap, smtp))
    await hass.async_block_till_done()
    (account,) = (each for each in entry.subentries.values() if each.subentry_type == "mail")
    hass.config_entries.async_update_subentry(
        entry, account, data={**account.data, "password": "old"}
    )
    await hass.async_block_till_done()

    with pytest.raises(ExternalError, match="does not accept the password"):
        await entry.runtime_data.external.mail[anna.id].async_search(1, unread=True)
    issues = ir.async_get(hass).issues
    assert any(issue.startswith("mail_password_refused") for _, issue in issues)

    context = SubentryFlowContext(source=SOURCE_RECONFIGURE, subentry_id=account.subentry_id)
    flow = await flows.async_init((entry.entry_id, "mail"), context=context)
    shown = await flows.async_configure(flow["flow_id"], {"password": "wrong"})
    assert shown["errors"] == {"base": "mail_refused_imap"}
    done = await flows.async_configure(flow["flow_id"], {"password": SECRET})
    assert done["reason"] == "reconfigure_successful"
    await hass.async_block_till_done()
    assert (await entry.runtime_data.external.mail[anna.id].async_search(1, unread=True))[1] == 0
    assert not any(each.startswith("mail_password") for _, each in ir.async_get(hass).issues)


async def test_the_password_is_in_no_log(
    hass: HomeAssistant,
    entry: Any,
    anna: User,
    imap: Dovecot,
    smtp: SmtpServer,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG")
    flow = await add(hass, entry, anna)
    await hass.config_entries.subentries.async_configure(flow["flow_id"], form(imap, smtp))
    await hass.async_block_till_done()

    assert DOMAIN in caplog.text
    for form_of_it in (SECRET, SECRET.replace("\\", "\\\\").replace('"', '\\"')):
        assert form_of_it not in caplog.text
