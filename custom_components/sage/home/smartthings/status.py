"""The status of a device, as the cloud answers it: one request for all values."""

import asyncio
from collections.abc import Mapping
from typing import Final

from homeassistant.core import HomeAssistant

from ...helpers.slices import Work, async_in_slices
from .cloud_errors import error_of_body
from .entry_shape import Client
from .raw import CloudError, CloudErrorKind, RawValue
from .sign_in import async_token

TIMEOUT: Final = 8.0
"""Seconds that one request may take, the token included."""

_KINDS: Final[Mapping[str, CloudErrorKind]] = {
    "SmartThingsAuthenticationFailedError": CloudErrorKind.SIGN_IN,
    "SmartThingsForbiddenError": CloudErrorKind.FORBIDDEN,
    "SmartThingsCommandError": CloudErrorKind.MALFORMED,
    "SmartThingsRateLimitError": CloudErrorKind.RATE_LIMIT,
    "SmartThingsNotFoundError": CloudErrorKind.NOT_FOUND,
    "SmartThingsConnectionError": CloudErrorKind.CONNECTION,
}
"""By name, since the client library may be missing when this file is imported."""

_TEXTS: Final[Mapping[CloudErrorKind, str]] = {
    CloudErrorKind.SIGN_IN: "SmartThings no longer accepts the sign-in",
    CloudErrorKind.FORBIDDEN: "SmartThings does not allow to read this device",
    CloudErrorKind.MALFORMED: "SmartThings cannot tell the values of this device now",
    CloudErrorKind.RATE_LIMIT: "SmartThings accepts no more requests now",
    CloudErrorKind.NOT_FOUND: "SmartThings does not know this device",
    CloudErrorKind.CONNECTION: "cannot connect to SmartThings",
    CloudErrorKind.TIMEOUT: "SmartThings did not answer in time",
}

type Values = dict[str, dict[str, dict[str, RawValue]]]
"""Component id -> capability -> attribute -> value."""


async def async_status(hass: HomeAssistant, client: Client, device_id: str) -> Values:
    """Return all values of a device: one request. Raises CloudError."""
    deadline = asyncio.get_running_loop().time() + TIMEOUT
    # The client asks for the token once more; then it is valid, and nothing that must
    # not be broken off is under way when the time is up.
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
    """Return the values of an answer. Raises CloudError when it is something else.

    The client library passes the bodies of 402, 429 and 5xx on as if they were one.
    """
    components = answer.get("components") if isinstance(answer, Mapping) else None
    if not isinstance(components, Mapping):
        raise error_of_body(answer)
    values: Values = {}
    for component_id, capabilities in components.items():
        component = values.setdefault(component_id, {})
        for capability, attributes in _items(capabilities):
            component[capability] = {
                attribute: RawValue(value=told.get("value"), unit=_unit(told))
                for attribute, told in _items(attributes)
                if isinstance(told, Mapping)
            }
            yield
    return values


def _items(value: object) -> list[tuple[str, object]]:
    return list(value.items()) if isinstance(value, Mapping) else []


def _unit(told: Mapping[str, object]) -> str | None:
    unit = told.get("unit")
    return unit if isinstance(unit, str) and unit else None
