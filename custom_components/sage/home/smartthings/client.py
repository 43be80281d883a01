"""HTTP client for the SmartThings cloud, with the token of the `smartthings` config entry.

Unlike pysmartthings, it returns the result of each command and raises CloudError for each error.
Once pysmartthings does the same (docs/upstream/README.md), commands can go through it.
"""

import asyncio
import json
import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

import aiohttp
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from yarl import URL

from .raw import CloudError, CloudErrorKind, RawValue, Values

_LOGGER: Final = logging.getLogger(__name__)

BASE_URL: Final = "https://api.smartthings.com"
TIMEOUT: Final = 8.0  # maximum duration of one request in seconds, and of the wait for a token
_CONNECT: Final = 5.0
_ACCEPT: Final = "application/vnd.smartthings+json;v=1"
_RESULTS: Final = frozenset({"ACCEPTED", "COMPLETED", "FAILED"})

_KINDS: Final[Mapping[int, CloudErrorKind]] = {
    401: CloudErrorKind.SIGN_IN,
    402: CloudErrorKind.PLAN,
    409: CloudErrorKind.DEVICE_STATE,
    429: CloudErrorKind.RATE_LIMIT,
}

_RETRY: Final = re.compile(r"retry in (\d+) ?millis", re.IGNORECASE)
_LONGEST_MESSAGE: Final = 400
_DEEPEST: Final = 5


class RawClient:
    """HTTP client that reads values and definitions, and sends commands."""

    def __init__(self, hass: HomeAssistant, *, base_url: str = BASE_URL) -> None:
        """Store the dependencies; tests replace `base_url`."""
        self._hass = hass
        self._base_url = base_url.rstrip("/")
        self.timeout = TIMEOUT

    async def async_command(
        self,
        entry_id: str,
        device_id: str,
        component_id: str,
        capability: str,
        command: str,
        arguments: list[object],
    ) -> str:
        """Send a command once; return `ACCEPTED`, `COMPLETED` or `FAILED`. Raises CloudError."""
        posted: dict[str, object] = {
            "component": component_id,
            "capability": capability,
            "command": command,
        }
        if arguments:
            posted["arguments"] = arguments
        answer: Any = await self._async_call(
            entry_id, "POST", ("devices", device_id, "commands"), {"commands": [posted]}
        )
        try:
            status = answer["results"][0]["status"]
        except KeyError, IndexError, TypeError:
            status = None
        if status not in _RESULTS:
            raise CloudError(
                CloudErrorKind.UNANSWERED, "SmartThings did not say what became of the command"
            )
        return str(status)

    async def async_definition(self, entry_id: str, capability: str) -> object:
        """Return the cloud's JSON with the definition of a capability. Raises CloudError."""
        return await self._async_call(entry_id, "GET", ("capabilities", capability, "1"))

    async def async_status(self, entry_id: str, device_id: str) -> Values:
        """Return all values of a device, fetched with one request. Raises CloudError."""
        answer = await self._async_call(entry_id, "GET", ("devices", device_id, "status"))
        return _values(answer)

    async def _async_call(
        self,
        entry_id: str,
        method: str,
        path: tuple[str, ...],
        body: Mapping[str, object] | None = None,
    ) -> object:
        token = await self._async_token(entry_id)
        url = "/".join((self._base_url, "v1", *(quote(part, safe="") for part in path)))
        text = await self._async_send(method, url, token, body)
        try:
            return json.loads(text)
        except ValueError as error:
            raise CloudError(
                CloudErrorKind.UNANSWERED, "the answer of SmartThings cannot be read"
            ) from error

    async def _async_token(self, entry_id: str) -> str:
        """Return a valid access token of a config entry. Raises CloudError."""
        entry = self._hass.config_entries.async_get_entry(entry_id)
        if entry is None or entry.state is not ConfigEntryState.LOADED:
            raise CloudError(
                CloudErrorKind.CONNECTION, "Home Assistant's SmartThings integration is not loaded"
            )
        refresh = self._hass.async_create_background_task(
            entry.runtime_data.client.refresh_token_function(), "SAGE SmartThings token"
        )
        # Otherwise asyncio logs an error that occurs after the wait.
        refresh.add_done_callback(lambda task: task.cancelled() or task.exception())
        # Do not cancel a running refresh: the old refresh token may already be invalid, and losing
        # the new one would force the user to sign in again.
        done, _ = await asyncio.wait([refresh], timeout=self.timeout)
        if not done:
            raise CloudError(CloudErrorKind.CONNECTION, "signing in to SmartThings took too long")
        try:
            token: str = refresh.result()
        except ConfigEntryAuthFailed:
            token = ""
        except Exception as error:  # noqa: BLE001 - another integration's code
            _LOGGER.debug("No SmartThings token: %s", type(error).__name__)
            raise CloudError(CloudErrorKind.CONNECTION, "cannot sign in to SmartThings") from None
        if not token:
            raise CloudError(CloudErrorKind.SIGN_IN, "SmartThings no longer accepts the sign-in")
        return token

    async def _async_send(
        self, method: str, url: str, token: str, body: Mapping[str, object] | None
    ) -> str:
        try:
            async with async_get_clientsession(self._hass).request(
                method,
                URL(url, encoded=True),
                json=body,
                headers={"Authorization": f"Bearer {token}", "Accept": _ACCEPT},
                # A followed redirect would send the command a second time.
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=self.timeout, sock_connect=_CONNECT),
            ) as response:
                text = (await response.read()).decode(errors="replace")
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise CloudError(CloudErrorKind.CONNECTION, "cannot connect to SmartThings") from error
        except TimeoutError as error:
            raise CloudError(
                CloudErrorKind.UNANSWERED, "SmartThings did not answer in time"
            ) from error
        except (aiohttp.ClientError, OSError) as error:
            raise CloudError(
                CloudErrorKind.UNANSWERED, "the connection to SmartThings broke"
            ) from error
        if not 200 <= response.status < 300:
            raise error_of_response(response.status, text, response.headers)
        return text


def _values(answer: Any) -> Values:
    """Return the values in a status response. Raises CloudError if it has none."""
    try:
        return {
            component_id: {
                capability: {
                    attribute: RawValue(value=report.get("value"), unit=_text(report.get("unit")))
                    for attribute, report in attributes.items()
                    if isinstance(report, Mapping)
                }
                for capability, attributes in capabilities.items()
            }
            for component_id, capabilities in answer["components"].items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise CloudError(
            CloudErrorKind.UNANSWERED, "the answer of SmartThings has no values"
        ) from error


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


# ------------------------------------------------------------------ errors


def error_of_response(status: int, text: str, headers: Mapping[str, str]) -> CloudError:
    """Return the CloudError for an HTTP response with an error status.

    Observed bodies: JSON with `error` (`code`, `message`, `target` and nested `details`); HTML for
    status 401; an empty body for status 404.
    """
    kind = _KINDS.get(status, CloudErrorKind.REFUSED)
    if status >= 500:
        kind = CloudErrorKind.SERVER
    elif status < 400:
        kind = CloudErrorKind.UNANSWERED
    try:
        body: object = json.loads(text)
    except ValueError:
        body = None
    problems = _problems(body.get("error")) if isinstance(body, Mapping) else ()
    message = "; ".join(dict.fromkeys(filter(None, problems)))
    retry_after = None
    if kind in {CloudErrorKind.RATE_LIMIT, CloudErrorKind.SERVER}:
        retry_after = _retry_after(text, headers)
    return CloudError(
        kind,
        message[:_LONGEST_MESSAGE] or f"it answers with status {status}",
        status=status,
        retry_after=retry_after,
    )


def _problems(error: object, depth: int = 0) -> Iterator[str]:
    """Yield `target: message` of an error and its details; a target is not repeated."""
    if not isinstance(error, Mapping) or depth >= _DEEPEST:
        return
    text, target = _text(error.get("message")) or _text(error.get("code")), error.get("target")
    yield f"{target}: {text}" if target and str(target) not in text else text
    details = error.get("details")
    for detail in details if isinstance(details, list) else ():
        yield from _problems(detail, depth + 1)


def _retry_after(text: str, headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait, or None if unknown; the error message is the most accurate."""
    if (found := _RETRY.search(text)) is not None:
        return int(found[1]) / 1000
    for header in ("Retry-After", "X-RateLimit-Reset"):
        if (seconds := headers.get(header, "")).isdecimal():
            return float(seconds)
    return None
