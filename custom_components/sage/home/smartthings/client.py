"""HTTP client for the SmartThings cloud, with the token of the `smartthings` config entry.

Unlike pysmartthings, it returns the result of each command and raises CloudError for each error.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from yarl import URL

from ...helpers.slices import Work, async_in_slices
from .cloud_errors import error_of_body, error_of_response
from .entry_shape import Client
from .loaded_entries import LoadedEntries
from .raw import CloudError, CloudErrorKind, RawValue

_LOGGER: Final = logging.getLogger(__name__)

BASE_URL: Final = "https://api.smartthings.com"
TIMEOUT: Final = 8.0
"""Maximum duration of one call in seconds, including the time to get a token."""

_CONNECT: Final = 5.0
_LEAST: Final = 1.0
"""Minimum remaining time to start a request, in seconds."""

_ACCEPT: Final = "application/vnd.smartthings+json;v=1"
_RESULTS: Final = frozenset({"ACCEPTED", "COMPLETED", "FAILED"})

_KINDS: Final[Mapping[str, CloudErrorKind]] = {
    "SmartThingsAuthenticationFailedError": CloudErrorKind.SIGN_IN,
    "SmartThingsForbiddenError": CloudErrorKind.FORBIDDEN,
    "SmartThingsCommandError": CloudErrorKind.MALFORMED,
    "SmartThingsRateLimitError": CloudErrorKind.RATE_LIMIT,
    "SmartThingsNotFoundError": CloudErrorKind.NOT_FOUND,
    "SmartThingsConnectionError": CloudErrorKind.CONNECTION,
}
"""Name of a pysmartthings exception class -> kind of error.

Names are used because the library may not be installed.
"""

_TEXTS: Final[Mapping[CloudErrorKind, str]] = {
    CloudErrorKind.SIGN_IN: "SmartThings no longer accepts the sign-in",
    CloudErrorKind.FORBIDDEN: "SmartThings does not allow to read this device",
    CloudErrorKind.MALFORMED: "SmartThings cannot return the values of this device now",
    CloudErrorKind.RATE_LIMIT: "SmartThings accepts no more requests now",
    CloudErrorKind.NOT_FOUND: "SmartThings does not know this device",
    CloudErrorKind.CONNECTION: "cannot connect to SmartThings",
    CloudErrorKind.TIMEOUT: "SmartThings did not answer in time",
}

type Values = dict[str, dict[str, dict[str, RawValue]]]
"""Component id -> capability -> attribute -> value."""


class RawClient:
    """HTTP client that sends commands and fetches capability definitions."""

    def __init__(
        self,
        hass: HomeAssistant,
        entries: LoadedEntries,
        *,
        base_url: str = BASE_URL,
        timeout: float = TIMEOUT,
    ) -> None:
        """Store the dependencies.

        `entries` provides the tokens. Tests replace `base_url`. `timeout` is in seconds, for one
        call.
        """
        self._hass = hass
        self._entries = entries
        self._base_url = base_url.rstrip("/")
        self.timeout = timeout

    async def async_command(
        self,
        entry_id: str,
        device_id: str,
        component_id: str,
        capability: str,
        command: str,
        arguments: list[object],
    ) -> str:
        """Send one command; return `ACCEPTED`, `COMPLETED` or `FAILED`. Raises CloudError.

        The request is never repeated.
        """
        posted: dict[str, object] = {
            "component": component_id,
            "capability": capability,
            "command": command,
        }
        if arguments:
            posted["arguments"] = arguments
        answer = await self._async_call(
            entry_id, "POST", ("devices", device_id, "commands"), {"commands": [posted]}
        )
        return _result(answer)

    async def async_definition(self, entry_id: str, capability: str, version: int = 1) -> object:
        """Return the cloud's JSON with the definition of a capability. Raises CloudError."""
        return await self._async_call(entry_id, "GET", ("capabilities", capability, str(version)))

    async def async_texts(self, entry_id: str, capability: str, version: int = 1) -> object:
        """Return the cloud's JSON with English descriptions of a capability. Raises CloudError."""
        return await self._async_call(
            entry_id, "GET", ("capabilities", capability, str(version), "i18n", "en")
        )

    async def _async_call(
        self,
        entry_id: str,
        method: str,
        path: tuple[str, ...],
        body: Mapping[str, object] | None = None,
    ) -> object:
        client = self._entries.client(entry_id)
        if client is None:
            raise CloudError(
                CloudErrorKind.CONNECTION,
                "Home Assistant's SmartThings integration is not loaded",
            )
        deadline = asyncio.get_running_loop().time() + self.timeout
        token = await async_token(self._hass, client, self.timeout)
        left = deadline - asyncio.get_running_loop().time()
        if left < min(_LEAST, self.timeout / 2):
            raise CloudError(CloudErrorKind.CONNECTION, "signing in to SmartThings took too long")
        url = "/".join((self._base_url, "v1", *(quote(part, safe="") for part in path)))
        return _parsed(await self._async_send(method, url, token, body, left))

    async def _async_send(
        self, method: str, url: str, token: str, body: Mapping[str, object] | None, seconds: float
    ) -> str:
        """Send one request; return the body of a successful response. Raises CloudError."""
        try:
            async with async_get_clientsession(self._hass).request(
                method,
                URL(url, encoded=True),
                json=body,
                headers={"Authorization": f"Bearer {token}", "Accept": _ACCEPT},
                # A followed redirect would send the command a second time.
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=seconds, sock_connect=min(_CONNECT, seconds)),
            ) as response:
                text = (await response.read()).decode(errors="replace")
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise CloudError(CloudErrorKind.CONNECTION, "cannot connect to SmartThings") from error
        except TimeoutError as error:
            raise CloudError(
                CloudErrorKind.TIMEOUT, "SmartThings did not answer in time"
            ) from error
        except (aiohttp.ClientError, OSError) as error:
            raise CloudError(
                CloudErrorKind.BROKEN, "the connection to SmartThings broke"
            ) from error
        if not 200 <= response.status < 300:
            raise error_of_response(response.status, text, response.headers)
        return text


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise CloudError(
            CloudErrorKind.BROKEN, "the answer of SmartThings cannot be read"
        ) from error


def _result(answer: Any) -> str:
    """Return the status of the only command in a response. Raises CloudError."""
    try:
        status = answer["results"][0]["status"]
    except KeyError, IndexError, TypeError:
        status = None
    if status not in _RESULTS:
        raise CloudError(
            CloudErrorKind.BROKEN, "SmartThings did not say what became of the command"
        )
    return str(status)


async def async_status(hass: HomeAssistant, client: Client, device_id: str) -> Values:
    """Return all values of a device, fetched with one request. Raises CloudError."""
    deadline = asyncio.get_running_loop().time() + TIMEOUT
    # Refresh the token first. The client then gets a valid token immediately, so the timeout below
    # cannot interrupt a token refresh.
    await async_token(hass, client, TIMEOUT)
    try:
        async with asyncio.timeout_at(deadline):
            answer: object = await client.get_raw_device_status(device_id)
    except TimeoutError as error:
        raise _error(CloudErrorKind.TIMEOUT) from error
    except ValueError as error:
        raise CloudError(CloudErrorKind.BROKEN, "the answer of SmartThings is no JSON") from error
    except Exception as error:
        raise _error(_KINDS.get(type(error).__name__, CloudErrorKind.BROKEN)) from error
    return await async_in_slices(_values(answer))


def _error(kind: CloudErrorKind) -> CloudError:
    return CloudError(kind, _TEXTS.get(kind, "the connection to SmartThings broke"))


def _values(answer: object) -> Work[Values]:
    """Return the values in a status response. Raises CloudError for an error response.

    pysmartthings also returns the error bodies of HTTP status 402, 429 and 5xx.
    """
    components = answer.get("components") if isinstance(answer, Mapping) else None
    if not isinstance(components, Mapping):
        raise error_of_body(answer)
    values: Values = {}
    for component_id, capabilities in components.items():
        component = values.setdefault(component_id, {})
        for capability, attributes in _items(capabilities):
            component[capability] = {
                attribute: RawValue(value=report.get("value"), unit=_unit(report))
                for attribute, report in _items(attributes)
                if isinstance(report, Mapping)
            }
            yield
    return values


def _items(value: object) -> list[tuple[str, object]]:
    return list(value.items()) if isinstance(value, Mapping) else []


def _unit(report: Mapping[str, object]) -> str | None:
    unit = report.get("unit")
    return unit if isinstance(unit, str) and unit else None


async def async_token(hass: HomeAssistant, client: Client, seconds: float) -> str:
    """Return a valid access token. Raises CloudError on failure or after `seconds`."""
    asked = hass.async_create_background_task(_async_ask(client), "SAGE SmartThings token")
    try:
        async with asyncio.timeout(seconds):
            # Do not cancel a running refresh: the old refresh token may already be invalid, and
            # losing the new one would force the user to sign in again.
            token = await asyncio.shield(asked)
    except TimeoutError as error:
        raise CloudError(
            CloudErrorKind.CONNECTION, "signing in to SmartThings took too long"
        ) from error
    if isinstance(token, CloudError):
        raise token
    return token


async def _async_ask(client: Client) -> str | CloudError:
    """Return the token or the error.

    Never raises, because the caller may have stopped waiting after its timeout.
    """
    try:
        token: object = await client.refresh_token_function()
    except ConfigEntryAuthFailed:
        return CloudError(CloudErrorKind.SIGN_IN, "SmartThings no longer accepts the sign-in")
    except Exception as error:  # noqa: BLE001 - another integration's code
        _LOGGER.debug("No SmartThings token: %s", type(error).__name__)
        return CloudError(CloudErrorKind.CONNECTION, "cannot sign in to SmartThings")
    if not isinstance(token, str) or not token:
        return CloudError(CloudErrorKind.SIGN_IN, "the SmartThings entry has no token")
    return token
