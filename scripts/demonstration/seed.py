"""Make a configuration folder with which Home Assistant starts as if it had been set up by hand.

What is stored (logins, tokens, persons) is written by Home Assistant's own classes; see
`homeassistant.auth` and `homeassistant.helpers.storage`.
"""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

from homeassistant.auth import auth_manager_from_config
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN
from homeassistant.auth.providers.homeassistant import HassAuthProvider
from homeassistant.config_entries import ConfigEntries
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.storage import Store

from .accounts import Account, load, save
from .furnished_homes import FurnishedHome, mark

HTTP = {
    "cors_allowed_origins": ["https://cast.home-assistant.io"],
    "login_attempts_threshold": -1,
    "ip_ban_enabled": True,
    "ssl_profile": "modern",
    "use_x_frame_options": True,
    "created_at": None,
    "error": None,
    "error_message": None,
}


def lay_out(folder: Path, home: FurnishedHome, components: tuple[Path, ...]) -> None:
    """Write the configuration of a home and link the custom integrations."""
    (folder / "custom_components").mkdir(parents=True, exist_ok=True)
    for component in components:
        link = folder / "custom_components" / component.name
        link.unlink(missing_ok=True)
        link.symlink_to(component, target_is_directory=True)
    configuration = folder / "configuration.yaml"
    if not configuration.exists():
        mark(folder, home.name)
        configuration.write_text(home.configuration, encoding="utf-8")


async def seed(folder: Path, port: int, accounts: tuple[Account, ...]) -> None:
    """Store the web server's address, and on the first time logins and a finished onboarding."""
    hass = HomeAssistant(str(folder))
    hass.config_entries = ConfigEntries(hass, {})
    await hass.config_entries.async_initialize()
    dr.async_setup(hass)
    await asyncio.gather(dr.async_load(hass), er.async_load(hass))
    # In YAML another port than the default would be a trial of five minutes.
    http = HTTP | {"server_host": ["127.0.0.1"], "server_port": port}
    stored = {"stable": http, "pending": None, "yaml_migration_done": True}
    await _store(hass, 2, "http", minor_version=2).async_save(stored)
    if load(folder) is None:
        save(folder, await _people(hass, accounts))
        done = {"done": ["user", "core_config", "analytics", "integration"]}
        await _store(hass, 4, "onboarding").async_save(done)
    # Without force the store of the logins is not written.
    await hass.async_stop(force=True)


async def _people(hass: HomeAssistant, accounts: tuple[Account, ...]) -> tuple[Account, ...]:
    hass.auth = await auth_manager_from_config(hass, [{"type": "homeassistant"}], [])
    provider = hass.auth.auth_providers[0]
    assert isinstance(provider, HassAuthProvider)
    await provider.async_initialize()
    people, persons = [], []
    for account in accounts:
        await provider.async_add_auth(account.username, account.password)
        group = GROUP_ID_ADMIN if account.admin else GROUP_ID_USER
        user = await hass.auth.async_create_user(account.name, group_ids=[group])
        login = await provider.async_get_or_create_credentials({"username": account.username})
        await hass.auth.async_link_user(user, login)
        refresh = await hass.auth.async_create_refresh_token(
            user,
            client_name="SAGE demo",
            token_type=TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN,
            access_token_expiration=timedelta(days=365),
        )
        people.append(account.with_token(hass.auth.async_create_access_token(refresh)))
        persons.append(
            {
                "id": account.username,
                "name": account.name,
                "user_id": user.id,
                "device_trackers": [],
            }
        )
    await _store(hass, 2, "person").async_save({"items": persons})
    return tuple(people)


def _store(
    hass: HomeAssistant, version: int, key: str, minor_version: int = 1
) -> Store[dict[str, Any]]:
    return Store(hass, version, key, private=True, minor_version=minor_version)
