"""Websocket commands of the panel's Accounts view: mail and calendars of the signed-in user.

No answer contains a password. The flows of the integration check and store the accounts.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import probatio
from homeassistant.components.calendar.const import DOMAIN as CALENDAR
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import ServiceResponse
from homeassistant.helpers import issue_registry as ir

from ..config import OTHER_PROVIDER, async_add_mail, owned_by, refusal_issue, with_owned
from ..const import CONF_CALENDARS, CONF_PROVIDER, CONF_USER, DOMAIN, SUBENTRY_MAIL
from ..external import PROVIDERS, MailAccount
from ..run import ActionRequest, SageAction, refusal

_ID: Final = probatio.All(str, probatio.Length(max=255))


async def _async_list(request: ActionRequest) -> dict[str, Any]:
    """Return what the person has, and what they may add.

    - `mail`: their accounts; `is_refused` says whether the server rejects the password now
    - `providers`: those whose servers SAGE knows
    - `calendars`: those that they may read; `is_changeable` is False for those of the household
    """
    providers = (
        {"id": key, "name": each.name, "help_url": each.help_url} for key, each in PROVIDERS.items()
    )
    return {
        "mail": [_mail_json(request, each) for each in _own_mail(request)],
        "providers": list(providers),
        "calendars": await _async_calendars(request),
    }


def _own_mail(request: ActionRequest) -> Iterator[ConfigSubentry]:
    for each in request.entry.subentries.values():
        if each.subentry_type == SUBENTRY_MAIL and each.data[CONF_USER] == request.person.user_id:
            yield each


def _mail_json(request: ActionRequest, subentry: ConfigSubentry) -> dict[str, Any]:
    account = MailAccount.from_dict(subentry.data)
    issue = ir.async_get(request.hass).async_get_issue(DOMAIN, refusal_issue(account))
    return {
        "id": subentry.subentry_id,
        "address": account.address,
        "user_name": account.user_name,
        "provider": subentry.data[CONF_PROVIDER],
        "servers": [f"{each.host}:{each.port}" for each in (account.imap, account.smtp)],
        "is_refused": issue is not None and issue.active,
    }


async def _async_calendars(request: ActionRequest) -> list[dict[str, Any]]:
    gate, person = request.entry.runtime_data.home.gate, request.person
    await gate.async_load_rights(person)
    calendars = [
        {
            "id": state.entity_id,
            "name": state.name,
            "is_own": gate.owner(state.entity_id) is not None,
            "is_changeable": gate.may_own(person, state.entity_id),
        }
        for state in request.hass.states.async_all(CALENDAR)
        if gate.may_own(person, state.entity_id) or gate.may_read(person, state.entity_id)
    ]
    return sorted(calendars, key=lambda each: (each["name"], each["id"]))


async def _async_add_mail(request: ActionRequest) -> dict[str, Any]:
    """Sign in with a new account and store it; `error` is "" or the key of a text of the flow."""
    user_id = request.person.user_id or ""
    given = request.data["provider"], request.data["account"]
    error = await async_add_mail(request.hass, request.entry, user_id, *given)
    await _async_reloaded(request)
    return {"error": error}


async def _async_remove_mail(request: ActionRequest) -> ServiceResponse:
    subentry_id = request.data["id"]
    if subentry_id not in [each.subentry_id for each in _own_mail(request)]:
        raise refusal("unknown_mail_account")
    request.hass.config_entries.async_remove_subentry(request.entry, subentry_id)
    await _async_reloaded(request)
    return {}


async def _async_reloaded(request: ActionRequest) -> None:
    """Wait until SAGE has started again with the changed accounts."""
    async with request.entry.setup_lock:
        return


async def _async_set_calendar(request: ActionRequest) -> ServiceResponse:
    """Make a calendar the person's own, or give it back."""
    hass, entry, entity_id = request.hass, request.entry, request.data["id"]
    changeable = [each["id"] for each in await _async_calendars(request) if each["is_changeable"]]
    if entity_id not in changeable:
        raise refusal("calendar_of_others")
    user_id, owners = request.person.user_id or "", entry.options.get(CONF_CALENDARS, {})
    own = {*owned_by(hass, owners, user_id)} - {entity_id}
    own |= {entity_id} if request.data["is_own"] else set()
    owners = with_owned(hass, owners, user_id, own)
    hass.config_entries.async_update_entry(entry, options={**entry.options, CONF_CALENDARS: owners})
    return {}


ACCOUNT_COMMANDS: Final[Mapping[str, SageAction]] = {
    "accounts/list": SageAction(handle=_async_list),
    "accounts/add_mail": SageAction(
        handle=_async_add_mail,
        fields={
            probatio.Required("provider"): probatio.In([*PROVIDERS, OTHER_PROVIDER]),
            # The form of the flow checks it.
            probatio.Required("account"): dict,
        },
    ),
    "accounts/remove_mail": SageAction(
        handle=_async_remove_mail, fields={probatio.Required("id"): _ID}
    ),
    "accounts/set_calendar": SageAction(
        handle=_async_set_calendar,
        fields={probatio.Required("id"): _ID, probatio.Required("is_own"): bool},
    ),
}
"""The websocket commands of the accounts, by name."""
