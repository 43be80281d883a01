"""How an unmodified Home Assistant reaches the simulated cloud as if it were the real one.

The host and port of the cloud are fixed in the client library. So the connections that
Home Assistant shares out get a resolver that answers with loopback, and with another port
than the one asked for, for the hosts of the cloud only; and they trust its certificate.
"""

import socket
import time
from types import MappingProxyType

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from homeassistant.components.application_credentials import (
    ClientCredential,
    async_import_client_credential,
)
from homeassistant.config_entries import SOURCE_USER, ConfigEntry
from homeassistant.const import EVENT_HOMEASSISTANT_CLOSE
from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers.aiohttp_client import (
    DATA_CLIENTSESSION,
    DATA_CONNECTOR,
    HomeAssistantTCPConnector,
)
from homeassistant.setup import async_setup_component
from homeassistant.util.ssl import SSLCipherList

from .certificate import HOSTS, client_context
from .cloud import SimulatedCloud

DOMAIN = "smartthings"
INSTALLED_APP_ID = "5aaaa925-2be1-4e40-b257-e4ef59083324"
_SHARED = (True, socket.AF_UNSPEC, SSLCipherList.PYTHON_DEFAULT)


class CloudResolver(AbstractResolver):
    """Sends the hosts of the cloud to a port of loopback; asks the system for all others."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._system: ThreadedResolver | None = None

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if host in HOSTS:
            return [
                ResolveResult(
                    hostname=host,
                    host="127.0.0.1",
                    port=self._port,
                    family=socket.AF_INET,
                    proto=0,
                    flags=socket.AI_NUMERICHOST,
                )
            ]
        self._system = self._system or ThreadedResolver()
        return await self._system.resolve(host, port, family)

    async def close(self) -> None:
        if self._system is not None:
            await self._system.close()


async def async_point_at(hass: HomeAssistant, cloud: SimulatedCloud) -> None:
    """Let Home Assistant's shared session reach the simulated cloud.

    Call it before anything that uses the session is set up: existing sessions do not change.
    """
    connector = HomeAssistantTCPConnector(
        resolver=CloudResolver(cloud.tls_port), ssl=await client_context()
    )
    hass.data.setdefault(DATA_CONNECTOR, {})[_SHARED] = connector
    hass.data.setdefault(DATA_CLIENTSESSION, {}).pop(_SHARED, None)

    async def async_close(_: Event) -> None:
        await connector.close()

    hass.bus.async_listen_once(EVENT_HOMEASSISTANT_CLOSE, async_close)


async def async_add_smartthings(
    hass: HomeAssistant, cloud: SimulatedCloud, *, token_lifetime: float = 86_400
) -> ConfigEntry:
    """Add a config entry for the cloud's home, as if somebody had logged in; sets it up."""
    assert await async_setup_component(hass, "application_credentials", {})
    await async_import_client_credential(
        hass, DOMAIN, ClientCredential("simulated", "simulated"), DOMAIN
    )
    location = cloud.home.location
    entry: ConfigEntry = ConfigEntry(
        domain=DOMAIN,
        title=location["name"],
        unique_id=location["locationId"],
        version=3,
        minor_version=3,
        data={
            "auth_implementation": DOMAIN,
            "location_id": location["locationId"],
            "token": _token(cloud, token_lifetime),
        },
        options={},
        source=SOURCE_USER,
        discovery_keys=MappingProxyType({}),
        subentries_data=(),
    )
    await hass.config_entries.async_add(entry)
    return entry


def _token(cloud: SimulatedCloud, lifetime: float) -> dict[str, object]:
    return {
        "access_token": cloud.access_token,
        "refresh_token": "simulated",
        "expires_at": time.time() + lifetime,
        "expires_in": lifetime,
        "token_type": "bearer",
        "scope": "r:devices:* x:devices:* r:locations:* r:scenes:* x:scenes:* sse",
        "installed_app_id": INSTALLED_APP_ID,
    }
