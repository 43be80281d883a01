"""Requests to the cloud whose answers the client library does not pass on.

The library drops the result of a command and takes most errors for success; here
every answer counts. The token is the one of Home Assistant's own entry, so there
is no second sign-in.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from yarl import URL

from .cloud_errors import error_of_response
from .raw import CloudError, CloudErrorKind
from .sign_in import async_token
from .source import Sources

BASE_URL: Final = "https://api.smartthings.com"
TIMEOUT: Final = 8.0
"""Seconds that one call may take, the token included."""

_CONNECT: Final = 5.0
_LEAST: Final = 1.0
"""Seconds that must be left for a request to be begun at all."""

_ACCEPT: Final = "application/vnd.smartthings+json;v=1"
_RESULTS: Final = frozenset({"ACCEPTED", "COMPLETED", "FAILED"})


class RawClient:
    """The HTTP client; implements `parts.Cloud`."""

    def __init__(
        self,
        hass: HomeAssistant,
        sources: Sources,
        *,
        base_url: str = BASE_URL,
        timeout: float = TIMEOUT,
    ) -> None:
        """Keep where the tokens come from."""
        self._hass = hass
        self._sources = sources
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout

    async def async_command(
        self,
        entry_id: str,
        device_id: str,
        component_id: str,
        capability: str,
        command: str,
        arguments: list[object],
    ) -> str:
        """Post one command exactly once; returns `ACCEPTED`, `COMPLETED` or `FAILED`.

        Raises CloudError. Never repeats a request.
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
        """Return the definition as the cloud's JSON has it. Raises CloudError."""
        return await self._async_call(entry_id, "GET", ("capabilities", capability, str(version)))

    async def async_texts(self, entry_id: str, capability: str, version: int = 1) -> object:
        """Return its English texts as the cloud's JSON has them. Raises CloudError."""
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
        client = self._sources.client(entry_id)
        if client is None:
            raise CloudError(
                CloudErrorKind.CONNECTION,
                "Home Assistant's SmartThings integration is not loaded",
            )
        deadline = asyncio.get_running_loop().time() + self._timeout
        token = await async_token(self._hass, client, self._timeout)
        left = deadline - asyncio.get_running_loop().time()
        if left < min(_LEAST, self._timeout / 2):
            raise CloudError(CloudErrorKind.CONNECTION, "signing in to SmartThings took too long")
        url = "/".join((self._base_url, "v1", *(quote(part, safe="") for part in path)))
        return _parsed(await self._async_send(method, url, token, body, left))

    async def _async_send(
        self, method: str, url: str, token: str, body: Mapping[str, object] | None, seconds: float
    ) -> str:
        """Send one request and return the text of a success."""
        try:
            async with async_get_clientsession(self._hass).request(
                method,
                URL(url, encoded=True),
                json=body,
                headers={"Authorization": f"Bearer {token}", "Accept": _ACCEPT},
                # A redirection would send a command once more.
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
    """Return what became of the only command of a request."""
    try:
        status = answer["results"][0]["status"]
    except KeyError, IndexError, TypeError:
        status = None
    if status not in _RESULTS:
        raise CloudError(
            CloudErrorKind.BROKEN, "SmartThings did not say what became of the command"
        )
    return str(status)
